"""Loading causal language models through transformers."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import adapter as adapters
from dualpair.models import checkpoint, fingerprint, weights
from dualpair.models import quantisation as quantisations
from dualpair.models.device import resolve_device, resolve_dtype
from dualpair.models.registry import ModelEntry

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LoadedLM:
    """A causal model ready to run: weights in evaluation mode, tokenizer, resolved device and dtype.

    device is where the token ids go; with several GPUs the later layers are elsewhere. bos is the policy of the
    scoring contract (auto, none or a token); scoring resolves it. quantisation is that of the weights as run.
    """

    name: str
    model: Any
    tokenizer: Any
    device: str
    dtype: str
    bos: str = "auto"
    quantisation: str = "none"


def load_entry(
    entry: ModelEntry, name: str, dtype: str, device: str, offline: bool = True, gpus: int | None = None
) -> LoadedLM:
    """Load a causal model as its registry entry says: weights, subfolder, tokenizer, adapter, GPUs, quantisation, BOS.

    Args:
        entry: of kind causal.
        name: registry name.
        dtype: auto, bfloat16, float32 or float16; usually the one that the plan resolved.
        device: auto, cpu, cuda or mps.
        offline: never contact a hub.
        gpus: GPUs to spread the weights over; by default the entry's.

    Raises:
        ValueError: an entry of another kind; else as `load` and `fingerprint.location`.
    """
    if entry.kind != "causal":
        raise ValueError(f"{name}: kind {entry.kind} is no causal model")
    tokenizer = fingerprint.location(entry.tokenizer, entry.tokenizer_revision) if entry.tokenizer else ""
    adapter = fingerprint.location(entry.adapter, entry.adapter_revision) if entry.adapter else ""
    return load(
        fingerprint.location(entry.source, entry.revision),
        entry.revision,
        dtype,
        device,
        offline,
        entry.bos,
        name,
        subfolder=entry.subfolder,
        tokenizer=tokenizer,
        tokenizer_revision=entry.tokenizer_revision,
        adapter=adapter,
        adapter_revision=entry.adapter_revision,
        gpus=entry.gpus if gpus is None else gpus,
        quantisation=entry.quantisation,
        known_as=fingerprint.hub_names(entry.source, entry.hf_equivalent),
    )


def load(
    source: Path | str,
    revision: str = "",
    dtype: str = "auto",
    device: str = "auto",
    offline: bool = True,
    bos: str = "auto",
    name: str = "",
    *,
    subfolder: str = "",
    tokenizer: Path | str = "",
    tokenizer_revision: str = "",
    adapter: Path | str = "",
    adapter_revision: str = "",
    gpus: int = 0,
    quantisation: str = "auto",
    known_as: Collection[str] = (),
) -> LoadedLM:
    """Load a causal model and its tokenizer. What can be checked before torch is imported is checked first.

    Args:
        source: a local folder or a hub id (`ORG/NAME`).
        revision: commit of a hub id; ignored for a folder.
        dtype: auto, bfloat16, float32 or float16.
        device: auto, cpu, cuda or mps.
        offline: never contact a hub; a hub id must then be in the local hub cache.
        bos: policy of the scoring contract: auto, none or a token.
        name: what messages call the model; by default the source.
        subfolder: folder inside the source that holds weights, config and, unless another is given, tokenizer.
        tokenizer: folder or hub id of another tokenizer than the one beside the weights.
        tokenizer_revision: its commit, for a hub id.
        adapter: folder or hub id of a LoRA adapter, which is merged into the weights.
        adapter_revision: its commit, for a hub id.
        gpus: above 1 the weights are spread over that many of the visible GPUs.
        quantisation: auto, or the label that the weights must have (`quantisation.agreed`).
        known_as: hub ids of the weights where `source` is a folder, to compare an adapter's base with.

    Raises:
        ValueError: a hub id without revision, an unknown dtype or device, a subfolder that is not there, a quantisation
            that is not the checkpoint's, an adapter of another model, or float16 that overflows.
        PrerequisiteError: torch cannot use the device or so many GPUs, weights or a fast tokenizer are not there as
            safetensors, or a package for quantised weights or adapters is not installed.
    """
    where = load_arguments(source, revision, offline, subfolder)
    device = resolve_device(device)
    dtype = resolve_dtype(dtype, device)
    label = name or str(source)
    folder = checked_folder(where, tokenizer=not tokenizer)
    _check_kind(folder, label)
    quantised = quantisations.of_folder(folder, quantisation, str(source))
    added = _adapter(adapter, adapter_revision, offline, (*known_as, *_hub_id(source)), quantised)
    check_device(device)
    weights.check_gpus(gpus, device)

    from transformers import AutoModelForCausalLM

    _quiet()
    tokens = load_tokenizer(load_arguments(tokenizer, tokenizer_revision, offline) if tokenizer else where)
    model, quantised = weights.load(AutoModelForCausalLM, where, dtype, device, gpus, quantised, label)
    check_vocabulary(tokens, model, str(tokenizer) or str(folder), label)
    if added is not None:
        model = adapters.merge(model, added)
    if gpus > 1:
        device = str(model.get_input_embeddings().weight.device)
    if dtype == "float16":
        weights.check_float16(model, device, label)
    attention = getattr(model.config, "_attn_implementation", "unknown")
    log.info("%s: %s on %s, quantisation %s, attention %s", label, dtype, device, quantised, attention)
    return LoadedLM(label, model, tokens, device, dtype, bos, quantised)


def load_arguments(source: Path | str, revision: str, offline: bool, subfolder: str = "") -> dict[str, Any]:
    """Arguments common to all `from_pretrained` calls: pinned, no remote code, no hub when offline.

    Offline, a hub id becomes its folder in the local hub cache: given the id, transformers asks the hub for some files
    even where it is told to use local ones only.

    Raises:
        ValueError: a hub id without revision.
        PrerequisiteError: offline, and the revision is not in the local hub cache.
    """
    arguments: dict[str, Any] = {
        "pretrained_model_name_or_path": str(source),
        "trust_remote_code": False,
        "local_files_only": offline,
        **({"subfolder": subfolder} if subfolder else {}),
    }
    if Path(source).is_dir():
        return arguments
    if not revision.strip():
        raise ValueError(f"{source}: neither a local folder nor a hub id with a revision; set `revision:` to a commit")
    if not offline:
        return {**arguments, "revision": revision.strip()}
    here = checkpoint.snapshot(str(source), revision)
    if here is None:
        raise PrerequisiteError(checkpoint.absent(str(source), revision))
    return {**arguments, "pretrained_model_name_or_path": str(here)}


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


def checked_folder(where: dict[str, Any], tokenizer: bool = True) -> Path:
    """The checkpoint's folder on this machine, checked as far as its files are here; imports no torch.

    Args:
        where: from `load_arguments`; when the hub may be asked, config and tokenizer are fetched from it.
        tokenizer: whether the tokenizer must be among the files.

    Raises:
        InputError: a subfolder that is not there.
        PrerequisiteError: as `checkpoint.check`, or the hub cannot be reached.
    """
    source, subfolder = where["pretrained_model_name_or_path"], where.get("subfolder", "")
    if Path(source).is_dir():
        folder = checkpoint.within(Path(source), subfolder)
        checkpoint.check(folder, tokenizer)
        return folder
    found = checkpoint.download(source, where["revision"], checkpoint.TEXT_PATTERNS, subfolder)
    folder = checkpoint.within(found, subfolder)
    checkpoint.check_plain(folder)
    return folder


def load_tokenizer(where: dict[str, Any]) -> Any:
    """The fast tokenizer that `load_arguments` points to.

    Raises:
        PrerequisiteError: there is no tokenizer, or none with a fast version.
    """
    from transformers import AutoTokenizer

    source = where["pretrained_model_name_or_path"]
    if Path(source).is_dir():
        checkpoint.check_tokenizer(checkpoint.within(Path(source), where.get("subfolder", "")))
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(**where)
    except Exception as error:  # the tokenizers library raises plain ones
        raise PrerequisiteError(
            f"{source}: the tokenizer could not be loaded: {str(error).strip()}; another one can be named with "
            "`tokenizer:` in the model's entry"
        ) from error
    if not tokenizer.is_fast:
        raise PrerequisiteError(
            f"{source}: {type(tokenizer).__name__} has no fast version, and scoring needs the character offsets that "
            "only fast ones give: name a tokenizer with a tokenizer.json in `tokenizer:` of the model's entry"
        )
    return tokenizer


def _hub_id(source: Path | str) -> tuple[str, ...]:
    return () if Path(source).is_dir() else (str(source),)


def _adapter(
    place: Path | str, revision: str, offline: bool, base: Collection[str], quantised: str
) -> adapters.Adapter | None:
    if not place:
        return None
    if weights.is_packed(quantised):
        raise InputError(
            f"adapter {place} cannot be merged into {quantised} weights: use the unquantised base, or engine vllm"
        )
    adapters.check_peft(place)
    found = adapters.read(place, revision, offline)
    adapters.check_base(found, base)
    return found


def _check_kind(folder: Path, label: str) -> None:
    """A masked model loads as a causal one, and would be scored with attention to both sides."""
    names = checkpoint.config(folder).get("architectures") or []
    if names and all(str(name).endswith("ForMaskedLM") for name in names):
        raise InputError(
            f"{label}: {folder} holds a masked model ({', '.join(names)}): set `kind: masked` in its entry"
        )


def check_vocabulary(tokenizer: Any, model: Any, source: str, label: str) -> None:
    """Refuse a tokenizer that gives ids for which the embedding has no row: one of another model.

    Tokens that were added to the vocabulary do not count: some models have more of them than rows, and never use them.

    Raises:
        InputError: naming the tokenizer, and both sizes.
    """
    rows = model.get_input_embeddings().weight.shape[0]
    if tokenizer.vocab_size > rows:
        raise InputError(
            f"{label}: the tokenizer {source} has {tokenizer.vocab_size} tokens, the model only {rows}: it belongs to "
            "another model; put the model's own there, or name it in `tokenizer:` of the entry"
        )


def _quiet() -> None:
    from transformers.utils import logging as transformers_logging

    if not sys.stderr.isatty():
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
