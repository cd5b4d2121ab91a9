"""Does a measure follow the surface of a wording? tau-b of similarity and change of I (arXiv 2610.08747, section 5.3).

A pair is the original attribute v0 and one of its paraphrases. If I_GxA moved more the less a paraphrase looks like
the original, tau-b between similarity and |I(v0) - I(paraphrase)| would be clearly negative.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import kendalltau

from dualpair import schemas
from dualpair.analysis.resampling import (
    MIN_CLUSTERS,
    N_RESAMPLES,
    Partition,
    cluster_draws,
    generator,
    partition,
    percentile_interval,
)
from dualpair.analysis.surface import SURFACE, surface_similarities
from dualpair.measures.tables import ORIGINAL

EMBEDDING, BERTSCORE = "embedding", "bertscore"
SIMILARITIES = (*SURFACE, BERTSCORE, EMBEDDING)
_SET = ["lang", "set_id"]
_PAIR = [*_SET, "variant_id"]

Floats = npt.NDArray[np.float64]


def pairs(augmented: pd.DataFrame, variants: pd.DataFrame, bertscores: pd.DataFrame | None = None) -> pd.DataFrame:
    """Similarities of every usable paraphrase to its set's original attribute.

    Args:
        augmented: the ``augmented`` table; a set whose original has no usable pair has no row here.
        variants: the ``variants`` table, for the cosine that the similarity judge gave; a set that was imported has
            none, which leaves it missing.
        bertscores: the ``bertscores`` table, or None where no model was named.

    Returns:
        The ``wording_pairs`` table, sorted by its key.

    Raises:
        ValueError: unknown language, or a variant that is there twice.
    """
    original = augmented.loc[augmented["variant_id"] == ORIGINAL, [*_SET, "attribute"]]
    others = augmented.loc[augmented["variant_id"] != ORIGINAL, [*_PAIR, "cluster_id", "attribute"]]
    named = original.rename(columns={"attribute": "source"})
    found = others.merge(named, on=_SET, validate="many_to_one").sort_values(_PAIR, kind="stable")
    scores = [
        surface_similarities(str(row.source), str(row.attribute), str(row.lang))
        for row in found.itertuples(index=False)
    ]
    found = found.reset_index(drop=True).join(pd.DataFrame(scores, columns=list(SURFACE)))
    cosine = variants[[*_PAIR, "similarity"]].rename(columns={"similarity": EMBEDDING})
    found = found.merge(cosine, on=_PAIR, how="left", validate="one_to_one")
    if bertscores is None:
        found[BERTSCORE] = np.nan
    else:
        found = found.merge(bertscores[[*_PAIR, BERTSCORE]], on=_PAIR, how="left", validate="one_to_one")
    found[[BERTSCORE, EMBEDDING]] = found[[BERTSCORE, EMBEDDING]].astype(np.float64)
    return found[schemas.table("wording_pairs").names]


def correlations(
    similarities: pd.DataFrame, measures: pd.DataFrame, seed: int, bootstrap: int = N_RESAMPLES
) -> pd.DataFrame:
    """tau-b of each similarity with |I(v0) - I(paraphrase)|, per model and language (definition 5.3 of the docs).

    Args:
        similarities: the ``wording_pairs`` table.
        measures: the ``measures`` table of one or more models.
        seed: the run's seed; each model and language has draws of its own.
        bootstrap: resamples of clusters for the intervals (ours).

    Returns:
        The ``wording`` table: a row per model, language and similarity. tau is NaN without two pairs that differ in
        both; an interval needs 3 clusters.

    Raises:
        ValueError: a pair whose measures are there twice, or without cluster_id.
    """
    changes = _changes(measures)
    merged = changes.merge(similarities, on=_PAIR, validate="many_to_one").sort_values(_PAIR, kind="stable")
    rows = []
    for (model, lang), _ in measures.groupby(["model", "lang"], sort=True):
        own = merged.loc[(merged["model"] == model) & (merged["lang"] == lang)]
        part = partition(own["cluster_id"])
        rng = generator(seed, "wording", str(model), str(lang))
        draws = cluster_draws(part.n_clusters, bootstrap, rng) if part.n_clusters else np.zeros((bootstrap, 0))
        for name in SIMILARITIES:
            rows.append({"model": model, "lang": lang, "similarity": name, **_tau(own, name, part, draws)})
    return pd.DataFrame(rows, columns=schemas.table("wording").names)


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Table 4: min, median and max of tau-b over the configurations (model and language) of each similarity.

    Args:
        table: the ``wording`` table.

    Returns:
        The ``wording_summary`` table, in the order of the similarities; undefined tau-b are left out and counted.
    """
    rows = []
    for name in SIMILARITIES:
        own = table.loc[table["similarity"] == name]
        tau = own["tau"].dropna()
        ends = own.dropna(subset=["tau_low", "tau_high"])
        apart = (ends["tau_low"] > 0) | (ends["tau_high"] < 0)
        rows.append({
            "similarity": name, "n_configurations": len(tau), "n_undefined": len(own) - len(tau),
            "min": tau.min(), "median": tau.median(), "max": tau.max(),
            "n_intervals": len(ends), "n_exclude_zero": int(apart.sum()),
        })  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("wording_summary").names)


def tau_resamples(x: npt.ArrayLike, y: npt.ArrayLike, part: Partition, draws: Floats) -> Floats:
    """tau-b in every resample of whole clusters: (B,), NaN where x or y is constant.

    Pairs of observations are counted once by pairs of clusters, since a cluster that is drawn w times takes part w
    times as often in each; copies of an observation are ties of both. Equal to tau-b of the repeated observations.

    Args:
        x: (N,) finite values.
        y: (N,) finite values.
        part: the observations' C clusters.
        draws: (B, C) how often each cluster is drawn.
    """
    order = np.argsort(part.index, kind="stable")
    signs = [_signs(np.asarray(values, dtype=np.float64)[order]) for values in (x, y)]
    present, starts = np.unique(part.index[order], return_index=True)
    drawn = draws[:, present]

    def form(products: npt.NDArray[np.int8]) -> Floats:
        by_row = np.add.reduceat(products, starts, axis=0, dtype=np.int32)
        table = np.add.reduceat(by_row, starts, axis=1).astype(np.float64)
        return np.asarray(((drawn @ table) * drawn).sum(axis=1))

    agree, untied_x, untied_y = form(signs[0] * signs[1]), form(np.abs(signs[0])), form(np.abs(signs[1]))
    spread = np.sqrt(untied_x * untied_y)
    return np.divide(agree, spread, out=np.full_like(agree, np.nan), where=spread > 0)


def _signs(values: Floats) -> npt.NDArray[np.int8]:
    """Sign of every difference: (N, N)."""
    return (values[:, None] > values).astype(np.int8) - (values[:, None] < values).astype(np.int8)


def _changes(measures: pd.DataFrame) -> pd.DataFrame:
    """|I(v0) - I(paraphrase)| of every measured paraphrase whose original is measured, too, in bits."""
    key = ["model", *_SET]
    original = measures.loc[measures["variant_id"] == ORIGINAL, [*key, "I_GxA"]].rename(columns={"I_GxA": "I_v0"})
    others = measures.loc[measures["variant_id"] != ORIGINAL, [*key, "variant_id", "I_GxA"]]
    found = others.merge(original, on=key, validate="many_to_one")
    found["change"] = (found["I_v0"] - found["I_GxA"]).abs()
    return found[["model", *_PAIR, "change"]]


def _tau(own: pd.DataFrame, name: str, part: Partition, draws: Floats) -> dict[str, object]:
    """One row of :func:`correlations`; ``part`` and ``draws`` are of all pairs, with the similarity or without."""
    known = own[name].notna().to_numpy()
    x = own.loc[known, name].to_numpy(dtype=np.float64)
    y = own.loc[known, "change"].to_numpy(dtype=np.float64)
    there = Partition(part.names, part.index[known])
    n_clusters = len(np.unique(there.index))
    row: dict[str, object] = {
        "n_pairs": len(x),
        "n_missing": len(own) - len(x),
        "n_sets": int(own.loc[known, "set_id"].nunique()),
        "n_clusters": n_clusters,
        **dict.fromkeys(("tau", "tau_low", "tau_high"), np.nan),
    }
    if len(np.unique(x)) < 2 or len(np.unique(y)) < 2:
        return row
    row["tau"] = float(kendalltau(x, y).statistic)
    if n_clusters >= MIN_CLUSTERS:
        ends = percentile_interval(tau_resamples(x, y, there, draws)[:, None])
        row |= {"tau_low": float(ends.low[0]), "tau_high": float(ends.high[0])}
    return row
