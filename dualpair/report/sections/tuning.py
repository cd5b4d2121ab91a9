"""The report's section that compares the base and the instruct model of one family and size."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from dualpair.report.numbers import not_enough
from dualpair.report.plots.comparison import tuning_drawings
from dualpair.report.section import Facts, Section, ShownTable
from dualpair.report.sections.comparison import cautions, methods_text, paired_view
from dualpair.report.sections.differences import summaries

TABLES = ("tuning",)
TITLE = "Base against instruct"
_QUESTION = "Does instruction tuning change the bias?"
_MOST_OPEN = 24


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; without a base and an instruct model of one family and size, what it lacks."""
    frame = frames["tuning"]
    table = tuning_table(frame, facts.unit)
    drawings = tuple(tuning_drawings(frame, facts.models, facts.unit))
    methods = methods_text(facts, "the instruct and the base model of one family and size")
    if frame.empty:
        needs = "base and instruct model of one family and size that share a set"
        short = not_enough(0, 1, needs)
        return Section("tuning", TITLE, (_QUESTION,), drawings, (table,), (), methods, short, _named(facts))
    pairs = len(frame[["instruct", "base"]].drop_duplicates())
    question = (
        f"{_QUESTION} The difference is the instruct model minus the base model of one family and size, on the same "
        f"sets: {pairs} {'pair' if pairs == 1 else 'pairs'} of models. Both are scored alike, on raw text."
    )
    found = summaries(frame, facts.unit, "comparisons of instruct and base")
    return Section("tuning", TITLE, (question, *found), drawings, (table,), cautions(frame, facts), methods)


def tuning_table(frame: pd.DataFrame, unit: str) -> ShownTable:
    """Printed differences of the ``tuning`` table, one line per pair and language, pooled first."""
    view = paired_view(frame, ["instruct", "base"], ["Instruct", "Minus base"], unit)
    caption = (
        "Instruct minus base model of one family and size on the sets that both have measured, with 95 % intervals "
        "(bootstrap over clusters) and p of the sign-flip test after Holm’s correction over these comparisons. Neutral "
        "value 0. Every digit: analysis/tuning.csv."
    )
    return ShownTable("tuning", caption, view, tuple(view.columns[3:]), len(view) > _MOST_OPEN)


def _named(facts: Facts) -> str:
    unnamed = sorted(
        name for name, one in facts.models.items() if not (one.get("family") and one.get("size") and one.get("tuning"))
    )
    without = f" Without one of the three: {', '.join(unnamed)}." if unnamed else ""
    return (
        "Score a base and an instruct model (`roles: score`) whose entries under `models` name the same `family`, "
        f"sizes within 5 % and `tuning: base` and `tuning: instruct`.{without}"
    )
