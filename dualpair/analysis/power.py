"""The smallest difference that a number of sets can show.

A comparison of C independent clusters is judged as a one-sample t test of their differences. The smallest difference
that is found with a given chance (the minimum detectable effect of Bloom, 1995, Evaluation Review 19, 547-556) is
d * s, with s the standard deviation of the clusters' differences and d the standardised effect at which the noncentral
t distribution with C - 1 degrees of freedom and noncentrality d * sqrt(C) has that power. For many clusters d is close
to (z[1 - level / 2] + z[power]) / sqrt(C).
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from dualpair.analysis.resampling import MIN_CLUSTERS, Floats, partition

LEVEL = 0.05
POWER = 0.8


@functools.lru_cache(maxsize=4096)
def standardised_effect(n_clusters: float, power: float = POWER, level: float = LEVEL) -> float:
    """Mean over standard deviation that a two-sided t test finds with chance ``power``; NaN under 3 clusters.

    Args:
        n_clusters: number of clusters, may be fractional where it is planned.
        power: chance, in [0.5, 1).
        level: level of the test, in (0, 0.5).

    Raises:
        ValueError: if power or level are out of range.
    """
    if not 0.0 < level < 0.5 or not 0.5 <= power < 1.0:
        raise ValueError(f"level must lie in (0, 0.5) and power in [0.5, 1); found {level} and {power}")
    if n_clusters < MIN_CLUSTERS:
        return float("nan")
    from scipy import optimize, stats

    df, root = n_clusters - 1, float(np.sqrt(n_clusters))
    critical = float(stats.t.isf(level / 2, df))

    def short_of(effect: float) -> float:
        # The other tail's share is below 1e-3 where the power is 0.5, and falls fast.
        return float(stats.nct.sf(critical, df, effect * root)) - power

    upper = (critical + 1.0) / root
    while short_of(upper) < 0.0:
        upper *= 2.0
    return float(optimize.brentq(short_of, 0.0, upper, xtol=1e-10))


def cluster_spread(values: npt.ArrayLike, clusters: npt.ArrayLike) -> Floats:
    """Standard deviation between clusters of each column, in the column's unit; NaN under 3 clusters.

    For clusters of equal size it is the standard deviation of the cluster means. For unequal ones a cluster's deviation
    is (sum - size * mean) * C / N, so that spread / sqrt(C) is the standard error of the mean over all rows (the
    linearised ratio estimate, Cochran, Sampling Techniques, 1977, section 6.3).

    Args:
        values: (N, M) finite values.
        clusters: (N,) cluster of each row.
    """
    array = np.asarray(values, dtype=np.float64)
    part = partition(clusters)
    if part.n_clusters < MIN_CLUSTERS:
        return np.full(array.shape[1], np.nan)
    sizes = part.sums(np.ones(len(array)))
    away = (part.sums(array) - sizes[:, None] * array.mean(axis=0)) * (part.n_clusters / len(array))
    spread: Floats = np.sqrt((away**2).sum(axis=0) / (part.n_clusters - 1))
    return spread


def detectable(values: npt.ArrayLike, clusters: npt.ArrayLike, power: float = POWER, level: float = LEVEL) -> Floats:
    """(M,) smallest true means that as many clusters would show, in the columns' units; NaN under 3 clusters.

    It comes from the spread of these very differences, so that it says what such a comparison can show, not whether
    this one has shown something.
    """
    n_clusters = partition(clusters).n_clusters
    return cluster_spread(values, clusters) * standardised_effect(n_clusters, power, level)


def detectable_with(
    spread: float, n_sets: float, sets_per_cluster: float, power: float = POWER, level: float = LEVEL
) -> float:
    """Smallest difference that ``n_sets`` sets would show, with as many sets a cluster; NaN under 3 clusters.

    Args:
        spread: of :func:`cluster_spread`.
        n_sets: planned number of sets.
        sets_per_cluster: mean size of a cluster, at least 1.
        power: chance to find it.
        level: level of the test.
    """
    return spread * standardised_effect(n_sets / sets_per_cluster, power, level)
