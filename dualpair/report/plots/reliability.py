"""Figure of split-half reliability: mean, range over the repetitions and interval of every model and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.analysis.reliability import METRICS, MIN_SETS
from dualpair.languages import language_name
from dualpair.report.figures import (
    COLOURS,
    INK,
    MARKERS,
    Drawing,
    drawn,
    in_style,
    legend_above,
    marked,
    missing,
    noted,
)
from dualpair.report.numbers import not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {"I_GxA": "I_G×A", "absB_avg": "|B_G×A| avg", "absB_max": "|B_G×A| max"}
_NAME = "split_half"
_TITLE = "Split-half reliability (dot: mean; pale bar: range over the halvings; line: 95 % interval)"
_COLUMNS = ["model", "lang", "metric", "n_sets", "n_clusters", "mean", "min", "max", "low", "high"]


def split_half_figure(frame: pd.DataFrame, models: Mapping[str, Mapping[str, Any]]) -> Drawing:
    """One panel per metric, one line per model, one colour and marker per language.

    A dot is the mean over the repetitions, the pale bar behind it their range, the thin line the 95 % interval over
    clusters.

    Args:
        frame: the ``split_half`` table.
        models: registry name to ``tuning``, for the mark of instruct models.
    """
    data = frame[_COLUMNS].sort_values(["metric", "model", "lang"]).reset_index(drop=True)
    known = data.dropna(subset=["mean"])
    if known.empty:
        most = int(frame["n_sets"].max()) if len(frame) else 0
        return missing(_NAME, _TITLE, data, not_enough(most, MIN_SETS, "sets with at least 4 paraphrases"))
    with in_style():
        figure = _figure(known, models)
        low, high = known["mean"].min(), known["mean"].max()
        alt = (
            f"Dot plots of split-half correlations per model and language, one panel per metric; means from {low:.2f} "
            f"to {high:.2f}. The data are in the table."
        )
        return drawn(_NAME, _TITLE, alt, figure, data)


def _figure(known: pd.DataFrame, models: Mapping[str, Mapping[str, Any]]) -> Figure:
    from matplotlib.figure import Figure

    names, langs = sorted(known["model"].unique()), sorted(known["lang"].unique())
    figure = Figure(figsize=(6.8, 1.4 + (0.16 + 0.13 * len(langs)) * len(names)), layout="constrained")
    panels = figure.subplots(1, len(METRICS), sharex=True, sharey=True, squeeze=False)[0]
    for axes, metric in zip(panels, METRICS, strict=True):
        _panel(axes, known.loc[known["metric"] == metric], names, langs)
        axes.set_title(LABELS[metric], loc="left", fontsize=10)
    least = float(np.nanmin(known[["min", "low"]].to_numpy(dtype=float)))
    panels[0].set_yticks(range(len(names)), labels=[marked(name, models) for name in names])
    panels[0].set_xlim(min(0.0, 1.1 * least), 1.0)
    figure.supxlabel(noted("Spearman correlation between halves", models, names), fontsize=10)
    legend_above(figure, panels[0])
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, names: list[str], langs: list[str]) -> None:
    for k, lang in enumerate(langs):
        part = rows.loc[rows["lang"] == lang]
        offset = (k - (len(langs) - 1) / 2) * 0.8 / len(langs)
        y = np.array([names.index(name) for name in part["model"]], dtype=float) + offset
        colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
        axes.hlines(y, part["min"], part["max"], color=colour, linewidth=5, alpha=0.3)
        axes.hlines(y, part["low"], part["high"], color=colour, linewidth=1.3)
        axes.plot(
            part["mean"], y, linestyle="none", marker=marker, color=colour, markersize=5, label=language_name(lang)
        )
    axes.axvline(0.0, color=INK, linewidth=0.8, alpha=0.5)
    for boundary in range(1, len(names)):
        axes.axhline(boundary - 0.5, color=INK, alpha=0.15, linewidth=0.8)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
