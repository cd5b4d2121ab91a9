"""Answers that came back, joined to the items that were handed out by their ids, and everything that is wrong.

A row that cannot be used is listed and left out, and stops nothing else. A file that says nothing (no id that was ever
handed out, no column of answers, an unnamed annotator of several) stops the run with what to do about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from dualpair import schemas
from dualpair.errors import InputError
from dualpair.validation import returned_text as texts
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
from dualpair.validation.returned_rows import (
    ANNOTATES,
    NO_TEXTS,
    NOT_IN_LIST,
    OTHER_NAME,
    Known,
    Row,
    file_rows,
    known_items,
)
from dualpair.validation.returned_words import Words

REASONS = (NO_ANSWER, NOT_IN_LIST, ALTERED, SHIFTED, TOO_MANY, CONFLICTING, MISSING)
PROBLEMS = (*REASONS, EMPTY, OTHER_NAME, UNKNOWN, NO_ID, REPEATED, NO_TEXTS)


class Returned(NamedTuple):
    """The `answers` frame (one row per role, annotator and pair) and the `validation_problems` frame."""

    answers: pd.DataFrame
    problems: pd.DataFrame


def read(files: Sequence[File], keys: Sequence[pd.DataFrame], words: Words) -> Returned:
    """Read all files and join them to the items of all samples.

    Args:
        files: what came back.
        keys: `sheet_key` frames of all samples of the run, the current one last.
        words: see :func:`dualpair.validation.returned_words.known_words`.

    Raises:
        InputError: files that cannot be used at all; one message for all of them.
    """
    known = known_items(keys)
    problems, rows, stops = Problems(), [], []
    for file in files:
        try:
            rows += file_rows(file, known, words, problems)
        except InputError as error:
            stops.append(str(error))
    if stops:
        raise InputError("\n".join(stops))
    decided = _decided(rows, problems) + _missing(rows, keys, known, problems)
    table = schemas.table("answers")
    answers = pd.DataFrame(decided, columns=table.names).sort_values(list(table.key), ignore_index=True)
    return Returned(answers, problems.frame("validation_problems"))


def _decided(rows: Sequence[Row], problems: Problems) -> list[dict[str, Any]]:
    """One answer per role, annotator and pair."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.role, row.annotator, row.item.pair_id), []).append(row)
    return [_one(group, problems) for group in groups.values()]


def _one(group: Sequence[Row], problems: Problems) -> dict[str, Any]:
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
    rows: Sequence[Row], keys: Sequence[pd.DataFrame], known: Known, problems: Problems
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
