"""LoRA adapters: checked before the base model is loaded, then merged into its weights through peft."""

from __future__ import annotations

import importlib.util
import logging
import re
import warnings
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import checkpoint

log = logging.getLogger(__name__)

_NAME = "default"
_SHOWN = 3
# What mirrors of a model put round its name, most often to train on a packed copy of the same weights.
_MIRROR = re.compile(r"^meta-(?=llama)|-(unsloth-)?bnb-4bit$|-unsloth$|-hf$")


class Adapter(NamedTuple):
    """A checked LoRA adapter: its name for messages, its folder, and its adapter_config.json."""

    name: str
    folder: Path
    config: dict[str, Any]


def read(place: Path | str, revision: str = "", offline: bool = True) -> Adapter:
    """Find and check an adapter; imports neither torch nor peft.

    Args:
        place: a local folder or a hub id.
        revision: commit of a hub id.
        offline: never contact a hub.

    Raises:
        ValueError: a hub id without revision.
        PrerequisiteError: the folder holds no LoRA adapter in safetensors.
    """
    folder = _folder(place, revision, offline)
    if not (folder / checkpoint.ADAPTER_CONFIG).is_file():
        raise PrerequisiteError(
            f"adapter {place}: {folder} holds no {checkpoint.ADAPTER_CONFIG}; found: {checkpoint.listing(folder)}"
        )
    config = checkpoint.read_object(folder / checkpoint.ADAPTER_CONFIG)
    if config.get("peft_type") != "LORA":
        raise PrerequisiteError(
            f"adapter {place}: peft_type {config.get('peft_type')!r} cannot be merged (allowed: LORA)"
        )
    if not (folder / checkpoint.ADAPTER_WEIGHTS).is_file():
        raise PrerequisiteError(
            f"adapter {place}: {folder} holds no {checkpoint.ADAPTER_WEIGHTS}; found: {checkpoint.listing(folder)}. "
            "Weights are taken as safetensors only: load an adapter that you trust with peft and save it again"
        )
    checkpoint.check_file(folder / checkpoint.ADAPTER_WEIGHTS)
    return Adapter(str(place), folder, config)


def check_peft(place: Path | str) -> None:
    """Refuse to merge an adapter without the package that does it.

    Raises:
        PrerequisiteError: with the command that installs it.
    """
    if importlib.util.find_spec("peft") is None:
        raise PrerequisiteError(f"adapter {place}: peft is not installed: pip install dualpair[lora]")


def check_base(adapter: Adapter, names: Collection[str]) -> None:
    """Compare the base that an adapter was trained on with the model that it is to be merged into.

    Only the last part of a hub id is compared, less what mirrors add to it, so that `unsloth/Llama-3.1-8B-bnb-4bit` is
    taken for `meta-llama/Llama-3.1-8B`. An adapter trained on a local folder names nothing to compare.

    Args:
        adapter: from `read`.
        names: hub ids under which the base is known; empty if none is.

    Raises:
        InputError: the names differ; both are in the message.
    """
    trained_on = str(adapter.config.get("base_model_name_or_path") or "")
    if not names or trained_on.count("/") > 1 or trained_on.startswith((".", "/", "~")) or not trained_on:
        log.warning(
            "adapter %s: trained on %s, to be merged into %s: the names cannot be compared, only shapes are checked",
            adapter.name, trained_on or "an unnamed model", ", ".join(names) or "a local folder",
        )  # fmt: skip
        return
    if _plain(trained_on) not in {_plain(name) for name in names}:
        raise InputError(
            f"adapter {adapter.name} was made for {trained_on}, not for {', '.join(names)}: use its own base; "
            f"if both are the same weights, correct base_model_name_or_path in {checkpoint.ADAPTER_CONFIG}"
        )


def merge(model: Any, adapter: Adapter) -> Any:
    """The model with the adapter added to its weights, of the model's own class; the model itself is changed.

    In half precision the sum is rounded to the model's dtype.

    Raises:
        InputError: layers or shapes of adapter and model do not fit, or the merged weights are not finite.
    """
    import torch
    from peft import PeftConfig, PeftModel

    where = str(adapter.folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about tied weights and kept embeddings, which are handled below
        try:
            adapted: Any = PeftModel(model, PeftConfig.from_pretrained(where), _NAME)
            mapping = getattr(model, "_checkpoint_conversion_mapping", {})
            loaded = adapted.load_adapter(where, _NAME, torch_device=str(model.device), key_mapping=mapping)
            _check_keys(adapter, loaded)
            _untie(model)
            return adapted.merge_and_unload(safe_merge=True).eval()
        except (RuntimeError, ValueError, KeyError) as error:
            if isinstance(error, (InputError, torch.OutOfMemoryError)):
                raise
            raise InputError(f"{_misfit(adapter)}: {_first_problem(error)}") from error


def _check_keys(adapter: Adapter, loaded: Any) -> None:
    """Refuse what peft itself passes over: layers of the adapter that the model lacks, and the reverse."""
    for keys, what in ((loaded.unexpected_keys, "the model lacks"), (loaded.missing_keys, "the adapter lacks")):
        if keys:
            raise InputError(f"{_misfit(adapter)}: {what} {len(keys)} of its layers' tensors, such as {keys[:_SHOWN]}")


def _untie(model: Any) -> None:
    """Give embedding and head weights of their own where the adapter changes one of two that share them."""
    import torch
    from peft.tuners.tuners_utils import BaseTunerLayer

    ends: list[Any] = [model.get_input_embeddings(), model.get_output_embeddings()]
    if not any(isinstance(layer, BaseTunerLayer) for layer in ends):
        return
    plain: list[Any] = [layer.get_base_layer() if isinstance(layer, BaseTunerLayer) else layer for layer in ends]
    inner, outer = plain
    if outer is not None and outer.weight is inner.weight:
        outer.weight = torch.nn.Parameter(inner.weight.detach().clone(), requires_grad=False)
        model.config.tie_word_embeddings = False


def _misfit(adapter: Adapter) -> str:
    base = adapter.config.get("base_model_name_or_path") or "an unnamed model"
    return f"adapter {adapter.name} (made for {base}) does not fit this model"


def _first_problem(error: BaseException) -> str:
    """One line: torch lists every tensor that does not fit below a heading."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    first, more = lines[min(1, len(lines) - 1)], len(lines) - 2
    return f"{first} (and {more} more)" if more > 0 else first


def _plain(name: str) -> str:
    return _MIRROR.sub("", _MIRROR.sub("", name.rstrip("/").rpartition("/")[2].lower()))


def _folder(place: Path | str, revision: str, offline: bool) -> Path:
    if Path(place).is_dir():
        return Path(place)
    if not revision.strip():
        raise ValueError(f"adapter {place}: neither a local folder nor a hub id with `adapter_revision:`")
    if not offline:
        return checkpoint.download(str(place), revision, (checkpoint.ADAPTER_CONFIG, checkpoint.ADAPTER_WEIGHTS))
    found = checkpoint.snapshot(str(place), revision)
    if found is None:
        raise PrerequisiteError(f"adapter {checkpoint.absent(str(place), revision)}")
    return found
