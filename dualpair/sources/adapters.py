"""The adapter of each source format: a function (path, language, source section) -> `stereotypes` frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from dualpair.sources import biasshades, crows_pairs, gest, saved_dataset, stereoset, table

Adapter = Callable[[Path, str, Any], pd.DataFrame]

ADAPTERS: dict[str, Adapter] = {
    "table": table.read,
    "hf_dataset": saved_dataset.read,
    "biasshades": biasshades.read,
    "crows_pairs": crows_pairs.read,
    "stereoset": stereoset.read,
    "gest": gest.read_gest,
    "eurogest": gest.read_eurogest,
}


def read(path: Path, lang: str, source: Any) -> pd.DataFrame:
    """The `stereotypes` frame of one language's file, by the source's kind.

    Raises:
        InputError: what the format's adapter finds wrong.
    """
    return ADAPTERS[source.kind](path, lang, source)
