"""Floating-point operations of a scoring run, counted from the positions that must be computed."""

from __future__ import annotations

from typing import Any, NamedTuple

from benchmarks.workloads import Counts


class Cost(NamedTuple):
    """Operations of one position in body and head, and of one attended key in all layers."""

    body: float
    head: float
    key: float


def of(model: Any) -> Cost:
    """Two operations per parameter of the body's matrices and of the head; four per attended key, head and dimension.

    Embedding look-ups, norms and activations are not counted: the share of the matrix-product peak is meant.

    Raises:
        ValueError: the model's output is not a plain matrix of (vocabulary, hidden size).
    """
    config = model.config.get_text_config(decoder=True)
    head = model.get_output_embeddings().weight
    if head.shape != (config.vocab_size, config.hidden_size):
        raise ValueError(f"{type(model).__name__}: the head has shape {tuple(head.shape)}")
    embedding = model.get_input_embeddings().weight
    body = sum(p.numel() for p in model.base_model.parameters() if p.ndim == 2 and p is not embedding)
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return Cost(2.0 * body, 2.0 * head.numel(), 4.0 * config.num_attention_heads * width * config.num_hidden_layers)


def operations(cost: Cost, counts: Counts) -> tuple[float, float]:
    """(matrix products, attention) of a workload in which every distinct position is run once."""
    return (cost.body + cost.head) * counts.internal, cost.key * counts.keys
