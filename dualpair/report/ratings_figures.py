"""The figure of the trait survey: each group's mean ratings on all trait pairs, with intervals."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.languages import language_name
from dualpair.report.figures import COLOURS, INK, MARKERS, Drawing, drawn, in_style, missing
from dualpair.report.numbers import not_enough
from dualpair.traits import DIMENSIONS, HIGH, LOW

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "human_ratings"
_COLUMNS = 4
_NEUTRAL = (LOW + HIGH) / 2
_TITLE_WIDTH = 26  # characters above a panel
_DATA = ["lang", "group", "low", "high", "dimension", "n", "mean", "interval_low", "interval_high"]


def drawings(means: pd.DataFrame, langs: list[str] | None = None) -> list[Drawing]:
    """One figure a language, named ``human_ratings_<lang>``.

    Args:
        means: the ``human_ratings_means`` table.
        langs: languages of the survey, in order; None: those of the table.
    """
    return [profile_plot(means, lang) for lang in langs or sorted(means["lang"].unique())]


def profile_plot(means: pd.DataFrame, lang: str) -> Drawing:
    """Small multiples: one panel a group, one line a trait pair, mean rating (0 to 100) with its 95 % interval.

    Pairs are ordered by dimension; a pair without ratings has an empty line.

    Args:
        means: the ``human_ratings_means`` table.
        lang: the language to draw.
    """
    own = means.loc[means["lang"] == lang, _DATA]
    order = own["dimension"].map(DIMENSIONS.index)
    data = own.assign(order=order).sort_values(["group", "order", "low"]).drop(columns="order").reset_index(drop=True)
    name, title = f"{NAME}_{lang}", f"How society sees the groups, mean ratings ({language_name(lang)})"
    if data["mean"].notna().sum() == 0:
        return missing(name, title, data, not_enough(0, 1, "rating"))
    with in_style():
        alt = (
            f"Dot plots of mean ratings of {data['group'].nunique()} groups on {data['low'].nunique()} trait pairs "
            "with intervals. The data are in the table."
        )
        return drawn(name, title, alt, _panels(data), data)


def _panels(data: pd.DataFrame) -> Figure:
    from matplotlib.figure import Figure

    groups = list(dict.fromkeys(data["group"]))
    pairs = data.drop_duplicates("low")
    columns = min(_COLUMNS, len(groups))
    rows = -(-len(groups) // columns)
    figure = Figure(figsize=(2.3 + 2.1 * columns, 0.8 + (0.6 + 0.19 * len(pairs)) * rows), layout="constrained")
    grid = np.atleast_1d(figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)).ravel()
    for axes, group in zip(grid, groups, strict=False):
        _panel(axes, data[data["group"] == group], list(pairs["low"]))
        axes.set_title("\n".join(textwrap.wrap(group, _TITLE_WIDTH)), fontsize=9.5)
    for axes in grid[len(groups) :]:
        axes.set_visible(False)
    # Axes that share a column show their ticks in the last row only; a panel above an empty place is the last there.
    for axes in grid[max(0, len(groups) - columns) : len(groups)]:
        axes.tick_params(axis="x", labelbottom=True)
    labels = [f"{low} – {high}" for low, high in zip(pairs["low"], pairs["high"], strict=True)]
    grid[0].set_yticks(range(len(pairs)), labels=labels)
    grid[0].set_ylim(len(pairs) - 0.4, -0.6)
    grid[0].set_xlim(LOW - 2, HIGH + 2)
    grid[0].set_xticks([LOW, _NEUTRAL, HIGH])
    handles: dict[str, Any] = {}
    for axes in grid[: len(groups)]:
        handles |= {str(label): handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    named = [name for name in DIMENSIONS if name in handles]
    figure.legend([handles[name] for name in named], named, loc="outside upper center", ncols=3, frameon=False)
    figure.supxlabel(f"mean rating: {LOW} = first trait, {HIGH} = second trait", fontsize=9)
    return figure


def _panel(axes: Axes, own: pd.DataFrame, lows: list[str]) -> None:
    axes.axvline(_NEUTRAL, color=INK, linewidth=0.8, alpha=0.4)
    for k, dimension in enumerate(DIMENSIONS):
        part = own[(own["dimension"] == dimension) & own["mean"].notna()]
        y = [lows.index(low) for low in part["low"]]
        axes.hlines(y, part["interval_low"], part["interval_high"], color=COLOURS[k], linewidth=1.5)
        if len(part):
            axes.plot(part["mean"], y, linestyle="none", marker=MARKERS[k], color=COLOURS[k], markersize=4,
                      label=dimension)  # fmt: skip
    axes.tick_params(axis="y", length=0, labelsize=8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
