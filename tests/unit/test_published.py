"""Printed figures of the literature: as printed, set beside a run's only where everything matches."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from dualpair.report import published

NINE = next(one for one in published.load() if one.key == "anova").needs["models"]


def paper_run(**changes: Any) -> dict[str, Any]:
    """The settings of a run that matches the paper, with changes."""
    names = [f"m{i}" for i in range(len(NINE))]
    settings: dict[str, Any] = {
        "source": {"kind": "biasshades", "types": ["declaration"], "max_sets": None},
        "languages": ["en", "es", "ru", "zh"],
        "scoring": {"normalisation": "mean", "scope": "attribute", "context": "none", "tie": 0.0},
        "analysis": {"split_half": {"include_v0": False, "resamples": 200}, "anova": {"type": 2}},
        "roles": {"score": names, "similarity": "labse"},
        "models": {name: {"source": f"hf:{one}"} for name, one in zip(names, NINE, strict=True)}
        | {"labse": {"source": "hf:sentence-transformers/LaBSE"}},
    }
    return settings | changes


def found(key: str, settings: dict[str, Any], **tables: pd.DataFrame) -> published.Beside:
    return next(one for one in published.beside(settings, tables) if one.figure.key == key)


ANOVA = pd.DataFrame({"effect": ["model", "language", "residual"], "eta_sq": [0.0437, 0.0612, 0.646]})


def test_the_printed_shares_of_the_analysis_of_variance_sum_to_100() -> None:
    (anova,) = [one for one in published.load() if one.key == "anova"]
    assert sum(row[1] for row in anova.rows) == pytest.approx(100.0, abs=0.005)


def test_every_figure_has_a_name_of_its_own_its_source_and_whole_rows() -> None:
    figures = published.load()
    assert len({one.key for one in figures}) == len(figures)
    for one in figures:
        assert "arXiv" in one.source
        assert all(len(row) == len(one.columns) for row in one.rows)
        assert set(one.keys) <= set(one.columns)


def test_a_run_like_the_papers_stands_beside_it() -> None:
    one = found("anova", paper_run(), anova=ANOVA)
    assert one.reasons == ()
    assert one.view["Printed"].tolist()[:2] == ["4.37", "6.12"]
    assert one.view[published.OURS].tolist() == ["4.37", "6.12", "", "", "", "", "", "64.6"]


def test_ranges_are_taken_over_the_runs_rows() -> None:
    table = pd.DataFrame({"unit": ["original"] * 3 + ["variants"], "contradiction_rate": [0.2, 0.31, None, 0.9]})
    one = found("contradictions", paper_run(), contradictions=table)
    assert one.view[published.OURS].tolist() == ["20.0", "31.0"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"source": {"kind": "table", "types": None, "max_sets": None}}, "other data: the run’s source has kind table"),
        ({"languages": ["en"]}, "other languages: English, not English, Spanish, Russian and Chinese"),
        (
            {"scoring": {"normalisation": "sum", "scope": "attribute", "context": "none", "tie": 0.0}},
            "another setting: scoring.normalisation is sum, not mean",
        ),
        ({"analysis": {"anova": {"type": 3}}}, "another setting: analysis.anova.type is 3, not 2"),
        (
            {"roles": {"score": ["m0", "x"]}, "models": {"m0": {"source": f"hf:{NINE[0]}"}, "x": {"source": "path:x"}}},
            "other models: 1 of the 9 in the paper were measured, and 1 other",
        ),
    ],
)
def test_each_difference_is_said_and_nothing_is_compared(changes: dict[str, Any], reason: str) -> None:
    one = found("anova", paper_run(**changes), anova=ANOVA)
    assert any(text.startswith(reason) for text in one.reasons)
    assert len(one.reasons) == 1
    assert published.OURS not in one.view


def test_a_quantised_copy_is_no_match() -> None:
    settings = paper_run()
    settings["models"]["m0"] = {"source": "embedded:m0", "origin": NINE[0]}
    (reason,) = found("anova", settings, anova=ANOVA).reasons
    assert reason == "other weights: m0 is not the hub’s"


def test_another_sentence_encoder_is_no_match() -> None:
    settings = paper_run()
    settings["models"]["labse"] = {"source": "package:other"}
    table = pd.DataFrame({"similarity": ["bleu"], "tau": [0.1]})
    (reason,) = found("wording", settings, wording=table).reasons
    assert reason == "another sentence encoder: labse, not sentence-transformers/LaBSE"


def test_a_run_without_the_analysis_is_no_match() -> None:
    assert found("anova", paper_run()).reasons == ("this run has no table anova",)
    assert found("rpam_d", paper_run()).reasons == ("no analysis of this workflow measures it",)


def test_doubled_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="published figure anova: 2 rows of anova fit"):
        found("anova", paper_run(), anova=pd.concat([ANOVA, ANOVA]))


def test_every_file_is_read() -> None:
    from dualpair import paths

    assert sorted(path.stem for path in paths.resource("published").glob("*.yaml")) == sorted(published.PAPERS)


def test_a_figure_names_columns_that_the_runs_tables_have() -> None:
    from dualpair import schemas

    for one in published.load():
        if one.ours is not None:
            names = schemas.table(one.ours["table"]).names
            used = {one.ours["column"], *one.ours.get("only", {}), *one.ours.get("keys", {}).values()}
            assert used <= set(names), one.key
