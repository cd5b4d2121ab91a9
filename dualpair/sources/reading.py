"""Strict reading of CSV files: text stays text, and every complaint names file, line, value and fix."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dualpair.errors import InputError


class Row(NamedTuple):
    """One data row with the 1-based line on which it starts."""

    line: int
    cells: dict[str, str]


def read_csv(path: Path, columns: Iterable[str]) -> list[Row]:
    """Rows of a comma-separated UTF-8 file (with or without a byte-order mark).

    Args:
        path: the file.
        columns: columns that must be there.

    Raises:
        InputError: not readable, not UTF-8, no header, a missing or repeated column, a ragged row, or no data row.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct the path") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 (byte {error.object[error.start]:#04x} at offset {error.start}); save it as UTF-8"
        ) from error
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    rows: list[Row] = []
    header: list[str] | None = None
    start = 1
    try:
        for record in reader:
            if header is None:
                header = _header(record, columns, path)
            elif any(cell.strip() for cell in record):
                if len(record) != len(header):
                    raise InputError(
                        f"{path}: line {start}: {len(record)} cells, expected {len(header)} ({', '.join(header)}); "
                        f"quote cells that hold a comma"
                    )
                rows.append(Row(start, dict(zip(header, record, strict=True))))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: {error}; check the quotes") from error
    if not rows:
        raise InputError(f"{path}: no data row; the file needs a header ({', '.join(columns)}) and at least one row")
    return rows


def _column_fix(names: list[str]) -> str:
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        return "the file is separated by semicolons or tabs: save it with commas"
    return "rename the column, or (source kind table) name the right one under `source.columns`"


def _header(record: list[str], columns: Iterable[str], path: Path) -> list[str]:
    names = [name.strip() for name in record]
    missing = [name for name in columns if name not in names]
    if missing:
        raise InputError(
            f"{path}: column {missing[0]!r} is not there (columns found: {', '.join(names)}); {_column_fix(names)}"
        )
    repeated = sorted({name for name in names if name and names.count(name) > 1})
    if repeated:
        raise InputError(
            f"{path}: column {repeated[0]!r} occurs {names.count(repeated[0])} times; rename or delete one"
        )
    return names
