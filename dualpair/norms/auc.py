"""ROC-AUC of q against the norms, per pair, as mean over pairs and pooled, with bootstrap intervals over concepts.

A concept may occur in several pairs. The intervals draw whole concepts, with all their items, and the draws of a
language are the same for every model, so that models can be compared on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas
from dualpair.analysis.families import base_and_instruct
from dualpair.analysis.resampling import (
    MIN_CLUSTERS,
    Floats,
    Intervals,
    Partition,
    cluster_draws,
    generator,
    partition,
    percentile_interval,
)
from dualpair.norms.concepts import BOTH

PAIR, MACRO, POOLED = "pair", "macro", "pooled"
_QUANTILES = {"q_min": 0.0, "q_lower": 0.25, "q_median": 0.5, "q_upper": 0.75, "q_max": 1.0}


class Resampled(NamedTuple):
    """AUCs of one model in one language.

    Attributes:
        pairs: pair to its AUC and the (R,) AUCs of the resamples; NaN where a class is empty.
        macro: mean over the pairs with both classes, and the same in each resample.
        pooled: AUC of all items, and of each resample's.
    """

    pairs: Mapping[str, tuple[float, Floats]]
    macro: tuple[float, Floats]
    pooled: tuple[float, Floats]


def auc(labels: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Area under the ROC curve: P(q of a random positive > q of a random negative) + half of P(equal).

    Args:
        labels: (N,) true for the positive class.
        q: (N,) finite values.

    Returns:
        0 to 1, neutral 0.5; NaN when a class is empty.
    """
    from sklearn.metrics import roc_auc_score

    positive = np.asarray(labels, dtype=bool)
    if positive.all() or not positive.any():
        return float("nan")
    return float(roc_auc_score(positive, np.asarray(q, dtype=np.float64)))


def weighted_aucs(labels: npt.ArrayLike, q: npt.ArrayLike, weights: npt.ArrayLike) -> Floats:
    """The AUC of each resample, all at once.

    Args:
        labels: (N,) true for the positive class.
        q: (N,) finite values.
        weights: (R, N) how often each resample holds each item.

    Returns:
        (R,); NaN where a resample lacks a class.
    """
    positive, values = np.asarray(labels, dtype=bool), np.asarray(q, dtype=np.float64)
    drawn = np.asarray(weights, dtype=np.float64)
    ahead = values[positive][:, None] - values[~positive][None, :]
    wins = (ahead > 0) + 0.5 * (ahead == 0)
    first, second = drawn[:, positive], drawn[:, ~positive]
    total = first.sum(axis=1) * second.sum(axis=1)
    won = ((first @ wins) * second).sum(axis=1)
    result: Floats = np.divide(won, total, out=np.full(len(drawn), np.nan), where=total > 0)
    return result


def resample(items: pd.DataFrame, draws: Floats, part: Partition) -> Resampled:
    """AUCs of one model's scored items in one language, and those of every resample.

    Args:
        items: rows of the ``norms_items`` table with a q.
        draws: (R, C) how often each concept is drawn.
        part: the concepts, of which those of the items are a subset.
    """
    position = {name: index for index, name in enumerate(part.names)}
    columns = [position[str(name)] for name in items["cluster_id"]]
    labels, q = items["has_first"].to_numpy(dtype=bool), items["q"].to_numpy(dtype=np.float64)
    weights = draws[:, columns]
    pairs = {}
    for pair_id, rows in items.groupby("pair_id", sort=True).indices.items():
        cells = (labels[rows], q[rows])
        pairs[str(pair_id)] = (auc(*cells), weighted_aucs(*cells, weights[:, rows]))
    both = [(value, again) for value, again in pairs.values() if not np.isnan(value)]
    macro, again = float("nan"), np.full(len(draws), np.nan)
    if both:
        macro, again = float(np.mean([value for value, _ in both])), _mean(np.stack([one for _, one in both]))
    return Resampled(pairs, (macro, again), (auc(labels, q), weighted_aucs(labels, q, weights)))


def _mean(values: Floats) -> Floats:
    """Column means without the missing values; NaN where all are missing."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=0)
    result: Floats = np.divide(total, known.sum(axis=0), out=np.full(values.shape[1], np.nan), where=known.any(axis=0))
    return result


def draws_of(items: pd.DataFrame, lang: str, seed: int, n_resamples: int) -> tuple[Floats, Partition]:
    """The draws of one language: (R, C), the same for every model whose items have these concepts."""
    part = partition(items["cluster_id"].drop_duplicates().to_numpy(dtype=object))
    return cluster_draws(part.n_clusters, n_resamples, generator(seed, "norms", lang)), part


def table(items: pd.DataFrame, concepts: pd.DataFrame, seed: int, n_resamples: int) -> pd.DataFrame:
    """The ``norms_auc`` table.

    Args:
        items: the ``norms_items`` table of one or more models.
        concepts: the ``norms_concepts`` table, whose rows that are left out are counted.
        seed: the run's seed.
        n_resamples: bootstrap resamples of concepts.
    """
    rows: list[dict[str, Any]] = []
    for lang, spoken in items.groupby("lang", sort=True):
        draws, part = draws_of(spoken, str(lang), seed, n_resamples)
        listed = concepts.loc[concepts["lang"] == lang]
        for model, own in spoken.groupby("model", sort=True):
            result = resample(own.loc[own["kept"].astype(bool)], draws, part)
            for row in _rows(result, own, listed):
                rows.append({"model": model, "lang": lang, **row})
    return pd.DataFrame(rows, columns=schemas.table("norms_auc").names)


def _rows(result: Resampled, own: pd.DataFrame, listed: pd.DataFrame) -> Iterator[dict[str, Any]]:
    n_pairs = sum(not np.isnan(value) for value, _ in result.pairs.values())
    for pair_id in sorted(listed["pair_id"].unique()):
        rows, names = own.loc[own["pair_id"] == pair_id], listed.loc[listed["pair_id"] == pair_id]
        found = result.pairs.get(str(pair_id), (float("nan"), np.array([])))
        usable = int(not np.isnan(found[0]))
        yield {"scope": PAIR, "pair_id": pair_id, "n_pairs": usable, **_counts(rows, names), **_interval(found, rows)}
    for scope, found in ((MACRO, result.macro), (POOLED, result.pooled)):
        row = {"scope": scope, "pair_id": "", "n_pairs": n_pairs}
        yield {**row, **_counts(own, listed), **_interval(found, own)}


def _counts(rows: pd.DataFrame, listed: pd.DataFrame) -> dict[str, Any]:
    scored = rows.loc[rows["kept"].astype(bool)]
    out = listed.loc[~listed["kept"].astype(bool), "reason"]
    return {
        "source": str(listed["source"].iloc[0]),
        "n_concepts": int(scored["cluster_id"].nunique()),
        "n_first": int(scored["has_first"].sum()),
        "n_second": int((~scored["has_first"].astype(bool)).sum()),
        "n_both": int((out == BOTH).sum()),
        "n_left_out": int((out != BOTH).sum()),
        "n_unscored": len(rows) - len(scored),
    }


def _interval(found: tuple[float, Floats], rows: pd.DataFrame) -> dict[str, float]:
    """The AUC with its interval, which few concepts of a class cannot carry."""
    scored = rows.loc[rows["kept"].astype(bool)]
    fewest = min(scored.loc[scored["has_first"] == side, "cluster_id"].nunique() for side in (True, False))
    ends = percentile_interval(found[1][:, None]) if fewest >= MIN_CLUSTERS else _none()
    return {"auc": found[0], "auc_low": float(ends.low[0]), "auc_high": float(ends.high[0])}


def _none() -> Intervals:
    return Intervals(np.array([np.nan]), np.array([np.nan]))


def distributions(items: pd.DataFrame) -> pd.DataFrame:
    """The ``norms_q`` table: quartiles of q by label, per pair and pooled.

    Args:
        items: the ``norms_items`` table of one or more models.
    """
    rows = []
    for (model, lang), own in items.groupby(["model", "lang"], sort=True):
        parts = [(PAIR, str(pair_id), part) for pair_id, part in own.groupby("pair_id", sort=True)]
        for scope, pair_id, part in [*parts, (POOLED, "", own)]:
            for label, side in (("first", True), ("second", False)):
                q = part.loc[part["kept"].astype(bool) & (part["has_first"] == side), "q"].to_numpy(dtype=np.float64)
                row = {"model": model, "lang": lang, "scope": scope, "pair_id": pair_id, "label": label, "n": len(q)}
                spread = {name: float(np.quantile(q, at)) if len(q) else np.nan for name, at in _QUANTILES.items()}
                rows.append({**row, "q_mean": float(q.mean()) if len(q) else np.nan, **spread})
    return pd.DataFrame(rows, columns=schemas.table("norms_q").names)


def base_against_instruct(
    items: pd.DataFrame, models: Mapping[str, Mapping[str, Any]], seed: int, n_resamples: int
) -> pd.DataFrame:
    """The ``norms_tuning`` table: every instruct model against the base model of its family and size, paired.

    A model without items has no row.

    Args:
        items: the ``norms_items`` table.
        models: registry name to ``family``, ``size`` and ``tuning``, each may be None.
        seed: the run's seed.
        n_resamples: bootstrap resamples of concepts.
    """
    rows: list[dict[str, Any]] = []
    for family, _, base, instruct in base_and_instruct(models):
        for lang in sorted(items["lang"].unique()):
            one, two = (
                items.loc[(items["model"] == name) & (items["lang"] == lang) & items["kept"].astype(bool)]
                for name in (base, instruct)
            )
            named = {"family": family, "base": base, "instruct": instruct}
            rows += _compared(one, two, str(lang), named, seed, n_resamples)
    return pd.DataFrame(rows, columns=schemas.table("norms_tuning").names)


def _compared(
    one: pd.DataFrame, two: pd.DataFrame, lang: str, named: Mapping[str, Any], seed: int, n_resamples: int
) -> list[dict[str, Any]]:
    key = ["pair_id", "concept_id"]
    shared = pd.MultiIndex.from_frame(one[key]).intersection(pd.MultiIndex.from_frame(two[key]))
    if shared.empty:
        return []
    one, two = (frame[pd.MultiIndex.from_frame(frame[key]).isin(shared)] for frame in (one, two))
    draws, part = draws_of(one, lang, seed, n_resamples)
    results = [resample(frame, draws, part) for frame in (one, two)]
    rows = []
    for scope in (MACRO, POOLED):
        (base, base_again), (instruct, instruct_again) = (getattr(result, scope) for result in results)
        ends = _interval((instruct - base, instruct_again - base_again), one)
        rows.append({
            **named, "lang": lang, "scope": scope, "n_items": len(one), "n_concepts": part.n_clusters,
            "auc_base": base, "auc_instruct": instruct, "difference": ends["auc"],
            "difference_low": ends["auc_low"], "difference_high": ends["auc_high"],
        })  # fmt: skip
    return rows
