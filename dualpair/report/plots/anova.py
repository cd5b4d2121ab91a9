"""Figure of the analysis of variance: how much of the variance of I_GxA each effect explains."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dualpair.analysis.anova import NAMES as EFFECTS
from dualpair.analysis.anova import RESIDUAL
from dualpair.report.figures import COLOURS, Drawing, drawn, in_style, missing
from dualpair.report.numbers import percent

NAME = "anova"
_COLUMNS = ["effect", "df", "eta_sq", "eta_sq_corrected", "eta_sq_low", "eta_sq_high"]
_TITLE = "Variance of I_G×A explained by model, language and bias type"


def label(effect: str) -> str:
    """An effect as it is printed, e.g. ``model × bias type``."""
    return effect.replace(":", " × ").replace("_", " ")


def ordered(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of a table of effects in the paper's order, the residual last."""
    place = {name: k for k, name in enumerate((*EFFECTS, RESIDUAL))}
    return frame.sort_values("effect", key=lambda names: names.map(place), ignore_index=True)


def drawing(anova: pd.DataFrame, shortfall: str = "") -> Drawing:
    """Horizontal bars of eta squared, one per effect, and the corrected share with its interval on each.

    Args:
        anova: the ``anova`` table.
        shortfall: what stands in the figure's place where the table is empty.
    """
    data = ordered(anova)[_COLUMNS]
    shown = data[data["effect"] != RESIDUAL].dropna(subset=["eta_sq"])
    if shown.empty:
        return missing(NAME, _TITLE, data, shortfall or "not enough data: all values are equal")
    rest = percent(float(data.loc[data["effect"] == RESIDUAL, "eta_sq"].iloc[0]))
    with in_style():
        from matplotlib.figure import Figure
        from matplotlib.ticker import PercentFormatter

        figure = Figure(figsize=(6.8, 1.35 + 0.42 * len(shown)), layout="constrained")
        axes = figure.add_subplot()
        y = np.arange(len(shown))
        axes.barh(y, shown["eta_sq"], height=0.62, color=COLOURS[5], label="share (η²)")
        known = shown["eta_sq_low"].notna().to_numpy()
        if known.any():
            part = shown[known]
            axes.hlines(y[known], part["eta_sq_low"], part["eta_sq_high"], color=COLOURS[1], linewidth=1.8)
            axes.plot(part["eta_sq_corrected"], y[known], linestyle="none", marker="o", color=COLOURS[1], markersize=5,
                      label="less chance, with 95 % interval")  # fmt: skip
        axes.set_yticks(y, labels=[label(name) for name in shown["effect"]])
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.set_xlim(left=0.0)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_xlabel(f"Share of the total sum of squares (residual {rest}, not drawn)")
        axes.tick_params(axis="y", length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        figure.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=2, frameon=False)
        alt = f"Bars of eta squared per effect; the residual is {rest}. The data are in the table."
        return drawn(NAME, _TITLE, alt, figure, data)
