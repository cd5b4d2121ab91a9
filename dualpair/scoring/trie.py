"""Texts as one prefix tree over token ids, and its cutting into short rows that a model can run.

Nodes are numbered in depth-first order, so that the descendants of a node are the numbers behind it up to `end`, and a
node is an ancestor of another if its own range covers the other's number. A text is the path from its first token to
its last. Only nodes whose next token is asked for are run; the last token of a text never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Trie(NamedTuple):
    """A forest of token ids; every array has one entry per node.

    token: its id. parent: number of the node before it, -1 for a first token. depth: tokens before it. end: one past
    the last number of its descendants. paths: for each text, in the order given to `build`, the nodes of its tokens.
    """

    token: Ints
    parent: Ints
    depth: Ints
    end: Ints
    paths: list[Ints]

    def scored(self) -> Bools:
        """Nodes that must be run so that every token after a first one can be scored: those with a child."""
        inner = np.zeros(len(self.token), dtype=np.bool_)
        inner[self.parent[self.parent >= 0]] = True
        return inner

    def ancestors(self, nodes: Ints) -> Bools:
        """The given nodes and all nodes before them."""
        wanted = np.zeros(len(self.token), dtype=np.bool_)
        while len(nodes):
            wanted[nodes] = True
            nodes = np.unique(self.parent[nodes])
            nodes = nodes[nodes >= 0]
            nodes = nodes[~wanted[nodes]]
        return wanted


class Row(NamedTuple):
    """A piece of the tree that is closed under ancestors.

    nodes: ascending node numbers. fresh: which of them no earlier row holds (the others are repeated ancestors).
    """

    nodes: Ints
    fresh: Bools


def build(texts: Sequence[Sequence[int]]) -> Trie:
    """Merge texts into a prefix tree; equal texts share a path, a text may end inside another.

    Raises:
        ValueError: an empty text.
    """
    if not all(len(text) for text in texts):
        raise ValueError("a text without tokens has no place in the prefix tree")
    order = sorted(range(len(texts)), key=lambda i: tuple(texts[i]))
    token: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    end: list[int] = []
    paths: list[Ints] = [np.zeros(0, dtype=np.int64)] * len(texts)
    stack: list[int] = []
    before: Sequence[int] = ()
    for number in order:
        text = texts[number]
        shared = common_length(before, text)
        for node in stack[shared:]:
            end[node] = len(token)
        del stack[shared:]
        for place in range(shared, len(text)):
            parent.append(stack[-1] if stack else -1)
            stack.append(len(token))
            token.append(text[place])
            depth.append(place)
            end.append(0)
        paths[number] = np.array(stack, dtype=np.int64)
        before = text
    for node in stack:
        end[node] = len(token)
    tokens, parents, depths, ends = (np.array(values, dtype=np.int64) for values in (token, parent, depth, end))
    return Trie(tokens, parents, depths, ends, paths)


def common_length(a: Sequence[int], b: Sequence[int]) -> int:
    """Number of tokens with which two texts both begin."""
    shared = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        shared += 1
    return shared


def cut(trie: Trie, run: Bools, size: int) -> list[Row]:
    """Cut the nodes to be run into rows of at most `size` nodes, in depth-first order, ancestors repeated.

    Attention is quadratic in a row's length, so rows are short; a path longer than half a row gets a longer row, lest a
    row hold little but ancestors.

    Args:
        trie: the tree.
        run: which nodes are run; closed under ancestors.
        size: nodes of a row.
    """
    rows: list[Row] = []
    nodes: list[int] = []
    repeated = 0
    limit = size
    for node in np.flatnonzero(run).tolist():
        if not nodes or len(nodes) >= limit:
            if nodes:
                rows.append(_row(nodes, repeated))
            nodes = _above(trie, node)
            repeated = len(nodes)
            limit = max(size, 2 * repeated)
        nodes.append(node)
    if nodes:
        rows.append(_row(nodes, repeated))
    return rows


def leaves(trie: Trie, run: Bools) -> Ints:
    """Nodes to be run behind which nothing is run: the paths that end in them cover all of `run`."""
    last = run.copy()
    above = trie.parent[run]
    last[above[above >= 0]] = False
    return np.flatnonzero(last)


def path(trie: Trie, node: int) -> Ints:
    """Nodes from the first token to `node`."""
    return np.array([*_above(trie, node), node], dtype=np.int64)


def _above(trie: Trie, node: int) -> list[int]:
    found = []
    while (node := int(trie.parent[node])) >= 0:
        found.append(node)
    return found[::-1]


def _row(nodes: list[int], repeated: int) -> Row:
    fresh = np.ones(len(nodes), dtype=np.bool_)
    fresh[:repeated] = False
    return Row(np.array(nodes, dtype=np.int64), fresh)
