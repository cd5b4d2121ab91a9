"""The report's headline: means over sets per model and language, with intervals."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from dualpair.analysis.resampling import MIN_CLUSTERS
from dualpair.languages import language_name
from dualpair.report.numbers import few_clusters, not_enough, significant
from dualpair.report.plots.headline import headline_plots
from dualpair.report.section import MORE_PAIRS, Facts, Section, ShownTable
from dualpair.report.tables import headline_view

ID, TITLE = "headline", "Means over sets"
TABLES = ("headline",)
_NUMERIC = ("Sets", "Clusters", "Pairs")


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section of the ``headline`` table."""
    frame = frames["headline"]
    few = not_enough(0, 1, "set with a usable pair") if frame.empty else ""
    return Section(
        ID,
        TITLE,
        _lead(frame, facts),
        tuple(headline_plots(frame, facts.unit, facts.models)),
        (ShownTable("headline", _caption(facts), headline_view(frame, facts.unit), _NUMERIC),),
        cautions(frame, facts),
        _methods(facts),
        few,
        MORE_PAIRS,
    )


def missing_cells(frame: pd.DataFrame, facts: Facts) -> list[str]:
    """Models and languages of the run that have no row, as ``model, language``."""
    found = set(zip(frame["model"], frame["lang"], strict=True))
    return [
        f"{model}, {language_name(lang)}"
        for model in sorted(facts.models)
        for lang in facts.languages
        if (model, lang) not in found
    ]


def cautions(frame: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    """What is missing, and what intervals do not say."""
    texts = []
    lacking = missing_cells(frame, facts)
    if lacking:
        texts.append(f"{len(lacking)} combinations of model and language have no usable pair: {'; '.join(lacking)}.")
    few = frame.loc[frame["n_clusters"] < MIN_CLUSTERS]
    if len(few):
        what = "row has" if len(few) == 1 else "rows have"
        texts.append(f"{len(few)} {what} under {MIN_CLUSTERS} clusters and so no interval.")
    narrow = few_clusters(frame.loc[frame["I_GxA_low"].notna(), "n_clusters"], "rows with intervals")
    if narrow:
        texts.append(narrow)
    if len(frame) > 1:
        texts.append(
            "The intervals are of one row each and not corrected for their number. Whether two rows differ is a "
            "question for the paired comparisons: intervals may overlap although the difference is clear, and the "
            "other way round."
        )
    return tuple(texts)


def _lead(frame: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    asked = (
        "How strongly does the group decide between an attribute and its opposite? B_G compares two groups on the "
        "attribute alone; B_G×A also takes away what they differ by on its opposite; I_G×A is what the group tells "
        "about the choice, whatever the direction."
    )
    if frame.empty:
        return (asked,)
    return asked, _found(frame), _direction(frame, facts)


def _found(frame: pd.DataFrame) -> str:
    low, high = frame.iloc[int(frame["I_GxA"].argmin())], frame.iloc[int(frame["I_GxA"].argmax())]
    if len(frame) == 1:
        return f"Mean I_G×A of {_cell(low)} is {_with_interval(low)}; 0 bits would be no bias."
    return (
        f"Mean I_G×A lies between {_with_interval(low)} ({_cell(low)}) and {_with_interval(high)} ({_cell(high)}); 0 "
        "bits would be no bias. I_G×A and |B_G×A| are above 0 by chance alone, so that an interval above 0 proves "
        "nothing: compare with other models, languages or wordings."
    )


def _direction(frame: pd.DataFrame, facts: Facts) -> str:
    known = frame.dropna(subset=["B_GxA_low", "B_GxA_high"])
    if known.empty:
        return f"No row has the {MIN_CLUSTERS} clusters that an interval needs, so that no direction can be told."
    towards, away = int((known["B_GxA_low"] > 0).sum()), int((known["B_GxA_high"] < 0).sum())
    rest = len(known) - towards - away
    return (
        f"The interval of mean B_G×A lies above 0 (towards the stereotype as the source states it) in {towards} of "
        f"{len(known)} rows, below 0 in {away}, and includes 0 in {rest}. B is in {facts.unit}."
    )


def _cell(row: pd.Series) -> str:
    return f"{row['model']}, {language_name(str(row['lang']))}"


def _with_interval(row: pd.Series) -> str:
    low, high = significant(row["I_GxA_low"], 3), significant(row["I_GxA_high"], 3)
    ends = f" [{low}, {high}]" if low and high else ""
    return f"{significant(row['I_GxA'], 3)} bits{ends}"


def _caption(facts: Facts) -> str:
    return (
        "Means over sets, each set counting once, with 95 % bootstrap intervals over clusters (none under "
        f"{MIN_CLUSTERS}). B in {facts.unit}: any sign, neutral 0; |B|: 0 or more; I_G×A in bits: 0 to 1; no bias is "
        "0 for both."
    )


def _methods(facts: Facts) -> tuple[str, ...]:
    return (
        "Set values are plain means over all contrasts and variants of a set, absolute values taken first; the table "
        f"has plain means over sets with 95 % percentile bootstrap intervals ({facts.analysis['bootstrap']} resamples "
        f"of whole clusters, seed {facts.seed}).",
    )
