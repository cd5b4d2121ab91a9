"""Verdicts, rates, agreement, curve: values by hand, and by formulas written here a second time."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair import schemas
from dualpair.analysis.contradictions import wilson
from dualpair.validation import agreement, curve, rates, verdicts
from dualpair.validation.instructions import ANSWERS

SHEET = {"task": "paraphrase", "lang": "en"}
Z = 1.959963984540054


def items_of(kinds: list[str], **columns: list[object]) -> pd.DataFrame:
    n = len(kinds)
    base = {"item_id": [f"i{k}" for k in range(n)], "kind": kinds, "set_id": "s", "bias_type": "b", "first": "F.",
            "second": "S.", "weight": 1.0, "similarity": 0.8, "contradiction_forward": 0.1,
            "contradiction_backward": 0.2, "acceptance": float("nan"), "cluster_id": [f"c{k}" for k in range(n)]}  # fmt: skip
    return pd.DataFrame({**SHEET, "pair_id": [f"p{k:03}" for k in range(n)], **base, **columns})


def answers_of(given: dict[str, list[str]], role: str = "annotator") -> pd.DataFrame:
    rows = [
        {**SHEET, "role": role, "annotator": name, "pair_id": f"p{k:03}", "item_id": f"i{k}", "answer": answer,
         "comment": "", "file": "f", "sheet": "", "row": k, "kept": answer != "", "reason": "" if answer else "no_answer"}
        for name, said in given.items()
        for k, answer in enumerate(said)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("answers").names)


def judged_of(items: pd.DataFrame, given: dict[str, list[str]], final: list[str] | None = None) -> pd.DataFrame:
    votes = verdicts.votes(answers_of(given), items)
    further = verdicts.votes(answers_of({"adjudicator": final or []}, "adjudicator"), items, "adjudicator")
    return verdicts.verdicts(items, votes, further)


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(("said", "verdict"), [
    (["accept"], "accept"),
    (["accept", "reject"], "disputed"),
    (["accept", "accept", "reject"], "accept"),
    (["accept", "reject", "not_fluent"], "disputed"),
    (["reject", "reject", "accept", "accept"], "disputed"),
])  # fmt: skip
def test_a_majority_is_more_than_half(said: list[str], verdict: str) -> None:
    assert verdicts.majority(said) == verdict


def test_an_adjudicator_settles_what_they_answer_and_nothing_else() -> None:
    items = items_of(["accepted"] * 4)
    judged = judged_of(
        items,
        {"a": ["accept", "accept", "not_fluent", "accept"], "b": ["accept", "reject", "not_fluent", "reject"]},
        ["", "accept", "accept", ""],
    )
    assert judged["before"].tolist() == ["accept", "disputed", "not_fluent", "disputed"]
    assert judged["after"].tolist() == ["accept", "accept", "accept", "disputed"]
    assert judged["questioned"].tolist() == [False, True, True, True]
    assert judged["differ"].tolist() == [False, True, False, True]
    assert judged["answers"].iloc[1] == "a: accept; b: reject"


def test_an_annotator_who_accepts_too_many_mismatched_pairs_is_left_out() -> None:
    items = items_of(["accepted", "mismatched", "mismatched"])
    answers = answers_of(
        {"a": ["accept", "accept", "accept"], "b": ["reject", "accept", "reject"], "c": ["accept", "", ""]}
    )
    found = verdicts.attention(answers, items, 1).set_index("annotator")
    assert found["attention_failures"].to_dict() == {"a": 2, "b": 1, "c": 0}
    assert found["excluded"].to_dict() == {"a": True, "b": False, "c": False}
    assert found["n_unusable"].to_dict() == {"a": 0, "b": 0, "c": 2}
    kept = verdicts.without_excluded(verdicts.votes(answers, items), found.reset_index())
    assert set(kept["annotator"]) == {"b", "c"}
    assert not verdicts.attention(answers, items, None)["excluded"].any()


# ---------------------------------------------------------------- rates


def by_hand(count: float, n: float) -> tuple[float, float]:
    """Wilson's interval, written out."""
    p = count / n
    middle, half = p + Z**2 / (2 * n), Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return (middle - half) / (1 + Z**2 / n), (middle + half) / (1 + Z**2 / n)


def test_rates_before_and_after_adjudication() -> None:
    items = items_of(["accepted"] * 4 + ["mismatched"])
    said = {
        "a": ["accept", "accept", "not_fluent", "reject", "reject"],
        "b": ["accept", "reject", "not_fluent", "reject", ""],
    }
    judged = judged_of(items, said, ["", "", "accept", ""])
    votes = verdicts.votes(answers_of(said), items)
    found = rates.rates(judged, votes, items).set_index(["kind", "annotator", "adjudication"])
    before, after = found.loc["accepted", "all", "before"], found.loc["accepted", "all", "after"]
    assert [before[f"n_{name}"] for name in ("accept", "reject", "disfluent", "disputed")] == [1, 1, 1, 1]
    assert [after[f"n_{name}"] for name in ("accept", "reject", "disfluent", "disputed")] == [2, 1, 0, 1]
    assert (before["n"], before["n_sampled"]) == (4, 4)
    assert (after["accept_rate"], after["accept_low"], after["accept_high"]) == pytest.approx((0.5, *by_hand(2, 4)))
    assert found.loc["accepted", "a", "before"]["n_accept"] == 2
    assert found.loc["mismatched", "all", "before"]["reject_rate"] == 1.0
    assert found.loc["below_threshold", "all", "before"]["n"] == 0
    assert math.isnan(found.loc["below_threshold", "all", "before"]["accept_rate"])


def test_the_papers_count_of_disfluent_items() -> None:
    """7 of 80 Russian paraphrases, of which a second speaker cleared 3: 8.75 % and then 5 % (arXiv 2610.08747)."""
    items = items_of(["accepted"] * 80)
    said = ["not_fluent"] * 7 + ["accept"] * 73
    judged = judged_of(items, {"a": said}, ["accept"] * 3)
    found = rates.rates(judged, verdicts.votes(answers_of({"a": said}), items), items)
    own = found[(found["kind"] == "accepted") & (found["annotator"] == "all")].set_index("adjudication")
    assert own["disfluent_rate"].to_dict() == {"before": 0.0875, "after": 0.05}


def test_a_weighted_rate_by_hand() -> None:
    found = rates.weighted_rate(np.array([1.0, 0.0]), np.array([1.0, 3.0]))
    assert found.rate == 0.25
    assert found.n == pytest.approx(16 / 10)
    assert (found.low, found.high) == pytest.approx(by_hand(0.25 * 1.6, 1.6))


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.floats(0.1, 9))
def test_equal_weights_change_nothing(hits: list[bool], weight: float) -> None:
    found = rates.weighted_rate(np.array(hits, dtype=float), np.full(len(hits), weight))
    plain = wilson(sum(hits), len(hits))
    assert (found.rate, found.low, found.high) == pytest.approx((plain.rate, plain.low, plain.high), abs=1e-9)


def test_weights_of_a_balanced_sample_undo_the_balance() -> None:
    """Two types, 90 and 10 of 100 pairs, five of each judged: the rare one is accepted less."""
    hits = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 1], dtype=float)
    weights = np.array([90 / 5] * 5 + [10 / 5] * 5)
    assert rates.weighted_rate(hits, weights).rate == pytest.approx(0.9 * 1.0 + 0.1 * 0.2)


# ---------------------------------------------------------------- agreement


def table_of(counts: list[list[int]]) -> np.ndarray:
    return np.array([(a, b) for a, row in enumerate(counts) for b, n in enumerate(row) for _ in range(n)])


def test_cohens_kappa_of_a_textbook_table() -> None:
    assert agreement.cohen_kappa(table_of([[20, 5], [10, 15]])) == pytest.approx(0.4)


def test_fleiss_kappa_by_hand() -> None:
    # Observed .7; pooled shares 55 and 45 of 100, so by chance .55^2 + .45^2 = .505.
    assert agreement.fleiss_kappa(table_of([[20, 5], [10, 15]])) == pytest.approx((0.7 - 0.505) / 0.495)


def test_krippendorffs_alpha_of_his_own_example() -> None:
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability, section A: two observers, alpha = .095."""
    one, two = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert agreement.krippendorff_alpha(np.array([one, two]).T) == pytest.approx(0.095, abs=5e-4)


def test_alpha_is_fleiss_kappa_less_the_small_sample_correction() -> None:
    ratings = table_of([[20, 5, 1], [4, 15, 2], [0, 3, 6]])
    kappa = agreement.fleiss_kappa(ratings)
    assert agreement.krippendorff_alpha(ratings) == pytest.approx(kappa + (1 - kappa) / (2 * len(ratings)))


def test_alpha_takes_missing_answers_and_raw_agreement_too() -> None:
    ratings = np.array([[0, 0, -1], [1, 1, 1], [0, 1, -1], [2, -1, -1]])
    assert agreement.raw_agreement(ratings) == pytest.approx((1 + 1 + 0) / 3)
    without = agreement.krippendorff_alpha(ratings[:3])
    assert agreement.krippendorff_alpha(ratings) == pytest.approx(without)


@pytest.mark.parametrize("function", [agreement.cohen_kappa, agreement.fleiss_kappa, agreement.krippendorff_alpha])
def test_agreement_on_one_answer_only_is_undefined(function) -> None:
    assert math.isnan(function(np.zeros((9, 2), dtype=int)))


def test_the_agreement_table_and_its_intervals() -> None:
    n = 60
    items = items_of(["accepted"] * 50 + ["mismatched"] * 10)
    first = ["accept"] * 40 + ["reject"] * 20
    second = ["accept"] * 36 + ["reject"] * 24
    votes = verdicts.votes(answers_of({"a": first, "b": second}), items)
    found = agreement.agreement(votes, items, 1, 150).set_index(["kind", "statistic"])
    assert set(found.index.get_level_values("statistic")) == set(agreement.STATISTICS)
    row = found.loc["all", "raw_agreement"]
    assert (row["value"], row["n_items"], row["n_annotators"]) == (pytest.approx(56 / n), n, 2)
    for _, one in found.loc["all"].iterrows():
        assert one["low"] < one["value"] < one["high"]
    again = agreement.agreement(votes, items, 1, 150).set_index(["kind", "statistic"])
    pd.testing.assert_frame_equal(found, again)
    assert (agreement.agreement(votes, items, 2, 150)["low"].to_numpy() != found["low"].to_numpy()).any()
    clustered = items.assign(cluster_id="one")
    assert agreement.agreement(votes, clustered, 1, 100)["low"].isna().all()


def test_three_annotators_get_no_cohens_kappa_and_one_gets_nothing() -> None:
    items = items_of(["accepted"] * 6)
    said = {name: ["accept", "reject"] * 3 for name in ("a", "b", "c")}
    votes = verdicts.votes(answers_of(said), items)
    assert "cohen_kappa" not in set(agreement.agreement(votes, items, 1, 100)["statistic"])
    alone = verdicts.votes(answers_of({"a": said["a"]}), items)
    assert agreement.agreement(alone, items, 1, 100).empty


# ---------------------------------------------------------------- curve and thresholds


def scored(scores: list[float], accepted: list[bool]) -> pd.DataFrame:
    items = items_of(["accepted"] * len(scores), similarity=list(scores))
    return judged_of(items, {"a": [ANSWERS[0] if hit else ANSWERS[1] for hit in accepted]})


def test_bins_hold_equally_many_items_and_every_item_once() -> None:
    judged = scored([k / 100 for k in range(100)], [k >= 50 for k in range(100)])
    found = curve.curve(judged)
    own = found[found["score"] == "similarity"]
    assert own["n"].tolist() == [20] * 5
    assert own["n_accept"].tolist() == [0, 0, 10, 20, 20]
    assert own["bin_low"].tolist() == [0.0, 0.2, 0.4, 0.6, 0.8]
    assert (own["low"].iloc[2], own["high"].iloc[2]) == pytest.approx(by_hand(10, 20))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from([0.1, 0.5, 0.9, 0.95, 1.0]), min_size=1, max_size=80))
def test_bins_add_up_and_ties_stay_together(scores: list[float]) -> None:
    found = curve.curve(scored(scores, [True] * len(scores)))
    own = found[found["score"] == "similarity"]
    assert own["n"].sum() == len(scores)
    assert (own["bin_low"].iloc[1:].to_numpy() > own["bin_high"].iloc[:-1].to_numpy()).all()
    assert len(own) == 1 or own["n"].min() >= curve.MIN_PER_BIN


def test_mismatched_pairs_and_missing_scores_are_in_no_bin() -> None:
    items = items_of(["accepted", "mismatched", "below_threshold"], similarity=[0.9, math.nan, math.nan])
    found = curve.curve(judged_of(items, {"a": ["accept"] * 3}))
    assert found.set_index("score")["n"].to_dict() == {"similarity": 1, "max_contradiction": 2}


def test_acceptance_is_a_score_of_both_tasks_where_a_run_has_it() -> None:
    kinds = ["accepted"] * 36 + ["below_threshold"] * 10
    likely = [0.9] * 36 + [0.3] * 10
    answers = {"a": ["accept"] * 36 + ["reject"] * 10}
    for task in ("paraphrase", "alternate"):
        judged = judged_of(items_of(kinds, acceptance=likely), answers).assign(task=task)
        found = curve.thresholds(judged, 0.9).set_index("score")
        assert found.loc["acceptance", "threshold"] == 0.9
        assert "acceptance" in set(curve.curve(judged)["score"])
        without = judged.assign(acceptance=math.nan)
        assert "acceptance" not in set(curve.thresholds(without, 0.9)["score"]) | set(curve.curve(without)["score"])


def test_too_few_items_for_a_threshold_are_said() -> None:
    assert curve.items_needed(0.9) == math.ceil(Z**2 * 0.9 / 0.1)
    found = curve.thresholds(scored([0.9] * 34, [True] * 34), 0.9).set_index("score")
    assert found.loc["similarity", "text"] == "not enough data (n = 34, needs 35 judged pairs)"
    assert math.isnan(found.loc["similarity", "threshold"])
    enough = curve.thresholds(scored([0.9] * 35, [True] * 35), 0.9).set_index("score")
    assert enough.loc["similarity", "threshold"] == 0.9
    assert enough.loc["max_contradiction", "threshold"] == 0.2


def test_the_suggested_threshold_is_the_loosest_that_the_rule_allows() -> None:
    rng = np.random.default_rng(0)
    scores = [round(float(value), 3) for value in rng.uniform(0, 1, 200)]
    hits = [bool(rng.uniform() < (0.3 if score < 0.4 else 0.99)) for score in scores]
    row = curve.thresholds(scored(scores, hits), 0.9).set_index("score").loc["similarity"]
    allowed = []
    for t in scores:
        passing = [hit for score, hit in zip(scores, hits, strict=True) if score >= t]
        if by_hand(sum(passing), len(passing))[0] >= 0.9:
            allowed.append(t)
    assert row["threshold"] == min(allowed)
    assert 0.2 < row["threshold"] < 0.45
    assert row["low"] >= 0.9


def test_no_threshold_reaches_the_target() -> None:
    found = curve.thresholds(scored([k / 60 for k in range(60)], [k % 2 == 0 for k in range(60)]), 0.9)
    assert found["text"].str.startswith("no threshold").all()
    assert found["threshold"].isna().all()
