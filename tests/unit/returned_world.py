"""Sheets of :mod:`tests.unit.validation_world` on their way back: filled in, changed, read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dualpair.validation import keys, returned
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import known_words
from tests.unit import validation_world as vw

WORDS = known_words()
Rows = list[list[str]]


def read(world: vw.World, *files: Path | File) -> returned.Returned:
    listed = [file if isinstance(file, File) else File(str(file)) for file in files]
    return returned.read(listed, keys.read_all(world.folder), WORDS)


def all_accepted(world: vw.World, task: str = "paraphrase", lang: str = "en") -> dict[str, str]:
    return dict.fromkeys(world.items(task, lang)["item_id"], "accept")


def csv_back(
    world: vw.World, tmp: Path, change: Callable[[Rows], Any] = lambda rows: None, lang: str = "en", **how: Any
) -> Path:
    """The first annotator's CSV sheet, all accepted and then changed."""
    rows = vw.filled_rows(world.sheet("paraphrase", lang, kind="csv"), all_accepted(world, lang=lang))
    changed = change(rows)
    return vw.write_csv(rows if changed is None else changed, tmp / "annotator-1" / f"paraphrase-{lang}.csv", **how)


def xlsx_back(world: vw.World, tmp: Path, change: Callable[[Any], None]) -> Path:
    return vw.fill_xlsx(world.sheet(), all_accepted(world), tmp / "annotator-1" / "paraphrase-en.xlsx", change)


def set_cell(row: int, column: int, text: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        rows[row][column] = text

    return change
