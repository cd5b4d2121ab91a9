"""Figures of the human validation: rates per task, language and kind, and acceptance against the filters' scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dualpair.languages import language_name
from dualpair.report.figures import COLOURS, MARKERS, Drawing, drawn, in_style, missing
from dualpair.report.numbers import not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RATES, CURVE = NAMES = ("validation_rates", "validation_curve")
# What is drawn of each kind of pair: the share that people should give, and what it is called.
SHOWN = (
    ("accepted", "accept", "accepted pairs: accepted"),
    ("accepted", "disfluent", "accepted pairs: not fluent"),
    ("below_threshold", "reject", "below the thresholds: rejected"),
    ("mismatched", "reject", "mismatched pairs: rejected"),
)
SCORE_NAMES = {
    "similarity": "similarity",
    "max_contradiction": "greater P(contradiction)",
    "min_contradiction": "smaller P(contradiction)",
    "acceptance": "P(accepted)",
}
_COLUMNS = ["task", "lang", "kind", "what", "n", "rate", "low", "high"]


def drawings(rates: pd.DataFrame, curve: pd.DataFrame) -> list[Drawing]:
    """Both figures, in the order in which the report shows them; their names are :data:`NAMES`.

    Args:
        rates: the ``validation_rates`` table.
        curve: the ``validation_curve`` table.
    """
    return [rate_plot(rates), curve_plot(curve)]


def rate_plot(rates: pd.DataFrame) -> Drawing:
    """Rates after adjudication with Wilson intervals: one panel a task, one line a language, one marker a share."""
    data = shown_rates(rates)
    title = "Human judgements by task, language and kind of pair"
    if data["rate"].notna().sum() == 0:
        return missing(RATES, title, data, not_enough(0, 1))
    with in_style():
        alt = "Dot plot of acceptance, disfluency and rejection rates with intervals. The data are in the table."
        return drawn(RATES, title, alt, _rates(data.dropna(subset=["rate"])), data)


def shown_rates(rates: pd.DataFrame) -> pd.DataFrame:
    """The shares of :data:`SHOWN` of all annotators after adjudication: task, lang, kind, what, n, rate, low, high."""
    own = rates[(rates["annotator"] == "all") & (rates["adjudication"] == "after")]
    parts = []
    for kind, share, what in SHOWN:
        part = own.loc[own["kind"] == kind, ["task", "lang", "kind", "n"]].assign(what=what)
        for end, column in (("rate", f"{share}_rate"), ("low", f"{share}_low"), ("high", f"{share}_high")):
            part[end] = own.loc[part.index, column]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)[_COLUMNS]


def curve_plot(curve: pd.DataFrame) -> Drawing:
    """Acceptance in bins of a score: one panel a task and score, one line a language."""
    data = curve.reset_index(drop=True)
    title = "Human acceptance against the filters’ scores"
    if data.empty:
        return missing(CURVE, title, data, not_enough(0, 1))
    with in_style():
        alt = "Acceptance with intervals per bin of each filter’s score. The data are in the table."
        return drawn(CURVE, title, alt, _curves(data), data)


def _rates(data: pd.DataFrame) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    tasks = sorted(data["task"].unique(), reverse=True)
    langs = sorted(data["lang"].unique())
    figure = Figure(figsize=(3.4 * len(tasks) + 2.6, 1.2 + 0.75 * len(langs)), layout="constrained")
    grid = np.atleast_1d(figure.subplots(1, len(tasks), sharey=True))
    kinds = [what for _, _, what in SHOWN]
    for axes, task in zip(grid, tasks, strict=True):
        for k, what in enumerate(kinds):
            part = data[(data["task"] == task) & (data["what"] == what)]
            y = np.array([langs.index(lang) for lang in part["lang"]]) + (k - (len(kinds) - 1) / 2) * 0.2
            axes.hlines(y, part["low"], part["high"], color=COLOURS[k], linewidth=1.6)
            axes.plot(part["rate"], y, linestyle="none", marker=MARKERS[k], color=COLOURS[k], markersize=5, label=what)
        axes.set_title(task, fontsize=10)
        axes.set_xlim(-0.02, 1.02)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.set_yticks(range(len(langs)), labels=[language_name(lang) for lang in langs])
        axes.set_ylim(len(langs) - 0.5, -0.5)
        _bare(axes)
    handles = {label: handle for axes in grid for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def _curves(data: pd.DataFrame) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    tasks = sorted({str(task) for task in data["task"]}, reverse=True)
    scores = {task: sorted({str(s) for s in data.loc[data["task"] == task, "score"]}, reverse=True) for task in tasks}
    langs, most = sorted(data["lang"].unique()), max(map(len, scores.values()))
    figure = Figure(figsize=(2.7 * most + 1.0, 2.8 * len(scores)), layout="constrained")
    grid = figure.subplots(len(scores), most, sharey=True, squeeze=False)
    panels = {(task, score): grid[r, k] for r, task in enumerate(tasks) for k, score in enumerate(scores[task])}
    for axes in set(grid.flat) - set(panels.values()):
        axes.set_axis_off()
    for (task, score), axes in panels.items():
        own = data[(data["task"] == task) & (data["score"] == score)]
        for k, lang in enumerate(langs):
            part = own[own["lang"] == lang].sort_values("bin")
            colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
            middle = (part["bin_low"] + part["bin_high"]) / 2
            axes.vlines(middle, part["low"], part["high"], color=colour, linewidth=1.3)
            axes.plot(
                middle, part["rate"], marker=marker, color=colour, markersize=5, linewidth=1, label=language_name(lang)
            )
        axes.set_title(task, fontsize=10)
        axes.set_xlabel(SCORE_NAMES[score])
        axes.set_ylim(-0.02, 1.02)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        _bare(axes, keep_left=True)
    for axes in grid[:, 0]:
        axes.set_ylabel("accepted")
    handles = {
        label: handle for axes in grid.flat for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside right upper", frameon=False)
    return figure


def _bare(axes: Axes, keep_left: bool = False) -> None:
    axes.tick_params(axis="y", length=3 if keep_left else 0)
    for side in ("top", "right", *(() if keep_left else ("left",))):
        axes.spines[side].set_visible(False)
