"""Printed rows of the report's sections: frames to text, no markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd
import yaml

from dualpair.analysis.funnel import KEPT, STAGES
from dualpair.languages import language_name
from dualpair.measures import spans
from dualpair.report.data import ReportData
from dualpair.report.numbers import percent
from dualpair.report.section import Section
from dualpair.sources.common import NOT_SELECTED

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
STAGE_NAMES = {
    "stereotypes": "Source sentences",
    "sets": "Split into sets",
    "paraphrase": "Paraphrase candidates",
    "alternate": "Alternate candidates",
    "augmented": "Variants paired",
}


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


def settings(data: ReportData) -> Mapping[str, Any]:
    """The run's config as a mapping; empty where what was recorded is none."""
    config = yaml.safe_load(data.config_yaml)
    return config if isinstance(config, dict) else {}


def _scoring(data: ReportData) -> tuple[str, str]:
    """Normalisation and scope of the settings; the paper's where they name none."""
    scoring = settings(data).get("scoring") or {}
    return scoring.get("normalisation", "mean"), scoring.get("scope", "attribute")


def sections(data: ReportData) -> list[Section]:
    """The analyses; what was made also says how many stereotypes the setting ``max_sets`` left out."""
    told = _beyond(data)
    return [
        one._replace(lead=(*one.lead, told)) if told and one.id == "made" and not one.shortfall else one
        for one in data.sections
    ]


def _beyond(data: ReportData) -> str:
    """How many sets of each language ``max_sets`` left out, from the funnel; empty where none."""
    rows = data.funnel.loc[(data.funnel["stage"] == "sets") & (data.funnel["reason"] == NOT_SELECTED)]
    counts = [
        f"{int(n)} in {language_name(str(lang))}" for lang, n in rows.groupby("lang", sort=True)["n"].sum().items()
    ]
    most = (settings(data).get("source") or {}).get("max_sets")
    limit = f" ({most})" if most else ""
    return f"The setting `max_sets`{limit} left stereotypes out: {', '.join(counts)}." if counts else ""


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
        reasons="; ".join(f"{reason.replace('_', ' ')}: {n}" for n, reason in lost) or "none dropped",
    )
