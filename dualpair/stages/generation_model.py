"""A generating model behind the stage's caller; imports torch, starts vLLM or connects to a server."""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping

from dualpair import plan
from dualpair.generation.requests import GenerationRequest
from dualpair.models.registry import ModelEntry
from dualpair.stages.commands import Caller, use_threads
from dualpair.store import Payload


def caller(
    entry: ModelEntry,
    name: str,
    dtype: str,
    device: str,
    threads: int,
    token_budget: int,
    online: bool,
    rows: Mapping[str, GenerationRequest],
) -> Caller:
    """Open the model's engine; the caller answers requests whose rows are given by key.

    Raises:
        InputError, PrerequisiteError: see `engines.open_generator`.
    """
    from dualpair.generation import engines

    if entry.engine == "transformers":
        use_threads(threads)
    if entry.engine == "vllm":  # read when vLLM starts; else it takes every core
        os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    engine = engines.open_generator(entry, name, dtype, device, token_budget, not online, rows.values())
    atexit.register(engine.close)  # vLLM's processes and a server's connections

    def call(batch: list[plan.Request]) -> list[Payload]:
        found = engine.generate([rows[request.key] for request in batch])
        return [answer._asdict() for answer in found]

    return call
