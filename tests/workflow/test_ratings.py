"""The survey of trait ratings through the workflow: out, back in each format, tables and figures, and nothing else runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from dualpair import artifacts
from dualpair.report.sections import ratings as shown
from tests.unit import ratings_world as made
from tests.workflow.conftest import ROOT, Checkout

pytestmark = pytest.mark.workflow

GROUPS = ["bakers", "judges", "nurses", {"group": "tailors", "names": {"en": "tailors"}}]
SURVEY = {"groups": GROUPS, "per_group": 2, "groups_per_annotator": 5, "languages": ["en"], "min_self_agreement": 0.8,
          "agreement_points": 20, "exclude": ["recall_group", "recall_traits", "self_agreement"], "returned": []}  # fmt: skip


def config(checkout: Checkout, **survey: Any) -> None:
    """A run of which nobody needs the models: they do not exist."""
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    checkout.write_config(
        run="survey",
        languages=["en"],
        models={"none": {"kind": "causal", "source": "path:/no/model", "engine": "transformers", "dtype": "float32"}},
        roles=data["roles"] | {"score": ["none"]},
        validation=data["validation"] | {"ratings": SURVEY | survey},
    )


def fill(checkout: Checkout, folder: Path) -> list[Path]:
    """Two surveys, both filled in, one as a workbook and one as the page saves it."""
    note = json.loads((checkout.folder / "results" / "survey" / "ratings.json").read_text(encoding="utf-8"))
    assert note["annotators"] == {"en": 2}
    sample = checkout.folder / "results" / "survey" / note["folder"]
    key = artifacts.read(sample / "ratings_key.parquet", "ratings_key")
    folder.mkdir()
    found = []
    for name, ending, fills in (("annotator-1", "xlsx", made.fill_xlsx), ("annotator-2", "csv", made.page_export)):
        given = made.answers(key[key["annotator"] == name].sort_values("position").itertuples())
        found.append(fills(sample / "ratings" / "en" / f"{name}.{ending}", folder / f"{name}.{ending}", given))
    return found


def test_the_survey_goes_out_and_its_answers_become_tables_without_any_model(tmp_path: Path) -> None:
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    config(checkout)
    run = checkout.snakemake("ratings")
    assert run.status == 0, run.output[-4000:]
    assert {job.split()[0] for job in run.jobs()} == {"ratings"}
    back = fill(checkout, checkout.folder / "back")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in back}
    config(checkout, returned=["back"])
    run = checkout.snakemake("ratings_returned")
    assert run.status == 0, run.output[-4000:]
    assert {job.split()[0] for job in run.jobs()} == {"ratings_returned"}, "the survey is the same, so it stays"
    folder = checkout.folder / "results" / "survey" / "validation" / "ratings"
    frames = {name: artifacts.read(folder / f"{name}.parquet", name) for name in shown.TABLES}
    means = frames["human_ratings_means"]
    cells = zip(means["group"], means["low"], strict=True)
    assert list(means["mean"]) == [made.expected_mean(str(group), str(low)) for group, low in cells]
    assert len(means) == 4 * 16 and set(means["n"]) == {2.0}
    notes = json.loads((folder / "notes.json").read_text(encoding="utf-8"))
    assert "2 of 2 surveys have come back; 0 of their annotators are left out." in shown.section(frames, notes).lead[1]
    assert (checkout.folder / "results" / "survey" / "figures" / "human_ratings_en.svg").is_file()
    assert "Nothing to be done" in checkout.snakemake("ratings_returned").output

    back[0].unlink()
    config(checkout, returned=["back"], exclude=[])
    run = checkout.snakemake("ratings_returned", "--forceall")
    assert run.status == 0, run.output[-4000:]
    assert {job.split()[0] for job in run.jobs()} == {"ratings", "ratings_returned"}
    assert set(artifacts.read(folder / "human_ratings_means.parquet", "human_ratings_means")["n"]) == {1.0}
    assert (back[1].read_bytes(), back[1].stat().st_mtime_ns) == before[back[1]]


@pytest.mark.parametrize(("survey", "message"), [
    ({"returned": ["nowhere.xlsx"]}, "key `validation.ratings.returned`: 'nowhere.xlsx' does not exist"),
    ({"returned": ["empty"]}, "key `validation.ratings.returned`: folder 'empty' holds no sheet"),
    ({"languages": ["en", "ru"]}, "'bakers' has no name in 'en'"),
])  # fmt: skip
def test_a_survey_that_cannot_be_made_or_read_stops_at_once(
    tmp_path: Path, survey: dict[str, Any], message: str
) -> None:
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    (checkout.folder / "empty").mkdir()
    config(checkout, **survey)
    run = checkout.snakemake("ratings", "--dry-run")
    assert run.status != 0 and message in run.output and "Traceback" not in run.output
