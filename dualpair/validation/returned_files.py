"""Files that came back, as grids of cells with their places: XLSX with all sheets, CSV of any program and locale.

Nothing is decided here about what a row means, and no file is ever written to.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.errors import InputError
from dualpair.sources import delimited, encodings, reading, workbook
from dualpair.validation.returned_paths import ENDINGS, HINTS
from dualpair.validation.returned_words import ANSWER, ITEM_ID, Words
from dualpair.validation.settings import AUTO

WORKBOOK = ".xlsx"
_DELIMITERS = ("comma", "semicolon", "tab")
_HEADER_ROWS = 30  # rows among which the header is looked for
_NOTE = re.compile(r"\s*\"?sep=.?\"?[ \t]*\r?\n", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell's text; ``odd`` says why it is not the text that was typed or handed out (a date, a formula), if so."""

    text: str
    odd: str = ""


class Grid(NamedTuple):
    """One table of a file: the sheet's name (empty for text files) and its rows, each with its 1-based row or line."""

    path: Path
    sheet: str
    rows: list[tuple[int, list[Cell]]]


def read_grids(path: Path, encoding: str, words: Words) -> list[Grid]:
    """All tables of a returned file; blank rows are left out.

    Args:
        path: the file.
        encoding: of a text file: `auto` (UTF-8, or UTF-16 with its byte-order mark) or Python's name of one.
        words: known headers, by which the delimiter is told.

    Raises:
        InputError: no such file, another format, not readable, another encoding, or no delimiter shows a header.
    """
    ending = path.suffix.casefold()
    if not path.is_file():
        raise InputError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}; correct `validation.returned`")
    if ending not in ENDINGS:
        hint = _hint(ending)
        raise InputError(f"{path}: ending {path.suffix!r} cannot be read (allowed: {', '.join(ENDINGS)}); {hint}")
    if ending == WORKBOOK:
        found = workbook.all_sheets(path)
        return [Grid(path, title, _filled(enumerate(map(_cells, rows), start=1))) for title, rows in found]
    return [Grid(path, "", _text_rows(path, encoding, words))]


def _hint(ending: str) -> str:
    if ending == ".pdf":
        return "a PDF has no cells: ask for the .xlsx or .csv"
    return HINTS.get(ending, "save it in one of these")


def _cells(row: Sequence[Any]) -> list[Cell]:
    return [_cell(cell) for cell in row]


def _cell(cell: Any) -> Cell:
    try:
        return Cell(workbook.cell_text(cell))
    except reading.CellError as error:
        return Cell(str(getattr(cell.value, "text", cell.value)), str(error))


def _filled(rows: Iterable[tuple[int, list[Cell]]]) -> list[tuple[int, list[Cell]]]:
    return [(number, cells) for number, cells in rows if any(cell.text.strip() for cell in cells)]


def _text_rows(path: Path, encoding: str, words: Words) -> list[tuple[int, list[Cell]]]:
    data = reading.read_bytes(path)
    try:
        text = encodings.decode(data, path, _encoding(data, encoding))
    except InputError as wrong:
        raise _reworded(wrong) from None
    skipped = _NOTE.match(text)  # Excel's own note on the delimiter; one line
    offset = 1 if skipped else 0
    text = text[skipped.end() :] if skipped else text
    tried = {name: _records(text, path, delimited.DELIMITERS[name]) for name in _DELIMITERS}
    scores = {name: _recognised(rows, words) for name, (rows, _) in tried.items()}
    best = max(scores.values())
    names = [name for name, score in scores.items() if score == best]
    if best < 2 or len(names) > 1:
        first = next((error for _, error in tried.values() if error), None)
        if first is not None and best < 2:
            raise _reworded(first)
        raise InputError(
            f"{path}: no header with {ITEM_ID} and {ANSWER} is found, whether cells are separated by comma, semicolon "
            f"or tab; put the header of the sheet that was handed out back as the first line, or, if this is no sheet, "
            f"take it out of the returned files"
        )
    rows, error = tried[names[0]]
    if error is not None:
        raise _reworded(error)
    return [(number + offset, [Cell(cell) for cell in record]) for number, record in rows]


def _encoding(data: bytes, encoding: str) -> str:
    """A byte-order mark says what a file is, whatever the config says."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8" if encoding == AUTO else encoding


def _records(text: str, path: Path, delimiter: str) -> tuple[list[tuple[int, list[str]]], InputError | None]:
    """Records up to the first that cannot be read, and what is wrong with that one."""
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend(delimited.records(text, path, delimiter, "double"))
    except InputError as error:
        return rows, error
    return rows, None


def _recognised(rows: Sequence[tuple[int, list[str]]], words: Words) -> int:
    """The most known headers that one of the first rows holds."""
    counts = (len({words.column(cell) for cell in record} - {""}) for _, record in rows[:_HEADER_ROWS])
    return max(counts, default=0)


def _reworded(error: InputError) -> InputError:
    """The same message without the advice that holds for sources only."""
    text = re.sub(
        r",? or\s+set `source\.reading\.quotes: none`( if a quote mark is text in this file)?", "", str(error)
    )
    return InputError(text.replace("`source.reading.encoding`", "`validation.encoding`"))
