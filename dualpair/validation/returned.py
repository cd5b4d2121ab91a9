"""Answers that came back, joined to the items that were handed out by their ids, and everything that is wrong.

A row that cannot be used is listed and left out, and stops nothing else. A file that says nothing (no id that was ever
handed out, no column of answers, an unnamed annotator of several) stops the run with what to do about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dualpair import schemas
from dualpair.errors import InputError
from dualpair.validation import returned_text as texts
from dualpair.validation.adjudication import ADJUDICATOR, adjudication_id
from dualpair.validation.instructions import ANSWERS
from dualpair.validation.returned_files import Cell, Grid, read_grids
from dualpair.validation.returned_layout import Layout, has_texts, locate, place
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import ANNOTATOR, ANSWER, COMMENT, FIRST, ITEM_ID, SECOND, Words, plain
from dualpair.validation.sheets import unescape

ANNOTATES, ADJUDICATES = "annotator", ADJUDICATOR
NO_ANSWER, NOT_IN_LIST, ALTERED, SHIFTED = "no_answer", "answer_not_in_list", "altered_text", "text_of_another_item"
TOO_MANY, CONFLICTING, MISSING = "cells_beyond_the_header", "conflicting_answers", "missing_row"
REASONS = (NO_ANSWER, NOT_IN_LIST, ALTERED, SHIFTED, TOO_MANY, CONFLICTING, MISSING)
UNKNOWN, NO_ID, REPEATED, NO_TEXTS = "unknown_id", "no_id", "repeated_row", "sentences_not_returned"
PROBLEMS = (*REASONS, UNKNOWN, NO_ID, REPEATED, NO_TEXTS)
_LISTED = " / ".join(ANSWERS)


class Item(NamedTuple):
    """What was handed out under an id."""

    item_id: str
    pair_id: str
    task: str
    lang: str
    first: str
    second: str


class Row(NamedTuple):
    """One row that names an item; ``reason`` is empty where its answer can be used."""

    item: Item
    role: str
    annotator: str
    answer: str
    comment: str
    file: str
    sheet: str
    row: int
    reason: str


class Returned(NamedTuple):
    """The `answers` frame (one row per role, annotator and pair) and the `validation_problems` frame."""

    answers: pd.DataFrame
    problems: pd.DataFrame


class _Problems:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def add(self, problem: str, where: tuple[str, str, int], item_id: str, found: str, expected: str) -> None:
        file, sheet, row = where
        self.rows.append({"file": file, "sheet": sheet, "row": row, "item_id": item_id, "problem": problem,
                          "found": found, "expected": expected, "number": len(self.rows)})  # fmt: skip


class _Known(NamedTuple):
    """Items by the plain form of the id printed in a sheet, and the annotators of all samples."""

    items: Mapping[str, Item]
    adjudicated: Mapping[str, Item]
    by_text: Mapping[tuple[str, str, str, str], Item]
    annotators: tuple[str, ...]


def read(files: Sequence[File], keys: Sequence[pd.DataFrame], words: Words) -> Returned:
    """Read all files and join them to the items of all samples.

    Args:
        files: what came back.
        keys: `sheet_key` frames of all samples of the run, the current one last.
        words: see :func:`dualpair.validation.returned_words.known_words`.

    Raises:
        InputError: files that cannot be used at all; one message for all of them.
    """
    known = _known(keys)
    problems, rows, stops = _Problems(), [], []
    for file in files:
        try:
            rows += _file_rows(file, known, words, problems)
        except InputError as error:
            stops.append(str(error))
    if stops:
        raise InputError("\n".join(stops))
    decided = _decided(rows, problems) + _missing(rows, keys, known, problems)
    answers = pd.DataFrame(decided, columns=schemas.table("answers").names)
    listed = pd.DataFrame(problems.rows, columns=schemas.table("validation_problems").names)
    return Returned(_sorted(answers, "answers"), _sorted(listed, "validation_problems"))


def _sorted(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    return frame.sort_values(list(schemas.table(name).key), ignore_index=True)


def _known(keys: Sequence[pd.DataFrame]) -> _Known:
    items: dict[str, Item] = {}
    names: list[str] = []
    for key in keys:
        names += [str(name) for name in key["annotator"]]
        for row in key.drop_duplicates("item_id")[list(Item._fields)].to_dict("records"):
            item = Item(**{str(name): str(value) for name, value in row.items()})
            items[texts.plain_id(item.item_id)] = item
    adjudicated = {texts.plain_id(adjudication_id(item.item_id)): item for item in items.values()}
    by_text = {_text_key(item, item.first, item.second): item for item in items.values()}
    return _Known(items, adjudicated, by_text, tuple(sorted(set(names))))


def _text_key(item: Item, first: str, second: str) -> tuple[str, str, str, str]:
    one, two = sorted((texts.loose(first), texts.loose(second)))
    return item.task, item.lang, one, two


def _file_rows(file: File, known: _Known, words: Words, problems: _Problems) -> list[Row]:
    grids = read_grids(Path(file.path), file.encoding, words)
    ids = {**known.items, **known.adjudicated}.keys()
    tables = [(grid, layout) for grid in grids for layout in [locate(grid, words, ids)] if layout is not None]
    if not tables:
        example = next(iter(known.items.values())).item_id if known.items else "none was handed out"
        raise InputError(
            f"{file.path}: holds no id of a sheet of this run (an id looks like {example!r}); give the file that an "
            f"annotator of this run filled in, with its column {ITEM_ID!r}, or take it out of `validation.returned`"
        )
    return [row for grid, layout in tables for row in _table_rows(file, grid, layout, known, words, problems)]


def _table_rows(
    file: File, grid: Grid, layout: Layout, known: _Known, words: Words, problems: _Problems
) -> Iterable[Row]:
    name, width = file.path, len(grid.rows[layout.header][1])
    if not has_texts(layout):
        at = (name, grid.sheet, grid.rows[layout.header][0])
        problems.add(NO_TEXTS, at, "", "no columns of sentences", "both; whether they were altered cannot be told")
    for number, cells in grid.rows[layout.header + 1 :]:
        where = (name, grid.sheet, number)
        given = layout.cell(cells, ITEM_ID).text.strip()
        found = texts.plain_id(given)
        item = known.items.get(found) or known.adjudicated.get(found)
        if item is None:
            kind = UNKNOWN if given else NO_ID
            shown = " | ".join(cell.text for cell in cells if cell.text.strip())
            problems.add(kind, where, given, given or shown, "an id that was handed out")
            continue
        role = ANNOTATES if found in known.items else ADJUDICATES
        annotator = _annotator(file, role, layout.cell(cells, ANNOTATOR).text, known, grid)
        beyond = [cell.text for cell in cells[width:] if cell.text.strip()]
        reason, answer = _reason(layout, cells, beyond, item, known, words, where, problems)
        comment = layout.cell(cells, COMMENT).text.strip()
        comment = comment if grid.sheet else unescape(comment)  # text files are escaped, workbooks need not be
        yield Row(item, role, annotator, answer, comment, *where, reason)


def _reason(
    layout: Layout, cells: list[Cell], beyond: list[str], item: Item, known: _Known, words: Words,
    where: tuple[str, str, int], problems: _Problems,
) -> tuple[str, str]:  # fmt: skip
    """Why the row's answer cannot be used (empty: it can), and the answer."""
    if beyond:
        problems.add(TOO_MANY, where, item.item_id, " | ".join(beyond), "no cell to the right of the header's last")
        return TOO_MANY, ""
    pair = (layout.cell(cells, FIRST), layout.cell(cells, SECOND))
    if has_texts(layout):
        wrong = _altered(pair, item, known)
        if wrong is not None:
            problem, found, expected = wrong
            problems.add(problem, where, item.item_id, found, expected)
            return problem, ""
    cell = layout.cell(cells, ANSWER)
    answer = "" if cell.odd else words.answer(cell.text)
    if answer:
        return "", answer
    if not cell.odd and not plain(cell.text):
        problems.add(NO_ANSWER, where, item.item_id, cell.text.strip(), _LISTED)
        return NO_ANSWER, ""
    problems.add(NOT_IN_LIST, where, item.item_id, cell.odd or cell.text, _LISTED)
    return NOT_IN_LIST, ""


def _altered(pair: tuple[Cell, Cell], item: Item, known: _Known) -> tuple[str, str, str] | None:
    """Problem, what was found and what was expected, where the sentences are not those that were handed out."""
    found, expected = (pair[0].text, pair[1].text), (item.first, item.second)
    odd = next((cell.odd for cell in pair if cell.odd), "")
    if not odd and texts.same_pair(found, expected):
        return None
    other = known.by_text.get(_text_key(item, *found))
    if other is not None and not odd:
        return SHIFTED, f"the sentences of {other.item_id}", f"those of {item.item_id}: sort whole rows only"
    if odd:
        return ALTERED, odd, " | ".join(expected)
    wrong = [at for at in (0, 1) if texts.loose(found[at]) not in {texts.loose(text) for text in expected}] or [0, 1]
    return ALTERED, " | ".join(found[at] for at in wrong), " | ".join(expected[at] for at in wrong)


def _annotator(file: File, role: str, column: str, known: _Known, grid: Grid) -> str:
    """Who answered: the config's word, then the row's own, then the file's or folder's name, then the only annotator.

    Raises:
        InputError: none of these tells.
    """
    given = texts.annotator_name(file.annotator) or texts.annotator_name(column)
    if given or role == ADJUDICATES:
        return given or ADJUDICATES
    named = texts.named_in(file.path)
    if named or len(known.annotators) == 1:
        return named or known.annotators[0]
    raise InputError(
        f"{place(grid)}: whose answers are these? The sheets are for {', '.join(known.annotators)}; name the file or "
        f"its folder so (annotator-1), or write `- {{path: {file.path}, annotator: annotator-1}}` in "
        f"`validation.returned`"
    )


def _decided(rows: Sequence[Row], problems: _Problems) -> list[dict[str, Any]]:
    """One answer per role, annotator and pair."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.role, row.annotator, row.item.pair_id), []).append(row)
    return [_one(group, problems) for group in groups.values()]


def _one(group: Sequence[Row], problems: _Problems) -> dict[str, Any]:
    usable = [row for row in group if not row.reason]
    answers = sorted({row.answer for row in usable})
    for index, row in enumerate(group[1:], start=1):
        earlier = next((other for other in group[:index] if other.file == row.file), None)
        if earlier is not None and len(answers) < 2:
            found = f"the item of row {earlier.row}{f' of sheet {earlier.sheet}' if earlier.sheet else ''} again"
            problems.add(REPEATED, (row.file, row.sheet, row.row), row.item.item_id, found, "one row an item")
    if len(answers) < 2:
        chosen = (usable or list(group))[0]
        return _answer(chosen, chosen.answer, chosen.reason)
    for row in usable:
        others = ", ".join(
            f"{other.answer} in {other.file}, {f'sheet {other.sheet}, ' if other.sheet else ''}row {other.row}"
            for other in usable
            if other.answer != row.answer
        )
        problems.add(CONFLICTING, (row.file, row.sheet, row.row), row.item.item_id, row.answer, f"one answer; {others}")
    return _answer(usable[0], "", CONFLICTING)


def _answer(row: Row, answer: str, reason: str) -> dict[str, Any]:
    item = row.item
    return {"task": item.task, "lang": item.lang, "role": row.role, "annotator": row.annotator, "pair_id": item.pair_id,
            "item_id": item.item_id, "answer": answer, "comment": row.comment, "file": row.file, "sheet": row.sheet,
            "row": row.row, "kept": reason == "", "reason": reason}  # fmt: skip


def _missing(
    rows: Sequence[Row], keys: Sequence[pd.DataFrame], known: _Known, problems: _Problems
) -> list[dict[str, Any]]:
    """Items of an annotator's sheet, of the sample that most of the rows belong to, that no row names."""
    sheets: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.role == ANNOTATES:
            sheets.setdefault((row.item.task, row.item.lang, row.annotator), []).append(row)
    found = []
    for (task, lang, annotator), own in sorted(sheets.items()):
        expected = _sample_of(own, [key.loc[(key["task"] == task) & (key["lang"] == lang)] for key in keys])
        seen = {row.item.pair_id for row in own}
        file = Counter(row.file for row in own).most_common(1)[0][0]
        sheet = next(row.sheet for row in own if row.file == file)
        for item_id in sorted(set(expected["item_id"])):
            item = known.items[texts.plain_id(str(item_id))]
            if item.pair_id not in seen:
                problems.add(MISSING, (file, sheet, 0), item.item_id, "", "a row of the sheet that was handed out")
                found.append(_answer(Row(item, ANNOTATES, annotator, "", "", file, sheet, 0, MISSING), "", MISSING))
    return found


def _sample_of(rows: Sequence[Row], keys: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The sample that most rows are of; of equals the latest."""
    ids = {row.item.item_id for row in rows}
    return max(enumerate(keys), key=lambda one: (len(ids & set(one[1]["item_id"])), one[0]))[1]
