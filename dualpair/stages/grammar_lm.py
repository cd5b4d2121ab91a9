"""Grammar engine lm: which sentences are scored, and the candidates' scores as the `judgements` table.

The requests are those of the stage `score`, so that a sentence which either stage has scored is not scored again.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dualpair import artifacts, languages, plan
from dualpair.filters import grammar_engines, grammar_lm
from dualpair.scoring.rows import from_payload
from dualpair.sentences import sentence_id
from dualpair.stages import grammar, score
from dualpair.store import Payload

KIND = score.KIND

_CANDIDATE = ("group", "candidate_continuation")
_SOURCE = ("group", "source_continuation")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that the plan and the model command share."""
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--languages", nargs="+", required=True, help="languages that the engine looks at")


def read(args: argparse.Namespace) -> pd.DataFrame:
    """The pairs of sentences to compare (:func:`pairs`)."""
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    return pairs(candidates, sources, args.languages)


def pairs(candidates: pd.DataFrame, sources: pd.DataFrame, langs: Sequence[str]) -> pd.DataFrame:
    """One row per candidate and group, with the texts as the stage `score` takes them.

    Returns:
        The rows of `grammar.group_pairs` with the columns group, candidate_continuation and source_continuation.
    """
    out = grammar.group_pairs(candidates, sources, langs)
    joiners = [languages.get(lang).joiner for lang in out["lang"]]
    out["group"] = [groups[index] for groups, index in zip(out["groups"], out["group_index"], strict=True)]
    for side, column in (("candidate", "attribute"), ("source", "source_attribute")):
        out[f"{side}_continuation"] = [
            f"{joiner}{text}{mark}" for joiner, text, mark in zip(joiners, out[column], out["final_mark"], strict=True)
        ]
    return out


def requests(found: pd.DataFrame, identity: dict[str, Any]) -> list[plan.Request]:
    """One request per distinct sentence of candidates and sources, with every group."""
    parts = [
        found[["lang", "set_id", *columns]].set_axis(["lang", "set_id", "prefix", "continuation"], axis="columns")
        for columns in (_SOURCE, _CANDIDATE)
    ]
    sentences = pd.concat(parts, ignore_index=True)
    ids = [sentence_id(*texts) for texts in zip(sentences["prefix"], sentences["continuation"], strict=True)]
    return score.requests(sentences.assign(sentence_id=ids), identity)


def table(
    found: pd.DataFrame, asked: Sequence[plan.Request], answers: Mapping[str, Payload], model: str
) -> pd.DataFrame:
    """The `judgements` frame of the engine: each candidate's score with each group; a failed one has its reason."""
    by_text = {(r.content["prefix"], r.content["continuation"]): answers[r.key] for r in asked}
    sides = [[by_text[texts] for texts in zip(*(found[c] for c in columns), strict=True)]
             for columns in (_CANDIDATE, _SOURCE)]  # fmt: skip
    errors = [str(ours.get("error") or theirs.get("error") or "") for ours, theirs in zip(*sides, strict=True)]
    scores = [
        math.nan if error else grammar_lm.score(_sum(ours), _sum(theirs))
        for ours, theirs, error in zip(*sides, errors, strict=True)
    ]
    return grammar.table(
        found.assign(grammar_score=scores, error=errors), grammar_engines.judge_name(grammar_engines.LM, model)
    )


def _sum(answer: Payload) -> tuple[float, int]:
    """Log-probability sum (nats) and number of tokens of the continuation."""
    sums = from_payload(answer).sums()
    return sums.logprob_sum, sums.n_tokens
