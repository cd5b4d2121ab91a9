"""The report's section on human validation: printed rows of its tables, and the part of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

import pandas as pd

from dualpair.languages import language_name
from dualpair.report.figures import inline
from dualpair.report.numbers import DASH, not_enough, percent, percent_interval, significant
from dualpair.report.validation_figures import SCORE_NAMES, drawings

_TEMPLATE = "validation.html.j2"
_STATISTICS = {
    "raw_agreement": "Raw agreement",
    "cohen_kappa": "Cohen’s kappa",
    "fleiss_kappa": "Fleiss’ kappa",
    "krippendorff_alpha": "Krippendorff’s alpha",
}
_IDS_SHOWN = 40


@dataclass(frozen=True, slots=True)
class ValidationData:
    """What came back; frames are the ``validation_`` tables of :mod:`dualpair.schemas`.

    Attributes:
        rates: the ``validation_rates`` table.
        agreement: the ``validation_agreement`` table.
        annotators: the ``validation_annotators`` table.
        items: the ``validation_items`` table.
        curve: the ``validation_curve`` table.
        thresholds: the ``validation_thresholds`` table.
        problems: the ``validation_problems`` table.
        rejected: the ``validation_rejected`` table.
        notes: what notes.json says: files, sample, adjudication, adjudication_items, remarks.
        applied: whether rejected pairs are left out of the augmented set.
    """

    rates: pd.DataFrame
    agreement: pd.DataFrame
    annotators: pd.DataFrame
    items: pd.DataFrame
    curve: pd.DataFrame
    thresholds: pd.DataFrame
    problems: pd.DataFrame
    rejected: pd.DataFrame
    notes: Mapping[str, Any]
    applied: bool


class Share(NamedTuple):
    """A printed share, its interval, and the counts behind it."""

    rate: str
    interval: str
    counts: str


class RateRow(NamedTuple):
    """One task and language: acceptance before and after adjudication, disfluency, rejections, all as printed."""

    task: str
    lang: str
    language: str
    before: Share
    after: Share
    weighted: Share
    disfluent: Share
    below: Share
    mismatched: Share


def section(data: ValidationData | None) -> str:
    """The section as HTML; without data it says how to get some."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = files("dualpair.report").joinpath("templates", _TEMPLATE).read_text(encoding="utf-8")
    if data is None:
        return environment.from_string(template).render(data=None)
    drawn = drawings(data.rates, data.curve)
    return environment.from_string(template).render(
        data=data,
        rows=rate_rows(data.rates),
        weighted=balanced(data.rates),
        annotators=annotator_rows(data.annotators),
        agreement=agreement_rows(data.agreement),
        thresholds=[
            (row["task"], language_name(str(row["lang"])), SCORE_NAMES[str(row["score"])], row["text"])
            for row in _paraphrases_first(data.thresholds).to_dict("records")
        ],
        differing=differing(data.items),
        figures={drawing.name: (drawing, Markup(inline(drawing))) for drawing in drawn},
        n_problems=len(data.problems),
        n_rejected=len(data.rejected[["lang", "set_id", "variant_id"]].drop_duplicates()),
    )


def rate_rows(rates: pd.DataFrame) -> list[RateRow]:
    """One row per task and language, paraphrases first."""
    own = {
        (str(row["task"]), str(row["lang"]), str(row["kind"]), str(row["adjudication"])): row
        for row in rates[rates["annotator"] == "all"].to_dict("records")
    }
    known = {(task, lang) for task, lang, _, _ in own}
    pairs = sorted(known, key=lambda pair: (pair[0] != "paraphrase", pair[1]))
    rows = []
    for task, lang in pairs:
        accepted = {stage: own[task, lang, "accepted", stage] for stage in ("before", "after")}
        rows.append(
            RateRow(
                task,
                lang,
                language_name(lang),
                before=_share(accepted["before"], "accept"),
                after=_share(accepted["after"], "accept"),
                weighted=_share(accepted["after"], "weighted_accept", "accept"),
                disfluent=_share(accepted["after"], "disfluent"),
                below=_share(own[task, lang, "below_threshold", "after"], "reject"),
                mismatched=_share(own[task, lang, "mismatched", "after"], "reject"),
            )
        )
    return rows


def balanced(rates: pd.DataFrame) -> bool:
    """Whether the sample was balanced, so that re-weighted rates differ from plain ones."""
    judged = rates[rates["n"] > 0]
    return bool((judged["n_effective"] < judged["n"] - 1e-6).any())


def annotator_rows(annotators: pd.DataFrame) -> list[dict[Any, Any]]:
    """One printed row per returned sheet."""
    rows = []
    for row in _paraphrases_first(annotators).to_dict("records"):
        limit = "none" if pd.isna(row["limit"]) else str(int(row["limit"]))
        checks = f"{row['attention_failures']} of {row['n_mismatched']}"
        rows.append({**row, "language": language_name(str(row["lang"])), "limit": limit, "checks": checks})
    return rows


def agreement_rows(agreement: pd.DataFrame) -> list[dict[Any, Any]]:
    """One printed row per task, language, kind of items and statistic."""
    rows = []
    for row in _paraphrases_first(agreement).to_dict("records"):
        value, low, high = (significant(float(row[name]), 3) for name in ("value", "low", "high"))
        rows.append(
            {
                **row,
                "language": language_name(str(row["lang"])),
                "name": _STATISTICS[str(row["statistic"])],
                "value": value or "undefined (all answers are the same)",
                "interval": f"[{low}, {high}]" if low and high else "",
            }
        )
    return rows


def differing(items: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Task, language and ids of the items that annotators disagree on, as many as are shown."""
    own = items[items["differ"].astype(bool)]
    rows = []
    for (task, lang), part in own.groupby(["task", "lang"], sort=True):
        ids = sorted(part["item_id"])
        more = f" and {len(ids) - _IDS_SHOWN} more" if len(ids) > _IDS_SHOWN else ""
        rows.append((str(task), language_name(str(lang)), f"{', '.join(ids[:_IDS_SHOWN])}{more}"))
    return sorted(rows, key=lambda row: row[0] != "paraphrase")


def acceptance(rates: pd.DataFrame) -> str:
    """One line on the acceptance of accepted pairs, after adjudication, for the terminal."""
    own = rates[(rates["annotator"] == "all") & (rates["adjudication"] == "after") & (rates["kind"] == "accepted")]
    parts = [
        f"{row['task']} {language_name(str(row['lang']))} {percent(row['accept_rate'])} "
        f"[{percent_interval(row['accept_low'], row['accept_high'])}] (n = {row['n']})"
        for row in own[own["n"] > 0].to_dict("records")
    ]
    return ", ".join(parts).replace("\u00a0", " ").replace(DASH, "-") or not_enough(0, 1, "answer")


def _paraphrases_first(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in their order, those of paraphrases before those of alternates, as in all tables of the section."""
    return pd.concat([frame[frame["task"] == "paraphrase"], frame[frame["task"] != "paraphrase"]])


def _share(row: Any, name: str, counted: str = "") -> Share:
    n = int(row["n"])
    if n == 0:
        return Share(DASH, "", not_enough(0, 1))
    ends = percent_interval(float(row[f"{name}_low"]), float(row[f"{name}_high"]))
    counts = f"{int(row[f'n_{counted or name}'])} of {n}"
    return Share(percent(float(row[f"{name}_rate"])), ends, counts)
