"""The XLSX sheet: instructions with a progress count, and the items with a drop-down for the answer.

Every text goes in as text (``write_string``), so that none can become a formula, a number or a link; the only formulas
are the two that count progress.
"""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dualpair.validation.instructions import ANSWERS, Instructions, right_to_left
from dualpair.validation.page import Place

# A fixed date: equal items and texts give equal bytes.
CREATED = datetime(2000, 1, 1)
# Column widths in characters: of the instructions, and of item_id, two sentences, answer, comment, annotator.
GUIDE_WIDTHS = (24, 42, 42, 38)
_ITEM_WIDTHS = (19, 50, 50, 24, 38, 13)
_POINTS = 15.5
TITLE_SIZE, _TEXT_SIZE = 15, 11
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}


def xlsx_bytes(rows: Sequence[tuple[str, str, str]], text: Instructions, place: Place) -> bytes:
    """The workbook for (item_id, first, second) rows of one task and annotator; equal arguments give equal bytes."""
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, OPTIONS) as book:
        book.set_properties({"title": text.tasks[place.task].title, "created": CREATED})
        guide = book.add_worksheet(text.sheets["instructions"])
        items = book.add_worksheet(text.sheets["items"])
        for sheet, code in ((guide, text.lang), (items, place.lang)):
            if right_to_left(code):
                sheet.right_to_left()
        _write_guide(book, guide, text, place.task, len(rows))
        _write_items(book, items, text, rows, place.annotator)
    return out.getvalue()


class Lines:
    """Writes the instructions sheet row by row."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self._row = 0

    def skip(self) -> None:
        """Leave a row empty."""
        self._row += 1

    def across(self, text: str, style: Any) -> None:
        """A text over all columns."""
        self._merged(0, text, style)

    def pair(self, left: str, right: str, first: Any, second: Any) -> None:
        """A text in the first column and one over the others."""
        self._sheet.write_string(self._row, 0, left, first)
        self._merged(1, right, second)

    def formula(self, label: str, value: str | int, shown: int, first: Any, second: Any) -> None:
        """A label and a number or formula; ``shown`` is what a program that does not calculate displays."""
        self._sheet.set_row(self._row, height((label,), GUIDE_WIDTHS[:1]))
        self._sheet.write_string(self._row, 0, label, first)
        if isinstance(value, str):
            self._sheet.write_formula(self._row, 1, value, second, shown)
        else:
            self._sheet.write_number(self._row, 1, value, second)
        self._row += 1

    def cells(self, texts: tuple[str, ...], style: Any) -> None:
        """One text per column."""
        self._sheet.set_row(self._row, height(texts, GUIDE_WIDTHS))
        for column, text in enumerate(texts):
            self._sheet.write_string(self._row, column, text, style)
        self._row += 1

    def _merged(self, start: int, text: str, style: Any) -> None:
        scale = style.font_size / _TEXT_SIZE
        points = height((text,), (sum(GUIDE_WIDTHS[start:]) / scale,))
        self._sheet.set_row(self._row, points * scale + 4)
        self._sheet.merge_range(self._row, start, self._row, len(GUIDE_WIDTHS) - 1, "", style)
        self._sheet.write_string(self._row, start, text, style)
        self._row += 1


def _write_guide(book: Any, sheet: Any, text: Instructions, task: str, n: int) -> None:
    base = {"text_wrap": True, "valign": "top"}
    title = book.add_format({**base, "bold": True, "font_size": TITLE_SIZE})
    bold = book.add_format({**base, "bold": True})
    wrap = book.add_format(base)
    warning = book.add_format({**base, "bg_color": "#FFF2CC", "border": 1})
    number = book.add_format({"bold": True, "align": "left", "valign": "top"})
    for column, width in enumerate(GUIDE_WIDTHS):
        sheet.set_column(column, column, width)
    line = Lines(sheet)
    words = text.tasks[task]
    for value, style in ((words.title, title), (text.warning, warning), (text.purpose, wrap), (words.question, bold)):
        line.across(value, style)
    line.skip()
    for answer in ANSWERS:
        line.pair(answer, words.answers[answer], bold, wrap)
    line.skip()
    for position, rule in enumerate(text.rules, start=1):
        line.across(f"{position}. {rule}", wrap)
    line.skip()
    answered, left = _progress(text.sheets["items"], n)
    line.formula(text.progress["answered"], answered, 0, bold, number)
    line.formula(text.progress["of"], n, n, bold, number)
    line.formula(text.progress["left"], left, n, bold, number)
    line.skip()
    line.cells((text.examples_title, text.columns["first"], text.columns["second"], ""), bold)
    for example in words.examples:
        line.cells((example.answer, example.first, example.second, example.why), wrap)
    sheet.hide_gridlines(2)
    finish(sheet)


def _progress(items: str, n: int) -> tuple[str, str]:
    """Formulas for the number of rows with an allowed answer and of those without."""
    name = items.replace("'", "''")
    cells = f"'{name}'!$D$2:$D${n + 1}"
    count = "+".join(f'COUNTIF({cells},"{answer}")' for answer in ANSWERS)
    return f"={count}", f"={n}-({count})"


def _write_items(
    book: Any, sheet: Any, text: Instructions, rows: Sequence[tuple[str, str, str]], annotator: str
) -> None:
    # The format "text" keeps a program from reading what is typed, such as a date, as something else.
    base = {"text_wrap": True, "valign": "top", "num_format": "@", "border": 1, "border_color": "#BFBFBF"}
    header = book.add_format({**base, "bold": True, "bg_color": "#DDEBF7"})
    locked = book.add_format(base)
    small = book.add_format({**base, "font_size": 8, "font_color": "#595959"})
    free = book.add_format({**base, "locked": False, "bg_color": "#FFFFE5"})
    sheet.set_row(0, height(text.headers(), _ITEM_WIDTHS))
    for column, (title, width) in enumerate(zip(text.headers(), _ITEM_WIDTHS, strict=True)):
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, title, header)
    for number, row in enumerate(rows, start=1):
        sheet.set_row(number, height(row, _ITEM_WIDTHS[: len(row)]))
        for column, cell in enumerate(row):
            sheet.write_string(number, column, cell, small if column == 0 else locked)
        sheet.write_blank(number, 3, None, free)
        sheet.write_blank(number, 4, None, free)
        sheet.write_string(number, 5, annotator, small)
    sheet.data_validation(1, 3, len(rows), 3, _answer_list(text))
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    finish(sheet)


def _answer_list(text: Instructions) -> dict[str, Any]:
    return {
        "validate": "list",
        "source": list(ANSWERS),
        "input_message": text.messages["choose"],
        "error_message": text.messages["wrong"],
        "error_type": "stop",
    }


def finish(sheet: Any) -> None:
    """Lock the sheet and set it up for printing."""
    # Column widths and row heights stay free, so that a reader can enlarge them.
    sheet.protect("", {"format_columns": True, "format_rows": True})
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)


def height(texts: Sequence[str], widths: Sequence[float]) -> float:
    """Height in points of a row of wrapped texts: not every program finds it by itself.

    Wide (Chinese) characters take two columns; a tenth is added because fonts differ.
    """
    lines = [math.ceil(1.1 * _columns(text) / width) for text, width in zip(texts, widths, strict=True)]
    return _POINTS * max(1, *lines)


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
