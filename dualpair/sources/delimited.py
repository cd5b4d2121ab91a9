"""CSV, TSV and other separated text files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from dualpair import languages
from dualpair.errors import InputError
from dualpair.sources import encodings, reading
from dualpair.sources.settings import Reading

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_BY_ENDING = {".csv": "comma", ".txt": "tab", ".tsv": "tab", ".tab": "tab"}
ENDINGS = tuple(_BY_ENDING)


def read(path: Path, settings: Reading, lang: str, wanted: Sequence[str]) -> reading.Raw:
    """The file's header and rows; the header is the first line that is not blank.

    Raises:
        InputError: wrong encoding, a quote that is not closed, or another delimiter than the one named.
    """
    text = encodings.decode(reading.read_bytes(path), path, settings.encoding, lang)
    name = _BY_ENDING[path.suffix.casefold()] if settings.delimiter == "auto" else settings.delimiter
    first = text.lstrip().split("\n", 1)[0].strip()
    if re.fullmatch(r"sep=.?", first, flags=re.IGNORECASE):
        used = next((key for key, mark in DELIMITERS.items() if first.endswith(mark)), "tab")
        raise InputError(
            f"{path}: line 1: {first!r} is a note of Excel's, no header; delete the line and set "
            f"`source.reading.delimiter: {used}`"
        )
    found = records(text, path, DELIMITERS[name], settings.quotes)
    _, header = next(found, (0, []))
    _check_delimiter(text, header, name, path, settings, wanted)
    return reading.Raw(path.name, reading.LINE, header, found, str, settings.encoding)


def records(text: str, path: Path, delimiter: str, quotes: str) -> Iterator[tuple[int, list[str]]]:
    """Records that are not blank, each with the line it starts on.

    Raises:
        InputError: a quote that is not closed, or that swallows a row.
    """
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quotes == "double" else csv.QUOTE_NONE
    # newline="" leaves line ends to the csv module, which knows \n, \r\n and \r, and no others.
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    start, width = 1, 0
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(
                f"{path}: line {start}: {error} (noticed in line {reader.line_num}); check the quotes of that row, or "
                f"set `source.reading.quotes: none` if a quote mark is text in this file"
            ) from None
        if width and reader.line_num > start:
            _check_swallowed(lines[start : reader.line_num], width, path, start, delimiter)
        if any(cell.strip() for cell in record):
            width = width or len(record)
            yield start, record
        start = reader.line_num + 1


def _check_swallowed(lines: Sequence[str], width: int, path: Path, start: int, delimiter: str) -> None:
    """Refuse a cell over several lines of which one reads as a row of its own: a stray quote has swallowed it.

    Such a line has as many cells as the header, and not just because of its prose: after the commas of prose there are
    spaces, and a list that a program has wrapped goes on with a space. In the last line only what stands before the
    closing quote can be prose.
    """
    for number, line in enumerate(lines, start=start + 1):
        cells = next(csv.reader([line], delimiter=delimiter), [])
        inside = next((index for index, cell in enumerate(cells) if '"' in cell), len(cells) - 1)
        prose = line.startswith(" ") or all(cell.startswith(" ") for cell in cells[1 : inside + 1])
        if len(cells) == width and width > 1 and not prose:
            raise InputError(
                f"{path}: lines {start} to {start + len(lines)}: a quote that opens in line {start} closes in line "
                f"{start + len(lines)}, and line {number} between them reads as a row of its own; correct the quote, "
                f"write it twice if it is text, or set `source.reading.quotes: none`; a cell of several lines must not "
                f"hold such a line"
            )


def _check_delimiter(
    text: str, header: Sequence[str], used: str, path: Path, settings: Reading, wanted: Sequence[str]
) -> None:
    """Refuse a header in which columns are missing that another delimiter would show."""
    if _missing(header, wanted) == 0:
        return
    for name, delimiter in DELIMITERS.items():
        if name == used:
            continue
        try:
            _, other = next(records(text, path, delimiter, settings.quotes), (0, []))
        except InputError:
            continue
        if _missing(other, wanted) < _missing(header, wanted) and len(other) > 1:
            raise InputError(
                f"{path}: the header has no column {_first_missing(header, wanted)!r} when cut at each {used}; it "
                f"seems to be separated by {name}: set `source.reading.delimiter: {name}`"
            )


def _missing(header: Sequence[str], wanted: Sequence[str]) -> int:
    return len(set(wanted) - {languages.normalise(name) for name in header})


def _first_missing(header: Sequence[str], wanted: Sequence[str]) -> str:
    names = {languages.normalise(name) for name in header}
    return next(name for name in wanted if name not in names)
