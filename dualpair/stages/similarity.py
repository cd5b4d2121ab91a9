"""Similarity: which sentences are embedded, and the cosines as the `judgements` table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair import plan, schemas
from dualpair.stages.pairs import NO_GRAMMAR, NO_NLI, pairs
from dualpair.store import Payload, decode_vector

KIND = "similarity"
CONTRACT = 1


def contract() -> dict[str, Any]:
    """What the vectors depend on beside weights and text."""
    return {"contract": f"{KIND}/{CONTRACT}"}


def requests(candidates: pd.DataFrame, sources: pd.DataFrame, identity: dict[str, Any]) -> list[plan.Request]:
    """One request per distinct sentence of the candidates that hygiene kept, and of their sources."""
    made = {}
    for row in pairs(candidates[candidates["kept"]], sources).itertuples():
        for text in (str(row.source_text), str(row.candidate_text)):
            if text not in made:
                tokens = math.ceil(len(text) / 3)
                made[text] = plan.make_request(identity, str(row.lang), str(row.set_id), {"text": text}, tokens)
    return list(made.values())


def table(
    candidates: pd.DataFrame,
    sources: pd.DataFrame,
    asked: list[plan.Request],
    answers: Mapping[str, Payload],
    model: str,
) -> pd.DataFrame:
    """The `judgements` frame of role similarity: the cosine of each kept candidate and its source."""
    import numpy as np

    vectors = {request.content["text"]: decode_vector(answers[request.key]["vector"]) for request in asked}
    out = pairs(candidates[candidates["kept"]], sources)
    out["similarity"] = [
        float(np.dot(vectors[a].astype("f8"), vectors[b].astype("f8")))
        for a, b in zip(out["source_text"], out["candidate_text"], strict=True)
    ]
    out = out.assign(role=KIND, model=model, group_index=0, **NO_NLI, **NO_GRAMMAR, error="")
    return out[schemas.table("judgements").names]
