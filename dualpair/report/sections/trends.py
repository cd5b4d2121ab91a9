"""The report's section on trends over the sizes or the checkpoints of one family."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dualpair.analysis.comparison import LEVEL, METRICS, POOLED
from dualpair.analysis.families import MIN_POSITIONS
from dualpair.report.numbers import interval, not_enough, p_value, significant
from dualpair.report.plots.comparison import scope_name
from dualpair.report.plots.trends import trends_drawings
from dualpair.report.section import Facts, Section, ShownTable
from dualpair.report.sections.differences import NAMES, significant_in

TABLES = ("trends",)
TITLE = "Trends over sizes and checkpoints"
_QUESTION = "Does the bias of a family change with its size, or with its training?"
_MOST_OPEN = 24


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; without three sizes of one family, what it lacks."""
    frame = frames["trends"]
    drawings, table = tuple(trends_drawings(frame, facts.unit)), trends_table(frame, facts.unit)
    if frame.empty:
        short, remedy = _shortfall(facts), _remedy()
        return Section("trends", TITLE, (_QUESTION,), drawings, (table,), (), _methods(facts), short, remedy)
    series = len(frame[["series", "kind"]].drop_duplicates())
    question = (
        f"{_QUESTION} {series} series of three or more models {'is' if series == 1 else 'are'} followed on the sets "
        "that all of their models have measured. A slope is the change per tenfold size or training steps."
    )
    found = tuple(_summary(frame, metric, facts.unit) for metric in METRICS)
    cautions = (
        "A series has few models, which differ in more than their size (data, training time): a trend describes these "
        "models, and its interval is about other sets, not about other models.",
        "Page’s test asks for any steady order of the means; it is cautious for contradictions, which are often tied.",
    )
    return Section("trends", TITLE, (question, *found), drawings, (table,), cautions, _methods(facts))


def trends_table(frame: pd.DataFrame, unit: str) -> ShownTable:
    """Printed slopes, one line per series, metric and language."""
    rows = []
    for row in frame.to_dict("records"):
        scale = 100.0 if row["metric"] == "contradiction" else 1.0
        slope = significant_in(row["metric"], row["slope"], unit)
        ends = interval(scale * row["slope_low"], scale * row["slope_high"], 3)
        rows.append([
            row["series"], row["kind"], scope_name(row["lang"]), NAMES[row["metric"]], str(len(row["models"])),
            str(row["n_sets"]),
            f"{slope} {ends}".strip(), significant(row["spearman"], 3), p_value(row["p_page"]),
            p_value(row["p_holm"]),
        ])  # fmt: skip
    numeric = ("Models", "Sets", "Slope per tenfold", "Spearman", "p (Page)", "p (Holm)")
    view = pd.DataFrame(rows, columns=["Series", "Over", "Language", "Metric", *numeric])
    caption = (
        "Change of each metric per tenfold number of parameters (size) or training steps (checkpoint), with 95 % "
        "intervals (bootstrap over clusters); neutral value 0. Spearman: rank correlation of position and mean. Page: "
        "two-sided trend test over clusters, then with Holm’s correction. Every digit: analysis/trends.csv."
    )
    return ShownTable("trends", caption, view, numeric, len(view) > _MOST_OPEN)


def _summary(frame: pd.DataFrame, metric: str, unit: str) -> str:
    rows = frame[(frame["metric"] == metric) & (frame["lang"] != POOLED)]
    tested = rows.dropna(subset=["p_holm"])
    if tested.empty:
        return f"{NAMES[metric]}: no test, because no series has 3 clusters in a language."
    clear = tested[tested["p_holm"] < LEVEL]
    start = (
        f"{NAMES[metric]}: {len(clear)} of {len(tested)} series within a language have a trend after Holm’s correction"
    )
    if clear.empty:
        return f"{start}; that is no evidence that there is none."
    steepest = clear.iloc[int(np.argmax(clear["slope"].abs().to_numpy()))]
    scale = 100.0 if metric == "contradiction" else 1.0
    ends = interval(scale * steepest["slope_low"], scale * steepest["slope_high"], 3)
    slope = significant_in(metric, steepest["slope"], unit)
    return (
        f"{start}; the steepest is {slope} {ends} per tenfold ({steepest['series']}, "
        f"{scope_name(str(steepest['lang']))})."
    )


def _remedy() -> str:
    return (
        "Score three models (`roles: score`) whose entries under `models` name the same `family` and `tuning`, and "
        "three different sizes, or training steps in their names such as `pythia-160m-step1000`."
    )


def _shortfall(facts: Facts) -> str:
    sizes: dict[tuple[str, str], set[float]] = {}
    for one in facts.models.values():
        if one.get("family") and one.get("size"):
            sizes.setdefault((str(one["family"]), str(one.get("tuning"))), set()).add(float(one["size"]))
    most = max((len(found) for found in sizes.values()), default=0)
    if most >= MIN_POSITIONS:
        return not_enough(0, 1, "set that all models of a series share")
    return not_enough(most, MIN_POSITIONS, "sizes or checkpoints of one family")


def _methods(facts: Facts) -> tuple[str, ...]:
    return (
        "Trends are least-squares slopes of the means over the shared sets on the decimal logarithm of size or "
        f"training steps, with 95 % percentile bootstrap intervals over clusters ({facts.analysis['bootstrap']} "
        "resamples), and Page’s L test with clusters as subjects, two-sided, corrected by Holm’s method over all "
        "trends of a metric.",
    )
