"""What may be wrong with a row that came back, of sheets and of surveys alike, and the list of it."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dualpair import schemas

NO_ANSWER, ALTERED, SHIFTED = "no_answer", "altered_text", "text_of_another_item"
TOO_MANY, CONFLICTING, MISSING = "cells_beyond_the_header", "conflicting_answers", "missing_row"
UNKNOWN, NO_ID, REPEATED, EMPTY = "unknown_id", "no_id", "repeated_row", "nothing_filled_in"
# File, sheet and row.
Where = tuple[str, str, int]


class Problems:
    """Collects them in the order of reading."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, problem: str, where: Where, item_id: str, found: str, expected: str) -> None:
        """Note one."""
        file, sheet, row = where
        self._rows.append({"file": file, "sheet": sheet, "row": row, "item_id": item_id, "problem": problem,
                           "found": found, "expected": expected})  # fmt: skip

    def take(self, other: Problems, rows: int, unanswered: int, where: Where, hint: str = "") -> None:
        """Note those of a whole file; one where nothing was filled in, in the place of one for each of its rows.

        Args:
            other: the file's problems.
            rows: its rows of items.
            unanswered: those of them without an answer.
            where: the file.
            hint: what else is known, if nothing was filled in.
        """
        if 0 < rows == unanswered:
            self._rows += [row for row in other._rows if row["problem"] != NO_ANSWER]
            self.add(EMPTY, where, "", f"no answer in {rows} rows{hint}", "the copy that was filled in")
        else:
            self._rows += other._rows

    def frame(self, name: str) -> pd.DataFrame:
        """All of them, as the table of that name."""
        table = schemas.table(name)
        rows = [{**row, "number": number} for number, row in enumerate(self._rows)]
        return pd.DataFrame(rows, columns=table.names).sort_values(list(table.key), ignore_index=True)
