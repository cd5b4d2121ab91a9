"""The report as one self-contained page: no request leaves it, equal data give equal bytes."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from dualpair import __version__
from dualpair.report import findings, methods, published, validation, views
from dualpair.report.data import ReportData
from dualpair.report.explorer import payload, to_script
from dualpair.report.figures import Drawing, inline
from dualpair.report.section import Section, ShownTable

_TEMPLATE = "report.html.j2"
_FOLD_ROWS = 40  # a longer table is shown closed, so that it does not bury what comes after it
_SYMBOL = re.compile(r"(?<![A-Za-z_])(?P<name>[BIqxyp])_(?P<sub>G×A|GxA|G,alt|G_alt|G|A|0|j|g)(?![A-Za-z_])")
_WIDEST = 30  # characters that a column of text is made wide enough for, its padding included
_RANGE = re.compile(r"\[[−\d][^\[\]]*\]")
_CODE = re.compile(r"`([^`]+)`")


class Row(NamedTuple):
    """A line of a printed table: its head, whether the line above has the same, and the other cells."""

    head: str
    again: bool
    cells: list[str]


def build(context: ReportData) -> str:
    """The whole page.

    It holds its style, script, figures and data, makes no request (a content security policy forbids any), and shows no
    sentence of the data set before the reader asks for them.

    Raises:
        ValueError: if the tables do not belong together (see :func:`dualpair.report.explorer.payload`), or two sections
            or two figures have one name.
    """
    script, data = _resource("report.js"), payload(context)
    sections = [*context.sections, *([context.ratings] if context.ratings else [])]
    _check_names(sections)
    unit, told = views.unit(context), methods.paragraphs(context)
    text: str = (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            run=context.run,
            version=__version__,
            style=Markup(_resource("report.css")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            data=Markup(to_script({**data, "methods": methods.plain(told)})),
            n_sets=len(data["sets"]),
            unit=unit,
            facts=views.facts(context),
            question=_question(context),
            findings=findings.findings(context.headline, context.contradictions, unit),
            caution=findings.caution(context.headline),
            sections=views.sections(context),
            ratings=context.ratings,
            funnel=views.funnel_rows(context.funnel),
            validation=Markup(validation.section(context.validation)),
            warnings=views.warnings(context.warnings),
            literature=published.beside(views.settings(context), context.tables or {}),
            methods=told,
            config_yaml=context.config_yaml,
            provenance=sorted(context.provenance.items()),
        )
    )
    return text if text.endswith("\n") else text + "\n"


def symbols(text: str) -> Markup:
    """Plain text as markup: symbols such as B_G×A with a subscript, and what stands in backticks as code."""
    marked = _SYMBOL.sub(_subscript, str(escape(text)))
    return Markup(_CODE.sub(r"<code>\1</code>", marked))


def cell(text: str) -> Markup:
    """A table's cell as markup: as :func:`symbols`, with intervals in square brackets kept in one line."""
    return Markup(_RANGE.sub(lambda found: f'<span class="range">{found.group()}</span>', symbols(text)))


def rows(table: ShownTable) -> list[Row]:
    """The lines of a printed table; the first column heads them."""
    found: list[Row] = []
    for cells in table.view.itertuples(index=False, name=None):
        head, *rest = (str(cell) for cell in cells)
        found.append(Row(head, bool(found) and found[-1].head == head, rest))
    return found


def text_widths(table: ShownTable) -> dict[str, int]:
    """Characters that a line of each column of text should hold, so that a wide table scrolls rather than wraps."""
    texts = [name for name in table.view.columns[1:] if name not in table.numeric]
    return {name: min(_WIDEST, max(map(len, table.view[name].astype(str)), default=0)) for name in texts}


def folded(table: ShownTable) -> bool:
    """Whether a table is shown closed."""
    return table.folded or long(table)


def long(table: ShownTable) -> bool:
    """Whether a table is too long to be shown open, and to be printed."""
    return len(table.view) > _FOLD_ROWS


def beside_table(one: published.Beside) -> ShownTable:
    """A printed figure of a paper as a table."""
    numeric = tuple(str(name) for name in one.view.columns[len(one.figure.keys) :]) if one.figure.keys else ()
    return ShownTable(one.figure.key, f"{one.figure.title}. Printed in {one.figure.source}.", one.view, numeric)


def first_sentence(text: str) -> str:
    """The first sentence of a caption, without its full stop."""
    return text.split(". ")[0].removesuffix(".")


def natural_width(drawing: Drawing) -> int:
    """Width of a figure in CSS pixels at its own size, from its viewBox (points)."""
    found = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ', drawing.svg)
    return round(float(found.group(1)) * 4 / 3) if found else 600


def _question(context: ReportData) -> str:
    pairs = context.augmented
    return findings.question(context.headline, pairs["set_id"].nunique(), len(pairs))


def _subscript(found: re.Match[str]) -> str:
    sub = found["sub"].replace("GxA", "G×A").replace("G_alt", "G,alt")
    return f"{found['name']}<sub>{sub}</sub>"


def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("dualpair.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = (symbols, cell, rows, text_widths, folded, long, first_sentence, natural_width, beside_table)
    environment.filters.update({function.__name__: function for function in shown})
    environment.filters["inline"] = lambda drawing: Markup(inline(drawing))
    return environment


def _check_names(sections: list[Section]) -> None:
    for what, names in (
        ("sections", [section.id for section in sections]),
        ("figures", [drawing.name for section in sections for drawing in section.drawings]),
    ):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"several {what} are called {', '.join(twice)}; each needs a name of its own")


def _resource(name: str) -> str:
    return files("dualpair.report").joinpath("templates", name).read_text(encoding="utf-8")
