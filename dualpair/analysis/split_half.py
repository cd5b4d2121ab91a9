"""Split-half reliability of every model and language, and the means over models, with intervals over clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas
from dualpair.analysis import reliability
from dualpair.analysis.reliability import METRICS, Floats
from dualpair.analysis.resampling import (
    MIN_CLUSTERS,
    N_RESAMPLES,
    cluster_draws,
    generator,
    partition,
    percentile_interval,
)

ALL = "all"
# Splits that a resample of clusters averages over. Each resample takes others, so that the interval holds the choice of
# splits as well as that of clusters: slightly too wide, never too narrow.
SPLITS_PER_DRAW = 5


class Cell(NamedTuple):
    """One model in one language.

    Attributes:
        rows: the rows of :func:`dualpair.analysis.reliability.split_half`.
        resampled: (B, M) mean correlations when clusters are drawn; NaN under 3 clusters.
        n_clusters: clusters of the sets that are halved.
        n_variants: variants that are halved.
        n_left_out: sets with fewer than 4 paraphrases.
    """

    rows: pd.DataFrame
    resampled: Floats
    n_clusters: int
    n_variants: int
    n_left_out: int


class Reliability(NamedTuple):
    """The tables ``split_half`` (per model and language) and ``split_half_languages`` (means over models)."""

    cells: pd.DataFrame
    languages: pd.DataFrame


def reliability_tables(
    measures: pd.DataFrame,
    seed: int,
    n_resamples: int = 200,
    include_v0: bool = False,
    bootstrap: int = N_RESAMPLES,
) -> Reliability:
    """Table 3 of arXiv 2610.08747 with intervals.

    The splits of a cell come from the run's seed, its model, its language and the repetition (definition 5.1 of the
    docs): they depend on no other cell. Clusters are drawn once for all cells, which have the same stereotypes, so that
    the mean over models has the interval of that mean.

    Args:
        measures: the ``measures`` table of one or more models.
        seed: the run's seed.
        n_resamples: random halvings.
        include_v0: halve v0 together with the paraphrases.
        bootstrap: resamples of clusters.

    Raises:
        ValueError: as :func:`dualpair.analysis.reliability.split_half`, or a row has no cluster_id.
    """
    part = partition(measures["cluster_id"])
    draws = (
        cluster_draws(part.n_clusters, bootstrap, generator(seed, "split_half", "clusters"))
        if part.n_clusters
        else np.zeros((bootstrap, 0))
    )
    cells = {}
    for (model, lang), rows in measures.groupby(["model", "lang"], sort=True):
        names = (str(model), str(lang))
        cells[names] = _cell(rows, seed, names, n_resamples, include_v0, part.names, draws)
    return Reliability(_cells_table(cells), _languages_table(cells))


def bootstrap_means(
    padded: reliability.Padded, weights: Floats, n_resamples: int, seed: int, names: tuple[str, ...]
) -> Floats:
    """Mean correlation in each resample of clusters: (B, M).

    Resample b takes splits 5 b to 5 b + 4, counted round the ``n_resamples`` ones, and ranks its sets anew.

    Args:
        padded: the sets.
        weights: (B, S) how often each set is drawn.
        n_resamples: number of splits.
        seed: the run's seed.
        names: model and language.
    """
    per_draw = min(SPLITS_PER_DRAW, n_resamples)
    taken = (np.arange(len(weights))[:, None] * per_draw + np.arange(per_draw)) % n_resamples
    sums = np.zeros((len(weights), len(padded.metrics)))
    counts = np.zeros_like(sums)
    split = 0
    for halves in reliability.halvings(padded, range(n_resamples), seed, names):
        for first, second in zip(halves.first, halves.second, strict=True):
            drawn = np.flatnonzero((taken == split).any(axis=1))
            split += 1
            own = weights[drawn]
            for column in range(len(padded.metrics)):
                rho = weighted_spearman(first[:, column], second[:, column], own)
                defined = ~np.isnan(rho)
                sums[drawn[defined], column] += rho[defined]
                counts[drawn[defined], column] += 1
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def centred_interval(resampled: Floats, estimate: float) -> tuple[float, float]:
    """Percentile interval, moved by what the resamples' mean misses of the estimate, within [-1, 1].

    A stereotype that is drawn twice is tied with itself, which makes the resampled rank correlations a little too small
    (by 0.01 for 60 sets). In a mean over many models, whose interval is narrow, that would cost coverage.

    Args:
        resampled: (B,), NaN for resamples without a value.
        estimate: what was resampled.

    Returns:
        Both ends; NaN without a resampled value.
    """
    defined = resampled[~np.isnan(resampled)]
    ends = percentile_interval(defined[:, None])
    if not len(defined):
        return float("nan"), float("nan")
    shift = float(defined.mean()) - estimate
    low, high = (float(np.clip(end[0] - shift, -1.0, 1.0)) for end in ends)
    return low, high


def weighted_spearman(first: Floats, second: Floats, weights: Floats) -> Floats:
    """Spearman correlations of S pairs that are repeated as often as the weights say: (B,).

    Equal to the correlation of the repeated pairs, mean ranks for ties; NaN where a side is constant.

    Args:
        first: (S,).
        second: (S,).
        weights: (B, S) counts.
    """
    counts = np.ascontiguousarray(weights.T)  # whole rows are gathered and added below, which is several times faster
    middle = (counts.sum(axis=0) + 1) / 2
    a, b = _repeated_ranks(first, counts) - middle, _repeated_ranks(second, counts) - middle
    weighted = counts * a
    spread = np.sqrt((weighted * a).sum(axis=0) * (counts * b * b).sum(axis=0))
    products = (weighted * b).sum(axis=0)
    found = np.divide(products, spread, out=np.full_like(products, np.nan), where=spread > 0)
    return np.asarray(np.clip(found, -1.0, 1.0))


def _repeated_ranks(values: Floats, counts: Floats) -> Floats:
    """Mean rank of each value among the repeated ones: (S, B) for counts of that shape."""
    _, code, sizes = np.unique(values, return_inverse=True, return_counts=True)
    tied = counts[np.argsort(code, kind="stable")]
    if len(sizes) < len(values):
        tied = np.add.reduceat(tied, np.cumsum(sizes) - sizes, axis=0)
    ranks: Floats = np.cumsum(tied, axis=0) - (tied - 1) / 2
    return ranks[code]


def _cell(
    rows: pd.DataFrame,
    seed: int,
    names: tuple[str, str],
    n_resamples: int,
    include_v0: bool,
    clusters: npt.NDArray[np.str_],
    draws: Floats,
) -> Cell:
    padded = reliability.pad(rows[["set_id", "variant_id", *METRICS]], include_v0)
    rho = reliability.correlations(padded, n_resamples, seed, names)
    found = reliability.summary(padded, rho)
    by_set = dict(zip(rows["set_id"].astype(str), rows["cluster_id"].astype(str), strict=True))
    place = np.searchsorted(clusters, [by_set[name] for name in padded.set_ids]) if padded.set_ids else np.zeros(0, int)
    n_clusters = len(np.unique(place))
    resampled = np.full((len(draws), len(METRICS)), np.nan)
    if n_clusters >= MIN_CLUSTERS:
        resampled = bootstrap_means(padded, draws[:, place], n_resamples, seed, names)
    left_out = int(rows["set_id"].nunique()) - len(padded.set_ids)
    return Cell(found, resampled, n_clusters, int(padded.counts.sum()), left_out)


def _cells_table(cells: dict[tuple[str, str], Cell]) -> pd.DataFrame:
    names = schemas.table("split_half").names
    parts = []
    for (model, lang), cell in cells.items():
        ends = [centred_interval(*pair) for pair in zip(cell.resampled.T, cell.rows["mean"], strict=True)]
        parts.append(
            cell.rows.assign(
                model=model,
                lang=lang,
                low=[low for low, _ in ends],
                high=[high for _, high in ends],
                n_clusters=cell.n_clusters,
                n_variants=cell.n_variants,
                n_left_out=cell.n_left_out,
            )[names]
        )
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=names)


def _languages_table(cells: dict[tuple[str, str], Cell]) -> pd.DataFrame:
    names = schemas.table("split_half_languages").names
    langs = sorted({lang for _, lang in cells})
    groups = {lang: [cell for (_, own), cell in cells.items() if own == lang] for lang in langs}
    if len(langs) > 1:
        groups[ALL] = list(cells.values())
    rows = [
        _mean_row(lang, index, metric, group) for lang, group in groups.items() for index, metric in enumerate(METRICS)
    ]
    return pd.DataFrame(rows, columns=names)


def _mean_row(lang: str, index: int, metric: str, group: list[Cell]) -> dict[str, object]:
    found = [cell for cell in group if not np.isnan(cell.rows["mean"].iloc[index])]
    row: dict[str, object] = {
        "lang": lang,
        "metric": metric,
        "n_cells": len(found),
        "n_missing": len(group) - len(found),
    }
    if not found:
        return {**row, **dict.fromkeys(("mean", "min", "max", "spearman_brown", "low", "high"), np.nan)}
    values = pd.concat([cell.rows.iloc[[index]] for cell in found])
    mean = float(values["mean"].mean())
    # A resample without a value in one cell would be a mean over other cells: it is left out.
    resampled = np.stack([cell.resampled[:, index] for cell in found]).mean(axis=0)
    low, high = centred_interval(resampled, mean)
    return {
        **row,
        "mean": mean,
        "min": float(values["min"].min()),
        "max": float(values["max"].max()),
        "spearman_brown": float(reliability.spearman_brown(mean)),
        "low": low,
        "high": high,
    }
