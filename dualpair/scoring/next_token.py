"""Log-probabilities of chosen next tokens after many prompts that begin alike: the common beginning is run once."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dualpair.scoring import batches
from dualpair.scoring.causal import padded
from dualpair.scoring.head import Head, head_of

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM


def common_prefix(prompts: Sequence[Sequence[int]]) -> int:
    """Length of the longest beginning that all prompts share, leaving each at least one token of its own."""
    first, last = min(map(tuple, prompts)), max(map(tuple, prompts))  # equal up to where any two differ
    shared = 0
    for a, b in zip(first, last, strict=False):
        if a != b:
            break
        shared += 1
    return min(shared, min(len(prompt) for prompt in prompts) - 1)


def next_token_logprobs(
    lm: LoadedLM, prompts: Sequence[Sequence[int]], targets: Sequence[int], token_budget: int = 4096
) -> npt.NDArray[np.float64]:
    """Log-probability log P(target | prompt) over the full vocabulary, in nats.

    The longest common beginning of the prompts (an instruction, a chat header) is run once and its keys and values are
    shared by all of them; the rest of each prompt is right-padded behind it.

    Args:
        lm: a loaded causal model.
        prompts: token ids, each prompt with at least one.
        targets: token ids to look up, t of them.
        token_budget: most tokens of a forward pass, the shared beginning counted in every row.

    Returns:
        float64 of shape (len(prompts), t), in input order.

    Raises:
        ValueError: an empty prompt, or no target.
    """
    if not targets or not all(len(prompt) for prompt in prompts):
        raise ValueError("next-token log-probabilities need at least one target and no empty prompt")
    result = np.empty((len(prompts), len(targets)), dtype=np.float64)
    if not prompts:
        return result
    import torch

    rows: dict[tuple[int, ...], list[int]] = {}
    for number, prompt in enumerate(prompts):
        rows.setdefault(tuple(prompt), []).append(number)
    texts = sorted(rows)
    shared = _shareable(lm, texts)
    head = head_of(lm)
    wanted = torch.tensor(list(targets), device=lm.device)
    with torch.inference_mode():
        cache = _run_shared(lm, head, texts[0][:shared]) if shared else None

        def call(batch: list[int]) -> None:
            tails = [texts[i][shared:] for i in batch]
            with torch.inference_mode():
                found = head.logprobs_of(_last_states(lm, head, cache, shared, tails), wanted).cpu().numpy()
            for i, values in zip(batch, found, strict=True):
                result[rows[texts[i]]] = values

        batches.run([len(text) for text in texts], token_budget, call)
    return result


def _shareable(lm: LoadedLM, texts: Sequence[tuple[int, ...]]) -> int:
    """Tokens to share: none when a sliding window is shorter than a prompt (a copied cache would lose its offset)."""
    config = lm.model.config.get_text_config(decoder=True)
    window = getattr(config, "sliding_window", None)
    if len(texts) < 2 or (window is not None and max(len(text) for text in texts) > window):
        return 0
    return common_prefix(texts)


def _run_shared(lm: LoadedLM, head: Head, ids: tuple[int, ...]) -> Any:
    """Keys and values of the shared beginning."""
    import torch
    from transformers import DynamicCache

    cache = DynamicCache()
    ids_row = torch.tensor([ids], device=lm.device)
    head.body(input_ids=ids_row, use_cache=True, **{_cache_argument(head.body): cache})
    return cache


def _last_states(lm: LoadedLM, head: Head, cache: Any, shared: int, tails: Sequence[tuple[int, ...]]) -> Any:
    """Hidden state (n, d) at the last token of each prompt."""
    import torch

    ids, mask, positions = padded(tails, lm.device)
    more: dict[str, Any] = {"use_cache": cache is not None}
    if cache is not None:
        own = copy.deepcopy(cache)
        own.batch_repeat_interleave(len(tails))
        more[_cache_argument(head.body)] = own
        mask = torch.cat([mask.new_ones((len(tails), shared)), mask], dim=1)
    hidden = head.states(ids, mask, positions + shared, **more)
    ends = torch.tensor([len(tail) - 1 for tail in tails], device=lm.device)
    return hidden[torch.arange(len(tails), device=lm.device), ends]


def _cache_argument(body: Any) -> str:
    """Name of the cache's argument: transformers 5.24 renamed `past_key_values` to `cache` for most families."""
    return "cache" if "cache" in inspect.signature(body.forward).parameters else "past_key_values"
