"""The survey as files: a page, an XLSX and a CSV sheet per annotator, and the key kept back."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from dualpair import artifacts
from dualpair.schemas import table
from dualpair.validation import ratings_text
from dualpair.validation.digests import digest
from dualpair.validation.once import write_once
from dualpair.validation.ratings_design import KEY, rows_of
from dualpair.validation.ratings_page import html_bytes
from dualpair.validation.ratings_text import Texts
from dualpair.validation.ratings_workbook import xlsx_bytes
from dualpair.validation.sheets import Written, escape

KEY_FILE = f"{KEY}.parquet"
FOLDER = "ratings"


def design_hash(key: pd.DataFrame) -> str:
    """16 hexadecimal digits of the key's content."""
    names = table(KEY).names
    rows = key.sort_values(list(table(KEY).key))[names].to_dict("records")
    return digest(KEY, *([_plain(value) for value in row.values()] for row in rows))[:16]


def export(root: Path, key: pd.DataFrame, provenance: Mapping[str, Any] | None = None) -> Written:
    """Write the survey once, under ``<root>/sheets/<design_hash>/``; a folder that is there stays as it is.

    Args:
        root: the run's results folder.
        key: `ratings_key` frame.
        provenance: what the key's file metadata records.

    Raises:
        ValueError: the folder's place is taken by something else.
    """
    target = root / "sheets" / design_hash(key)
    return Written(target, write_once(target, KEY_FILE, lambda folder: write(key, folder, provenance)))


def write(key: pd.DataFrame, folder: Path, provenance: Mapping[str, Any] | None = None) -> None:
    """Write ``ratings/<lang>/<annotator>`` as .html, .xlsx and .csv, and the key, into an existing folder.

    Equal keys and texts give equal bytes.
    """
    artifacts.write(key, folder / KEY_FILE, KEY, provenance)
    for (lang, annotator), rows in key.groupby(["lang", "annotator"], sort=True):
        texts = ratings_text.load(str(lang))
        questions = rows.sort_values("position")
        for suffix, data in (
            ("html", html_bytes(questions, texts, str(annotator))),
            ("xlsx", xlsx_bytes(questions, texts, str(annotator))),
            ("csv", csv_bytes(questions, texts, str(annotator))),
        ):
            artifacts.write_atomically(folder / FOLDER / str(lang) / f"{annotator}.{suffix}", data)


def csv_bytes(questions: pd.DataFrame, texts: Texts, annotator: str) -> bytes:
    """The CSV sheet (comma, all cells quoted, CRLF, UTF-8 with byte order mark) of an annotator's questions."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([escape(header) for header in texts.headers()])
    for row in rows_of(questions):
        cells = (row.item_id, str(row.page), row.question, row.left, row.right, "", annotator)
        writer.writerow([escape(str(cell)) for cell in cells])
    return out.getvalue().encode("utf-8-sig")


def _plain(value: Any) -> Any:
    """The value as a plain Python object, whichever library's it is."""
    return value.tolist() if hasattr(value, "tolist") else value
