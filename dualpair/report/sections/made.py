"""The report's section on what was made: groups, paraphrases, alternates and pairs per set."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from dualpair.analysis.made import ALL_TYPES, COUNTS
from dualpair.languages import language_name, language_names
from dualpair.report.numbers import not_enough
from dualpair.report.section import MORE_PAIRS, Facts, Section, ShownTable

ID, TITLE = "made", "What was made"
TABLES = ("made",)
_NAMES = {"groups": "Groups", "paraphrases": "Paraphrases", "alternates": "Alternates", "pairs": "Pairs"}
_QUESTION = "How many sets, wordings and pairs did the run make of the stereotypes it was given?"
_CAPTION = (
    "Per kept set: mean / median / maximum. Groups include the stereotyped one (at least 2). Paraphrases are those "
    "that passed every filter, without the original; alternates those that did, of all variants together; a pair is "
    "a variant with the one alternate that it uses. Sets for which nothing was made count with 0."
)


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section of the ``made`` table."""
    frame = frames["made"]
    total = frame.loc[frame["bias_type"] == ALL_TYPES]
    view = made_view(frame)
    shown = ShownTable("made", _CAPTION, view, tuple(view.columns[2:]), folded=len(frame) > 24)
    few = "" if int(total["n_sets"].sum()) else not_enough(0, 1, "kept set")
    return Section(ID, TITLE, _lead(total), (), (shown,), _cautions(total, facts), (), few, MORE_PAIRS)


def made_view(frame: pd.DataFrame) -> pd.DataFrame:
    """The ``made`` table as printed text."""
    columns: dict[str, list[str]] = {
        "Language": language_names(frame["lang"]),
        "Bias type": frame["bias_type"].astype(str).tolist(),
        "Stereotypes": frame["n_stereotypes"].astype(str).tolist(),
        "Sets": frame["n_sets"].astype(str).tolist(),
        "With a pair": frame["n_paired"].astype(str).tolist(),
    }
    for name in COUNTS:
        cells = zip(frame[f"{name}_mean"], frame[f"{name}_median"], frame[f"{name}_max"], strict=True)
        columns[_NAMES[name]] = [_counts(mean, median, most) for mean, median, most in cells]
    return pd.DataFrame(columns)


def _counts(mean: float, median: float, most: float) -> str:
    return "" if pd.isna(mean) else f"{mean:.2f} / {median:g} / {most:g}"


def _lead(total: pd.DataFrame) -> tuple[str, ...]:
    known = total.loc[total["n_sets"] > 0]
    sentences = [
        f"{language_name(str(row['lang']))}: {row['n_sets']} of {row['n_stereotypes']} stereotypes became sets, "
        f"{row['n_paired']} of them with at least one pair; per set {row['paraphrases_mean']:.2f} "
        f"paraphrases and {row['pairs_mean']:.2f} pairs on average."
        for row in known.to_dict("records")
    ]
    return (_QUESTION, " ".join(sentences)) if sentences else (_QUESTION,)


def _cautions(total: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    lacking = [
        language_name(lang) for lang in facts.languages if lang not in set(total.loc[total["n_paired"] > 0, "lang"])
    ]
    return (f"No pair was made in: {', '.join(lacking)}.",) if lacking else ()
