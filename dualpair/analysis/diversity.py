"""Self-BLEU: how alike the wordings of one set are among themselves (arXiv 2610.08747, section 4 and figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis.resampling import N_RESAMPLES, cluster_bootstrap, generator
from dualpair.analysis.surface import sentence_bleu

MIN_TEXTS = 2
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


class Diversity(NamedTuple):
    """The tables ``self_bleu_sets`` (one row per set) and ``self_bleu`` (one row per language)."""

    sets: pd.DataFrame
    languages: pd.DataFrame


def self_bleu(texts: Sequence[str], lang: str) -> float:
    """Mean over the texts of the sentence BLEU of each against all others (Zhu et al. 2018, Texygen).

    Args:
        texts: wordings of one stereotype, the original among them.
        lang: BCP-47 code; decides the tokenizer.

    Returns:
        0 (no shared words) to 100 (equal texts); NaN for fewer than two texts, which cannot be compared.

    Raises:
        ValueError: unknown language.
    """
    if len(texts) < MIN_TEXTS:
        return float("nan")
    scores = [
        sentence_bleu(text, [other for j, other in enumerate(texts) if j != i], lang) for i, text in enumerate(texts)
    ]
    return float(np.mean(scores))


def diversity(augmented: pd.DataFrame, seed: int, bootstrap: int = N_RESAMPLES) -> Diversity:
    """Self-BLEU of every set's usable attributes, and its distribution over the sets of each language.

    Args:
        augmented: the ``augmented`` table.
        seed: the run's seed.
        bootstrap: resamples of clusters for the intervals of the means.

    Raises:
        ValueError: unknown language, or a set without cluster_id.
    """
    rows = []
    ordered = augmented.sort_values(["lang", "set_id", "variant_id"], kind="stable")
    for (lang, set_id), own in ordered.groupby(["lang", "set_id"], sort=True):
        texts = [str(text) for text in own["attribute"]]
        rows.append((str(lang), str(set_id), own["cluster_id"].iloc[0], len(texts), self_bleu(texts, str(lang))))
    sets = pd.DataFrame(rows, columns=schemas.table("self_bleu_sets").names)
    summaries = [_summary(str(lang), own, seed, bootstrap) for lang, own in sets.groupby("lang", sort=True)]
    return Diversity(sets, pd.DataFrame(summaries, columns=schemas.table("self_bleu").names))


def _summary(lang: str, sets: pd.DataFrame, seed: int, bootstrap: int) -> dict[str, object]:
    found = sets.dropna(subset=["self_bleu"])
    values = found["self_bleu"].to_numpy(dtype=np.float64)
    row: dict[str, object] = {
        "lang": lang,
        "n_sets": len(found),
        "n_left_out": len(sets) - len(found),
        "n_clusters": int(found["cluster_id"].nunique()),
        **dict.fromkeys(("mean", "low", "high", *QUANTILES), np.nan),
    }
    if not len(values):
        return row
    ends = cluster_bootstrap(
        values[:, None], found["cluster_id"], generator(seed, "self_bleu", lang), n_resamples=bootstrap
    )
    quantiles = dict(zip(QUANTILES, np.quantile(values, list(QUANTILES.values())).tolist(), strict=True))
    return {
        **row, "mean": float(values.mean()), "low": float(ends.low[0]), "high": float(ends.high[0]), **quantiles
    }  # fmt: skip
