"""What a model's answers depend on beside the request: the part of the store's key that names the model."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

from dualpair.models import checkpoint, quantisation, vllm
from dualpair.models import device as devices
from dualpair.models import fingerprint as fingerprints
from dualpair.models.registry import ModelEntry


def identity(entry: ModelEntry, device: str, contract: dict[str, Any]) -> dict[str, Any]:
    """Weights and tokenizer fingerprint, resolved dtype, engine, quantisation, and the stage's contract.

    Arguments of vLLM that change numbers, another tokenizer and an adapter have keys of their own, which are there only
    when the entry names them. Needs no torch. Device and number of GPUs are no part of it: the same dtype gives the
    same answer within tolerance.

    Raises:
        ValueError: as `fingerprint.fingerprint` and `quantisation.resolve`.
        FileNotFoundError: a folder does not exist, or an embedded model is not built yet.
        PrerequisiteError: the quantisation is not stated and the checkpoint is not on this machine.
    """
    resolved = devices.resolve_device(device)
    always = entry.kind in ("sentence_encoder", "nli_classifier")  # these run in float32 whatever the entry says
    dtype = "float32" if always else devices.resolve_dtype(entry.dtype, resolved)
    return {
        "weights": fingerprints.fingerprint(entry.source, entry.revision, subfolder=entry.subfolder),
        **beside_the_weights(entry),
        "dtype": dtype,
        "engine": entry.engine,
        "quantisation": quantisation.resolve(entry),
        **({"vllm": changed} if entry.engine == "vllm" and (changed := vllm.decisive(entry.vllm)) else {}),
        **contract,
    }


def beside_the_weights(entry: ModelEntry) -> dict[str, str]:
    """Fingerprints of the tokenizer and of the adapter that an entry names; empty for one that names none."""
    found = {}
    if entry.tokenizer is not None:
        found["tokenizer"] = fingerprints.fingerprint(entry.tokenizer, entry.tokenizer_revision, weights=False)
    if entry.adapter is not None:
        found["adapter"] = fingerprints.fingerprint(entry.adapter, entry.adapter_revision)
    return found


def tokenizer_folders(entry: ModelEntry) -> list[Path]:
    """Folders on this machine that may hold the model's tokenizer."""
    if entry.tokenizer is not None:
        place, revision, parts = entry.tokenizer, entry.tokenizer_revision, [""]
    else:
        place, revision, parts = entry.source, entry.revision, ["", entry.subfolder]
    found = [checkpoint.local(fingerprints.location(place, revision), revision, part) for part in dict.fromkeys(parts)]
    return [folder for folder in found if folder is not None]


def libraries(*names: str) -> dict[str, str]:
    """Versions of installed distributions, for an artifact's provenance."""
    return {name: metadata.version(name) for name in names}
