"""Weights onto their device or devices through transformers, whole, and with their quantisation as run."""

from __future__ import annotations

from typing import Any

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import quantisation

_HEADROOM = 0.9  # of a GPU's free memory for the weights; the rest is for activations
_ELSEWHERE = "or run the model with `engine: vllm`"


def load(
    auto_class: Any, where: dict[str, Any], dtype: str, device: str, gpus: int, quantised: str, label: str
) -> tuple[Any, str]:
    """A model in evaluation mode on its device, and its quantisation as run.

    Args:
        auto_class: such as transformers.AutoModelForCausalLM.
        where: arguments of `from_pretrained` that say where the weights are.
        dtype: bfloat16, float32 or float16.
        device: cpu, cuda or mps; with several GPUs the first of them takes the token ids.
        gpus: above 1 the weights are spread over that many.
        quantised: label of the checkpoint (`quantisation.agreed`).
        label: what messages call the model.

    Raises:
        PrerequisiteError: weights are missing, damaged or too large, or need a package that is not installed.
        InputError: a checkpoint of another kind of model.
    """
    import torch
    from safetensors import SafetensorError

    packed = is_packed(quantised)
    placement = _placement(device, gpus, packed)
    try:
        model, report = auto_class.from_pretrained(
            **where, **placement, dtype=getattr(torch, dtype), use_safetensors=True, output_loading_info=True
        )
    except OSError as error:
        raise PrerequisiteError(f"{label}: weights could not be loaded: {str(error).strip()}") from error
    except SafetensorError as error:
        raise PrerequisiteError(f"{label}: a weight file is damaged ({error}): fetch the checkpoint again") from error
    except (ImportError, RuntimeError, ValueError) as error:
        if isinstance(error, torch.OutOfMemoryError):
            raise
        if packed:
            raise PrerequisiteError(
                f"{label}: {quantised} weights cannot be used here: {error}; {_ELSEWHERE}"
            ) from error
        if isinstance(error, ValueError):
            raise InputError(f"{label}: {str(error).strip().splitlines()[0]}") from error
        raise
    _check_complete(report, label)
    _check_spread(model, gpus, label)
    as_run = _as_run(model, quantised, label)
    model = (model if placement else model.to(device)).eval()
    if packed:  # compressed-tensors unpacks at the first pass through the whole model; engines run its body alone
        _first_logits(model)
    return model, as_run


def is_packed(quantised: str) -> bool:
    """Whether a label names weights that are quantised in the checkpoint's files, not ones that were unpacked."""
    return quantised != quantisation.NONE and not quantised.endswith(quantisation.DEQUANTISED)


def check_gpus(gpus: int, device: str) -> None:
    """Refuse to spread weights over more GPUs than the job has.

    Raises:
        PrerequisiteError: with how many there are.
    """
    if gpus <= 1:
        return
    import torch

    found = torch.cuda.device_count() if device == "cuda" else 0
    if gpus > found:
        raise PrerequisiteError(
            f"`gpus: {gpus}` but this job runs on {device} and has {found} usable GPUs: ask for more, make more "
            "visible (CUDA_VISIBLE_DEVICES), or set `gpus:` in the model's entry"
        )


def check_float16(model: Any, device: str, label: str) -> None:
    """Run a few tokens: float16 has a small range, and on a CPU not every operation has a kernel for it.

    Raises:
        InputError: the model overflows.
        PrerequisiteError: an operation is missing.
    """
    try:
        logits = _first_logits(model)
    except RuntimeError as error:
        if "Half" not in str(error):
            raise
        raise PrerequisiteError(
            f"{label}: this model cannot run in float16 on {device} ({error}); set `dtype: float32` or bfloat16"
        ) from error
    if bool(logits.isnan().any()):
        raise InputError(f"{label}: float16 overflows in this model (its logits are NaN); set `dtype: bfloat16`")


def _first_logits(model: Any) -> Any:
    """Logits (1, 8, vocabulary) of eight tokens from all over the vocabulary."""
    import torch

    embedding = model.get_input_embeddings().weight
    size = embedding.shape[0]
    ids = torch.arange(1, 9, device=embedding.device).mul(max(size // 16, 1)).remainder(size).unsqueeze(0)
    with torch.inference_mode():
        return model(input_ids=ids).logits


def _placement(device: str, gpus: int, packed: bool) -> dict[str, Any]:
    """Where accelerate puts the weights; empty for plain weights on the CPU."""
    import torch

    if gpus > 1:
        free = {number: int(_HEADROOM * torch.cuda.mem_get_info(number)[0]) for number in range(gpus)}
        return {"device_map": "auto", "max_memory": free}
    return {"device_map": {"": device}} if packed or device != "cpu" else {}


def _check_complete(report: dict[str, Any], label: str) -> None:
    """Refuse a checkpoint with gaps: transformers fills them with random numbers and only warns."""
    missing = sorted(report.get("missing_keys", ()))
    if missing:
        raise PrerequisiteError(
            f"{label}: {len(missing)} weights of the model are not in the checkpoint, such as {missing[:3]}: it is "
            "incomplete, or of another kind of model; check `kind:` and `subfolder:` of the entry"
        )


def _check_spread(model: Any, gpus: int, label: str) -> None:
    """Weights left in main memory or on disk would make every pass wait for them; engines need them on a GPU."""
    outside = {str(place) for place in (getattr(model, "hf_device_map", None) or {}).values()} & {"cpu", "disk"}
    if gpus > 1 and outside:
        raise PrerequisiteError(
            f"{label}: does not fit into the free memory of {gpus} GPUs (a part would stay on: "
            f"{', '.join(sorted(outside))}); raise `gpus:`, choose a smaller dtype, or a quantised checkpoint"
        )


def _as_run(model: Any, quantised: str, label: str) -> str:
    """The label of the weights in memory: some methods unpack them where their kernels or hardware are missing."""
    if not is_packed(quantised):
        return quantised
    if getattr(model, "hf_quantizer", None) is not None:
        return quantised
    if getattr(model.config, "quantization_config", None) is not None:  # a method that transformers passes over
        raise PrerequisiteError(f"{label}: transformers has no {quantised}: use another checkpoint, {_ELSEWHERE}")
    return quantised + quantisation.DEQUANTISED
