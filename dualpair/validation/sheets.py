"""What annotators fill in: an XLSX and a CSV sheet and a page per task and language, and the key kept back.

An answer sheet holds ids and sentences and nothing that tells an item's kind. Returned answers are joined to
``key.parquet`` by item id, never by text or row number: spreadsheet programs change both.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dualpair import artifacts
from dualpair.schemas import table
from dualpair.validation.digests import digest
from dualpair.validation.instructions import Instructions, for_items
from dualpair.validation.once import write_once
from dualpair.validation.page import Place, html_bytes
from dualpair.validation.pairs import Scores
from dualpair.validation.workbook import xlsx_bytes

KEY_FILE = "key.parquet"

# What makes a spreadsheet program read a cell as a formula, with the full-width and small forms that it folds into
# them under East Asian locales, and the white space that it skips at the start of a cell.
_ACTIVE = "=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"
_TO_ESCAPE = re.compile(f"'*[{_ACTIVE}]")
_TO_UNESCAPE = re.compile(f"'+[{_ACTIVE}]")
# The annotator's name is a folder and part of a file's name.
_ANNOTATOR = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
# XML has no way to write these two, whatever their category.
_NOT_XML = "\ufffe\uffff"


def escape(text: str) -> str:
    """Make a CSV cell plain text: an apostrophe goes before a text that a spreadsheet would take for a formula.

    Texts that begin with apostrophes and then such a character get one more, so :func:`unescape` is exact for every
    text, and also for one whose apostrophe the spreadsheet program dropped (unless the text began with apostrophes).
    """
    return f"'{text}" if _TO_ESCAPE.match(text) else text


def unescape(text: str) -> str:
    """The text that :func:`escape` was given."""
    return text[1:] if _TO_UNESCAPE.match(text) else text


class Written(NamedTuple):
    """A sample's folder, and whether this call wrote it (else it was there and stays as it is)."""

    folder: Path
    now: bool


def sample_hash(key: pd.DataFrame) -> str:
    """16 hexadecimal digits of the key's content: rows in the table's order, columns as declared, less the scores.

    A filter's numbers differ in the last digits from machine to machine, which makes no new sample.

    Raises:
        ValueError: a declared column is missing.
    """
    names = [name for name in table("sheet_key").names if name not in Scores._fields]
    rows = _ordered(key)[names].to_dict("records")
    return digest("sheet_key", *([_plain(value) for value in row.values()] for row in rows))[:16]


def export(
    root: Path,
    key: pd.DataFrame,
    instructions: Mapping[str, str] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Written:
    """Write the sheets of ``key`` once, under ``<root>/sheets/<sample_hash>/``.

    The folder appears whole, by a rename. A folder that is there already may be in an annotator's hands: it is
    returned as it is, never replaced, completed or deleted, whatever changed in the program or its texts.

    Args:
        root: the run's results folder.
        key: `sheet_key` frame.
        instructions: see :func:`write`.
        provenance: see :func:`write`.

    Returns:
        The sample's folder, and whether it was written now.

    Raises:
        ValueError: as :func:`write`, or the folder's place is taken by something that this function did not write.
    """
    target = root / "sheets" / sample_hash(key)
    return Written(target, write_once(target, KEY_FILE, lambda folder: write(key, folder, instructions, provenance)))


def write(
    key: pd.DataFrame,
    folder: Path,
    instructions: Mapping[str, str] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write ``<annotator>/<task>-<lang>`` as .xlsx, .csv and .html, and ``key.parquet``, into ``folder``.

    Only the annotators' folders are handed out. Equal keys and texts give equal bytes.

    Args:
        key: `sheet_key` frame; a task and language without rows gets no sheet.
        folder: an existing folder.
        instructions: language of the instructions, or a file of them, by language of the items; a language not named
            uses its own.
        provenance: what the key's file metadata records, e.g. settings and seed.

    Returns:
        The files written.

    Raises:
        ValueError: a text that cannot stand in one cell, a repeated item id, or a language without instructions;
            nothing is written.
    """
    key = _ordered(key)
    _check(key)
    chosen = dict(instructions or {})
    texts = {lang: for_items(chosen.get(lang, lang), lang) for lang in sorted(set(key["lang"]))}
    files = [folder / KEY_FILE]
    artifacts.write(key, files[0], "sheet_key", provenance)
    for (annotator, task, lang), items in key.groupby(["annotator", "task", "lang"], sort=True):
        rows = [(str(row.item_id), str(row.first), str(row.second)) for row in items.itertuples()]
        place = Place(str(task), str(lang), str(annotator))
        for suffix, data in (
            ("xlsx", xlsx_bytes(rows, texts[lang], place)),
            ("csv", csv_bytes(rows, texts[lang], place.annotator)),
            ("html", html_bytes(rows, texts[lang], place)),
        ):
            files.append(folder / place.annotator / f"{task}-{lang}.{suffix}")
            artifacts.write_atomically(files[-1], data)
    return files


def csv_bytes(rows: list[tuple[str, str, str]], text: Instructions, annotator: str) -> bytes:
    """The CSV sheet (comma, all cells quoted, CRLF, UTF-8 with byte order mark) of (item_id, first, second) rows."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([escape(header) for header in text.headers()])
    writer.writerows([*(escape(cell) for cell in row), "", "", escape(annotator)] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _ordered(key: pd.DataFrame) -> pd.DataFrame:
    declared = table("sheet_key")
    missing = [name for name in declared.names if name not in key.columns]
    if missing:
        raise ValueError(f"sheet_key: missing columns {missing}; give the key of a sample")
    return key.sort_values(list(declared.key), ignore_index=True)


def _check(key: pd.DataFrame) -> None:
    repeated = sorted(set(key.loc[key.duplicated(["annotator", "item_id"]), "item_id"]))
    if repeated:
        raise ValueError(
            f"sheet_key: item_id {repeated[0]!r} is on more than one row of an annotator; ids must be unique"
        )
    odd = sorted(name for name in set(key["annotator"]) if not _ANNOTATOR.fullmatch(name))
    if odd:
        raise ValueError(f"sheet_key: annotator {odd[0]!r} names no folder; use Latin letters, digits, - and _")
    for row in key.itertuples():
        for name in ("first", "second"):
            bad = [char for char in str(getattr(row, name)) if _unfit(char)]
            if bad:
                raise ValueError(
                    f"sheet_key: set_id {row.set_id!r}, lang {row.lang!r}, {name}: has the character {bad[0]!r}; one "
                    "cell takes one line without control characters, so clean or drop the text before sampling"
                )


def _unfit(char: str) -> bool:
    return char in _NOT_XML or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")


def _plain(value: Any) -> Any:
    """The value as a plain Python object, whichever library's scalar the frame gave."""
    return value.item() if hasattr(value, "item") else value
