"""The further native speaker: what they judge, under ids of their own, in sheets that are written once.

An adjudication sheet holds the items that annotators disagree on and those that one of them calls not fluent, without
saying who answered what. Its ids differ from the annotators', so that a returned row tells by itself what it is,
whatever the file is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.validation import instructions, sheets
from dualpair.validation.digests import digest
from dualpair.validation.once import write_once
from dualpair.validation.page import Place, html_bytes
from dualpair.validation.workbook import xlsx_bytes

FOLDER, ADJUDICATOR = "adjudication", "adjudicator"
_COLUMNS = ["task", "lang", "item_id", "first", "second"]


def adjudication_id(item_id: str) -> str:
    """The id of an item in an adjudication sheet; it begins with a letter, so that no program makes a number of it."""
    return "a" + digest("adjudication", item_id)[:15]


def sheet_rows(items: pd.DataFrame) -> pd.DataFrame:
    """Rows of the adjudication sheets in random order (by a hash of the id): task, lang, item_id, first, second.

    Args:
        items: task, lang, item_id, first and second of the items in question.
    """
    rows = items[_COLUMNS].copy()
    rows["item_id"] = [adjudication_id(str(item_id)) for item_id in items["item_id"]]
    return rows.sort_values(["task", "lang", "item_id"], ignore_index=True)


def write(rows: pd.DataFrame, sample: Path, chosen: Mapping[str, str]) -> Path | None:
    """Write XLSX, CSV and page below ``<sample>/adjudication/<hash of the items>/``, unless they are there already.

    More answers make other items disputed, and so another folder; nothing that was handed out is replaced.

    Args:
        rows: see :func:`sheet_rows`.
        sample: the sample's folder.
        chosen: language of the instructions, or a file of them, by language of the items; one not named uses its own.

    Returns:
        The folder; None where there is nothing to adjudicate.

    Raises:
        ValueError: a language without instructions.
    """
    if rows.empty:
        return None
    target = sample / FOLDER / digest(FOLDER, *rows.values.tolist())[:16]
    made = {name: data for part in _parts(rows, chosen) for name, data in part.items()}

    def fill(folder: Path) -> None:
        for name, data in made.items():
            artifacts.write_atomically(folder / name, data)

    write_once(target, min(made), fill)
    return target


def _parts(rows: pd.DataFrame, chosen: Mapping[str, str]) -> list[dict[str, bytes]]:
    """Name and bytes of the files of each task and language."""
    parts = []
    for (task, lang), part in rows.groupby(["task", "lang"], sort=True):
        text = instructions.for_items(chosen.get(str(lang), str(lang)), str(lang))
        cells = list(part[["item_id", "first", "second"]].astype(str).itertuples(index=False, name=None))
        place = Place(str(task), str(lang), ADJUDICATOR)
        parts.append({
            f"{task}-{lang}.xlsx": xlsx_bytes(cells, text, place),
            f"{task}-{lang}.csv": sheets.csv_bytes(cells, text, ADJUDICATOR),
            f"{task}-{lang}.html": html_bytes(cells, text, place),
        })  # fmt: skip
    return parts
