"""A run from dual pairs that are ready: nothing is generated or judged, and an export gives the measures it had."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml

from dualpair import artifacts
from tests.unit import tiny_models
from tests.workflow.conftest import ROOT, Checkout

pytestmark = pytest.mark.workflow

NO_ROLES = {"paraphrase": [], "alternate": [], "similarity": None, "nli": None}
RELEASED = [
    {
        "index": "1.0", "bias_type": ["animal"], "groups": ["Cats", "Dogs", "Emus"], "stereotype": "Cats nap a lot.",
        "v0": {"a1": "nap a lot.", "a2": "nap little."}, "v1": {"a1": "sleep often.", "a2": "sleep rarely."},
    },
    {
        "index": "2.0", "bias_type": ["animal"], "groups": ["Gnus", "Dogs"], "stereotype": "Gnus run.",
        "v0": {"a1": "jog", "a2": "rest"},
    },
    {"index": "3.0", "bias_type": ["animal"], "groups": ["Gnus"], "v0": {"a1": "jog", "a2": "rest"}},
]  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random model."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    folder = tmp_path_factory.mktemp("tiny") / "model"
    tokenizer = tiny_models.byte_level()
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=256,
    )  # fmt: skip
    Qwen2ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_config(checkout: Checkout, model: Path, run: str, file: Path, dataset: str | None) -> None:
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    checkout.write_config(
        run=run,
        languages=["en"],
        source={"kind": "augmented", "dataset": dataset, "files": {"en": str(file)}, "max_sets": None},
        parse=data["parse"] | {"engine": {}},
        models={"tiny": {"kind": "causal", "source": f"path:{model}", "engine": "transformers", "dtype": "float32"}},
        roles=NO_ROLES | {"score": ["tiny"]},
        execution=data["execution"] | {"threads": 1},
    )


ANALYSES = {"headline", "reliability", "inference", "comparison"}
RULES = {
    "fetch_model",
    "augment",
    "plan_score",
    "score_model",
    "measure_model",
    "run_config",
    "report",
    "sheets",
    "all",
} | ANALYSES


def test_an_export_that_is_imported_gives_identical_measures(tmp_path, model):
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    released = tmp_path / "released.json"
    released.write_text(json.dumps(RELEASED), encoding="utf-8")
    write_config(checkout, model, "first", released, "animals")
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    assert {job.split()[0] for job in run.jobs()} == RULES
    assert run.loaded() == ["tiny"]
    first = checkout.folder / "results" / "first"
    funnel = pd.read_csv(first / "funnel.csv", keep_default_na=False)
    assert funnel.loc[funnel["stage"] == "sets"].groupby("reason")["n"].sum().to_dict() == {
        "kept": 2,
        "only_one_group": 1,
    }
    pairs = artifacts.read(first / "augmented.parquet", "augmented")
    assert pairs["v0_is_original"].tolist() == [True, True, False]
    assert (first / "report.html").is_file()

    export = tmp_path / "export.parquet"
    export.write_bytes((first / "augmented.parquet").read_bytes())
    write_config(checkout, model, "second", export, None)
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    assert run.loaded() == []
    second = checkout.folder / "results" / "second"
    for name in ("measures/tiny.parquet", "set_measures/tiny.parquet", "scores/tiny.parquet", "sentences.parquet"):
        assert (second / name).read_bytes() == (first / name).read_bytes(), name
    again = artifacts.read(second / "augmented.parquet", "augmented")
    assert again.values.tolist() == pairs.values.tolist()


@pytest.mark.model
@pytest.mark.stanza
def test_a_run_that_generated_its_pairs_is_reproduced_from_its_export(finished, tmp_path):
    """All models' scores are in the store, so that nothing is loaded."""
    before = finished.results / "augmented.parquet"
    checkout = finished.clone(tmp_path / "checkout")
    settings = yaml.safe_load((finished.folder / "wf.yaml").read_text(encoding="utf-8"))
    source = {
        "kind": "augmented",
        "dataset": None,
        "files": dict.fromkeys(settings["languages"], str(before)),
        "max_sets": None,
    }
    checkout.write_config(run="imported", source=source, roles=settings["roles"] | NO_ROLES)
    targets = [f"results/imported/set_measures/{model}.parquet" for model in settings["roles"]["score"]]
    run = checkout.snakemake(*targets)
    assert run.status == 0, run.output[-4000:]
    assert run.loaded() == []
    for target in targets:
        for path in (target, target.replace("set_measures", "measures")):
            new, old = checkout.folder / path, checkout.results / Path(path).relative_to("results/imported")
            assert new.read_bytes() == old.read_bytes(), path


WIDE = {
    "kind": "table", "dataset": "d", "files": {"en": "wide.csv"}, "max_sets": None, "columns": {
        "set_id": "id", "cluster_id": None, "bias_type": None, "role": "role", "sentence": "text_{lang}", "group": None,
        "attribute": None},
}  # fmt: skip
SCAFFOLDS = {"en": {"female": 'The women said: "{sentence}"', "male": 'The men said: "{sentence}"'}}
GEST = {"kind": "gest", "dataset": "d", "files": {"en": "gest.csv"}, "max_sets": None, "scaffolds": SCAFFOLDS}
PAIRS = {
    "kind": "augmented", "dataset": "d", "files": {"en": "pairs.csv"}, "max_sets": None, "columns": {
        "set_id": "id", "groups": "groups", "attribute": "a_{lang}", "alternate": "b_{lang}"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("source", "engine", "text", "target"),
    [
        (WIDE, "stanza", "id,role,text_en\n1,stereotyped,Cats nap.\n", "stereotypes.parquet"),
        (GEST, "presplit", "sentence,stereotype\nI nap.,1\n", "stereotypes.parquet"),
        (PAIRS, "presplit", "id,groups,a_en,b_en\n1,Cats|Dogs,nap,wake\n", "augmented.parquet"),
    ],
)
def test_braces_in_the_source_section_are_no_wildcards(source, engine, text, target, tmp_path):
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    (checkout.folder / source["files"]["en"]).write_text(text, encoding="utf-8")
    parse = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["parse"]
    checkout.write_config(run="first", languages=["en"], source=source, parse=parse | {"engine": {"en": engine}})
    run = checkout.snakemake(f"results/first/{target}")
    assert run.status == 0, run.output[-4000:]
    assert (checkout.folder / "results" / "first" / target).is_file()


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([RELEASED[2]], "none of the 1 sets can be used ({'only_one_group': 1}; first: '3.0')"),
        ([{**RELEASED[1], "v0": {"a1": "jog", "a2": ""}}], "no variant has a usable alternate"),
        ([{**RELEASED[1], "groups": None}], "record 1: key 'groups': value None; expected a list of texts"),
    ],
)
def test_a_source_without_a_usable_pair_stops_at_once(records, message, tmp_path, model):
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    (tmp_path / "released.json").write_text(json.dumps(records), encoding="utf-8")
    write_config(checkout, model, "first", tmp_path / "released.json", "animals")
    run = checkout.snakemake("results/first/augmented.parquet")
    assert run.status != 0
    assert message in run.output
    assert run.output.count("Traceback") == 0
    assert not list((checkout.folder / "results" / "first").glob("*.parquet"))
