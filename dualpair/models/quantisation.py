"""How a checkpoint's weights are quantised: read from its files, without loading it, and recorded in every row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import checkpoint, fingerprint
from dualpair.models.registry import ModelEntry

AUTO = "auto"
NONE = "none"
UNKNOWN = "unknown"
DEQUANTISED = "-dequantised"
_BITS = ("bits", "num_bits", "w_bit", "nbits")


def detect(folder: Path) -> str:
    """The quantisation of the weights in a folder, from its config.json (or the files of ModelOpt and AutoGPTQ).

    Returns:
        "none", or a label of the method and what tells its variants apart: compressed-tensors-w8a8, mxfp4, gptq-4bit,
        awq-4bit, fp8, bitsandbytes-4bit-nf4, gguf.

    Raises:
        PrerequisiteError: the folder holds neither a config.json nor GGUF files.
        InputError: the config is no JSON object.
    """
    if not (folder / checkpoint.CONFIG).is_file() and any(folder.glob("*.gguf")):
        return "gguf"
    config = checkpoint.config(folder)
    for place in (config, *(part for part in config.values() if isinstance(part, dict))):
        for key in ("quantization_config", "compression_config"):
            if isinstance(place.get(key), dict):
                return label(place[key])
    if (folder / "hf_quant_config.json").is_file():
        noted = checkpoint.read_object(folder / "hf_quant_config.json")
        return label({"quant_method": "modelopt", **noted.get("quantization", {})})
    if (folder / "quantize_config.json").is_file():
        return label({"quant_method": "gptq", **checkpoint.read_object(folder / "quantize_config.json")})
    return NONE


def in_config(folder: Path) -> dict[str, Any] | None:
    """The `quantization_config` of a config.json where transformers looks for it (its top, its text_config), else None.

    Raises:
        PrerequisiteError: there is no config.json.
        InputError: it is no JSON object.
    """
    config = checkpoint.config(folder)
    for place in (config, config.get("text_config")):
        if isinstance(place, dict) and isinstance(place.get("quantization_config"), dict):
            found: dict[str, Any] = place["quantization_config"]
            return found
    return None


def label(config: Mapping[str, Any]) -> str:
    """A short name for a `quantization_config`: lower-case letters, digits, dots, plus and minus signs."""
    method = str(config.get("quant_method") or "").lower()
    if config.get("load_in_4bit"):
        parts = ["bitsandbytes", "4bit", str(config.get("bnb_4bit_quant_type", "fp4"))]
    elif config.get("load_in_8bit"):
        parts = ["bitsandbytes", "8bit"]
    elif method == "compressed-tensors":
        parts = [method, *_compressed(config)]
    elif config.get("quant_algo"):
        parts = [method, str(config["quant_algo"])]
    else:
        parts = [method or "quantised", *_width(config)]
    return re.sub(r"[^a-z0-9.+]+", "-", "-".join(parts).lower()).strip("-")


def resolve(entry: ModelEntry, cache: Path | None = None) -> str:
    """The quantisation recorded for a registry entry; needs no torch and no network.

    It is what the entry states, else what the checkpoint's files say; both are compared where both are known. A server
    is not asked: without a statement it is "unknown". An `hf:` source is looked up in the local hub cache; one that is
    not there yet and states nothing is refused, since a plan made without it could record the wrong thing.

    Args:
        entry: a registry entry.
        cache: root of dualpair's cache; by default the user's.

    Raises:
        InputError: the entry states another quantisation than the checkpoint has.
        PrerequisiteError: `auto`, and the checkpoint is not on this machine.
    """
    stated = entry.quantisation.strip().lower()
    if entry.kind == "sentence_encoder" or entry.source.startswith("package:"):
        return NONE if stated == AUTO else stated
    if entry.engine == "server":
        return UNKNOWN if stated == AUTO else stated
    folder = fingerprint.local_folder(entry.source, entry.revision, entry.subfolder, cache)
    if folder is None:
        if stated == AUTO:
            raise PrerequisiteError(_not_here(entry))
        return stated
    return agreed(stated, detect(folder), entry.source, str(entry.vllm.get("quantization") or ""))


def of_folder(folder: Path, stated: str, source: str) -> str:
    """The label of a checkpoint that transformers is to load (`agreed` of what is stated and what is found).

    Raises:
        InputError: as `agreed`.
        PrerequisiteError: transformers would take the packed weights for plain ones.
    """
    found = detect(folder)
    if found != NONE and in_config(folder) is None:
        raise PrerequisiteError(
            f"{source}: transformers cannot load {found} weights whose config.json does not say how they are packed: "
            "use another checkpoint, or run the model with `engine: vllm`"
        )
    return agreed(stated, found, source)


def agreed(stated: str, found: str, source: str, on_load: str = "") -> str:
    """The label to record, given what an entry states and what the checkpoint's files say.

    A statement may be shorter than what was found (`w8a8` for compressed-tensors-w8a8), or end in `-dequantised` for
    weights that were unpacked.

    Args:
        stated: of the entry: auto, none or a label.
        found: from `detect`.
        source: of the weights, for messages.
        on_load: quantisation that the engine applies to plain weights while it loads them (vLLM's `quantization`).

    Raises:
        InputError: they contradict each other; both are named.
    """
    stated = stated.strip().lower()
    if found == NONE and on_load:
        found = label({"quant_method": on_load})
    if stated == AUTO:
        return found
    if found == NONE and (stated == NONE or stated.endswith(DEQUANTISED)):
        return stated
    if found != NONE and _parts(stated.removesuffix(DEQUANTISED)) <= _parts(found):
        return stated
    hint = "" if found != NONE else f", or `{stated}{DEQUANTISED}` if plain weights were made from quantised ones"
    raise InputError(
        f"{source}: the entry states `quantisation: {stated}` but the checkpoint's config says {found!r}: set "
        f"`quantisation: {found}` or auto{hint}"
    )


def _parts(text: str) -> set[str]:
    return set(text.split("-"))


def _compressed(config: Mapping[str, Any]) -> list[str]:
    """Scheme of compressed-tensors: bits of weights (w) and activations (a) per group of layers."""
    layout = str(config.get("format") or "")
    groups = config.get("config_groups")
    schemes: list[str] = []
    for group in groups.values() if isinstance(groups, dict) else ():
        weights, inputs = group.get("weights") or {}, group.get("input_activations") or {}
        scheme = f"w{weights.get('num_bits', 16)}a{inputs.get('num_bits', 16)}"
        schemes.append(scheme + ("-float" if weights.get("type") == "float" else ""))
    packed = [name for name in ("nvfp4", "mxfp4", "mxfp8") if layout.startswith(name)]
    cache = config.get("kv_cache_scheme") or {}
    found = packed or ["+".join(sorted(set(schemes))) or "sparse"]
    return [*found, *([f"kv{cache.get('num_bits', 8)}"] if cache else [])]


def _width(config: Mapping[str, Any]) -> list[str]:
    """Bits, or what else tells the variants of a method apart."""
    nested = config.get("quant_config")  # HQQ
    places = [config, *(v for v in nested.values() if isinstance(v, dict))] if isinstance(nested, dict) else [config]
    bits = next((place[key] for place in places for key in _BITS if isinstance(place.get(key), int)), None)
    if bits is not None:
        return [f"{bits}bit"]
    kind = config.get("quant_type")
    if isinstance(kind, dict):  # torchao: {"default": {"_type": "Int4WeightOnlyConfig", ...}}
        kind = (kind.get("default") or {}).get("_type")
    weights = config.get("weights")
    chosen = kind or (weights if isinstance(weights, str) else "")
    return [str(chosen)] if chosen else []


def _not_here(entry: ModelEntry) -> str:
    repository = entry.source.partition(":")[2]
    return (
        f"{checkpoint.absent(repository, entry.revision)}. To plan without the weights, state `quantisation:` in the "
        "model's entry (none, or such as w8a8)"
    )
