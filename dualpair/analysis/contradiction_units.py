"""The units whose contradictions and flips are counted.

Source: dual minimal pairs (arXiv 2610.08747), introduction and figure 3:

* ``original``: one stereotype, the original attribute, first contrast. The headline number.
* ``contrasts``: the original attribute with every contrast.
* ``variants``: every variant (original and paraphrases), first contrast.
* ``set_means``: one set, by its mean B_G and mean B_G_alt.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dualpair.measures.dual_pair import outcomes
from dualpair.measures.tables import ORIGINAL

UNITS = ("original", "contrasts", "variants", "set_means")
CELL = ["model", "lang", "unit"]
_FLAGS = ["contradiction", "flip", "tie"]


def events(measures: pd.DataFrame, set_measures: pd.DataFrame, tie: float = 0.0) -> pd.DataFrame:
    """Every unit that is counted, one per row.

    Args:
        measures: the ``measures`` table of one or more models.
        set_measures: the ``set_measures`` table of the same models.
        tie: the tie (nats) that the measures were taken with.

    Returns:
        Columns model, lang, unit, cluster_id, and the flags contradiction, flip and tie.

    Raises:
        ValueError: if the two tables cover other models and languages, or the measures were taken with another tie.
    """
    _check_cells(measures, set_measures)
    _check_tie(measures, tie)
    shared = ["model", "lang", "cluster_id"]
    original = measures.loc[measures["variant_id"] == ORIGINAL]
    contrasts = original[[*shared, "B_G", "B_G_alt"]].explode(["B_G", "B_G_alt"], ignore_index=True)
    parts = {
        "original": original[[*shared, *_FLAGS]],
        "contrasts": _compared(contrasts, tie)[[*shared, *_FLAGS]],
        "variants": measures[[*shared, *_FLAGS]],
        "set_means": _compared(set_measures, tie)[[*shared, *_FLAGS]],
    }
    frame = pd.concat([part.assign(unit=unit) for unit, part in parts.items()], ignore_index=True)
    return frame[[*CELL, "cluster_id", *_FLAGS]].astype(dict.fromkeys(_FLAGS, bool))


def _compared(frame: pd.DataFrame, tie: float) -> pd.DataFrame:
    found = outcomes(frame["B_G"].to_numpy(float), frame["B_G_alt"].to_numpy(float), tie)
    return frame.assign(**found._asdict())


def _check_cells(measures: pd.DataFrame, set_measures: pd.DataFrame) -> None:
    one, other = (set(zip(table["model"], table["lang"], strict=True)) for table in (measures, set_measures))
    if one != other:
        odd = sorted(map(str, one ^ other))
        raise ValueError(f"measures and set_measures cover different models and languages: {', '.join(odd)}")


def _check_tie(measures: pd.DataFrame, tie: float) -> None:
    b_g, b_g_alt = ([float(values[0]) for values in measures[name]] for name in ("B_G", "B_G_alt"))
    odd = np.zeros(len(measures), dtype=bool)
    for name, flags in outcomes(b_g, b_g_alt, tie)._asdict().items():
        odd |= flags != measures[name].to_numpy(dtype=np.bool_)
    if odd.any():
        row = measures.iloc[int(np.flatnonzero(odd)[0])]
        raise ValueError(
            f"{int(odd.sum())} rows of measures have other outcomes than tie = {tie} gives, e.g. set {row['set_id']}, "
            f"{row['lang']}, {row['variant_id']}, {row['model']}; pass the tie that the measures were taken with"
        )
