"""A world of measures with known truth: the frames ``augmented``, ``measures`` and ``set_measures``, quickly.

:func:`make` builds every pair from planted differences, so that all measures belong together::

    b(model, lang, set, variant) = mean + strength * (cluster + cell + noise)

b is B_GxA of the first contrast. ``mean`` is the sum of the effects of model, language and bias type, in nats;
``strength`` is exp of the sum of their log effects (it raises |B| and I, and leaves the mean alone); ``cluster`` is drawn
once per cluster and shared by all models and languages, ``cell`` once per (model, language, set), ``noise`` once per
variant; all normal, mean 0. Further contrasts get b plus noise of their own.

A pair is a contradiction with exactly the planted probability, and half of the contradictions are flips. Which ones is
shared within a cluster and among the variants of a set (``shared``), so that rows are not independent, as in real data.

:func:`additive` makes ``set_measures`` alone, whose I_GxA (and every other metric) is a plain sum of effects: the model
that an analysis of variance fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit, rel_entr

from dualpair import schemas
from dualpair.measures.tables import measure_sets

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """What is planted.

    Attributes:
        models: registry names.
        langs: language codes.
        n_sets: stereotypes; each is one set per language.
        n_variants: pairs of a set, v0 among them; (low, high) draws a number per (language, set).
        groups: K of the sets, in turn.
        bias_types: types of the clusters, in turn.
        cluster_size: sets that share a cluster.
        mean: effect in nats on the mean of B_GxA, by name of a model, language or bias type; else 0.
        strength: log effect on the size of B, by name of a model, language or bias type; else 0.
        cluster_sd: standard deviation of the cluster effect, in nats.
        cell_sd: standard deviation of the (model, language, set) effect, in nats.
        noise_sd: standard deviation between the variants of a set, in nats.
        contradiction: probability of a contradiction, or by (model, lang).
        shared: probability that a set does as its cluster does, and a variant as its set does.
        has: share of the sets that a language has, by language; else all.
        lost_v0: share of the (language, set) whose original has no pair.
        seed: of everything.
    """

    models: tuple[str, ...] = ("model-a", "model-b")
    langs: tuple[str, ...] = ("en", "es")
    n_sets: int = 40
    n_variants: int | tuple[int, int] = 5
    groups: tuple[int, ...] = (2,)
    bias_types: tuple[str, ...] = ("age", "gender")
    cluster_size: int = 1
    mean: Mapping[str, float] = field(default_factory=dict)
    strength: Mapping[str, float] = field(default_factory=dict)
    cluster_sd: float = 0.3
    cell_sd: float = 0.2
    noise_sd: float = 0.2
    contradiction: float | Mapping[tuple[str, str], float] = 0.25
    shared: float = 0.5
    has: Mapping[str, float] = field(default_factory=dict)
    lost_v0: float = 0.0
    seed: int = 0

    def rate(self, model: str, lang: str) -> float:
        """Planted probability of a contradiction."""
        return self.contradiction if isinstance(self.contradiction, float | int) else self.contradiction[model, lang]

    def true_mean(self, model: str, lang: str) -> float:
        """Mean of B_GxA over a large number of sets, in nats."""
        types = np.mean([self.mean.get(name, 0.0) for name in self.bias_types])
        return float(self.mean.get(model, 0.0) + self.mean.get(lang, 0.0) + types)


class Frames(NamedTuple):
    """The three tables, each with the columns of its schema and sorted by model and key."""

    augmented: pd.DataFrame
    measures: pd.DataFrame
    set_measures: pd.DataFrame


FULL = World(
    models=tuple(f"model-{i}" for i in range(1, 10)),
    langs=("en", "es", "ru", "zh"),
    n_sets=170,
    n_variants=10,
    groups=(2, 2, 3, 4),
    bias_types=("age", "disability", "gender", "nationality", "religion"),
)
"""The size of the paper: 9 models x 4 languages x 170 sets x 10 variants."""


def make(world: World) -> Frames:
    """The tables of a world."""
    rng = np.random.default_rng(world.seed)
    augmented = _augmented(world, rng)
    measures = _measures(world, augmented, rng)
    return Frames(augmented, measures, measure_sets(measures))


def additive(world: World, grand: float = 1.0, noise_sd: float | None = None) -> pd.DataFrame:
    """``set_measures`` whose every metric is grand + model + language + type + cluster + noise effects.

    Args:
        world: ``mean`` has the effects; ``cluster_sd`` and ``cell_sd`` the random ones; no variants are made.
        grand: the common mean; 1 keeps small worlds positive, which nothing here depends on.
        noise_sd: noise of each metric apart, default ``world.noise_sd``.
    """
    rng = np.random.default_rng(world.seed)
    one = _augmented(replace(world, n_variants=1), rng)
    rows = pd.concat([one.assign(model=model) for model in world.models], ignore_index=True)
    value = grand + _effect(world.mean, rows) + _cluster_effect(world, rows, rng)
    value += rng.normal(0.0, world.cell_sd, len(rows))
    noise = world.noise_sd if noise_sd is None else noise_sd
    k = np.array([len(groups) for groups in rows["groups"]])
    for name in ("B_G", "B_G_alt", "B_GxA", "absB_avg", "absB_max", "I_GxA"):
        rows[name] = value + rng.normal(0.0, noise, len(rows))
    n = int(np.max(world.n_variants))
    rows = rows.assign(n_variants=n, n_instances=n * (k - 1), v0_is_original=True)
    rows = rows.assign(B_signed_mean=rows["B_GxA"], contradiction=False, flip=False)
    rows = rows[schemas.table("set_measures").names].astype({"contradiction": "boolean", "flip": "boolean"})
    return rows.sort_values(["model", "lang", "set_id"], ignore_index=True)


def _augmented(world: World, rng: np.random.Generator) -> pd.DataFrame:
    low, high = (world.n_variants,) * 2 if isinstance(world.n_variants, int) else world.n_variants
    rows: list[dict[str, Any]] = []
    for lang in world.langs:
        have = max(1, round(world.has.get(lang, 1.0) * world.n_sets))
        for number in sorted(rng.choice(world.n_sets, have, replace=False)):
            cluster, set_id = number // world.cluster_size, f"s{number:04d}"
            count = int(rng.integers(low, high + 1))
            lost = bool(rng.random() < world.lost_v0) and count > 1
            common = {
                "set_id": set_id, "cluster_id": f"c{cluster:04d}", "lang": lang, "dataset": "starter",
                "bias_type": world.bias_types[cluster % len(world.bias_types)],
                "groups": [f"Group {g}" for g in range(world.groups[number % len(world.groups)])],
                "final_mark": ".", "v0_is_original": not lost,
            }  # fmt: skip
            names = ["v0", *(f"p{i:02d}" for i in range(1, count))][lost:]
            rows += [
                {**common, "variant_id": name, "attribute": f"like item {number} in way {name}",
                 "alternate": f"dislike item {number} in way {name}"}
                for name in names
            ]  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("augmented").names).sort_values(
        ["lang", "set_id", "variant_id"], ignore_index=True
    )


def _measures(world: World, augmented: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    rows = pd.concat([augmented.assign(model=model) for model in world.models], ignore_index=True)
    cell = rows.groupby(["model", "lang", "set_id"], sort=True).ngroup().to_numpy()
    random = _cluster_effect(world, rows, rng) + rng.normal(0.0, world.cell_sd, cell.max() + 1)[cell]
    random += rng.normal(0.0, world.noise_sd, len(rows))
    b = _effect(world.mean, rows) + np.exp(_effect(world.strength, rows)) * random
    contradicts = _shared_uniform(world, rows, cell, rng) < np.array(
        [world.rate(model, lang) for model, lang in zip(rows["model"], rows["lang"], strict=True)]
    )
    alternate = _alternate_side(b, contradicts, rng)
    level, odds = rng.normal(-2.5, 0.5, len(rows)), rng.normal(0.0, 1.0, len(rows))
    parts = []
    sizes = np.array([len(groups) for groups in rows["groups"]])
    for k in np.unique(sizes):
        at = np.flatnonzero(sizes == k)
        more = rng.normal(0.0, 0.2, (len(at), k - 1, 2))
        more[:, 0] = 0.0
        b_alt = alternate[at, None] + more[..., 0]
        b_g = b[at, None] + alternate[at, None] + more[..., 1]
        x = level[at, None] - np.c_[np.zeros(len(at)), b_g]
        y = (level - odds)[at, None] - np.c_[np.zeros(len(at)), b_alt]
        parts.append(rows.iloc[at].assign(**batch(x, y)))
    frame = pd.concat(parts)[schemas.table("measures").names]
    return frame.sort_values(["model", "lang", "set_id", "variant_id"], ignore_index=True)


def batch(x: Floats, y: Floats) -> dict[str, Any]:
    """Columns of ``measures`` of (N, K) x and y; an implementation apart from the package's, with exact ties only."""
    q = expit(x - y)
    p = q.mean(axis=1, keepdims=True)
    information = (rel_entr(q, p) + rel_entr(1 - q, 1 - p)).mean(axis=1) / np.log(2)
    b_g, b_alt = x[:, :1] - x[:, 1:], y[:, :1] - y[:, 1:]
    b = b_g - b_alt
    first, other, both = np.sign(b_g[:, 0]), np.sign(b_alt[:, 0]), np.sign(b[:, 0])
    lists = {"x": x, "y": y, "q": q, "B_G": b_g, "B_G_alt": b_alt, "B_GxA": b}
    return {name: list(map(list, values.tolist())) for name, values in lists.items()} | {
        "p_A": p[:, 0],
        "B_signed_mean": b.mean(axis=1),
        "absB_avg": np.abs(b).mean(axis=1),
        "absB_max": np.abs(b).max(axis=1),
        "I_GxA": np.maximum(information, 0.0),
        "contradiction": first * other > 0,
        "flip": first * both < 0,
        "tie": (first == 0) | (other == 0),
    }


def _alternate_side(b: Floats, contradicts: npt.NDArray[np.bool_], rng: np.random.Generator) -> Floats:
    """B_G_alt, so that B_G = b + B_G_alt has its sign exactly where a contradiction is planted; half of them flip."""
    u, flips = rng.uniform(0.2, 0.8, len(b)), rng.random(len(b)) < 0.5
    return np.where(contradicts, np.where(flips, -b * (1 + u), b * u), -b * u)


def _shared_uniform(world: World, rows: pd.DataFrame, cell: Any, rng: np.random.Generator) -> Floats:
    """A uniform number per row; a set copies its cluster's, and a variant its set's, with probability ``shared``."""
    clusters = rows["cluster_id"].astype("category").cat.codes.to_numpy()
    top = rng.random(clusters.max() + 1)[clusters]
    middle = np.where((rng.random(cell.max() + 1) < world.shared)[cell], top, rng.random(cell.max() + 1)[cell])
    return np.where(rng.random(len(rows)) < world.shared, middle, rng.random(len(rows)))


def _cluster_effect(world: World, rows: pd.DataFrame, rng: np.random.Generator) -> Floats:
    codes = rows["cluster_id"].astype("category").cat.codes.to_numpy()
    return rng.normal(0.0, world.cluster_sd, codes.max() + 1)[codes]


def _effect(effects: Mapping[str, float], rows: pd.DataFrame) -> Floats:
    total = np.zeros(len(rows))
    for column in ("model", "lang", "bias_type"):
        total += rows[column].map(lambda name: effects.get(name, 0.0)).to_numpy(dtype=np.float64)
    return total
