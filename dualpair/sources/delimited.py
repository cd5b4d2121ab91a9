"""CSV, TSV and other separated text files."""

from __future__ import annotations

import csv
import io
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
    records = _records(text, path, DELIMITERS[name], settings.quotes)
    _, header = next(records, (0, []))
    _check_delimiter(text, header, name, path, settings, wanted)
    return reading.Raw(path.name, reading.LINE, header, records, str)


def _records(text: str, path: Path, delimiter: str, quotes: str) -> Iterator[tuple[int, list[str]]]:
    """Records that are not blank, each with the line it starts on."""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quotes == "double" else csv.QUOTE_NONE
    # newline="" leaves line ends to the csv module, which knows \n, \r\n and \r, and no others.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
    start = 1
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
        if any(cell.strip() for cell in record):
            yield start, record
        start = reader.line_num + 1


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
            _, other = next(_records(text, path, delimiter, settings.quotes), (0, []))
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
