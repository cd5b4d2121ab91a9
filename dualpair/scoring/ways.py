"""Three ways to run a prefix tree through a model's body; all give the hidden state of every node that is asked for.

1. flat tree: rows of the tree behind one another without padding, through an attention function of our own;
2. padded tree: rows of the tree as a batch with a four-dimensional mask, for models with their own attention code;
3. length-sorted batches: every path that ends in a leaf, right-padded; right for any causal model, but shares nothing.

`selfcheck.choose` finds the fastest that is right for a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from dualpair.scoring import batches, tree_attention
from dualpair.scoring.head import Head
from dualpair.scoring.tree_attention import TreeBatch
from dualpair.scoring.trie import Bools, Ints, Row, Trie, cut, leaves, path

Sink = Callable[[Ints, Any], None]
"""Takes node numbers (n,) and their hidden states (n, d)."""

_ATTENTION_SHARE = 0.05  # of the body's work: what sets the length of a row
_ROW_SIZES = (64, 512)


class Way(Protocol):
    """A way to run the body over a tree."""

    name: str

    def run(self, trie: Trie, run: Bools, budget: int, sink: Sink) -> None:
        """Give `sink` the hidden state of every node in `run`, once, in batches of at most `budget` tokens.

        Out-of-memory halves the budget and goes on.
        """
        ...


class FlatTree:
    """Rows without padding, attention by `tree_attention.attend`."""

    name = "flat tree"

    def __init__(self, model: Any, head: Head) -> None:
        self.head, self.size = head, row_size(model)
        self.configs = list({id(m.config): m.config for m in model.modules() if hasattr(m, "config")}.values())
        tree_attention.register()

    def run(self, trie: Trie, run: Bools, budget: int, sink: Sink) -> None:
        """See `Way.run`.

        Raises:
            ValueError: the model's attention does not ask the registered function.
        """

        def states(batch: TreeBatch) -> Any:
            with tree_attention.using(self.configs, batch):
                hidden = self.head.states(batch.ids[None], None, batch.positions[None], use_cache=False)[0]
            if not batch.calls:
                raise ValueError("its attention does not go through the registry of attention functions")
            return hidden

        _run_rows(trie, cut(trie, run, self.size), budget, self.head, states, sink)


class PaddedTree:
    """Rows as a batch with a mask per row; `by_type` gives a mask for each of the model's kinds of layer."""

    name = "padded tree"

    def __init__(self, model: Any, head: Head, by_type: bool) -> None:
        self.head, self.size, self.by_type = head, row_size(model), by_type
        self.window = window_of(model)
        self.types = sorted(set(getattr(text_config(model), "layer_types", None) or ["full_attention"]))

    def run(self, trie: Trie, run: Bools, budget: int, sink: Sink) -> None:
        """See `Way.run`."""

        def states(batch: TreeBatch) -> Any:
            mask = batch.mask(self.window)
            if self.by_type:
                windows = {kind: None if kind == "full_attention" else self.window for kind in self.types}
                mask = {kind: batch.mask(window) for kind, window in windows.items()}
            ids, positions = batch.grid(batch.ids), batch.grid(batch.positions)
            hidden = self.head.states(ids, mask, positions, use_cache=False)
            return hidden.reshape(-1, hidden.shape[-1])[batch.places]

        _run_rows(trie, cut(trie, run, self.size), budget, self.head, states, sink)


class SortedBatches:
    """Whole paths, right-padded: the way that every causal model takes."""

    name = "length-sorted batches"

    def __init__(self, model: Any, head: Head) -> None:
        self.head = head

    def run(self, trie: Trie, run: Bools, budget: int, sink: Sink) -> None:
        """See `Way.run`."""
        todo = [path(trie, int(node)) for node in leaves(trie, run)]
        fresh: list[Any] = []
        seen = np.zeros(len(trie.token), dtype=np.bool_)
        for nodes in todo:
            fresh.append(~seen[nodes])
            seen[nodes] = True

        def call(rows: list[int]) -> None:
            ids, mask, positions = padded([trie.token[todo[i]].tolist() for i in rows], self.head.device)
            hidden = self.head.states(ids, mask, positions, use_cache=False)
            width = ids.shape[1]
            places = np.concatenate([k * width + np.flatnonzero(fresh[i]) for k, i in enumerate(rows)])
            nodes = np.concatenate([todo[i][fresh[i]] for i in rows])
            sink(nodes, hidden.reshape(-1, hidden.shape[-1])[_index(places, hidden)])

        batches.run([len(nodes) for nodes in todo], budget, call)


def row_size(model: Any) -> int:
    """Nodes of a row so that attention stays a small share of the body's work (it grows with the row's length)."""
    config = text_config(model)
    layers, heads = int(config.num_hidden_layers), int(config.num_attention_heads)
    size = int(getattr(config, "head_dim", None) or config.hidden_size // heads)
    body = sum(p.numel() for p in model.base_model.parameters()) - model.get_output_embeddings().weight.numel()
    fitting = int(_ATTENTION_SHARE * 2 * max(body, 0) / (4 * layers * heads * size))
    return min(max(fitting, _ROW_SIZES[0]), _ROW_SIZES[1])


def window_of(model: Any) -> int | None:
    """Tokens that a sliding-window layer sees, or None."""
    config = text_config(model)
    window = getattr(config, "sliding_window", None)
    if not window or getattr(config, "use_sliding_window", True) is False:
        return None
    return int(window)


def longest_text(model: Any) -> int | None:
    """Positions that the model has, or None when its config names no limit."""
    config = text_config(model)
    for name in ("max_position_embeddings", "n_positions", "max_sequence_length", "max_seq_len"):
        if isinstance(limit := getattr(config, name, None), int):
            return limit
    return None


def padded(rows: Sequence[Sequence[int]], device: Any) -> tuple[Any, Any, Any]:
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


def _run_rows(
    trie: Trie, rows: list[Row], budget: int, head: Head, states: Callable[[TreeBatch], Any], sink: Sink
) -> None:
    def call(chosen: list[int]) -> None:
        picked = [rows[i] for i in chosen]
        hidden = states(TreeBatch(trie, picked, head.device, head.dtype))
        nodes = np.concatenate([row.nodes for row in picked])
        fresh = np.concatenate([row.fresh for row in picked])
        sink(nodes[fresh], hidden if fresh.all() else hidden[_index(np.flatnonzero(fresh), hidden)])

    batches.run([len(row.nodes) for row in rows], budget, call)


def _index(places: Any, like: Any) -> Any:
    import torch

    return torch.from_numpy(places).to(like.device)


def text_config(model: Any) -> Any:
    """The part of a model's config that describes its text decoder."""
    return model.config.get_text_config(decoder=True)
