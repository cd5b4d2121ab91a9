"""A CSV table per language, its columns named in the config, e.g.

set_id,bias_type,role,sentence
weather-1,other,stereotyped,Cats like rain.
weather-1,other,contrast,Dogs like rain.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dualpair.config import TableSource
from dualpair.errors import InputError
from dualpair.sources import common, reading


def read(path: Path, lang: str, source: TableSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language's table.

    Raises:
        InputError: a missing column, an unknown role, an empty cell, or two stereotyped sentences in one set.
    """
    columns = source.columns
    needed = [name for name in columns.model_dump().values() if name is not None]
    items = [_item(row, path, source) for row in reading.read_csv(path, needed)]
    return common.frame(items, dataset=source.dataset, lang=lang, file=path.name, max_sets=source.max_sets)


def _item(row: reading.Row, path: Path, source: TableSource) -> common.Item:
    names = source.columns

    def cell(column: str | None, what: str) -> str:
        if column is None:
            return ""
        value = row.cells[column].strip()
        if not value:
            raise InputError(
                f"{path}: line {row.line}: column {column!r} ({what}) is empty; every row needs a value: "
                f"fill it in, or delete the row"
            )
        return value

    set_id = cell(names.set_id, "set id")
    role = cell(names.role, "role")
    if role not in common.ROLES:
        raise InputError(
            f"{path}: line {row.line}: column {names.role!r}: value {role!r} (allowed: {', '.join(common.ROLES)})"
        )
    return common.Item(
        set_id=set_id,
        cluster_id=cell(names.cluster_id, "cluster id") or set_id,
        bias_type=cell(names.bias_type, "bias type") or "unspecified",
        role=role,
        sentence=cell(names.sentence, "sentence"),
        group=cell(names.group, "group"),
        attribute=cell(names.attribute, "attribute"),
        line=row.line,
    )
