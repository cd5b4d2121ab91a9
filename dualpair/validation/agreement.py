"""How well annotators agree: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha, all nominal.

The coefficients come from statsmodels and from the package krippendorff. Each is 0/0, and given as missing, where
all answers are the same: agreement cannot be told from one answer only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import schemas
from dualpair.analysis.resampling import MIN_CLUSTERS, generator
from dualpair.validation.instructions import ANSWERS
from dualpair.validation.pairs import ACCEPTED

Ints = npt.NDArray[np.int64]
RAW, COHEN, FLEISS, ALPHA = STATISTICS = ("raw_agreement", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
ALL_KINDS = "all"
_TAIL = 0.025
_MAX_UNDEFINED = 0.05  # of the resamples; with more there is no interval


def agreement(given: pd.DataFrame, items: pd.DataFrame, seed: int, n_resamples: int) -> pd.DataFrame:
    """The `validation_agreement` frame: per task and language, over all items and over the accepted ones alone.

    Cohen's kappa is given for two annotators, over the items that both answered; Fleiss' over the items that all
    answered; raw agreement (share of agreeing pairs of answers, averaged over items) and alpha over all items with two
    answers or more. The intervals (95 %, percentile) resample whole clusters of stereotypes; there is none under three
    clusters, or where more than one resample in twenty leaves the coefficient undefined.

    Args:
        given: votes of the annotators that are not left out.
        items: see :func:`dualpair.validation.verdicts.sample_items`.
        seed: the run's seed.
        n_resamples: bootstrap resamples.
    """
    rows: list[dict[str, Any]] = []
    joined = given.drop(columns="kind").merge(items[["task", "lang", "pair_id", "kind", "cluster_id"]])
    for (task, lang), sheet in joined.groupby(["task", "lang"], sort=True):
        for kind, part in ((ALL_KINDS, sheet), (ACCEPTED, sheet[sheet["kind"] == ACCEPTED])):
            if part["annotator"].nunique() > 1:
                rng = generator(seed, "agreement", str(task), str(lang), kind)
                rows += [{"task": task, "lang": lang, "kind": kind, **row} for row in _rows(part, rng, n_resamples)]
    return pd.DataFrame(rows, columns=schemas.table("validation_agreement").names)


def cohen_kappa(ratings: Ints) -> float:
    """Cohen's kappa of (N, 2) codes from 0; NaN where it is undefined."""
    from statsmodels.stats.inter_rater import cohens_kappa

    table = np.zeros((len(ANSWERS), len(ANSWERS)))
    np.add.at(table, (ratings[:, 0], ratings[:, 1]), 1.0)
    if len(ratings) == 0 or len(np.unique(ratings)) < 2:
        return math.nan
    return float(cohens_kappa(table, return_results=False))


def fleiss_kappa(ratings: Ints) -> float:
    """Fleiss' kappa of (N, annotators) codes from 0, none missing; NaN where it is undefined."""
    from statsmodels.stats.inter_rater import fleiss_kappa as computed

    if len(ratings) == 0 or len(np.unique(ratings)) < 2:
        return math.nan
    return float(computed(_counts(ratings)))


def krippendorff_alpha(ratings: Ints) -> float:
    """Krippendorff's nominal alpha of (N, annotators) codes from 0, -1 where missing; NaN where it is undefined."""
    import krippendorff

    counts = _counts(ratings)
    counts = counts[counts.sum(axis=1) > 1]
    if len(counts) == 0 or np.count_nonzero(counts.sum(axis=0)) < 2:
        return math.nan
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def raw_agreement(ratings: Ints) -> float:
    """Share of agreeing pairs of answers, per item and then over items with two answers or more; NaN without any."""
    counts = _counts(ratings).astype(float)
    n = counts.sum(axis=1)
    counts, n = counts[n > 1], n[n > 1]
    if len(counts) == 0:
        return math.nan
    return float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())


def _counts(ratings: Ints) -> Ints:
    """(N, answers): how many annotators gave each answer."""
    return np.stack([(ratings == code).sum(axis=1) for code in range(len(ANSWERS))], axis=1)


def _rows(part: pd.DataFrame, rng: np.random.Generator, n_resamples: int) -> list[dict[str, Any]]:
    codes = part.assign(code=part["answer"].map(ANSWERS.index))
    wide = codes.pivot(index="pair_id", columns="annotator", values="code")
    clusters = part.drop_duplicates("pair_id").set_index("pair_id")["cluster_id"].loc[wide.index].to_numpy(dtype=str)
    ratings = wide.fillna(-1).to_numpy(dtype=np.int64)
    several = (ratings >= 0).sum(axis=1) > 1
    complete = (ratings >= 0).sum(axis=1) == ratings.shape[1]
    used: dict[str, tuple[Callable[[Ints], float], npt.NDArray[np.bool_]]] = {
        RAW: (raw_agreement, several),
        FLEISS: (fleiss_kappa, complete),
        ALPHA: (krippendorff_alpha, several),
    }
    if ratings.shape[1] == 2:
        used[COHEN] = (cohen_kappa, complete)
    rows = []
    for name in STATISTICS:
        if name in used:
            function, which = used[name]
            low, high = _interval(function, ratings[which], clusters[which], rng, n_resamples)
            rows.append({"statistic": name, "n_items": int(which.sum()), "n_annotators": ratings.shape[1],
                         "value": function(ratings[which]), "low": low, "high": high})  # fmt: skip
    return rows


def _interval(
    function: Callable[[Ints], float],
    ratings: Ints,
    clusters: npt.NDArray[np.str_],
    rng: np.random.Generator,
    n_resamples: int,
) -> tuple[float, float]:
    names, index = np.unique(clusters, return_inverse=True)
    if len(names) < MIN_CLUSTERS:
        return math.nan, math.nan
    draws = rng.multinomial(len(names), np.full(len(names), 1.0 / len(names)), size=n_resamples)
    values = np.array([function(np.repeat(ratings, draw[index], axis=0)) for draw in draws])
    defined = values[~np.isnan(values)]
    if len(defined) < (1 - _MAX_UNDEFINED) * n_resamples:
        return math.nan, math.nan
    low, high = np.quantile(defined, [_TAIL, 1 - _TAIL])
    return float(low), float(high)
