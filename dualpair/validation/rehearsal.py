"""Annotators made up by hash, with known error rates: to try a study out, and its numbers, before people are paid.

Each item has a true answer, drawn by the rates of its kind; each annotator gives it but for an error rate of their own,
and then one of the other two answers. So what a study should find is known: exactly, where nobody errs, and in
expectation else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import NormalDist
from typing import Any, NamedTuple

import pandas as pd

from dualpair.traits import HIGH, LOW
from dualpair.validation.digests import digest
from dualpair.validation.instructions import ANSWERS
from dualpair.validation.pairs import KINDS
from dualpair.validation.ratings_design import RATING

# Share of each of ANSWERS among the true answers of each of KINDS.
Rates = Mapping[str, tuple[float, float, float]]
DEFAULT_RATES: Rates = {
    "accepted": (0.9, 0.05, 0.05),
    "mismatched": (0.0, 1.0, 0.0),
    "below_threshold": (0.4, 0.5, 0.1),
}
_DIGITS = 13  # hexadecimal digits of a hash that make a number from 0 to 1
_LEAST, _MOST = 20, 80  # true mean ratings: far enough from both ends that noise is seldom cut off
_AGAIN = 0.5  # noise of a repeated slider, of that between annotators


class Rater(NamedTuple):
    """An annotator of the survey: noise in points round the true mean (standard deviation), or clicks at random."""

    noise: float
    careless: bool = False


def check_rates(rates: Rates) -> None:
    """Refuse rates that are no distribution.

    Raises:
        ValueError: another kind, or shares that are negative or do not add up to 1.
    """
    for kind, shares in rates.items():
        if kind not in KINDS or len(shares) != len(ANSWERS) or min(shares) < 0 or abs(sum(shares) - 1) > 1e-9:
            raise ValueError(
                f"rates of {kind!r}: found {tuple(shares)}; give one of {', '.join(KINDS)} a share of 0 or more for "
                f"each of {', '.join(ANSWERS)}, which add up to 1"
            )


def truths(items: pd.DataFrame, rates: Rates, seed: int) -> dict[str, str]:
    """Pair id to its true answer.

    Args:
        items: `sheet_key` rows, of any annotators.
        rates: see :data:`Rates`.
        seed: of the draw.
    """
    check_rates(rates)
    kinds = dict(zip(items["pair_id"], items["kind"], strict=True))
    return {pair: _pick(uniform(seed, "truth", pair), rates[kind]) for pair, kind in sorted(kinds.items())}


def said(truth: Mapping[str, str], error: float, seed: int, annotator: str) -> dict[str, str]:
    """Pair id to what an annotator says: the truth, or with probability ``error`` one of the other two answers.

    Raises:
        ValueError: an error rate outside 0 to 1.
    """
    if not 0 <= error <= 1:
        raise ValueError(f"error rate of {annotator}: found {error}, allowed is 0 to 1")
    found = {}
    for pair, right in truth.items():
        others = [answer for answer in ANSWERS if answer != right]
        wrong = others[uniform(seed, "other", annotator, pair) < 0.5]
        found[pair] = wrong if uniform(seed, "error", annotator, pair) < error else right
    return found


def expected_share(shares: tuple[float, float, float], answer: str, error: float) -> float:
    """Share of an annotator's answers that are ``answer``, in expectation: right ones, and errors of others."""
    own = shares[ANSWERS.index(answer)]
    return own * (1 - error) + (1 - own) * error / 2


def true_mean(seed: int, lang: str, group: str, low: str) -> int:
    """The true mean rating of a group on a trait pair, 20 to 80."""
    return _LEAST + round(uniform(seed, "mean", lang, group, low) * (_MOST - _LEAST))


def ratings(questions: Iterable[Any], rater: Rater, seed: int) -> dict[str, int]:
    """Item id to the whole number that an annotator of the survey enters.

    A careful one sets a slider near the true mean, sets a repeated one nearly as before, and answers both recall
    questions rightly; a careless one enters anything.

    Args:
        questions: an annotator's `ratings_key` rows, in order.
        rater: what the annotator is like.
        seed: of the draw.
    """
    first: dict[tuple[str, str], float] = {}
    found = {}
    for one in questions:
        if one.kind != RATING:
            options = len(one.options)
            found[one.item_id] = _anything(seed, one, 1, options) if rater.careless else int(one.right_answer)
        elif rater.careless:
            found[one.item_id] = _anything(seed, one, LOW, HIGH)
        else:
            spread = NormalDist().inv_cdf(uniform(seed, "slider", one.item_id)) * rater.noise
            cell = (one.group, one.low)
            centre = first[cell] if one.repeated else true_mean(seed, one.lang, *cell)
            first.setdefault(cell, centre + spread)
            value = min(HIGH, max(LOW, round(centre + spread * (_AGAIN if one.repeated else 1.0))))
            found[one.item_id] = value if one.low_left else LOW + HIGH - value
    return found


def uniform(*parts: object) -> float:
    """A number above 0 and below 1 that is a hash of the parts."""
    return (int(digest("rehearsal", *parts)[:_DIGITS], 16) + 0.5) / 16.0**_DIGITS


def _pick(number: float, shares: tuple[float, float, float]) -> str:
    reached = 0.0
    for answer, share in zip(ANSWERS, shares, strict=True):
        reached += share
        if number < reached:
            return answer
    return next(answer for answer, share in zip(reversed(ANSWERS), reversed(shares), strict=True) if share > 0)


def _anything(seed: int, one: Any, least: int, most: int) -> int:
    return least + int(uniform(seed, "anything", one.item_id) * (most - least + 1))
