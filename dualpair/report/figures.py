"""What all figures share: style, colours, SVG and PNG with their data; equal bytes for equal data.

The figures themselves are in :mod:`dualpair.report.plots`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from dualpair.artifacts import write_atomically
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
# Letters of an axis label that stand beside each other under the narrowest axes.
_LINE = 60
# Inches of a legend's entry at the size of the figures' text: its sign with the room round it, and a letter.
_HANDLE, _LETTER = 0.62, 0.083
# Behind the name of a model that was tuned to follow instructions.
INSTRUCT_MARK = "\u2020"
INSTRUCT_NOTE = f"{INSTRUCT_MARK} tuned to follow instructions"


Above = Literal["outside upper right", "outside upper center"]


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


def marked(model: str, models: Mapping[str, Mapping[str, Any]]) -> str:
    """A model's name with :data:`INSTRUCT_MARK` behind it where the registry says that its tuning is instruct."""
    tuned = (models.get(model) or {}).get("tuning") == "instruct"
    return f"{model} {INSTRUCT_MARK}" if tuned else model


def noted(label: str, models: Mapping[str, Mapping[str, Any]], shown: Iterable[str]) -> str:
    """An axis label, with :data:`INSTRUCT_NOTE` where a model that is shown carries the mark, below a long label."""
    if all(marked(name, models) == name for name in shown):
        return label
    apart = "\n" if len(label) + len(INSTRUCT_NOTE) > _LINE else " "
    return f"{label}{apart}({INSTRUCT_NOTE})"


def legend_columns(labels: Sequence[str], width: float) -> int:
    """How many entries of a legend fit side by side into a figure, filled column by column.

    Args:
        labels: the entries' texts, in order.
        width: of the figure, in inches.
    """
    for columns in range(len(labels), 1, -1):
        widest = [max(map(len, part)) for part in np.array_split(np.array(labels, dtype=object), columns)]
        if sum(_HANDLE + _LETTER * letters for letters in widest) <= width:
            return columns
    return 1


def legend_above(figure: Figure, axes: Axes, loc: Above = "outside upper right") -> None:
    """A legend above a figure, with as many entries side by side as fit."""
    handles, labels = axes.get_legend_handles_labels()
    columns = legend_columns([str(label) for label in labels], float(figure.get_figwidth()))
    figure.legend(handles, labels, loc=loc, ncols=columns, frameon=False)


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
