"""Headline numbers: means over sets per model and language, with bootstrap intervals over clusters."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas

METRICS = ("B_G", "B_GxA", "absB_avg", "I_GxA")
MIN_CLUSTERS = 3
CONFIDENCE = 0.95
N_RESAMPLES = 10_000

Floats = npt.NDArray[np.float64]


class Intervals(NamedTuple):
    """Lower and upper ends of the intervals, each of shape (M,)."""

    low: Floats
    high: Floats


def headline(set_measures: pd.DataFrame, seed: int, n_resamples: int = N_RESAMPLES) -> pd.DataFrame:
    """Means over sets of the four metrics, per model and language.

    Every set counts once, whatever its number of variants. Wordings of one stereotype share a cluster and are not
    independent, so that the intervals resample whole clusters (percentile bootstrap, 95 %).

    Args:
        set_measures: the ``set_measures`` table of one or more models.
        seed: the run's seed; each model and language has a generator of its own derived from it.
        n_resamples: bootstrap resamples, at least 100.

    Returns:
        The ``headline`` table, sorted by model and lang; intervals are missing (NaN) under 3 clusters.

    Raises:
        ValueError: if n_resamples is under 100, a cluster_id is empty, or a metric is not finite.
    """
    if n_resamples < 100:
        raise ValueError(f"n_resamples must be at least 100 for a percentile interval; found {n_resamples}")
    rows = [
        _row(str(model), str(lang), group, _generator(seed, str(model), str(lang)), n_resamples)
        for (model, lang), group in set_measures.groupby(["model", "lang"], sort=True)
    ]
    return pd.DataFrame(rows, columns=schemas.table("headline").names)


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
        ValueError: if the shapes do not fit or a value is not finite.
    """
    array = np.asarray(values, dtype=np.float64)
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    if array.ndim != 2 or index.shape != array.shape[:1]:
        raise ValueError(f"values must be (N, M) and clusters (N,); found {array.shape} and {index.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values must be finite; leave out or repair rows without a value before the bootstrap")
    n_clusters = int(index.max()) + 1 if index.size else 0
    if n_clusters < MIN_CLUSTERS:
        missing = np.full(array.shape[1], np.nan)
        return Intervals(missing, missing.copy())
    sizes = np.bincount(index, minlength=n_clusters).astype(np.float64)
    sums = np.zeros((n_clusters, array.shape[1]))
    np.add.at(sums, index, array)
    # How often each cluster is drawn is multinomial: the same draw as choosing indices, without the index array.
    draws = rng.multinomial(n_clusters, np.full(n_clusters, 1.0 / n_clusters), size=n_resamples).astype(np.float64)
    means = (draws @ sums) / (draws @ sizes)[:, None]
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail], axis=0)
    return Intervals(low, high)


def _generator(seed: int, model: str, lang: str) -> np.random.Generator:
    digest = hashlib.sha256(f"{seed}\0headline\0{model}\0{lang}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _row(model: str, lang: str, sets: pd.DataFrame, rng: np.random.Generator, n_resamples: int) -> dict[str, Any]:
    sets = sets.sort_values("set_id", kind="stable")
    if (sets["cluster_id"] == "").any() or sets["cluster_id"].isna().any():
        raise ValueError(
            f"a set of {model}, {lang} has no cluster_id; every set names the cluster that it is drawn with"
        )
    values = sets[list(METRICS)].to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        bad = sets.iloc[int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])]
        raise ValueError(f"set {bad['set_id']} of {model}, {lang} has a metric that is not finite")
    ends = cluster_bootstrap(values, sets["cluster_id"].to_numpy(dtype=str), rng, n_resamples)
    row: dict[str, Any] = {
        "model": model,
        "lang": lang,
        "n_sets": len(sets),
        "n_clusters": int(sets["cluster_id"].nunique()),
        "n_variants": int(sets["n_variants"].sum()),
    }
    for column, name in enumerate(METRICS):
        row |= {
            name: float(values[:, column].mean()),
            f"{name}_low": float(ends.low[column]),
            f"{name}_high": float(ends.high[column]),
        }
    return row
