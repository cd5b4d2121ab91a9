"""Which way of running a prefix tree is right for a model: found by comparing with the plain model, at every load.

About twenty short texts that branch after beginnings of several lengths, and two that are longer than the model's
sliding window where it has a short one, are scored by the plain model one at a time and by each way in turn; the first
way that agrees is taken. Families differ in how they build masks, biases and positions, and some ignore a mask without
a word, so a list of families would not do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dualpair.scoring import ways
from dualpair.scoring.head import Head

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM

log = logging.getLogger(__name__)

Ids = tuple[int, ...]

# Largest mean gap (nats a token) of one text. In half precision the packing alone moves it by a few hundredths; a mask
# that is wrong moves it by more than one.
TOLERANCE = {"float32": 5e-5, "float16": 0.03, "bfloat16": 0.15}
LONGEST_WINDOW = 1024  # a longer window is not checked, and texts longer than it are run in sorted batches
_TEXT = (
    "The weather was mild in the morning, and the children walked to school with their parents. In the evening the "
    "neighbours sat in front of the house and talked about the garden, the harvest and the price of bread."
)
_ATTENTION = {"full_attention", "sliding_attention", "chunked_attention"}
_TAIL = 8  # compared tokens of a long text
_REFUSED = (ValueError, TypeError, RuntimeError, AttributeError, KeyError, IndexError, NotImplementedError)


class Choice(NamedTuple):
    """The way that is right, and the longest text for which that was shown (None: any)."""

    way: ways.Way
    longest: int | None


def choose(lm: LoadedLM, head: Head, score: Callable[[ways.Way, Sequence[Ids]], list[tuple[float, ...]]]) -> Choice:
    """The fastest way whose log-probabilities are the plain model's.

    Args:
        lm: the model.
        head: its head, checked already.
        score: applies a way to texts; gives log-probabilities of the tokens after the first.
    """
    window = ways.window_of(lm.model)
    long = [] if window is None or window > LONGEST_WINDOW else _beyond(lm, window)
    longest = window if window is not None and not long else None
    texts = [*branching(lm), *long]
    expected = {text: plain(lm, text, len(text) - 1) for text in texts if text not in long}
    expected |= {text: plain(lm, text, _TAIL) for text in long[-1:]}  # the other is there to share its beginning
    for name, make in _makers(lm, head):
        try:
            way = make()
            gap = _gap(dict(zip(texts, score(way, texts), strict=True)), expected)
        except _REFUSED as error:
            why = (str(error) or type(error).__name__).splitlines()[0]
            log.info("%s: %s cannot be used: %s", lm.name, name, why[:200])
            continue
        if gap <= TOLERANCE[lm.dtype]:
            log.info("%s: %s, checked against the plain model (gap %.2g nats a token)", lm.name, name, gap)
            return Choice(way, longest)
        log.info("%s: %s differs from the plain model by %.3g nats a token; not used", lm.name, name, gap)
    log.warning("%s: scoring in length-sorted batches (slower: nothing is shared); see the log for why", lm.name)
    return Choice(ways.SortedBatches(lm.model, head), None)


def branching(lm: LoadedLM) -> list[Ids]:
    """Twenty texts of 4 to 13 tokens that branch at the first token, inside, and at the last one."""
    base = _base(lm, 40)
    texts = [base[: 3 + i % 5] + base[10 + i : 11 + i + i % 7] for i in range(18)]
    return [*texts, base[:9], base[:8] + base[20:21]]


def plain(lm: LoadedLM, ids: Ids, last: int) -> tuple[float, ...]:
    """Log-probabilities of the `last` tokens of one text from the model's own logits, in nats."""
    import inspect

    import torch

    parameters = inspect.signature(lm.model.forward).parameters
    few = {"logits_to_keep": last} if "logits_to_keep" in parameters else {}
    with torch.inference_mode():
        row = torch.tensor([ids[:-1]], device=lm.device)
        logits = lm.model(input_ids=row, use_cache=False, **few).logits[0, -last:].float().cpu()
    chosen = logits.gather(1, torch.tensor(ids[-last:])[:, None])[:, 0].double()
    return tuple((chosen - torch.logsumexp(logits.double(), dim=1)).tolist())


def _makers(lm: LoadedLM, head: Head) -> Iterator[tuple[str, Callable[[], ways.Way]]]:
    """The ways that share something, the fastest first, each with its name."""
    kinds = set(getattr(ways.text_config(lm.model), "layer_types", None) or ())
    if kinds - _ATTENTION:  # convolution or a recurrent state runs along the row, not along the tree
        log.info("%s: layers of the kind %s take no tree", lm.name, ", ".join(sorted(kinds - _ATTENTION)))
        return
    yield "flat tree", lambda: ways.FlatTree(lm.model, head)
    if kinds:
        yield "padded tree, a mask for each kind of layer", lambda: ways.PaddedTree(lm.model, head, True)
    yield "padded tree", lambda: ways.PaddedTree(lm.model, head, False)


def _gap(found: dict[Ids, tuple[float, ...]], expected: dict[Ids, tuple[float, ...]]) -> float:
    """Largest mean difference of a text, in nats a token; not-a-number counts as infinite."""
    gaps = [float(np.mean(np.abs(np.subtract(found[ids][-len(want) :], want)))) for ids, want in expected.items()]
    return max(gap if np.isfinite(gap) else np.inf for gap in gaps)


def _beyond(lm: LoadedLM, window: int) -> list[Ids]:
    """Two texts longer than the window that branch just before their end; none if the model takes no such text."""
    limit = ways.longest_text(lm.model)
    if limit is not None and limit < window + _TAIL + 2:
        return []
    base = _base(lm, window + _TAIL + 2)
    return [base, base[: -_TAIL // 2] + base[5 : 5 + _TAIL // 2]]


def _base(lm: LoadedLM, length: int) -> Ids:
    """Token ids of an everyday text, repeated as often as needed."""
    ids = lm.tokenizer(_TEXT, add_special_tokens=True).input_ids
    return tuple((ids * (length // len(ids) + 1))[:length])
