"""What the sections on paired differences say of them in words: comparisons of models, of tuning, and trends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dualpair.analysis.comparison import LEVEL, METRICS, POOLED
from dualpair.report.numbers import interval, significant
from dualpair.report.plots.comparison import scope_name

NAMES = {
    "I_GxA": "I_G×A",
    "absB_avg": "|B_G×A|",
    "B_GxA": "B_G×A (signed)",
    "contradiction": "Contradictions",
}
_DIGITS = 3


def summary(frame: pd.DataFrame, metric: str, unit: str, what: str) -> str:
    """A sentence on one metric: how many comparisons remain after correction, and the largest with its interval.

    Args:
        frame: paired comparisons.
        metric: one of the metrics.
        unit: what every B is measured in.
        what: what is compared, in the plural, e.g. ``comparisons of two models``.
    """
    rows = frame[(frame["metric"] == metric) & (frame["lang"] != POOLED)]
    tested = rows.dropna(subset=["p_holm"])
    name = NAMES[metric]
    if tested.empty:
        return f"{name}: no test, because no comparison has 3 clusters."
    clear = tested[tested["p_holm"] < LEVEL]
    start = f"{name}: {len(clear)} of {len(tested)} {what} within a language differ after Holm’s correction"
    together = frame[(frame["metric"] == metric) & (frame["lang"] == POOLED)].dropna(subset=["p_holm"])
    if len(together):
        pooled = together[together["p_holm"] < LEVEL]
        start += f", and {len(pooled)} of {len(together)} with all languages together"
        clear = pooled if clear.empty else clear
    if clear.empty:
        return (
            f"{start}. That is no evidence that they are equal: {_missed(metric, tested, unit)} would often be missed."
        )
    largest = clear.iloc[int(np.argmax(clear["difference"].abs().to_numpy()))]
    ends = printed_interval(metric, largest["difference_low"], largest["difference_high"])
    return (
        f"{start}; the largest difference is {significant_in(metric, largest['difference'], unit)} {ends} "
        f"({names_of(largest)}, {scope_name(str(largest['lang']))})."
    )


def summaries(frame: pd.DataFrame, unit: str, what: str) -> tuple[str, ...]:
    """:func:`summary` of every metric, or one sentence where by no metric any two models differ.

    Args:
        frame: paired comparisons.
        unit: what every B is measured in.
        what: what is compared, in the plural.
    """
    tested = frame.dropna(subset=["p_holm"])
    apart = {metric: tested[(tested["metric"] == metric) & (tested["lang"] != POOLED)] for metric in METRICS}
    counts = {(len(rows), int(((tested["metric"] == metric) & (tested["lang"] == POOLED)).sum()))
              for metric, rows in apart.items()}  # fmt: skip
    if len(counts) > 1 or (tested["p_holm"] < LEVEL).any() or not all(map(len, apart.values())):
        return tuple(summary(frame, metric, unit, what) for metric in METRICS)
    ((single, pooled),) = counts
    together = f", and 0 of {pooled} with all languages together" if pooled else ""
    missed = "; ".join(f"{NAMES[metric]}: {_missed(metric, rows, unit)}" for metric, rows in apart.items())
    return (
        f"By none of the {len(METRICS)} metrics do two models differ after Holm’s correction: 0 of {single} {what} "
        f"within a language{together}. That is no evidence that they are equal, for so few sets would often miss "
        f"({missed}).",
    )


def _missed(metric: str, tested: pd.DataFrame, unit: str) -> str:
    """Which differences so few sets hide; rates cannot differ by more than 100 percentage points."""
    least = float(tested["detectable"].median())
    if metric == "contradiction" and least > 1.0:
        return "even the largest difference that two rates can have"
    return f"differences below about {significant_in(metric, least, unit)}"


def names_of(row: pd.Series[Any]) -> str:
    """The two models of a row, e.g. ``a minus b``."""
    one, other = ("model_a", "model_b") if "model_a" in row else ("instruct", "base")
    return f"{row[one]} minus {row[other]}"


def significant_in(metric: str, value: float, unit: str) -> str:
    """A difference with its unit."""
    if metric == "contradiction":
        return f"{printed(metric, value)} percentage points"
    return f"{printed(metric, value)} {'bits' if metric == 'I_GxA' else unit}"


def printed(metric: str, value: float) -> str:
    """A difference without its unit; of rates in percentage points."""
    return significant(100.0 * value if metric == "contradiction" else value, _DIGITS)


def printed_interval(metric: str, low: float, high: float) -> str:
    """The interval of a difference without its unit; of rates in percentage points."""
    scale = 100.0 if metric == "contradiction" else 1.0
    return interval(scale * low, scale * high, _DIGITS)
