"""Loading causal language models through transformers."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dualpair.errors import PrerequisiteError
from dualpair.models.device import resolve_device, resolve_dtype

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LoadedLM:
    """A causal model ready to run: weights in evaluation mode, tokenizer, resolved device and dtype.

    bos is the policy of the scoring contract (auto, none or a token); scoring resolves it.
    """

    name: str
    model: Any
    tokenizer: Any
    device: str
    dtype: str
    bos: str = "auto"


def load(
    source: Path | str,
    revision: str = "",
    dtype: str = "auto",
    device: str = "auto",
    offline: bool = True,
    bos: str = "auto",
    name: str = "",
) -> LoadedLM:
    """Load a causal model and its tokenizer.

    Args:
        source: a local folder or a hub id (`ORG/NAME`).
        revision: commit of a hub id; ignored for a folder.
        dtype: auto, bfloat16, float32 or float16.
        device: auto, cpu, cuda or mps.
        offline: never contact a hub; a hub id must then be in the local hub cache.
        bos: policy of the scoring contract: auto, none or a token.
        name: what messages call the model; by default the source.

    Raises:
        ValueError: a hub id without revision, an an unknown dtype or device.
        PrerequisiteError: torch cannot use the device, or the weights are not there as safetensors.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging as transformers_logging

    if not sys.stderr.isatty():
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    where = load_arguments(source, revision, offline)
    device = resolve_device(device)
    dtype = resolve_dtype(dtype, device)
    check_device(device)
    try:
        tokenizer = AutoTokenizer.from_pretrained(**where)
        model: Any = AutoModelForCausalLM.from_pretrained(
            **where, dtype=getattr(torch, dtype), use_safetensors=True, attn_implementation=None
        )
    except OSError as error:
        raise PrerequisiteError(_missing(source, offline, error)) from error
    model = model.to(device).eval()
    label = name or str(source)
    log.info("%s: %s on %s, attention %s", label, dtype, device, model.config._attn_implementation)
    return LoadedLM(label, model, tokenizer, device, dtype, bos)


def load_arguments(source: Path | str, revision: str, offline: bool) -> dict[str, Any]:
    """Arguments common to all `from_pretrained` calls: pinned, no remote code, no hub when offline.

    Raises:
        ValueError: a hub id without revision.
    """
    arguments: dict[str, Any] = {
        "pretrained_model_name_or_path": str(source),
        "trust_remote_code": False,
        "local_files_only": offline,
    }
    if Path(source).is_dir():
        return arguments
    if not revision.strip():
        raise ValueError(f"{source}: neither a local folder nor a hub id with a revision; set `revision:` to a commit")
    return {**arguments, "revision": revision.strip()}


def check_device(device: str) -> None:
    """Refuse a device that torch cannot use, rather than fall back to another.

    Raises:
        PrerequisiteError: with what to install or set.
    """
    import torch

    usable = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not usable[device]:
        raise PrerequisiteError(
            f"device {device!r} was chosen but torch {torch.__version__} cannot use it: install a torch build for it, "
            "or set `device: cpu` in the config"
        )


def _missing(source: Path | str, offline: bool, error: OSError) -> str:
    hint = "offline is true: fetch the revision into the hub cache first, or set `offline: false`" if offline else ""
    return f"{source}: weights (safetensors) or tokenizer not found: {error}. {hint}".strip()
