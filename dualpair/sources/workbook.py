"""XLSX workbooks: cells whose text is what the user sees, everything else refused with its place."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dualpair.errors import InputError
from dualpair.sources import reading
from dualpair.sources.cleaning import shown
from dualpair.sources.settings import Reading

_T = TypeVar("_T")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_EXACT = 10**15
_DECIMALS = re.compile(r"0(?:\.(0+))?")


def read(path: Path, settings: Reading, lang: str) -> reading.Raw:
    """One sheet of a workbook; its first row that is not blank is the header.

    Raises:
        InputError: no workbook, an encrypted one, or a sheet that is not there or not named.
    """

    def chosen(book: Any) -> tuple[str, list[list[Any]]]:
        sheet = _sheet(book, path, settings, lang)
        return sheet.title, _cells(sheet)

    title, rows = _opened(path, chosen)
    start = next((index for index, row in enumerate(rows) if _width(row)), len(rows))
    width = _width(rows[start]) if start < len(rows) else 0
    header = [_header_text(cell, path) for cell in rows[start][:width]] if width else []
    return reading.Raw(f"{path.name}, sheet {title}", reading.ROW, header, _rows(rows, start, width), cell_text)


def all_sheets(path: Path) -> list[tuple[str, list[list[Any]]]]:
    """Every sheet of a workbook: its name and its rows of openpyxl cells, the first row being the sheet's row 1.

    Raises:
        InputError: no workbook, or an encrypted one.
    """
    return _opened(path, lambda book: [(sheet.title, _cells(sheet)) for sheet in book.worksheets])


def _opened(path: Path, taken: Callable[[Any], _T]) -> _T:
    """What ``taken`` makes of the open workbook."""
    import openpyxl

    if reading.read_bytes(path).startswith(_OLD_OFFICE):
        raise InputError(f"{path}: is encrypted or an old .xls workbook; save it as .xlsx without a password")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return taken(openpyxl.load_workbook(path, read_only=True, data_only=False))
    except InputError:
        raise
    except Exception as error:  # a damaged archive raises whatever its broken part leads to
        raise InputError(
            f"{path}: cannot be read as a workbook ({type(error).__name__}: {error}); open it and save it again as "
            f".xlsx"
        ) from None


def _cells(sheet: Any) -> list[list[Any]]:
    sheet.reset_dimensions()  # some programs write a wrong one, which would cut rows off
    return [list(row) for row in sheet.iter_rows()]


def cell_text(cell: Any) -> str:
    """The text of a cell as the user sees it: `_x000D_` and the like are the characters they stand for.

    Raises:
        reading.CellError: a formula, a date or time, an error value, or a number in a format that changes its text.
    """
    from openpyxl.utils.escape import unescape

    value = getattr(cell, "value", None)
    if value is None:
        return ""
    kind = cell.data_type
    if kind == "f":
        raise reading.CellError(
            f"cell {cell.coordinate} holds a formula ({shown(getattr(value, 'text', value))}); copy the column and "
            f"insert its values"
        )
    if kind == "e":
        raise reading.CellError(f"cell {cell.coordinate} holds the error {value}; correct it")
    if kind == "d":
        raise reading.CellError(
            f"cell {cell.coordinate} holds a date or time ({value}), perhaps made from a text by the spreadsheet "
            f"program; format the column as text and enter it again"
        )
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return str(unescape(value))
    return _number_text(value, cell)


def _number_text(value: int | float, cell: Any) -> str:
    form = cell.number_format or "General"
    decimals = _DECIMALS.fullmatch(form)
    if decimals:
        return f"{value:.{len(decimals.group(1) or '')}f}"
    if form not in ("General", "@"):
        raise reading.CellError(
            f"cell {cell.coordinate} holds the number {value!r} in the format {form!r}; format the column as text and "
            f"enter it again"
        )
    if abs(value) >= _EXACT:
        raise reading.CellError(
            f"cell {cell.coordinate} holds the number {value!r}, whose last digits a spreadsheet program loses; format "
            f"the column as text and enter it again"
        )
    if isinstance(value, int) or value.is_integer():
        return str(int(value))
    return f"{value:.10g}"


def _rows(rows: Sequence[Sequence[Any]], start: int, width: int) -> Iterator[tuple[int, list[Any]]]:
    for index, row in enumerate(rows[start + 1 :], start=start + 2):
        cells = list(row[: max(width, _width(row))])
        yield index, cells + [None] * (width - len(cells))


def _width(row: Sequence[Any]) -> int:
    """Cells up to the last one that holds something."""
    filled = [index for index, cell in enumerate(row) if not _blank(getattr(cell, "value", None))]
    return filled[-1] + 1 if filled else 0


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _header_text(cell: Any, path: Path) -> str:
    try:
        return cell_text(cell)
    except reading.CellError as error:
        raise InputError(f"{path}: header: {error}") from None


def _sheet(book: Any, path: Path, settings: Reading, lang: str) -> Any:
    given = settings.sheet.get(lang) if isinstance(settings.sheet, dict) else settings.sheet
    names = list(book.sheetnames)
    where = f"source.reading.sheet.{lang}" if isinstance(settings.sheet, dict) else "source.reading.sheet"
    if given is None:
        if len(names) == 1:
            return book[names[0]]
        raise InputError(f"{path}: has {len(names)} sheets ({', '.join(names)}); name one in `{where}`")
    if given not in names:
        raise InputError(f"{path}: key `{where}`: value {given!r} (allowed: {', '.join(names)})")
    return book[given]
