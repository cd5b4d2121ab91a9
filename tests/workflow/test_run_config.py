"""The settings of a run as a file: when it is written, and that nothing else runs for it."""

from __future__ import annotations

import json

import pytest
import yaml

from dualpair import run_config
from tests.workflow.conftest import ROOT, Checkout
from tests.workflow.test_added_model import tiny
from tests.workflow.test_import import NO_ROLES, RELEASED

pytestmark = pytest.mark.workflow


def test_it_tells_the_settings_of_the_measures_and_runs_nothing_again(tmp_path):
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    pairs = tmp_path / "released.json"
    pairs.write_text(json.dumps(RELEASED), encoding="utf-8")
    shipped = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    entry = {
        "kind": "causal",
        "engine": "transformers",
        "dtype": "float32",
        "source": f"path:{tiny(tmp_path / 'm', 1)}",
    }
    usual = {
        "languages": ["en"],
        "source": {"kind": "augmented", "dataset": "animals", "files": {"en": str(pairs)}, "max_sets": None},
        "models": {"m": entry},
        "roles": NO_ROLES | {"score": ["m"]},
        "execution": shipped["execution"] | {"threads": 1},
    }
    checkout.write_config(**usual)
    assert checkout.snakemake("measure", "-n").status == 0
    assert not checkout.results.exists()

    run = checkout.snakemake("measure")
    assert run.status == 0 and "run_config" in run.jobs(), run.output[-4000:]
    first = run_config.read(checkout.results)
    assert first["languages"] == ["en"] and list(first["models"]) == ["m"] and first["models"]["m"]["shards"] == 1
    assert first["source"]["files"] == {"en": str(pairs)} and not set(first) & set(run_config.LEFT_OUT)

    checkout.write_config(**usual | {"execution": usual["execution"] | {"token_budget": 999, "max_failed_share": 0.5}})
    assert "Nothing to be done" in checkout.snakemake("measure").output

    filters = first["filters"] | {"max_paraphrases": 1}
    checkout.write_config(**usual, seed=7, filters=filters)
    assert checkout.snakemake("augment").status == 0  # no measure is looked at: the file stays
    assert run_config.read(checkout.results) == first
    run = checkout.snakemake("measure")
    assert run.status == 0 and "run_config" in run.jobs() and run.loaded() == [], run.output[-4000:]
    second = run_config.read(checkout.results)
    assert second == first | {"seed": 7, "filters": filters}
    assert checkout.snakemake("measure").jobs() == []
    changed = checkout.snakemake("measure", "--config", "seed=8")
    assert run_config.read(checkout.results)["seed"] == 8, changed.output[-4000:]
