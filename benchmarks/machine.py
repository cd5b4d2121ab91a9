"""The machine under the benchmark: its name, its matrix-product peak, its memory, and a clock of CPU and wall time."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.models import device

_PACKAGES = ("dualpair", "torch", "transformers", "tokenizers", "minicons", "lm-eval")
_MATRIX = 4096


class Seconds(NamedTuple):
    """Wall time, and CPU time summed over the threads of this process."""

    wall: float
    cpu: float


class Clock:
    """`seconds` is set when the block of `timed` ends."""

    seconds: Seconds


@contextlib.contextmanager
def timed() -> Iterator[Clock]:
    """Time a block."""
    clock = Clock()
    wall, cpu = time.perf_counter(), time.process_time()
    yield clock
    clock.seconds = Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def description(threads: int, packages: Sequence[str] = _PACKAGES) -> dict[str, Any]:
    """CPU, cores and versions, for the head of the report."""
    return {
        "cpu": device.cpu_name(),
        "native_bf16": device.resolve_dtype("auto", "cpu") == "bfloat16",
        "flags": sorted(flag for flag in device.cpu_flags() if "bf16" in flag or flag == "avx512f"),
        "cores": os.cpu_count(),
        "threads": threads,
        "load_before": load(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in packages},
    }


def load() -> float | None:
    """Processes that wanted a CPU in the last minute, on average; None where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def matrix_peak(dtype: str, repeats: int = 5) -> float:
    """Best speed of a square matrix product of 4,096, in FLOP per second of CPU time of one thread.

    Multiplied by the number of threads it is the peak of the whole process on an idle machine. CPU time, because wall
    time measures the neighbours on a shared machine. torch's product, or that of the library which the engine takes
    instead (`dualpair.scoring.linear`), whichever is faster here.
    """
    import torch

    from dualpair.scoring import linear

    a = torch.rand(_MATRIX, _MATRIX).to(getattr(torch, dtype))
    b = torch.rand(_MATRIX, _MATRIX).to(getattr(torch, dtype))
    best = float("inf")
    for _ in range(repeats):
        with timed() as clock:
            torch.mm(a, b)
        best = min(best, clock.seconds.cpu)
        with torch.inference_mode(), linear.products("cpu", dtype), timed() as clock:
            torch.nn.functional.linear(a, b)
        best = min(best, clock.seconds.cpu)
    return float(2 * _MATRIX**3 / best)


def reset_peak_memory() -> bool:
    """Forget the highest resident size so far (Linux); False where that cannot be done."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_memory() -> int:
    """Highest resident size of this process in bytes, since the last reset."""
    status = Path("/proc/self/status")
    if status.is_file():
        # ru_maxrss of a child may still hold its parent's size; the kernel's own mark of this process does not
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
