"""The augmented set without the dual pairs that people reject (how they are found is a module of its own)."""

from __future__ import annotations

import pandas as pd

from dualpair.filters.selection import ORIGINAL

_ROW = ["lang", "set_id", "variant_id"]


def without_rejected(augmented: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The `augmented` frame less the variants of a `validation_rejected` frame; ``v0_is_original`` is told anew."""
    out = set(found[_ROW].itertuples(index=False, name=None))
    stays = [key not in out for key in augmented[_ROW].itertuples(index=False, name=None)]
    kept = augmented[pd.Series(stays, augmented.index, dtype=bool)].copy()
    sets = kept.loc[kept["variant_id"] == ORIGINAL, ["lang", "set_id"]].itertuples(index=False, name=None)
    with_original = set(sets)
    kept["v0_is_original"] = [key in with_original for key in zip(kept["lang"], kept["set_id"], strict=True)]
    return kept.reset_index(drop=True)
