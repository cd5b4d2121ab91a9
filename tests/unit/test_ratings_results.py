"""The survey of trait ratings: checks of annotators, tables, and the published ratings."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dualpair import artifacts, traits
from dualpair.errors import InputError
from dualpair.validation import (
    ratings_checks,
    ratings_published,
    ratings_results,
    ratings_returned,
    ratings_table,
)
from dualpair.validation.ratings_checks import FAILED, NOT_ANSWERED, PASSED, Rule, self_agreement
from dualpair.validation.ratings_design import RATING
from dualpair.validation.ratings_settings import CHECKS
from tests.unit import ratings_world as made


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> made.World:
    return made.world(tmp_path_factory.mktemp("survey"))


# ---------------------------------------------------------------- checks


def test_self_agreement_by_hand() -> None:
    once_ = {"a": 10, "b": 50, "c": 90, "d": None, "e": None}
    again = {"a": 30, "b": 71, "c": None, "d": 5, "e": None}
    # a differs by 20 (alike), b by 21; c and d were answered once; e never.
    assert self_agreement(once_, again, 20) == (4, 0.25)
    assert self_agreement(once_, again, 21) == (4, 0.5)
    assert self_agreement({"a": None}, {"a": None}, 20) == (0, None)


def test_checks_that_were_not_answered_leave_out(survey: made.World, tmp_path: Path) -> None:
    questions = survey.questions()
    given = made.answers(questions)
    some = {one.item_id: given[one.item_id] for one in questions if one.kind == RATING and not one.repeated}
    path = made.fill_csv(survey.sheet(ending="csv"), tmp_path / "a.csv", some)
    for rule, failed in (
        (made.RULE, list(CHECKS)),
        (Rule(0.8, 20, ["recall_traits"]), ["recall_traits"]),
        (Rule(0.8, 20, []), []),
    ):
        found = ratings_returned.read(made.files(path), survey.key)
        (row,) = ratings_checks.annotators(survey.key, found.rows, rule).to_dict("records")
        assert (row["recall_group"], row["recall_traits"], row["self_agreement_check"]) == (NOT_ANSWERED,) * 3
        assert row["failed"] == failed and row["excluded"] == bool(failed)
        assert (row["n_asked"], row["n_answered"], row["n_compared"], row["self_agreement"]) == (80, 64, 16, 0.0)


@pytest.mark.parametrize(("n_off", "check"), [(3, PASSED), (4, FAILED)])
def test_the_papers_limit_of_80_percent(survey: made.World, tmp_path: Path, n_off: int, check: str) -> None:
    """13 of 16 sliders are 81 %, 12 of 16 are 75 %."""
    questions = survey.questions()
    given = made.answers(questions)
    for one in [one for one in questions if one.repeated][:n_off]:
        given[one.item_id] = 100 if given[one.item_id] < 50 else 0
    path = made.fill_csv(survey.sheet(ending="csv"), tmp_path / "a.csv", given)
    computed = ratings_results.compute(made.files(path), survey.key, Rule(0.8, 20, ["self_agreement"]))
    (row,) = computed["ratings_annotators"].to_dict("records")
    assert row["self_agreement"] == (16 - n_off) / 16 and row["self_agreement_check"] == check
    assert row["recall_group"] == PASSED and computed["human_ratings"]["kept"].all() == (check == PASSED)


# ---------------------------------------------------------------- tables and the published ratings


def test_means_by_hand() -> None:
    cell = {"lang": "en", "group": "g", "low": "cold", "high": "warm", "dimension": "communion"}
    other = {**cell, "low": "poor", "high": "wealthy", "dimension": "agency"}
    rows = [
        {**cell, "annotator": f"a{n}", "rating": value, "kept": value != 99.0}
        for n, value in enumerate((10.0, 20.0, 60.0, 99.0))
    ]
    frame = ratings_table.means(pd.DataFrame(rows), pd.DataFrame([cell, other]))
    first, second = frame.to_dict("records")
    # Mean 30, sd sqrt(700); t quantile 4.3027 with 2 degrees of freedom.
    assert first["n"] == 3 and first["mean"] == 30 and first["sd"] == pytest.approx(700**0.5)
    assert first["interval_high"] - 30 == pytest.approx(4.302652729911275 * (700 / 3) ** 0.5)
    assert 30 - first["interval_low"] == pytest.approx(first["interval_high"] - 30)
    assert second["n"] == 0 and all(np.isnan(second[name]) for name in ("mean", "sd", "interval_low", "interval_high"))
    with pytest.raises(ValueError, match="nothing on 'x'"):
        ratings_table.as_array(frame, [], "en", ["x"])


def test_the_published_ratings_are_read_into_the_same_tables(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "us_stereotypes"
    full = ratings_published.read_full(folder / "data_full.json")
    aggregated = ratings_published.read_aggregated(folder / "Aggregated_scores.json")
    assert len(full) == 8337 and full["annotator"].nunique() == 133 and full["rating"].between(0, 100).all()
    averaged = ratings_table.means(full, full)
    ours, theirs = (
        ratings_table.as_array(frame, made.PAIRS, "en", traits.abc().groups) for frame in (averaged, aggregated)
    )
    assert ours.values.shape == (26, 16) and not np.isnan(ours.values).any()
    differs = {
        (ours.groups[row], ours.pairs[column].name)
        for row, column in np.argwhere(np.abs(ours.values - theirs.values) > 0.05)
    }
    assert differs == {("women", "poor - wealthy"), ("women", "untrustworthy - trustworthy")}
    women = list(ours.groups).index("women")
    assert theirs.values[women, 3] == 56.4 and theirs.values[women, 10] == 57.95
    assert set(averaged["n"]) == {20.0, 21.0}
    for frame, name in (
        (full, "human_ratings"),
        (averaged, "human_ratings_means"),
        (aggregated, "human_ratings_means"),
    ):
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
        assert len(artifacts.read(tmp_path / f"{name}.parquet", name)) == len(frame)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": {"cold - hot": "5"}}', "a: unknown pair 'cold - hot'"),
        ('{"a": {"cold - warm": "101"}}', "found '101', expected a number from 0 to 100"),
        ('{"a": {"cold - warm": "x"}}', "found 'x', expected a number"),
        ('{"a": ["cold - warm"]}', "expected a JSON object"),
        ("{", "is no JSON"),
    ],
)
def test_a_published_file_of_another_layout_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "Aggregated_scores.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        ratings_published.read_aggregated(path)
