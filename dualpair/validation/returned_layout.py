"""Where a returned table holds what: its header row and the columns of ids, answers, sentences and comments."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from dualpair.errors import InputError
from dualpair.validation.returned_files import Cell, Grid
from dualpair.validation.returned_text import plain_id
from dualpair.validation.returned_words import ANSWER, COLUMNS, COMMENT, FIRST, ITEM_ID, SECOND, Words

_FIX = "put the header of the sheet that was handed out back: item_id, both sentences, answer, comment"


class Layout(NamedTuple):
    """Index of the header among the grid's rows, and the column of each name that is there."""

    header: int
    columns: dict[str, int]

    def cell(self, cells: list[Cell], name: str) -> Cell:
        """A row's cell of a column; empty where the row is too short or the column is not there."""
        index = self.columns.get(name, len(cells))
        return cells[index] if index < len(cells) else Cell("")


def locate(grid: Grid, words: Words, known: Collection[str]) -> Layout | None:
    """The layout of a table of items; None where the table holds no known id.

    The ids are found by their header or, where that was translated or lost, by what stands in the column; all other
    columns by their headers. Rows above the header (a title, a note) are skipped.

    Args:
        grid: the table.
        words: known headers.
        known: ids that were handed out, in their plain form.

    Raises:
        InputError: there are ids, but no header, no column of answers or more than one, or ids in several columns.
    """
    counts = _known_per_column(grid, known)
    if not counts:
        return None
    first = min(
        index for index, (_, cells) in enumerate(grid.rows) if any(plain_id(cell.text) in known for cell in cells)
    )
    header = _header(grid, words, first)
    names = [words.column(cell.text) for cell in grid.rows[header][1]]
    columns = {name: names.index(name) for name in COLUMNS if name in names}
    columns[ITEM_ID] = _id_column(grid, names, counts)
    if names.count(ANSWER) != 1:
        shown = ", ".join(repr(cell.text) for cell in grid.rows[header][1] if cell.text.strip())
        what = "no column" if ANSWER not in names else f"{names.count(ANSWER)} columns"
        raise InputError(
            f"{place(grid)}: row {grid.rows[header][0]}: {what} of answers (headers found: {shown}); name exactly one "
            f"column {ANSWER!r}, or as the instructions of a language do{_garbled(shown)}"
        )
    return Layout(header, columns)


def place(grid: Grid) -> str:
    """File and sheet, as messages begin."""
    return f"{grid.path}: sheet {grid.sheet!r}" if grid.sheet else str(grid.path)


def has_texts(layout: Layout) -> bool:
    """Whether both sentences came back."""
    return FIRST in layout.columns and SECOND in layout.columns


def _garbled(headers: str) -> str:
    """A hint, where some header is not in Latin letters alone."""
    return "" if headers.isascii() else " (headers that nobody can read mean that `validation.encoding` is wrong)"


def _known_per_column(grid: Grid, known: Collection[str]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for _, cells in grid.rows:
        for index, cell in enumerate(cells):
            if plain_id(cell.text) in known:
                counts[index] = counts.get(index, 0) + 1
    return counts


def _header(grid: Grid, words: Words, first: int) -> int:
    """The nearest row above the first id in which a column of ours, other than one of people's names, is named."""
    for index in range(first - 1, -1, -1):
        names = {words.column(cell.text) for cell in grid.rows[index][1]}
        if names & {ITEM_ID, FIRST, SECOND, ANSWER, COMMENT}:
            return index
    raise InputError(f"{place(grid)}: row {grid.rows[first][0]}: ids, but no header above them; {_FIX}")


def _id_column(grid: Grid, names: list[str], counts: dict[int, int]) -> int:
    named = [index for index, name in enumerate(names) if name == ITEM_ID and index in counts]
    found = named or list(counts)
    if len(found) > 1:
        shown = ", ".join(str(index + 1) for index in found)
        raise InputError(
            f"{place(grid)}: ids that were handed out are in columns {shown}; delete the copies, so that each row has "
            f"one id under the header {ITEM_ID!r}"
        )
    return found[0]
