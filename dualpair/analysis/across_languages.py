"""Change of a measure against an anchor language, on the sets that both languages have (arXiv 2610.08747, figure 6).

The change of a set is its measure in a language less its measure in the anchor, under one model. Means over sets stand
with bootstrap intervals that draw whole clusters, a Wilcoxon signed-rank test (which takes sets as independent) and a
permutation test that flips the sign of whole clusters (which does not). Holm's correction runs over the (language,
model) cells of a metric, and apart from them over the (language, model, bias type) cells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.multiple import holm
from dualpair.analysis.resampling import Floats, cluster_bootstrap, generator, sign_flip_test
from dualpair.errors import InputError

METRICS = ("I_GxA", "absB_avg")
# No registry name has a bracket, so that the mean can stand in the column of the models.
MEAN = "(mean)"
OVERALL, BY_TYPE = NAMES = ("across_languages", "across_languages_types")
TESTS = ("wilcoxon", "permutation")


class Settings(NamedTuple):
    """What the resampling is told.

    Attributes:
        seed: the run's seed; every cell has a generator of its own derived from it.
        resamples: bootstrap resamples of clusters.
        permutations: sign flips of clusters; exact where fewer are possible.
    """

    seed: int
    resamples: int
    permutations: int


def across_languages(set_measures: pd.DataFrame, anchor: str, settings: Settings) -> dict[str, pd.DataFrame]:
    """Both tables, by name: per (model, language), and per (model, language, bias type).

    With two models or more, rows of model :data:`MEAN` hold the mean over all models, on the sets that every model has
    in both languages; their p-values are a family of their own. Cells without a set are there, with n_sets 0 and
    missing values. Bias types and clusters are those of the anchor's rows.

    Args:
        set_measures: the ``set_measures`` table of one or more models.
        anchor: the language that the others are compared with.
        settings: seed and numbers of resamples.

    Returns:
        The frames ``across_languages`` and ``across_languages_types``, sorted by metric, model, lang (and bias type).
        Intervals and the permutation test are missing (NaN) under 3 clusters, the Wilcoxon test where no difference
        differs from 0.

    Raises:
        InputError: if a set has two clusters.
        ValueError: if a metric is not finite or a cluster is missing.
    """
    pairs = changes(set_measures, anchor)
    models = sorted(map(str, set_measures["model"].unique()))
    langs = sorted({*map(str, set_measures["lang"].unique())} - {anchor})
    shown = [*models, *([MEAN] if len(models) > 1 else [])]
    grid = pd.MultiIndex.from_product([shown, langs], names=["model", "lang"])
    types = sorted(map(str, set_measures.loc[set_measures["lang"] == anchor, "bias_type"].unique()))
    finer = pd.MultiIndex.from_product([shown, langs, types], names=["model", "lang", "bias_type"])
    return {OVERALL: _table(pairs, grid, OVERALL, settings), BY_TYPE: _table(pairs, finer, BY_TYPE, settings)}


def changes(set_measures: pd.DataFrame, anchor: str) -> pd.DataFrame:
    """One row per model, other language and set that the model has in both: the two values' difference, per metric.

    Returns:
        Columns model, lang, set_id, cluster_id, bias_type, the metrics (language less anchor; bits, or the unit of B)
        and ``<metric>_anchor``; rows of model :data:`MEAN` last, if there are two models or more.

    Raises:
        InputError: if a set has two clusters.
    """
    columns = ["model", "lang", "set_id", "cluster_id", "bias_type", *METRICS]
    rows = set_measures[columns].astype(dict.fromkeys(columns[:5], str))
    check_clusters(rows)
    base = rows[rows["lang"] == anchor].drop(columns="lang")
    other = rows[rows["lang"] != anchor].drop(columns=["cluster_id", "bias_type"])
    both = other.merge(base, on=["model", "set_id"], suffixes=("", "_anchor"), validate="many_to_one")
    for metric in METRICS:
        both[metric] -= both[f"{metric}_anchor"]
    models = rows["model"].nunique()
    if models > 1:
        both = pd.concat([both, _mean_over_models(both, models)], ignore_index=True)
    return both.sort_values(["model", "lang", "set_id"], ignore_index=True)


def check_clusters(rows: pd.DataFrame) -> None:
    """Refuse sets whose cluster differs between languages or models: they could not be resampled together.

    Raises:
        InputError: naming the first such set.
    """
    several = rows.groupby("set_id")["cluster_id"].nunique()
    odd = several.index[several > 1]
    if len(odd):
        found = sorted(rows.loc[rows["set_id"] == odd[0], "cluster_id"].unique())
        raise InputError(
            f"{len(odd)} sets have several values of cluster_id, e.g. set_id {odd[0]!r}: {', '.join(found)}; a set is "
            "drawn whole, so give it one cluster_id in all languages of the source"
        )


def _mean_over_models(both: pd.DataFrame, models: int) -> pd.DataFrame:
    """The mean over all models of each set that every model has in both languages."""
    numbers = [*METRICS, *(f"{metric}_anchor" for metric in METRICS)]
    groups = both.groupby(["lang", "set_id"], sort=True)
    mean = groups[numbers].mean()
    # Models may take a set's type from different rows; the sources give all rows of a set the same.
    mean[["cluster_id", "bias_type"]] = groups[["cluster_id", "bias_type"]].first()
    return mean[groups.size() == models].reset_index().assign(model=MEAN)


def _table(pairs: pd.DataFrame, grid: pd.MultiIndex, name: str, settings: Settings) -> pd.DataFrame:
    keys = list(grid.names)
    cells = dict(list(pairs.groupby(keys, sort=True)))
    rows = [
        {**dict(zip(keys, key, strict=True)), **row}
        for key in grid
        for row in _cell(cells.get(key, pairs.iloc[:0]), (name, *key), settings)
    ]
    declared = schemas.table(name)
    frame = pd.DataFrame(rows, columns=declared.names)
    for test in TESTS:
        frame[f"{test}_holm"] = _holm(frame, f"{test}_p")
    return frame.sort_values(list(declared.key), ignore_index=True)


def _cell(sets: pd.DataFrame, names: tuple[str, ...], settings: Settings) -> list[dict[str, Any]]:
    """One row per metric of the sets of a cell."""
    rng = generator(settings.seed, *names)
    values = sets[list(METRICS)].to_numpy(dtype=np.float64)
    clusters = sets["cluster_id"].to_numpy(dtype=object)
    ends = cluster_bootstrap(values, clusters, rng, settings.resamples)
    flips = sign_flip_test(values, clusters, rng, settings.permutations)
    count = {"n_sets": len(sets), "n_clusters": len(set(clusters))}
    return [
        {
            "metric": metric,
            **count,
            "anchor_mean": _mean(sets[f"{metric}_anchor"].to_numpy(dtype=np.float64)),
            "change": _mean(values[:, k]),
            "low": float(ends.low[k]),
            "high": float(ends.high[k]),
            "wilcoxon_p": wilcoxon(values[:, k]),
            "permutation_p": float(flips[k]),
        }
        for k, metric in enumerate(METRICS)
    ]


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def wilcoxon(differences: Floats) -> float:
    """Two-sided p of the Wilcoxon signed-rank test, zeros left out; NaN where no difference differs from 0."""
    from scipy.stats import wilcoxon as signed_rank

    if not np.any(differences):
        return float("nan")
    return float(signed_rank(differences).pvalue)


def _holm(frame: pd.DataFrame, column: str) -> pd.Series[float]:
    """Holm's correction within each metric, models and their mean apart; missing p-values are in no family."""
    adjusted = pd.Series(np.nan, index=frame.index)
    families = [frame["metric"], frame["model"] == MEAN]
    for _, p in frame[column].groupby(families, sort=True):
        adjusted[p.index] = holm(p)
    return adjusted
