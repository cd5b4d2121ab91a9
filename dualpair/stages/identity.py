"""What a model's answers depend on beside the request: the part of the store's key that names the model."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from dualpair.models import device as devices
from dualpair.models import fingerprint as fingerprints
from dualpair.models.registry import ModelEntry


def identity(entry: ModelEntry, device: str, contract: dict[str, Any]) -> dict[str, Any]:
    """Weights and tokenizer fingerprint, resolved dtype, engine, quantisation, and the stage's contract.

    Needs no torch. The device itself is no part of it: the same dtype gives the same answer within tolerance.
    """
    resolved = devices.resolve_device(device)
    dtype = "float32" if entry.kind == "sentence_encoder" else devices.resolve_dtype(entry.dtype, resolved)
    return {
        "weights": fingerprints.fingerprint(entry.source, entry.revision),
        "dtype": dtype,
        "engine": entry.engine,
        "quantisation": entry.quantisation,
        **contract,
    }


def libraries(*names: str) -> dict[str, str]:
    """Versions of installed distributions, for an artifact's provenance."""
    return {name: metadata.version(name) for name in names}
