"""What every interval and test resamples: whole clusters (``cluster_id``), from one partition, with derived seeds.

Wordings of one stereotype share a cluster and are not independent, so that rows are never drawn by themselves
(inspect_ai #1251: intervals that ignore it can be three times too narrow).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

MIN_CLUSTERS = 3
# Percentile intervals of fewer are too narrow: the spread of so few is underestimated, and the tails are unseen.
FEW_CLUSTERS = 20
CONFIDENCE = 0.95
N_RESAMPLES = 10_000
# Draws counted at a time; the random numbers, and so every result, depend on it.
_BLOCK = 1_000_000
# Signs held at a time; no result depends on it.
_SIGNS = 2**22

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Intervals(NamedTuple):
    """Lower and upper ends of the intervals, each of shape (M,)."""

    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class Partition:
    """Rows divided into clusters.

    Attributes:
        names: (C,) cluster ids, sorted.
        index: (N,) position in ``names`` of each row's cluster.
    """

    names: npt.NDArray[np.str_]
    index: Ints

    @property
    def n_clusters(self) -> int:
        """Number of clusters, C."""
        return len(self.names)

    def sums(self, values: npt.ArrayLike) -> Floats:
        """Sums of (N,) or (N, M) values within each cluster: (C,) or (C, M)."""
        array = np.asarray(values, dtype=np.float64)
        if array.shape[:1] != self.index.shape:
            raise ValueError(
                f"values must have one row per row of the partition ({len(self.index)}); found {array.shape}"
            )
        totals = np.zeros((self.n_clusters, *array.shape[1:]))
        np.add.at(totals, self.index, array)
        return totals


def partition(clusters: npt.ArrayLike) -> Partition:
    """The one place that says which rows belong together.

    Args:
        clusters: (N,) cluster ids.

    Raises:
        ValueError: if an id is missing or empty: a row without a cluster cannot be resampled.
    """
    ids = np.asarray(clusters, dtype=object).ravel()
    bad = [row for row, value in enumerate(ids) if value is None or value != value or str(value) == ""]
    if bad:
        raise ValueError(
            f"{len(bad)} of {len(ids)} rows have no cluster_id (the first is row {bad[0]}); every set names the "
            "cluster that it is drawn with"
        )
    names, index = np.unique(ids.astype(str), return_inverse=True)
    return Partition(names, index.astype(np.int64))


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator of its own for each purpose, derived from the run's seed and the names, e.g. analysis, model, lang.

    The draws of one cell do not depend on which other cells there are, so that adding a model changes no number.
    """
    digest = hashlib.sha256("\0".join([str(seed), *names]).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def cluster_draws(n_clusters: int, n_resamples: int, rng: np.random.Generator) -> Floats:
    """How often each cluster is drawn in each resample: (n_resamples, n_clusters), rows sum to ``n_clusters``.

    Indices are drawn with replacement and counted, a block of resamples at a time so that memory stays bounded.
    """
    counts = np.empty((n_resamples, n_clusters))
    block = max(1, _BLOCK // max(n_clusters, 1))
    for start in range(0, n_resamples, block):
        rows = min(block, n_resamples - start)
        drawn = rng.integers(0, n_clusters, size=(rows, n_clusters)) + n_clusters * np.arange(rows)[:, None]
        counts[start : start + rows] = np.bincount(drawn.ravel(), minlength=rows * n_clusters).reshape(rows, n_clusters)
    return counts


def percentile_interval(resampled: Floats, confidence: float = CONFIDENCE) -> Intervals:
    """Percentile ends of (R, M) resampled statistics; resamples without a value (NaN) are left out."""
    low, high = np.full((2, resampled.shape[1]), np.nan)
    known = ~np.isnan(resampled).all(axis=0)
    if known.any():
        tail = (1.0 - confidence) / 2.0
        low[known], high[known] = np.nanquantile(resampled[:, known], [tail, 1.0 - tail], axis=0)
    return Intervals(low, high)


def cluster_bootstrap(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    rng: np.random.Generator,
    n_resamples: int = N_RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Intervals:
    """Percentile bootstrap intervals of column means when whole clusters are drawn.

    A resample draws as many clusters as there are, with replacement, and takes the mean over all their rows.

    Args:
        values: (N, M) finite values, one row per set, one column per metric.
        clusters: (N,) cluster of each row.
        rng: generator of the draws; consumed.
        n_resamples: number of resamples.
        confidence: coverage, in (0, 1).

    Returns:
        The ends of the M intervals; NaN where there are under 3 clusters.

    Raises:
        ValueError: if the shapes do not fit, a value is not finite or a cluster is missing.
    """
    array = np.asarray(values, dtype=np.float64)
    part = partition(clusters)
    if array.ndim != 2 or part.index.shape != array.shape[:1]:
        raise ValueError(f"values must be (N, M) and clusters (N,); found {array.shape} and {part.index.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values must be finite; leave out or repair rows without a value before the bootstrap")
    if part.n_clusters < MIN_CLUSTERS:
        missing = np.full(array.shape[1], np.nan)
        return Intervals(missing, missing.copy())
    draws = cluster_draws(part.n_clusters, n_resamples, rng)
    means = (draws @ part.sums(array)) / (draws @ part.sums(np.ones(len(array))))[:, None]
    return percentile_interval(means, confidence)


def sign_flip_test(
    values: npt.ArrayLike, clusters: npt.ArrayLike, rng: np.random.Generator, n_resamples: int = 9_999
) -> Floats:
    """Two-sided permutation p-values of "the column mean is 0" when whole clusters change their sign.

    Under the null hypothesis a paired difference is as likely as its negative, for all rows of a cluster together. All
    2^C sign patterns are used where they are no more than ``n_resamples`` (exact); else random ones, p = (b + 1) / (m +
    1) with b of m patterns at least as extreme, so that p is never 0 (Phipson and Smyth 2010). The smallest p that C
    clusters can give is 2^(1 - C).

    Args:
        values: (N, M) finite paired differences, one row per set, one column per metric.
        clusters: (N,) cluster of each row.
        rng: generator of the random patterns; consumed unless the test is exact.
        n_resamples: number of random patterns, and the most patterns of an exact test.

    Returns:
        (M,) p-values; NaN under 3 clusters.

    Raises:
        ValueError: if the shapes do not fit, a value is not finite or a cluster is missing.
    """
    array = np.asarray(values, dtype=np.float64)
    part = partition(clusters)
    if array.ndim != 2 or part.index.shape != array.shape[:1]:
        raise ValueError(f"values must be (N, M) and clusters (N,); found {array.shape} and {part.index.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values must be finite; leave out rows without a value before the test")
    if part.n_clusters < MIN_CLUSTERS:
        return np.full(array.shape[1], np.nan)
    totals = part.sums(array)
    # Patterns that give the observed sum again do so up to rounding only.
    reached = np.abs(totals.sum(axis=0)) - 1e-12 * np.abs(totals).sum(axis=0)
    extreme = np.zeros(array.shape[1])
    for bits in _sign_bits(part.n_clusters, n_resamples, rng):
        extreme += (np.abs((2.0 * bits - 1.0) @ totals) >= reached).sum(axis=0)
    if is_exact(part.n_clusters, n_resamples):
        return extreme / 2.0**part.n_clusters
    return (extreme + 1.0) / (n_resamples + 1.0)


def is_exact(n_clusters: int, n_resamples: int) -> bool:
    """Whether :func:`sign_flip_test` goes through all 2^C sign patterns: they are no more than ``n_resamples``."""
    return bool(2**n_clusters <= n_resamples)


def _sign_bits(n_clusters: int, n_resamples: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.integer[Any]]]:
    """The sign patterns of a test in blocks of (rows, n_clusters): 1 keeps a cluster's sign, 0 changes it."""
    # numpy takes four of such bytes from one random word and drops what is left of it at the end of a call: with rows
    # in fours the blocks are of the same stream as one call for all.
    block = max(4, _SIGNS // n_clusters // 4 * 4)
    exact = is_exact(n_clusters, n_resamples)
    n_patterns = 2**n_clusters if exact else n_resamples
    for start in range(0, n_patterns, block):
        stop = min(start + block, n_patterns)
        if exact:
            yield (np.arange(start, stop)[:, None] >> np.arange(n_clusters)) & 1
        else:
            yield rng.integers(0, 2, (stop - start, n_clusters), dtype=np.int8)
