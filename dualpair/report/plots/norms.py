"""Figure 5: q of concepts with a feature and with its opposite, and how well q tells them apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.languages import language_name
from dualpair.norms.auc import MACRO, POOLED
from dualpair.report.figures import COLOURS, INK, MARKERS, Drawing, drawn, in_style, marked, missing, noted
from dualpair.report.numbers import not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Models = Mapping[str, Mapping[str, Any]]

_LABELS = {"first": "with the first feature", "second": "with the opposite feature"}
_NEEDS = "concept with one of two opposite features"
_SPREAD = ["q_min", "q_lower", "q_median", "q_upper", "q_max"]


def drawings(q: pd.DataFrame, auc: pd.DataFrame, models: Models) -> tuple[Drawing, Drawing]:
    """Both figures, ``norms_q`` and ``norms_auc``.

    Args:
        q: the ``norms_q`` table.
        auc: the ``norms_auc`` table.
        models: registry name to its ``tuning``; instruct models are marked.
    """
    return q_by_label(q, auc, models), auc_plot(auc, models)


def q_by_label(q: pd.DataFrame, auc: pd.DataFrame, models: Models) -> Drawing:
    """Box plots of q by label, a panel per language, two boxes per model, the mean AUC over pairs beside them.

    Boxes are quartiles, whiskers the extremes; over all pairs together.
    """
    pooled = q.loc[q["scope"] == POOLED, ["model", "lang", "label", "n", "q_mean", *_SPREAD]]
    macro = auc.loc[auc["scope"] == MACRO, ["model", "lang", "auc"]]
    data = pooled.merge(macro, on=["model", "lang"], how="left").sort_values(["lang", "model", "label"])
    data = data.reset_index(drop=True)
    name, title = "norms_q", "q of concepts with a feature and with its opposite (box: quartiles; line: extremes)"
    if data["q_median"].notna().sum() == 0:
        return missing(name, title, data, not_enough(0, 1, _NEEDS))
    with in_style():
        figure = _boxes(data, models)
        alt = (
            "Box plots of q per language and model: concepts with the first feature of a pair above those with the "
            "opposite feature. The data are in the table of the features’ distributions."
        )
        return drawn(name, title, alt, figure, data)


def auc_plot(auc: pd.DataFrame, models: Models) -> Drawing:
    """Mean AUC over pairs with its interval, one line per model, a colour and marker per language; 0.5 is marked."""
    columns = ["model", "lang", "n_pairs", "n_first", "n_second", "auc", "auc_low", "auc_high"]
    data = auc.loc[auc["scope"] == MACRO, columns].sort_values(["model", "lang"]).reset_index(drop=True)
    name, title = "norms_auc", "ROC-AUC of q, mean over pairs, with 95 % intervals"
    if data["auc"].notna().sum() == 0:
        return missing(name, title, data, not_enough(0, 1, "pair with concepts of both features"))
    with in_style():
        figure = _dots(data, models)
        low, high = data["auc"].min(), data["auc"].max()
        alt = (
            f"Dot plot of the mean ROC-AUC over pairs per model and language, from {low:.2f} to {high:.2f}; 0.5 is "
            "what chance gives. The data are in the table of the AUCs."
        )
        return drawn(name, title, alt, figure, data)


def _boxes(data: pd.DataFrame, models: Models) -> Figure:
    from matplotlib.figure import Figure

    names, langs = sorted(data["model"].unique()), sorted(data["lang"].unique())
    height = (0.95 + 0.46 * len(names)) * len(langs) + 0.4
    figure = Figure(figsize=(6.8, height), layout="constrained")
    panels = figure.subplots(len(langs), 1, sharex=True, squeeze=False)[:, 0]
    for axes, lang in zip(panels, langs, strict=True):
        _panel(axes, data.loc[data["lang"] == lang], names)
        axes.set_title(language_name(lang), loc="left", fontsize=10)
        axes.set_yticks(range(len(names)), labels=[marked(one, models) for one in names])
        axes.set_ylim(len(names) - 0.45, -0.55)
    panels[-1].set_xlabel(noted("q, probability of the first feature rather than its opposite", models, names))
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=2, frameon=False)
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, names: list[str]) -> None:
    """One language: two boxes a model."""
    axes.axvline(0.5, color=INK, linewidth=0.8, alpha=0.5)
    for side, (label, shown) in enumerate(_LABELS.items()):
        part = rows.loc[(rows["label"] == label) & rows["q_median"].notna()]
        y = np.array([names.index(model) for model in part["model"]]) + (-0.2 if side == 0 else 0.2)
        colour = COLOURS[side]
        axes.hlines(y, part["q_min"], part["q_max"], color=colour, linewidth=1.2)
        axes.barh(y, part["q_upper"] - part["q_lower"], left=part["q_lower"], height=0.3, color=colour, alpha=0.35)
        axes.plot(
            part["q_median"], y, linestyle="none", marker=MARKERS[side], color=colour, markersize=5.5, label=shown
        )
    known = rows.drop_duplicates("model")
    axes.set_xlim(-0.02, 1.02)
    for model, value in zip(known["model"], known["auc"], strict=True):
        text = "no AUC" if np.isnan(value) else f"AUC {value:.2f}"
        axes.text(1.02, names.index(model), text, transform=axes.get_yaxis_transform(), va="center", fontsize=9)
    _bare(axes)


def _dots(data: pd.DataFrame, models: Models) -> Figure:
    from matplotlib.figure import Figure

    names, langs = sorted(data["model"].unique()), sorted(data["lang"].unique())
    figure = Figure(figsize=(6.8, 1.1 + (0.2 + 0.16 * len(langs)) * len(names)), layout="constrained")
    axes: Axes = figure.add_subplot()
    axes.axvline(0.5, color=INK, linewidth=0.8, alpha=0.5)
    for k, lang in enumerate(langs):
        part = data.loc[(data["lang"] == lang) & data["auc"].notna()]
        y = np.array([names.index(model) for model in part["model"]]) + (k - (len(langs) - 1) / 2) * 0.8 / len(langs)
        colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
        axes.hlines(y, part["auc_low"], part["auc_high"], color=colour, linewidth=1.6)
        axes.plot(
            part["auc"], y, linestyle="none", marker=marker, color=colour, markersize=5.5, label=language_name(lang)
        )
    axes.set_yticks(range(len(names)), labels=[marked(one, models) for one in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    for boundary in range(1, len(names)):
        axes.axhline(boundary - 0.5, color=INK, alpha=0.15, linewidth=0.8)
    low = float(np.nanmin([0.5, *data["auc"], *data["auc_low"]]))
    axes.set_xlim(max(0.0, low - 0.03), 1.01)
    axes.set_xlabel(noted("ROC-AUC, mean over pairs; 0.5 is chance", models, names))
    _bare(axes)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _bare(axes: Axes) -> None:
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
