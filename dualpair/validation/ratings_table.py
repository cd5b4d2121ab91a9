"""Human ratings as tables: one row a rating, one row a group and trait pair; and as an array to compare models with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair.schemas import table
from dualpair.traits import HIGH, LOW, Pair
from dualpair.validation.ratings_design import RATING, rows_of
from dualpair.validation.ratings_returned import Row

RATINGS, MEANS = "human_ratings", "human_ratings_means"
EXCLUDED = "annotator_excluded"
_CELL = ["lang", "group", "low", "high", "dimension"]
_LEVEL = 0.95


class Array(NamedTuple):
    """Mean ratings: ``values`` has a row a group and a column a trait pair, 0 to 100, NaN where nobody rated."""

    groups: tuple[str, ...]
    pairs: tuple[Pair, ...]
    values: npt.NDArray[np.float64]


def oriented(value: int | None, low_left: bool) -> float:
    """A slider's setting (0 = left) as a rating (0 = the low pole); NaN without one."""
    if value is None:
        return float("nan")
    return float(value if low_left else LOW + HIGH - value)


def ratings(key: pd.DataFrame, rows: Mapping[str, Row], annotators: pd.DataFrame) -> pd.DataFrame:
    """The `human_ratings` frame, of every annotator of whom something came back.

    Args:
        key: `ratings_key` frame.
        rows: what came back, by item id.
        annotators: `ratings_annotators` frame.
    """
    out = {(one.lang, one.annotator) for one in rows_of(annotators) if one.excluded}
    sliders = [one for one in rows_of(key) if one.kind == RATING and one.item_id in rows]
    again = {(one.lang, one.annotator, one.group, one.low): rows[one.item_id].value for one in sliders if one.repeated}
    found = [_rating(one, rows[one.item_id], again, out) for one in sliders if not one.repeated]
    frame = pd.DataFrame(found, columns=table(RATINGS).names)
    return frame.sort_values(list(table(RATINGS).key), ignore_index=True)


def _rating(one: Any, row: Row, again: Mapping[Any, int | None], out: set[Any]) -> dict[str, Any]:
    reason = row.reason or (EXCLUDED if (one.lang, one.annotator) in out else "")
    second = again.get((one.lang, one.annotator, one.group, one.low))
    return {"lang": one.lang, "group": one.group, "low": one.low, "high": one.high, "dimension": one.dimension,
            "annotator": one.annotator, "rating": oriented(row.value, one.low_left),
            "again": oriented(second, one.low_left), "file": row.file, "sheet": row.sheet, "row": row.row,
            "kept": not reason, "reason": reason}  # fmt: skip


def means(rated: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """The `human_ratings_means` frame.

    The interval is that of Student's t over the annotators, each of whom rates a group and pair once.

    Args:
        rated: `human_ratings` frame.
        cells: lang, group, low, high and dimension of what is to be in the table, rated or not.
    """
    from scipy import stats

    kept = rated[rated["kept"].astype(bool)]
    grouped = kept.groupby(_CELL, as_index=False)["rating"].agg(n="count", mean="mean", sd="std")
    frame = cells[_CELL].drop_duplicates().merge(grouped, on=_CELL, how="left", validate="one_to_one")
    frame["n"] = frame["n"].fillna(0.0).astype(float)
    n = frame["n"].where(frame["n"] > 1)
    half = stats.t.ppf((1 + _LEVEL) / 2, n - 1) * frame["sd"] / np.sqrt(n)
    frame["interval_low"], frame["interval_high"] = frame["mean"] - half, frame["mean"] + half
    return frame[table(MEANS).names].sort_values(list(table(MEANS).key), ignore_index=True)


def as_array(averaged: pd.DataFrame, pairs: Sequence[Pair], lang: str, groups: Sequence[str] | None = None) -> Array:
    """Mean ratings of a language as an array.

    Args:
        averaged: `human_ratings_means` frame.
        pairs: trait pairs in the order of the columns.
        lang: the language.
        groups: groups in the order of the rows; None: all, sorted.

    Raises:
        ValueError: the table does not hold a group or pair.
    """
    own = averaged[averaged["lang"] == lang]
    wide = own.pivot(index="group", columns="low", values="mean")
    rows = sorted(wide.index) if groups is None else list(groups)
    columns = [pair.low for pair in pairs]
    missing = [name for name in rows if name not in wide.index] + [name for name in columns if name not in wide]
    if missing:
        raise ValueError(f"{MEANS}: nothing on {missing[0]!r} in {lang!r}; there are {', '.join(sorted(wide.index))}")
    return Array(tuple(rows), tuple(pairs), wide.loc[rows, columns].to_numpy(dtype=float))
