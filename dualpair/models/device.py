"""Device and dtype of a model job, decided without torch: a plan must know them before any model is loaded."""

from __future__ import annotations

import os
import platform
from pathlib import Path

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "bfloat16", "float32", "float16")
_NATIVE_BF16_FLAGS = frozenset({"avx512_bf16", "amx_bf16"})
_CPUINFO = Path("/proc/cpuinfo")
_NVIDIA_GPUS = Path("/proc/driver/nvidia/gpus")


def resolve_device(device: str = "auto") -> str:
    """The device a job runs on: `auto` is an NVIDIA GPU if the machine has one, else an Apple GPU, else the CPU.

    Args:
        device: auto, cpu, cuda or mps.

    Returns:
        "cpu", "cuda" or "mps". Whether torch can use it is checked when a model is loaded.

    Raises:
        ValueError: for any other value.
    """
    _check("device", device, DEVICES)
    if device != "auto":
        return device
    if has_nvidia_gpu():
        return "cuda"
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        return "mps"
    return "cpu"


def resolve_dtype(dtype: str = "auto", device: str = "auto") -> str:
    """The dtype a model's body runs in: `auto` is bfloat16 where the hardware computes in it natively, else float32.

    Native means an NVIDIA GPU, or a CPU with AVX512-BF16 or AMX-BF16; elsewhere bfloat16 is emulated and many times
    slower than float32.

    Args:
        dtype: auto, bfloat16, float32 or float16.
        device: auto, cpu, cuda or mps.

    Returns:
        "bfloat16", "float32" or "float16".

    Raises:
        ValueError: for any other value.
    """
    _check("dtype", dtype, DTYPES)
    if dtype != "auto":
        return dtype
    device = resolve_device(device)
    native = device == "cuda" or (device == "cpu" and bool(cpu_flags() & _NATIVE_BF16_FLAGS))
    return "bfloat16" if native else "float32"


def has_nvidia_gpu() -> bool:
    """True if the NVIDIA driver lists a GPU and CUDA_VISIBLE_DEVICES does not hide it."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1", "none", "NoDevFiles"):
        return False
    return _NVIDIA_GPUS.is_dir() and any(_NVIDIA_GPUS.iterdir())


def cpu_flags() -> frozenset[str]:
    """The CPU's feature flags as Linux lists them; empty on other systems."""
    try:
        text = _CPUINFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "flags":
            return frozenset(value.split())
    return frozenset()


def cpu_name() -> str:
    """The CPU's model name, for reports of timings."""
    try:
        text = _CPUINFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _check(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{what}: {value!r} is not known (allowed: {', '.join(allowed)})")
