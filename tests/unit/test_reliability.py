"""Split-half reliability: hand-worked halves, a plain loop with scipy, properties, and recovery of a planted value."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from dualpair.analysis import reliability, split_half
from dualpair.analysis.resampling import generator

METRICS = ["I_GxA", "absB_avg", "absB_max"]


def frame(values: dict[str, list[float]], v0: float = 99.0) -> pd.DataFrame:
    """One metric `m`; each set's paraphrases, and an original far off."""
    rows = [(name, f"p{i}", value) for name, own in values.items() for i, value in enumerate(own)]
    return pd.DataFrame([*rows, *((name, "v0", v0) for name in values)], columns=["set_id", "variant_id", "m"])


def random_frame(seed: int, n_sets: int = 12, metrics: int = 3, sizes: tuple[int, ...] = (4, 5, 7, 9)) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n_sets):
        level = rng.normal(size=metrics)
        for j in range(sizes[i % len(sizes)]):
            rows.append((f"s{i:02d}", "v0" if j == 0 else f"p{j}", *(level + rng.normal(size=metrics))))
    return pd.DataFrame(rows, columns=["set_id", "variant_id", *METRICS[:metrics]])


def test_halves_of_a_known_split_are_those_worked_by_hand():
    padded = reliability.pad(frame({"a": [1, 2, 3, 4], "b": [10, 20, 30, 40, 50], "c": [7, 7, 7, 7]}))
    first = np.zeros((1, 3, 5), dtype=bool)
    first[0, 0, [0, 3]] = True  # a: (1 + 4) / 2 against (2 + 3) / 2
    first[0, 1, [0, 1]] = True  # b: 15 against 40
    first[0, 2, [1, 2]] = True
    halves = reliability.half_means(padded, first)
    assert halves.first[0, :, 0] == pytest.approx([2.5, 15.0, 7.0], abs=1e-10)
    assert halves.second[0, :, 0] == pytest.approx([2.5, 40.0, 7.0], abs=1e-10)
    assert reliability.spearman(halves.first, halves.second).tolist() == [[1.0]]


def test_keys_decide_the_first_half_and_an_odd_set_has_the_larger_second_half():
    keys = np.array([[[0.9, 0.1, 0.5, 0.2, 0.7], [0.4, 0.3, 0.2, 0.1, 0.0]]])
    first = reliability.first_half(keys, np.array([5, 4]))
    assert first.tolist() == [[[False, True, False, True, False], [False, False, True, True, False]]]


def test_a_hand_worked_correlation_with_ties():
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5 / sqrt(4.5 * 5).
    a, b = np.array([1.0, 2, 2, 3]), np.array([1.0, 2, 3, 4])
    found = reliability.spearman(a[None, :, None], b[None, :, None])
    assert found[0, 0] == pytest.approx(4.5 / math.sqrt(4.5 * 5), abs=1e-15)


def test_one_repetition_is_the_split_that_its_generator_draws():
    data = {"a": [0.0, 1, 2, 10], "b": [5.0, 6, 7, 8], "c": [1.0, 9, 3, 4], "d": [2.0, 2, 8, 0]}
    keys = generator(7, "split_half", "m", "en", "0").random((4, 4))
    first, second = [], []
    for own, key in zip(data.values(), keys, strict=True):
        order = np.argsort(key)
        first.append(np.mean([own[i] for i in order[:2]]))
        second.append(np.mean([own[i] for i in order[2:]]))
    expected = spearmanr(first, second).statistic
    (row,) = reliability.split_half(frame(data), 1, 7, names=("m", "en")).to_dict("records")
    assert (row["mean"], row["min"], row["max"], row["n_sets"]) == (pytest.approx(expected),) * 3 + (4,)
    assert row["spearman_brown"] == pytest.approx(2 * expected / (1 + expected))


@pytest.mark.parametrize("include_v0", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_all_repetitions_equal_a_plain_loop_with_scipy(include_v0, ties):
    data = random_frame(3)
    if ties:
        data[METRICS] = (data[METRICS] * 2).round() / 2
    kept = [
        (name, own if include_v0 else own[own["variant_id"] != "v0"])
        for name, own in data.sort_values(["set_id", "variant_id"]).groupby("set_id")
        if (own["variant_id"] != "v0").sum() >= 4
    ]
    most = max(len(own) for _, own in kept)
    found = []
    for r in range(25):
        keys = generator(11, "split_half", str(r)).random((len(kept), most))
        halves = []
        for (_, own), key in zip(kept, keys, strict=True):
            order = np.argsort(key[: len(own)])
            values = own[METRICS].to_numpy()
            half = len(own) // 2
            halves.append((values[order[:half]].mean(axis=0), values[order[half:]].mean(axis=0)))
        one, other = (np.array([pair[i] for pair in halves]) for i in (0, 1))
        one, other = one.round(9), other.round(9)  # equal means may differ in their last bit
        found.append([spearmanr(one[:, m], other[:, m]).statistic for m in range(3)])
    expected = np.array(found)
    padded = reliability.pad(data, include_v0)
    rho = reliability.correlations(padded, 25, 11)
    assert rho == pytest.approx(expected, abs=1e-12)
    table = reliability.split_half(data, 25, 11, include_v0).set_index("metric")
    assert table["mean"].to_numpy() == pytest.approx(expected.mean(axis=0))
    assert table["min"].to_numpy() == pytest.approx(expected.min(axis=0))
    assert table["max"].to_numpy() == pytest.approx(expected.max(axis=0))


def test_correlations_of_tied_means_equal_scipys():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 5, (2, 6, 40, 2)).astype(float)
    found = reliability.spearman(first, second)
    for r in range(6):
        for m in range(2):
            assert found[r, m] == pytest.approx(spearmanr(first[r, :, m], second[r, :, m]).statistic, abs=1e-14)


def test_equal_paraphrases_are_perfectly_reliable_and_the_original_stays_out():
    table = reliability.split_half(frame({name: [float(i)] * 5 for i, name in enumerate("abcd")}, v0=-100.0), 20, 1)
    assert table[["mean", "min", "max", "spearman_brown"]].to_numpy().tolist() == [[1.0, 1.0, 1.0, 1.0]]


def test_a_constant_metric_is_undefined_and_counted():
    data = frame({name: [0.1] * (4 + i) for i, name in enumerate("abcdef")})
    (row,) = reliability.split_half(data, 30, 1).to_dict("records")
    assert row["n_undefined"] == 30 and row["n_sets"] == 6
    assert all(math.isnan(row[name]) for name in ("mean", "min", "max", "spearman_brown"))


def test_sets_with_three_paraphrases_are_left_out_also_with_v0():
    data = frame({"a": [1, 2, 3], "b": [1, 2, 3, 4], "c": [2, 3, 4, 5], "d": [9, 8, 7, 6]})
    for include_v0, size in ((False, 4), (True, 5)):
        padded = reliability.pad(data, include_v0)
        assert padded.set_ids == ["b", "c", "d"] and padded.counts.tolist() == [size] * 3
    (row,) = reliability.split_half(data[data["set_id"] != "d"], 5, 1).to_dict("records")
    assert row["n_sets"] == 2 and math.isnan(row["mean"])


def test_splits_depend_on_repetition_and_names_only():
    data = random_frame(5)
    few, many = (reliability.correlations(reliability.pad(data), n, 1, ("m", "en")) for n in (5, 50))
    assert (many[:5] == few).all()
    other = reliability.correlations(reliability.pad(data), 5, 1, ("m", "es"))
    assert not np.allclose(few, other)
    # Every metric has the same split.
    same = data.assign(absB_avg=data["I_GxA"], absB_max=3 * data["I_GxA"] + 1)
    rho = reliability.correlations(reliability.pad(same), 20, 1)
    assert (rho[:, 0] == rho[:, 1]).all() and rho[:, 2] == pytest.approx(rho[:, 0])


def test_repetitions_in_parts_are_the_same(monkeypatch):
    data = reliability.pad(random_frame(5))
    whole = reliability.correlations(data, 9, 1)
    monkeypatch.setattr(reliability, "_CHUNK", 400)
    assert (reliability.correlations(data, 9, 1) == whole).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter_and_correlations_are_in_range(seed, random):
    data = random_frame(seed, n_sets=6)
    order = list(range(len(data)))
    random.shuffle(order)
    one, other = (reliability.split_half(rows, 8, 1) for rows in (data, data.iloc[order]))
    pd.testing.assert_frame_equal(one, other)
    defined = one.dropna()
    assert (defined["min"] >= -1).all() and (defined["max"] <= 1).all()
    assert (defined["min"] <= defined["mean"] + 1e-12).all() and (defined["mean"] <= defined["max"] + 1e-12).all()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-0.999, 1), min_size=1, max_size=5))
def test_spearman_brown_of_a_doubled_test(values):
    found = reliability.spearman_brown(values)
    assert found == pytest.approx([2 * r / (1 + r) for r in values])
    assert (found <= 1).all()


def test_spearman_brown_has_a_pole():
    assert math.isnan(float(reliability.spearman_brown([-1.0])[0]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.drop(columns="set_id"), "needs set_id, variant_id and a column per metric"),
        (lambda d: d[["set_id", "variant_id"]], "missing a metric"),
        (lambda d: d.assign(lang="en"), r"\['lang'\] are not numeric"),
        (lambda d: pd.concat([d, d.iloc[:1]]), "is there twice"),
        (lambda d: d.assign(m=d["m"].where(d["variant_id"] != "p1")), "4 variants have a metric that is not finite"),
    ],
)
def test_unusable_frames_are_refused(change, message):
    data = frame({name: [1.0, 2, 3, 4] for name in "abcd"})
    with pytest.raises(ValueError, match=message):
        reliability.split_half(change(data), 2, 1)


def test_no_repetition_is_refused():
    with pytest.raises(ValueError, match="n_resamples must be at least 1; found 0"):
        reliability.split_half(random_frame(1), 0, 1)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=8))
def test_weighted_correlation_is_that_of_repeated_pairs(items):
    weights, first, second = (np.array(column, dtype=float) for column in zip(*items, strict=True))
    (found,) = split_half.weighted_spearman(first, second, weights[None, :])
    copies = weights.astype(int)
    one, other = np.repeat(first, copies), np.repeat(second, copies)
    if len(set(one)) < 2 or len(set(other)) < 2:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(spearmanr(one, other).statistic, abs=1e-12)


def measures(
    seed: int = 0, models=("m1", "m2"), langs=("en", "zh"), n_sets: int = 20, noise: float = 1.0
) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for lang in langs:
        for i in range(n_sets):
            level = rng.normal()
            for model in models:
                for j in range(9):
                    values = level + noise * rng.normal(size=3)
                    rows.append((model, lang, f"s{i:03d}", f"c{i // 2:03d}", f"p{j}" if j else "v0", *values))
    return pd.DataFrame(rows, columns=["model", "lang", "set_id", "cluster_id", "variant_id", *METRICS])


def test_table_of_cells_and_means_over_models():
    data = measures()
    found = split_half.reliability_tables(data, 5, 20, False, 200)
    assert len(found.cells) == 2 * 2 * 3
    cell = found.cells.set_index(["model", "lang", "metric"])
    own = data[(data["model"] == "m2") & (data["lang"] == "zh")][["set_id", "variant_id", *METRICS]]
    alone = reliability.split_half(own, 20, 5, names=("m2", "zh")).set_index("metric")
    for metric in METRICS:
        row = cell.loc[("m2", "zh", metric)]
        assert row["mean"] == alone.loc[metric, "mean"] and row["min"] == alone.loc[metric, "min"]
        assert row["low"] < row["mean"] < row["high"] <= 1
        assert (row["n_sets"], row["n_clusters"], row["n_variants"], row["n_left_out"]) == (20, 10, 160, 0)
    means = found.languages.set_index(["lang", "metric"])
    assert list(dict.fromkeys(found.languages["lang"])) == ["en", "zh", "all"]
    for metric in METRICS:
        both = [cell.loc[(model, "zh", metric)] for model in ("m1", "m2")]
        row = means.loc[("zh", metric)]
        assert row["mean"] == pytest.approx(np.mean([one["mean"] for one in both]))
        assert row["min"] == min(one["min"] for one in both) and row["max"] == max(one["max"] for one in both)
        assert row["low"] < row["mean"] < row["high"] and row["n_cells"] == 2
        every = [cell.loc[(m, lang, metric), "mean"] for m in ("m1", "m2") for lang in ("en", "zh")]
        assert means.loc[("all", metric), "mean"] == pytest.approx(np.mean(every))


def test_a_further_model_changes_no_number_of_the_others():
    data = measures()
    both = split_half.reliability_tables(data, 5, 10, False, 100).cells
    alone = split_half.reliability_tables(data[data["model"] == "m1"], 5, 10, False, 100).cells
    pd.testing.assert_frame_equal(both[both["model"] == "m1"].reset_index(drop=True), alone)


def test_cells_without_enough_data_are_missing_and_counted():
    data = measures(n_sets=8)
    few = (data["model"] == "m2") & (data["lang"] == "zh")
    data = data[~few | (data["set_id"] < "s002")]
    data.loc[(data["model"] == "m1") & (data["lang"] == "en"), "absB_avg"] = 0.25
    found = split_half.reliability_tables(data, 5, 10, False, 100)
    cell = found.cells.set_index(["model", "lang", "metric"])
    assert math.isnan(cell.loc[("m2", "zh", "I_GxA"), "mean"]) and cell.loc[("m2", "zh", "I_GxA"), "n_sets"] == 2
    assert math.isnan(cell.loc[("m1", "en", "absB_avg"), "low"])
    assert cell.loc[("m1", "en", "absB_avg"), "n_undefined"] == 10
    means = found.languages.set_index(["lang", "metric"])
    assert (means.loc[("zh", "I_GxA"), "n_cells"], means.loc[("zh", "I_GxA"), "n_missing"]) == (1, 1)
    assert means.loc[("en", "absB_avg"), "mean"] == cell.loc[("m2", "en", "absB_avg"), "mean"]


def test_one_language_has_no_row_over_all_and_no_measures_give_empty_tables():
    data = measures(langs=("en",))
    assert set(split_half.reliability_tables(data, 5, 5, False, 100).languages["lang"]) == {"en"}
    empty = split_half.reliability_tables(data.iloc[:0], 5, 5, False, 100)
    assert empty.cells.empty and empty.languages.empty


def test_a_row_without_cluster_is_refused():
    with pytest.raises(ValueError, match="no cluster_id"):
        split_half.reliability_tables(measures().assign(cluster_id=""), 5, 5, False, 100)


def planted(rho: float) -> float:
    """Spearman correlation of a bivariate normal with that Pearson correlation."""
    return 6 / math.pi * math.asin(rho / 2)


def expected(rho: float, n: int) -> float:
    """Its mean in samples of n (Moran 1948, Biometrika 35, 203-206): lower than the population's."""
    return 6 / (math.pi * (n + 1)) * (math.asin(rho) + (n - 2) * math.asin(rho / 2))


@pytest.mark.parametrize("n_models", [1, 3])
def test_intervals_hold_the_planted_reliability_at_their_rate(n_models):
    """True score 1, noise 1, halves of 4: reliability 1 / (1 + 1/4). Models share their stereotypes' true scores."""
    truth, n_worlds, n_sets = planted(0.8), 200, 50
    rng = np.random.default_rng(2)
    hits, means = 0, []
    for world in range(n_worlds):
        level = rng.normal(size=(n_sets, 1, 1))
        values = level + rng.normal(size=(n_sets, 8, n_models))
        names = tuple(f"m{i}" for i in range(n_models))
        padded = reliability.Padded([str(i) for i in range(n_sets)], values, np.full(n_sets, 8), names)
        estimate = float(reliability.correlations(padded, 6, world).mean())
        draws = rng.multinomial(n_sets, np.full(n_sets, 1 / n_sets), size=120).astype(float)
        resampled = split_half.bootstrap_means(padded, draws, 6, world, ()).mean(axis=1)
        low, high = split_half.centred_interval(resampled, estimate)
        hits += low <= truth <= high
        means.append(estimate)
    assert hits / n_worlds >= 0.91  # 95 % less the spread of 200 worlds
    assert np.mean(means) == pytest.approx(expected(0.8, n_sets), abs=0.015)  # three standard errors
