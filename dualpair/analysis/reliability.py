"""Split-half reliability of the measures over random halves of each set's paraphrases (arXiv 2610.08747, section 5.1).

Sets keep their place between halves when a measure says something of the stereotype, not of its wording. In each
repetition the paraphrases of every set are shuffled once; the first floor(n / 2) are one half, the others the second,
and the split is the same for every metric. A half has the mean of its variants; the halves are correlated over sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import rankdata

from dualpair.analysis.resampling import generator
from dualpair.measures.tables import ORIGINAL

METRICS = ("I_GxA", "absB_avg", "absB_max")
MIN_PARAPHRASES = 4
MIN_SETS = 3
COLUMNS = ("metric", "mean", "min", "max", "spearman_brown", "n_sets", "n_undefined")
_KEYS = ("set_id", "variant_id")
# Elements of one array of random keys; more resamples are taken in parts.
_CHUNK = 4_000_000
_DECIMALS = 12

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Padded(NamedTuple):
    """Variants of the sets that are halved, filled up to the largest set.

    Attributes:
        set_ids: S ids, sorted.
        values: (S, N, M) metrics, 0 where a set has no such variant.
        counts: (S,) variants of each set.
        metrics: M names.
    """

    set_ids: list[str]
    values: Floats
    counts: npt.NDArray[np.int64]
    metrics: tuple[str, ...]


class Halves(NamedTuple):
    """Means of both halves in every repetition, each of shape (R, S, M)."""

    first: Floats
    second: Floats


def split_half(
    frame: pd.DataFrame,
    n_resamples: int = 200,
    seed: int = 0,
    include_v0: bool = False,
    names: Sequence[str] = (),
) -> pd.DataFrame:
    """Spearman correlation over sets between two random halves of each set's paraphrases (section 5.1, table 3).

    Only sets with at least 4 paraphrases take part, whether v0 is halved with them or not.

    Args:
        frame: columns set_id, variant_id and one per metric: one model in one language.
        n_resamples: random halvings, at least 1.
        seed: the run's seed; repetition r draws from :func:`~dualpair.analysis.resampling.generator` of
            (seed, "split_half", *names, r), so that its splits depend on no other repetition.
        include_v0: halve v0 together with the paraphrases; the paper leaves it out.
        names: what the splits belong to, e.g. model and language.

    Returns:
        One row per metric, in the frame's order: metric; mean, min and max of the correlations over the repetitions
        (-1 to 1, neutral 0); spearman_brown, 2 mean / (1 + mean), which estimates the correlation of two sets of
        paraphrases as large as the whole (ours); n_sets; n_undefined, repetitions without a correlation because all
        sets have the same value in a half, which the other columns leave out. NaN without a single correlation and
        under 3 sets.

    Raises:
        ValueError: if n_resamples is under 1, a column is missing or not numeric, a variant is there twice, or a value
            is not finite.
    """
    padded = pad(frame, include_v0)
    return summary(padded, correlations(padded, n_resamples, seed, names))


def pad(frame: pd.DataFrame, include_v0: bool = False) -> Padded:
    """The variants that are halved, by set.

    Raises:
        ValueError: as :func:`split_half`.
    """
    metrics = _metrics(frame)
    rows = frame.sort_values(list(_KEYS), kind="stable")
    original = (rows["variant_id"] == ORIGINAL).to_numpy()
    names, index = np.unique(rows["set_id"].to_numpy(dtype=str), return_inverse=True)
    enough = np.bincount(index[~original], minlength=len(names)) >= MIN_PARAPHRASES
    used = enough[index] & (include_v0 | ~original)
    kept = np.flatnonzero(enough)
    place = np.searchsorted(kept, index[used])
    counts = np.bincount(place, minlength=len(kept)).astype(np.int64)
    column = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
    values = np.zeros((len(kept), int(counts.max(initial=0)), len(metrics)))
    values[place, column] = rows.loc[used, list(metrics)].to_numpy(dtype=np.float64)
    return Padded([str(name) for name in names[enough]], values, counts, metrics)


def correlations(padded: Padded, n_resamples: int, seed: int, names: Sequence[str] = ()) -> Floats:
    """Spearman correlations between the halves: (R, M), NaN where a half is constant or there are under 3 sets.

    Raises:
        ValueError: if n_resamples is under 1.
    """
    parts = [spearman(halves.first, halves.second) for halves in halvings(padded, range(n_resamples), seed, names)]
    if not parts:
        raise ValueError(f"n_resamples must be at least 1; found {n_resamples}")
    return np.concatenate(parts)


def halvings(padded: Padded, repetitions: Sequence[int], seed: int, names: Sequence[str] = ()) -> Iterator[Halves]:
    """Half means of the given repetitions, in order, as many at a time as fit into memory."""
    shape = padded.values.shape[:2]
    step = max(1, _CHUNK // max(1, shape[0] * shape[1] * max(1, len(padded.metrics))))
    for start in range(0, len(repetitions), step):
        keys = [
            generator(seed, "split_half", *names, str(repetition)).random(shape)
            for repetition in repetitions[start : start + step]
        ]
        yield half_means(padded, first_half(np.stack(keys), padded.counts))


def first_half(keys: Floats, counts: npt.NDArray[np.int64]) -> Bools:
    """Which variants are in the first half: the floor(n / 2) with the smallest keys.

    Args:
        keys: (R, S, N) random numbers.
        counts: (S,) variants of each set, the first of its N columns.
    """
    there = np.arange(keys.shape[2]) < counts[:, None]
    ranks = np.where(there, keys, np.inf).argsort(axis=2).argsort(axis=2)
    return np.asarray(ranks < (counts // 2)[:, None])


def half_means(padded: Padded, first: Bools) -> Halves:
    """Mean of each metric over each half.

    Means are rounded to 12 decimals of the metric's largest value: equal numbers that are added in another order must
    stay ties.

    Args:
        padded: S sets of at most N variants, M metrics.
        first: (R, S, N) which variants are in the first half.
    """
    there = np.arange(first.shape[2]) < padded.counts[:, None]
    largest = np.abs(padded.values).max(axis=(0, 1), initial=0.0)
    scale = np.where(largest > 0, largest, 1.0)

    def mean(mask: Bools, size: npt.NDArray[np.int64]) -> Floats:
        sums = mask.transpose(1, 0, 2).astype(np.float64) @ (padded.values / scale)
        return np.asarray((sums / size[:, None, None]).round(_DECIMALS).transpose(1, 0, 2) * scale)

    half = padded.counts // 2
    return Halves(mean(first, half), mean(~first & there, padded.counts - half))


def spearman(first: Floats, second: Floats) -> Floats:
    """Spearman correlations along axis 1 with mean ranks for ties; NaN where one side is constant or S is under 3.

    Args:
        first: (R, S, M).
        second: the same shape.

    Returns:
        (R, M), in [-1, 1].
    """
    n_sets = first.shape[1]
    if n_sets < MIN_SETS:
        return np.full((first.shape[0], first.shape[2]), np.nan)
    # The ranks' mean is (n + 1) / 2 whatever the ties, and exact, so that a constant half has a variance of exactly 0.
    a, b = (rankdata(half, axis=1) - (n_sets + 1) / 2 for half in (first, second))
    spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    products = (a * b).sum(axis=1)
    found = np.divide(products, spread, out=np.full_like(products, np.nan), where=spread > 0)
    return np.asarray(np.clip(found, -1.0, 1.0))


def spearman_brown(correlation: npt.ArrayLike) -> Floats:
    """2 r / (1 + r) of correlations in [-1, 1]; NaN at -1 (Spearman 1910, Brown 1910)."""
    r = np.asarray(correlation, dtype=np.float64)
    return np.divide(2 * r, 1 + r, out=np.full_like(r, np.nan), where=r > -1)


def summary(padded: Padded, rho: Floats) -> pd.DataFrame:
    """The rows of :func:`split_half` from (R, M) correlations."""
    defined = ~np.isnan(rho)
    n_defined = defined.sum(axis=0)
    blank = np.full(rho.shape[1], np.nan)
    mean = np.divide(np.where(defined, rho, 0.0).sum(axis=0), n_defined, out=blank.copy(), where=n_defined > 0)
    low = np.where(defined, rho, np.inf).min(axis=0)
    high = np.where(defined, rho, -np.inf).max(axis=0)
    columns = {
        "metric": list(padded.metrics),
        "mean": mean,
        "min": np.where(n_defined > 0, low, np.nan),
        "max": np.where(n_defined > 0, high, np.nan),
        "spearman_brown": spearman_brown(mean),
        "n_sets": len(padded.set_ids),
        "n_undefined": len(rho) - n_defined,
    }
    return pd.DataFrame(columns, columns=list(COLUMNS))


def _metrics(frame: pd.DataFrame) -> tuple[str, ...]:
    missing = [name for name in _KEYS if name not in frame.columns]
    metrics = tuple(str(name) for name in frame.columns if name not in _KEYS)
    if missing or not metrics:
        raise ValueError(
            f"the frame needs set_id, variant_id and a column per metric; missing {missing or 'a metric'}, found "
            f"{list(frame.columns)}"
        )
    odd = [name for name in metrics if not pd.api.types.is_numeric_dtype(frame[name])]
    if odd:
        raise ValueError(f"columns {odd} are not numeric: every column beside set_id and variant_id is a metric")
    repeated = frame.duplicated(list(_KEYS))
    if repeated.any():
        first = frame.loc[repeated, list(_KEYS)].iloc[0].to_dict()
        raise ValueError(f"variant {first} is there twice; give one model in one language")
    finite = np.isfinite(frame[list(metrics)].to_numpy(dtype=np.float64)).all(axis=1)
    if not finite.all():
        first = frame.loc[~finite, list(_KEYS)].iloc[0].to_dict()
        raise ValueError(f"{int((~finite).sum())} variants have a metric that is not finite, first {first}")
    return metrics
