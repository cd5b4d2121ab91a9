"""A scoring model behind the stage's caller; imports torch or starts vLLM."""

from __future__ import annotations

import atexit
import os

from dualpair.models.registry import ModelEntry
from dualpair.scoring import rows
from dualpair.stages.commands import Caller, use_threads


def caller(
    entry: ModelEntry, name: str, dtype: str, device: str, threads: int, token_budget: int, online: bool
) -> Caller:
    """Open the engine; the caller gives each sentence's token ids and log-probabilities (nats), or its error.

    Raises:
        ValueError, PrerequisiteError: see `engines.open_engine`.
    """
    from dualpair.scoring.engines import open_engine

    if entry.engine == "transformers":
        use_threads(threads)
    if entry.engine == "vllm":  # read when vLLM starts; else it takes every core
        os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    engine = open_engine(entry, name, dtype, device, token_budget, offline=not online)
    atexit.register(engine.close)  # vLLM's processes and a server's connections
    return lambda batch: rows.answers(engine, [request.content for request in batch])
