"""Headline numbers: means over sets per model and language, with bootstrap intervals over clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.resampling import N_RESAMPLES, cluster_bootstrap, generator

METRICS = ("B_G", "B_GxA", "absB_avg", "I_GxA")


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
        _row(str(model), str(lang), group, generator(seed, "headline", str(model), str(lang)), n_resamples)
        for (model, lang), group in set_measures.groupby(["model", "lang"], sort=True)
    ]
    return pd.DataFrame(rows, columns=schemas.table("headline").names)


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
