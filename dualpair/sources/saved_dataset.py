"""A data set that Hugging Face's `datasets` saved to disk: its columns are mapped as those of a table."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dualpair.sources import columnar, reading, table
from dualpair.sources.settings import HfDatasetSource


def read(path: Path, lang: str, source: HfDatasetSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language.

    Raises:
        InputError: as :func:`dualpair.sources.columnar.read_saved` and :func:`dualpair.sources.table.build`.
    """
    needed = [name for name in source.columns.names(lang).values() if name is not None]
    split = source.split.replace("{lang}", lang) if source.split else None
    raw = columnar.read_saved(path, split)
    lists = [name for name in [source.columns.names(lang)["groups"]] if name is not None]
    return table.build(reading.select(raw, path, needed, lists=lists), lang, source)
