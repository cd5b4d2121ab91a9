"""The transformers engine for causal models: a prefix tree of the texts, each distinct prefix run once.

Texts are merged into a tree (`trie`), its rows are run through the model's body in the fastest way that is right for
the model (`ways`, `selfcheck`), and the head is applied to blocks of hidden states as they come (`head`), so that
memory is bounded by the token budget and not by the number of texts. The hidden states at the ends of prefixes and the
log-probabilities of chosen next tokens come from the same tree.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dualpair.scoring import head, linear, selfcheck, trie
from dualpair.scoring.engine import Failure, Label, Scored
from dualpair.scoring.head import Head
from dualpair.scoring.tokenisation import Encoded, resolve_bos
from dualpair.scoring.ways import SortedBatches, Way, longest_text

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM

log = logging.getLogger(__name__)

Ids = tuple[int, ...]
TOKEN_BUDGET = 2048


class CausalEngine:
    """Scores with a causal model of transformers (`engine.PrefixEngine`).

    Args:
        lm: the loaded model.
        token_budget: most tokens of a forward pass; halved when memory runs out.

    Raises:
        ValueError: a budget below 1, or a tokenizer that cannot be used (see `tokenisation.resolve_bos`).
    """

    def __init__(self, lm: LoadedLM, token_budget: int = TOKEN_BUDGET) -> None:
        if token_budget < 1:
            raise ValueError(f"token budget {token_budget}: expected at least 1")
        self.lm, self.budget = lm, token_budget
        self.label = Label(lm.name, "transformers", lm.dtype, getattr(lm, "quantisation", "none"))
        self.tokenizer = lm.tokenizer
        self.bos = resolve_bos(lm.tokenizer, lm.bos)
        self._limit = longest_text(lm.model)
        self._vocabulary = int(lm.model.get_input_embeddings().weight.shape[0])
        self.head = _head(lm)
        self.way: Way | None = None
        self._shown: int | None = None
        if self.head is not None:
            self._alone = SortedBatches(lm.model, self.head)
            self.way, self._shown = selfcheck.choose(lm, self.head, self._by_way)

    def score(self, rows: Sequence[Encoded]) -> list[Scored]:
        """Natural log P(token | all tokens before it) of every token after the first (`engine.Engine.score`).

        In float32 a value does not depend on what else is scored by more than 1e-3 nats a sentence. A text that is too
        long for the model, holds an id outside its vocabulary, or makes it fail, is a `Failure` of its own.
        """
        distinct = sorted({row.ids for row in rows})
        found: dict[Ids, Scored] = {ids: Failure(why) for ids in distinct if (why := self._unfit(ids))}
        self._isolated([ids for ids in distinct if ids not in found], found)
        return [found[row.ids] for row in rows]

    def next_token(self, prompts: Sequence[Sequence[int]], targets: Sequence[int]) -> npt.NDArray[np.float64]:
        """Natural log P(target | prompt) over the whole vocabulary: float64 (prompts, targets), in input order.

        Raises:
            ValueError: an empty prompt, no target, or a prompt that the model cannot take.
        """
        if not targets:
            raise ValueError("next-token log-probabilities need at least one target")
        import torch

        result = np.empty((len(prompts), len(targets)), dtype=np.float64)
        wanted = torch.tensor(list(targets))
        if self.head is None:
            for number, prompt in enumerate(self._checked(prompts)):
                logits = self._logits(prompt)[-1].double()
                result[number] = (logits[wanted] - torch.logsumexp(logits, 0)).numpy()
            return result
        for numbers, hidden in self._ends(prompts):
            with torch.inference_mode(), linear.products(self.lm.device, self.lm.dtype):
                result[numbers] = self.head.logprobs_of(hidden, wanted).cpu().numpy()
        return result

    def states(self, prompts: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], npt.NDArray[np.float32]]]:
        """Hidden state before the vocabulary matrix at each prompt's last token, block by block (`PrefixEngine`).

        Raises:
            ValueError: an empty prompt, one that the model cannot take, or a model whose head cannot be taken apart.
        """
        if self.head is None:
            raise ValueError(f"{self.lm.name}: its output layer is not separate, so it has no state before it")
        for numbers, hidden in self._ends(prompts):
            yield numbers, hidden.float().cpu().numpy()

    def close(self) -> None:
        """Nothing is held beyond the model itself."""

    def _unfit(self, ids: Ids) -> str:
        """Why the model cannot take a text, or nothing."""
        if self._limit is not None and len(ids) - 1 > self._limit:
            return f"{len(ids)} tokens: longer than the {self._limit} positions of the model"
        if ids and (largest := max(ids)) >= self._vocabulary:
            return f"token id {largest} is outside the model's vocabulary of {self._vocabulary}: another tokenizer's"
        return ""

    def _isolated(self, texts: list[Ids], found: dict[Ids, Scored]) -> None:
        """Score texts; when the model fails, halve until the texts that make it fail stand alone."""
        try:
            values = dict(zip(texts, self._logprobs(texts), strict=True))
            # in a tree one not-a-number spreads to the whole row; texts of a padded batch do not touch one another
            again = [ids for ids in texts if not _finite(values[ids])]
            if again and self.head is not None:
                values.update(zip(again, self._by_way(self._alone, again), strict=True))
            for ids in texts:
                good = _finite(values[ids])
                found[ids] = values[ids] if good else Failure("the model gives a log-probability that is not finite")
        except (RuntimeError, IndexError, ValueError, MemoryError) as error:
            if "CUDA error" in str(error):  # the device is lost: no other text can be scored in this process
                raise
            if len(texts) == 1:
                found[texts[0]] = Failure((str(error).strip() or type(error).__name__).splitlines()[0])
                return
            log.warning("%s: %d texts failed together (%s): trying halves", self.lm.name, len(texts), error)
            for half in (texts[: len(texts) // 2], texts[len(texts) // 2 :]):
                self._isolated(half, found)

    def _logprobs(self, texts: Sequence[Ids]) -> list[tuple[float, ...]]:
        if self.way is None or self.head is None:
            return [self._whole(text) for text in texts]
        long = [i for i, text in enumerate(texts) if self._shown is not None and len(text) > self._shown]
        if not long:
            return self._by_way(self.way, texts)
        apart = set(long)
        short = [i for i in range(len(texts)) if i not in apart]
        values = dict(zip(short, self._by_way(self.way, [texts[i] for i in short]), strict=True))
        values.update(zip(long, self._by_way(self._alone, [texts[i] for i in long]), strict=True))
        return [values[i] for i in range(len(texts))]

    def _by_way(self, way: Way, texts: Sequence[Ids]) -> list[tuple[float, ...]]:
        """Log-probabilities of each text's tokens after the first."""
        import torch

        if self.head is None or not texts:
            return [() for _ in texts]
        tree = trie.build(texts)
        drain = _Drain(tree, self.head)
        with torch.inference_mode(), linear.products(self.lm.device, self.lm.dtype):
            way.run(tree, tree.scored(), self.budget, drain.add)
            drain.flush()
        return [tuple(drain.values[nodes[1:]].tolist()) for nodes in tree.paths]

    def _whole(self, ids: Ids) -> tuple[float, ...]:
        return selfcheck.plain(self.lm, ids, len(ids) - 1) if len(ids) > 1 else ()

    def _logits(self, ids: Ids) -> Any:
        import torch

        with torch.inference_mode():
            row = torch.tensor([ids], device=self.lm.device)
            return self.lm.model(input_ids=row, use_cache=False).logits[0].float().cpu()

    def _checked(self, prompts: Sequence[Sequence[int]]) -> list[Ids]:
        texts = [tuple(prompt) for prompt in prompts]
        for number, text in enumerate(texts):
            # a prompt's last token is run too, so it may be one shorter than a text whose last token is only scored
            if why := "it is empty" if not text else self._unfit((*text, text[-1])):
                raise ValueError(f"prompt {number}: {why}")
        return texts

    def _ends(self, prompts: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], Any]]:
        """(Prompt numbers, hidden states (n, d) at their ends), a block of the head's size at a time."""
        texts = self._checked(prompts)
        if self.way is None or self.head is None:
            raise ValueError(f"{self.lm.name}: its output layer is not separate")
        groups: tuple[list[int], list[int]] = ([], [])
        for number, text in enumerate(texts):
            groups[self._shown is not None and len(text) > self._shown].append(number)
        for way, numbers in zip((self.way, self._alone), groups, strict=True):
            # pieces bound the memory: the hidden states of a piece are held until it is done
            for start in range(0, len(numbers), head.ROW_BLOCK):
                piece = numbers[start : start + head.ROW_BLOCK]
                yield self._ends_of(way, [texts[i] for i in piece], piece)

    def _ends_of(self, way: Way, texts: Sequence[Ids], numbers: list[int]) -> tuple[list[int], Any]:
        import torch

        tree = trie.build(texts)
        ends = np.array([nodes[-1] for nodes in tree.paths], dtype=np.int64)
        place = {int(node): i for i, node in enumerate(np.unique(ends))}
        kept: list[Any] = [None] * len(place)

        def sink(nodes: trie.Ints, hidden: Any) -> None:
            for i, node in enumerate(nodes.tolist()):
                if node in place:
                    kept[place[node]] = hidden[i].clone()

        with torch.inference_mode(), linear.products(self.lm.device, self.lm.dtype):
            way.run(tree, tree.ancestors(ends), self.budget, sink)
            return numbers, torch.stack([kept[place[int(node)]] for node in ends])


class _Drain:
    """Takes hidden states as they come and turns full blocks into the log-probabilities of the nodes behind them."""

    def __init__(self, tree: trie.Trie, head: Head) -> None:
        self.tree, self.head = tree, head
        self.values = np.full(len(tree.token), np.nan)
        self._children = np.argsort(tree.parent, kind="stable")
        self._parents = tree.parent[self._children]
        self._nodes: list[trie.Ints] = []
        self._hidden: list[Any] = []

    def add(self, nodes: trie.Ints, hidden: Any) -> None:
        """Keep a batch's states; apply the head when a block is full."""
        self._nodes.append(nodes)
        self._hidden.append(hidden)
        if sum(map(len, self._nodes)) >= head.ROW_BLOCK:
            self.flush()

    def flush(self) -> None:
        """Apply the head to what is kept."""
        import torch

        if not self._nodes:
            return
        nodes, hidden = np.concatenate(self._nodes), torch.cat(self._hidden)
        self._nodes, self._hidden = [], []
        first = np.searchsorted(self._parents, nodes, "left")
        count = np.searchsorted(self._parents, nodes, "right") - first
        rows = np.repeat(np.arange(len(nodes)), count)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        children = self._children[np.repeat(first, count) + within]
        targets = torch.from_numpy(self.tree.token[children])
        self.values[children] = self.head.logprobs(hidden, torch.from_numpy(rows), targets).cpu().numpy()


def _finite(values: tuple[float, ...]) -> bool:
    return all(map(math.isfinite, values))


def _head(lm: LoadedLM) -> Head | None:
    try:
        return Head(lm)
    except (ValueError, AttributeError, TypeError, RuntimeError) as error:
        log.warning("%s: scoring with the whole model, one text at a time (slower): %s", lm.name, error)
        return None
