"""Figures of the comparisons of models: difference matrix and forest plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.analysis.comparison import LEVEL, METRICS, POOLED
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
from dualpair.report.numbers import MINUS, not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Models = Mapping[str, Mapping[str, Any]]

FOREST_MODELS = 3  # with more models a forest plot of all pairs is too long to read
_CELL_TEXT = "#10233a"
_STEPS = 25
_PAIR = ["model_a", "model_b", "lang", "metric", "n_sets", "n_clusters", "difference", "difference_low",
         "difference_high", "p_holm"]  # fmt: skip


def metric_label(metric: str, unit: str) -> str:
    """A metric as axes name it, with its unit; rates are drawn in percentage points."""
    return {
        "I_GxA": "I_G×A in bits",
        "absB_avg": f"|B_G×A| in {unit}",
        "B_GxA": f"B_G×A in {unit}",
        "contradiction": "Contradiction rate in percentage points",
    }[metric]


def scope_name(lang: str) -> str:
    """A language's name, or ``all languages`` where the differences of all were pooled."""
    return "all languages" if lang == POOLED else language_name(lang)


def comparison_drawings(frame: pd.DataFrame, models: Models, unit: str) -> list[Drawing]:
    """One figure per metric: ``comparison_<metric>``.

    Few models: a forest plot of all pairs and languages. Many: a matrix of the pooled differences or, of a run in one
    language, of that language's.

    Args:
        frame: the ``comparison`` table.
        models: registry name to its ``tuning``; instruct models are marked.
        unit: what every B is measured in.
    """
    made = []
    for metric in METRICS:
        rows = frame.loc[frame["metric"] == metric, _PAIR].reset_index(drop=True)
        name, label = f"comparison_{metric}", metric_label(metric, unit)
        count = len({*rows["model_a"], *rows["model_b"]})
        if rows.empty:
            made.append(missing(name, f"Differences between models: {label}", rows, not_enough(0, 1, "pair of models")))
        elif count <= FOREST_MODELS:
            made.append(forest(name, f"Differences between models: {label}", rows, label, models))
        else:
            made.append(matrix(name, rows, label, models))
    return made


def tuning_drawings(frame: pd.DataFrame, models: Models, unit: str) -> list[Drawing]:
    """One forest plot per metric of instruct minus base: ``tuning_<metric>``."""
    made = []
    for metric in METRICS:
        rows = frame[frame["metric"] == metric].rename(columns={"instruct": "model_a", "base": "model_b"})[_PAIR]
        name, label = f"tuning_{metric}", metric_label(metric, unit)
        title = f"Instruct minus base: {label}"
        if rows.empty:
            made.append(missing(name, title, rows, not_enough(0, 1, "pair of base and instruct model")))
        else:
            made.append(forest(name, title, rows.reset_index(drop=True), label, models))
    return made


def matrix(name: str, rows: pd.DataFrame, label: str, models: Models) -> Drawing:
    """Heat map of row model minus column model, pooled over languages or of the only one; a star where p_holm < 0.05.

    Args:
        name: file stem.
        rows: rows of one metric of the ``comparison`` table.
        label: the metric with its unit.
        models: registry name to its ``tuning``.
    """
    scope = POOLED if (rows["lang"] == POOLED).any() else sorted(rows["lang"])[0]
    shown = rows[rows["lang"] == scope].reset_index(drop=True)
    where = scope_name(scope)
    title = f"Differences between models, row minus column, {where}: {label}"
    with in_style():
        figure = _grid(shown, label, models, scale_of(str(shown["metric"].iloc[0])))
        alt = (
            f"Matrix of differences between models, {label}, {where}; a star marks those that remain after Holm’s "
            "correction. The data are in the table of comparisons."
        )
        return drawn(name, title, alt, figure, shown)


def forest(name: str, title: str, rows: pd.DataFrame, label: str, models: Models) -> Drawing:
    """Differences with their intervals, one line per pair, one colour and marker per language.

    Args:
        name: file stem.
        title: one line.
        rows: rows of one metric, with the columns of ``_PAIR``.
        label: the metric with its unit.
        models: registry name to its ``tuning``.
    """
    with in_style():
        alt = (
            f"Forest plot of paired differences, {label}, with 95 % intervals; a line marks 0. The table has the data."
        )
        return drawn(name, title, alt, _forest(rows, label, models), rows)


def scale_of(metric: str) -> float:
    """What a value of a metric is multiplied with to be drawn: rates are drawn in percentage points."""
    return 100.0 if metric == "contradiction" else 1.0


def _grid(rows: pd.DataFrame, label: str, models: Models, scale: float) -> Figure:
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    names = sorted({*rows["model_a"], *rows["model_b"]})
    values, stars = np.full((len(names),) * 2, np.nan), np.zeros((len(names),) * 2, dtype=bool)
    for row in rows.to_dict("records"):
        i, j = names.index(row["model_a"]), names.index(row["model_b"])
        values[i, j], values[j, i] = scale * row["difference"], -scale * row["difference"]
        stars[i, j] = stars[j, i] = bool(row["p_holm"] < LEVEL)
    # The palette's dark ends are kept out, so that one dark text colour is readable on every cell.
    largest = float(np.nanmax(np.abs(values)))
    limit, decimals = 1.8 * largest or 1.0, max(0, 1 - int(np.floor(np.log10(largest or 1.0))))
    figure = Figure(figsize=(2.6 + 0.62 * len(names), 1.9 + 0.46 * len(names)), layout="constrained")
    axes: Axes = figure.add_subplot()
    colours = colormaps["PuOr"].resampled(_STEPS)
    axes.pcolormesh(values, cmap=colours, vmin=-limit, vmax=limit, edgecolors="white", linewidth=1)
    for i, j in zip(*np.nonzero(np.isfinite(values)), strict=True):
        text = f"{values[i, j]:.{decimals}f}".replace("-", MINUS) + ("*" if stars[i, j] else "")
        axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", color=_CELL_TEXT, fontsize=8)
    shown = [marked(name, models) for name in names]
    axes.set_xticks(np.arange(len(names)) + 0.5, labels=shown, rotation=45, ha="right")
    axes.set_yticks(np.arange(len(names)) + 0.5, labels=shown)
    axes.invert_yaxis()
    axes.tick_params(length=0)
    note = noted("* differs after Holm’s correction", models, names)
    axes.set_xlabel(f"Row minus column: {label}\n{note}", fontsize=9)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def scopes(rows: pd.DataFrame) -> list[str]:
    """Languages in a fixed order, pooled last."""
    return sorted(rows["lang"].unique(), key=lambda lang: (lang == POOLED, lang))


def _forest(rows: pd.DataFrame, label: str, models: Models) -> Figure:
    from matplotlib.figure import Figure

    pairs = list(dict.fromkeys(zip(rows["model_a"], rows["model_b"], strict=True)))
    langs, scale = scopes(rows), scale_of(str(rows["metric"].iloc[0]))
    height = 1.3 + (0.35 + 0.16 * len(langs)) * len(pairs)
    figure = Figure(figsize=(6.8, height), layout="constrained")
    axes: Axes = figure.add_subplot()
    axes.axvline(0.0, color=INK, linewidth=0.8, alpha=0.5)
    for k, lang in enumerate(langs):
        part = rows[rows["lang"] == lang]
        places = [pairs.index(pair) for pair in zip(part["model_a"], part["model_b"], strict=True)]
        y = np.array(places) + (k - (len(langs) - 1) / 2) * 0.7 / len(langs)
        colour = INK if lang == POOLED else COLOURS[k % len(COLOURS)]
        axes.hlines(y, scale * part["difference_low"], scale * part["difference_high"], color=colour, linewidth=1.6)
        marker = MARKERS[k % len(MARKERS)]
        axes.plot(
            scale * part["difference"],
            y,
            linestyle="none",
            marker=marker,
            color=colour,
            markersize=5,
            label=scope_name(lang),
        )
    axes.set_yticks(
        range(len(pairs)), labels=[f"{marked(one, models)}\n{MINUS} {marked(other, models)}" for one, other in pairs]
    )
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    for boundary in range(1, len(pairs)):
        axes.axhline(boundary - 0.5, color=INK, alpha=0.15, linewidth=0.8)
    note = noted("95 % intervals", models, [name for pair in pairs for name in pair])
    axes.set_xlabel(f"Difference, {label}\n{note}", fontsize=9)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    legend_above(figure, axes, "outside upper center")
    return figure
