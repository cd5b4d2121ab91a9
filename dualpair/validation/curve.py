"""Human acceptance against the filters' scores, and the thresholds that it suggests.

A paraphrase is filtered by its similarity (at least) and its greater probability of contradiction (at most), an
alternate by its smaller probability of contradiction (more than); an alternate's similarity decides nothing. Where a
run has a fit of acceptance, both are filtered by P(accepted) too (at least).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.contradictions import wilson
from dualpair.report.numbers import not_enough, percent
from dualpair.validation.pairs import MISMATCHED
from dualpair.validation.rates import AFTER
from dualpair.validation.verdicts import ACCEPT

MAX_BINS, MIN_PER_BIN = 5, 10
SIMILARITY, MOST, LEAST, LIKELY = "similarity", "max_contradiction", "min_contradiction", "acceptance"


class Score(NamedTuple):
    """A filter's score: its name, whether more of it is better, and whether selection has a threshold for it."""

    name: str
    more_is_better: bool
    decides: bool


SCORES = {
    "paraphrase": (Score(SIMILARITY, True, True), Score(MOST, False, True), Score(LIKELY, True, True)),
    "alternate": (Score(LEAST, True, True), Score(SIMILARITY, True, False), Score(LIKELY, True, True)),
}


def scores_of(task: str, judged: pd.DataFrame) -> list[Score]:
    """A task's scores: P(accepted) only in a run that has it."""
    return [score for score in SCORES[task] if score.name != LIKELY or judged[LIKELY].notna().any()]


def scored(judged: pd.DataFrame) -> pd.DataFrame:
    """Accepted and below-threshold items with ``max_contradiction``, ``min_contradiction`` and ``hit`` (accepted).

    A mismatched pair has no scores of its own. The verdict is the one after adjudication.
    """
    own = judged[judged["kind"] != MISMATCHED].copy()
    both = own[["contradiction_forward", "contradiction_backward"]]
    own[MOST] = both.max(axis=1, skipna=False)
    own[LEAST] = both.min(axis=1, skipna=False)
    own["hit"] = own[AFTER] == ACCEPT
    return own


def curve(judged: pd.DataFrame) -> pd.DataFrame:
    """The `validation_curve` frame: acceptance with Wilson's interval in up to five bins of equally many items.

    Bins have ten items or more where there are so many; items of one score stay together.

    Args:
        judged: see :func:`dualpair.validation.verdicts.verdicts`.
    """
    rows = []
    for (task, lang), part in scored(judged).groupby(["task", "lang"], sort=True):
        for score in scores_of(str(task), part):
            known = part.dropna(subset=[score.name])
            for number, own in enumerate(_bins(known, score.name), start=1):
                count = int(own["hit"].sum())
                rate = wilson(count, len(own))
                ends = {"bin_low": float(own[score.name].min()), "bin_high": float(own[score.name].max())}
                base = {"task": task, "lang": lang, "score": score.name, "bin": number, **ends}
                rows.append({**base, "n": len(own), "n_accept": count, **rate._asdict()})
    return pd.DataFrame(rows, columns=schemas.table("validation_curve").names)


def thresholds(judged: pd.DataFrame, target: float) -> pd.DataFrame:
    """The `validation_thresholds` frame: per score that selection uses, the loosest threshold that people bear out.

    The rule: of the scores that occur, the loosest such that, among the items that pass it, the lower end of the
    accepted share's Wilson interval is at least ``target``. Every threshold is tried on the same items, so the interval
    at the one that is found is too narrow: judge new pairs before relying on it.

    Args:
        judged: see :func:`dualpair.validation.verdicts.verdicts`.
        target: least accepted share, above 0 and below 1.
    """
    rows = []
    for (task, lang), part in scored(judged).groupby(["task", "lang"], sort=True):
        for score in scores_of(str(task), part):
            if score.decides:
                known = part.dropna(subset=[score.name])
                rows.append({"task": task, "lang": lang, "score": score.name, **_suggested(known, score, target)})
    return pd.DataFrame(rows, columns=schemas.table("validation_thresholds").names)


def items_needed(target: float) -> int:
    """The fewest items that, all accepted, have a Wilson interval above ``target``."""
    n = 1
    while wilson(n, n).low < target:
        n += 1
    return n


def _bins(known: pd.DataFrame, name: str) -> list[pd.DataFrame]:
    if known.empty:
        return []
    size = len(known) / max(1, min(MAX_BINS, len(known) // MIN_PER_BIN))
    bins: list[list[float]] = [[]]
    filled = 0
    for value, count in known[name].value_counts().sort_index().items():
        if filled >= size:
            bins, filled = [*bins, []], 0
        bins[-1].append(float(str(value)))
        filled += int(count)
    if filled < MIN_PER_BIN and len(bins) > 1:
        bins[-2:] = [bins[-2] + bins[-1]]
    return [known[known[name].isin(values)] for values in bins]


def _suggested(known: pd.DataFrame, score: Score, target: float) -> dict[str, Any]:
    needs, n = items_needed(target), len(known)
    row = {"target": target, "n": n, "needs": needs, "threshold": math.nan, "n_pass": 0, "rate": math.nan,
           "low": math.nan, "high": math.nan}  # fmt: skip
    if n < needs:
        return {**row, "text": not_enough(n, needs, "judged pairs")}
    values = known[score.name].to_numpy(dtype=float)
    hits = known["hit"].to_numpy(dtype=bool)
    for value in np.unique(values) if score.more_is_better else np.unique(values)[::-1]:
        passing = values >= value if score.more_is_better else values <= value
        rate = wilson(int(hits[passing].sum()), int(passing.sum()))
        if rate.low >= target:
            sign = "at least" if score.more_is_better else "at most"
            text = f"{sign} {value:.4g}: {percent(rate.rate)} of {int(passing.sum())} accepted"
            return {**row, "threshold": float(value), "n_pass": int(passing.sum()), "rate": rate.rate,
                    "low": rate.low, "high": rate.high, "text": text}  # fmt: skip
    return {**row, "text": f"no threshold: at none is acceptance above {percent(target)} with 95 % confidence"}
