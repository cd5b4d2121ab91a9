"""Which sets an analysis of variance can use: those that every model has in every language.

Rows are set x language x model (arXiv 2610.08747, table 5; N = 3,528 = 98 sets x 4 languages x 9 models): variants are
averaged first, and only complete sets make the design balanced inside each bias type.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas
from dualpair.analysis.across_languages import check_clusters
from dualpair.analysis.resampling import Floats, Ints, partition

METRIC = "I_GxA"
MIN_SETS = 3
FACTORS = ("model", "language", "bias_type")


class Design(NamedTuple):
    """Complete sets, sorted by set_id.

    Attributes:
        levels: names of the models, languages and bias types, each sorted.
        values: (S, A, B) the metric of each set under each model in each language.
        types: (S,) position in ``levels[2]`` of each set's bias type.
        clusters: (S,) cluster of each set.
    """

    levels: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    values: Floats
    types: Ints
    clusters: npt.NDArray[np.str_]

    @property
    def n_sets(self) -> int:
        """Number of complete sets, S."""
        return len(self.types)

    @property
    def n_clusters(self) -> int:
        """Number of their clusters."""
        return partition(self.clusters).n_clusters

    @property
    def factors(self) -> list[str]:
        """Factors with two levels or more; the others are left out."""
        return [name for name, levels in zip(FACTORS, self.levels, strict=True) if len(levels) > 1]

    @property
    def analysable(self) -> bool:
        """Whether there are 3 sets, a bias type with two of them, and a factor with two levels."""
        return self.n_sets >= MIN_SETS and self.n_sets > len(self.levels[2]) and bool(self.factors)

    def frame(self) -> pd.DataFrame:
        """One row per set, model and language: set_id (a number), model, lang, bias_type and the metric."""
        s, a, b = (index.ravel() for index in np.indices(self.values.shape))
        models, langs, types = (np.array(names, dtype=object) for names in self.levels)
        columns = {"set_id": s, "model": models[a], "lang": langs[b], "bias_type": types[self.types[s]]}
        return pd.DataFrame({**columns, METRIC: self.values.ravel()})


def design(set_measures: pd.DataFrame) -> Design:
    """The complete sets of a ``set_measures`` table.

    A set whose bias type differs between its rows is left out (:func:`levels_table` counts them).

    Raises:
        InputError: if a set has two clusters.
        ValueError: if a value is not finite, or a set occurs twice under one model and language.
    """
    rows = set_measures[["model", "lang", "set_id", "cluster_id", "bias_type", METRIC]]
    check_clusters(rows)
    if not np.isfinite(rows[METRIC].to_numpy(dtype=np.float64)).all():
        raise ValueError(f"{METRIC} must be finite; a set without a value is left out of set_measures")
    wide = rows.pivot(index="set_id", columns=["model", "lang"], values=METRIC)
    models, langs = (tuple(sorted(map(str, rows[name].unique()))) for name in ("model", "lang"))
    wide = wide.reindex(columns=pd.MultiIndex.from_product([models, langs])).dropna()
    wide = wide[~wide.index.isin(_mixed(rows))].sort_index()
    facts = rows.drop_duplicates("set_id").set_index("set_id").loc[wide.index]
    names, types = np.unique(facts["bias_type"].to_numpy(dtype=str), return_inverse=True)
    values = wide.to_numpy(dtype=np.float64).reshape(len(wide), len(models), len(langs))
    levels = (models, langs, tuple(map(str, names)))
    return Design(levels, values, types.astype(np.int64), facts["cluster_id"].to_numpy(dtype=str))


def levels_table(set_measures: pd.DataFrame, used: Design) -> pd.DataFrame:
    """The ``anova_levels`` table: each level's sets, and how many of them are complete."""
    rows = set_measures.assign(language=set_measures["lang"])
    odd = len(_mixed(rows))
    result: list[dict[str, Any]] = []
    for factor, levels in zip(FACTORS, used.levels, strict=True):
        known = sorted(map(str, rows[factor].unique()))
        for level in known:
            own = rows[rows[factor].astype(str) == level]
            place = levels.index(level) if level in levels else -1
            complete = int((used.types == place).sum()) if factor == "bias_type" else used.n_sets
            result.append(
                {
                    "factor": factor,
                    "level": level,
                    "n_any": int(own["set_id"].nunique()),
                    "n_complete": complete,
                    "n_clusters": used.n_clusters,
                    "n_mixed": odd,
                    "used": factor in used.factors and complete > 0,
                }
            )
    frame = pd.DataFrame(result, columns=schemas.table("anova_levels").names)
    return frame.sort_values(["factor", "level"], ignore_index=True)


def _mixed(rows: pd.DataFrame) -> list[str]:
    """Sets whose rows name several bias types."""
    several = rows.groupby("set_id")["bias_type"].nunique()
    return [str(name) for name in several.index[several > 1]]
