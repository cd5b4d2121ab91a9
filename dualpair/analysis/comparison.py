"""Paired differences between models on the same sets: intervals, permutation tests, and what could have been found.

Every pair of models is compared per language, and pooled over languages, on the sets that both have measured. Clusters
(``cluster_id``, equal across languages) are what intervals resample and what changes sign in a test.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas
from dualpair.analysis import power as powers
from dualpair.analysis.multiple import holm
from dualpair.analysis.resampling import Floats, cluster_bootstrap, generator, is_exact, partition, sign_flip_test

METRICS = ("I_GxA", "absB_avg", "B_GxA", "contradiction")
POOLED = "pooled"
LEVEL = 0.05
PLANNED_SETS = (25, 50, 100, 200, 400, 800)
_VALUES = (
    "lang", "metric", "n_sets", "n_clusters", "n_missing", "mean_a", "mean_b", "difference", "difference_low",
    "difference_high", "p", "exact", "p_holm", "n_family", "only_a", "only_b", "p_mcnemar", "detectable",
)  # fmt: skip


class Resampling(NamedTuple):
    """What intervals and tests are told.

    Attributes:
        seed: the run's seed.
        bootstrap: resamples of clusters for an interval.
        permutations: sign flips of a test.
        power: chance to find the smallest difference that is reported.
        name: what the generators are called after; equal names, languages and clusters give equal draws.
    """

    seed: int
    bootstrap: int
    permutations: int
    power: float
    name: str = "comparison"

    @classmethod
    def of(cls, seed: int, analysis: Mapping[str, Any], name: str = "comparison") -> Resampling:
        """From the config's section ``analysis``."""
        settings = analysis["comparison"]
        return cls(seed, analysis["bootstrap"], settings["permutations"], settings["power"], name)


class Wide(NamedTuple):
    """Sets x models.

    Attributes:
        models: (M,) registry names, sorted.
        langs: (N,) language of each row.
        clusters: (N,) cluster of each row.
        values: metric to (N, M); NaN where the model has not measured the set (or its v0, for contradictions).
    """

    models: tuple[str, ...]
    langs: npt.NDArray[np.str_]
    clusters: npt.NDArray[np.str_]
    values: Mapping[str, Floats]

    def scopes(self) -> list[str]:
        """The languages, sorted, and ``pooled`` where there are several."""
        langs = sorted(map(str, np.unique(self.langs)))
        return [*langs, POOLED] if len(langs) > 1 else langs

    def rows(self, scope: str) -> npt.NDArray[np.bool_]:
        """(N,) rows of a language or, of ``pooled``, all."""
        return np.ones(len(self.langs), dtype=bool) if scope == POOLED else self.langs == scope


def wide(set_measures: pd.DataFrame) -> Wide:
    """The ``set_measures`` table with one row per set and language and one column per model.

    Raises:
        ValueError: if a model has a set twice, or two models name different clusters for it.
    """
    key = ["lang", "set_id"]
    named = set_measures.groupby(key, sort=True)["cluster_id"].agg(["min", "max"])
    odd = named[named["min"] != named["max"]]
    if len(odd):
        lang, set_id = odd.index[0]
        raise ValueError(
            f"set {set_id}, {lang} is in cluster {odd['min'].iloc[0]!r} and in {odd['max'].iloc[0]!r}; a set has the "
            "same cluster under every model: make the measures again from one table of pairs"
        )
    models = tuple(sorted(map(str, set_measures["model"].unique())))
    numbers = set_measures.assign(contradiction=set_measures["contradiction"].astype("Float64"))
    values = {
        metric: numbers.pivot(index=key, columns="model", values=metric)
        .reindex(index=named.index, columns=list(models))
        .to_numpy(dtype=np.float64, na_value=np.nan)
        for metric in METRICS
    }
    langs = named.index.get_level_values("lang").to_numpy(dtype=str)
    return Wide(models, langs, named["min"].to_numpy(dtype=str), values)


def comparison(set_measures: pd.DataFrame, resampling: Resampling) -> pd.DataFrame:
    """Every pair of models, per language and pooled: the ``comparison`` table, the difference being a - b.

    Args:
        set_measures: the ``set_measures`` table of all models.
        resampling: seed and numbers of resamples.

    Returns:
        The table, sorted by its key; empty with one model.
    """
    data = wide(set_measures)
    frame = paired(data, list(itertools.combinations(data.models, 2)), resampling)
    key = list(schemas.table("comparison").key)
    return frame[schemas.table("comparison").names].sort_values(key, ignore_index=True)


def paired(data: Wide, pairs: Sequence[tuple[str, str]], resampling: Resampling) -> pd.DataFrame:
    """Paired differences a - b of the given pairs of models in every scope and metric, with Holm's correction.

    The family that p_holm corrects for is all of ``pairs`` in all languages, for one metric; the pooled differences
    are a family of their own. A pair without a shared set in a language has no row there; intervals and p are missing
    (NaN) under 3 clusters.

    Returns:
        Columns model_a, model_b and those of the ``comparison`` table.
    """
    rows: list[dict[str, Any]] = []
    for scope in data.scopes():
        for metric in METRICS:
            rows += _scope(data, pairs, scope, metric, resampling)
    frame = pd.DataFrame(rows, columns=["model_a", "model_b", *_VALUES])
    return with_holm(frame, "p", ["metric"])


def with_holm(frame: pd.DataFrame, column: str, by: Sequence[str]) -> pd.DataFrame:
    """The frame with ``p_holm`` and ``n_family``: Holm's (1979) correction of ``column`` within each family.

    A family is what has equal values in ``by``, languages together and pooled rows apart. Missing p stay missing and
    do not count.
    """
    result = frame.assign(p_holm=np.nan, n_family=0).astype({"p_holm": float, "n_family": "int64"})
    families = result.assign(_pooled=result["lang"] == POOLED).groupby([*by, "_pooled"], sort=True).indices
    p = result[column].to_numpy(dtype=np.float64)
    corrected, sizes = np.full(len(p), np.nan), np.zeros(len(p), dtype=np.int64)
    for places in families.values():
        corrected[places] = holm(p[places])
        sizes[places] = np.isfinite(p[places]).sum()
    return result.assign(p_holm=corrected, n_family=sizes)


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided McNemar test of discordant counts: the binomial test of only_a in only_a + only_b; 1 for none."""
    from scipy.stats import binomtest

    n = only_a + only_b
    return float(binomtest(only_a, n).pvalue) if n else 1.0


def detectable_by_sets(frame: pd.DataFrame, power: float, planned: Sequence[int] = PLANNED_SETS) -> pd.DataFrame:
    """The ``comparison_detectable`` table: what the median pair of models could show with other numbers of sets.

    Args:
        frame: the ``comparison`` table, or one with its columns.
        power: chance to find the difference, in [0.5, 1).
        planned: numbers of sets to look at, beside the median of those that there are.
    """
    rows = []
    usable = frame.dropna(subset=["detectable"])
    for (lang, metric), cell in usable.groupby(["lang", "metric"], sort=True):
        effects = np.array([powers.standardised_effect(int(n), power, LEVEL) for n in cell["n_clusters"]])
        spread = float(np.median(cell["detectable"].to_numpy(dtype=float) / effects))
        own = int(np.median(cell["n_sets"]))
        each = float(cell["n_sets"].sum() / cell["n_clusters"].sum())
        family = max(int(cell["n_family"].max()), 1)
        for n_sets in sorted({own, *planned}):
            found = [powers.detectable_with(spread, n_sets, each, power, LEVEL / n) for n in (1, family)]
            rows.append({
                "lang": lang, "metric": metric, "n_sets": n_sets, "own": n_sets == own,
                "n_clusters": n_sets / each, "spread": spread, "detectable": found[0], "detectable_corrected": found[1],
                "n_family": family,
            })  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("comparison_detectable").names)


def _scope(
    data: Wide, pairs: Sequence[tuple[str, str]], scope: str, metric: str, resampling: Resampling
) -> list[dict[str, Any]]:
    """Rows of one scope and metric; pairs that share the same sets are worked out together."""
    inside, values = data.rows(scope), data.values[metric]
    places = {model: place for place, model in enumerate(data.models)}
    groups: dict[bytes, list[tuple[str, str]]] = {}
    for one, other in pairs:
        both = inside & np.isfinite(values[:, places[one]]) & np.isfinite(values[:, places[other]])
        if both.any() and (scope != POOLED or len(np.unique(data.langs[both])) > 1):
            groups.setdefault(both.tobytes(), []).append((one, other))
    rows: list[dict[str, Any]] = []
    for mask, members in groups.items():
        both = np.frombuffer(mask, dtype=bool)
        a, b = (values[both][:, [places[pair[side]] for pair in members]] for side in (0, 1))
        columns = _columns(a, b, data.clusters[both], scope, metric, resampling)
        for place, (one, other) in enumerate(members):
            either = np.isfinite(values[inside][:, [places[one], places[other]]]).any(axis=1)
            rows.append({
                "model_a": one, "model_b": other, "lang": scope, "metric": metric, "n_sets": int(both.sum()),
                "n_missing": int(either.sum() - both.sum()),
                **{name: column[place] for name, column in columns.items()},
            })  # fmt: skip
    return rows


def _columns(
    a: Floats, b: Floats, clusters: npt.NDArray[np.str_], scope: str, metric: str, resampling: Resampling
) -> dict[str, Sequence[Any]]:
    """Columns of the pairs whose values are (N, P), each of length P."""
    differences = a - b
    n_pairs, n_clusters = differences.shape[1], partition(clusters).n_clusters
    seed, name = resampling.seed, resampling.name
    ends = cluster_bootstrap(differences, clusters, generator(seed, name, scope, "bootstrap"), resampling.bootstrap)
    p = sign_flip_test(differences, clusters, generator(seed, name, scope, "signs"), resampling.permutations)
    counts = ((differences > 0).sum(axis=0), (differences < 0).sum(axis=0))
    discordant = list(zip(*(count.tolist() for count in counts), strict=True))
    binary = metric == "contradiction"
    return {
        "n_clusters": [n_clusters] * n_pairs,
        "mean_a": a.mean(axis=0).tolist(),
        "mean_b": b.mean(axis=0).tolist(),
        "difference": differences.mean(axis=0).tolist(),
        "difference_low": ends.low.tolist(),
        "difference_high": ends.high.tolist(),
        "p": p.tolist(),
        "exact": [is_exact(n_clusters, resampling.permutations)] * n_pairs,
        "only_a": [one if binary else None for one, _ in discordant],
        "only_b": [other if binary else None for _, other in discordant],
        "p_mcnemar": [mcnemar(*both) if binary else np.nan for both in discordant],
        "detectable": powers.detectable(differences, clusters, resampling.power, LEVEL).tolist(),
    }
