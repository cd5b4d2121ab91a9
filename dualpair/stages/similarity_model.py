"""A sentence encoder behind the stage's caller."""

from __future__ import annotations

from dualpair import plan
from dualpair.filters import similarity
from dualpair.models.registry import ModelEntry
from dualpair.stages.commands import Caller
from dualpair.store import Payload, encode_vector


def caller(entry: ModelEntry, device: str, threads: int, online: bool) -> Caller:
    """Load the encoder; the caller gives each sentence's normalised vector."""
    encoder = similarity.load(entry, device, threads, offline=not online)

    def call(batch: list[plan.Request]) -> list[Payload]:
        vectors = encoder.encode([request.content["text"] for request in batch])
        return [{"vector": encode_vector(vector)} for vector in vectors]

    return call
