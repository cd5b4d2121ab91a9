"""Paired differences of models: hand-worked values, scipy and statsmodels, properties, and worlds of known truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from dualpair import schemas
from dualpair.analysis import comparison as compared
from dualpair.analysis.comparison import METRICS, POOLED, Resampling
from dualpair.analysis.resampling import generator, sign_flip_test

QUICK = Resampling(seed=1, bootstrap=200, permutations=255, power=0.8)
NUMBERS = ("B_G", "B_G_alt", "B_GxA", "absB_avg", "absB_max", "I_GxA")


def frame(values, clusters=None, lang="en", contradiction=None):
    """set_measures whose every metric of a model is the given number, set by set; None: not measured."""
    rows = []
    for model, numbers in values.items():
        for place, value in enumerate(numbers):
            if value is None:
                continue
            flag = None if contradiction is None else contradiction[model][place]
            rows.append({
                "model": model, "set_id": f"s{place}", "cluster_id": clusters[place] if clusters else f"c{place}",
                "lang": lang, "bias_type": "age", "n_variants": 1, "n_instances": 1,
                **dict.fromkeys(NUMBERS, float(value)), "v0_is_original": True, "contradiction": flag, "flip": False,
            })  # fmt: skip
    made = pd.DataFrame(rows, columns=schemas.table("set_measures").names)
    return made.astype({"contradiction": "boolean", "flip": "boolean"})


def row(table, metric="I_GxA", lang="en", **names):
    found = table[(table["metric"] == metric) & (table["lang"] == lang)]
    for column, value in names.items():
        found = found[found[column] == value]
    assert len(found) == 1
    return found.iloc[0]


def test_hand_worked_differences():
    # Sums of a - b per cluster: c0 4 (of 1 and 3), c1 2, c2 -1. Of the 8 sums +-4 +-2 +-1 four are at least 5 in size.
    made = frame({"a": [1, 3, 2, -1, 9], "b": [0, 0, 0, 0, None]}, ["c0", "c0", "c1", "c2", "c3"])
    one = row(compared.comparison(made, QUICK))
    assert (one["n_sets"], one["n_clusters"], one["n_missing"]) == (4, 3, 1)
    assert (one["mean_a"], one["mean_b"], one["difference"]) == (1.25, 0.0, 1.25)
    assert (one["p"], one["exact"], one["p_holm"], one["n_family"]) == (0.5, True, 0.5, 1)
    assert -1.0 <= one["difference_low"] <= 1.25 <= one["difference_high"] <= 2.0


def test_contradictions_are_counted_on_sets_whose_original_both_have():
    flags = {"a": [True, True, True, False, None, True], "b": [False, False, True, True, True, None]}
    made = frame({"a": [1] * 6, "b": [1] * 6}, contradiction=flags)
    one = row(compared.comparison(made, QUICK), "contradiction")
    assert (one["n_sets"], one["n_missing"], one["only_a"], one["only_b"]) == (4, 2, 2, 1)
    assert one["difference"] == pytest.approx((3 - 2) / 4)
    assert one["p_mcnemar"] == 1.0
    assert np.isnan(row(compared.comparison(made, QUICK))["p_mcnemar"])


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (5, 1), (10, 3), (7, 7), (0, 12)])
def test_mcnemar_is_that_of_statsmodels(b, c):
    theirs = 1.0 if b + c == 0 else mcnemar([[3, b], [c, 4]], exact=True).pvalue
    assert compared.mcnemar(b, c) == pytest.approx(theirs, abs=1e-12)


def test_the_exact_test_is_that_of_scipy_when_every_cluster_has_one_set():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a, b = rng.normal(0.4, 1.0, (2, 9))
        made = row(compared.comparison(frame({"a": a, "b": b}), QUICK._replace(permutations=512)))
        theirs = stats.permutation_test(
            (a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=np.inf
        )
        assert made["exact"]
        assert made["p"] == pytest.approx(theirs.pvalue, abs=1e-12)


def test_the_random_test_is_close_to_that_of_scipy():
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.0, 1.0, 40) + 0.25, rng.normal(0.0, 1.0, 40)
    made = row(compared.comparison(frame({"a": a, "b": b}), QUICK._replace(permutations=9999)))
    theirs = stats.permutation_test(
        (a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=9999, rng=rng
    )
    assert not made["exact"]
    assert made["p"] == pytest.approx(theirs.pvalue, abs=5 * np.sqrt(0.25 / 9999) * 2)


def test_clusters_change_sign_as_a_whole():
    """Repeating every set under its own cluster changes no p; taken for clusters of their own, it would."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.5, 1.0, (2, 7))
    once = row(compared.comparison(frame({"a": a, "b": b}), QUICK))
    twice = frame({"a": [*a, *a], "b": [*b, *b]}, [f"c{i}" for i in range(7)] * 2)
    again = row(compared.comparison(twice, QUICK))
    assert again["p"] == once["p"]
    assert again["n_clusters"] == once["n_clusters"] == 7
    assert again["difference_low"] == pytest.approx(once["difference_low"])
    apart = row(compared.comparison(frame({"a": [*a, *a], "b": [*b, *b]}), QUICK))
    assert apart["difference_high"] - apart["difference_low"] < once["difference_high"] - once["difference_low"]


def test_holm_by_hand():
    given_p = pd.DataFrame(
        {"lang": ["en", "es", "ru", POOLED, "zh"], "metric": "m", "p": [0.01, 0.04, 0.03, 0.04, np.nan]}
    )
    made = compared.with_holm(given_p, "p", ["metric"])
    assert made["p_holm"].tolist()[:4] == pytest.approx([0.03, 0.06, 0.06, 0.04])
    assert np.isnan(made["p_holm"].iloc[4])
    assert made["n_family"].tolist() == [3, 3, 3, 1, 3]


def test_holm_is_that_of_statsmodels():
    p = np.random.default_rng(0).uniform(0, 0.2, 12)
    made = compared.with_holm(pd.DataFrame({"lang": "en", "metric": "m", "p": p}), "p", ["metric"])
    assert made["p_holm"].to_numpy() == pytest.approx(multipletests(p, method="holm")[1])


def test_a_model_that_is_added_changes_no_number_but_the_correction():
    rng = np.random.default_rng(2)
    values = {name: rng.normal(size=30).tolist() for name in "abc"}
    two = compared.comparison(frame({name: values[name] for name in "ab"}), QUICK)
    three = compared.comparison(frame(values), QUICK)
    kept = three[(three["model_a"] == "a") & (three["model_b"] == "b")].reset_index(drop=True)
    corrected = ["p_holm", "n_family"]
    pd.testing.assert_frame_equal(kept.drop(columns=corrected), two.drop(columns=corrected))
    assert len(three) == 3 * len(two)


def test_languages_are_pooled_by_cluster():
    values = {"a": [1.0, 2.0, 3.0, 5.0], "b": [0.0] * 4}
    both = pd.concat([frame(values), frame({"a": [2.0, 2.0, None, None], "b": [0.0] * 4}, lang="es")])
    made = compared.comparison(both, QUICK)
    pooled = row(made, lang=POOLED)
    assert (pooled["n_sets"], pooled["n_clusters"], pooled["n_missing"]) == (6, 4, 2)
    assert pooled["difference"] == pytest.approx(15 / 6)
    assert np.isnan(row(made, lang="es")["p"])
    assert np.isnan(row(made, lang="es")["difference_low"])
    assert set(compared.comparison(frame(values), QUICK)["lang"]) == {"en"}


def test_models_that_share_no_set_have_no_row():
    made = compared.comparison(frame({"a": [1.0, 2.0, None, None], "b": [None, None, 1.0, 2.0]}), QUICK)
    assert made.empty
    assert made.columns.tolist() == schemas.table("comparison").names
    assert compared.comparison(frame({"a": [1.0, 2.0]}), QUICK).empty
    assert compared.detectable_by_sets(made, 0.8).empty


def test_two_clusters_for_one_set_are_refused():
    odd = pd.concat([frame({"a": [1.0, 2.0]}), frame({"b": [1.0, 2.0]}, ["c0", "other"])])
    with pytest.raises(ValueError, match="set s1, en is in cluster 'c1' and in 'other'"):
        compared.comparison(odd, QUICK)


_numbers = st.lists(st.floats(-3, 3, allow_nan=False).map(lambda x: round(x, 3)), min_size=3, max_size=14)


@settings(max_examples=25, deadline=None)
@given(_numbers, st.data())
def test_exchanging_two_models_turns_every_sign(first, data):
    second = data.draw(st.lists(st.floats(-3, 3).map(lambda x: round(x, 3)), min_size=len(first), max_size=len(first)))
    made = frame({"a": first, "b": second})
    wide = compared.wide(made)
    one = row(compared.paired(wide, [("a", "b")], QUICK))
    other = row(compared.paired(wide, [("b", "a")], QUICK))
    for name, twin in (("difference", "difference"), ("difference_low", "difference_high")):
        assert one[name] == pytest.approx(-other[twin], abs=1e-9)
    assert one["p"] == other["p"]
    assert one["detectable"] == pytest.approx(other["detectable"])
    assert 0 < one["p"] <= 1


@settings(max_examples=10, deadline=None)
@given(_numbers)
def test_identical_models_do_not_differ(values):
    flags = {name: [value > 0 for value in values] for name in "ab"}
    made = compared.comparison(frame({"a": values, "b": values}, contradiction=flags), QUICK)
    for name, expected in (("difference", 0.0), ("difference_low", 0.0), ("difference_high", 0.0), ("p", 1.0)):
        assert (made[name] == expected).all()
    assert (made["p_holm"] == 1.0).all()
    assert row(made, "contradiction")["p_mcnemar"] == 1.0


N_WORLDS = 200


def worlds(rng, effect, n_clusters=40, n_langs=1):
    """200 worlds of two models, b and a, numbered; a - b of every metric is ``effect`` plus noise of cluster and set."""
    wanted = []
    for lang in ("en", "es")[:n_langs]:
        sizes = rng.integers(1, 4, n_clusters)
        wanted += [(lang, f"s{cluster:03d}-{place}", cluster) for cluster, n in enumerate(sizes) for place in range(n)]
    langs, ids, clusters = (np.array(column) for column in zip(*wanted, strict=True))
    own = rng.normal(0.0, 0.3, (n_clusters, N_WORLDS))
    values = {}
    for metric in METRICS:
        common = rng.normal(0.0, 1.0, (len(ids), N_WORLDS))
        noise = own if metric == METRICS[0] else rng.normal(0.0, 0.3, own.shape)
        difference = effect + noise[clusters] + rng.normal(0.0, 0.3, common.shape)
        values[metric] = np.stack([common + difference, common], axis=2).reshape(len(ids), -1)
    models = tuple(f"{side}{number:03d}" for number in range(N_WORLDS) for side in "ab")
    data = compared.Wide(models, langs, np.array([f"c{cluster:03d}" for cluster in clusters]), values)
    return data, [(f"a{number:03d}", f"b{number:03d}") for number in range(N_WORLDS)]


def test_intervals_hold_the_planted_difference_at_their_rate():
    """200 worlds x 4 metrics; a percentile interval of 40 clusters holds a little less often than 95 %."""
    data, pairs = worlds(np.random.default_rng(11), 0.2)
    made = compared.paired(data, pairs, Resampling(5, 1000, 100, 0.8))
    held = (made["difference_low"] <= 0.2) & (made["difference_high"] >= 0.2)
    assert len(held) == 800
    assert 0.91 <= held.mean() <= 0.98


@pytest.mark.parametrize(("n_langs", "scope"), [(1, "en"), (2, POOLED)])
def test_tests_reject_at_their_level_under_no_effect(n_langs, scope):
    """Clusters of unequal size, shared by the languages: rejections at 0.05 in 800 tests, standard error 0.008."""
    data, pairs = worlds(np.random.default_rng(12), 0.0, 30, n_langs)
    made = compared.paired(data, pairs, Resampling(6, 100, 999, 0.8))
    p = made.loc[made["lang"] == scope, "p"]
    assert len(p) == 800
    assert 0.025 <= (p <= 0.05).mean() <= 0.08
    assert 0.45 <= p.mean() <= 0.55


def test_holm_keeps_the_rate_of_any_false_finding():
    """200 families of 4 tests under no effect: one or more rejections in at most about 5 %, standard error 0.015."""
    data, pairs = worlds(np.random.default_rng(16), 0.0, 30)
    made = compared.paired(data, pairs, Resampling(6, 100, 999, 0.8))
    corrected = compared.with_holm(made, "p", ["model_a"])
    assert set(corrected["n_family"]) == {4}
    assert (corrected.groupby("model_a")["p_holm"].min() <= 0.05).mean() <= 0.1


def test_a_test_that_ignored_clusters_would_reject_too_often():
    """What the clusters are for: the same worlds, each set its own cluster."""
    data, pairs = worlds(np.random.default_rng(12), 0.0, 30)
    apart = data._replace(clusters=np.array([f"own{place}" for place in range(len(data.langs))]))
    assert (compared.paired(apart, pairs, Resampling(6, 100, 999, 0.8))["p"] <= 0.05).mean() > 0.1


def test_what_is_detectable_is_found_at_the_stated_rate():
    """The difference that `detectable` names, planted: found in about 80 % of 800 tests (standard error 0.014)."""
    nothing, pairs = worlds(np.random.default_rng(14), 0.0)
    least = float(compared.paired(nothing, pairs, Resampling(0, 100, 100, 0.8))["detectable"].mean())
    something = nothing._replace(
        values={metric: values + least * np.tile([1.0, 0.0], N_WORLDS) for metric, values in nothing.values.items()}
    )
    found = compared.paired(something, pairs, Resampling(0, 100, 999, 0.8))["p"] <= 0.05
    assert 0.74 <= found.mean() <= 0.86


def test_detectable_by_sets_falls_with_the_root_of_the_number():
    data, pairs = worlds(np.random.default_rng(15), 0.0)
    made = compared.paired(data, pairs[:1], QUICK)
    table = compared.detectable_by_sets(made, 0.8, (100, 400))
    cell = table[table["metric"] == "I_GxA"].set_index("n_sets")
    own = made.loc[made["metric"] == "I_GxA"].iloc[0]
    assert cell["own"].sum() == 1
    assert cell.loc[own["n_sets"], "detectable"] == pytest.approx(own["detectable"])
    assert cell.loc[100, "detectable"] / cell.loc[400, "detectable"] == pytest.approx(2.0, rel=0.05)
    assert (table["detectable_corrected"] >= table["detectable"]).all()


def test_the_sign_flip_test_of_unequal_clusters_is_that_of_their_sums():
    """Against scipy on cluster sums, which is the same test."""
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(8), rng.integers(1, 5, 8))
    values = rng.normal(0.3, 1.0, len(clusters))
    sums = np.bincount(clusters, values)
    theirs = stats.permutation_test(
        (sums, np.zeros(8)), lambda x, y, axis: np.sum(x - y, axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    ours = sign_flip_test(values[:, None], clusters, generator(0, "x"), 256)
    assert ours[0] == pytest.approx(theirs.pvalue, abs=1e-12)
