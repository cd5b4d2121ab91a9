"""Scoring with vLLM: token ids in, the log-probability of each prompt token out.

vLLM takes the log-softmax in float32, on GPUs and CPUs alike: the contract's float64 normaliser is not to be had, which
costs up to about 4e-4 nats a sentence with a vocabulary of 262,144.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from dualpair.errors import InputError
from dualpair.models import vllm as runtime
from dualpair.models.registry import ModelEntry
from dualpair.models.vllm_restart import Restarting, Use
from dualpair.models.weights import check_gpus
from dualpair.scoring.engine import Failure, Label, Scored
from dualpair.scoring.tokenisation import Bos, Encoded, resolve_bos

log = logging.getLogger(__name__)

Ids = tuple[int, ...]
Positions = Sequence[Mapping[int, float] | None]

_ROOM = 512  # context to be ready for even when all rows are shorter, so that a longer unit needs no new start


class Backend(Protocol):
    """A started engine that is ready for contexts of up to ``max_tokens`` tokens."""

    max_tokens: int

    def prompt_logprobs(self, texts: Sequence[Ids]) -> Sequence[Positions]:
        """For each text and position, log-probabilities in nats by token id; None at the first position."""
        ...

    def stop(self) -> None:
        """Give its memory back."""
        ...


Start = Callable[[int, int], Backend]
"""From tokens of one step and the longest context to a started engine."""


def open_vllm(
    entry: ModelEntry, name: str, dtype: str, token_budget: int, offline: bool, quantisation: str
) -> VllmEngine:
    """Check a registry entry's files and arguments; the weights are loaded with the first rows, whose length is known.

    Args:
        entry: of engine vllm.
        name: registry name.
        dtype: bfloat16, float16 or float32.
        token_budget: most tokens of one step.
        offline: never contact a hub.
        quantisation: as detected in the checkpoint, or "none"; recorded in every row.

    Raises:
        InputError: a bad argument, a quantisation that vLLM does not see, or what vLLM refuses.
        PrerequisiteError: vLLM, GPUs or files that are not there.
    """
    if token_budget < 1:
        raise InputError(f"token budget {token_budget}: expected at least 1")
    runtime.require()
    runtime.check_arguments(name, entry.vllm)
    found = runtime.files(entry, name, offline)
    runtime.prepare(offline)
    cpu = runtime.on_cpu()
    check_gpus(entry.gpus, "cpu" if cpu else "cuda")
    tokenizer = runtime.tokenizer(entry, found, offline)
    bos = resolve_bos(tokenizer, entry.bos)
    known = runtime.facts(found, dtype, entry.vllm)
    runtime.check_quantisation(name, quantisation, known.quantisation)

    def start(tokens: int, max_tokens: int) -> Backend:
        return runtime.Running(found, runtime.engine_arguments(found, known, entry, dtype, tokens, max_tokens, cpu))

    wanted = int(entry.vllm.get("max_num_batched_tokens", token_budget))
    budget = runtime.fitting_budget(wanted, known.vocabulary, runtime.free_memory(entry.vllm))
    if budget < wanted:
        log.info("%s: token budget %d instead of %d: prompt log-probabilities need memory", name, budget, wanted)
    label = Label(name, "vllm", dtype, quantisation)
    most = min(known.max_tokens, int(entry.vllm.get("max_model_len", known.max_tokens)))
    return VllmEngine(label, tokenizer, bos, start, budget, most, known.vocabulary)


class VllmEngine:
    """Scores texts in vLLM; obeys `dualpair.scoring.engine.Engine`. Made by `open_vllm`.

    Args:
        label: recorded in every row.
        tokenizer: what rows must be encoded with.
        bos: likewise.
        start: starts an engine for a number of tokens a step and a longest context.
        token_budget: most tokens of one step; halved, with a new start, when memory runs out.
        max_tokens: the model's longest context.
        vocabulary: token ids below this are the model's.
    """

    def __init__(
        self, label: Label, tokenizer: Any, bos: Bos, start: Start, token_budget: int, max_tokens: int, vocabulary: int
    ) -> None:
        self.label, self.tokenizer, self.bos = label, tokenizer, bos
        self._most, self._vocabulary = max_tokens, vocabulary
        self._runtime = Restarting(label.name, start, token_budget, _use(max_tokens))

    def score(self, rows: Sequence[Encoded]) -> list[Scored]:
        """Log-probability (nats) of every token after the first; see the protocol.

        Rows are run in the order of their ids, whatever order they come in. A row that is longer than the model can
        take, holds an id that is not the model's, or comes back without a finite value for each token is a `Failure`.

        Raises:
            PrerequisiteError: memory runs out however few tokens are run together, or vLLM dies again and again.
        """
        distinct = sorted({row.ids for row in rows})
        values: dict[Ids, Scored] = {ids: self._unfit(ids) or () for ids in distinct}
        texts = [ids for ids in distinct if len(ids) >= 2 and values[ids] == ()]
        if texts:
            longest = max(map(len, texts)) + 1  # vLLM always generates one token
            found = self._runtime.run(longest, lambda backend: backend.prompt_logprobs(texts))
            values.update((ids, read(ids, positions)) for ids, positions in zip(texts, found, strict=True))
        return [values[row.ids] for row in rows]

    def close(self) -> None:
        """Free the weights; calling it twice is harmless."""
        self._runtime.close()

    def _unfit(self, ids: Ids) -> Failure | None:
        if len(ids) >= self._most:
            return Failure(
                f"the text has {len(ids)} tokens, and vLLM takes at most {self._most - 1} for {self.label.name} "
                f"(its context of {self._most}, less the one token that vLLM always generates)"
            )
        if max(ids) >= self._vocabulary:
            return Failure(
                f"token id {max(ids)} is outside the vocabulary of {self.label.name} ({self._vocabulary} entries): "
                "the tokenizer is not this model's"
            )
        return None


def _use(most: int) -> Use:
    """Scoring needs a whole text in one step, since its log-probabilities are not to be had in pieces."""

    def room(longest: int, budget: int) -> int:
        ample = max(1 << (longest - 1).bit_length(), _ROOM)
        return min(most, max(longest, min(budget, ample)))

    return Use(
        verb="scored",
        longest="a longest context",
        advice="lower `gpu_memory_utilization` in `vllm:` of the model's entry (which leaves more memory for "
        "log-probabilities), raise `gpus`",
        room=room,
        least=lambda longest: longest,
    )


def read(ids: Ids, positions: Positions) -> Scored:
    """Log-probabilities of a text's own tokens, looked up by id and never by rank.

    Args:
        ids: the text.
        positions: for each token, log-probabilities by token id; None at the first.

    Returns:
        ``len(ids) - 1`` values in nats, or a `Failure` where one is missing or not finite.
    """
    if len(positions) != len(ids):
        return Failure(f"vLLM answered {len(positions)} positions for a text of {len(ids)} tokens")
    if positions[0] is not None:
        return Failure("vLLM gave the first token a probability, which nothing stands before")
    values = []
    for place, (token, found) in enumerate(zip(ids[1:], positions[1:], strict=True), start=1):
        if found is None or token not in found:
            return Failure(f"vLLM's answer has no log-probability for token {token} at position {place}")
        if not math.isfinite(found[token]):
            return Failure(f"the log-probability of token {token} at position {place} is {found[token]}")
        values.append(found[token])
    return tuple(values)
