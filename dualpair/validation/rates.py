"""Acceptance, rejection and disfluency per task, language and kind of pair, before and after adjudication."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.contradictions import CONFIDENCE, wilson
from dualpair.validation.pairs import KINDS
from dualpair.validation.verdicts import ACCEPT, DISPUTED, NOT_FLUENT, REJECT

ALL = "all"
BEFORE, AFTER = "before", "after"
_SHARES = {"accept": ACCEPT, "reject": REJECT, "disfluent": NOT_FLUENT}


class Weighted(NamedTuple):
    """A re-weighted share with its interval, 0 to 1, and the effective number of items; NaN without items."""

    rate: float
    low: float
    high: float
    n: float


def rates(judged: pd.DataFrame, given: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """The `validation_rates` frame: per task, language and kind, of all annotators together and of each alone.

    Together, an item counts as what more than half of its annotators say; without such a majority it is disputed, and
    counts as neither accepted, rejected nor disfluent. Intervals are Wilson's (95 %).

    Args:
        judged: see :func:`dualpair.validation.verdicts.verdicts`.
        given: votes of every annotator, excluded ones too.
        items: see :func:`dualpair.validation.verdicts.sample_items`.
    """
    rows = []
    for (task, lang), sheet in items.groupby(["task", "lang"], sort=True):
        mine = judged[(judged["task"] == task) & (judged["lang"] == lang)]
        own = given[(given["task"] == task) & (given["lang"] == lang)]
        for kind in KINDS:
            base = {"task": task, "lang": lang, "kind": kind, "n_sampled": int((sheet["kind"] == kind).sum())}
            part = mine[mine["kind"] == kind]
            for stage in (BEFORE, AFTER):
                rows.append({**base, "annotator": ALL, "adjudication": stage, **_row(part[stage], part["weight"])})
            for annotator, said in own[own["kind"] == kind].groupby("annotator"):
                weights = said.merge(sheet[["pair_id", "weight"]], on="pair_id")["weight"]
                rows.append({**base, "annotator": annotator, "adjudication": BEFORE, **_row(said["answer"], weights)})
    declared = schemas.table("validation_rates")
    return pd.DataFrame(rows, columns=declared.names).sort_values(list(declared.key), ignore_index=True)


def weighted_rate(hits: np.ndarray[Any, Any], weights: np.ndarray[Any, Any]) -> Weighted:
    """The ratio estimate sum(w y) / sum(w) with Wilson's interval at the effective number of items.

    The effective number is Kish's (sum w)^2 / sum(w^2) (Kish 1965, Survey Sampling, section 11.7), which is the number
    of items when all weights are equal. Within strata of equal weight it is on the safe side.
    """
    total = float(weights.sum())
    if total == 0.0:
        return Weighted(math.nan, math.nan, math.nan, 0.0)
    from statsmodels.stats.proportion import proportion_confint

    rate = float((weights * hits).sum()) / total
    n = total**2 / float((weights**2).sum())
    low, high = proportion_confint(rate * n, n, alpha=1 - CONFIDENCE, method="wilson")
    return Weighted(rate, float(low), float(high), n)


def _row(answers: pd.Series, weights: pd.Series) -> dict[str, Any]:
    n = len(answers)
    row: dict[str, Any] = {"n": n, "n_disputed": int((answers == DISPUTED).sum())}
    for name, answer in _SHARES.items():
        count = int((answers == answer).sum())
        rate = wilson(count, n)
        row |= {f"n_{name}": count, f"{name}_rate": rate.rate, f"{name}_low": rate.low, f"{name}_high": rate.high}
    for name in ("accept", "reject"):
        hits = (answers == _SHARES[name]).to_numpy(dtype=float)
        found = weighted_rate(hits, weights.to_numpy(dtype=float))
        row |= {
            f"weighted_{name}_rate": found.rate,
            f"weighted_{name}_low": found.low,
            f"weighted_{name}_high": found.high,
            "n_effective": found.n,
        }
    return row
