"""Trends of a metric over the sizes, or the checkpoints, of one family."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.comparison import METRICS, POOLED, Resampling, Wide, wide, with_holm
from dualpair.analysis.families import Models, Series, series
from dualpair.analysis.resampling import MIN_CLUSTERS, Floats, cluster_bootstrap, generator, partition


def trends(set_measures: pd.DataFrame, models: Models, resampling: Resampling) -> pd.DataFrame:
    """Slope per tenfold size (or steps), and Page's trend test, of every series of three or more models.

    Only sets that every model of the series has measured count, so that no model is favoured by its sets. The slope of
    the means is then the mean of the sets' own least-squares slopes, whose clusters the interval resamples.

    Args:
        set_measures: the ``set_measures`` table of all models.
        models: registry name to ``family``, ``size`` and ``tuning``.
        resampling: seed and numbers of resamples.

    Returns:
        The ``trends`` table, sorted by its key; empty without such a series.
    """
    data = wide(set_measures)
    found = series({name: one for name, one in models.items() if name in data.models})
    rows = [
        row
        for one in found
        for scope in data.scopes()
        for metric in METRICS
        for row in _trend(data, one, scope, metric, resampling)
    ]
    declared = schemas.table("trends")
    columns = [name for name in declared.names if name not in ("p_holm", "n_family")]
    frame = with_holm(pd.DataFrame(rows, columns=columns), "p_page", ["metric"])
    return frame[declared.names].sort_values(list(declared.key), ignore_index=True)


def slope_weights(positions: tuple[float, ...]) -> Floats:
    """(K,) weights whose product with K values is their least-squares slope per tenfold position; they sum to 0."""
    away = np.log10(positions) - np.mean(np.log10(positions))
    weights: Floats = away / (away**2).sum()
    return weights


def page(ranked: Floats) -> float:
    """Two-sided p of Page's L test (1963) for (C, K) values in the order of their positions; NaN under 3 rows.

    The smaller of the two one-sided p, doubled. Many ties, as rates have, make it larger than it should be.
    """
    from scipy.stats import page_trend_test

    if len(ranked) < MIN_CLUSTERS:
        return float("nan")
    method = "auto" if len(ranked) <= 12 else "asymptotic"
    one_sided = [float(page_trend_test(values, method=method).pvalue) for values in (ranked, ranked[:, ::-1])]
    return min(1.0, 2.0 * min(one_sided))


def _trend(data: Wide, one: Series, scope: str, metric: str, resampling: Resampling) -> list[dict[str, Any]]:
    """The row of one series, or none where its models share no set (pooled: no two languages)."""
    values = data.values[metric][:, [data.models.index(model) for model in one.models]]
    shared = data.rows(scope) & np.isfinite(values).all(axis=1)
    if not shared.any() or (scope == POOLED and len(np.unique(data.langs[shared])) < 2):
        return []
    used, clusters = values[shared], data.clusters[shared]
    part = partition(clusters)
    slopes = used @ slope_weights(one.positions)
    rng = generator(resampling.seed, resampling.name, one.name, one.kind, scope)
    low, high = cluster_bootstrap(np.column_stack([slopes, used]), clusters, rng, resampling.bootstrap)
    sizes = part.sums(np.ones(len(used)))
    return [{
        "series": one.name, "kind": one.kind, "lang": scope, "metric": metric, "models": list(one.models),
        "positions": list(one.positions), "n_sets": len(used), "n_clusters": part.n_clusters,
        "means": used.mean(axis=0).tolist(), "lows": low[1:].tolist(), "highs": high[1:].tolist(),
        "slope": float(slopes.mean()), "slope_low": float(low[0]), "slope_high": float(high[0]),
        "spearman": _spearman(one.positions, used.mean(axis=0)), "p_page": page(part.sums(used) / sizes[:, None]),
    }]  # fmt: skip


def _spearman(positions: tuple[float, ...], means: Floats) -> float:
    from scipy.stats import spearmanr

    return float("nan") if np.ptp(means) == 0 else float(spearmanr(positions, means).statistic)
