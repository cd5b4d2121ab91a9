"""An NLI model behind the stage's caller; imports torch."""

from __future__ import annotations

from dualpair import plan
from dualpair.filters import nli
from dualpair.models.registry import ModelEntry
from dualpair.stages.commands import Caller, use_threads
from dualpair.stages.nli import FIELDS
from dualpair.store import Payload


def caller(entry: ModelEntry, dtype: str, device: str, threads: int, token_budget: int, online: bool) -> Caller:
    """Load the classifier or the judge; the caller gives the three log-probabilities of each directed pair."""
    use_threads(threads)
    model = nli.load(entry, dtype, device, token_budget, offline=not online)

    def call(batch: list[plan.Request]) -> list[Payload]:
        found = model.logprobs([(r.content["premise"], r.content["hypothesis"]) for r in batch])
        return [dict(zip(FIELDS, map(float, row), strict=True)) for row in found]

    return call
