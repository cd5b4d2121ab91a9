"""The rows of a returned sheet: which item each is of, whose answer it holds, and why it cannot be used, if so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from dualpair.errors import InputError
from dualpair.validation import returned_text as texts
from dualpair.validation.adjudication import ADJUDICATOR, adjudication_id
from dualpair.validation.instructions import ANSWERS
from dualpair.validation.returned_files import Cell, Grid, read_grids
from dualpair.validation.returned_layout import Layout, has_texts, locate, place
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_problems import ALTERED, NO_ANSWER, NO_ID, SHIFTED, TOO_MANY, UNKNOWN, Problems, Where
from dualpair.validation.returned_words import ANNOTATOR, ANSWER, COMMENT, FIRST, ITEM_ID, SECOND, Words, plain
from dualpair.validation.sheets import unescape

ANNOTATES, ADJUDICATES = "annotator", ADJUDICATOR
NOT_IN_LIST, NO_TEXTS, OTHER_NAME = "answer_not_in_list", "sentences_not_returned", "annotator_named_otherwise"
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


class Known(NamedTuple):
    """Items by the plain form of the id printed in a sheet, and the annotators of all samples."""

    items: Mapping[str, Item]
    adjudicated: Mapping[str, Item]
    by_text: Mapping[tuple[str, str, str, str], Item]
    annotators: tuple[str, ...]


def known_items(keys: Sequence[pd.DataFrame]) -> Known:
    """Everything that was handed out, by the keys of all samples."""
    items: dict[str, Item] = {}
    names: list[str] = []
    for key in keys:
        names += [str(name) for name in key["annotator"]]
        for row in key.drop_duplicates("item_id")[list(Item._fields)].to_dict("records"):
            item = Item(**{str(name): str(value) for name, value in row.items()})
            items[texts.plain_id(item.item_id)] = item
    adjudicated = {texts.plain_id(adjudication_id(item.item_id)): item for item in items.values()}
    by_text = {_text_key(item, item.first, item.second): item for item in items.values()}
    return Known(items, adjudicated, by_text, tuple(sorted(set(names))))


def _text_key(item: Item, first: str, second: str) -> tuple[str, str, str, str]:
    one, two = sorted((texts.loose(first), texts.loose(second)))
    return item.task, item.lang, one, two


def file_rows(file: File, known: Known, words: Words, problems: Problems) -> list[Row]:
    """The rows of a file that name an item; what is wrong with them is added to ``problems``.

    Raises:
        InputError: a file from which nothing can be learned.
    """
    grids = read_grids(Path(file.path), file.encoding, words)
    ids = {**known.items, **known.adjudicated}.keys()
    tables = [(grid, layout) for grid in grids for layout in [locate(grid, words, ids)] if layout is not None]
    if not tables:
        example = next(iter(known.items.values())).item_id if known.items else "none was handed out"
        raise InputError(
            f"{file.path}: holds no id of a sheet of this run (an id looks like {example!r}); give the file that an "
            f"annotator of this run filled in, with its column {ITEM_ID!r}, or take it out of `validation.returned`"
        )
    own = Problems()
    rows = [row for grid, layout in tables for row in _table_rows(file, grid, layout, known, words, own)]
    said = sum(bool(words.answer(row.comment)) for row in rows)
    hint = f"; {said} of their comments are answers: put them into the column {ANSWER!r}" if said else ""
    where = (file.path, tables[0][0].sheet, 0)
    problems.take(own, len(rows), sum(row.reason == NO_ANSWER for row in rows), where, hint)
    _other_name(file, {row.annotator for row in rows if row.role == ANNOTATES}, known, problems, where)
    return rows


def _table_rows(
    file: File, grid: Grid, layout: Layout, known: Known, words: Words, problems: Problems
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


def _other_name(file: File, names: Collection[str], known: Known, problems: Problems, where: Where) -> None:
    """Note that the rows name another annotator than the path, as where two people were handed the same sheet."""
    named = texts.named_in(file.path)
    others = sorted(name for name in names if name in known.annotators and name != named)
    if named and others and not file.annotator:
        fix = f"one name; if these are the answers of {named}, write `annotator: {named}` in `validation.returned`"
        problems.add(OTHER_NAME, where, "", f"{', '.join(others)} in the rows, {named} in the path", fix)


def _reason(
    layout: Layout, cells: list[Cell], beyond: list[str], item: Item, known: Known, words: Words,
    where: Where, problems: Problems,
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


def _altered(pair: tuple[Cell, Cell], item: Item, known: Known) -> tuple[str, str, str] | None:
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


def _annotator(file: File, role: str, column: str, known: Known, grid: Grid) -> str:
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
