"""A generating model behind the stage's caller; imports torch."""

from __future__ import annotations

from collections.abc import Mapping

from dualpair import plan
from dualpair.errors import InputError
from dualpair.generation.requests import GenerationRequest
from dualpair.models.registry import ModelEntry
from dualpair.stages.commands import Caller, use_threads
from dualpair.store import Payload


def caller(
    entry: ModelEntry, dtype: str, device: str, threads: int, online: bool, rows: Mapping[str, GenerationRequest]
) -> Caller:
    """Load the model; the caller answers requests whose rows are given by key.

    Raises:
        InputError: an engine that this stage does not have.
    """
    if entry.engine != "transformers":
        raise InputError(
            f"engine {entry.engine!r} cannot generate yet (allowed: transformers); change the model's entry"
        )
    from dualpair.generation import transformers_engine
    from dualpair.models import causal_lm

    use_threads(threads)
    lm = causal_lm.load_entry(entry, entry.source, dtype, device, not online)

    def call(batch: list[plan.Request]) -> list[Payload]:
        found = transformers_engine.generate(lm, [rows[request.key] for request in batch])
        return [answer._asdict() for answer in found]

    return call
