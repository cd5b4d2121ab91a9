"""Base against instruct, and trends over sizes and checkpoints."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dualpair import schemas
from dualpair.analysis import families, trends
from dualpair.analysis.comparison import METRICS, POOLED, Resampling, Wide
from tests.unit import measure_world
from tests.unit.test_comparison import frame, row

QUICK = Resampling(seed=1, bootstrap=200, permutations=255, power=0.8)


def entry(family, size, tuning=None):
    return {"family": family, "size": size, "tuning": tuning}


def test_counterparts_share_family_and_size():
    models = {
        "a-8b": entry("a", 8.0e9, "base"), "a-8b-it": entry("a", 8.03e9, "instruct"),
        "a-70b-it": entry("a", 70e9, "instruct"), "b-8b": entry("b", 8e9, "base"),
        "c-it": entry(None, 8e9, "instruct"), "b-it": entry("b", None, "instruct"), "b-x": entry("b", 8e9),
    }  # fmt: skip
    assert families.base_and_instruct(models) == [("a", 8.0e9, "a-8b", "a-8b-it")]


def test_every_base_meets_every_instruct_model_of_its_size():
    models = {"b1": entry("a", 1.0, "base"), "b2": entry("a", 1.0, "base"), "i": entry("a", 1.0, "instruct")}
    assert [(one.base, one.instruct) for one in families.base_and_instruct(models)] == [("b1", "i"), ("b2", "i")]


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("pythia-160m-step1000", 1000), ("m-checkpoint-500", 500), ("m.ckpt-7", 7), ("step0", 0),
        ("pythia-160m", None), ("footstep12", None), ("m-step12b", None),
    ],
)  # fmt: skip
def test_training_steps_in_a_name(name, steps):
    assert families.step(name) == steps


def test_series_of_sizes_and_of_checkpoints():
    models = {
        "p-70m-step10": entry("p", 7e7, "base"), "p-70m-step1000": entry("p", 7e7, "base"),
        "p-70m-step100": entry("p", 7e7, "base"), "p-70m-step0": entry("p", 7e7, "base"),
        "p-160m": entry("p", 1.6e8, "base"), "p-1b": entry("p", 1e9, "base"), "p-1b-it": entry("p", 1e9, "instruct"),
        "q-1": entry("q", 1e9), "q-2": entry("q", 2e9),
    }  # fmt: skip
    by_size, by_step = sorted(families.series(models), key=lambda one: one.kind, reverse=True)
    assert by_size == ("p base", "size", ("p-70m-step1000", "p-160m", "p-1b"), (7e7, 1.6e8, 1e9))
    assert by_step.models == ("p-70m-step10", "p-70m-step100", "p-70m-step1000")
    assert by_step.positions == (10.0, 100.0, 1000.0)


def test_tuning_is_instruct_minus_base():
    made = frame({"a-base": [1.0, 2.0, 3.0, 4.0], "a-it": [3.0, 4.0, 5.0, 6.0], "other": [0.0] * 4})
    models = {"a-base": entry("a", 1e9, "base"), "a-it": entry("a", 1e9, "instruct"), "other": entry("b", 1e9, "base")}
    table = families.tuning(made, models, QUICK)
    one = row(table, "absB_avg")
    assert (one["family"], one["size"], one["instruct"], one["base"]) == ("a", 1e9, "a-it", "a-base")
    assert (one["mean_a"], one["mean_b"], one["difference"]) == (4.5, 2.5, 2.0)
    assert one["p"] == 2 / 16
    assert one["n_family"] == 1
    assert len(table) == 3  # no contradictions were measured
    empty = families.tuning(made, {}, QUICK)
    assert empty.empty and empty.columns.tolist() == schemas.table("tuning").names


def test_a_planted_effect_of_tuning_is_found():
    world = measure_world.World(
        models=("x-base", "x-it"), langs=("en", "es"), n_sets=60, n_variants=1, mean={"x-it": 0.3}, cluster_size=2
    )
    models = {"x-base": entry("x", 1.0, "base"), "x-it": entry("x", 1.0, "instruct")}
    table = families.tuning(measure_world.additive(world), models, QUICK)
    pooled = table[(table["lang"] == POOLED) & (table["metric"] != "contradiction")]
    assert len(pooled) == 3
    assert ((pooled["difference_low"] < 0.3) & (pooled["difference_high"] > 0.3)).all()
    assert (pooled["p_holm"] < 0.05).all()


def sizes(*numbers):
    return {f"m{place}": entry("f", number, "base") for place, number in enumerate(numbers)}


def test_a_slope_by_hand():
    # log10 of the sizes is 6, 7, 9: weights -4, -1, 5 over 14 x 1/3; set 0 rises by 1 per tenfold, set 1 not at all.
    assert trends.slope_weights((1e6, 1e7, 1e9)) == pytest.approx(np.array([-4, -1, 5]) / 14)
    values = {"m0": [6.0, 1.0, 2.0, 0.0], "m1": [7.0, 1.0, 3.0, 0.0], "m2": [9.0, 1.0, 5.0, None]}
    one = row(trends.trends(frame(values), sizes(1e6, 1e7, 1e9), QUICK))
    assert one["series"] == "f base" and one["kind"] == "size"
    assert (one["n_sets"], one["n_clusters"], one["models"]) == (3, 3, ["m0", "m1", "m2"])
    assert one["slope"] == pytest.approx((1 + 0 + 1) / 3)
    assert one["means"] == pytest.approx([3.0, 11 / 3, 5.0])
    assert one["spearman"] == pytest.approx(1.0)
    assert one["slope_low"] == pytest.approx(0.0, abs=1e-12) and one["slope_high"] == pytest.approx(1.0)


def test_page_is_that_of_scipy_doubled():
    values = np.random.default_rng(0).normal(size=(30, 4)) + 0.2 * np.arange(4)
    ours = trends.page(values)
    up = stats.page_trend_test(values, method="asymptotic").pvalue
    assert up < 0.5
    assert ours == pytest.approx(2 * up)
    assert trends.page(values[:, ::-1]) == pytest.approx(ours)
    assert np.isnan(trends.page(values[:2]))
    assert trends.page(np.ones((20, 3))) == 1.0


def test_two_sizes_are_no_trend():
    made = frame({"m0": [1.0] * 4, "m1": [2.0] * 4})
    table = trends.trends(made, sizes(1e6, 1e7), QUICK)
    assert table.empty
    assert table.columns.tolist() == schemas.table("trends").names


def test_models_without_a_trend_have_no_rank_correlation():
    table = trends.trends(frame({f"m{place}": [1.0, 2.0, 3.0] for place in range(3)}), sizes(1e6, 1e7, 1e8), QUICK)
    one = row(table)
    assert (one["slope"], one["slope_low"], one["slope_high"]) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    assert np.isnan(one["spearman"])
    assert one["p_page"] == 1.0


@pytest.mark.parametrize("slope", [0.0, 0.15])
def test_slopes_and_tests_hold_their_rates(slope, monkeypatch):
    """200 worlds of three sizes: 95 % intervals hold the planted slope; Page's test rejects at its level without one."""
    rng = np.random.default_rng(7)
    n_clusters, n_worlds = 40, 200
    clusters = np.repeat(np.arange(n_clusters), 2)
    names, positions = ("m0", "m1", "m2"), (1e7, 1e8, 1e9)
    noise = rng.normal(0, 0.3, (n_worlds, n_clusters, 3))[:, clusters] + rng.normal(0, 0.3, (n_worlds, 80, 3))
    values = rng.normal(size=(n_worlds, 80, 1)) + slope * np.arange(3) + noise
    ids, langs = np.array([f"c{c}" for c in clusters]), np.full(80, "en")
    series = families.Series("f", "size", names, positions)
    held, rejected = [], []
    for number in range(n_worlds):
        data = Wide(names, langs, ids, dict.fromkeys(METRICS, values[number]))
        (one,) = trends._trend(data, series, "en", "I_GxA", QUICK._replace(bootstrap=400))
        held.append(one["slope_low"] <= slope <= one["slope_high"])
        rejected.append(one["p_page"] <= 0.05)
    assert 0.89 <= np.mean(held) <= 0.99
    assert np.mean(rejected) <= 0.1 if slope == 0.0 else np.mean(rejected) > 0.5


def test_trends_are_corrected_over_languages():
    rng = np.random.default_rng(3)
    both = pd.concat([frame({f"m{k}": rng.normal(size=12) + k for k in range(3)}, lang=lang) for lang in ("en", "es")])
    table = trends.trends(both, sizes(1e6, 1e7, 1e8), QUICK)
    assert row(table, lang="es")["n_family"] == 2
    assert row(table, lang=POOLED)["n_family"] == 1
    assert row(table)["p_holm"] >= row(table)["p_page"]
