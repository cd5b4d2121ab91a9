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
from dualpair.errors import InputError
from dualpair.generation import constraints, encoding
from dualpair.generation import requests as asked
from dualpair.models import checkpoint
from dualpair.models.registry import ModelEntry
from dualpair.stages.identity import tokenizer_folders
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
    return {"contract": f"{KIND}/{CONTRACT}", "chat": entry.chat, **constraints.contract(entry.engine)}


def check_chat(entry: ModelEntry, model: str) -> None:
    """Refuse a model without chat template, from its files alone; where they are elsewhere, its engine finds out.

    Raises:
        InputError: with what to write into its entry.
    """
    if entry.chat == "none" or entry.engine == "server":
        return
    there = [folder for folder in tokenizer_folders(entry) if folder.is_dir()]
    if there and not any(checkpoint.has_chat_template(folder) for folder in there):
        raise InputError(encoding.no_template(model))


def ask(
    task: str, sources: pd.DataFrame, settings: asked.GenerationSettings, run_seed: int, identity: dict[str, Any]
) -> list[Ask]:
    """All requests of a task as the model's engine carries them out, in the order of the table.

    Raises:
        InputError: the engine cannot carry them out.
    """
    made = asked.requests(task, sources, settings, run_seed)
    fitted = [constraints.fitted(row, str(identity["engine"])) for row in made]
    return [Ask(_request(row, identity), row) for row in fitted]


def _request(row: asked.GenerationRequest, identity: dict[str, Any]) -> plan.Request:
    # Greedy answers to one prompt are equal, so that they are one request.
    greedy = not row.sampling["temperature"]
    content = {
        "prompt": row.prompt,
        "context": [list(message) for message in row.context],
        "forced_prefix": row.forced_prefix,
        "mode": row.mode,
        "avoid": list(row.avoid),
        "differ_from": row.differ_from,
        "sampling": row.sampling,
        "seed": None if greedy else row.seed,
        "sample": 0 if greedy else row.sample_index,
        **({"schema": row.schema} if row.schema else {}),
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
                "rejected": answer.get("rejected", 0),  # answers stored before there was such a count were kept at once
            }
        )
    return pd.DataFrame(rows, columns=schemas.table("generations").names)
