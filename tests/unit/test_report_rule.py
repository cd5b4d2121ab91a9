"""The report rule's real command on the tables of a made-up run."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from dualpair import artifacts, schemas
from dualpair.validation import ratings_results
from tests.rules.conftest import Folder
from tests.unit import report_world
from tests.unit.measure_world import World
from tests.unit.test_report import Page

WORLD = World(models=("model-a", "model-b"), n_sets=8, n_variants=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Tables of a run, as its rules leave them."""
    path = tmp_path_factory.mktemp("run")
    data = report_world.made(WORLD)
    (path / "measures").mkdir()
    (path / "scores").mkdir()
    for model, frame in data.measures.items():
        kept = frame.iloc[1:] if model == "model-b" else frame
        artifacts.write(kept, path / "measures" / f"{model}.parquet", "measures")
        artifacts.write(scores(model), path / "scores" / f"{model}.parquet", "scores")
    for name, table in (data.tables or {}).items():
        artifacts.write(table, path / f"{name}.parquet", name)
    artifacts.write(data.augmented, path / "augmented.parquet", "augmented")
    sets = data.sets.assign(parse="", kept=True, reason="")
    artifacts.write(sets[schemas.table("sets").names], path / "sets.parquet", "sets")
    (path / "warnings.json").write_text('["one warning"]', encoding="utf-8")
    return Folder(path)


def scores(model: str) -> pd.DataFrame:
    """One scored sentence."""
    row = {"sentence_id": "s", "prefix": "a", "continuation": " b", "model": model, "logprob_sum": -1.0, "n_tokens": 1,
           "prefix_logprob_sum": -1.0, "prefix_n_tokens": 1, "n_chars": 1, "n_bytes": 1, "prefix_n_chars": 1,
           "prefix_n_bytes": 1, "boundary_merge": False, "model_revision": f"commit-{model}", "dtype": "float32",
           "quantisation": "none", "engine": "transformers", "bos_policy": "none", "n_bos": 0, "n_context": 0,
           "token_ids": [], "token_logprobs": [], "token_ends": [], "kept": True, "reason": ""}  # fmt: skip
    return pd.DataFrame([row])


def command(
    *more: object, tables: tuple[str, ...] = ("headline", "contradictions", "contradictions_mean", "funnel")
) -> list[object]:
    facts = report_world.facts(WORLD)._asdict()
    models = list(WORLD.models)
    return [
        "--sets", "sets.parquet", "--augmented", "augmented.parquet", "--warnings", "warnings.json",
        "--scores", *[f"scores/{model}.parquet" for model in models],
        "--measures", *[f"measures/{model}.parquet" for model in models],
        "--tables", *[f"{name}.parquet" for name in tables],
        "--facts", json.dumps(facts), "--config", json.dumps({"run": "made", "seed": 1}), *more, "--out", "report.html",
    ]  # fmt: skip


def page(folder: Folder) -> Page:
    return Page((folder.path / "report.html").read_text(encoding="utf-8"))


def test_the_command_writes_the_page(folder: Folder) -> None:
    folder.run("report", command())
    first = (folder.path / "report.html").read_bytes()
    text = page(folder).text
    for words in ("Means over sets", "Contradictions and flips", "one warning", "commit-model-a, float32"):
        assert words in text
    assert "model-b: 1 of 32 pairs were not measured" in text
    assert "Trait ratings" not in text
    folder.run("report", command())
    assert (folder.path / "report.html").read_bytes() == first


def test_a_table_of_another_name_is_refused(folder: Folder) -> None:
    (folder.path / "elsewhere.parquet").write_bytes((folder.path / "funnel.parquet").read_bytes())
    printed = folder.run("report", command(tables=("headline", "contradictions", "elsewhere")), status=2)
    assert "elsewhere" in printed


def test_the_survey_stands_in_the_page_with_and_without_answers(folder: Folder) -> None:
    folder.run("report", command("--ratings"))
    assert "no survey has come back." in page(folder).text
    back = Path("back")
    (folder.path / back).mkdir()
    for name in ratings_results.NAMES:
        artifacts.write(pd.DataFrame(columns=schemas.table(name).names), folder.path / back / f"{name}.parquet", name)
    rule = {"exclude": [], "agreement_points": 10, "min_self_agreement": 0.5}
    notes = {"handed_out": {"en": 3}, "per_group": 2, "pages": 4, "rule": rule, "remarks": ["a remark"]}
    (folder.path / back / "notes.json").write_text(json.dumps(notes), encoding="utf-8")
    folder.run("report", command("--ratings", back))
    text = page(folder).text
    assert "not enough data (n = 0, needs 1 usable rating)" in text
    assert "a remark" in text
