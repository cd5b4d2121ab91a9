"""Printed rows of the report's sections: frames to text, no markup."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
import yaml

from dualpair import languages
from dualpair.analysis.contradictions import UNITS
from dualpair.analysis.funnel import KEPT, STAGES
from dualpair.analysis.resampling import MIN_CLUSTERS
from dualpair.measures import spans
from dualpair.report.data import ReportData
from dualpair.report.numbers import interval, not_enough, percent, percent_interval, significant

HEADLINE_METRICS = {
    "B_G": "B_G ({unit})",
    "B_GxA": "B_G×A ({unit})",
    "absB_avg": "|B_G×A| ({unit})",
    "I_GxA": "I_G×A (bits)",
}
_NORMALISATIONS = {
    "mean": "the mean natural log-probability per token",
    "sum": "the natural log-probability",
    "char": "the natural log-probability per character",
    "byte": "the natural log-probability per UTF-8 byte",
}
_SCOPES = {
    "attribute": "the attribute (with the sentence’s final mark) given the group",
    "sentence": "the whole sentence",
    "divergent": "the sentence from the first token on at which the groups’ sentences differ",
}
UNIT_NAMES = {
    "original": "Original attribute, first contrast",
    "contrasts": "Original attribute, every contrast",
    "variants": "Every variant, first contrast",
    "set_means": "Means of sets",
}
STAGE_NAMES = {
    "stereotypes": "Source sentences",
    "sets": "Split into sets",
    "paraphrase": "Paraphrase candidates",
    "alternate": "Alternate candidates",
    "augmented": "Variants paired",
}


class Estimate(NamedTuple):
    """A printed number, what it is, and what stands below it."""

    label: str
    value: str
    interval: str


class HeadlineRow(NamedTuple):
    """One model in one language."""

    model: str
    lang: str
    language: str
    n_sets: int
    n_clusters: int
    n_variants: int
    estimates: list[Estimate]


class RateView(NamedTuple):
    """A printed rate with its interval, and the ends as percentages for the bar (0 to 100)."""

    rate: str
    interval: str
    point: float
    low: float
    high: float


class ContradictionRow(NamedTuple):
    """Rates of one model in one language and unit."""

    model: str
    lang: str
    language: str
    n: int
    n_ties: int
    contradiction: RateView | None
    flip: RateView | None
    shortfall: str


class FunnelRow(NamedTuple):
    """One stage in one language."""

    lang: str
    language: str
    stage: str
    visited: int
    kept: int
    dropped: int
    share: str
    width: float
    reasons: str


class Fact(NamedTuple):
    """One number of the overview and its label."""

    value: str
    label: str


def unit(data: ReportData) -> str:
    """What x, y and every B of the run are measured in, from its settings."""
    return spans.UNITS[_scoring(data)[0]]


def score_meaning(data: ReportData) -> str:
    """What the run's score of a sentence is, in words."""
    normalisation, scope = _scoring(data)
    return f"{_NORMALISATIONS[normalisation]} of {_SCOPES[scope]}"


def _scoring(data: ReportData) -> tuple[str, str]:
    """Normalisation and scope of the settings; the paper's where they name none."""
    config = yaml.safe_load(data.config_yaml)
    settings = (config.get("scoring") or {}) if isinstance(config, dict) else {}
    return settings.get("normalisation", "mean"), settings.get("scope", "attribute")


def language_name(code: str) -> str:
    """English name of a language, or its code where it is not in the registry."""
    return languages.get(code).name if code in languages.known() else code


def facts(data: ReportData) -> list[Fact]:
    """The overview's numbers."""
    pairs = data.augmented
    counts = [
        (len(data.measures), "model", "models"),
        (pairs["lang"].nunique(), "language", "languages"),
        (pairs["set_id"].nunique(), "stereotype", "stereotypes"),
        (
            len(pairs[["lang", "set_id"]].drop_duplicates()),
            "set",
            "sets (one per language)",
        ),
        (len(pairs), "usable dual pair", "usable dual pairs"),
    ]
    return [Fact(f"{n:,}".replace(",", "\u202f"), one if n == 1 else many) for n, one, many in counts]


def summary(contradictions: pd.DataFrame) -> str:
    """One sentence on the headline contradiction rates; the shortfall where there are none."""
    rows = contradictions.loc[(contradictions["unit"] == "original") & (contradictions["n"] > 0)]
    if rows.empty:
        return f"Contradiction rate: {not_enough(0, 1)}."
    low, high = percent(rows["contradiction_rate"].min()), percent(rows["contradiction_rate"].max())
    span = f"is {low}" if low == high else f"lies between {low} and {high}"
    n_models, n_langs = rows["model"].nunique(), rows["lang"].nunique()
    where = f"{n_models} model{'s' * (n_models > 1)} and {n_langs} language{'s' * (n_langs > 1)}"
    return (
        f"The contradiction rate {span} over {where}: the share of stereotypes for which a model prefers the same "
        "group for an attribute and for its opposite."
    )


def headline_rows(headline: pd.DataFrame, unit: str = spans.UNITS["mean"]) -> list[HeadlineRow]:
    """Rows of the headline table; `unit` is what x, y and every B are measured in."""
    return [
        HeadlineRow(
            model=str(row["model"]),
            lang=str(row["lang"]),
            language=language_name(str(row["lang"])),
            n_sets=int(row["n_sets"]),
            n_clusters=int(row["n_clusters"]),
            n_variants=int(row["n_variants"]),
            estimates=[_estimate(row, name, unit) for name in HEADLINE_METRICS],
        )
        for row in headline.sort_values(["model", "lang"]).to_dict("records")
    ]


def contradiction_rows(contradictions: pd.DataFrame, unit: str) -> list[ContradictionRow]:
    """Rows of the contradiction table of one unit."""
    rows = contradictions.loc[contradictions["unit"] == unit].sort_values(["model", "lang"])
    return [_contradiction_row(row) for row in rows.to_dict("records")]


def other_units() -> list[tuple[str, str]]:
    """Units beside the headline's, with their printed names."""
    return [(unit, UNIT_NAMES[unit]) for unit in UNITS if unit != "original"]


def funnel_rows(funnel: pd.DataFrame) -> list[FunnelRow]:
    """One row per language and stage, in the order of work, with the reasons by falling count."""
    rows = []
    for lang in sorted(funnel["lang"].unique()):
        for stage in STAGES:
            part = funnel.loc[(funnel["lang"] == lang) & (funnel["stage"] == stage)]
            if len(part):
                rows.append(_funnel_row(str(lang), stage, part))
    return rows


def warnings(frame: pd.DataFrame) -> list[str]:
    """The sentences of the warnings."""
    return [str(text) for text in frame["text"]]


def _estimate(row: dict[Any, Any], name: str, unit: str) -> Estimate:
    label = HEADLINE_METRICS[name].format(unit=unit)
    if pd.isna(row[name]):
        return Estimate(label, "", not_enough(int(row["n_sets"]), 1, "sets"))
    ends = interval(row[f"{name}_low"], row[f"{name}_high"])
    below = ends or not_enough(int(row["n_clusters"]), MIN_CLUSTERS, "clusters")
    return Estimate(label, significant(row[name]), below)


def _contradiction_row(row: dict[Any, Any]) -> ContradictionRow:
    empty = int(row["n"]) == 0
    return ContradictionRow(
        model=str(row["model"]),
        lang=str(row["lang"]),
        language=language_name(str(row["lang"])),
        n=int(row["n"]),
        n_ties=int(row["n_ties"]),
        contradiction=None if empty else _rate(row, "contradiction"),
        flip=None if empty else _rate(row, "flip"),
        shortfall=not_enough(0, 1) if empty else "",
    )


def _rate(row: dict[Any, Any], name: str) -> RateView:
    rate, low, high = (float(row[f"{name}_{part}"]) for part in ("rate", "low", "high"))
    point, left, right = (round(100 * value, 2) for value in (rate, low, high))
    return RateView(percent(rate), percent_interval(low, high), point, left, right)


def _funnel_row(lang: str, stage: str, part: pd.DataFrame) -> FunnelRow:
    counts = part.groupby("reason")["n"].sum()
    visited, kept = int(counts.sum()), int(counts.get(KEPT, 0))
    lost = sorted(
        ((int(n), str(reason)) for reason, n in counts.items() if reason != KEPT), key=lambda e: (-e[0], e[1])
    )
    return FunnelRow(
        lang=lang,
        language=language_name(lang),
        stage=STAGE_NAMES[stage],
        visited=visited,
        kept=kept,
        dropped=visited - kept,
        share=percent(kept / visited) if visited else "",
        width=round(100 * kept / visited, 1) if visited else 0.0,
        reasons=", ".join(f"{reason.replace('_', ' ')} {n}" for n, reason in lost) or "none dropped",
    )
