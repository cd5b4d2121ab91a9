"""Concepts, sentences and scores of feature norms with a known q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.norms import concepts, items

SUM = -12.0  # nats of the sentence with the second feature, over two tokens
TOKENS = 2


def concept_rows(labels: Mapping[str, Mapping[str, bool]], lang: str = "en") -> pd.DataFrame:
    """The ``norms_concepts`` table of {pair: {concept: whether it has the first feature}}."""
    found = [
        (
            lang,
            pair,
            [
                concepts.Concept(name, f"The {name}", f"is first of {pair}", f"is second of {pair}", first, not first)
                for name, first in given.items()
            ],
        )
        for pair, given in labels.items()
    ]
    return concepts.table(found, "builtin")


def scores(
    sentences: pd.DataFrame, logit: Mapping[str, float], model: str = "m", failed: Sequence[str] = ()
) -> pd.DataFrame:
    """The ``scores`` table in which every concept of a set_id has the given logit of q; a set in ``failed`` has none."""
    rows = []
    for row in sentences.drop_duplicates("sentence_id").itertuples():
        bad = row.set_id in failed and row.side == "attribute"
        mean = SUM / TOKENS + (logit[row.set_id] if row.side == "attribute" else 0.0)
        blank: dict[str, Any] = {
            column.name: [] if column.name.startswith("token_") else 1 if str(column.type) == "int64" else ""
            for column in schemas.table("scores").columns
        }
        rows.append({
            **blank, "sentence_id": row.sentence_id, "prefix": row.prefix, "continuation": row.continuation,
            "model": model, "logprob_sum": None if bad else mean * TOKENS, "n_tokens": TOKENS,
            "prefix_logprob_sum": -1.0, "prefix_n_tokens": 2, "boundary_merge": False, "kept": not bad,
            "reason": "scoring_failed" if bad else "",
        })  # fmt: skip
    frame = pd.DataFrame(rows, columns=schemas.table("scores").names)
    return frame.astype({"logprob_sum": "float64"})


def item_rows(
    q: Mapping[str, Mapping[str, tuple[bool, float]]], model: str = "m", lang: str = "en"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The ``norms_items`` and ``norms_concepts`` tables of {pair: {concept: (label, q)}}."""
    listed = concept_rows({pair: {name: cell[0] for name, cell in given.items()} for pair, given in q.items()}, lang)
    logit = {
        f"{pair}/{name}": float(np.log(cell[1] / (1 - cell[1])))
        for pair, given in q.items()
        for name, cell in given.items()
    }
    sentences = concepts.sentences(listed)
    return items.items(listed, sentences, scores(sentences, logit, model)), listed
