"""Generation: what is asked of a language model, and its answers as the `generations` table."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from dualpair import plan, schemas
from dualpair.artifacts import canonical_json
from dualpair.generation import requests as asked
from dualpair.models.registry import ModelEntry
from dualpair.store import Payload

KIND = "generation"
CONTRACT = 1


class Ask(NamedTuple):
    """A request to the model and the row that it answers."""

    request: plan.Request
    row: asked.GenerationRequest


def settings_from_json(text: str) -> asked.GenerationSettings:
    """Generation settings from the JSON that a rule passes."""
    data = json.loads(text)
    return asked.GenerationSettings(**{name: data[name] for name in asked.GenerationSettings._fields if name in data})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that the plan and the model command share."""
    parser.add_argument("--task", required=True, help="paraphrase, alternate-1, ...")
    parser.add_argument("--sources", required=True)
    parser.add_argument("--settings", required=True, type=settings_from_json, help="as JSON")
    parser.add_argument("--seed", required=True, type=int, help="the run's seed")


def contract(entry: ModelEntry) -> dict[str, Any]:
    """What the answers depend on beside weights, dtype and request."""
    return {"contract": f"{KIND}/{CONTRACT}", "chat": entry.chat}


def ask(
    task: str, sources: pd.DataFrame, settings: asked.GenerationSettings, run_seed: int, identity: dict[str, Any]
) -> list[Ask]:
    """All requests of a task, in the order of the table."""
    return [Ask(_request(row, identity), row) for row in asked.requests(task, sources, settings, run_seed)]


def _request(row: asked.GenerationRequest, identity: dict[str, Any]) -> plan.Request:
    content = {
        "prompt": row.prompt,
        "context": [list(message) for message in row.context],
        "forced_prefix": row.forced_prefix,
        "mode": row.mode,
        "avoid": list(row.avoid),
        "differ_from": row.differ_from,
        "sampling": row.sampling,
        "seed": row.seed,
        "sample": row.sample_index,
    }
    # A token is about three characters; the prompt is prefilled once for all samples of a source.
    tokens = int(row.sampling["max_new_tokens"]) + (math.ceil(len(row.prompt) / 3) if row.sample_index == 0 else 0)
    return plan.make_request(identity, row.lang, row.set_id, content, tokens)


def table(asks: Sequence[Ask], answers: Mapping[str, Payload], model: str) -> pd.DataFrame:
    """The `generations` frame."""
    rows = []
    for request, row in asks:
        answer = answers[request.key]
        rows.append(
            {
                "set_id": row.set_id,
                "lang": row.lang,
                "variant_id": row.variant_id,
                "task": row.task,
                "model": model,
                "request_key": request.key,
                "sample_index": row.sample_index,
                "seed": row.seed,
                "prompt_id": row.prompt_id,
                "prompt": row.prompt,
                "forced_prefix": row.forced_prefix,
                "sampling": canonical_json(row.sampling),
                **{name: answer[name] for name in ("text", "finish_reason", "prompt_tokens", "answer_tokens", "error")},
            }
        )
    return pd.DataFrame(rows, columns=schemas.table("generations").names)
