"""What a generating engine is, and which one a registry entry names.

Every engine is given the same requests and gives the same kind of answer: the text after the forced prefix, verbatim,
which one parser reads (:mod:`dualpair.generation.answers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dualpair.errors import InputError
from dualpair.generation.requests import GenerationRequest

if TYPE_CHECKING:
    from dualpair.models.registry import ModelEntry


class Answer(NamedTuple):
    """One answer: the text after the forced prefix, verbatim and, in mode single, with its final mark.

    finish_reason is ``stop`` (end of the sentence or of the answer), ``length`` (the limit came first) or ``error``.
    rejected is the number of earlier answers that broke one of the request's constraints and were thrown away.
    """

    text: str
    finish_reason: str
    prompt_tokens: int
    answer_tokens: int
    error: str = ""
    rejected: int = 0


class Generator(Protocol):
    """A model that is ready to generate."""

    def generate(self, requests: Sequence[GenerationRequest]) -> list[Answer]:
        """One answer per request, in input order.

        A row that the model cannot answer gets finish_reason ``error`` and the message.

        Raises:
            PrerequisiteError: nothing more is to be had (no memory however little is run at once, a dead server).
        """
        ...

    def close(self) -> None:
        """Give back memory, processes or connections; calling it twice is harmless."""
        ...


def open_generator(
    entry: ModelEntry,
    name: str,
    dtype: str,
    device: str,
    token_budget: int,
    offline: bool,
    requests: Iterable[GenerationRequest],
) -> Generator:
    """Load a model, or connect to it, as its entry says.

    Args:
        entry: of kind causal.
        name: registry name.
        dtype: the one that the plan resolved.
        device: auto, cpu, cuda or mps; vllm and a server choose their own.
        token_budget: most tokens of one step of vLLM.
        offline: never contact a model hub.
        requests: all that may be asked of it, as `constraints.fitted` gives them: what they need is checked before.

    Raises:
        InputError: a kind that does not generate, a model without chat template, what an engine cannot do.
        PrerequisiteError: weights, package, device or server are not there.
    """
    if entry.kind != "causal":
        raise InputError(f"model {name}: kind {entry.kind} does not generate (allowed: causal)")
    if entry.engine == "vllm":
        from dualpair.generation.vllm_engine import open_vllm

        return open_vllm(entry, name, dtype, token_budget, offline)
    if entry.engine == "server":
        from dualpair.generation.server_engine import open_server

        return open_server(entry, name, requests)
    from dualpair.generation.transformers_engine import open_transformers

    return open_transformers(entry, name, dtype, device, offline, requests)
