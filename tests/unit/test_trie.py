"""The prefix tree: texts as paths, rows closed under ancestors, attention that sees ancestors only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair.scoring import trie
from dualpair.scoring.tree_attention import TreeBatch

TEXTS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=9).map(tuple), min_size=1, max_size=25)


def test_a_small_tree_by_hand() -> None:
    tree = trie.build([(7, 1, 2), (7, 1), (7, 3), (7, 1, 2), (9,)])
    assert tree.token.tolist() == [7, 1, 2, 3, 9]
    assert tree.parent.tolist() == [-1, 0, 1, 0, -1]
    assert tree.depth.tolist() == [0, 1, 2, 1, 0]
    assert tree.end.tolist() == [4, 3, 3, 4, 5]
    assert [path.tolist() for path in tree.paths] == [[0, 1, 2], [0, 1], [0, 3], [0, 1, 2], [4]]
    assert tree.scored().tolist() == [True, True, False, False, False]
    assert tree.ancestors(np.array([2, 4])).tolist() == [True, True, True, False, True]
    assert trie.leaves(tree, tree.scored()).tolist() == [1]


def test_a_text_without_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="without tokens"):
        trie.build([(1,), ()])


@given(TEXTS)
def test_paths_spell_the_texts_and_no_prefix_occurs_twice(texts: list[tuple[int, ...]]) -> None:
    tree = trie.build(texts)
    assert [tuple(tree.token[path].tolist()) for path in tree.paths] == texts
    prefixes = {text[: i + 1] for text in texts for i in range(len(text))}
    assert len(tree.token) == len(prefixes)
    inner = {text[: i + 1] for text in texts for i in range(len(text) - 1)}
    assert int(tree.scored().sum()) == len(inner)


@settings(max_examples=200)
@given(TEXTS, st.integers(1, 12))
def test_rows_hold_every_node_once_and_all_its_ancestors(texts: list[tuple[int, ...]], size: int) -> None:
    tree = trie.build(texts)
    run = tree.scored()
    rows = trie.cut(tree, run, size)
    fresh = [node for row in rows for node in row.nodes[row.fresh].tolist()]
    assert sorted(fresh) == np.flatnonzero(run).tolist()
    for row in rows:
        held = set(row.nodes.tolist())
        assert all(tree.parent[node] < 0 or int(tree.parent[node]) in held for node in held)
        repeated = int((~row.fresh).sum())
        assert len(row.nodes) <= max(size, 2 * repeated, repeated + 1)
        assert row.nodes.tolist() == sorted(held)


@settings(deadline=None)
@given(TEXTS, st.integers(2, 12), st.sampled_from([None, 1, 2, 3]))
def test_a_token_sees_its_ancestors_within_the_window_and_itself(
    texts: list[tuple[int, ...]], size: int, window: int | None
) -> None:
    import torch

    tree = trie.build(texts)
    rows = trie.cut(tree, tree.ancestors(np.arange(len(tree.token))), size)
    batch = TreeBatch(tree, rows, "cpu", torch.float32)
    mask = batch.mask(window)
    assert mask.shape == (len(rows), 1, batch.width, batch.width)
    for number, row in enumerate(rows):
        for i, node in enumerate(row.nodes.tolist()):
            above = trie.path(tree, node).tolist()
            want = set(above if window is None else above[-window:])
            seen = {int(row.nodes[j]) for j in range(len(row.nodes)) if mask[number, 0, i, j] == 0}
            assert seen == want
        for i in range(len(row.nodes), batch.width):  # padding
            assert mask[number, 0, i].eq(0).nonzero().flatten().tolist() == [i]


@settings(deadline=None)
@given(TEXTS, st.integers(2, 12))
def test_blocks_and_back(texts: list[tuple[int, ...]], size: int) -> None:
    import torch

    tree = trie.build(texts)
    rows = trie.cut(tree, tree.ancestors(np.arange(len(tree.token))), size)
    batch = TreeBatch(tree, rows, "cpu", torch.float32)
    values = torch.arange(2 * len(batch.ids) * 3, dtype=torch.float32).view(2, -1, 3)
    assert torch.equal(batch.flat(batch.blocks(values)), values.transpose(0, 1))
    assert batch.grid(batch.ids).shape == (len(rows), batch.width)
