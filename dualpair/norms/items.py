"""Scores of the concepts' sentences to q: how probable the first feature is against its opposite."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import expit

from dualpair import schemas
from dualpair.measures import spans
from dualpair.norms import concepts as concept_table
from dualpair.sentences import ALTERNATE, ATTRIBUTE


def scope_of(scope: str) -> str:
    """The scope under which norms are scored: the run's, but attribute for divergent, which compares several groups."""
    return "attribute" if scope == "divergent" else scope


def items(
    concepts: pd.DataFrame,
    sentences: pd.DataFrame,
    scores: pd.DataFrame,
    normalisation: str = "mean",
    scope: str = "attribute",
) -> pd.DataFrame:
    """The q of every kept concept under one model (arXiv 2610.08747, figure 5).

    q = 1 / (1 + exp(y - x)), x and y the normalised log-probabilities of the sentence with the first feature and with
    its opposite, as for groups and attributes.

    Args:
        concepts: the ``norms_concepts`` table.
        sentences: the ``sentences`` table made from it.
        scores: the ``scores`` table of one model.
        normalisation: mean, sum, char or byte.
        scope: attribute, sentence or divergent (taken as attribute).

    Returns:
        The ``norms_items`` table; x, y and q are missing and ``kept`` is false where a sentence could not be scored.

    Raises:
        ValueError: the scores are of several models or of none, a sentence has no score, or one that is kept has no
            finite log-probability.
    """
    models = sorted(scores["model"].unique())
    kept = concepts.loc[concepts["kept"].astype(bool)].sort_values(["lang", "pair_id", "concept_id"])
    if len(models) != 1 and len(kept):
        raise ValueError(
            f"scores must be of one model, found {len(models)}: {', '.join(models)}; pass one file at a time"
        )
    missing = sorted(set(sentences["sentence_id"]) - set(scores["sentence_id"]))
    if missing:
        raise ValueError(
            f"{len(missing)} sentences have no score, e.g. {missing[0]}; score the current sentences table"
        )
    value = dict(zip(scores["sentence_id"], spans.values(scores, scope_of(scope), normalisation), strict=True))
    failed = dict(zip(scores["sentence_id"], scores["reason"], strict=True))
    place = ["lang", "set_id", "side"]
    ids = {tuple(row[name] for name in place): row["sentence_id"] for row in sentences.to_dict("records")}
    rows = []
    for row in kept.to_dict("records"):
        key = (row["lang"], concept_table.set_id(row["pair_id"], row["concept_id"]))
        both = [ids[(*key, side)] for side in (ATTRIBUTE, ALTERNATE)]
        x, y = (float(value[one]) for one in both)
        reason = next((str(failed[one]) for one in both if failed[one]), "")
        scored = not reason
        if scored and not np.isfinite([x, y]).all():
            raise ValueError(f"a sentence of {'/'.join(key)} is kept and has no finite log-probability; score it again")
        rows.append({
            **{name: row[name] for name in ("lang", "pair_id", "concept_id", "cluster_id", "has_first")},
            "model": models[0], "x": x if scored else None, "y": y if scored else None,
            "q": float(expit(x - y)) if scored else None,
            "kept": scored, "reason": reason,
        })  # fmt: skip
    frame = pd.DataFrame(rows, columns=schemas.table("norms_items").names)
    return frame.astype(dict.fromkeys(("x", "y", "q"), "float64"))
