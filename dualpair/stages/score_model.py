"""A scoring model behind the stage's caller; imports torch."""

from __future__ import annotations

from dualpair import plan
from dualpair.errors import InputError
from dualpair.models.registry import ModelEntry
from dualpair.stages.commands import Caller, use_threads
from dualpair.store import Payload


def caller(entry: ModelEntry, dtype: str, device: str, threads: int, token_budget: int, online: bool) -> Caller:
    """Load the model; the caller gives each sentence's token ids and log-probabilities (nats).

    A sentence that cannot be scored (no token of its own, nothing before it) is answered by its error.

    Raises:
        InputError: an engine that this stage does not have.
    """
    if entry.engine != "transformers":
        raise InputError(f"engine {entry.engine!r} cannot score yet (allowed: transformers); change the model's entry")
    from dualpair.models import causal_lm, fingerprint
    from dualpair.scoring.causal import score_rows
    from dualpair.scoring.tokenisation import encode, resolve_bos

    use_threads(threads)
    place = fingerprint.location(entry.source, entry.revision)
    lm = causal_lm.load(place, entry.revision, dtype, device, offline=not online, bos=entry.bos, name=entry.source)
    bos = resolve_bos(lm.tokenizer, lm.bos)

    def call(batch: list[plan.Request]) -> list[Payload]:
        payloads: list[Payload] = [{} for _ in batch]
        encoded = {}
        for index, request in enumerate(batch):
            try:
                encoded[index] = encode(lm.tokenizer, request.content["prefix"], request.content["continuation"], bos)
            except ValueError as error:
                payloads[index] = {"error": str(error)}
        for index, row in zip(encoded, score_rows(lm, list(encoded.values()), token_budget), strict=True):
            payloads[index] = row.payload()
        return payloads

    return call
