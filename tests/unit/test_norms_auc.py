"""q of concepts and its ROC-AUC: hand-worked values, scikit-learn's, ties, the bootstrap over concepts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from dualpair import artifacts, schemas
from dualpair.analysis.resampling import cluster_draws, generator, partition
from dualpair.norms import auc, concepts, items
from tests.unit import norms_world as world


def test_auc_by_hand_with_ties() -> None:
    # First feature: .9 .5 .4; second: .5 .3. Pairs won: .9>.5 .9>.3 .5>.3 .4>.3 = 4; tied: .5=.5; lost: .4<.5. 4.5 / 6.
    assert auc.auc([1, 1, 1, 0, 0], [0.9, 0.5, 0.4, 0.5, 0.3]) == pytest.approx(4.5 / 6)
    assert auc.auc([True, False], [0.2, 0.2]) == 0.5
    assert auc.auc([True, False], [0.2, 0.8]) == 0.0
    assert math.isnan(auc.auc([True, True], [0.2, 0.8]))
    assert math.isnan(auc.auc([], []))


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=12),
)
def test_weighted_aucs_are_those_of_the_repeated_items(rows: list[tuple[bool, int, int]]) -> None:
    labels, values, weights = (np.array(column) for column in zip(*rows, strict=True))
    (found,) = auc.weighted_aucs(labels, values / 4, weights[None, :])
    repeated = [(label, value / 4) for label, value, weight in rows for _ in range(weight)]
    if len({label for label, _ in repeated}) < 2:
        assert math.isnan(found)
    else:
        expected = roc_auc_score([label for label, _ in repeated], [value for _, value in repeated])
        assert found == pytest.approx(expected)


def test_q_of_a_toy_model_is_known() -> None:
    listed = world.concept_rows({"a": {"ice": False, "oven": True}})
    sentences = concepts.sentences(listed)
    frame = items.items(listed, sentences, world.scores(sentences, {"a/ice": -math.log(3), "a/oven": math.log(4)}))
    assert frame["concept_id"].tolist() == ["ice", "oven"]
    assert frame["q"].tolist() == pytest.approx([0.25, 0.8])
    assert frame["y"].tolist() == pytest.approx([-6.0, -6.0])
    assert frame["x"].tolist() == pytest.approx([-6.0 - math.log(3), -6.0 + math.log(4)])
    assert frame["has_first"].tolist() == [False, True]


def test_q_at_extremes_is_finite() -> None:
    listed = world.concept_rows({"a": {"ice": False, "oven": True}})
    sentences = concepts.sentences(listed)
    frame = items.items(listed, sentences, world.scores(sentences, {"a/ice": -800.0, "a/oven": 800.0}))
    assert frame["q"].tolist() == [0.0, 1.0]


def test_the_runs_normalisation_and_scope_are_used() -> None:
    listed = world.concept_rows({"a": {"oven": True}})
    sentences = concepts.sentences(listed)
    scores = world.scores(sentences, {"a/oven": 0.5})
    (total,) = items.items(listed, sentences, scores, "sum")["q"]
    assert total == pytest.approx(1 / (1 + math.exp(-0.5 * world.TOKENS)))
    (whole,) = items.items(listed, sentences, scores, "mean", "sentence")["q"]
    assert whole == pytest.approx(1 / (1 + math.exp(-0.5 * world.TOKENS / (world.TOKENS + 2))))
    (alike,) = items.items(listed, sentences, scores, "mean", "divergent")["q"]
    assert alike == pytest.approx(1 / (1 + math.exp(-0.5)))


def test_a_sentence_that_was_not_scored_is_missing_and_counted() -> None:
    listed = world.concept_rows({"a": {"ice": False, "oven": True, "snow": False}})
    sentences = concepts.sentences(listed)
    logit = {"a/ice": 0.0, "a/oven": 1.0, "a/snow": 2.0}
    frame = items.items(listed, sentences, world.scores(sentences, logit, failed=["a/snow"]))
    lost = frame.set_index("concept_id").loc["snow"]
    assert not lost["kept"]
    assert lost["reason"] == "scoring_failed"
    assert math.isnan(lost["q"])
    row = auc.table(frame, listed, 1, 100).set_index("scope").loc["macro"]
    assert (row["n_first"], row["n_second"], row["n_unscored"], row["auc"]) == (1, 1, 1, 1.0)


def test_scores_that_do_not_fit_are_refused() -> None:
    listed = world.concept_rows({"a": {"ice": False}})
    sentences = concepts.sentences(listed)
    scores = world.scores(sentences, {"a/ice": 0.0})
    with pytest.raises(ValueError, match="1 sentences have no score"):
        items.items(listed, sentences, scores.iloc[:1])
    with pytest.raises(ValueError, match="of one model, found 2: m, n"):
        items.items(listed, sentences, pd.concat([scores, scores.assign(model="n")]))
    with pytest.raises(ValueError, match="a/ice is kept and has no finite log-probability"):
        items.items(listed, sentences, scores.assign(logprob_sum=np.nan))


PAIRS = {
    "a": {"ice": (False, 0.2), "oven": (True, 0.9), "snow": (False, 0.95), "sun": (True, 0.97)},  # 3 of 4
    "b": {"ant": (False, 0.5), "whale": (True, 0.5)},  # a tie
    "c": {"ice": (True, 0.1)},  # one class only
}


def test_table_by_hand() -> None:
    frame, listed = world.item_rows(PAIRS)
    found = auc.table(frame, listed, 7, 200).set_index(["scope", "pair_id"])
    assert found.loc[("pair", "a"), "auc"] == 0.75
    assert found.loc[("pair", "b"), "auc"] == 0.5
    assert math.isnan(found.loc[("pair", "c"), "auc"])
    assert found.loc[("macro", ""), "auc"] == pytest.approx((0.75 + 0.5) / 2)
    assert found.loc[("macro", ""), "n_pairs"] == 2
    # Pooled: first .9 .97 .5 .1 against second .2 .95 .5: 2 + 3 + 1.5 + 0 of 12.
    assert found.loc[("pooled", ""), "auc"] == pytest.approx(6.5 / 12)
    assert found.loc[("pooled", ""), "n_concepts"] == 6  # ice is one concept in two pairs
    assert (found["n_first"] + found["n_second"]).tolist() == [4, 2, 1, 7, 7]
    # Fewer than three concepts of a class carry no interval.
    assert found.loc[("pair", "a"), ["auc_low", "auc_high"]].isna().all()
    assert found.loc[("macro", ""), ["auc_low", "auc_high"]].notna().all()


def test_counts_of_what_is_left_out_add_up() -> None:
    frame, listed = world.item_rows(PAIRS)
    out = listed.iloc[:2].assign(concept_id=["x", "y"], kept=False, reason=["both_features", "limit"])
    row = auc.table(frame, pd.concat([listed, out]), 7, 200).set_index("scope").loc["macro"]
    assert (row["n_both"], row["n_left_out"], row["n_unscored"]) == (1, 1, 0)
    total = row["n_first"] + row["n_second"] + row["n_unscored"] + row["n_both"] + row["n_left_out"]
    assert total == len(listed) + 2


def test_distributions_by_hand() -> None:
    frame, _ = world.item_rows(PAIRS)
    found = auc.distributions(frame).set_index(["scope", "pair_id", "label"])
    row = found.loc[("pair", "a", "second")]
    assert row[["n", "q_min", "q_median", "q_max"]].tolist() == pytest.approx([2, 0.2, 0.575, 0.95])
    assert row[["q_lower", "q_upper", "q_mean"]].tolist() == pytest.approx([0.3875, 0.7625, 0.575])
    assert found.loc[("pair", "c", "second"), "n"] == 0
    assert math.isnan(found.loc[("pair", "c", "second"), "q_median"])
    assert found.loc[("pooled", "", "first"), "n"] == 4


def random_items(rng: np.random.Generator, n: int, shift: float, pairs: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Concepts of which those with the first feature have a logit larger by ``shift`` standard deviations."""
    return world.item_rows({
        f"p{pair}": {
            f"c{pair}-{i}": (i % 2 == 0, float(1 / (1 + np.exp(-rng.normal() - shift * (i % 2 == 0))))) for i in range(n)
        }
        for pair in range(pairs)
    })  # fmt: skip


def test_intervals_hold_the_true_auc_at_about_their_rate() -> None:
    shift, n, runs = 0.8, 60, 200
    truth = float(norm.cdf(shift / math.sqrt(2)))
    rng = np.random.default_rng(3)
    labels = np.arange(n) % 2 == 0
    held = 0
    for _ in range(runs):
        values = rng.normal(size=n) + shift * labels
        again = auc.weighted_aucs(labels, values, cluster_draws(n, 400, rng))
        low, high = np.nanquantile(again, [0.025, 0.975])
        held += low <= truth <= high
    # Binomial at 0.95 over 200 runs is above 0.90 with probability 0.999; a percentile interval is a little narrow.
    assert 0.89 <= held / runs <= 0.99


def test_without_an_effect_the_interval_includes_one_half_at_about_its_rate() -> None:
    rng = np.random.default_rng(5)
    labels = np.arange(40) % 2 == 0
    held = 0
    for _ in range(200):
        again = auc.weighted_aucs(labels, rng.normal(size=40), cluster_draws(40, 400, rng))
        low, high = np.nanquantile(again, [0.025, 0.975])
        held += low <= 0.5 <= high
    assert 0.88 <= held / 200 <= 0.99


def test_a_concept_in_several_pairs_is_drawn_once() -> None:
    """Eight pairs that repeat the same concepts and values know no more than one: the intervals are equally wide."""
    rng = np.random.default_rng(1)
    one = {f"c{i}": (i % 2 == 0, float(rng.uniform(0.1, 0.9))) for i in range(24)}
    single, listed = world.item_rows({"a": one})
    repeated, all_listed = world.item_rows(dict.fromkeys("abcdefgh", one))
    first = auc.table(single, listed, 5, 500).set_index("scope").loc["macro"]
    second = auc.table(repeated, all_listed, 5, 500).set_index("scope").loc["macro"]
    columns = ["auc", "auc_low", "auc_high", "n_concepts"]
    assert second[columns].tolist() == pytest.approx(first[columns].tolist())
    # Eight pairs of concepts of their own know more.
    apart, apart_listed = world.item_rows({p: {f"{p}{name}": cell for name, cell in one.items()} for p in "abcdefgh"})
    third = auc.table(apart, apart_listed, 5, 500).set_index("scope").loc["macro"]
    assert third["auc_high"] - third["auc_low"] < 0.6 * (first["auc_high"] - first["auc_low"])


def test_every_model_has_the_same_draws_and_adding_one_changes_nothing() -> None:
    frame, listed = random_items(np.random.default_rng(2), 20, 0.5, 2)
    other = frame.assign(model="n", q=1 - frame["q"])
    alone = auc.table(frame, listed, 9, 300)
    both = auc.table(pd.concat([frame, other], ignore_index=True), listed, 9, 300)
    pd.testing.assert_frame_equal(alone, both.loc[both["model"] == "m"].reset_index(drop=True))
    one, two = (both.loc[(both["model"] == name) & (both["scope"] == "pooled")].iloc[0] for name in ("m", "n"))
    assert two["auc"] == pytest.approx(1 - one["auc"])
    assert (two["auc_low"], two["auc_high"]) == pytest.approx((1 - one["auc_high"], 1 - one["auc_low"]))


def test_the_order_of_rows_changes_nothing() -> None:
    frame, listed = random_items(np.random.default_rng(2), 20, 0.5, 2)
    shuffled = frame.sample(frac=1.0, random_state=1)
    pd.testing.assert_frame_equal(auc.table(frame, listed, 9, 300), auc.table(shuffled, listed, 9, 300))


MODELS = {
    "b": {"family": "f", "size": 8.0e9, "tuning": "base"},
    "i": {"family": "f", "size": 8.03e9, "tuning": "instruct"},
    "other": {"family": "g", "size": 8.0e9, "tuning": "instruct"},
    "m": {"family": None, "size": None, "tuning": None},
}


def test_base_against_instruct() -> None:
    base, _ = world.item_rows(PAIRS, "b")
    better = {"a": {**PAIRS["a"], "snow": (False, 0.3)}, "b": PAIRS["b"], "c": PAIRS["c"]}
    instruct, _ = world.item_rows(better, "i")
    frame = pd.concat([base, instruct, base.assign(model="other"), base.assign(model="m")], ignore_index=True)
    found = auc.base_against_instruct(frame, MODELS, 1, 300)
    assert found[["base", "instruct"]].drop_duplicates().to_numpy().tolist() == [["b", "i"]]
    macro = found.set_index("scope").loc["macro"]
    assert (macro["auc_base"], macro["auc_instruct"]) == pytest.approx((0.625, 0.75))
    assert macro["difference"] == pytest.approx(0.125)
    assert macro["difference_low"] <= macro["difference"] <= macro["difference_high"]
    same = auc.base_against_instruct(pd.concat([base, base.assign(model="i")]), MODELS, 1, 300)
    assert same[["difference", "difference_low", "difference_high"]].eq(0.0).all().all()


def test_base_and_instruct_are_compared_on_shared_items_only() -> None:
    base, _ = world.item_rows(PAIRS, "b")
    instruct, _ = world.item_rows(PAIRS, "i")
    instruct.loc[instruct["concept_id"] == "snow", "kept"] = False
    found = auc.base_against_instruct(pd.concat([base, instruct]), MODELS, 1, 300)
    assert set(found["n_items"]) == {6}
    assert found["difference"].eq(0.0).all()
    assert auc.base_against_instruct(base, MODELS, 1, 300).empty


def test_two_languages_keep_apart() -> None:
    one, listed = world.item_rows(PAIRS)
    two, others = world.item_rows(PAIRS, lang="es")
    found = auc.table(pd.concat([one, two]), pd.concat([listed, others]), 4, 200)
    assert found.groupby("lang").size().to_dict() == {"en": 5, "es": 5}
    first, second = (found.loc[found["lang"] == lang, "auc"].to_list() for lang in ("en", "es"))
    assert first == pytest.approx(second, nan_ok=True)


def test_tables_fit_their_schemas(tmp_path) -> None:
    frame, listed = world.item_rows(PAIRS)
    made = {
        "norms_items": frame, "norms_concepts": listed, "norms_auc": auc.table(frame, listed, 4, 200),
        "norms_q": auc.distributions(frame), "norms_tuning": auc.base_against_instruct(frame, MODELS, 4, 200),
    }  # fmt: skip
    for name, table in made.items():
        artifacts.write(table, tmp_path / name, name)
        assert artifacts.read(tmp_path / name, name).columns.tolist() == schemas.table(name).names


def test_no_items_give_empty_tables() -> None:
    listed = world.concept_rows({})
    sentences = concepts.sentences(listed)
    frame = items.items(listed, sentences, world.scores(sentences, {}))
    assert frame.empty
    assert auc.table(frame, listed, 1, 100).empty
    assert auc.distributions(frame).empty


def test_the_draws_are_those_of_whole_concepts() -> None:
    frame, _ = world.item_rows(PAIRS)
    draws, part = auc.draws_of(frame, "en", 11, 50)
    assert part.names.tolist() == partition(frame["cluster_id"].unique()).names.tolist()
    expected = cluster_draws(part.n_clusters, 50, generator(11, "norms", "en"))
    assert np.array_equal(draws, expected)
