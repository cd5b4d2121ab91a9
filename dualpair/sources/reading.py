"""Strict reading of tables: text stays text, and every complaint names file, row, column, value and fix.

One function for all formats, chosen by the file's ending; each format's module gives a header and raw rows, and turns a
raw cell into text only where its column is asked for.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import languages
from dualpair.errors import InputError
from dualpair.sources import cleaning
from dualpair.sources.settings import Reading

LINE, ROW, RECORD = "line", "row", "record"
PLAIN = Reading()


class CellError(ValueError):
    """A raw cell that has no text of its own; the message says what it holds and what to do."""


class Row(NamedTuple):
    """One data row with its place: the 1-based line it starts on, the sheet's row number, or the record's number."""

    line: int
    cells: dict[str, str]


class Raw(NamedTuple):
    """A table as its format's module gives it: header, rows of raw cells, how to make text of a cell.

    ``name`` is what messages and the artifact call the file; ``unit`` what a place is counted in; ``encoding`` that of
    a text file, empty for others.
    """

    name: str
    unit: str
    header: Sequence[str]
    rows: Iterable[tuple[int, Sequence[Any]]]
    text: Callable[[Any], str]
    encoding: str = ""


class Table(NamedTuple):
    """Rows with the cells of the columns asked for."""

    path: Path
    name: str
    unit: str
    rows: list[Row]
    encoding: str = ""

    def where(self, row: Row, column: str | None = None) -> str:
        """The place of a row or cell, as messages begin."""
        place = f"{self.path}: {self.unit} {row.line}"
        return place if column is None else f"{place}: column {column!r}"


def read_table(
    path: Path,
    columns: Iterable[str],
    settings: Reading = PLAIN,
    lang: str = "",
    optional: Iterable[str] = (),
    lists: Iterable[str] = (),
) -> Table:
    """Read the named columns of a table.

    Args:
        path: the file; its ending names the format.
        columns: columns that must be there.
        settings: encoding, delimiter, quotes, sheet.
        lang: language of the rows: chooses the sheet, and helps to name the right encoding.
        optional: columns read where they are there, else left out of the cells.
        lists: columns in which a cell of JSON or Parquet may be a list of texts.

    Raises:
        InputError: not readable, another encoding or delimiter, a missing or repeated column, a ragged row, a cell that
            is no text, or no data row.
    """
    raw = open_raw(path, settings, lang, list(columns))
    return select(raw, path, list(columns), list(optional), frozenset(lists))


def select(
    raw: Raw, path: Path, columns: Sequence[str], optional: Sequence[str] = (), lists: Collection[str] = ()
) -> Table:
    """The rows of a raw table with the asked columns as text; rows without any text are left out.

    Raises:
        InputError: as :func:`read_table`.
    """
    header = [languages.normalise(str(name)) for name in raw.header]
    wanted = [*columns, *(name for name in optional if header.count(name) == 1)]
    places = {name: _place(name, header, raw, path) for name in dict.fromkeys(wanted)}
    rows = [row for row in _rows(raw, header, places, path, lists) if row is not None]
    if not rows:
        raise InputError(f"{path}: no data row; the file needs a header ({', '.join(columns)}) and at least one row")
    return Table(path, raw.name, raw.unit, rows, raw.encoding)


def open_raw(path: Path, settings: Reading = PLAIN, lang: str = "", wanted: Sequence[str] = ()) -> Raw:
    """The file as its format's module reads it.

    Raises:
        InputError: no such file, or an ending that names no format.
    """
    from dualpair.sources import columnar, delimited, records, workbook

    ending = path.suffix.casefold()
    readers: dict[str, Callable[[], Raw]] = {
        **dict.fromkeys(delimited.ENDINGS, lambda: delimited.read(path, settings, lang, wanted)),
        ".jsonl": lambda: records.read_lines(path, settings, lang),
        ".ndjson": lambda: records.read_lines(path, settings, lang),
        ".json": lambda: records.read_list(path, settings, lang),
        ".parquet": lambda: columnar.read_parquet(path),
        ".xlsx": lambda: workbook.read(path, settings, lang),
    }
    if not path.is_file():
        raise InputError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}; correct the path")
    if ending not in readers:
        hint = "; save it as .xlsx" if ending in (".xls", ".ods", ".xlsm", ".numbers") else ""
        raise InputError(
            f"{path}: ending {path.suffix!r} names no format that can be read (allowed: {', '.join(readers)}){hint}"
        )
    sheet = settings.sheet.get(lang) if isinstance(settings.sheet, dict) else settings.sheet
    if sheet is not None and ending != ".xlsx":
        raise InputError(
            f"{path}: key `source.reading.sheet`: value {sheet!r}: only workbooks (.xlsx) have sheets; set it to null"
        )
    return readers[ending]()


def read_bytes(path: Path) -> bytes:
    """The file's content.

    Raises:
        InputError: it cannot be read, or is empty.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct the path") from error
    if not data.strip():
        raise InputError(f"{path}: no data row; the file is empty")
    return data


def checksum(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    if not path.is_dir():
        digest.update(path.read_bytes())
        return digest.hexdigest()
    for file in sorted(file for file in path.rglob("*") if file.is_file()):
        digest.update(f"{file.relative_to(path).as_posix()}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _rows(
    raw: Raw, header: Sequence[str], places: dict[str, int], path: Path, lists: Collection[str]
) -> Iterator[Row | None]:
    for number, cells in raw.rows:
        if len(cells) != len(header):
            raise InputError(
                f"{path}: {raw.unit} {number}: {len(cells)} cells, expected {len(header)} ({_listed(header)}); "
                f"quote cells that hold the delimiter, or give every cell its column"
            )
        texts = {}
        for name, index in places.items():
            try:
                texts[name] = raw.text(_flat(cells[index], name in lists))
            except CellError as error:
                raise InputError(f"{path}: {raw.unit} {number}: column {name!r}: {error}") from None
        filled = any(text.strip() for text in texts.values()) or any(_filled(cell) for cell in cells)
        yield Row(number, texts) if filled else None


def _flat(cell: Any, may_be_list: bool) -> Any:
    if isinstance(cell, list) and not may_be_list:
        raise CellError(
            f"value {cleaning.shown(cell)} is nested; only a column that lists a set's groups (or choices) may "
            f"hold lists: give one text, or a row for each"
        )
    return cell


def _listed(names: Sequence[str]) -> str:
    """The names, the first dozen of many."""
    return ", ".join(names) if len(names) <= 20 else f"{', '.join(names[:12])}, ... {len(names)} in all"


def _filled(cell: Any) -> bool:
    return (
        bool(cell.strip()) if isinstance(cell, str) else cell is not None and getattr(cell, "value", cell) is not None
    )


def _place(name: str, header: Sequence[str], raw: Raw, path: Path) -> int:
    found = [index for index, other in enumerate(header) if other == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{path}: column {name!r} occurs {len(found)} times; rename or delete one")
    known = [other for other in header if other]
    near = {other.casefold(): other for other in known}
    close = difflib.get_close_matches(name.casefold(), list(near), n=1, cutoff=0.6)
    hint = f", did you mean {near[close[0]]!r}?" if close else ""
    raise InputError(
        f"{path}: column {name!r} is not there (columns found: {_listed(known) or 'none'}){hint}; rename the column, "
        f"or, where the source has `columns`, name the right one there"
    )
