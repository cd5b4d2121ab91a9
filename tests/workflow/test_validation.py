"""Sheets go out, come back filled in, and the workflow reads them: it never changes or deletes what came back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from dualpair import artifacts
from tests.unit import validation_world as vw
from tests.workflow.conftest import ROOT, Checkout

pytestmark = pytest.mark.workflow

RELEASED = [
    {
        "index": f"{n}.0", "bias_type": ["animal" if n % 2 else "thing"], "groups": [f"{group}", "Emus"],
        "stereotype": f"{group} {one}.", "v0": {"a1": f"{one}.", "a2": f"never {one}."}, "v1": {"a1": f"{two}.", "a2": f"rarely {two}."},
    }
    for n, (group, one, two) in enumerate(
        [("Cats", "nap a lot", "sleep often"), ("Gnus", "run fast", "hurry along"), ("Trains", "arrive late", "lose time"),
         ("Clocks", "tick loudly", "make noise")], start=1,
    )
]  # fmt: skip


def config(checkout: Checkout, released: Path, **validation: Any) -> None:
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    checkout.write_config(
        run="people",
        languages=["en"],
        source={"kind": "augmented", "dataset": "animals", "files": {"en": str(released)}, "max_sets": None},
        parse=data["parse"] | {"engine": {}},
        models={"none": {"kind": "causal", "source": "path:/no/model", "engine": "transformers", "dtype": "float32"}},
        roles={"paraphrase": [], "alternate": [], "similarity": None, "nli": None, "score": ["none"]},
        validation=data["validation"] | validation,
        analysis=data["analysis"] | {"bootstrap": 100},
    )


def test_returned_files_survive_a_forced_run_and_rejected_pairs_are_left_out(tmp_path: Path) -> None:
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    released = tmp_path / "released.json"
    released.write_text(json.dumps(RELEASED), encoding="utf-8")
    config(checkout, released)
    run = checkout.snakemake("results/people/sheets.json", "results/people/augmented.parquet")
    assert run.status == 0, run.output[-4000:]
    results = checkout.folder / "results" / "people"
    before = artifacts.read(results / "augmented.parquet", "augmented")
    assert len(before) == 8
    sample = results / json.loads((results / "sheets.json").read_text(encoding="utf-8"))["folder"]
    key = artifacts.read(sample / "key.parquet", "sheet_key")
    back = checkout.folder / "back"
    for task in ("paraphrase", "alternate"):
        own = key[key["task"] == task]
        answers = dict.fromkeys(own["item_id"], "accept")
        answers[own[(own["kind"] == "accepted") & (own["set_id"] == "1.0")]["item_id"].iloc[0]] = "reject"
        vw.fill_xlsx(sample / "annotator-1" / f"{task}-en.xlsx", answers, back / "annotator-1" / f"{task}-en.xlsx")
    # One of them lies where it was handed out, beside the key.
    inside = sample / "annotator-1" / "returned.csv"
    inside.write_bytes((sample / "annotator-1" / "paraphrase-en.csv").read_bytes())
    config(
        checkout,
        released,
        apply=True,
        returned=["back", {"path": str(inside.relative_to(checkout.folder)), "annotator": "annotator-2"}],
    )
    state = {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in [*back.rglob("*.xlsx"), *sample.rglob("*")]
        if path.is_file()
    }
    targets = ["results/people/augmented.parquet", "results/people/validation/notes.json"]
    run = checkout.snakemake(*targets, "--forceall")
    assert run.status == 0, run.output[-4000:]
    assert {job.split()[0] for job in run.jobs()} == {"augment", "apply_validation", "sheets", "validation"}
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in state} == state
    answers = pd.read_csv(results / "validation" / "answers.csv", encoding="utf-8-sig", keep_default_na=False)
    assert set(answers["annotator"]) == {"annotator-1", "annotator-2"}
    found = artifacts.read(results / "validation" / "rejected.parquet", "validation_rejected")
    assert set(found["set_id"]) == {"1.0"}
    after = artifacts.read(results / "augmented.parquet", "augmented")
    assert len(after) == len(before) - len(found[["set_id", "variant_id"]].drop_duplicates())
    again = checkout.snakemake(*targets)
    assert "Nothing to be done" in again.output
    config(checkout, released)
    run = checkout.snakemake("results/people/augmented.parquet")
    assert run.status == 0, run.output[-4000:]
    pd.testing.assert_frame_equal(artifacts.read(results / "augmented.parquet", "augmented"), before)


@pytest.mark.parametrize(("returned", "message"), [
    (["nowhere.xlsx"], "'nowhere.xlsx' does not exist"),
    (["empty"], "folder 'empty' holds no sheet"),
    ([{"file": "x.csv"}], "key `validation.returned.0.file` is unknown"),
])  # fmt: skip
def test_a_returned_file_that_is_not_there_stops_at_once(tmp_path: Path, returned: list[Any], message: str) -> None:
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    (checkout.folder / "empty").mkdir()
    released = tmp_path / "released.json"
    released.write_text(json.dumps(RELEASED), encoding="utf-8")
    config(checkout, released, returned=returned)
    run = checkout.snakemake("results/people/sheets.json")
    assert run.status != 0 and message in run.output and "Traceback" not in run.output
