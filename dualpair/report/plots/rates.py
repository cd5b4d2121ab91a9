"""Contradiction and flip rates (figure 3 of arXiv 2610.08747): a map of the headline unit, and every unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dualpair.languages import language_name
from dualpair.report.figures import (
    COLOURS,
    INK,
    INSTRUCT_NOTE,
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

Models = Mapping[str, Mapping[str, Any]]
LABELS = {"contradiction": "Contradiction rate", "flip": "Flip rate"}
UNIT_NAMES = {
    "original": "Original attribute, first contrast",
    "contrasts": "Original attribute, every contrast",
    "variants": "Every variant, first contrast",
    "set_means": "Means of sets",
}
MEAN = "mean"
_INTERVALS = "(Wilson’s where every unit has a cluster of its own, else over clusters)"
_STEPS = 25
_GAP = 0.15
_WIDEST = 11  # letters of a name above a column of the map


def contradiction_map(
    contradictions: pd.DataFrame,
    kind: str = "contradiction",
    unit: str = "original",
    means: pd.DataFrame | None = None,
    models: Models | None = None,
) -> Drawing:
    """Heat map of contradiction (or flip) rates, models x languages, with n in each cell.

    Args:
        contradictions: the ``contradictions`` table.
        kind: ``contradiction`` or ``flip``.
        unit: the unit that is counted.
        means: the ``contradictions_mean`` table, for a row and a column of means.
        models: registry name to family, size and tuning, to mark the instruct models.

    Raises:
        ValueError: if kind is unknown.
    """
    _check(kind)
    rows = contradictions.loc[contradictions["unit"] == unit].sort_values(["model", "lang"])
    rate = f"{kind}_rate"
    data = rows[["model", "lang", "unit", "n", f"n_{kind}s", rate, f"{kind}_low", f"{kind}_high"]]
    data = data.reset_index(drop=True)
    title = f"{LABELS[kind]} by model and language"
    known = data.dropna(subset=[rate])
    if known.empty:
        return missing(f"{kind}s", title, data, not_enough(0, 1))
    with in_style():
        figure = _heat_map(data, rate, LABELS[kind], _means(means, unit, rate), models or {})
        low, high = known[rate].min(), known[rate].max()
        alt = f"Heat map of the {LABELS[kind].lower()}; values from {low:.1%} to {high:.1%}. The data are in the table."
        return drawn(f"{kind}s", title, alt, figure, data)


def unit_panels(contradictions: pd.DataFrame, kind: str = "contradiction", models: Models | None = None) -> Drawing:
    """Rates of all four units with 95 % intervals: a panel per unit, a line per model, a colour per language.

    The interval is Wilson's where every unit has a cluster of its own, else the bootstrap over clusters.

    Args:
        contradictions: the ``contradictions`` table.
        kind: ``contradiction`` or ``flip``.
        models: registry name to family, size and tuning, to mark the instruct models.

    Raises:
        ValueError: if kind is unknown.
    """
    _check(kind)
    rate, name, title = f"{kind}_rate", f"{kind}_units", f"{LABELS[kind]} by unit, with 95 % intervals {_INTERVALS}"
    data = shown_interval(contradictions, kind)
    if data[rate].notna().sum() == 0:
        return missing(name, title, data, not_enough(0, 1))
    with in_style():
        figure = _panels(data, rate, LABELS[kind], models or {})
        alt = (
            f"Four dot plots of the {LABELS[kind].lower()} per model and language with intervals, one per unit that is "
            "counted. The data are in the table of contradictions."
        )
        return drawn(name, title, alt, figure, data)


def shown_interval(contradictions: pd.DataFrame, kind: str) -> pd.DataFrame:
    """The rate of one kind with the interval that fits its units, in the columns low, high and interval.

    Args:
        contradictions: the ``contradictions`` table.
        kind: ``contradiction`` or ``flip``.
    """
    columns = ["model", "lang", "unit", "n", "n_clusters", f"{kind}_rate"]
    apart = (contradictions["n"] == contradictions["n_clusters"]).to_numpy()
    low, high = (
        np.where(apart, contradictions[f"{kind}_{end}"], contradictions[f"{kind}_cluster_{end}"])
        for end in ("low", "high")
    )
    frame = contradictions[columns].assign(low=low, high=high, interval=np.where(apart, "wilson", "clusters"))
    return frame.sort_values(["unit", "model", "lang"], ignore_index=True)


def _check(kind: str) -> None:
    if kind not in LABELS:
        raise ValueError(f"kind must be one of {', '.join(LABELS)}; found {kind!r}")


def _means(means: pd.DataFrame | None, unit: str, rate: str) -> dict[tuple[str, str], float]:
    """(over, of) to the mean rate."""
    if means is None:
        return {}
    rows = means.loc[means["unit"] == unit]
    return {
        (str(over), str(of)): float(value) for over, of, value in rows[["over", "of", rate]].itertuples(index=False)
    }


def _heat_map(
    data: pd.DataFrame, rate: str, label: str, means: Mapping[tuple[str, str], float], described: Models
) -> Figure:
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    models, langs = sorted(data["model"].unique()), sorted(data["lang"].unique())
    values = data.pivot(index="model", columns="lang", values=rate).reindex(index=models, columns=langs)
    counts = data.pivot(index="model", columns="lang", values="n").reindex(index=models, columns=langs)
    top = 0.5 if float(np.nanmax(values.to_numpy())) <= 0.5 else 1.0
    # A mean of one cell says nothing new.
    below = [means.get(("models", lang), np.nan) for lang in langs] if means and len(models) > 1 else []
    beside = [means.get(("languages", model), np.nan) for model in models] if means and len(langs) > 1 else []
    columns, rows = len(langs) + bool(beside), len(models) + bool(below)
    note = INSTRUCT_NOTE if any(marked(name, described) != name for name in models) else ""
    # The least height holds the label of the colour bar, which the layout would cut.
    height = max(2.1, 0.9 + 0.62 * rows) + (0.25 if note else 0.0)
    figure = Figure(figsize=(2.4 + 0.95 * columns, height), layout="constrained")
    axes: Axes = figure.add_subplot()
    # Few steps keep the colour bar a drawing; with many it becomes a bitmap inside the SVG.
    colours = colormaps["Blues"].resampled(_STEPS)

    def draw(grid: Any, notes: Any, left: float, upper: float) -> Any:
        x, y = left + np.arange(grid.shape[1] + 1), upper + np.arange(grid.shape[0] + 1)
        for i, j in np.ndindex(grid.shape):
            ground = colours(min(float(grid[i, j]) / top, 1.0))
            _cell(axes, upper + i, left + j, float(grid[i, j]), notes[i][j], text_colour(ground))
        return axes.pcolormesh(x, y, grid, cmap=colours, vmin=0.0, vmax=top, edgecolors="white", linewidth=2)

    notes = [["" if pd.isna(n) else f"n = {int(n)}" for n in row] for row in counts.to_numpy()]
    mesh = draw(values.to_numpy(dtype=float), notes, 0.0, 0.0)
    x, y = [k + 0.5 for k in range(len(langs))], [k + 0.5 for k in range(len(models))]
    if below:
        draw(np.array([below]), [[f"of {int(values[lang].notna().sum())}" for lang in langs]], 0.0, len(models) + _GAP)
        y.append(len(models) + _GAP + 0.5)
    if beside:
        cells = [[f"of {int(values.loc[model].notna().sum())}"] for model in models]
        draw(np.array([beside]).T, cells, len(langs) + _GAP, 0.0)
        x.append(len(langs) + _GAP + 0.5)
    named = [*map(language_name, langs), MEAN][: len(x)]
    leaning: dict[str, Any] = {"rotation": 30, "ha": "left"} if max(map(len, named)) > _WIDEST else {}
    axes.set_xticks(x, labels=named, **leaning)
    axes.set_yticks(y, labels=[*(marked(model, described) for model in models), MEAN][: len(y)])
    axes.set_ylim(max(y) + 0.5, 0.0)
    axes.set_xlim(0.0, max(x) + 0.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    bar = figure.colorbar(mesh, ax=axes, format=PercentFormatter(1.0, decimals=0), pad=0.03, aspect=14)
    bar.set_label(label)
    if note:
        figure.supxlabel(note, fontsize=8.5)
    bar.outline.set_visible(False)
    return figure


def text_colour(ground: tuple[float, ...]) -> str:
    """Near-black or white, whichever contrasts more with the ground (WCAG's relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in ground[:3]]
    return "#10233a" if float(np.dot(linear, (0.2126, 0.7152, 0.0722))) > 0.2 else "#ffffff"


def _cell(axes: Axes, row: float, column: float, value: float, note: str, colour: str) -> None:
    if np.isnan(value):
        axes.text(column + 0.5, row + 0.5, "no data", ha="center", va="center", color=INK)
        return
    axes.text(column + 0.5, row + 0.4, f"{value:.1%}", ha="center", va="center", color=colour)
    axes.text(column + 0.5, row + 0.72, note, ha="center", va="center", color=colour, fontsize=7.5)


def _panels(data: pd.DataFrame, rate: str, label: str, described: Models) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    models, langs = sorted(data["model"].unique()), sorted(data["lang"].unique())
    height = 1.6 + 2 * len(models) * (0.12 + 0.09 * len(langs))
    figure = Figure(figsize=(7.2, height), layout="constrained")
    grid = figure.subplots(2, 2, sharex=True, sharey=True, squeeze=False)
    upper = float(np.nanmax(data[[rate, "high"]].to_numpy()))
    for axes, (unit, name) in zip(grid.ravel(), UNIT_NAMES.items(), strict=True):
        part = data.loc[data["unit"] == unit]
        axes.set_title(name, fontsize=9.5)
        for k, lang in enumerate(langs):
            own = part.loc[part["lang"] == lang]
            y = np.array([models.index(model) for model in own["model"]], dtype=float)
            y += (k - (len(langs) - 1) / 2) * 0.8 / len(langs)
            colour = COLOURS[k % len(COLOURS)]
            axes.hlines(y, own["low"], own["high"], color=colour, linewidth=1.2)
            style = {
                "marker": MARKERS[k % len(MARKERS)],
                "color": colour,
                "markersize": 3.5,
                "label": language_name(lang),
            }
            axes.plot(own[rate], y, linestyle="none", clip_on=False, **style)
        axes.hlines(np.arange(1, len(models)) - 0.5, 0.0, 1.0, color=INK, alpha=0.15, linewidth=0.8)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.tick_params(axis="y", length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
    grid[0, 0].set_yticks(range(len(models)), labels=[marked(name, described) for name in models])
    grid[0, 0].set_ylim(len(models) - 0.5, -0.5)
    grid[0, 0].set_xlim(0.0, min(1.0, 1.04 * upper) if upper > 0 else 1.0)
    figure.supxlabel(noted(label, described, models), fontsize=10)
    legend_above(figure, grid[0, 0])
    return figure
