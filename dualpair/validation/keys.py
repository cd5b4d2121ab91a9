"""The keys of a run's samples: what was ever handed out, and in which sample."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.validation.sheets import KEY_FILE

# What an answer is joined by; a key written by an earlier version of this program has these too.
JOINS = ("item_id", "pair_id", "task", "lang", "first", "second")
_FIRST_ANNOTATOR = "annotator-1"


def read_all(current: Path) -> list[pd.DataFrame]:
    """The `sheet_key` frames of all samples beside ``current``, by name, and that of ``current`` last.

    Of earlier samples only what answers are joined by is read, so that they outlive a change of the table.

    Raises:
        InputError: the current sample's folder or key is gone.
    """
    if not (current / KEY_FILE).is_file():
        raise InputError(
            f"{current}: the sample's {KEY_FILE} is gone, and without it no answer can be joined; put the folder back, "
            f"or delete sheets.json beside it and run `snakemake sheets` to draw the sample again"
        )
    others = sorted(path for path in current.parent.glob(f"*/{KEY_FILE}") if path.parent != current)
    return [*(_earlier(path) for path in others), artifacts.read(current / KEY_FILE, "sheet_key")]


def _earlier(path: Path) -> pd.DataFrame:
    names = pq.read_schema(path).names
    missing = [name for name in JOINS if name not in names]
    if missing:
        raise InputError(f"{path}: is no key of a sample (without {', '.join(missing)}); move the folder away")
    has_annotator = "annotator" in names
    frame: pd.DataFrame = pq.read_table(path, columns=[*JOINS, *(["annotator"] if has_annotator else [])]).to_pandas()
    return frame if has_annotator else frame.assign(annotator=_FIRST_ANNOTATOR)
