"""Every artifact's Arrow schema, with a sentence per column: the contract between stages.

A stage reads and writes its tables through :mod:`dualpair.artifacts`, which checks them against this package.
Columns not listed here do not pass between stages.
"""

from __future__ import annotations

from dualpair.schemas import comparison, headline, inference, norms, ratings, reliability, stages, validation
from dualpair.schemas.columns import BOOL, INT, INTS, NUM, NUMS, STR, STRS, Column, Table

__all__ = ["BOOL", "INT", "INTS", "NUM", "NUMS", "SCHEMA_VERSION", "STR", "STRS", "TABLES", "Column", "Table", "table"]

SCHEMA_VERSION = 2

_FAMILIES = (stages, headline, reliability, inference, comparison, norms, validation, ratings)

TABLES: dict[str, Table] = {one.name: one for family in _FAMILIES for one in family.TABLES}


def table(name: str) -> Table:
    """The declared table of that name.

    Raises:
        ValueError: if no such table is declared.
    """
    if name not in TABLES:
        raise ValueError(f"unknown table {name!r}; declared tables: {', '.join(TABLES)}")
    return TABLES[name]
