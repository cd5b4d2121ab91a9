"""The measures of one dual pair against hand-worked values, independent libraries and properties."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score

from dualpair.measures.dual_pair import dual_pair, outcomes
from tests.unit.measure_world import batch

nats = st.floats(-30.0, 0.0, allow_nan=False)


@st.composite
def pairs(draw: st.DrawFn, min_groups: int = 2, max_groups: int = 5) -> tuple[list[float], list[float]]:
    k = draw(st.integers(min_groups, max_groups))
    return draw(st.lists(nats, min_size=k, max_size=k)), draw(st.lists(nats, min_size=k, max_size=k))


def precise_information(x: list[float], y: list[float]) -> float:
    """I_GxA in bits from its definition, H2(mean q) - mean H2(q), with 60 digits."""
    with mpmath.workdps(60):

        def h2(q: Any) -> Any:
            return -sum(p * mpmath.log(p, 2) for p in (q, 1 - q) if p > 0)

        q = [1 / (1 + mpmath.e ** (mpmath.mpf(b) - mpmath.mpf(a))) for a, b in zip(x, y, strict=True)]
        return float(h2(sum(q) / len(q)) - sum(map(h2, q)) / len(q))


def test_two_groups_worked_by_hand() -> None:
    # q_0 = 1 / (1 + e^ln(1/3)) = 3/4, q_1 = 1/4; I = 1 - H2(1/4) = 1 - (2 - 3/4 log2 3).
    ln3 = math.log(3)
    result = dual_pair([-1.0, -1.0 - ln3], [-1.0 - ln3, -1.0])
    assert result.q == pytest.approx([0.75, 0.25], abs=1e-15)
    assert result.p_A == pytest.approx(0.5, abs=1e-15)
    assert result.I_GxA == pytest.approx(0.75 * math.log2(3) - 1.0, abs=1e-15)
    assert pytest.approx([ln3]) == result.B_G
    assert result.B_G_alt == pytest.approx([-ln3])
    assert result.B_GxA == pytest.approx([2 * ln3])
    assert (result.contradiction, result.flip, result.tie) == (False, False, False)


def test_the_papers_example_of_a_contradiction() -> None:
    # x_G = -3.15 against -2.82 gives B_G = -0.33 (arXiv 2610.08747); an alternate that is preferred the same way and
    # twice as strongly contradicts it and flips the direction.
    result = dual_pair([-3.15, -2.82], [-3.66, -3.0])
    assert result.B_G[0] == pytest.approx(-0.33)
    assert result.B_G_alt[0] == pytest.approx(-0.66)
    assert result.B_GxA[0] == pytest.approx(0.33)
    assert (result.contradiction, result.flip) == (True, True)


def test_a_contradiction_need_not_flip() -> None:
    result = dual_pair([-1.0, -3.0], [-1.0, -2.0])
    assert (result.contradiction, result.flip) == (True, False)


def test_three_groups_worked_by_hand() -> None:
    # B_G = (1, -2), B_G_alt = (2, 1), B_GxA = (-1, -3): the first contrast decides contradiction and flip.
    result = dual_pair([-2.0, -3.0, 0.0], [-1.0, -3.0, -2.0])
    assert result.B_G.tolist() == [1.0, -2.0]
    assert result.B_G_alt.tolist() == [2.0, 1.0]
    assert result.B_GxA.tolist() == [-1.0, -3.0]
    assert (result.B_signed_mean, result.absB_avg, result.absB_max) == (-2.0, 2.0, 3.0)
    assert (result.contradiction, result.flip) == (True, True)


@pytest.mark.parametrize(
    ("odds", "expected"),
    [
        # q = 3/4, 1/4: 3/4 log2 3 - 1.
        ([math.log(3), -math.log(3)], 0.75 * math.log2(3) - 1.0),
        # q = 3/4, 1/2, 1/4: 1 - (2 H2(1/4) + 1) / 3 = 2/3 (1 - H2(1/4)).
        ([math.log(3), 0.0, -math.log(3)], 2.0 / 3.0 * (0.75 * math.log2(3) - 1.0)),
        # q = 1/2, 1/2, 1/2, 0: p = 3/8; H2(3/8) = 3 - 3/8 log2 3 - 5/8 log2 5, mean of H2(q) = 3/4.
        ([0.0, 0.0, 0.0, -2000.0], 2.25 - 0.375 * math.log2(3) - 0.625 * math.log2(5)),
        # q = 1, 1, 0, 0, 1/2: p = 1/2, so that I = 1 - 1/5.
        ([2000.0, 2000.0, -2000.0, -2000.0, 0.0], 0.8),
    ],
)
def test_information_of_two_to_five_groups_worked_by_hand(odds: list[float], expected: float) -> None:
    assert dual_pair(odds, [0.0] * len(odds)).I_GxA == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_every_field_agrees_with_another_implementation(k: int) -> None:
    # The generator of the tests' worlds has formulas of its own (scipy's rel_entr on arrays).
    rng = np.random.default_rng(k)
    x, y = rng.normal(-3.0, 1.0, (40, k)), rng.normal(-3.0, 1.0, (40, k))
    for row, (one, other) in zip(pd.DataFrame(batch(x, y)).to_dict("records"), zip(x, y, strict=True), strict=True):
        result = dual_pair(one, other)
        for name in ("q", "B_G", "B_G_alt", "B_GxA", "p_A", "I_GxA", "B_signed_mean", "absB_avg", "absB_max"):
            assert getattr(result, name) == pytest.approx(np.asarray(row[name]), abs=1e-14), name
        assert (result.contradiction, result.flip, result.tie) == (row["contradiction"], row["flip"], row["tie"])


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("b", [1e-3, 1e-7])
def test_small_differences_of_very_unlikely_sentences_keep_their_digits(k: int, b: float) -> None:
    # exp(-800) is 0 in double precision; the differences are what a model gives, one float64 apart at worst.
    x, y = [-800.0 - b * j for j in range(k)], [-800.5] * k
    result = dual_pair(x, y)
    assert result.I_GxA == pytest.approx(precise_information(x, y), rel=1e-6)
    assert result.I_GxA > 0


@given(st.integers(2, 5), nats, nats)
def test_equal_groups_share_nothing(k: int, x: float, y: float) -> None:
    result = dual_pair([x] * k, [y] * k)
    assert (result.I_GxA, result.absB_max) == (0.0, 0.0)
    assert (result.contradiction, result.flip, result.tie) == (False, False, True)


@given(pairs())
def test_no_information_means_equal_choices(pair: tuple[list[float], list[float]]) -> None:
    # Pinsker: I >= 2 / ln 2 * mean (q - p)^2, so that I = 0 leaves no room for different q, and the other way round.
    result = dual_pair(*pair)
    spread = float(np.mean((result.q - result.p_A) ** 2))
    assert result.I_GxA >= 2.0 / math.log(2) * spread * (1 - 1e-9) - 1e-15
    if result.I_GxA == 0.0:
        assert spread < 1e-15


@given(pairs(), st.randoms(use_true_random=False))
def test_information_is_the_same_in_any_order_of_the_groups(pair: tuple[list[float], list[float]], rng: Any) -> None:
    x, y = pair
    order = rng.sample(range(len(x)), len(x))
    other = dual_pair([x[i] for i in order], [y[i] for i in order])
    assert other.I_GxA == pytest.approx(dual_pair(x, y).I_GxA, abs=1e-12)


def test_signed_mean_is_smaller_than_the_mean_strength_when_signs_differ() -> None:
    result = dual_pair([0.0, -1.0, 3.0], [0.0, 0.0, 0.0])
    assert (result.B_signed_mean, result.absB_avg, result.absB_max) == (-1.0, 2.0, 3.0)


@pytest.mark.parametrize(("b", "ratio"), [(0.2, 0.9988), (2.0, 0.89), (10.0, 0.21)])
def test_quadratic_law_for_two_groups(b: float, ratio: float) -> None:
    # I ~ B^2 p (1 - p) / (8 ln 2); its ratio at p = 1/2 falls from 1 as B grows.
    result = dual_pair([b / 2, -b / 2], [0.0, 0.0])
    assert result.I_GxA / (b * b * 0.25 / (8 * math.log(2))) == pytest.approx(ratio, abs=0.005 if b > 1 else 5e-5)


@pytest.mark.parametrize("b", [1e-2, 1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("shift", [0.0, 2.0, -7.0, 7.0])
def test_small_effects_keep_their_digits(b: float, shift: float) -> None:
    x, y = [shift + b, shift], [0.0, 0.0]
    assert dual_pair(x, y).I_GxA == pytest.approx(precise_information(x, y), rel=1e-6)


def test_information_agrees_with_sklearn_on_counts() -> None:
    # 8 draws a group; group 0 takes the attribute 6 times, group 1 twice, group 2 four times.
    takes, draws = [6, 2, 4], 8
    groups = np.repeat(np.arange(3), draws)
    answers = np.concatenate([[1] * n + [0] * (draws - n) for n in takes])
    x = [math.log(n / draws) for n in takes]
    y = [math.log(1 - n / draws) for n in takes]
    expected = mutual_info_score(groups, answers) / math.log(2)
    assert dual_pair(x, y).I_GxA == pytest.approx(expected, rel=1e-12)


@given(pairs())
def test_information_agrees_with_scipy_and_stays_in_range(pair: tuple[list[float], list[float]]) -> None:
    x, y = pair
    result = dual_pair(x, y)
    p = result.p_A
    by_entropy = entropy([p, 1 - p], base=2) - np.mean([entropy([q, 1 - q], base=2) for q in result.q])
    assert result.I_GxA == pytest.approx(by_entropy, abs=1e-12)
    assert 0.0 <= result.I_GxA <= min(1.0, math.log2(len(x)))


@given(pairs(), st.lists(st.floats(-20, 20), min_size=5, max_size=5))
def test_a_groups_own_level_changes_no_choice(pair: tuple[list[float], list[float]], levels: list[float]) -> None:
    x, y = map(np.array, pair)
    shift = np.array(levels[: len(x)])
    plain, shifted = dual_pair(x, y), dual_pair(x + shift, y + shift)
    assert shifted.q == pytest.approx(plain.q, abs=1e-12)
    assert shifted.B_GxA == pytest.approx(plain.B_GxA, abs=1e-12)
    assert shifted.I_GxA == pytest.approx(plain.I_GxA, abs=1e-12)


@given(pairs(), st.floats(-20, 20), st.floats(-20, 20))
def test_a_sentences_own_level_changes_no_bias(pair: tuple[list[float], list[float]], a: float, b: float) -> None:
    x, y = map(np.array, pair)
    plain, shifted = dual_pair(x, y), dual_pair(x + a, y + b)
    assert pytest.approx(plain.B_G, abs=1e-12) == shifted.B_G
    assert shifted.B_G_alt == pytest.approx(plain.B_G_alt, abs=1e-12)
    assert shifted.B_GxA == pytest.approx(plain.B_GxA, abs=1e-12)


@given(pairs())
def test_swapping_attribute_and_alternate(pair: tuple[list[float], list[float]]) -> None:
    x, y = pair
    plain, swapped = dual_pair(x, y), dual_pair(y, x)
    assert swapped.B_GxA.tolist() == (-plain.B_GxA).tolist()
    assert swapped.q == pytest.approx(1 - plain.q, abs=1e-15)
    assert swapped.I_GxA == pytest.approx(plain.I_GxA, abs=1e-12)
    assert swapped.contradiction == plain.contradiction
    assert (swapped.absB_avg, swapped.absB_max) == (plain.absB_avg, plain.absB_max)


@given(pairs(min_groups=3), st.randoms(use_true_random=False))
def test_the_order_of_the_contrasts_changes_no_summary(pair: tuple[list[float], list[float]], rng: Any) -> None:
    x, y = pair
    order = [0, *rng.sample(range(1, len(x)), len(x) - 1)]
    plain, other = dual_pair(x, y), dual_pair([x[i] for i in order], [y[i] for i in order])
    assert sorted(other.B_GxA) == sorted(plain.B_GxA)
    assert other.absB_max == plain.absB_max
    assert other.absB_avg == pytest.approx(plain.absB_avg)
    assert other.I_GxA == pytest.approx(plain.I_GxA, abs=1e-12)


@given(pairs(), st.sampled_from([0.0, 0.01, 1.0]))
def test_a_flip_is_a_contradiction_and_a_tie_is_neither(pair: tuple[list[float], list[float]], tie: float) -> None:
    result = dual_pair(*pair, tie=tie)
    assert result.contradiction or not result.flip
    assert not (result.tie and result.contradiction)
    if result.flip:
        assert abs(result.B_G_alt[0]) > abs(result.B_G[0])


@given(st.lists(st.floats(-1e4, 1e4), min_size=2, max_size=4))
def test_no_overflow_on_long_sentences(x: list[float]) -> None:
    y = [-value for value in reversed(x)]
    with np.errstate(all="raise"):
        result = dual_pair(x, y)
    assert all(math.isfinite(v) for v in (result.p_A, result.I_GxA, result.absB_avg, result.absB_max))
    assert ((result.q >= 0) & (result.q <= 1)).all()


def test_extremes() -> None:
    # Groups that choose with certainty and oppositely share exactly one bit; equal groups share none.
    assert dual_pair([1e4, -1e4], [-1e4, 1e4]).I_GxA == 1.0
    assert dual_pair([-1e4, -1e4], [0.0, 0.0]).I_GxA == 0.0
    assert dual_pair([0.0, -800.0], [-800.0, -801.0]).I_GxA == pytest.approx(
        precise_information([0.0, -800.0], [-800.0, -801.0]), rel=1e-12
    )


def test_ties() -> None:
    exact = dual_pair([-1.0, -1.0], [-1.0, -2.0])
    assert (exact.tie, exact.contradiction, exact.flip) == (True, False, False)
    x, y = [-1.0, -1.25], [-1.0, -2.0]
    assert dual_pair(x, y).contradiction
    measured = dual_pair(x, y, tie=0.25)
    assert (measured.tie, measured.contradiction, measured.flip) == (True, False, False)
    assert dual_pair(x, y, tie=0.2499).contradiction


def test_a_difference_of_the_biases_within_the_tie_is_no_flip() -> None:
    result = dual_pair([0.0, -1.0], [0.0, -1.1], tie=0.2)
    assert (result.contradiction, result.flip, result.tie) == (True, False, False)


def test_results_cannot_be_changed() -> None:
    result = dual_pair([0.0, 1.0], [1.0, 0.0])
    with pytest.raises(FrozenInstanceError):
        setattr(result, "p_A", 0.0)  # noqa: B010
    with pytest.raises(ValueError, match="read-only"):
        result.q[0] = 0.0


@pytest.mark.parametrize(
    ("x", "y", "tie", "message"),
    [
        ([1.0], [1.0], 0.0, "at least 2 groups"),
        ([1.0, 2.0], [1.0, 2.0, 3.0], 0.0, "x has 2, y has 3"),
        ([[1.0, 2.0]], [[1.0, 2.0]], 0.0, r"shape \(1, 2\)"),
        ([1.0, math.nan], [1.0, 2.0], 0.0, "x must be finite; group 1"),
        ([1.0, 2.0], [-math.inf, 2.0], 0.0, "y must be finite; group 0"),
        ([1.0, 2.0], [1.0, 2.0], -0.1, "tie"),
        ([1.0, 2.0], [1.0, 2.0], math.nan, "tie"),
    ],
)
def test_bad_input_is_refused(x: Any, y: Any, tie: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dual_pair(x, y, tie)


def test_outcomes_need_equal_shapes() -> None:
    with pytest.raises(ValueError, match="same shape"):
        outcomes([1.0, 2.0], [1.0])
