"""Surveys that came back, joined to the questions by their ids, and everything that is wrong with them.

A row that cannot be used is listed and left out, and stops nothing else; a file without a known id stops the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dualpair.errors import InputError
from dualpair.traits import HIGH, LOW
from dualpair.validation import ratings_text, returned_words
from dualpair.validation import returned_text as texts
from dualpair.validation.ratings_answers import NOT_A_NUMBER, NOT_WHOLE, OUT_OF_RANGE, option_number, whole_number
from dualpair.validation.ratings_design import RATING, rows_of
from dualpair.validation.ratings_text import ANSWER, ITEM_ID, LEFT, PAGE, QUESTION, RIGHT
from dualpair.validation.returned_files import Cell, Grid, read_grids
from dualpair.validation.returned_layout import Layout, locate
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_problems import (
    ALTERED,
    CONFLICTING,
    EMPTY,
    MISSING,
    NO_ANSWER,
    NO_ID,
    REPEATED,
    SHIFTED,
    TOO_MANY,
    UNKNOWN,
    Problems,
)  # fmt: skip
from dualpair.validation.returned_words import Words, plain

NO_TEXTS = "texts_not_returned"
REASONS = (NO_ANSWER, NOT_A_NUMBER, NOT_WHOLE, OUT_OF_RANGE, ALTERED, SHIFTED, TOO_MANY, CONFLICTING, MISSING)
PROBLEMS = (*REASONS, EMPTY, UNKNOWN, NO_ID, REPEATED, NO_TEXTS)

# The survey's columns under the names that the layout of any returned sheet knows.
_AS = {LEFT: returned_words.FIRST, RIGHT: returned_words.SECOND, ANSWER: returned_words.ANSWER}
_TEXTS_WANTED = "columns of the group and both traits; whether rows were mixed up cannot be told"


class Item(NamedTuple):
    """One question: its annotator, what is printed, the whole numbers that answer it, and what they stand for."""

    item_id: str
    lang: str
    annotator: str
    printed: tuple[str, str, str]
    least: int
    most: int
    options: tuple[str, ...]


class Row(NamedTuple):
    """What came back for a question; ``value`` is set and ``reason`` empty where it can be used."""

    item: Item
    value: int | None
    file: str
    sheet: str
    row: int
    reason: str


class Returned(NamedTuple):
    """One row per question of every annotator of whom something came back, and the `ratings_problems` frame."""

    rows: Mapping[str, Row]
    problems: pd.DataFrame


def read(files: Sequence[File], key: pd.DataFrame) -> Returned:
    """Read all files and join them to the survey's questions.

    Args:
        files: what came back.
        key: `ratings_key` frame.

    Raises:
        InputError: files that cannot be used at all; one message for all of them.
    """
    items = {texts.plain_id(item.item_id): item for item in map(_item, rows_of(key))}
    printed = {(item.lang, item.annotator, _loose(item.printed)): item for item in items.values()}
    words, problems = header_words(), Problems()
    rows: list[Row] = []
    stops = []
    for file in files:
        try:
            rows += _file_rows(file, items, printed, words, problems)
        except InputError as error:
            stops.append(_reworded(str(error)))
    if stops:
        raise InputError("\n".join(stops))
    decided = _decided(rows, problems)
    decided |= _missing(decided, items.values(), problems)
    return Returned(decided, problems.frame("ratings_problems"))


def header_words() -> Words:
    """Headers of the survey in all languages, under the names of any returned sheet's columns."""
    names = {plain(name): _AS.get(name, name) for name in ratings_text.COLUMNS}
    for lang in ratings_text.shipped():
        for name, header in ratings_text.load(lang).columns.items():
            names.setdefault(plain(re.sub(r"[(（].*", "", header)), _AS.get(name, name))
    return Words(names, {})


def _item(row: Any) -> Item:
    least, most = (LOW, HIGH) if row.kind == RATING else (1, len(row.options))
    return Item(
        row.item_id, row.lang, row.annotator, (row.question, row.left, row.right), least, most, tuple(row.options)
    )


def _loose(printed: Iterable[str]) -> tuple[str, ...]:
    return tuple(texts.loose(text) for text in printed)


def _file_rows(
    file: File, items: Mapping[str, Item], printed: Mapping[Any, Item], words: Words, problems: Problems
) -> list[Row]:
    grids = read_grids(Path(file.path), file.encoding, words)
    tables = [(grid, layout) for grid in grids for layout in [locate(grid, words, items.keys())] if layout is not None]
    if not tables:
        example = next(iter(items.values())).item_id if items else "none was handed out"
        raise InputError(
            f"{file.path}: holds no id of this run's survey (an id looks like {example!r}); give the file that an "
            f"annotator of this survey filled in, with its column {ITEM_ID!r}, or take it out of `validation.returned`"
        )
    own = Problems()
    rows = [row for grid, layout in tables for row in _table_rows(file, grid, layout, items, printed, words, own)]
    unanswered = sum(row.reason == NO_ANSWER for row in rows)
    problems.take(own, len(rows), unanswered, (file.path, tables[0][0].sheet, 0))
    return rows


def _table_rows(
    file: File, grid: Grid, layout: Layout, items: Mapping[str, Item], printed: Mapping[Any, Item], words: Words,
    problems: Problems,
) -> Iterable[Row]:  # fmt: skip
    number, header = grid.rows[layout.header]
    names = [words.column(cell.text) for cell in header]
    columns = [names.index(name) for name in (QUESTION, _AS[LEFT], _AS[RIGHT]) if name in names]
    if len(columns) < 3:
        problems.add(NO_TEXTS, (file.path, grid.sheet, number), "", "not all texts", _TEXTS_WANTED)
    for number, cells in grid.rows[layout.header + 1 :]:
        where = (file.path, grid.sheet, number)
        given = layout.cell(cells, returned_words.ITEM_ID).text.strip()
        item = items.get(texts.plain_id(given))
        if item is None:
            shown = given or " | ".join(cell.text for cell in cells if cell.text.strip())
            problems.add(UNKNOWN if given else NO_ID, where, given, shown, "an id that was handed out")
            continue
        value, wrong = _value(layout, cells, columns, len(header), item, printed)
        if wrong is not None:
            problems.add(wrong[0], where, item.item_id, *wrong[1:])
        yield Row(item, value, *where, wrong[0] if wrong is not None else "")


def _value(
    layout: Layout, cells: list[Cell], columns: list[int], width: int, item: Item, printed: Mapping[Any, Item]
) -> tuple[int | None, tuple[str, str, str] | None]:
    """A row's number, or else the problem, what was found and what was expected."""
    beyond = [cell.text for cell in cells[width:] if cell.text.strip()]
    if beyond:
        return None, (TOO_MANY, " | ".join(beyond), "no cell to the right of the header's last")
    if len(columns) == 3:
        wrong = _altered([cells[at] if at < len(cells) else Cell("") for at in columns], item, printed)
        if wrong is not None:
            return None, wrong
    cell = layout.cell(cells, returned_words.ANSWER)
    expected = f"a whole number from {item.least} to {item.most}"
    if cell.odd:
        return None, (NOT_A_NUMBER, cell.odd, expected)
    value, reason = whole_number(cell.text, item.least, item.most)
    if reason == NOT_A_NUMBER and (number := option_number(cell.text, item.options)):
        return number, None
    return value, (reason, cell.text.strip(), expected) if reason else None


def _altered(cells: list[Cell], item: Item, printed: Mapping[Any, Item]) -> tuple[str, str, str] | None:
    odd = next((cell.odd for cell in cells if cell.odd), "")
    found = _loose(cell.text for cell in cells)
    if not odd and found == _loose(item.printed):
        return None
    other = None if odd else printed.get((item.lang, item.annotator, found))
    if other is not None:
        return SHIFTED, f"the texts of {other.item_id}", f"those of {item.item_id}: sort whole rows only"
    return ALTERED, odd or " | ".join(cell.text for cell in cells), " | ".join(item.printed)


def _decided(rows: Sequence[Row], problems: Problems) -> dict[str, Row]:
    """One row per question."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.item.item_id, []).append(row)
    return {item_id: _one(group, problems) for item_id, group in groups.items()}


def _one(group: Sequence[Row], problems: Problems) -> Row:
    usable = [row for row in group if not row.reason]
    conflict = len({row.value for row in usable}) > 1
    for index, row in enumerate(group):
        earlier = next((other for other in group[:index] if other.file == row.file), None)
        where = (row.file, row.sheet, row.row)
        if earlier is not None and not conflict:
            problems.add(REPEATED, where, row.item.item_id, f"the question of row {earlier.row} again", "one row each")
        if conflict and not row.reason:
            others = ", ".join(f"{o.value} in {o.file}, row {o.row}" for o in usable if o.value != row.value)
            problems.add(CONFLICTING, where, row.item.item_id, str(row.value), f"one answer; {others}")
    if conflict:
        return usable[0]._replace(value=None, reason=CONFLICTING)
    return (usable or list(group))[0]


def _missing(decided: Mapping[str, Row], items: Iterable[Item], problems: Problems) -> dict[str, Row]:
    """Questions without a row, of annotators of whom other rows came back."""
    files = {(row.item.lang, row.item.annotator): (row.file, row.sheet, 0) for row in decided.values()}
    found = {}
    for item in items:
        where = files.get((item.lang, item.annotator))
        if where is not None and item.item_id not in decided:
            problems.add(MISSING, where, item.item_id, "", "a row of the survey that was handed out")
            found[item.item_id] = Row(item, None, *where, MISSING)
    return found


def _reworded(message: str) -> str:
    """Messages of any returned sheet, in the survey's words."""
    message = message.replace("`validation.returned`", "`validation.ratings.returned`")
    columns = ", ".join((ITEM_ID, PAGE, QUESTION, LEFT, RIGHT, ANSWER))
    return message.replace("item_id, both sentences, answer, comment", columns)
