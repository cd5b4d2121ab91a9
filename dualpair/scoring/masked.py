"""Pseudo-log-likelihood: masked language models in the same tables as causal ones.

The score of a token is log P(token | all other tokens), in nats, with the token replaced by the mask token
(Salazar et al. 2020, arXiv 1910.14659: `original`). Where a word has several tokens, those that follow give the masked
one away and the score of long words comes out too high; by default the tokens of the same word to the right of the
scored one are therefore masked too (`within_word_l2r`, Kauf and Ivanova 2023, arXiv 2305.10588).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dualpair.models.device import out_of_memory
from dualpair.models.masked_lm import check_mask_token
from dualpair.scoring import batches
from dualpair.scoring.engine import Failure, Label, Scored
from dualpair.scoring.masked_head import Masked, Predictions
from dualpair.scoring.masked_words import word_numbers
from dualpair.scoring.tokenisation import Encoded, resolve_bos

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM

log = logging.getLogger(__name__)

WITHIN_WORD = "within_word_l2r"
ORIGINAL = "original"
WINDOW = 2**20  # tokens of masked copies that are held at a time
_SAMPLES = ("Women talk a lot.", "The children of the two women sleep late, and nobody minds.", "睡着的孩子最可爱。")
_SAMPLE_TOKENS = 24

Text = tuple[int, ...]
Answer = dict[int, float] | Failure


class MaskedEngine:
    """Scores texts with a masked language model; obeys `engine.Engine`.

    Every scored position of a text is one masked copy of it; equal copies (of texts that differ in the masked word
    only) run once. A text that is longer than the model's maximum, holds an id outside its vocabulary, or makes the
    model fail even alone (out of memory, say) is a `Failure` of its own.

    Args:
        lm: a loaded masked model.
        token_budget: most tokens of a forward pass, padding included; halved when memory runs out.
        pll: within_word_l2r or original.
        quantisation: of the weights as they run, for the record; by default the loaded model's.

    Raises:
        ValueError: an unknown `pll`, a budget below 1, a slow tokenizer, or a model whose predictions are not
            repeatable.
        PrerequisiteError: the tokenizer has no mask token.
    """

    def __init__(self, lm: LoadedLM, token_budget: int = 4096, pll: str = WITHIN_WORD, quantisation: str = "") -> None:
        if pll not in (WITHIN_WORD, ORIGINAL):
            raise ValueError(f"pll: {pll!r} is not known (allowed: {WITHIN_WORD}, {ORIGINAL})")
        if token_budget < 1:
            raise ValueError(f"token budget {token_budget}: expected at least 1")
        check_mask_token(lm.tokenizer, lm.name)
        self.label = Label(lm.name, "transformers", lm.dtype, quantisation or lm.quantisation)
        self.tokenizer = lm.tokenizer
        self.bos = resolve_bos(lm.tokenizer, lm.bos)
        self.longest = longest(lm.model, lm.tokenizer)
        self.closing = closing(lm.tokenizer)
        self._pll, self._budget = pll, token_budget
        self._vocabulary = int(lm.model.get_input_embeddings().weight.shape[0])
        pad = lm.tokenizer.pad_token_id
        self._predictions: Predictions | None = Predictions(
            lm.model, lm.dtype, self._samples(), 0 if pad is None else int(pad)
        )
        log.info("%s: pseudo-log-likelihood %s, by way of %s", lm.name, pll, self._predictions.way)

    def score(self, rows: Sequence[Encoded]) -> list[Scored]:
        """Pseudo-log-likelihood (nats) of every token after the first, given all others; see `engine.Engine.score`.

        The closing tokens that the tokenizer appends ([SEP], </s>) stand behind each text and are not scored.
        """
        found: dict[Text, Scored] = {}
        for window in self._windows(dict.fromkeys(row.ids for row in rows)):
            found.update(zip(window, self._window(window), strict=True))
        return [found[row.ids] for row in rows]

    def close(self) -> None:
        """Let go of the model; calling it twice is harmless."""
        self._predictions = None

    def _windows(self, texts: dict[Text, None]) -> Iterator[list[Text]]:
        """Pieces of the texts whose masked copies stay within a bounded number of tokens."""
        window: list[Text] = []
        size = 0
        for text in texts:
            cost = len(text) * (len(text) + len(self.closing))
            if window and size + cost > WINDOW:
                yield window
                window, size = [], 0
            window.append(text)
            size += cost
        if window:
            yield window

    def _window(self, texts: list[Text]) -> list[Scored]:
        unfit = {text: Failure(reason) for text in texts if (reason := self._unfit(text))}
        fitting = [text for text in texts if text not in unfit]
        copies = dict(zip(fitting, self._copies(fitting), strict=True))
        wanted: dict[Masked, dict[int, None]] = {}  # a dict, not a set, so that the order is the same in every run
        for text, masked in copies.items():
            for copy in masked:
                wanted.setdefault(copy, {})[text[copy.position]] = None
        answers = self._run({copy: list(targets) for copy, targets in wanted.items()})
        return [unfit[text] if text in unfit else _row(text, copies[text], answers) for text in texts]

    def _unfit(self, text: Text) -> str:
        """Why the model cannot take a text, or nothing."""
        tokens = len(text) + len(self.closing)
        if self.longest is not None and tokens > self.longest:
            return f"{tokens} tokens with the closing ones: longer than the {self.longest} that the model takes"
        if (largest := max(text, default=0)) >= self._vocabulary:
            return f"token id {largest} is outside the model's vocabulary of {self._vocabulary}: another tokenizer's"
        return ""

    def _copies(self, texts: Sequence[Text]) -> list[list[Masked]]:
        """For each text its masked copies, one for every position after the first."""
        words = word_numbers(self.tokenizer, texts) if self._pll == WITHIN_WORD else [range(len(t)) for t in texts]
        mask = int(self.tokenizer.mask_token_id)
        return [masked_copies(t, w, mask, self.closing) for t, w in zip(texts, words, strict=True)]

    def _run(self, wanted: dict[Masked, list[int]]) -> dict[Masked, Answer]:
        """Log-probabilities (nats) by copy and target; a copy that makes the model fail alone is a failure."""
        if self._predictions is None:
            raise RuntimeError(f"{self.label.name}: the engine is closed")
        predictions, copies = self._predictions, list(wanted)
        answers: dict[Masked, Answer] = {}

        def call(batch: list[int]) -> None:
            chosen = [copies[i] for i in batch]
            try:
                values = predictions.logprobs(chosen, [wanted[copy] for copy in chosen])
            except (MemoryError, RuntimeError, IndexError, ValueError) as error:
                if "CUDA error" in str(error):  # the device is lost: no other text can be scored in this process
                    raise
                if len(batch) == 1:
                    reason = (str(error).strip() or repr(error)).splitlines()[0]
                    answers[chosen[0]] = Failure(f"{len(chosen[0].ids)} tokens: {reason}")
                    return
                if out_of_memory(error):
                    raise  # `batches.run` goes on with half the budget
                log.warning("%s: %d texts failed together (%s): trying halves", self.label.name, len(batch), error)
                call(batch[: len(batch) // 2])
                call(batch[len(batch) // 2 :])
                return
            for copy, row in zip(chosen, values, strict=True):
                answers[copy] = dict(zip(wanted[copy], row, strict=True))

        batches.run([len(copy.ids) for copy in copies], self._budget, call)
        return answers

    def _samples(self) -> list[tuple[Masked, int]]:
        """Masked positions of a few texts of differing lengths, for the check at load."""
        most = min(_SAMPLE_TOKENS, (self.longest or _SAMPLE_TOKENS) - len(self.closing))
        found = []
        for sentence in _SAMPLES:
            text = (*self.bos.ids, *self.tokenizer(sentence, add_special_tokens=False).input_ids)[:most]
            mask = int(self.tokenizer.mask_token_id)
            copies = masked_copies(text, range(len(text)), mask, self.closing)
            found += [(copy, text[copy.position]) for copy in copies[::4]]
        return found


def masked_copies(text: Text, words: Sequence[int], mask: int, closing: Text) -> list[Masked]:
    """The masked copies of a text, one for every position after the first.

    At each position its token and the later tokens of the same word are masked.

    Args:
        text: token ids.
        words: number of the word of each token; neighbours with equal numbers are one word.
        mask: id of the mask token.
        closing: ids that stand behind the text.
    """
    ends = list(range(1, len(text) + 1))
    for i in range(len(text) - 2, -1, -1):
        if words[i] == words[i + 1]:
            ends[i] = ends[i + 1]
    return [
        Masked((*text[:i], *(mask for _ in range(i, ends[i])), *text[ends[i] :], *closing), i)
        for i in range(1, len(text))
    ]


def _row(text: Text, copies: Sequence[Masked], answers: dict[Masked, Answer]) -> Scored:
    values = []
    for copy in copies:
        answer = answers[copy]
        if isinstance(answer, Failure):
            return answer
        values.append(answer[text[copy.position]])
    return tuple(values)


def closing(tokenizer: Any) -> Text:
    """Ids that the tokenizer puts behind a text ([SEP], </s>); empty if it puts none."""
    plain = tokenizer("a", add_special_tokens=False).input_ids
    full = tokenizer("a", add_special_tokens=True).input_ids
    for start in range(len(full) - len(plain) + 1):
        if full[start : start + len(plain)] == plain:
            return tuple(full[start + len(plain) :])
    return ()


def longest(model: Any, tokenizer: Any) -> int | None:
    """Most tokens of a text, special ones included; None if neither model nor tokenizer sets a limit.

    The smaller of the tokenizer's `model_max_length` and the model's positions. A table of positions with a padding
    row (RoBERTa and its kin) begins to count behind that row.
    """
    limits = [int(tokenizer.model_max_length)] if tokenizer.model_max_length < 10**9 else []
    declared = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if declared:
        limits.append(int(declared))
    for name, module in model.base_model.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            skipped = 0 if module.padding_idx is None else int(module.padding_idx) + 1
            limits.append(int(module.num_embeddings) - skipped)
    return min(limits, default=None)
