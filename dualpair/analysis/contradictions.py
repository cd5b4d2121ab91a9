"""Contradiction and flip rates per model and language, and their means, with intervals.

Source: dual minimal pairs (arXiv 2610.08747), introduction and figure 3. What is counted is said in
:mod:`dualpair.analysis.contradiction_units`. Wilson's interval takes the units for independent; the other one resamples
whole clusters and holds for units that share a set or a stereotype, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.contradiction_units import CELL, UNITS, events
from dualpair.analysis.resampling import (
    MIN_CLUSTERS,
    N_RESAMPLES,
    Floats,
    cluster_draws,
    generator,
    partition,
    percentile_interval,
)

__all__ = ["CONFIDENCE", "OUTCOMES", "UNITS", "Rate", "cluster_ends", "mean_rates", "rates", "wilson"]

OUTCOMES = ("contradiction", "flip")
CONFIDENCE = 0.95


class Rate(NamedTuple):
    """A share with its Wilson interval, all 0 to 1; three times NaN when nothing was counted."""

    rate: float
    low: float
    high: float


def rates(
    measures: pd.DataFrame,
    set_measures: pd.DataFrame,
    seed: int,
    tie: float = 0.0,
    n_resamples: int = N_RESAMPLES,
) -> pd.DataFrame:
    """Contradiction and flip rates of every model and language, for the four units.

    Ties count in n and as neither contradiction nor flip. Units that share a cluster are not independent (variants
    above all): beside Wilson's interval stands one that resamples whole clusters. Where all units have the same
    outcome a bootstrap has no spread: its ends are then Wilson's with one trial per cluster.

    Args:
        measures: the ``measures`` table of one or more models.
        set_measures: the ``set_measures`` table of the same models.
        seed: the run's seed; each model and language has a generator of its own derived from it.
        tie: the tie (nats) that the measures were taken with.
        n_resamples: bootstrap resamples.

    Returns:
        The ``contradictions`` table, sorted by model, lang and unit; four rows per model and language.

    Raises:
        ValueError: if the two tables cover other models and languages, or the measures were taken with another tie.
    """
    rows = []
    found = events(measures, set_measures, tie)
    for (model, lang), part in found.groupby(CELL[:2], sort=True):
        cells = [(str(model), str(lang), unit) for unit in UNITS]
        resampled = _resampled(part, cells, generator(seed, "contradictions", str(model), str(lang)), n_resamples)
        rows += [_rate_row(cell, part.loc[part["unit"] == cell[2]], resampled[:, :, i]) for i, cell in enumerate(cells)]
    frame = pd.DataFrame(rows, columns=schemas.table("contradictions").names)
    return frame.sort_values(CELL, ignore_index=True)


def mean_rates(
    measures: pd.DataFrame,
    set_measures: pd.DataFrame,
    seed: int,
    tie: float = 0.0,
    n_resamples: int = N_RESAMPLES,
) -> pd.DataFrame:
    """Mean over models of each language's rates, and over languages of each model's.

    Every cell counts once, whatever its number of units. A resample draws clusters once for all cells, which share
    their stereotypes. The interval is about other stereotypes, with these models and languages.

    Args:
        measures: the ``measures`` table of one or more models.
        set_measures: the ``set_measures`` table of the same models.
        seed: the run's seed; each model and each language has a generator of its own derived from it.
        tie: the tie (nats) that the measures were taken with.
        n_resamples: bootstrap resamples.

    Returns:
        The ``contradictions_mean`` table: for each language over models, each model over languages, and each unit.

    Raises:
        ValueError: as :func:`rates`.
    """
    found = events(measures, set_measures, tie)
    models, langs = (sorted(found[name].unique()) for name in ("model", "lang"))
    rows = []
    for lang in langs:
        cells = [(model, lang) for model in models]
        rows += _mean_rows("models", lang, found.loc[found["lang"] == lang], cells, seed, n_resamples)
    for model in models:
        cells = [(model, lang) for lang in langs]
        rows += _mean_rows("languages", model, found.loc[found["model"] == model], cells, seed, n_resamples)
    frame = pd.DataFrame(rows, columns=schemas.table("contradictions_mean").names)
    return frame.sort_values(["over", "of", "unit"], ignore_index=True)


def wilson(count: int, n: int, confidence: float = CONFIDENCE) -> Rate:
    """The share count / n with its two-sided Wilson score interval; NaN when n is 0.

    Raises:
        ValueError: unless 0 <= count <= n.
    """
    if not 0 <= count <= n:
        raise ValueError(f"count must lie between 0 and n = {n}; found {count}")
    if n == 0:
        return Rate(float("nan"), float("nan"), float("nan"))
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(count, n, alpha=1 - confidence, method="wilson")
    # The ends are exact there, but for rounding.
    return Rate(count / n, 0.0 if count == 0 else float(low), 1.0 if count == n else float(high))


def cluster_ends(count: int, n: int, clusters: int, low: float, high: float) -> tuple[float, float]:
    """Ends of a share's bootstrap interval, where there is any spread to resample.

    Args:
        count: units that have the outcome.
        n: units.
        clusters: clusters that they belong to.
        low: lower end of the bootstrap over clusters.
        high: its upper end.

    Returns:
        The given ends; NaN under 3 clusters; Wilson's with one trial per cluster where no unit or every unit has the
        outcome, since every resample then gives the same share.
    """
    if clusters < MIN_CLUSTERS:
        return float("nan"), float("nan")
    if count in (0, n):
        return wilson(clusters if count else 0, clusters)[1:]
    return low, high


def _resampled(
    found: pd.DataFrame, cells: Sequence[tuple[str, str, str]], rng: np.random.Generator, n_resamples: int
) -> Floats:
    """Rates of both outcomes in every resample: (R, 2, cells); NaN where a resample has no unit of a cell."""
    part = partition(found["cluster_id"])
    if part.n_clusters < MIN_CLUSTERS:
        return np.full((n_resamples, len(OUTCOMES), len(cells)), np.nan)
    column = pd.MultiIndex.from_tuples(cells).get_indexer(pd.MultiIndex.from_frame(found[CELL]))
    place, shape = part.index * len(cells) + column, (part.n_clusters, len(cells))

    def sums(weights: Floats) -> Floats:
        totals: Floats = np.bincount(place, weights, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
        return totals

    draws = cluster_draws(part.n_clusters, n_resamples, rng)
    n = draws @ sums(np.ones(len(found)))
    with np.errstate(invalid="ignore"):
        return np.stack([draws @ sums(found[name].to_numpy(float)) / n for name in OUTCOMES], axis=1)


def _rate_row(cell: tuple[str, str, str], units: pd.DataFrame, resampled: Floats) -> dict[str, Any]:
    n, clusters = len(units), int(units["cluster_id"].nunique())
    row: dict[str, Any] = dict(zip(CELL, cell, strict=True))
    row |= {"n": n, "n_clusters": clusters, "n_ties": int(units["tie"].sum())}
    ends = percentile_interval(resampled)
    for i, name in enumerate(OUTCOMES):
        count = int(units[name].sum())
        rate = wilson(count, n)
        low, high = cluster_ends(count, n, clusters, float(ends.low[i]), float(ends.high[i]))
        row |= {
            f"n_{name}s": count,
            f"{name}_rate": rate.rate,
            f"{name}_low": rate.low,
            f"{name}_high": rate.high,
            f"{name}_cluster_low": low,
            f"{name}_cluster_high": high,
        }
    return row


def _mean_rows(
    over: str, of: str, found: pd.DataFrame, cells: Sequence[tuple[str, str]], seed: int, n_resamples: int
) -> list[dict[str, Any]]:
    rng = generator(seed, "contradictions_mean", over, of)
    all_cells = [(*cell, unit) for unit in UNITS for cell in cells]
    resampled = _resampled(found, all_cells, rng, n_resamples)
    rows = []
    for i, unit in enumerate(UNITS):
        own = found.loc[found["unit"] == unit]
        by_cell = own.groupby(CELL[:2], sort=True)[list(OUTCOMES)].mean()
        row: dict[str, Any] = {"over": over, "of": of, "unit": unit, "n_cells": len(by_cell)}
        row |= {"n_missing": len(cells) - len(by_cell), "n": len(own), "n_clusters": int(own["cluster_id"].nunique())}
        at = slice(i * len(cells), (i + 1) * len(cells))
        ends = percentile_interval(_mean_of_known(resampled[:, :, at]))
        for k, name in enumerate(OUTCOMES):
            count = int(own[name].sum())
            low, high = cluster_ends(count, len(own), row["n_clusters"], float(ends.low[k]), float(ends.high[k]))
            row |= {f"{name}_rate": float(by_cell[name].mean()), f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    return rows


def _mean_of_known(values: Floats) -> Floats:
    """Mean over the last axis without NaN; NaN where there is nothing else."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, values, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return mean
