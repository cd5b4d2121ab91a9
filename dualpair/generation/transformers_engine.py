"""Generation with transformers: shared prompts read once, one seed per row, sentences stopped where they end.

What all prompts of a prompt file begin with (instruction and examples) is read once a job and kept as keys and values;
what else the prompts of a batch share is read once a batch, and the prompt of a source once for all its samples.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dualpair.generation import encoding
from dualpair.generation.decoding import Head, LoadedLM, Row, common_length, decode, read_head
from dualpair.generation.encoding import Chat
from dualpair.generation.engines import Answer
from dualpair.generation.requests import GenerationRequest

if TYPE_CHECKING:
    from dualpair.models.registry import ModelEntry

_LOG = logging.getLogger(__name__)
MAX_ROWS = 64
# Two prompts that begin alike up to what all prompts of a file share, and go on differently.
_PROBES = ("A", "Ж")


def open_transformers(
    entry: ModelEntry, name: str, dtype: str, device: str, offline: bool, requests: Iterable[GenerationRequest]
) -> TransformersGenerator:
    """Load a model as its registry entry says; see `engines.open_generator`."""
    from dualpair.models import causal_lm

    lm = causal_lm.load_entry(entry, name, dtype, device, offline)
    encoding.check_template(lm.tokenizer, entry.chat, name)
    return TransformersGenerator(lm, requests, entry.chat)


def generate(
    lm: LoadedLM, requests: Sequence[GenerationRequest], max_rows: int = MAX_ROWS, chat: Chat | None = None
) -> list[Answer]:
    """Answer every request, in input order, with a model that is asked nothing else; see `TransformersGenerator`."""
    if chat is None:
        chat = {} if getattr(lm.tokenizer, "chat_template", None) else "none"
    return TransformersGenerator(lm, requests, chat, max_rows).generate(requests)


class TransformersGenerator:
    """Generates with a loaded model; obeys `dualpair.generation.engines.Generator`.

    Rows are drawn from float32 logits with their own seeds (:func:`dualpair.generation.sampling.draw`), so a row's text
    does not depend on its neighbours but through rounding of the model's arithmetic.

    Args:
        lm: model and tokenizer.
        requests: all that may be asked, of which only the prompts' beginnings are looked at. What is read in advance
            depends on them alone, so that a job that goes on after a kill computes what it would have computed.
        chat: arguments of the chat template, or ``none`` for plain text.
        max_rows: rows decoded together; halved for a batch that does not fit in memory.

    Raises:
        ValueError: if max_rows is under 1.
    """

    def __init__(
        self, lm: LoadedLM, requests: Iterable[GenerationRequest], chat: Chat, max_rows: int = MAX_ROWS
    ) -> None:
        if max_rows < 1:
            raise ValueError(f"max_rows is {max_rows}, must be at least 1")
        self._lm, self._chat, self._max_rows = lm, chat, max_rows
        self._starts = _common_starts(requests)
        self._head: Head | None = None

    def generate(self, requests: Sequence[GenerationRequest]) -> list[Answer]:
        """One answer per request, in input order; see the protocol.

        Raises:
            InputError: a prompt cannot be written for this tokenizer.
        """
        tokenizer = self._lm.tokenizer
        rows = [
            Row(index, request, tuple(encoding.encode_prompt(tokenizer, request, self._chat)))
            for index, request in enumerate(requests)
        ]
        # Neighbours share as much of their prompt as possible; the index keeps the order total.
        rows.sort(key=lambda row: (*_file(row.request), row.prompt_ids, row.index))
        found: dict[int, Answer] = {}
        for batch in _batches(rows, self._max_rows):
            for row, answer in zip(batch, self._answer_batch(batch), strict=True):
                found[row.index] = answer
        return [found[index] for index in range(len(rows))]

    def close(self) -> None:
        """Let go of the weights."""
        self._head = None
        del self._lm

    def _answer_batch(self, batch: list[Row]) -> list[Answer]:
        """Answer a batch; one that fails is halved until the row at fault stands alone."""
        import torch

        try:
            with torch.inference_mode():
                return decode(self._lm, batch, self._read_head(batch), self._chat == "none")
        except (RuntimeError, ValueError, IndexError) as error:
            message = f"{type(error).__name__}: {error}"
            for row in batch:
                row.tokens, row.finish_reason = [], ""
            self._head = None
            if torch.cuda.is_available():
                torch.cuda.empty_cache()
        if len(batch) == 1:
            return [Answer("", "error", len(batch[0].prompt_ids), 0, " ".join(message.split()))]
        _LOG.warning("%d rows failed together (%s); halving them", len(batch), message)
        half = len(batch) // 2
        return self._answer_batch(batch[:half]) + self._answer_batch(batch[half:])

    def _read_head(self, batch: Sequence[Row]) -> Head:
        """What all prompts of the batch's prompt file begin with, as the model has read it."""
        request = batch[0].request
        start = self._starts.get(_file(request), "")
        if self._head is None or self._head.of != (*_file(request), start):
            probes = (request._replace(prompt=start + probe, forced_prefix="") for probe in _PROBES)
            one, other = (encoding.encode_prompt(self._lm.tokenizer, probe, self._chat) for probe in probes)
            ids = tuple(one[: common_length([tuple(one), tuple(other)])])
            self._head = read_head(self._lm, ids, (*_file(request), start))
        return self._head


def _file(request: GenerationRequest) -> tuple[Any, ...]:
    """What prompts with one beginning have in common."""
    return request.prompt_id, request.task, request.context


def _common_starts(requests: Iterable[GenerationRequest]) -> dict[tuple[Any, ...], str]:
    """Per prompt file the text that all user messages begin with."""
    starts: dict[tuple[Any, ...], str] = {}
    for request in requests:
        key = _file(request)
        start = starts.get(key, request.prompt)
        starts[key] = start[: common_length((start, request.prompt))]
    return starts


def _batches(rows: Sequence[Row], max_rows: int) -> Iterator[list[Row]]:
    """Consecutive rows of one prompt file, at most max_rows."""
    batch: list[Row] = []
    for row in rows:
        if batch and (len(batch) == max_rows or _file(batch[0].request) != _file(row.request)):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
