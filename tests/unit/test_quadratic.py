"""I against B: the quadratic law, its generalisation to more groups, and its table by bins."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import artifacts, schemas
from dualpair.analysis.quadratic import EDGES, bins, instances, law, quadratic, strength
from dualpair.measures.dual_pair import dual_pair
from dualpair.report.plots.quadratic import exact_half, quadratic_plot
from dualpair.report.section import Facts
from dualpair.report.sections import quadratic as section
from tests.unit.measure_world import World, batch, make

FACTS = Facts("nats per token", 0.0, 1, {"bootstrap": 200}, {"model-a": {}, "model-b": {}}, ("en", "es"))


def pairs(x: list[list[float]], y: list[list[float]]) -> pd.DataFrame:
    key = {"model": "m", "lang": "en", "bias_type": "age"}
    frames = [pd.DataFrame(batch(np.array([a]), np.array([b]))) for a, b in zip(x, y, strict=True)]
    frame = pd.concat(frames, ignore_index=True).assign(**key)
    names = [f"s{i}" for i in range(len(frame))]
    return frame.assign(set_id=names, cluster_id=names, variant_id="v0")[schemas.table("measures").names]


@given(st.floats(-30, 30))
def test_strength_of_two_groups_is_the_size_of_b(b: float) -> None:
    assert strength([b]) == pytest.approx(abs(b), abs=1e-15)


def test_strength_of_three_groups_by_hand() -> None:
    # Log odds 0, -1, 2 up to a constant: mean 1/3, variance (1 + 16 + 25) / 27 = 14/9.
    assert strength([1.0, -2.0]) == pytest.approx(2 * math.sqrt(14) / 3)


@pytest.mark.parametrize(("b", "ratio"), [(0.2, 0.9988), (2.0, 0.89), (10.0, 0.21)])
def test_the_printed_ratios_of_the_law(b: float, ratio: float) -> None:
    found = exact_half(np.array([b]))[0] / law(b, 0.5)
    assert found == pytest.approx(ratio, abs=0.005 if b > 1 else 5e-5)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=5), st.floats(-3, 3))
def test_the_law_is_exact_for_small_differences_of_any_number_of_groups(odds: list[float], shift: float) -> None:
    scaled = [1e-4 * value + shift for value in odds]
    result = dual_pair(scaled, [0.0] * len(odds))
    size = strength(result.B_GxA)
    # The next term of the expansion is of relative size 1e-4; below 1e-7 rounding of the odds takes over.
    if size > 1e-7:
        assert result.I_GxA == pytest.approx(float(law(size, result.p_A)), rel=1e-3)


def test_rows_agree_with_the_functions_of_one_pair() -> None:
    measures = make(World(n_sets=12, groups=(2, 3, 5), seed=4)).measures
    found = instances(measures)
    for row, source in zip(found.to_dict("records"), measures.to_dict("records"), strict=True):
        assert row["strength"] == pytest.approx(strength(source["B_GxA"]), abs=1e-15)
        assert row["ratio"] == pytest.approx(source["I_GxA"] / float(law(row["strength"], source["p_A"])))
        assert row["n_groups"] == len(source["q"])


def test_counts_medians_and_shares_by_hand() -> None:
    # |B| = 0, 0.2, 2 and 10 at p = 1/2: left out, ratio 0.9988, 0.89 and 0.21; only the first is within 10 %.
    measures = pairs([[0.0, 0.0], [0.1, -0.1], [1.0, -1.0], [5.0, -5.0]], [[0.0, 0.0]] * 4)
    row = quadratic(measures, seed=1, n_resamples=200).iloc[0]
    assert (row["n"], row["n_equal"], row["n_more_groups"], row["n_clusters"]) == (3, 1, 0, 3)
    assert row["strength_median"] == pytest.approx(2.0)
    assert row["ratio_median"] == pytest.approx(0.89, abs=0.005)
    assert row["within_share"] == pytest.approx(1 / 3)
    assert row["within_low"] <= row["within_share"] <= row["within_high"]
    table = bins(measures)
    assert table[["bin_low", "bin_high", "n"]].values.tolist() == [[0.2, 0.5, 1], [2.0, 5.0, 1], [10.0, 20.0, 1]]
    assert table["ratio"].tolist() == pytest.approx([0.9988, 0.89, 0.21], abs=0.005)
    assert table["I_q50"].tolist() == table["I_mean"].tolist()


def test_bins_hold_every_variant_and_nothing_else(tmp_path: Path) -> None:
    measures = make(World(n_sets=60, groups=(2, 3), strength={"model-b": 2.0})).measures
    table, overall = bins(measures), quadratic(measures, seed=1, n_resamples=200)
    assert table.groupby(["model", "lang"])["n"].sum().tolist() == overall["n"].tolist() == [300] * 4
    assert set(table["bin_low"]) <= set(EDGES)
    assert ((table["bin_low"] <= table["strength_mean"]) & (table["strength_mean"] < table["bin_high"])).all()
    assert (table["I_q10"] <= table["I_q50"]).all() and (table["I_q50"] <= table["I_q90"]).all()
    # Twice e^2 times the bias is beyond the law, the other model is not.
    share = overall.groupby("model")["within_share"].mean()
    assert share["model-a"] > 0.95 > 0.6 > share["model-b"]
    for name, frame in (("quadratic", overall), ("quadratic_bins", table)):
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
        pd.testing.assert_frame_equal(artifacts.read(tmp_path / f"{name}.parquet", name), frame, check_dtype=False)


def test_a_law_that_always_holds_has_an_interval_all_the_same() -> None:
    measures = pairs([[0.1, -0.1]] * 5, [[0.0, 0.0]] * 5)
    row = quadratic(measures, seed=1, n_resamples=200).iloc[0]
    assert (row["within_share"], row["within_high"]) == (1.0, 1.0)
    assert 0.5 < row["within_low"] < 0.6  # Wilson's, 5 of 5
    assert quadratic(measures.head(2), seed=1, n_resamples=200)["within_low"].isna().all()


def test_equal_groups_alone_give_no_share() -> None:
    measures = pairs([[0.0, 0.0]] * 4, [[-1.0, -1.0]] * 4)
    row = quadratic(measures, seed=1, n_resamples=200).iloc[0]
    assert (row["n"], row["n_equal"]) == (0, 4)
    assert row[["strength_median", "I_median", "ratio_median", "within_share", "within_low"]].isna().all()
    assert bins(measures).empty
    made = section.section({"quadratic": quadratic(measures, 1, 200), "quadratic_bins": bins(measures)}, FACTS)
    assert made.shortfall == made.drawings[0].shortfall.replace("variants that differ", "variant that differs")
    assert "not enough data (n = 0, needs 1" in made.shortfall


def test_an_empty_table_gives_empty_tables() -> None:
    measures = make(World(n_sets=2)).measures.head(0)
    assert quadratic(measures, seed=1).empty
    assert bins(measures).empty


def test_the_section_says_where_the_law_ends() -> None:
    measures = make(World(n_sets=40, groups=(2, 3), strength={"model-b": 2.0})).measures
    frames = {"quadratic": quadratic(measures, 1, 200), "quadratic_bins": bins(measures)}
    made = section.section(frames, FACTS)
    table = frames["quadratic_bins"]
    ratio = (table["I_mean"] * table["n"]).groupby(table["bin_low"]).sum() / (table["law_mean"] * table["n"]).groupby(
        table["bin_low"]
    ).sum()
    first = ratio[(ratio - 1).abs() > 0.1].index[0]
    assert f"off by more than that from |B_G×A| = {first:g} nats per token on" in made.lead[1]
    assert "400 of 800 variants have more than two groups" in made.cautions[0]
    assert [shown.name for shown in made.tables] == list(section.TABLES)
    assert all(len(shown.view) == len(frames[shown.name]) for shown in made.tables)


def test_the_figure_is_small_and_has_its_data() -> None:
    models = tuple(f"m{i}" for i in range(9))
    measures = make(World(models=models, langs=("en", "es", "ru", "zh"), n_sets=40, n_variants=3)).measures
    drawing = quadratic_plot(bins(measures), "nats per token", {"m1": {"tuning": "instruct"}})
    assert len(drawing.svg) < 150_000
    assert "<image" not in drawing.svg
    assert "m1 †" in drawing.svg and "m2 †" not in drawing.svg
    assert len(drawing.data) == len(bins(measures))
    assert drawing.svg == quadratic_plot(bins(measures), "nats per token", {"m1": {"tuning": "instruct"}}).svg
