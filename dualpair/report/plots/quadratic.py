"""I_GxA against |B_GxA| with the quadratic law (figure 4 of arXiv 2610.08747), drawn from bins of strength."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.analysis.quadratic import TOLERANCE, law
from dualpair.languages import language_name
from dualpair.measures.dual_pair import Floats, dual_pair
from dualpair.report.figures import COLOURS, INK, MARKERS, Drawing, drawn, in_style, marked, missing
from dualpair.report.numbers import not_enough

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "quadratic"
_TITLE = (
    "I_G×A against |B_G×A| (dots: medians by bin; dashed: the quadratic law; solid: the exact value of two groups, "
    "p_A = 0.5; grey: 10 % to 90 % of the variants above, within 10 % of the law below)"
)


def quadratic_plot(bins: pd.DataFrame, unit: str, models: Mapping[str, Mapping[str, Any]] | None = None) -> Drawing:
    """Two panels per language: medians of I by bin of strength with the law, and the ratio of I to the law.

    Both axes of the upper panels have a logarithmic scale. The law and the exact value for two groups are drawn for
    p_A = 1/2, where the law is largest. The band has the 10 % to 90 % points, the widest of all models.

    Args:
        bins: the ``quadratic_bins`` table.
        unit: what every B is measured in.
        models: registry name to family, size and tuning, to mark the instruct models.
    """
    data = bins.sort_values(["lang", "model", "bin_low"], ignore_index=True)
    if data.empty:
        return missing(NAME, _TITLE, data, not_enough(0, 1, "variants that differ between groups"))
    with in_style():
        figure = _figure(data, unit, models or {})
        alt = (
            f"For each language, I_G×A by |B_G×A| from {data['strength_mean'].min():.2g} to "
            f"{data['strength_mean'].max():.2g} {unit} on logarithmic axes, and below its ratio to the quadratic law, "
            "one line per model. The data are in the table of bins."
        )
        return drawn(NAME, _TITLE, alt, figure, data)


def exact_half(strengths: Floats) -> Floats:
    """I_GxA of two groups whose log odds are s/2 and -s/2 (so that p_A = 1/2), in bits, for each s in nats."""
    return np.array([dual_pair([s / 2, -s / 2], [0.0, 0.0]).I_GxA for s in strengths])


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Two to ``most`` values from low to high that stand apart on a logarithmic axis, as round as the range allows.

    Args:
        low: least value, above 0.
        high: greatest value, above low.
        most: greatest number of ticks, at least 2.
    """
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for steps in ((1,), (1, 3), (1, 2, 5), tuple(range(1, 10))):
        ticks = [value for k in decades for m in steps if low <= (value := float(f"{m}e{k}")) <= high]
        if len(ticks) >= 2:
            return ticks[:: -(-len(ticks) // most)]
    digits = int(np.ceil(-np.log10((high - low) / high))) + 2
    inner = low + (high - low) * np.array([0.2, 0.8])
    return [float(f"{value:.{digits}g}") for value in inner]


def _figure(data: pd.DataFrame, unit: str, described: Mapping[str, Mapping[str, Any]]) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, StrMethodFormatter

    langs, models = sorted(data["lang"].unique()), sorted(data["model"].unique())
    width = max(4.2, 1.2 + 2.1 * len(langs))
    columns = min(4, int(width // 2.4))  # of the legend, as wide as long names of models
    lines = -(-(len(models) + 2) // columns)
    figure = Figure(figsize=(width, 5.2 + 0.2 * lines), layout="constrained")
    grid = figure.subplots(2, len(langs), sharex=True, sharey="row", squeeze=False, height_ratios=[3, 2])
    low, high = data["strength_mean"].min() / 1.3, data["strength_mean"].max() * 1.3
    curve = np.geomspace(low, high, 40)
    for column, lang in enumerate(langs):
        part = data.loc[data["lang"] == lang]
        upper, lower = grid[0, column], grid[1, column]
        upper.set_title(language_name(lang), fontsize=10)
        _band(upper, part)
        upper.plot(curve, law(curve, np.full(len(curve), 0.5)), color=INK, linewidth=1.1, linestyle="--", label="law")
        upper.plot(curve, exact_half(curve), color=INK, linewidth=1.1, label="exact")
        lower.axhspan(1.0 - TOLERANCE, 1.0 + TOLERANCE, color=INK, alpha=0.1, linewidth=0)
        lower.axhline(1.0, color=INK, linewidth=1.1, linestyle="--")
        lower.plot(curve, exact_half(curve) / law(curve, np.full(len(curve), 0.5)), color=INK, linewidth=1.1)
        for k, model in enumerate(models):
            own = part.loc[part["model"] == model]
            style = {"color": COLOURS[k % len(COLOURS)], "marker": MARKERS[k % len(MARKERS)], "markersize": 3.2}
            upper.plot(own["strength_mean"], own["I_q50"], linewidth=0.8, label=marked(model, described), **style)
            lower.plot(own["strength_mean"], own["ratio"], linewidth=0.8, color=style["color"])
        _axes(upper, lower, float(data["ratio"].min()))
    for axis in (grid[1, 0].xaxis, grid[0, 0].yaxis):
        start, end = axis.get_view_interval()
        # Powers of ten serve an axis that has several of them; a narrow one would be left without a tick.
        if end / start < 1e3:
            axis.set_major_locator(FixedLocator(log_ticks(start, end, 4)))
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    grid[0, 0].set_ylabel("I_G×A in bits (log scale)")
    grid[1, 0].set_ylabel("I_G×A / law")
    figure.supxlabel(f"|B_G×A| in {unit} (log scale)", fontsize=10)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=columns, frameon=False)
    return figure


def _band(axes: Axes, part: pd.DataFrame) -> None:
    """The 10 % to 90 % points of all models together, at the middle of each bin's means."""
    together = part.groupby("bin_low", sort=True).agg(
        x=("strength_mean", "mean"), low=("I_q10", "min"), high=("I_q90", "max")
    )
    axes.fill_between(
        together["x"], together["low"].clip(lower=1e-12), together["high"], color=INK, alpha=0.1, linewidth=0
    )


def _axes(upper: Axes, lower: Axes, floor: float) -> None:
    from matplotlib.ticker import NullLocator

    upper.set_xscale("log")
    upper.set_yscale("log")
    # Small ticks of eight logarithmic axes would be most of the file.
    upper.xaxis.set_minor_locator(NullLocator())
    upper.yaxis.set_minor_locator(NullLocator())
    lower.set_ylim(max(0.0, min(0.8, floor - 0.05)), 1.2)
    for axes in (upper, lower):
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
