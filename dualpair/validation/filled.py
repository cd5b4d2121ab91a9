"""A sheet that was handed out with answers typed in, in each of the three formats that come back."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from dualpair.artifacts import write_atomically
from dualpair.validation.sheets import escape

XLSX, CSV, PAGE = FORMATS = ("xlsx", "csv", "page")
Cells = Mapping[str, Mapping[str, str | int]]


def fill(source: Path, target: Path, columns: Sequence[str], cells: Cells, kind: str) -> Path:
    """Write a copy of a sheet with cells filled in.

    Args:
        source: the sheet that was handed out, less its ending; its .xlsx or .csv is read.
        target: the copy, less its ending.
        columns: plain names of the sheet's columns, the first of which holds the ids.
        cells: what to enter, by id and plain name of a column.
        kind: one of :data:`FORMATS`; ``page`` writes what the page saves.

    Returns:
        The copy: ``target`` with the ending of its format.

    Raises:
        ValueError: an unknown format.
    """
    if kind not in FORMATS:
        raise ValueError(f"format {kind!r} is unknown (allowed: {', '.join(FORMATS)})")
    if kind == XLSX:
        return _workbook(source.with_suffix(".xlsx"), target.with_suffix(".xlsx"), columns, cells)
    header, *rows = rows_of(source.with_suffix(".csv"))
    for row in rows:
        for name, value in cells.get(row[0], {}).items():
            row[columns.index(name)] = escape(str(value))
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows([header if kind == CSV else list(columns), *rows])
    write_atomically(target.with_suffix(".csv"), out.getvalue().encode("utf-8-sig"))
    return target.with_suffix(".csv")


def rows_of(sheet: Path) -> list[list[str]]:
    """Header and rows of a CSV sheet as it was handed out."""
    return list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8-sig"), newline="")))


def _workbook(source: Path, target: Path, columns: Sequence[str], cells: Cells) -> Path:
    import openpyxl

    book = openpyxl.load_workbook(source)
    items = book.worksheets[1]
    for row in items.iter_rows(min_row=2):
        for name, value in cells.get(str(row[0].value), {}).items():
            cell = row[columns.index(name)]
            cell.value = value
            if isinstance(value, str):
                cell.data_type = "s"  # openpyxl would make a formula of a text that begins with "="
    target.parent.mkdir(parents=True, exist_ok=True)
    book.save(target)
    return target
