"""Cutting rows into padded batches of bounded size, and retrying with less when memory runs out."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Sequence

from dualpair.models.device import out_of_memory

log = logging.getLogger(__name__)


def cut(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Row numbers in batches of similar length, the longest first (so that memory runs out at once or not at all).

    Args:
        lengths: tokens of each row.
        budget: most tokens of a batch, padding included; a longer row gets a batch of its own.
    """
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    batches: list[list[int]] = []
    for row in order:
        # the first row of a batch is its longest, so it fixes the padded width
        if batches and lengths[batches[-1][0]] * (len(batches[-1]) + 1) <= budget:
            batches[-1].append(row)
        else:
            batches.append([row])
    return batches


def run(lengths: Sequence[int], budget: int, call: Callable[[list[int]], None]) -> None:
    """Call `call` with each batch of row numbers; when it runs out of memory, go on with half the budget.

    Raises:
        ValueError: a budget below 1.
        MemoryError, RuntimeError: a single row does not fit.
    """
    if budget < 1:
        raise ValueError(f"token budget {budget}: expected at least 1")
    waiting = cut(lengths, budget)
    while waiting:
        batch = waiting[0]
        try:
            call(batch)
        except (MemoryError, RuntimeError) as error:
            if not out_of_memory(error) or len(batch) == 1:
                raise
            budget = max(1, max(lengths[i] for i in batch) * len(batch) // 2)
            log.warning("out of memory with %d rows: token budget is now %d", len(batch), budget)
            left = [row for rows in waiting for row in rows]
            waiting = [[left[i] for i in rows] for rows in cut([lengths[i] for i in left], budget)]
            release()
            continue
        waiting.pop(0)


def release() -> None:
    """Give memory that nobody uses any more back to the device."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
