"""How numbers are printed: four significant digits, percentages with one decimal, a real minus sign."""

from __future__ import annotations

import math
from collections.abc import Iterable

from dualpair.analysis.resampling import FEW_CLUSTERS

MINUS = "\u2212"
DASH = "\u2013"


def significant(value: float | None, digits: int = 4) -> str:
    """``value`` with that many significant digits, trailing zeros kept; empty when missing (None or NaN)."""
    if value is None or math.isnan(value):
        return ""
    if value == 0:
        return "0"
    return f"{value:#.{digits}g}".removesuffix(".").replace("-", MINUS)


def percent(value: float | None) -> str:
    """A share (0 to 1) in percent with one decimal, e.g. ``23.4 %``; empty when missing."""
    if value is None or math.isnan(value):
        return ""
    return f"{100 * value:.1f}\u00a0%"


def interval(low: float | None, high: float | None, digits: int = 4) -> str:
    """``[low, high]`` with significant digits; empty when either end is missing."""
    ends = (significant(low, digits), significant(high, digits))
    return f"[{ends[0]}, {ends[1]}]" if all(ends) else ""


def round_percent(value: float) -> str:
    """A share (0 to 1) that someone chose, in percent without needless decimals, e.g. ``80 %``."""
    return f"{100 * value:.3g}\u00a0%"


def percent_interval(low: float | None, high: float | None) -> str:
    """``low–high %`` of shares, e.g. ``17.0–30.1 %``; empty when either end is missing."""
    ends = (percent(low), percent(high))
    return f"{ends[0].removesuffix(chr(0xA0) + '%')}{DASH}{ends[1]}" if all(ends) else ""


def span(values: Iterable[int]) -> str:
    """Smallest and largest of some counts, e.g. ``4–10``, or the one number that all of them are."""
    found = sorted(values)
    return str(found[0]) if found[0] == found[-1] else f"{found[0]}{DASH}{found[-1]}"


def few_clusters(clusters: Iterable[int], what: str = "intervals") -> str:
    """The caution about intervals of few clusters; empty where none has fewer than 20.

    Args:
        clusters: how many clusters each interval rests on.
        what: what is counted, in the plural.
    """
    counts = [int(count) for count in clusters]
    few = [count for count in counts if count < FEW_CLUSTERS]
    if not few:
        return ""
    return (
        f"{len(few)} of {len(counts)} {what} rest on {span(few)} clusters; percentile intervals of fewer than "
        f"{FEW_CLUSTERS} are too narrow."
    )


def p_value(p: float) -> str:
    """A p-value with three decimals, or ``< 0.001``; empty when missing."""
    if math.isnan(p):
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def rounded(value: float, digits: int = 6) -> float:
    """``value`` rounded to significant digits, for compact embedding."""
    return float(f"{value:.{digits}g}")


def not_enough(n: int, needs: int, what: str = "") -> str:
    """The text that stands where an analysis lacks data, e.g. ``not enough data (n = 2, needs 3 clusters)``."""
    return f"not enough data (n = {n}, needs {needs}{' ' + what if what else ''})"
