"""The figures: SVG and PNG with their data, equal bytes for equal data."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair.artifacts import write_atomically
from dualpair.measures.spans import UNITS
from dualpair.report.numbers import not_enough
from dualpair.report.tables import to_csv

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Ink is a colour of its own, so that the report can replace it by the page's text colour in light and dark mode.
INK = "#1a1c1e"
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "dualpair",
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 10.0,
    "text.color": INK,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.dpi": 100.0,
    "path.simplify": False,
}
# Okabe and Ito's palette without yellow and black: told apart with any kind of colour vision, on light and dark ground.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_STEPS = 25
_RATES = {"contradiction": "Contradiction rate", "flip": "Flip rate"}


class Drawing(NamedTuple):
    """One figure.

    Attributes:
        name: file stem, e.g. ``contradictions``.
        title: one line.
        alt: what the figure shows, for those who cannot see it.
        svg: the whole SVG file.
        png: the whole PNG file.
        data: what is drawn, one row per mark.
        shortfall: empty, or the text that stands in the figure's place.
    """

    name: str
    title: str
    alt: str
    svg: str
    png: bytes
    data: pd.DataFrame
    shortfall: str = ""


def drawings(contradictions: pd.DataFrame, headline: pd.DataFrame, unit: str = UNITS["mean"]) -> list[Drawing]:
    """All figures of a run, in the order in which the report shows them.

    Their names are contradictions, flips, headline_I_GxA and headline_absB_avg.

    Args:
        contradictions: the ``contradictions`` table.
        headline: the ``headline`` table.
        unit: what x, y and every B are measured in.
    """
    return [
        contradiction_map(contradictions, "contradiction"),
        contradiction_map(contradictions, "flip"),
        interval_plot(headline, "I_GxA", "I_G×A in bits"),
        interval_plot(headline, "absB_avg", f"|B_G×A| in {unit}"),
    ]


def contradiction_map(contradictions: pd.DataFrame, kind: str = "contradiction", unit: str = "original") -> Drawing:
    """Heat map of contradiction (or flip) rates, models x languages, with n in each cell.

    Args:
        contradictions: the ``contradictions`` table.
        kind: ``contradiction`` or ``flip``.
        unit: the unit that is counted.

    Raises:
        ValueError: if kind is unknown.
    """
    if kind not in _RATES:
        raise ValueError(f"kind must be one of {', '.join(_RATES)}; found {kind!r}")
    rows = contradictions.loc[contradictions["unit"] == unit].sort_values(["model", "lang"])
    rate = f"{kind}_rate"
    data = rows[["model", "lang", "unit", "n", f"n_{kind}s", rate, f"{kind}_low", f"{kind}_high"]]
    data = data.reset_index(drop=True)
    title = f"{_RATES[kind]} by model and language"
    known = data.dropna(subset=[rate])
    if known.empty:
        return missing(f"{kind}s", title, data, not_enough(0, 1))
    with in_style():
        figure = _heat_map(data, rate, _RATES[kind])
        low, high = known[rate].min(), known[rate].max()
        alt = f"Heat map of the {_RATES[kind].lower()}; values from {low:.1%} to {high:.1%}. The data are in the table."
        return drawn(f"{kind}s", title, alt, figure, data)


def interval_plot(headline: pd.DataFrame, metric: str = "I_GxA", label: str = "I_G×A in bits") -> Drawing:
    """Means over sets with their intervals, one line per model, one colour and marker per language.

    The axis has a square-root scale for metrics that cannot be negative, because typical values are close to 0.

    Args:
        headline: the ``headline`` table.
        metric: one of its metrics.
        label: name of the axis.
    """
    columns = ["model", "lang", "n_sets", "n_clusters", metric, f"{metric}_low", f"{metric}_high"]
    data = headline[columns].sort_values(["model", "lang"]).reset_index(drop=True)
    name, title = f"headline_{metric}", f"{label}, mean over sets with 95 % intervals"
    if data[metric].notna().sum() == 0:
        return missing(name, title, data, not_enough(0, 1))
    with in_style():
        figure = _dots(data, metric, label)
        alt = f"Dot plot of {label} per model and language with intervals. The data are in the headline table."
        return drawn(name, title, alt, figure, data)


def write(drawing: Drawing, folder: Path) -> list[Path]:
    """Write the figure's SVG, PNG and CSV into ``folder``; returns the three paths."""
    contents = {"svg": drawing.svg.encode(), "png": drawing.png, "csv": to_csv(drawing.data).encode()}
    paths = [folder / f"{drawing.name}.{suffix}" for suffix in contents]
    for path, content in zip(paths, contents.values(), strict=True):
        write_atomically(path, content)
    return paths


def inline(drawing: Drawing) -> str:
    """The figure as an ``<svg>`` element for a page: own ids, ink in the page's text colour, the page's font."""
    text = re.sub(r"^.*?(?=<svg)", "", drawing.svg, count=1, flags=re.DOTALL)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = text.replace(INK, "currentColor").replace("'DejaVu Sans'", "inherit")
    text = re.sub(r'\bid="', f'id="{drawing.name}-', text)
    text = text.replace("url(#", f"url(#{drawing.name}-").replace('href="#', f'href="#{drawing.name}-')
    width = re.search(r'viewBox="0 0 ([\d.]+) ', text)
    limit = f"max-width:{float(width.group(1)) * 4 / 3:.0f}px" if width else ""
    attributes = f'<svg role="img" aria-labelledby="{drawing.name}-caption" style="{limit}"'
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    return text.replace("<svg", attributes, 1).strip()


def _heat_map(data: pd.DataFrame, rate: str, label: str) -> Figure:
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    models, langs = sorted(data["model"].unique()), sorted(data["lang"].unique())
    values = data.pivot(index="model", columns="lang", values=rate).reindex(index=models, columns=langs)
    counts = data.pivot(index="model", columns="lang", values="n").reindex(index=models, columns=langs)
    top = 0.5 if float(np.nanmax(values.to_numpy())) <= 0.5 else 1.0
    figure = Figure(figsize=(2.4 + 0.95 * len(langs), 0.9 + 0.62 * len(models)), layout="constrained")
    axes: Axes = figure.add_subplot()
    grid = values.to_numpy(dtype=float)
    # Few steps keep the colour bar a drawing; with many it becomes a bitmap inside the SVG.
    colours = colormaps["Blues"].resampled(_STEPS)
    mesh = axes.pcolormesh(grid, cmap=colours, vmin=0.0, vmax=top, edgecolors="white", linewidth=2)
    for i, j in np.ndindex(grid.shape):
        value = float(grid[i, j])
        _cell(axes, i, j, value, counts.iloc[i, j], _text_colour(colours(min(value / top, 1.0))))
    axes.set_xticks(np.arange(len(langs)) + 0.5, labels=langs)
    axes.set_yticks(np.arange(len(models)) + 0.5, labels=models)
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    bar = figure.colorbar(mesh, ax=axes, format=PercentFormatter(1.0, decimals=0), pad=0.03, aspect=14)
    bar.set_label(label)
    bar.outline.set_visible(False)
    return figure


def _text_colour(ground: tuple[float, ...]) -> str:
    """Near-black or white, whichever contrasts more with the ground (WCAG's relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in ground[:3]]
    return "#10233a" if float(np.dot(linear, (0.2126, 0.7152, 0.0722))) > 0.2 else "#ffffff"


def _cell(axes: Axes, row: int, column: int, value: float, n: Any, colour: str) -> None:
    if np.isnan(value):
        axes.text(column + 0.5, row + 0.5, "no data", ha="center", va="center", color=INK)
        return
    axes.text(column + 0.5, row + 0.4, f"{value:.1%}", ha="center", va="center", color=colour)
    axes.text(column + 0.5, row + 0.72, f"n = {int(n)}", ha="center", va="center", color=colour, fontsize=7.5)


def _dots(data: pd.DataFrame, metric: str, label: str) -> Figure:
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
        axes.plot(part[metric], y, linestyle="none", marker=marker, color=colour, markersize=5.5, label=lang)
    axes.set_yticks(range(len(models)), labels=models)
    axes.set_ylim(len(models) - 0.5, -0.5)
    for boundary in range(1, len(models)):
        axes.axhline(boundary - 0.5, color=INK, alpha=0.15, linewidth=0.8)
    _metric_axis(axes, data, metric, label)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def square_root_ticks(limit: float) -> list[float]:
    """0 and round values (1, 2, 5 times a power of ten) up to ``limit`` that stand apart on a square-root scale."""
    top = int(np.floor(np.log10(limit)))
    steps = [float(f"{m}e{k}") for k in range(top, top - 4, -1) for m in (5, 2, 1)]
    ticks: list[float] = []
    for value in steps:
        room = np.sqrt(ticks[-1] / limit) - np.sqrt(value / limit) if ticks else 1.0
        if value <= limit and room >= 0.15 and np.sqrt(value / limit) >= 0.12:
            ticks.append(value)
    return [0.0, *reversed(ticks)]


def _metric_axis(axes: Axes, data: pd.DataFrame, metric: str, label: str) -> None:
    """Square-root scale from 0 for metrics that cannot be negative, else linear with a line at the neutral 0."""
    axes.set_xlabel(label)
    if metric in ("I_GxA", "absB_avg"):
        axes.set_xscale("function", functions=(lambda v: np.sqrt(np.clip(v, 0, None)), np.square))
        upper = float(data[[metric, f"{metric}_high"]].max().max())
        limit = upper * 1.08 if upper > 0 else 1.0
        axes.set_xlim(0.0, limit)
        axes.set_xticks(square_root_ticks(limit))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel(f"{label} (square-root scale)")
    else:
        axes.axvline(0.0, color=INK, linewidth=0.8, alpha=0.5)


def missing(name: str, title: str, data: pd.DataFrame, text: str) -> Drawing:
    """A figure that says what its data lack, under the name and title of the one in whose place it stands."""
    from matplotlib.figure import Figure

    with in_style():
        figure = Figure(figsize=(5.0, 0.8))
        figure.text(0.5, 0.5, text, ha="center", va="center")
        return drawn(name, title, text, figure, data)._replace(shortfall=text)


def drawn(name: str, title: str, alt: str, figure: Figure, data: pd.DataFrame) -> Drawing:
    """The finished figure as SVG and PNG; to be called within :func:`in_style`."""
    svg, png = io.BytesIO(), io.BytesIO()
    figure.savefig(svg, format="svg", facecolor="none", metadata={"Date": None, "Creator": None, "Title": title})
    figure.savefig(png, format="png", dpi=200, facecolor="white", metadata={"Software": None})
    return Drawing(name, title, alt, svg.getvalue().decode(), png.getvalue(), data)


@contextmanager
def in_style() -> Iterator[None]:
    """Matplotlib settings of all figures, for the time of a ``with`` block."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield
