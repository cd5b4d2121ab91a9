"""A model that is added to a finished run costs that model: the others are neither loaded nor measured again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from dualpair import artifacts
from tests.unit import tiny_models
from tests.workflow.conftest import ROOT, Checkout
from tests.workflow.test_import import NO_ROLES, RELEASED

pytestmark = pytest.mark.workflow

PER_MODEL = {"fetch_model", "plan_score", "score_model", "measure_model"}
# Rules that make or judge pairs; whatever else runs reads tables of all models and calls none.
OF_PAIRS = {"augment", "sheets", "stereotypes", "parse", "generate", "collect_candidates", "select_variants"}


def tiny(folder: Path, seed: int) -> Path:
    """A tiny random model."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    tokenizer = tiny_models.byte_level()
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=256,
    )  # fmt: skip
    Qwen2ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_config(checkout: Checkout, models: dict[str, Path], pairs: Path) -> None:
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    entry = {"kind": "causal", "engine": "transformers", "dtype": "float32"}
    checkout.write_config(
        languages=["en"],
        source={"kind": "augmented", "dataset": "animals", "files": {"en": str(pairs)}, "max_sets": None},
        parse=data["parse"] | {"engine": {}},
        models={name: {**entry, "source": f"path:{folder}"} for name, folder in models.items()},
        roles=NO_ROLES | {"score": sorted(models)},
        execution=data["execution"] | {"threads": 1},
    )


def test_only_the_added_model_runs(tmp_path):
    models = {name: tiny(tmp_path / name, seed) for seed, name in enumerate(("old", "other"))}
    pairs = tmp_path / "released.json"
    pairs.write_text(json.dumps(RELEASED), encoding="utf-8")
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    write_config(checkout, models, pairs)
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    assert set(run.loaded()) == {"old", "other"}  # once for each stage that scores
    cheap = {job for job in run.jobs() if "=" not in job} - OF_PAIRS
    before = checkout.artifacts()

    write_config(checkout, models | {"new": tiny(tmp_path / "new", 7)}, pairs)
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    assert set(run.loaded()) == {"new"}
    ran = set(run.jobs())
    of_models = {job for job in ran if "model=" in job}
    assert all(re.search(r"model=new\b", job) for job in of_models), of_models
    assert {f"{rule} model=new" for rule in PER_MODEL} <= of_models
    assert {"headline", "report", "all"} <= ran - of_models <= cheap
    after = checkout.artifacts()
    kept = [path for path in before if path.startswith(("scores/", "measures/", "set_measures/", "models/", "plans/"))]
    assert len(kept) >= 2 * len(PER_MODEL) + 2
    for path in (*kept, "augmented.parquet", "sentences.parquet"):
        assert after[path] == before[path], path

    table = artifacts.read(checkout.results / "analysis" / "headline.parquet", "headline")
    assert table["model"].tolist() == ["new", "old", "other"]
    run = checkout.snakemake()
    assert run.jobs() == [], run.output[-2000:]
