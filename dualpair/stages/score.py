"""Scoring: one request per distinct sentence, and the stored per-token rows as the `scores` table."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from dualpair import plan, schemas, scoring
from dualpair.models.registry import ModelEntry
from dualpair.scoring.causal import from_payload
from dualpair.store import Payload

KIND = "score"
SCORING_FAILED = "scoring_failed"


def contract(entry: ModelEntry) -> dict[str, Any]:
    """What the scores depend on beside weights, dtype and text."""
    return {"contract": f"{KIND}/{scoring.CONTRACT_VERSION}", "bos": entry.bos}


def requests(sentences: pd.DataFrame, identity: dict[str, Any]) -> list[plan.Request]:
    """One request per distinct sentence."""
    made = []
    for row in sentences.drop_duplicates("sentence_id").itertuples():
        content = {"prefix": row.prefix, "continuation": row.continuation}
        tokens = math.ceil((len(str(row.prefix)) + len(str(row.continuation))) / 3) + 1
        made.append(plan.make_request(identity, str(row.lang), str(row.set_id), content, tokens))
    return made


def table(
    sentences: pd.DataFrame,
    asked: list[plan.Request],
    answers: dict[str, Payload],
    model: str,
    entry: ModelEntry,
    identity: dict[str, Any],
) -> pd.DataFrame:
    """The `scores` frame: sums of the stored per-token log-probabilities, in nats."""
    rows = []
    for row, request in zip(sentences.drop_duplicates("sentence_id").itertuples(), asked, strict=True):
        answer = answers[request.key]
        error = str(answer.get("error") or "")
        scored = None if error else from_payload(answer)
        rows.append(
            {
                "sentence_id": row.sentence_id,
                "prefix": row.prefix,
                "continuation": row.continuation,
                "model": model,
                **(_unscored(str(row.continuation)) if scored is None else scored.sums()._asdict()),
                "boundary_merge": scored is not None and scored.boundary_merge,
                "model_revision": identity["weights"],
                "dtype": identity["dtype"],
                "quantisation": entry.quantisation,
                "engine": entry.engine,
                "bos_policy": "" if scored is None else scored.bos_policy,
                "kept": not error,
                "reason": SCORING_FAILED if error else "",
            }
        )
    return pd.DataFrame(rows, columns=schemas.table("scores").names)


def _unscored(continuation: str) -> dict[str, object]:
    return {
        "logprob_sum": None,
        "n_tokens": 0,
        "prefix_logprob_sum": None,
        "prefix_n_tokens": 0,
        "n_chars": len(continuation),
        "n_bytes": len(continuation.encode()),
    }
