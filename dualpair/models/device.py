"""Device and dtype of a model job, decided without torch: a plan must know them before any model is loaded."""

from __future__ import annotations

import functools
import logging
import os
import platform
import shutil
import subprocess
from pathlib import Path

log = logging.getLogger(__name__)

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "bfloat16", "float32", "float16")
_AMX, _AVX512 = "amx_bf16", "avx512_bf16"
_INTEL = "GenuineIntel"
_BF16_CAPABILITY = (8, 0)  # NVIDIA Ampere
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

    Native means an NVIDIA GPU of compute capability 8.0 (Ampere) or newer, or a CPU whose bfloat16 is faster than its
    float32 (`cpu_has_fast_bf16`). float16 is never chosen: it overflows in many models, so the config must name it.

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
    if device == "mps":
        return "float32"
    return "bfloat16" if (_gpu_has_bf16() if device == "cuda" else cpu_has_fast_bf16()) else "float32"


def cpu_has_fast_bf16() -> bool:
    """True for a CPU with AMX-BF16, or with AVX512-BF16 if it is not Intel's.

    On Intel's CPUs with AVX512-BF16 but without AMX, torch's bfloat16 layers reach 164 GFLOP/s on two cores where
    float32 reaches 285 (AMD Zen 4: 398 against 185 to 208).
    """
    flags = cpu_flags()
    return _AMX in flags or (_AVX512 in flags and _cpuinfo("vendor_id") != _INTEL)


def has_nvidia_gpu() -> bool:
    """True if the NVIDIA driver lists a GPU and CUDA_VISIBLE_DEVICES does not hide it."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1", "none", "NoDevFiles"):
        return False
    return _NVIDIA_GPUS.is_dir() and any(_NVIDIA_GPUS.iterdir())


@functools.cache
def compute_capabilities() -> tuple[tuple[int, int], ...]:
    """Compute capability of every NVIDIA GPU, as `nvidia-smi` lists them; empty when it cannot be asked.

    Asked through the driver's own program, since a plan must not import torch.
    """
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    command = [program, "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        pairs = [line.strip().split(".") for line in done.stdout.splitlines() if line.strip()]
        return tuple((int(major), int(minor)) for major, minor in pairs)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        log.warning("nvidia-smi gave no compute capability: %s", error)
        return ()


@functools.cache
def _gpu_has_bf16() -> bool:
    """Whether all GPUs compute in bfloat16; the reason is logged once when they do not, or cannot be asked."""
    found = compute_capabilities()
    if found and min(found) >= _BF16_CAPABILITY:
        return True
    reason = "nvidia-smi does not say which GPU this is"
    if found:
        reason = f"a GPU here has compute capability {min(found)[0]}.{min(found)[1]}, bfloat16 needs 8.0"
    log.warning("dtype auto is float32: %s; name `dtype: bfloat16` or `dtype: float16` in the model's entry", reason)
    return False


def cpu_flags() -> frozenset[str]:
    """The CPU's feature flags as Linux lists them; empty on other systems."""
    return frozenset(_cpuinfo("flags").split())


def cpu_name() -> str:
    """The CPU's model name, for reports of timings."""
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def cpu_vendor() -> str:
    """The CPU's maker as Linux names it, such as `GenuineIntel`; empty on other systems."""
    return _cpuinfo("vendor_id")


def _cpuinfo(wanted: str) -> str:
    """First value of a key of Linux's CPU table; empty if there is none."""
    try:
        text = _CPUINFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == wanted:
            return value.strip()
    return ""


def _check(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{what}: {value!r} is not known (allowed: {', '.join(allowed)})")


def out_of_memory(error: BaseException) -> bool:
    """True for every kind of error that means that memory ran out, on the host or on a device."""
    text = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in text or "can't allocate memory" in text
