"""The survey as an XLSX sheet: instructions with a count, and one row a question that takes a whole number.

Every text goes in as text (``write_string``); the only formula counts the answers.
"""

from __future__ import annotations

import io
from typing import Any

import pandas as pd

from dualpair.traits import HIGH, LOW
from dualpair.validation import workbook
from dualpair.validation.instructions import right_to_left
from dualpair.validation.ratings_design import RATING, rows_of
from dualpair.validation.ratings_text import COLUMNS, Texts

# Column widths in characters: item_id, page, question, left, right, answer, annotator.
_WIDTHS = (19, 7, 34, 34, 34, 16, 14)
_ANSWER = COLUMNS.index("answer")


def xlsx_bytes(questions: pd.DataFrame, texts: Texts, annotator: str) -> bytes:
    """The workbook of one annotator's questions (`ratings_key` rows in order); equal arguments give equal bytes."""
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, workbook.OPTIONS) as book:
        book.set_properties({"title": texts.title, "created": workbook.CREATED})
        guide = book.add_worksheet(texts.sheets["instructions"])
        items = book.add_worksheet(texts.sheets["items"])
        if right_to_left(texts.lang):
            guide.right_to_left()
            items.right_to_left()
        _write_guide(book, guide, texts, len(questions))
        _write_items(book, items, texts, questions, annotator)
    return out.getvalue()


def _write_guide(book: Any, sheet: Any, texts: Texts, n: int) -> None:
    base = {"text_wrap": True, "valign": "top"}
    title = book.add_format({**base, "bold": True, "font_size": workbook.TITLE_SIZE})
    bold = book.add_format({**base, "bold": True})
    wrap = book.add_format(base)
    warning = book.add_format({**base, "bg_color": "#FFF2CC", "border": 1})
    number = book.add_format({"bold": True, "align": "left", "valign": "top"})
    for column, width in enumerate(workbook.GUIDE_WIDTHS):
        sheet.set_column(column, column, width)
    line = workbook.Lines(sheet)
    for value, style in ((texts.title, title), (texts.warning, warning), (texts.purpose, wrap), (texts.ask, bold),
                         (texts.scale, bold)):  # fmt: skip
        line.across(value, style)
    line.skip()
    for position, rule in enumerate(texts.rules, start=1):
        line.across(f"{position}. {rule}", wrap)
    line.skip()
    name = texts.sheets["items"].replace("'", "''")
    line.formula(texts.progress["answered"], f"=COUNT('{name}'!$F$2:$F${n + 1})", 0, bold, number)
    line.formula(texts.progress["of"], n, n, bold, number)
    sheet.hide_gridlines(2)
    workbook.finish(sheet)


def _write_items(book: Any, sheet: Any, texts: Texts, questions: pd.DataFrame, annotator: str) -> None:
    edge = {"border": 1, "border_color": "#BFBFBF"}
    base = {"text_wrap": True, "valign": "top", "num_format": "@", **edge}
    styles = {
        "header": book.add_format({**base, "bold": True, "bg_color": "#DDEBF7"}),
        "small": book.add_format({**base, "font_size": 8, "font_color": "#595959"}),
        "text": book.add_format(base),
        "right": book.add_format({**base, "align": "right"}),
        # A whole number: the one cell that is no text.
        "free": book.add_format({"valign": "top", "num_format": "0", "locked": False, "bg_color": "#FFFFE5", **edge}),
    }
    sheet.set_row(0, workbook.height(texts.headers(), _WIDTHS))
    for column, (title, width) in enumerate(zip(texts.headers(), _WIDTHS, strict=True)):
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, title, styles["header"])
    for number, row in enumerate(rows_of(questions), start=1):
        cells = tuple(str(cell) for cell in (row.item_id, row.page, row.question, row.left, row.right))
        sheet.set_row(number, workbook.height(cells, _WIDTHS[: len(cells)]))
        for column, (cell, style) in enumerate(zip(cells, ("small", "small", "text", "right", "text"), strict=True)):
            sheet.write_string(number, column, cell, styles[style])
        sheet.write_blank(number, _ANSWER, None, styles["free"])
        sheet.write_string(number, _ANSWER + 1, annotator, styles["small"])
        sheet.data_validation(number, _ANSWER, number, _ANSWER, _limits(row, texts))
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    workbook.finish(sheet)


def _limits(row: Any, texts: Texts) -> dict[str, Any]:
    is_rating = row.kind == RATING
    return {
        "validate": "integer",
        "criteria": "between",
        "minimum": LOW if is_rating else 1,
        "maximum": HIGH if is_rating else len(row.options),
        "input_message": texts.messages["rating" if is_rating else "recall"],
        "error_message": texts.messages["wrong"],
        "error_type": "stop",
    }
