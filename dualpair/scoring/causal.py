"""Token log-probabilities of whole texts under a causal model: length-sorted batches, head applied in blocks."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair.scoring import batches
from dualpair.scoring.head import Head, head_of
from dualpair.scoring.tokenisation import Encoded

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM

log = logging.getLogger(__name__)


class Sums(NamedTuple):
    """What the `scores` table holds of a row; log-probabilities in nats."""

    logprob_sum: float
    n_tokens: int
    prefix_logprob_sum: float
    prefix_n_tokens: int
    n_chars: int
    n_bytes: int


class ScoredRow(NamedTuple):
    """A scored text: token ids, and the log-probability (nats) of every token after the first."""

    ids: tuple[int, ...]
    n_prefix: int
    n_bos: int
    logprobs: tuple[float, ...]
    n_chars: int
    n_bytes: int
    boundary_merge: bool
    bos_policy: str

    def sums(self) -> Sums:
        """Sums over the continuation and over the scored tokens of the prefix (all but BOS, or but the first token)."""
        split = self.n_prefix - 1
        scored_prefix = self.logprobs[max(self.n_bos, 1) - 1 : split]
        tail = self.logprobs[split:]
        return Sums(
            logprob_sum=float(sum(tail)),
            n_tokens=len(tail),
            prefix_logprob_sum=float(sum(scored_prefix)),
            prefix_n_tokens=len(scored_prefix),
            n_chars=self.n_chars,
            n_bytes=self.n_bytes,
        )

    def payload(self) -> dict[str, Any]:
        """The row as JSON-ready values, for the store; `from_payload` is the inverse."""
        return {**self._asdict(), "ids": list(self.ids), "logprobs": list(self.logprobs)}


def from_payload(payload: dict[str, Any]) -> ScoredRow:
    """A row from what `ScoredRow.payload` gave."""
    return ScoredRow(**{**payload, "ids": tuple(payload["ids"]), "logprobs": tuple(payload["logprobs"])})


def score_rows(lm: LoadedLM, encoded: Sequence[Encoded], token_budget: int = 4096) -> list[ScoredRow]:
    """`score_encoded` with each row's tokens beside its log-probabilities, in input order."""
    found = score_encoded(lm, encoded, token_budget)
    return [
        ScoredRow(e.ids, e.n_prefix, e.n_bos, values, e.n_chars, e.n_bytes, e.boundary_merge, e.bos_policy)
        for e, values in zip(encoded, found, strict=True)
    ]


def score_encoded(lm: LoadedLM, encoded: Sequence[Encoded], token_budget: int = 4096) -> list[tuple[float, ...]]:
    """Log-probability log P(token | all tokens before it) of every token after the first, in nats (scoring contract).

    Args:
        lm: a loaded causal model.
        encoded: texts from `tokenisation.encode`; equal texts are run once.
        token_budget: most tokens of a forward pass; halved when memory runs out.

    Returns:
        For each text a tuple of len(ids) - 1 values, in input order. In float32 a value does not depend on what else
        is in the batch by more than 1e-3 nats a sentence.
    """
    distinct = sorted({e.ids for e in encoded})
    values: dict[tuple[int, ...], tuple[float, ...]] = {ids: () for ids in distinct if len(ids) < 2}
    todo = [ids for ids in distinct if len(ids) >= 2]
    if todo:
        scorer = scorer_for(lm)

        def call(rows: list[int]) -> None:
            chosen = [todo[i] for i in rows]
            values.update(zip(chosen, scorer(chosen), strict=True))

        batches.run([len(ids) - 1 for ids in todo], token_budget, call)
    return [values[e.ids] for e in encoded]


class BodyScorer:
    """Runs the body without its head, drops the padding, and applies the head in blocks."""

    def __init__(self, lm: LoadedLM, head: Head) -> None:
        self.lm, self.head = lm, head

    def __call__(self, texts: Sequence[tuple[int, ...]]) -> list[tuple[float, ...]]:
        """Log-probabilities of each text's tokens after the first."""
        import torch

        ids, mask, positions = padded([text[:-1] for text in texts], self.lm.device)
        targets = torch.tensor([t for text in texts for t in text[1:]], device=self.lm.device)
        with torch.inference_mode():
            hidden = self.head.states(ids, mask, positions, use_cache=False)[mask.bool()]
            flat = self.head.logprobs(hidden, targets).tolist()
        return _split(flat, [len(text) - 1 for text in texts])


class WholeModelScorer:
    """For models whose head cannot be taken apart: the model's own logits, one text at a time."""

    def __init__(self, lm: LoadedLM) -> None:
        self.lm = lm

    def __call__(self, texts: Sequence[tuple[int, ...]]) -> list[tuple[float, ...]]:
        """Log-probabilities of each text's tokens after the first."""
        import torch

        found = []
        for text in texts:
            ids = torch.tensor([text[:-1]], device=self.lm.device)
            targets = torch.tensor(text[1:], device=self.lm.device)
            with torch.inference_mode():
                logits = self.lm.model(input_ids=ids, use_cache=False).logits[0].float()
                chosen = logits.gather(1, targets[:, None])[:, 0].double()
                found.append(tuple((chosen - torch.logsumexp(logits.double(), dim=1)).tolist()))
        return found


def scorer_for(lm: LoadedLM) -> BodyScorer | WholeModelScorer:
    """The fastest scorer that is right for this model."""
    try:
        return BodyScorer(lm, head_of(lm))
    except (ValueError, AttributeError, TypeError, RuntimeError) as error:
        log.warning("%s: scoring with the whole model, one text at a time (slower): %s", lm.name, error)
        return WholeModelScorer(lm)


def padded(rows: Sequence[Sequence[int]], device: str) -> tuple[Any, Any, Any]:
    """Right-padded token ids, attention mask and position ids, each int64 of shape (rows, longest)."""
    import torch

    width = max(len(row) for row in rows)
    ids = torch.zeros((len(rows), width), dtype=torch.long)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
        mask[number, : len(row)] = 1
    positions = torch.arange(width).expand(len(rows), width)
    return ids.to(device), mask.to(device), positions.to(device)


def _split(flat: list[float], lengths: Sequence[int]) -> list[tuple[float, ...]]:
    parts, start = [], 0
    for length in lengths:
        parts.append(tuple(flat[start : start + length]))
        start += length
    return parts
