"""The ways of scoring that are compared. All take texts and do everything that follows, tokenising included.

What they return is left as it is while the clock runs; `values_of` makes it comparable afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dualpair.scoring.tokenisation import encode_pairs

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.workloads import Pair
    from dualpair.models.causal_lm import LoadedLM

BATCH = 32
OURS, MINICONS, LM_EVAL, PADDED, LOOP = "dualpair", "minicons", "lm-eval", "padded batch", "one at a time"
PEERS = (MINICONS, LM_EVAL)  # the better of the two is what the ratio is to


class Values(NamedTuple):
    """Log-probability sums in nats, in input order: of the continuation, and of the whole text if it is known."""

    continuation: list[float]
    sentence: list[float] | None


class Method(Protocol):
    """One way of scoring."""

    name: str

    def score(self, pairs: Sequence[Pair]) -> Sequence[Any]:
        """Score texts; the word-boundary space begins the continuation.

        Returns:
            For each text the log-probabilities of all tokens after BOS, or the sum over the continuation (nats).
        """
        ...


class Ours:
    """The engine of dualpair.scoring."""

    name = OURS

    def __init__(self, lm: LoadedLM, token_budget: int = 2048) -> None:
        from dualpair.scoring.causal import CausalEngine

        self.engine = CausalEngine(lm, token_budget=token_budget)

    def score(self, pairs: Sequence[Pair]) -> Sequence[Any]:
        """Tokenise, build the tree, run it."""
        return self.engine.score(encode_pairs(self.engine.tokenizer, pairs, self.engine.bos))


class Minicons:
    """minicons' `sequence_score`, which returns every token's log-probability here instead of their mean.

    It leaves batching to its caller: batches of 32, sorted by length, which is its best case.
    """

    name = MINICONS

    def __init__(self, model: Any, tokenizer: Any) -> None:
        from minicons import scorer

        self.scorer = scorer.IncrementalLMScorer(model, "cpu", tokenizer=tokenizer)

    def ids(self, pair: Pair) -> tuple[list[int], int | None]:
        """Token ids that it scores, and the number of them before the continuation (None: it does not split)."""
        return self.scorer.encode(["".join(pair)])["input_ids"][0].tolist(), None

    def score(self, pairs: Sequence[Pair]) -> Sequence[Any]:
        """Batches of 32 whole texts."""
        texts = ["".join(pair) for pair in pairs]
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        rows: list[list[float]] = [[] for _ in texts]
        for chosen in _slices(order):
            found = self.scorer.sequence_score([texts[i] for i in chosen], reduction=lambda row: row.tolist())
            for i, row in zip(chosen, found, strict=True):
                rows[i] = row
        return rows


class LmEval:
    """lm-evaluation-harness: `HFLM.loglikelihood` with context and continuation, which sorts by length itself."""

    name = LM_EVAL

    def __init__(self, model: Any, tokenizer: Any) -> None:
        for name in ("lm_eval", "lm_eval.models.huggingface"):
            logging.getLogger(name).setLevel(logging.ERROR)
        from lm_eval.api.instance import Instance
        from lm_eval.models.huggingface import HFLM

        self.instance = Instance
        self.lm = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=BATCH)

    def ids(self, pair: Pair) -> tuple[list[int], int | None]:
        """Token ids that it scores, and the number of them before the continuation."""
        context, continuation = self.lm._encode_pair(*pair)
        return context + continuation, len(context)

    def score(self, pairs: Sequence[Pair]) -> Sequence[Any]:
        """One request per text."""
        requests = [
            self.instance(request_type="loglikelihood", doc={}, arguments=pair, idx=i) for i, pair in enumerate(pairs)
        ]
        return [total for total, _ in self.lm.loglikelihood(requests, disable_tqdm=True)]


class Padded:
    """A plain padded transformers batch of 32 in the given order, float32 `log_softmax` over the vocabulary."""

    name = PADDED
    batch = BATCH

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model, self.tokenizer = model, tokenizer

    def score(self, pairs: Sequence[Pair]) -> Sequence[Any]:
        """Batches in input order."""
        import torch

        rows: list[list[float]] = []
        for chosen in _slices(list(range(len(pairs))), self.batch):
            texts = ["".join(pairs[i]) for i in chosen]
            batch = self.tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
            with torch.inference_mode():
                logits = self.model(**batch).logits[:, :-1]
                found = logits.float().log_softmax(-1).gather(2, batch["input_ids"][:, 1:, None])[..., 0]
            lengths = batch["attention_mask"].sum(1).tolist()
            rows += [row[: length - 1] for row, length in zip(found.tolist(), lengths, strict=True)]
        return rows


class Loop(Padded):
    """The same, one text at a time."""

    name = LOOP
    batch = 1


def peers(folder: Path, dtype: str) -> list[Method]:
    """What is compared with, all on one model of their own: nothing that an engine does to its model reaches them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype), local_files_only=True)
    model.eval()
    tokenizers = [AutoTokenizer.from_pretrained(folder, local_files_only=True) for _ in range(4)]
    kinds: tuple[Callable[[Any, Any], Method], ...] = (Minicons, LmEval, Padded, Loop)
    return [kind(model, tokenizer) for kind, tokenizer in zip(kinds, tokenizers, strict=True)]


class Text(Protocol):
    """What of an encoded text is needed to sum: its tokens, and how many stand before the continuation."""

    @property
    def ids(self) -> tuple[int, ...]:
        """Token ids with BOS."""
        ...

    @property
    def n_prefix(self) -> int:
        """BOS and prefix."""
        ...


def values_of(encoded: Sequence[Text], found: Sequence[Any]) -> Values:
    """What a method returned, as sums.

    Args:
        encoded: the same texts under the scoring contract.
        found: for each the log-probabilities of every token after BOS, or one sum over the continuation (then for all).

    Raises:
        ValueError: a row of another length, or one that could not be scored.
    """
    if found and all(isinstance(total, float) for total in found):
        return Values([float(total) for total in found], None)
    for number, (text, row) in enumerate(zip(encoded, found, strict=True)):
        if hasattr(row, "reason") or not isinstance(row, (tuple, list)) or len(row) != len(text.ids) - 1:
            raise ValueError(f"row {number}: expected {len(text.ids) - 1} log-probabilities, found {row!r}")
    return Values(
        [float(sum(row[text.n_prefix - 1 :])) for text, row in zip(encoded, found, strict=True)],
        [float(sum(row)) for row in found],
    )


def _slices(order: list[int], size: int = BATCH) -> list[list[int]]:
    return [order[i : i + size] for i in range(0, len(order), size)]
