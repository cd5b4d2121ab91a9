"""How far each method is from a float32 body with a float64 head, computed one text at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.methods import Values, values_of

if TYPE_CHECKING:
    from dualpair.scoring.tokenisation import Encoded

_CHUNK = 32768  # vocabulary rows that are float64 at a time


class Deviation(NamedTuple):
    """Absolute differences per text in nats; `error` is the standard error of their mean, `n` how many there are."""

    largest: float
    mean: float
    error: float
    n: int


def reference(model: Any, encoded: Sequence[Encoded]) -> Values:
    """Log-probability sums from a float32 body, one text at a time, and a head computed wholly in float64.

    Raises:
        ValueError: the model is not float32, or does something to its logits that is not done here.
    """
    import torch

    config = model.config.get_text_config(decoder=True)
    if model.dtype != torch.float32 or getattr(config, "final_logit_softcapping", None):
        raise ValueError(f"{type(model).__name__}: the reference needs float32 weights and plain logits")
    with torch.inference_mode():
        states = [
            model.base_model(input_ids=torch.tensor([text.ids]), use_cache=False).last_hidden_state[0, :-1].double()
            for text in encoded
        ]
        targets = torch.tensor([token for text in encoded for token in text.ids[1:]])
        found = _log_probabilities(torch.cat(states), model.get_output_embeddings().weight, targets).tolist()
    rows, start = [], 0
    for text in encoded:
        rows.append(found[start : start + len(text.ids) - 1])
        start += len(text.ids) - 1
    return values_of(encoded, rows)


def _log_probabilities(hidden: Any, weight: Any, targets: Any) -> Any:
    """Natural log of softmax(hidden @ weight.T) at `targets`, all in float64."""
    import torch

    norm = torch.full((hidden.shape[0],), -math.inf, dtype=torch.float64)
    for start in range(0, weight.shape[0], _CHUNK):
        logits = hidden @ weight[start : start + _CHUNK].double().T
        norm = torch.logaddexp(norm, torch.logsumexp(logits, 1))
    return (hidden * weight[targets].double()).sum(1) - norm


def deviation(found: Sequence[float], wanted: Sequence[float]) -> Deviation:
    """Compare sums of the same texts.

    Raises:
        ValueError: nothing to compare.
    """
    gaps = [abs(a - b) for a, b in zip(found, wanted, strict=True)]
    if not gaps:
        raise ValueError("no text to compare")
    mean = sum(gaps) / len(gaps)
    variance = sum((gap - mean) ** 2 for gap in gaps) / max(len(gaps) - 1, 1)
    return Deviation(max(gaps), mean, math.sqrt(variance / len(gaps)), len(gaps))


def same_tokens(method: Any, pairs: Sequence[Any], encoded: Sequence[Encoded]) -> list[bool]:
    """Whether a method scores each text from the same tokens, split at the same place, as the scoring contract says.

    Raises:
        ValueError: it puts BOS in front twice, or not at all; then no text is comparable.
    """
    if not hasattr(method, "ids"):
        return [True] * len(pairs)
    same = []
    for pair, text in zip(pairs, encoded, strict=True):
        ids, n_prefix = method.ids(pair)
        front = text.ids[: text.n_bos]
        if tuple(ids[: text.n_bos]) != front or tuple(ids[text.n_bos : 2 * text.n_bos]) == front:
            raise ValueError(f"{method.name}: BOS is not in front exactly once: {ids[:4]}")
        same.append(tuple(ids) == text.ids and n_prefix in (None, text.n_prefix))
    return same


def spread(n: int, total: int) -> list[int]:
    """At most `n` row numbers of `total`, evenly spread."""
    n = min(n, total)
    return [i * total // n for i in range(n)]
