"""The report's section on contradictions and flips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair.languages import language_name
from dualpair.report.numbers import not_enough, percent, percent_interval
from dualpair.report.plots.rates import UNIT_NAMES, contradiction_map, shown_interval, unit_panels
from dualpair.report.section import MORE_PAIRS, Facts, Section, ShownTable
from dualpair.report.tables import contradictions_mean_view, contradictions_view

ID, TITLE = "contradictions", "Contradictions and flips"
TABLES = ("contradictions", "contradictions_mean")
_NUMERIC = ("n", "Clusters", "Ties", "Contradictions", "Over clusters", "Flips", "Over clusters (flips)")


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section of the ``contradictions`` and ``contradictions_mean`` tables."""
    frame, means = frames["contradictions"], frames["contradictions_mean"]
    drawings = [contradiction_map(frame, kind, "original", means, facts.models) for kind in ("contradiction", "flip")]
    drawings += [unit_panels(frame, kind, facts.models) for kind in ("contradiction", "flip")]
    original = frame.loc[(frame["unit"] == "original") & (frame["n"] > 0)]
    return Section(
        ID,
        TITLE,
        _lead(frame, original),
        tuple(drawings),
        (
            ShownTable("contradictions", _caption(facts), rates_view(frame), _NUMERIC, len(frame) > 24),
            ShownTable("contradictions_mean", _MEANS, means_view(means), ("Cells", "n"), folded=True),
        ),
        _cautions(frame, facts),
        _methods(facts),
        "" if len(original) else not_enough(0, 1, "original attribute with a usable pair"),
        MORE_PAIRS,
    )


def rates_view(frame: pd.DataFrame) -> pd.DataFrame:
    """The ``contradictions`` table as printed text, languages and units in words."""
    return contradictions_view(frame).assign(Unit=frame["unit"].map(UNIT_NAMES).tolist())


def means_view(frame: pd.DataFrame) -> pd.DataFrame:
    """The ``contradictions_mean`` table as printed text, languages and units in words."""
    return contradictions_mean_view(frame).assign(Unit=frame["unit"].map(UNIT_NAMES).tolist())


_MEANS = (
    "Mean rates over models (one row per language) and over languages (one row per model). Each cell counts once, "
    "with 95 % bootstrap intervals over clusters: other stereotypes, the same models and languages. 0 to 100 %, none "
    "is 0."
)


def _lead(frame: pd.DataFrame, original: pd.DataFrame) -> tuple[str, ...]:
    asked = (
        "How often would a single minimal pair have misled? A contradiction is a stereotype for which a model prefers "
        "the same group for an attribute and for its opposite: the pair would have reported a bias that the opposite "
        "denies. A flip is a contradiction in which the opposite weighs more, so that the bias points the other way "
        "once both are seen."
    )
    if original.empty:
        return (asked,)
    return asked, _range(original), _other_units(frame)


def _range(original: pd.DataFrame) -> str:
    shown = shown_interval(original, "contradiction")
    rates = shown["contradiction_rate"]
    low, high = shown.iloc[int(rates.argmin())], shown.iloc[int(rates.argmax())]
    flips = f"Flips: {_span(original['flip_rate'])}."
    if len(shown) == 1:
        return f"The contradiction rate of {_cell(low)} is {_rate(low)} (n = {low['n']}). {flips}"
    if low["contradiction_rate"] == high["contradiction_rate"]:
        return f"The contradiction rate is {percent(low['contradiction_rate'])} in all {len(shown)} rows. {flips}"
    return (
        f"The contradiction rate lies between {_rate(low)} ({_cell(low)}) and {_rate(high)} "
        f"({_cell(high)}). {flips} Extremes of many rates are extreme by chance, too: the intervals "
        "are not corrected for their number."
    )


def _other_units(frame: pd.DataFrame) -> str:
    spans = [
        f"{name[0].lower()}{name[1:]}: {_span(rows['contradiction_rate'])}"
        for unit, name in UNIT_NAMES.items()
        if unit != "original" and len(rows := frame.loc[(frame["unit"] == unit) & (frame["n"] > 0)])
    ]
    return f"By the other units that can be counted, the rates are: {'; '.join(spans)}."


def _cell(row: Mapping[Any, Any] | pd.Series) -> str:
    return f"{row['model']}, {language_name(str(row['lang']))}"


def _rate(row: pd.Series) -> str:
    ends = percent_interval(row["low"], row["high"])
    return percent(row["contradiction_rate"]) + (f" [{ends}]" if ends else "")


def _span(rates: pd.Series) -> str:
    low, high = percent(rates.min()), percent(rates.max())
    return low if low == high else f"{low} to {high}"


def _caption(facts: Facts) -> str:
    return (
        "Share of units with a contradiction and with a flip. 0 to 100 %, none is 0; where the two sides had signs by "
        "chance, half would contradict and a quarter flip. Behind the rate Wilson’s 95 % interval, for which "
        "units are independent; then the 95 % bootstrap interval over clusters, which holds for units that share a "
        f"stereotype. A tie ({'exact equality' if facts.tie == 0 else f'at most {facts.tie:g} {facts.unit}'}) counts "
        "as neither and stays in n."
    )


def _cautions(frame: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    texts = []
    without = frame.loc[(frame["unit"] == "original") & (frame["n"] == 0)]
    if len(without):
        cells = "; ".join(_cell(row) for row in without.to_dict("records"))
        texts.append(f"No original attribute has a usable pair in {cells}; a paraphrase never takes its place.")
    ties = int(frame.loc[frame["unit"] == "variants", "n_ties"].sum())
    if ties:
        total = int(frame.loc[frame["unit"] == "variants", "n"].sum())
        texts.append(f"{ties} of {total} variants are ties.")
    if facts.tie == 0:
        texts.append(
            "Every difference counts, however small: a sign that noise of the arithmetic could turn is no tie."
        )
    return tuple(texts)


def _methods(facts: Facts) -> tuple[str, ...]:
    tie = "exactly equal" if facts.tie == 0 else f"within {facts.tie:g} {facts.unit}"
    return (
        "A contradiction is a set whose B_G and B_G_alt (original attribute, first contrast) have the same sign, a "
        f"flip one whose B_G×A and B_G have opposite signs; values that are {tie} have no sign. Rates have Wilson 95 "
        f"% intervals and percentile bootstrap intervals over clusters ({facts.analysis['bootstrap']} resamples, seed "
        f"{facts.seed}).",
    )
