"""Contradiction and flip rates with both intervals, their means, figures and section."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap

from dualpair import artifacts
from dualpair.analysis.contradictions import UNITS, cluster_ends, mean_rates, rates, wilson
from dualpair.measures.dual_pair import dual_pair
from dualpair.measures.tables import measure_sets
from dualpair.report.plots.rates import shown_interval
from dualpair.report.section import Facts
from dualpair.report.sections import contradictions as section
from tests.unit.measure_world import World, make

SEED = 7

# (B_G, B_G_alt) per contrast. s1: contradiction and flip; s2: contradiction; s3: none; s4: tie; s5: no original.
DATA: dict[tuple[str, str], list[tuple[float, float]]] = {
    ("s1", "v0"): [(1.0, 2.0), (-1.0, -0.5)],
    ("s1", "p1"): [(-1.0, 4.0), (-1.0, 4.0)],
    ("s2", "v0"): [(-2.0, -1.0)],
    ("s3", "v0"): [(1.0, -1.0)],
    ("s4", "v0"): [(0.0, 1.0)],
    ("s5", "p1"): [(1.0, 3.0)],
}


def measures(tie: float = 0.0, model: str = "tiny", lang: str = "en") -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for (set_id, variant), biases in DATA.items():
        x, y = [0.0, *(-b for b, _ in biases)], [0.0, *(-b for _, b in biases)]
        result = dual_pair(x, y, tie)
        row: dict[str, Any] = {"model": model, "set_id": set_id, "cluster_id": set_id, "lang": lang, "bias_type": "age"}
        row |= {"variant_id": variant, "x": x, "y": y, "p_A": result.p_A, "I_GxA": result.I_GxA}
        row |= {name: getattr(result, name).tolist() for name in ("q", "B_G", "B_G_alt", "B_GxA")}
        row |= {name: getattr(result, name) for name in ("B_signed_mean", "absB_avg", "absB_max")}
        rows.append(row | {name: getattr(result, name) for name in ("contradiction", "flip", "tie")})
    return pd.DataFrame(rows)


def counts(frame: pd.DataFrame) -> dict[str, tuple[int, ...]]:
    columns = ["n", "n_ties", "n_contradictions", "n_flips"]
    return {row["unit"]: tuple(int(row[name]) for name in columns) for _, row in frame.iterrows()}


def test_the_four_units() -> None:
    # set means: s1 has B_G (1 - 1 - 1 - 1) / 4 = -0.5 and B_G_alt (2 - 0.5 + 4 + 4) / 4 > 0: no contradiction.
    table = measures()
    assert counts(rates(table, measure_sets(table), SEED, n_resamples=200)) == {
        "original": (4, 1, 2, 1),
        "contrasts": (5, 1, 3, 1),
        "variants": (6, 1, 3, 2),
        "set_means": (5, 1, 2, 1),
    }


def test_rates_are_shares_of_all_units() -> None:
    table = measures()
    row = rates(table, measure_sets(table), SEED, n_resamples=200).set_index("unit").loc["original"]
    assert (row["contradiction_rate"], row["flip_rate"]) == (0.5, 0.25)
    assert 0 < row["contradiction_low"] < 0.5 < row["contradiction_high"] < 1


def test_a_tie_counts_as_neither() -> None:
    table = measures(tie=1.0)
    found = counts(rates(table, measure_sets(table), SEED, tie=1.0, n_resamples=200))
    assert found["original"] == (4, 4, 0, 0)
    # Every first contrast has a |B| of at most 1 on one of its two sides.
    assert found["variants"] == (6, 6, 0, 0)


def test_another_tie_than_the_measures_have_is_refused() -> None:
    table = measures()
    with pytest.raises(ValueError, match=r"other outcomes than tie = 1.0 gives, e.g. set s1, en, v0, tiny"):
        rates(table, measure_sets(table), SEED, tie=1.0, n_resamples=200)


def test_models_and_languages_are_counted_apart() -> None:
    table = pd.concat([measures(), measures(model="big"), measures(lang="ru").iloc[2:3]], ignore_index=True)
    found = rates(table, measure_sets(table), SEED, n_resamples=200)
    assert found[["model", "lang"]].drop_duplicates().values.tolist() == [["big", "en"], ["tiny", "en"], ["tiny", "ru"]]
    assert found.set_index(["model", "lang", "unit"]).loc[("tiny", "ru", "original"), "n"] == 1


def test_no_original_means_no_rate(tmp_path: Path) -> None:
    table = measures().query("set_id == 's5'").reset_index(drop=True)
    found = rates(table, measure_sets(table), SEED, n_resamples=200)
    row = found.set_index("unit").loc["original"]
    assert row["n"] == 0
    assert row[["contradiction_rate", "contradiction_low", "flip_high"]].isna().all()
    artifacts.write(found, tmp_path / "c.parquet", "contradictions")
    assert artifacts.read(tmp_path / "c.parquet", "contradictions")["contradiction_rate"].isna().sum() == 2


def test_tables_of_different_models_are_refused() -> None:
    table = measures()
    with pytest.raises(ValueError, match="cover different models and languages"):
        rates(table, measure_sets(measures(model="big")), SEED)


def test_wilson_by_hand() -> None:
    # 2 of 10: centre (0.2 + z^2/20) / (1 + z^2/10), half width z sqrt(0.2 * 0.8 / 10 + z^2/400) / (1 + z^2/10).
    z = 1.959963984540054
    centre = (0.2 + z * z / 20) / (1 + z * z / 10)
    half = z * math.sqrt(0.2 * 0.8 / 10 + z * z / 400) / (1 + z * z / 10)
    assert wilson(2, 10) == pytest.approx((0.2, centre - half, centre + half), abs=1e-12)
    assert wilson(0, 20)[1] == 0.0
    assert wilson(0, 20)[2] > 0.1
    assert all(math.isnan(value) for value in wilson(0, 0))


@pytest.mark.parametrize(("count", "n"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson(count, n)


def test_empty_tables_give_an_empty_table() -> None:
    table = measures()
    assert rates(table.head(0), measure_sets(table).head(0), SEED).empty
    assert mean_rates(table.head(0), measure_sets(table).head(0), SEED).empty


def world(**planted: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    made = make(World(**planted))
    return made.measures, made.set_measures


def test_the_cluster_interval_is_a_bootstrap_of_clusters() -> None:
    # One contrast and variant a set, two sets a cluster: scipy's bootstrap of the clusters' means is the same thing.
    measured, sets = world(models=("m",), langs=("en",), n_sets=120, n_variants=1, cluster_size=2)
    row = rates(measured, sets, SEED, n_resamples=20_000).set_index("unit").loc["original"]
    means = measured.groupby("cluster_id")["contradiction"].mean().to_numpy()
    theirs = bootstrap((means,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1))
    assert row["n_clusters"] == 60
    assert row["contradiction_cluster_low"] == pytest.approx(theirs.confidence_interval.low, abs=0.01)
    assert row["contradiction_cluster_high"] == pytest.approx(theirs.confidence_interval.high, abs=0.01)


def test_variants_that_do_as_their_set_does_are_worth_no_more_than_the_set() -> None:
    measured, sets = world(models=("m",), langs=("en",), n_sets=80, n_variants=8, shared=1.0)
    row = rates(measured, sets, SEED, n_resamples=2_000).set_index("unit")
    variants, original = row.loc["variants"], row.loc["original"]
    assert variants["contradiction_rate"] == original["contradiction_rate"]
    ends = ["contradiction_cluster_low", "contradiction_cluster_high"]
    assert variants[ends].tolist() == pytest.approx(original[ends].tolist(), abs=1e-12)
    assert variants["contradiction_high"] - variants["contradiction_low"] < 0.5 * (
        variants[ends[1]] - variants[ends[0]]
    )


def test_where_all_agree_the_interval_is_wilsons_of_the_clusters() -> None:
    measured, sets = world(models=("m",), langs=("en",), n_sets=20, n_variants=4, contradiction=0.0)
    row = rates(measured, sets, SEED, n_resamples=200).set_index("unit").loc["variants"]
    assert (row["n"], row["n_contradictions"], row["contradiction_cluster_low"]) == (80, 0, 0.0)
    assert row["contradiction_cluster_high"] == pytest.approx(wilson(0, 20).high)
    assert cluster_ends(8, 8, 4, 1.0, 1.0) == wilson(4, 4)[1:]
    assert all(math.isnan(end) for end in cluster_ends(1, 4, 2, 0.0, 1.0))


def test_a_models_intervals_do_not_depend_on_the_other_models() -> None:
    measured, sets = world(n_sets=20)
    both = rates(measured, sets, SEED, n_resamples=300)
    alone = rates(measured.query("model == 'model-b'"), sets.query("model == 'model-b'"), SEED, n_resamples=300)
    pd.testing.assert_frame_equal(both.query("model == 'model-b'").reset_index(drop=True), alone)
    assert both.equals(rates(measured.sample(frac=1, random_state=1), sets, SEED, n_resamples=300))


def test_means_are_means_of_the_cells(tmp_path: Path) -> None:
    measured, sets = world(n_sets=30, langs=("en", "es", "zh"), has={"es": 0.4}, lost_v0=0.2, n_variants=(1, 4))
    cells = rates(measured, sets, SEED, n_resamples=300)
    found = mean_rates(measured, sets, SEED, n_resamples=300)
    assert len(found) == (3 + 2) * len(UNITS)
    for row in found.to_dict("records"):
        column = "lang" if row["over"] == "models" else "model"
        own = cells[(cells[column] == row["of"]) & (cells["unit"] == row["unit"])]
        assert row["contradiction_rate"] == pytest.approx(own["contradiction_rate"].mean())
        assert row["flip_rate"] == pytest.approx(own["flip_rate"].mean())
        assert (row["n"], row["n_cells"], row["n_missing"]) == (own["n"].sum(), len(own), 0)
        assert row["contradiction_low"] <= row["contradiction_rate"] <= row["contradiction_high"]
    artifacts.write(found, tmp_path / "m.parquet", "contradictions_mean")


def test_a_mean_over_one_model_has_the_interval_of_its_cell() -> None:
    measured, sets = world(models=("m",), langs=("en",), n_sets=60)
    cell = rates(measured, sets, SEED, n_resamples=20_000).set_index("unit")
    mean = mean_rates(measured, sets, SEED, n_resamples=20_000).query("over == 'models'").set_index("unit")
    for end in ("low", "high"):
        theirs = cell[f"contradiction_cluster_{end}"].to_dict()
        assert mean[f"contradiction_{end}"].to_dict() == pytest.approx(theirs, abs=0.02)


def test_a_cell_without_the_unit_is_counted_and_left_out() -> None:
    measured, _ = world(n_sets=10)
    gone = (measured["model"] == "model-b") & (measured["lang"] == "es") & (measured["variant_id"] == "v0")
    found = mean_rates(measured[~gone], measure_sets(measured[~gone]), SEED, n_resamples=200)
    row = found.query("over == 'languages' and of == 'model-b'").set_index("unit")
    assert row["n_missing"].to_dict() == {"contrasts": 1, "original": 1, "set_means": 0, "variants": 0}
    english = measured.query("model == 'model-b' and lang == 'en' and variant_id == 'v0'")["contradiction"].mean()
    assert row.loc["original", "contradiction_rate"] == pytest.approx(english)


def test_the_shown_interval_fits_the_units() -> None:
    measured, sets = world(n_sets=20, cluster_size=2, models=("m",), langs=("en",))
    frame = rates(measured, sets, SEED, n_resamples=200)
    shown = shown_interval(frame, "contradiction").set_index("unit")
    assert set(shown["interval"]) == {"clusters"}
    measured, sets = world(n_sets=20, models=("m",), langs=("en",))
    frame = rates(measured, sets, SEED, n_resamples=200)
    shown = shown_interval(frame, "contradiction").set_index("unit")
    assert shown["interval"].to_dict() == {
        "contrasts": "wilson", "original": "wilson", "set_means": "wilson", "variants": "clusters",
    }  # fmt: skip
    wilsons = frame.set_index("unit")["contradiction_low"]
    assert shown.loc["original", "low"] == wilsons["original"]
    assert shown.loc["variants", "low"] != wilsons["variants"]


FACTS = Facts(
    "nats per token", 0.0, SEED, {"bootstrap": 200}, {"model-a": {}, "model-b": {"tuning": "instruct"}}, ("en", "es")
)


def frames(measured: pd.DataFrame, sets: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {
        "contradictions": rates(measured, sets, SEED, n_resamples=200),
        "contradictions_mean": mean_rates(measured, sets, SEED, n_resamples=200),
    }


def test_the_section_states_the_extremes_with_their_intervals() -> None:
    given = frames(*world(n_sets=40, contradiction={
        ("model-a", "en"): 0.05, ("model-a", "es"): 0.3, ("model-b", "en"): 0.3, ("model-b", "es"): 0.9,
    }))  # fmt: skip
    made = section.section(given, FACTS)
    original = given["contradictions"].query("unit == 'original'").set_index(["model", "lang"])
    for cell, named in ((("model-a", "en"), "model-a, English"), (("model-b", "es"), "model-b, Spanish")):
        row = original.loc[cell]
        assert f"{100 * row['contradiction_rate']:.1f}\u00a0% [{100 * row['contradiction_low']:.1f}–" in made.lead[1]
        assert f"({named})" in made.lead[1]
    assert [drawing.name for drawing in made.drawings] == [
        "contradictions", "flips", "contradiction_units", "flip_units",
    ]  # fmt: skip
    assert not any(drawing.shortfall for drawing in made.drawings)
    assert "model-b †" in made.drawings[0].svg and "mean" in made.drawings[0].svg
    assert [table.name for table in made.tables] == list(section.TABLES)
    assert all(set(table.numeric) <= set(table.view.columns) for table in made.tables)


def test_the_section_without_any_original_says_so() -> None:
    measured, _ = world(n_sets=6, lost_v0=1.0, n_variants=3)
    made = section.section(frames(measured, measure_sets(measured)), FACTS)
    assert made.shortfall == "not enough data (n = 0, needs 1 original attribute with a usable pair)"
    assert made.drawings[0].shortfall == "not enough data (n = 0, needs 1)"
    assert not made.drawings[2].shortfall  # other units have data
    assert "No original attribute has a usable pair in model-a, English; model-a, Spanish;" in made.cautions[0]


def test_the_section_of_nothing_at_all() -> None:
    measured, sets = world(n_sets=2)
    made = section.section(frames(measured.head(0), sets.head(0)), FACTS)
    assert made.shortfall and all(drawing.shortfall for drawing in made.drawings)
