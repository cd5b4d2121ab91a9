"""I_GxA against B_GxA (figure 4 of arXiv 2610.08747) and the quadratic law that small biases follow.

For two groups I ~ B^2 p (1 - p) / (8 ln 2) bits, p = p_A. The law is the second-order term of the mutual information in
the log odds L_g = logit q_g, and for K groups reads::

    I ~ Var_g(L_g) p (1 - p) / (2 ln 2)        Var: over the K groups, each with weight 1/K

``strength`` = 2 sqrt(Var_g(L_g)) takes the place of |B_GxA|: it is |B_GxA| for two groups, so that one formula, one
axis and one table serve all sets. L_0 - L_j = B_GxA(j), so that the contrasts give the variance without cancellation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas
from dualpair.analysis.contradictions import cluster_ends
from dualpair.analysis.resampling import N_RESAMPLES, Floats, cluster_bootstrap, generator

# About three bins a decade, the same for all runs, so that runs can be compared.
EDGES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, math.inf)
TOLERANCE = 0.1


def strength(contrasts: npt.ArrayLike) -> float:
    """Twice the standard deviation over the groups of the log odds, in nats; |B_GxA| for two groups.

    Args:
        contrasts: (K-1,) B_GxA of each contrast, in nats.
    """
    odds = np.concatenate([[0.0], np.asarray(contrasts, dtype=np.float64)])
    return float(2.0 * odds.std())


def law(strengths: npt.ArrayLike, p: npt.ArrayLike) -> Floats:
    """The quadratic law s^2 p (1 - p) / (8 ln 2), in bits (definition of I to second order; exact as s goes to 0).

    Args:
        strengths: s, in nats, 0 or more, any shape.
        p: p_A, 0 to 1, same shape.
    """
    s, mean = np.asarray(strengths, dtype=np.float64), np.asarray(p, dtype=np.float64)
    value: Floats = s**2 * mean * (1.0 - mean) / (8.0 * math.log(2.0))
    return value


def instances(measures: pd.DataFrame) -> pd.DataFrame:
    """One row per variant and model with what the law needs.

    Args:
        measures: the ``measures`` table of one or more models.

    Returns:
        Columns model, lang, cluster_id, n_groups, strength (nats), I_GxA and law (bits), ratio = I_GxA / law (NaN where
        the law gives 0).
    """
    frame = measures[["model", "lang", "cluster_id", "I_GxA"]].reset_index(drop=True)
    n_groups = measures["B_GxA"].map(len).to_numpy(dtype=np.int64) + 1
    strengths = np.zeros(len(frame))
    for k in np.unique(n_groups):
        at = np.flatnonzero(n_groups == k)
        contrasts = np.stack(measures["B_GxA"].iloc[at].map(np.asarray).tolist())
        strengths[at] = 2.0 * np.concatenate([np.zeros((len(at), 1)), contrasts], axis=1).std(axis=1)
    expected = law(strengths, measures["p_A"].to_numpy(dtype=np.float64))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        ratio = np.where(expected > 0, frame["I_GxA"].to_numpy(dtype=np.float64) / expected, np.nan)
    return frame.assign(n_groups=n_groups, strength=strengths, law=expected, ratio=ratio)


def quadratic(measures: pd.DataFrame, seed: int, n_resamples: int = N_RESAMPLES) -> pd.DataFrame:
    """How well the law holds, per model and language.

    Args:
        measures: the ``measures`` table of one or more models.
        seed: the run's seed; each model and language has a generator of its own derived from it.
        n_resamples: bootstrap resamples.

    Returns:
        The ``quadratic`` table, sorted by model and lang.
    """
    rows = [
        _row(str(model), str(lang), part, generator(seed, "quadratic", str(model), str(lang)), n_resamples)
        for (model, lang), part in instances(measures).groupby(["model", "lang"], sort=True)
    ]
    return pd.DataFrame(rows, columns=schemas.table("quadratic").names)


def bins(measures: pd.DataFrame) -> pd.DataFrame:
    """I and the law in bins of strength, per model and language.

    Args:
        measures: the ``measures`` table of one or more models.

    Returns:
        The ``quadratic_bins`` table, sorted by model, lang and bin; bins without a variant have no row.
    """
    found = instances(measures).dropna(subset=["ratio"])
    found["bin"] = np.searchsorted(EDGES, found["strength"], side="right") - 1
    found["within"] = _within(found)
    grouped = found.groupby(["model", "lang", "bin"], sort=True)
    frame = grouped.agg(
        n=("I_GxA", "size"),
        strength_mean=("strength", "mean"),
        I_mean=("I_GxA", "mean"),
        law_mean=("law", "mean"),
        within_share=("within", "mean"),
    ).reset_index()
    quantiles = grouped["I_GxA"].quantile(np.array([0.1, 0.5, 0.9])).unstack()
    for name, level in (("I_q10", 0.1), ("I_q50", 0.5), ("I_q90", 0.9)):
        frame[name] = quantiles[level].to_numpy(dtype=np.float64) if len(frame) else np.zeros(0)
    number = frame["bin"].to_numpy(dtype=np.int64)
    edges = np.asarray(EDGES)
    frame = frame.assign(bin_low=edges[number], bin_high=edges[number + 1], ratio=frame["I_mean"] / frame["law_mean"])
    return frame[schemas.table("quadratic_bins").names]


def _within(found: pd.DataFrame) -> npt.NDArray[np.bool_]:
    close: npt.NDArray[np.bool_] = (found["ratio"] - 1.0).abs().to_numpy() <= TOLERANCE
    return close


def _row(model: str, lang: str, part: pd.DataFrame, rng: np.random.Generator, n_resamples: int) -> dict[str, Any]:
    known = part.dropna(subset=["ratio"])
    row: dict[str, Any] = {
        "model": model,
        "lang": lang,
        "n": len(known),
        "n_clusters": int(known["cluster_id"].nunique()),
        "n_equal": len(part) - len(known),
        "n_more_groups": int((known["n_groups"] > 2).sum()),
        "strength_median": float(known["strength"].median()),
        "I_median": float(known["I_GxA"].median()),
        "ratio_median": float(known["ratio"].median()),
    }
    if known.empty:
        return row | dict.fromkeys(("within_share", "within_low", "within_high"), float("nan"))
    within = _within(known).astype(np.float64)[:, None]
    ends = cluster_bootstrap(within, known["cluster_id"].to_numpy(dtype=str), rng, n_resamples)
    low, high = cluster_ends(int(within.sum()), len(known), row["n_clusters"], ends.low[0], ends.high[0])
    return row | {"within_share": float(within.mean()), "within_low": low, "within_high": high}
