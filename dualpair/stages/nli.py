"""NLI: which directed pairs are judged, and P(contradiction) both ways as the `judgements` table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair import plan, schemas
from dualpair.stages.pairs import pairs
from dualpair.store import Payload

KIND = "nli"
CONTRACT = 1


def requests(admitted: pd.DataFrame, sources: pd.DataFrame, identity: dict[str, Any]) -> list[plan.Request]:
    """Both directions of every admitted candidate and its source."""
    made = {}
    for row in pairs(admitted, sources).itertuples():
        texts = (str(row.source_text), str(row.candidate_text))
        for premise, hypothesis in (texts, texts[::-1]):
            if (premise, hypothesis) not in made:
                content = {"premise": premise, "hypothesis": hypothesis}
                tokens = math.ceil((len(premise) + len(hypothesis)) / 3)
                made[premise, hypothesis] = plan.make_request(identity, str(row.lang), str(row.set_id), content, tokens)
    return list(made.values())


def table(
    admitted: pd.DataFrame,
    sources: pd.DataFrame,
    asked: list[plan.Request],
    answers: Mapping[str, Payload],
    model: str,
) -> pd.DataFrame:
    """The `judgements` frame of role nli."""
    found = {(r.content["premise"], r.content["hypothesis"]): answers[r.key] for r in asked}
    out = pairs(admitted, sources)
    forward = [found[a, b] for a, b in zip(out["source_text"], out["candidate_text"], strict=True)]
    backward = [found[b, a] for a, b in zip(out["source_text"], out["candidate_text"], strict=True)]
    for name in ("contradiction", "entailment"):
        out[f"{name}_forward"] = [answer.get(name, float("nan")) for answer in forward]
        out[f"{name}_backward"] = [answer.get(name, float("nan")) for answer in backward]
    out["error"] = [a.get("error") or b.get("error") or "" for a, b in zip(forward, backward, strict=True)]
    out = out.assign(role=KIND, model=model, group_index=0, findings=None, similarity=float("nan"))
    return out[schemas.table("judgements").names]
