"""Figures of the headline numbers: means with intervals, contradiction and flip rates as a map and by unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.languages import language_name
from dualpair.measures.spans import UNITS
from dualpair.report.figures import COLOURS, INK, MARKERS, Drawing, drawn, in_style, marked, missing, noted
from dualpair.report.figures import square_root_ticks as ticks_of
from dualpair.report.numbers import not_enough
from dualpair.report.plots.rates import contradiction_map, unit_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["contradiction_map", "drawings", "interval_plot", "unit_panels"]

Models = Mapping[str, Mapping[str, Any]]
_NOT_NEGATIVE = ("I_GxA", "absB_avg", "absB_max")


def drawings(contradictions: pd.DataFrame, headline: pd.DataFrame, unit: str = UNITS["mean"]) -> list[Drawing]:
    """The four figures of a run's headline, in the order in which the report shows them.

    Their names are contradictions, flips, headline_I_GxA and headline_absB_avg.

    Args:
        contradictions: the ``contradictions`` table.
        headline: the ``headline`` table.
        unit: what x, y and every B are measured in.
    """
    return [
        contradiction_map(contradictions, "contradiction"),
        contradiction_map(contradictions, "flip"),
        *headline_plots(headline, unit),
    ]


def headline_plots(headline: pd.DataFrame, unit: str, models: Models | None = None) -> list[Drawing]:
    """Means of I_GxA and of |B_GxA| with their intervals.

    Args:
        headline: the ``headline`` table.
        unit: what every B is measured in.
        models: registry name to family, size and tuning.
    """
    return [
        interval_plot(headline, "I_GxA", "I_G×A in bits", models),
        interval_plot(headline, "absB_avg", f"|B_G×A| in {unit}", models),
    ]


def interval_plot(
    headline: pd.DataFrame, metric: str = "I_GxA", label: str = "I_G×A in bits", models: Models | None = None
) -> Drawing:
    """Means over sets with their intervals, one line per model, one colour and marker per language.

    The axis has a square-root scale for metrics that cannot be negative, because typical values are close to 0.

    Args:
        headline: the ``headline`` table.
        metric: one of its metrics.
        label: name of the axis.
        models: registry name to family, size and tuning, to mark the instruct models.
    """
    columns = ["model", "lang", "n_sets", "n_clusters", metric, f"{metric}_low", f"{metric}_high"]
    data = headline[columns].sort_values(["model", "lang"]).reset_index(drop=True)
    name, title = f"headline_{metric}", f"{label}, mean over sets with 95 % intervals"
    if data[metric].notna().sum() == 0:
        return missing(name, title, data, not_enough(0, 1))
    with in_style():
        figure = _dots(data, metric, label, models or {})
        alt = f"Dot plot of {label} per model and language with intervals. The data are in the headline table."
        return drawn(name, title, alt, figure, data)


def _dots(data: pd.DataFrame, metric: str, label: str, described: Models) -> Figure:
    from matplotlib.figure import Figure

    models, langs = sorted(data["model"].unique()), sorted(data["lang"].unique())
    figure = Figure(figsize=(6.8, 1.1 + (0.2 + 0.16 * len(langs)) * len(models)), layout="constrained")
    axes: Axes = figure.add_subplot()
    for k, lang in enumerate(langs):
        part = data.loc[data["lang"] == lang]
        offset = (k - (len(langs) - 1) / 2) * 0.8 / max(len(langs), 1)
        y = np.array([models.index(model) for model in part["model"]]) + offset
        colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
        axes.hlines(y, part[f"{metric}_low"], part[f"{metric}_high"], color=colour, linewidth=1.6)
        axes.plot(
            part[metric], y, linestyle="none", marker=marker, color=colour, markersize=5.5, label=language_name(lang)
        )
    axes.set_yticks(range(len(models)), labels=[marked(name, described) for name in models])
    axes.set_ylim(len(models) - 0.5, -0.5)
    for boundary in range(1, len(models)):
        axes.axhline(boundary - 0.5, color=INK, alpha=0.15, linewidth=0.8)
    scaled = f"{label} (square-root scale)" if metric in _NOT_NEGATIVE else label
    _metric_axis(axes, data, metric, noted(scaled, described, models))
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _metric_axis(axes: Axes, data: pd.DataFrame, metric: str, label: str) -> None:
    """Square-root scale from 0 for metrics that cannot be negative, else linear with a line at the neutral 0."""
    axes.set_xlabel(label)
    if metric in _NOT_NEGATIVE:
        axes.set_xscale("function", functions=(lambda v: np.sqrt(np.clip(v, 0, None)), np.square))
        upper = float(data[[metric, f"{metric}_high"]].max().max())
        limit = upper * 1.08 if upper > 0 else 1.0
        axes.set_xlim(0.0, limit)
        axes.set_xticks(ticks_of(limit))
        axes.xaxis.set_major_formatter("{x:g}")
    else:
        axes.axvline(0.0, color=INK, linewidth=0.8, alpha=0.5)
