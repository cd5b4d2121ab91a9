"""The draw of the next token: temperature, top-k, top-p and a counter-based random number per (row, step)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEY_BITS = 2**64


def uniform(seed: int, step: int, attempt: int = 0) -> float:
    """A number in [0, 1) that depends on its arguments only (Philox keyed by seed and step, counted by attempt)."""
    key = np.array([seed % _KEY_BITS, step % _KEY_BITS], dtype=np.uint64)
    return float(np.random.Generator(np.random.Philox(key=key, counter=attempt)).random())


def draw(
    logits: NDArray[np.float32],
    token_ids: NDArray[np.int64],
    *,
    seed: int,
    step: int,
    temperature: float,
    top_k: int,
    top_p: float,
    refused: Callable[[int], bool] = lambda token: False,
) -> int:
    """The token drawn from a row's best candidates.

    The order of operations is that of transformers' samplers: temperature, then top-k, then top-p on the renormalised
    rest. top-p keeps the smallest set of best tokens whose probability reaches it, at least one. Equal logits are
    ordered by token id, so that the draw does not depend on how the candidates were found.

    Args:
        logits: (C,) float32 logits of the candidates; C must be at least top_k, or the whole vocabulary for top_k 0.
        token_ids: (C,) their token ids, in the same order.
        seed: the row's seed.
        step: number of the token in the answer, from 0.
        temperature: 0 for the best token.
        top_k: tokens kept; 0 for all.
        top_p: probability kept, in (0, 1].
        refused: tells whether a token may not be taken; a refused one is put aside and another drawn from the rest.
            When all candidates are refused, the best one is taken (the hygiene rules then drop the answer).

    Raises:
        ValueError: if no logit is finite.
    """
    order = np.lexsort((token_ids, -logits))
    if not np.isfinite(logits[order[0]]):
        raise ValueError("the model gave no finite logit for the next token; its weights or its precision are at fault")
    if temperature and top_k:
        order = order[:top_k]
    ids = [int(token) for token in token_ids[order]]
    if temperature == 0:
        return next((token for token in ids if not refused(token)), ids[0])
    scaled = logits[order].astype(np.float64) / temperature
    weights = np.exp(scaled - scaled[0])
    kept = int(np.searchsorted(np.cumsum(weights), top_p * weights.sum(), side="left")) + 1
    # Tokens behind top-p's edge are a reserve, in their order, for the case that all before it are refused.
    open_positions, reserve = list(range(min(kept, len(ids)))), list(range(kept, len(ids)))
    for attempt in range(len(ids)):
        if not open_positions:
            return next((ids[position] for position in reserve if not refused(ids[position])), ids[0])
        mass = np.cumsum(weights[open_positions])
        place = int(np.searchsorted(mass, uniform(seed, step, attempt) * mass[-1], side="right"))
        position = open_positions[min(place, len(open_positions) - 1)]
        if not refused(ids[position]):
            return ids[position]
        open_positions.remove(position)
    return ids[0]
