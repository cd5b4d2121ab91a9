"""Figures of trends over the sizes or the checkpoints of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dualpair.analysis.comparison import METRICS, POOLED
from dualpair.report.figures import COLOURS, MARKERS, Drawing, drawn, in_style, legend_above, missing
from dualpair.report.numbers import not_enough
from dualpair.report.plots.comparison import metric_label, scale_of, scope_name, scopes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def trends_drawings(frame: pd.DataFrame, unit: str) -> list[Drawing]:
    """One figure per metric, a panel per series: ``trends_<metric>``."""
    made = []
    for metric in METRICS:
        rows = frame[frame["metric"] == metric]
        name, label = f"trends_{metric}", metric_label(metric, unit)
        points = _points(rows)
        if points.empty:
            made.append(missing(name, f"Trends: {label}", points, not_enough(0, 1, "family of three sizes")))
            continue
        with in_style():
            alt = f"{label} over sizes or training steps, one panel per family. The data are in the table of trends."
            made.append(drawn(name, f"Trends: {label}", alt, _trend_panels(points, label, scale_of(metric)), points))
    return made


def _points(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per model of each trend; the pooled ones only where no language has a row of its own."""
    columns = ["series", "kind", "lang", "metric", "model", "position", "mean", "low", "high"]
    single = rows[rows["lang"] != POOLED]
    made = [
        (row["series"], row["kind"], row["lang"], row["metric"], *values)
        for row in (single if len(single) else rows).to_dict("records")
        for values in zip(row["models"], row["positions"], row["means"], row["lows"], row["highs"], strict=True)
    ]
    return pd.DataFrame(made, columns=columns)


def _rounded(number: float) -> str:
    """Three significant digits with k, M or B, e.g. ``270M``."""
    for unit, name in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{name}"
    return f"{number:.3g}"


def _trend_panels(points: pd.DataFrame, label: str, scale: float) -> Figure:
    from matplotlib.figure import Figure

    panels = list(dict.fromkeys(zip(points["series"], points["kind"], strict=True)))
    figure = Figure(figsize=(6.8, 0.6 + 2.7 * len(panels)), layout="constrained")
    grid = figure.subplots(len(panels), 1, squeeze=False)
    langs = scopes(points)
    for axes, (series, kind) in zip(grid[:, 0], panels, strict=True):
        here = points[(points["series"] == series) & (points["kind"] == kind)]
        for k, lang in enumerate(langs):
            part = here[here["lang"] == lang]
            # A little apart, so that the languages' intervals do not hide each other.
            x = part["position"] * 1.02 ** (k - (len(langs) - 1) / 2)
            style = {"color": COLOURS[k % len(COLOURS)], "marker": MARKERS[k % len(MARKERS)], "markersize": 5}
            axes.vlines(x, scale * part["low"], scale * part["high"], color=style["color"], linewidth=1.4)
            axes.plot(x, scale * part["mean"], linewidth=1.2, label=scope_name(lang), **style)
        axes.set_xscale("log")
        axes.minorticks_off()
        ticks = sorted(here["position"].unique())
        axes.set_xticks(ticks, labels=[_rounded(tick) for tick in ticks])
        axes.set_title(series, fontsize=10)
        axes.set_xlabel("Parameters" if kind == "size" else "Training steps")
        axes.set_ylabel(label, fontsize=9)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    legend_above(figure, grid[0, 0], "outside upper center")
    return figure
