"""Figures of the change across languages: per model, and per bias type (arXiv 2610.08747, figure 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.analysis.across_languages import BY_TYPE, MEAN, OVERALL
from dualpair.analysis.resampling import MIN_CLUSTERS
from dualpair.languages import language_name
from dualpair.report.figures import COLOURS, INK, MARKERS, Drawing, drawn, in_style, marked, missing, noted
from dualpair.report.numbers import not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = (OVERALL, BY_TYPE)
METRIC, LABEL = "I_GxA", "Change of I_G×A in bits"
MEAN_LABEL = "mean over models"
_COLUMNS = ["n_sets", "n_clusters", "change", "low", "high", "permutation_holm"]


def drawings(
    overall: pd.DataFrame, by_type: pd.DataFrame, anchor: str, models: Mapping[str, Mapping[str, Any]]
) -> list[Drawing]:
    """Both figures, in the order in which the report shows them; their names are :data:`NAMES`.

    Args:
        overall: the ``across_languages`` table.
        by_type: the ``across_languages_types`` table.
        anchor: the language that the others are compared with.
        models: registry name to its facts, of which ``tuning`` is used.
    """
    return [model_plot(overall, anchor, models), type_plot(by_type, anchor)]


def model_plot(overall: pd.DataFrame, anchor: str, models: Mapping[str, Mapping[str, Any]]) -> Drawing:
    """Change per model, one line a language, with intervals; the mean over models last."""
    columns = ["model", "lang", *_COLUMNS]
    data = overall.loc[overall["metric"] == METRIC, columns].reset_index(drop=True)
    title = f"Change against {anchor} by model and language"
    shown = data.dropna(subset=["low"])
    if shown.empty:
        return missing(OVERALL, title, data, _lack(data))
    names = sorted(set(data["model"]) - {MEAN}) + ([MEAN] if MEAN in set(data["model"]) else [])
    labels = [MEAN_LABEL if name == MEAN else marked(name, models) for name in names]
    with in_style():
        figure = _figure(len(names), shown["lang"].nunique())
        axes = figure.axes[0]
        _dots(axes, shown, "model", names)
        _finish(figure, names, labels, noted(f"{LABEL}, language less {anchor}", models, names))
        alt = f"Dot plot of the change of I_G×A against {anchor} per model and language, with intervals. {_DATA}"
        return drawn(OVERALL, title, alt, figure, data)


def type_plot(by_type: pd.DataFrame, anchor: str) -> Drawing:
    """Change per bias type, one line a language: the mean over models with its interval, and a tick for each model.

    With one model the dot is that model's.
    """
    columns = ["model", "lang", "bias_type", *_COLUMNS]
    data = by_type.loc[by_type["metric"] == METRIC, columns].reset_index(drop=True)
    title = f"Change against {anchor} by bias type and language"
    several = MEAN in set(data["model"])
    mean = data[data["model"] == MEAN] if several else data
    shown = mean.dropna(subset=["low"])
    if shown.empty:
        return missing(BY_TYPE, title, data, _lack(data))
    types = sorted(shown["bias_type"].unique())
    single = data[(data["model"] != MEAN) & data["bias_type"].isin(types)].dropna(subset=["change"])
    with in_style():
        figure = _figure(len(types), shown["lang"].nunique())
        axes = figure.axes[0]
        _dots(axes, shown, "bias_type", types)
        if several:
            _ticks(axes, single, types, sorted(shown["lang"].unique()))
        what = f"{LABEL}, language less {anchor}" + (" (dots: mean over models; ticks: models)" if several else "")
        _finish(figure, types, types, what)
        alt = f"Dot plot of the change of I_G×A against {anchor} per bias type and language, with intervals. {_DATA}"
        return drawn(BY_TYPE, title, alt, figure, data)


_DATA = "The data are in the table."


def _lack(data: pd.DataFrame) -> str:
    most = int(data["n_clusters"].max()) if len(data) else 0
    return not_enough(most, MIN_CLUSTERS, "clusters that both languages have")


def _figure(n_rows: int, n_langs: int) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.8, 1.3 + (0.22 + 0.15 * n_langs) * n_rows), layout="constrained")
    figure.add_subplot()
    return figure


def _offset(k: int, n: int) -> float:
    return (k - (n - 1) / 2) * 0.75 / n


def _dots(axes: Axes, shown: pd.DataFrame, column: str, names: Sequence[str]) -> None:
    langs = sorted(shown["lang"].unique())
    for k, lang in enumerate(langs):
        part = shown[shown["lang"] == lang]
        y = np.array([names.index(name) for name in part[column]]) + _offset(k, len(langs))
        colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
        axes.hlines(y, part["low"], part["high"], color=colour, linewidth=1.6)
        axes.plot(
            part["change"], y, linestyle="none", marker=marker, color=colour, markersize=5.5, label=language_name(lang)
        )


def _ticks(axes: Axes, single: pd.DataFrame, types: Sequence[str], langs: Sequence[str]) -> None:
    """A faint vertical tick at each model's own change."""
    for k, lang in enumerate(langs):
        part = single[single["lang"] == lang]
        y = np.array([types.index(name) for name in part["bias_type"]]) + _offset(k, len(langs))
        axes.plot(part["change"], y, linestyle="none", marker="|", color=COLOURS[k % len(COLOURS)], alpha=0.55,
                  markersize=5, markeredgewidth=0.9)  # fmt: skip


def _finish(figure: Figure, names: Sequence[str], labels: Sequence[str], what: str) -> None:
    axes = figure.axes[0]
    axes.axvline(0.0, color=INK, linewidth=0.8, alpha=0.6, zorder=0.5)
    for boundary in range(1, len(names)):
        axes.axhline(boundary - 0.5, color=INK, alpha=0.15, linewidth=0.8)
    axes.set_yticks(range(len(names)), labels=labels)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(what)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
