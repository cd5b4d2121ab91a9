"""Attention in which a token sees its ancestors in a prefix tree and itself, and nothing else.

Two forms. *Flat*: the rows of a batch stand one behind the other in one sequence without padding; an attention function
registered with transformers takes them apart into blocks. *Padded*: rows are the batch, the mask is an ordinary
four-dimensional one that most models accept. Both take the distance of two tokens from their depths, which is what a
sliding window means; a library's own masks would take it from their places in the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from dualpair.scoring.trie import Row, Trie

NAME = "dualpair_tree"


class TreeBatch:
    """Some rows of a tree ready for a model: places, depths and masks.

    Attributes:
        ids, positions: int64 (N,), all rows one behind the other.
        width: nodes of the longest row.
        calls: how often the attention function was asked for this batch.
    """

    def __init__(self, trie: Trie, rows: Sequence[Row], device: Any, dtype: Any) -> None:
        import torch

        self.device, self.dtype = device, dtype
        self.lengths = [len(row.nodes) for row in rows]
        self.width, self.calls = max(self.lengths), 0
        nodes = np.concatenate([row.nodes for row in rows])
        self.ids = torch.from_numpy(trie.token[nodes]).to(device)
        self.positions = torch.from_numpy(trie.depth[nodes]).to(device)
        grid = np.full((len(rows), self.width), -1, dtype=np.int64)
        for number, row in enumerate(rows):
            grid[number, : len(row.nodes)] = row.nodes
        real = grid >= 0
        self._depths = torch.from_numpy(np.where(real, trie.depth[grid], 0)).to(device)
        begin, stop = np.where(real, grid, -1), np.where(real, trie.end[grid], -1)
        seen = (begin[:, None, :] <= grid[:, :, None]) & (grid[:, :, None] < stop[:, None, :]) & real[:, None, :]
        seen |= np.eye(self.width, dtype=np.bool_)  # padding sees itself: a row that sees nothing would be NaN
        self._seen = torch.from_numpy(seen).to(device)
        self.deepest = int(trie.depth[nodes].max())
        self.full = all(length == self.width for length in self.lengths)
        self.places = torch.from_numpy(np.flatnonzero(real)).to(device)  # of the N tokens in the (rows x width) grid
        sources = np.zeros(grid.size, dtype=np.int64)
        sources[np.flatnonzero(real)] = np.arange(len(nodes))
        self.sources = torch.from_numpy(sources).to(device)  # of the grid's cells in the N tokens; 0 for padding
        self._masks: dict[tuple[int, int], Any] = {}

    def mask(self, window: int | None, repeat: int = 1) -> Any:
        """Additive mask (rows, 1, repeat x width, width): 0 where a token is seen, the dtype's least value elsewhere.

        Args:
            window: a token sees those less than `window` before it, itself counted; None for all.
            repeat: query heads that share a key head, folded into the query length.
        """
        import torch

        reach = self.deepest + 1 if window is None else min(window, self.deepest + 1)
        key = (reach, repeat)
        if key not in self._masks:
            seen = self._seen
            if reach <= self.deepest:
                seen = seen & (self._depths[:, :, None] - self._depths[:, None, :] < reach)
            mask = torch.zeros(seen.shape, dtype=self.dtype, device=self.device)
            mask.masked_fill_(~seen, torch.finfo(self.dtype).min)
            self._masks[key] = mask.repeat(1, repeat, 1)[:, None]
        return self._masks[key]

    def grid(self, values: Any) -> Any:
        """N values as (rows, width); padding repeats the first."""
        return values[self.sources].view(-1, self.width)

    def blocks(self, values: Any) -> Any:
        """Heads x N tokens x d as rows x heads x width x d."""
        heads, _, size = values.shape
        picked = values if self.full else values.index_select(1, self.sources)
        return picked.view(heads, -1, self.width, size).transpose(0, 1)

    def flat(self, blocks: Any) -> Any:
        """Rows x heads x width x d as N tokens x heads x d."""
        rows, heads, width, size = blocks.shape
        whole = blocks.transpose(1, 2).reshape(rows * width, heads, size)
        return whole if self.full else whole.index_select(0, self.places)


_current: list[TreeBatch] = []


@contextmanager
def using(configs: Sequence[Any], batch: TreeBatch) -> Iterator[None]:
    """Let a model whose `configs` these are attend as the batch says, for the length of the block."""
    before = [config._attn_implementation_internal for config in configs]
    _current.append(batch)
    try:
        for config in configs:
            config._attn_implementation_internal = NAME
        yield
    finally:
        _current.pop()
        for config, value in zip(configs, before, strict=True):
            config._attn_implementation_internal = value


def register() -> None:
    """Make the attention function known to transformers (once)."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, attend)


def attend(
    module: Any,
    query: Any,
    key: Any,
    value: Any,
    attention_mask: Any,
    scaling: float | None = None,
    dropout: float = 0.0,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Any = None,
    **more: Any,
) -> tuple[Any, None]:
    """Attention of one layer over the current batch; query (1, heads, N, d), key and value (1, key heads, N, d).

    Soft-capping (Gemma 2) and attention sinks (GPT-OSS) are computed here. Whatever else a family does to its scores is
    found by the comparison with the plain model that precedes every use.

    Returns:
        (1, N, heads, d) and no weights.
    """
    import torch

    batch = _current[-1]
    batch.calls += 1
    heads, shared = query.shape[1], key.shape[1]
    fold = heads // shared
    q, k, v = batch.blocks(query[0]), batch.blocks(key[0]), batch.blocks(value[0])
    rows, _, width, size = q.shape
    q = q.reshape(rows, shared, fold * width, size)  # heads of one key head one below the other
    mask = batch.mask(sliding_window, fold)
    scale = size**-0.5 if scaling is None else scaling
    if softcap is None and s_aux is None:
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    else:
        out = _by_hand(q, k, v, mask, scale, softcap, s_aux, fold)
    out = out.reshape(rows, heads, width, value.shape[-1])
    return batch.flat(out).unsqueeze(0), None


def _by_hand(q: Any, k: Any, v: Any, mask: Any, scale: float, softcap: float | None, sinks: Any, fold: int) -> Any:
    """Scores, cap, mask, sink and softmax (float32) one after the other."""
    import torch

    scores = (q @ k.transpose(2, 3)) * scale
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    scores = (scores + mask).float()
    if sinks is not None:
        rows, shared, length, _ = scores.shape
        sink = sinks.float().view(shared, fold, 1).expand(shared, fold, length // fold).reshape(1, shared, length, 1)
        weights = torch.cat([scores, sink.expand(rows, shared, length, 1)], dim=3).softmax(3)[..., :-1]
    else:
        weights = scores.softmax(3)
    return weights.to(v.dtype) @ v
