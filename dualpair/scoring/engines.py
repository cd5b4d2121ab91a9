"""From a registry entry to the engine that scores with it."""

from __future__ import annotations

import logging

from dualpair.models import quantisation
from dualpair.models.device import resolve_device, resolve_dtype
from dualpair.models.registry import ModelEntry
from dualpair.scoring.engine import Engine

log = logging.getLogger(__name__)


def open_engine(
    entry: ModelEntry,
    name: str,
    dtype: str = "auto",
    device: str = "auto",
    token_budget: int = 4096,
    offline: bool = True,
) -> Engine:
    """Load a model and give the engine that its entry names.

    Args:
        entry: kind causal (transformers, vllm or server) or masked (transformers).
        name: registry name, recorded in every row.
        dtype: auto (then the entry's), or a resolved dtype.
        device: auto, cpu, cuda or mps; vllm and a server choose their own.
        token_budget: most tokens of a forward pass or request.
        offline: never contact a model hub.

    Raises:
        ValueError: a model that does not score, or what the loader of its engine says.
        PrerequisiteError: weights, package, device or server are not there.
    """
    if entry.kind not in ("causal", "masked"):
        raise ValueError(f"model {name}: kind {entry.kind} does not score texts (allowed: causal, masked)")
    wanted = entry.dtype if dtype == "auto" else dtype
    if entry.engine == "server":
        from dualpair.scoring.server import open_server

        return open_server(entry, name, wanted, token_budget, offline, quantisation.resolve(entry))
    if entry.engine == "vllm":
        from dualpair.scoring.vllm import open_vllm

        resolved = resolve_dtype(wanted, resolve_device(device))
        return open_vllm(entry, name, resolved, token_budget, offline, quantisation.resolve(entry))
    return _transformers(entry, name, wanted, device, token_budget, offline)


def _transformers(entry: ModelEntry, name: str, dtype: str, device: str, token_budget: int, offline: bool) -> Engine:
    if entry.kind == "masked":
        from dualpair.models import masked_lm
        from dualpair.scoring.masked import MaskedEngine

        lm = masked_lm.load_entry(entry, name, dtype, device, offline)
        return MaskedEngine(lm, token_budget, entry.pll, lm.quantisation)
    from dualpair.models import causal_lm
    from dualpair.scoring.causal import CausalEngine

    return CausalEngine(causal_lm.load_entry(entry, name, dtype, device, offline), token_budget)
