"""NLI: which directed pairs are judged, and P(contradiction) both ways as the `judgements` table.

The store holds log-probabilities; probabilities are made here, so that a new calibration calls no model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dualpair import plan, schemas
from dualpair.filters import nli as judges
from dualpair.models.registry import Calibration
from dualpair.stages.pairs import NO_GRAMMAR, pairs, sentence
from dualpair.store import Payload

KIND = "nli"
CONTRACT = 2
# Of an answer: natural log-probabilities. A judge's are those of the label's first token over the whole vocabulary, a
# classifier's those of its softmax.
FIELDS = ("log_entailment", "log_neutral", "log_contradiction")

_NOT_ASKED = (math.nan, math.nan, math.nan)


def requests(
    admitted: pd.DataFrame, sources: pd.DataFrame, identity: dict[str, Any], originals: pd.DataFrame | None = None
) -> list[plan.Request]:
    """Both directions of every admitted candidate and its source and, with ``originals``, of it and its set's v0."""
    made = {}
    for row in _compared(admitted, sources, originals).itertuples():
        candidate = str(row.candidate_text)
        for text in [str(row.source_text)] + ([] if originals is None else [str(row.original_text)]):
            for premise, hypothesis in ((text, candidate), (candidate, text)):
                if (premise, hypothesis) not in made:
                    content = {"premise": premise, "hypothesis": hypothesis}
                    tokens = math.ceil((len(premise) + len(hypothesis)) / 3)
                    made[premise, hypothesis] = plan.make_request(
                        identity, str(row.lang), str(row.set_id), content, tokens
                    )
    return list(made.values())


def table(
    admitted: pd.DataFrame,
    sources: pd.DataFrame,
    asked: list[plan.Request],
    answers: Mapping[str, Payload],
    model: str,
    calibration: Calibration | None = None,
    originals: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """The `judgements` frame of role nli.

    Args:
        admitted: the candidates that were judged.
        sources: what they were made from.
        asked: the requests of :func:`requests` on the same frames.
        answers: the model's answers by key.
        model: its registry name.
        calibration: a judge's; None for a classifier.
        originals: the sets, where P(contradiction) against v0 is recorded too; else those columns are empty.
    """
    payloads = {(r.content["premise"], r.content["hypothesis"]): answers[r.key] for r in asked}
    found = _probabilities(payloads, calibration)
    out = _compared(admitted, sources, originals)
    own = list(zip(out["source_text"], out["candidate_text"], strict=True))
    out["entailment_forward"] = [found[pair][0] for pair in own]
    out["entailment_backward"] = [found[pair[::-1]][0] for pair in own]
    out["contradiction_forward"] = [found[pair][2] for pair in own]
    out["contradiction_backward"] = [found[pair[::-1]][2] for pair in own]
    first = list(zip(out["original_text"], out["candidate_text"], strict=True))
    out["contradiction_forward_v0"] = [found.get(pair, _NOT_ASKED)[2] for pair in first]
    out["contradiction_backward_v0"] = [found.get(pair[::-1], _NOT_ASKED)[2] for pair in first]
    out["error"] = [payloads[a].get("error") or payloads[a[::-1]].get("error") or "" for a in own]
    out = out.assign(role=KIND, model=model, group_index=0, similarity=float("nan"), **NO_GRAMMAR)
    return out[schemas.table("judgements").names]


def _compared(candidates: pd.DataFrame, sources: pd.DataFrame, originals: pd.DataFrame | None) -> pd.DataFrame:
    """`pairs` with ``original_text``, the sentence of the set's v0; missing where it is not asked for."""
    out = pairs(candidates, sources)
    if originals is None:
        return out.assign(original_text=None)
    v0 = originals[["lang", "set_id", "attribute"]].rename(columns={"attribute": "v0"})
    out = out.merge(v0, on=["lang", "set_id"], how="left", validate="many_to_one")
    rows = zip(out["groups"], out["v0"], out["final_mark"], out["lang"], strict=True)
    out["original_text"] = [sentence(groups[0], v0, mark, lang) for groups, v0, mark, lang in rows]
    return out


def _probabilities(
    answers: Mapping[tuple[str, str], Payload], calibration: Calibration | None
) -> dict[tuple[str, str], tuple[float, ...]]:
    """P(entailment), P(neutral), P(contradiction) of each directed pair; not a number where the answer is an error."""
    told = {pair: answer for pair, answer in answers.items() if not answer.get("error")}
    logprobs = np.array([[answer[field] for field in FIELDS] for answer in told.values()]).reshape(-1, len(FIELDS))
    rows = judges.probabilities(logprobs, calibration)
    found = dict.fromkeys(answers, _NOT_ASKED)
    return found | {pair: tuple(map(float, row)) for pair, row in zip(told, rows, strict=True)}
