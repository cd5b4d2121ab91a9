"""Contradiction and flip rates per model and language, with Wilson intervals.

Source: dual minimal pairs (arXiv 2610.08747), introduction and figure 3. The four units that are counted:

* ``original``: one stereotype, the original attribute, first contrast. The headline number.
* ``contrasts``: the original attribute with every contrast.
* ``variants``: every variant (original and paraphrases), first contrast.
* ``set_means``: one set, by its mean B_G and mean B_G_alt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.measures.dual_pair import Bools, Outcomes, outcomes
from dualpair.measures.tables import ORIGINAL

UNITS = ("original", "contrasts", "variants", "set_means")
CONFIDENCE = 0.95


class Rate(NamedTuple):
    """A share with its Wilson interval, all 0 to 1; three times NaN when nothing was counted."""

    rate: float
    low: float
    high: float


def rates(measures: pd.DataFrame, set_measures: pd.DataFrame, tie: float = 0.0) -> pd.DataFrame:
    """Contradiction and flip rates of every model and language, for the four units.

    Ties count in n and as neither contradiction nor flip. Units that share a set are not independent (variants above
    all), so only the intervals of ``original`` and ``set_means`` have their nominal meaning.

    Args:
        measures: the ``measures`` table of one or more models.
        set_measures: the ``set_measures`` table of the same models.
        tie: the tie (nats) that the measures were taken with.

    Returns:
        The ``contradictions`` table, sorted by model, lang and unit; four rows per model and language.

    Raises:
        ValueError: if the two tables cover other models and languages, or the measures were taken with another tie.
    """
    by = ["model", "lang"]
    variants = dict(list(measures.groupby(by, sort=True)))
    sets = dict(list(set_measures.groupby(by, sort=True)))
    if variants.keys() != sets.keys():
        odd = sorted(map(str, variants.keys() ^ sets.keys()))
        raise ValueError(f"measures and set_measures cover different models and languages: {', '.join(odd)}")
    _check_tie(measures, tie)
    rows = [
        {"model": key[0], "lang": key[1], "unit": unit, **_counts(found)}
        for key in variants
        for unit, found in _units(variants[key], sets[key], tie).items()
    ]
    frame = pd.DataFrame(rows, columns=schemas.table("contradictions").names)
    return frame.sort_values(["model", "lang", "unit"], ignore_index=True)


def wilson(count: int, n: int, confidence: float = CONFIDENCE) -> Rate:
    """The share count / n with its two-sided Wilson score interval; NaN when n is 0.

    Raises:
        ValueError: unless 0 <= count <= n.
    """
    if not 0 <= count <= n:
        raise ValueError(f"count must lie between 0 and n = {n}; found {count}")
    if n == 0:
        return Rate(float("nan"), float("nan"), float("nan"))
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(count, n, alpha=1 - confidence, method="wilson")
    return Rate(count / n, float(low), float(high))


def _units(measures: pd.DataFrame, sets: pd.DataFrame, tie: float) -> dict[str, Outcomes]:
    original = measures.loc[measures["variant_id"] == ORIGINAL]
    return {
        "original": _recorded(original),
        "contrasts": outcomes(_flat(original["B_G"]), _flat(original["B_G_alt"]), tie),
        "variants": _recorded(measures),
        "set_means": outcomes(sets["B_G"].to_numpy(float), sets["B_G_alt"].to_numpy(float), tie),
    }


def _flat(column: pd.Series[Any]) -> list[float]:
    return [float(value) for values in column for value in values]


def _recorded(measures: pd.DataFrame) -> Outcomes:
    def flags(name: str) -> Bools:
        return measures[name].to_numpy(dtype=np.bool_)

    return Outcomes(flags("contradiction"), flags("flip"), flags("tie"))


def _check_tie(measures: pd.DataFrame, tie: float) -> None:
    b_g, b_g_alt = ([float(values[0]) for values in measures[name]] for name in ("B_G", "B_G_alt"))
    again = outcomes(b_g, b_g_alt, tie)
    stored = _recorded(measures)
    odd = np.zeros(len(measures), dtype=bool)
    for one, other in zip(again, stored, strict=True):
        odd |= one != other
    if odd.any():
        row = measures.iloc[int(np.flatnonzero(odd)[0])]
        raise ValueError(
            f"{int(odd.sum())} rows of measures have other outcomes than tie = {tie} gives, e.g. set {row['set_id']}, "
            f"{row['lang']}, {row['variant_id']}, {row['model']}; pass the tie that the measures were taken with"
        )


def _counts(found: Outcomes) -> dict[str, Any]:
    n = int(found.tie.size)
    result: dict[str, Any] = {"n": n, "n_ties": int(found.tie.sum())}
    for name, flags in (("contradiction", found.contradiction), ("flip", found.flip)):
        count = int(flags.sum())
        rate = wilson(count, n)
        result |= {
            f"n_{name}s": count,
            f"{name}_rate": rate.rate,
            f"{name}_low": rate.low,
            f"{name}_high": rate.high,
        }
    return result
