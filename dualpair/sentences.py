"""The sentences to score: every group of a set with every usable attribute and alternate."""

from __future__ import annotations

import hashlib

import pandas as pd

from dualpair import languages, schemas

ATTRIBUTE = "attribute"
ALTERNATE = "alternate"


def sentence_id(prefix: str, continuation: str) -> str:
    """Content hash (32 hex digits) of what is scored."""
    return hashlib.sha256(f"{prefix}\x1f{continuation}".encode()).hexdigest()[:32]


def build(augmented: pd.DataFrame) -> pd.DataFrame:
    """The `sentences` frame: variants x groups x (attribute, alternate), all with their set's final mark.

    The word-boundary space belongs to the continuation; Chinese joins without one.
    """
    rows: list[tuple[object, ...]] = []
    for pair in augmented.to_dict("records"):
        ids = (pair["set_id"], pair["lang"], pair["variant_id"])
        joiner = languages.get(str(pair["lang"])).joiner
        for side in (ATTRIBUTE, ALTERNATE):
            continuation = f"{joiner}{pair[side]}{pair['final_mark']}"
            for index, group in enumerate(pair["groups"]):
                rows.append((sentence_id(group, continuation), *ids, index, side, group, continuation))
    return pd.DataFrame(rows, columns=schemas.table("sentences").names)
