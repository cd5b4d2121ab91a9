"""A short cut to the best dependency tree.

stanza finds the best tree with one root by the algorithm of Chu and Liu and Edmonds on scores that make a second root
too dear (Stanojević and Cohen 2021), which costs a good part of its time. Where each word's best head already gives a
tree with one root no other choice can score more, and the search is spared.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Scores: TypeAlias = np.ndarray[Any, np.dtype[np.floating[Any]]]
    Heads: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]


def best_heads(scores: Scores) -> Heads | None:
    """Each word's best head if these make a tree with one root, else None.

    Args:
        scores: (n + 1, n + 1); ``scores[i, j]`` is the score of word j as head of word i, 0 being the root.

    Returns:
        (n + 1,) heads, 0 for the place of the root itself.
    """
    import numpy as np

    own = np.array(scores, copy=True)
    np.fill_diagonal(own, -np.inf)
    own[0] = -np.inf
    own[0, 0] = 0
    heads = np.argmax(own, axis=1)
    if np.count_nonzero(heads[1:] == 0) != 1:
        return None
    # A head's head and so on, doubling the steps: all end at the root, or there is a cycle.
    reached, steps = heads, 1
    while steps < len(heads):
        reached, steps = reached[reached], steps * 2
    return None if reached.any() else heads


@contextlib.contextmanager
def quick_trees() -> Iterator[None]:
    """Let stanza's parser take the short cut inside this context."""
    from stanza.models.depparse import model

    search: Callable[[Scores], Heads] = model.chuliu_edmonds_one_root

    def quick(scores: Scores) -> Heads:
        heads = best_heads(scores)
        return search(scores) if heads is None else heads

    model.chuliu_edmonds_one_root = quick
    try:
        yield
    finally:
        model.chuliu_edmonds_one_root = search
