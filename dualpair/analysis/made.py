"""What was made: groups, paraphrases, alternates and pairs of each set, by language and bias type."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dualpair import schemas

ALL_TYPES = "(all)"
COUNTS = ("groups", "paraphrases", "alternates", "pairs")
INPUTS = ("stereotypes", "sets", "variants", "alternates", "augmented")
_SET = ["lang", "set_id"]


def made(
    stereotypes: pd.DataFrame,
    sets: pd.DataFrame,
    variants: pd.DataFrame,
    alternates: pd.DataFrame,
    augmented: pd.DataFrame,
) -> pd.DataFrame:
    """Counts per kept set: mean, median and maximum, by language and bias type and over all types.

    Sets for which nothing was made count with 0. Of a source that holds the pairs already, what it holds is counted.

    Args:
        stereotypes: the ``stereotypes`` table.
        sets: the ``sets`` table; the means are over its kept sets.
        variants: the ``variants`` table; its kept paraphrases are counted, the originals are not.
        alternates: the ``alternates`` table; its kept rows are counted, chosen or not.
        augmented: the ``augmented`` table.

    Returns:
        The ``made`` table, sorted by lang and bias type, each language's row over all types (``(all)``) first.

    Raises:
        ValueError: if a bias type is called ``(all)``.
    """
    if ALL_TYPES in set(stereotypes["bias_type"]) | set(sets["bias_type"]):
        raise ValueError(f"a bias type is called {ALL_TYPES!r}, which stands for all of them; rename it in the source")
    counted = per_set(sets, variants, alternates, augmented)
    offered = stereotypes[[*_SET, "bias_type"]].drop_duplicates(_SET)
    rows = []
    for lang, given in offered.groupby("lang", sort=True):
        own = counted.loc[counted["lang"] == lang]
        rows.append(_row(str(lang), ALL_TYPES, given, own))
        for bias_type, part in given.groupby("bias_type", sort=True):
            rows.append(_row(str(lang), str(bias_type), part, own.loc[own["bias_type"] == bias_type]))
    return pd.DataFrame(rows, columns=schemas.table("made").names).sort_values(["lang", "bias_type"], ignore_index=True)


def per_set(
    sets: pd.DataFrame, variants: pd.DataFrame, alternates: pd.DataFrame, augmented: pd.DataFrame
) -> pd.DataFrame:
    """One row per kept set: lang, set_id, bias_type, and the :data:`COUNTS`."""
    frame = sets.loc[sets["kept"].astype(bool), [*_SET, "bias_type", "groups"]].reset_index(drop=True)
    frame["groups"] = frame["groups"].map(len).astype("int64")
    paraphrases = variants.loc[variants["kept"].astype(bool) & ~variants["is_original"].astype(bool)]
    kept = alternates.loc[alternates["kept"].astype(bool)]
    for name, rows in (("paraphrases", paraphrases), ("alternates", kept), ("pairs", augmented)):
        sizes = rows.groupby(_SET).size().rename(name).reset_index()
        frame = frame.merge(sizes, on=_SET, how="left", validate="one_to_one")
        frame[name] = frame[name].fillna(0).astype("int64")
    return frame


def _row(lang: str, bias_type: str, given: pd.DataFrame, own: pd.DataFrame) -> dict[str, Any]:
    row: dict[str, Any] = {"lang": lang, "bias_type": bias_type, "n_stereotypes": len(given), "n_sets": len(own)}
    row["n_paired"] = int((own["pairs"] > 0).sum())
    for name in COUNTS:
        values = own[name]
        row |= {
            f"n_{name}": int(values.sum()),
            f"{name}_mean": float(values.mean()),
            f"{name}_median": float(values.median()),
            f"{name}_max": float(values.max()) if len(values) else float("nan"),
        }
    return row
