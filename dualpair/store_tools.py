"""Tools round the store: check it, carry it elsewhere as one file, and tidy it.

An export is one Parquet file of (kind, model, identity, key, payload), sorted, one answer a key, with a SHA-256 over
its rows in the metadata: equal stores give equal rows, whatever the order in which they were filled. A key hashes the
identity and the request, and the request is not stored; so neither a check nor an import can tell whether an answer
belongs to its key. They tell damage (checksums, the hash over all rows), rows that are not well formed, and a folder
whose name does not fit its identity.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import re
import shutil
import time
import uuid
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from dualpair import targets
from dualpair.artifacts import canonical_json
from dualpair.errors import InputError
from dualpair.models.registry import MODEL_NAME
from dualpair.store import LABEL, Label, Space, Store, keep_smallest, rows

EXPORT_VERSION = 1
FINISHED = 3600.0  # seconds after which what nobody touched counts as finished
_META = b"dualpair_store"
_EXPORT = pa.schema([(name, pa.string()) for name in ("kind", "model", "identity", "key", "payload")])
_GROUP = 16384  # rows of a row group
_MERGED = 64_000_000  # bytes of segments that are merged at a time: bounds memory
_TRASH = ".removed-"
_SPACE = re.compile(rf"(?P<model>{MODEL_NAME})-[0-9a-f]{{12}}")
_KIND = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"[0-9a-f]{64}")

Row = tuple[str, str, str, str, str]


class Check(NamedTuple):
    """What a check of the store found, one line each: damage, and what is worth knowing."""

    problems: list[str]
    notes: list[str]


class Imported(NamedTuple):
    """Rows of one space of an imported file."""

    space: str
    added: int
    present: int
    differing: int  # present with another answer; counted in `added` where the imported one has the smaller hash


class Tidied(NamedTuple):
    """What tidying did to one folder, or would do."""

    folder: Path
    action: str
    size: int  # bytes removed or merged


def model_of(space: Space) -> str:
    """The model that a space's folder is named after; the folder's name where it is not one of a space."""
    found = _SPACE.fullmatch(space.folder.name)
    return found["model"] if found else space.folder.name


def verify(store: Store) -> Check:
    """Read every segment with its checksums, and compare folders with their labels."""
    problems: list[str] = []
    notes: list[str] = []
    for space in store.spaces():
        problems += _label_problems(space)
        if not (space.folder / LABEL).exists():
            notes.append(f"{space.folder}: has no {LABEL} yet; the next run that uses it writes it")
        seen: dict[str, str] = {}
        differing: set[str] = set()
        for path in space.segments():
            try:
                for key, payload in rows(path, checksums=True):
                    if not isinstance(json.loads(payload), dict):
                        raise ValueError(f"{path}: the answer to {key[:12]} is no JSON object; delete the file")
                    digest = hashlib.sha256(payload.encode()).hexdigest()
                    if seen.setdefault(key, digest) != digest:
                        differing.add(key)
            except FileNotFoundError:
                continue  # compacted meanwhile by its writer
            except (ValueError, OSError) as error:
                problems.append(str(error))
        if differing:
            notes.append(
                f"{space.folder}: {len(differing)} keys have two different answers (first {min(differing)[:12]}); "
                f"the one with the smallest hash is used, `dualpair store gc` settles it"
            )
    return Check(problems, notes)


def export(store: Store, path: Path, kind: str | None = None, models: Collection[str] = ()) -> int:
    """Write the store, or what kind and models choose of it, as one file that appears whole.

    Args:
        store: the store.
        path: Parquet file to write.
        kind: only answers of this kind.
        models: only answers of these models; all where empty.

    Returns:
        Number of answers written.

    Raises:
        InputError: a file that cannot be written, nothing chosen, or a space that has no label.
    """
    targets.check(path, "OUT.parquet:", (".parquet",))
    chosen = [s for s in store.spaces() if s.segments() and (kind is None or s.folder.parent.name == kind)]
    _known(models, chosen, store)
    chosen = [space for space in chosen if not models or model_of(space) in models]
    if not chosen:
        raise InputError(f"{store.root}: holds no answer{f' of kind {kind}' if kind else ''}; nothing is written")
    labelled = sorted(((_labelled(space), space) for space in chosen), key=lambda pair: _head(pair[0]))
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        count = _write_export(temporary, (row for label, space in labelled for row in _rows_of(label, space)))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return count


def import_file(store: Store, path: Path) -> list[Imported]:
    """Add the answers of an exported file that the store does not hold, as one new segment a space.

    The whole file is checked before anything is written. Of two different answers to a key the one with the smaller
    hash is used from then on, as everywhere, so that the order of imports and runs does not matter.

    Returns:
        What happened to each space of the file.

    Raises:
        InputError: not an export, another version, damaged, or a row that is not well formed.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; give a file that `dualpair store export` wrote")
    _check_export(path)
    done = []
    for (kind, model, identity), group in itertools.groupby(_read_export(path), key=lambda row: row[:3]):
        label = Label(kind, model, json.loads(identity))
        given = {row[3]: row[4] for row in group}
        space = store.space(*label)
        held = space.get(given).texts
        best = dict(held)
        keep_smallest(best, given.items())
        new = {key: payload for key, payload in best.items() if held.get(key) != payload}
        space.add(new)
        differing = sum(held[key] != given[key] for key in held)
        done.append(Imported(label.folder(), len(new), len(given) - len(new), differing))
    return done


def collect(
    store: Store, keep_days: float | None = None, models: Collection[str] = (), dry_run: bool = False
) -> list[Tidied]:
    """Remove spaces and merge small segments; what was used within the last hour is left to the runs that use it.

    A space is removed when its model is named in ``models`` and no run has used it for ``keep_days`` days; either alone
    decides when the other is not given, and nothing is removed when neither is. In all other spaces, segments that are
    older than an hour are merged, and files that a killed writer left are deleted.

    Returns:
        What was done (or would be done), folder by folder.

    Raises:
        InputError: the store has no answers of a model that is named.
    """
    spaces = store.spaces()
    _known(models, spaces, store)
    done: list[Tidied] = []
    if not dry_run:
        for trash in store.root.glob(f"{_TRASH}*"):  # of a removal that was killed
            shutil.rmtree(trash, ignore_errors=True)
    for space in spaces:
        idle = time.time() - space.last_used()
        doomed = (bool(models) or keep_days is not None) and (not models or model_of(space) in models)
        if doomed and keep_days is not None:
            doomed = idle > keep_days * 86400
        if not doomed:
            done += _tidy(space, dry_run)
        elif idle < FINISHED:
            done.append(Tidied(space.folder, "kept: used within the last hour", 0))
        else:
            done.append(Tidied(space.folder, "removed", _size(space.folder.iterdir())))
            if not dry_run:
                _remove(store, space)
    return done


def _tidy(space: Space, dry_run: bool) -> Iterator[Tidied]:
    left = [path for path in space.folder.glob(".*.tmp") if _age(path) > FINISHED]
    if left:
        yield Tidied(space.folder, f"{len(left)} files of killed writers deleted", _size(left))
    if not dry_run:
        for path in left:
            path.unlink(missing_ok=True)
    for group in _groups(path for path in space.segments() if _age(path) > FINISHED):
        done = Tidied(space.folder, f"{len(group)} segments merged into one", _size(group))
        try:
            if not dry_run:
                space.merge(group, keep_time=True)
        except ValueError as error:
            done = Tidied(space.folder, f"{len(group)} segments not merged: {error}", 0)
        yield done


def _groups(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Small segments in groups of bounded size, at least two each."""
    group: list[Path] = []
    total = 0
    for size, path in sorted((_size([path]), path) for path in paths):
        if total + size > _MERGED:
            if len(group) > 1:
                yield group
            group, total = [], 0
        group.append(path)
        total += size
    if len(group) > 1:
        yield group


def _remove(store: Store, space: Space) -> None:
    """Remove a space; it disappears at once, by rename, so that no reader sees half of it."""
    trash = store.root / f"{_TRASH}{uuid.uuid4().hex}"
    trash.mkdir()
    space.folder.rename(trash / space.folder.name)
    shutil.rmtree(trash)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _size(paths: Iterable[Path]) -> int:
    total = 0
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # merged meanwhile by its writer
            total += path.stat().st_size
    return total


def _known(models: Collection[str], spaces: Collection[Space], store: Store) -> None:
    there = {model_of(space) for space in spaces}
    unknown = sorted(set(models) - there)
    if unknown:
        raise InputError(
            f"{store.root}: holds no such answers of model {', '.join(unknown)} "
            f"(models there: {', '.join(sorted(there)) or 'none'}); check --model"
        )


def _label_problems(space: Space) -> list[str]:
    try:
        label = space.label()
    except ValueError as error:
        return [str(error)]
    place = f"{space.folder.parent.name}/{space.folder.name}"
    if label is not None and label.folder() != place:
        return [f"{space.folder}: its {LABEL} belongs to {label.folder()}; move the folder there, or delete it"]
    return []


def _labelled(space: Space) -> Label:
    label = space.label()
    problems = _label_problems(space)
    if label is None:
        raise InputError(
            f"{space.folder}: has no {LABEL}, so its answers could not be used elsewhere; run a workflow that uses it "
            f"once (that writes the file), leave it out with --kind or --model, or remove it with `store gc --model`"
        )
    if problems:
        raise InputError(problems[0])
    return label


def _head(label: Label) -> tuple[str, str, str]:
    return label.kind, label.model, canonical_json(label.identity)


def _rows_of(label: Label, space: Space) -> Iterator[Row]:
    head = _head(label)
    for key, payload in sorted(space.everything().texts.items()):
        yield (*head, key, payload)


def _hashed(digest: hashlib._Hash, row: Row) -> None:
    digest.update("\0".join(row).encode() + b"\n")


def _write_export(path: Path, export_rows: Iterator[Row]) -> int:
    digest, count = hashlib.sha256(), 0
    with pq.ParquetWriter(path, _EXPORT, compression="zstd") as writer:
        while batch := list(itertools.islice(export_rows, _GROUP)):
            for row in batch:
                _hashed(digest, row)
            count += len(batch)
            columns = [pa.array([row[i] for row in batch], pa.string()) for i in range(len(_EXPORT))]
            writer.write_table(pa.Table.from_arrays(columns, schema=_EXPORT), row_group_size=_GROUP)
        meta = {"version": EXPORT_VERSION, "rows": count, "sha256": digest.hexdigest()}
        writer.add_key_value_metadata({_META: canonical_json(meta).encode()})
    return count


def _read_export(path: Path) -> Iterator[Row]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_GROUP):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _check_export(path: Path) -> None:
    try:
        with pq.ParquetFile(path) as file:
            meta = json.loads((file.metadata.metadata or {}).get(_META, b"null"))
            names = file.schema_arrow.names
        if meta is None or names != _EXPORT.names:
            raise InputError(f"{path}: columns {names}: not a file that `dualpair store export` wrote; give one")
        if meta["version"] != EXPORT_VERSION:
            raise InputError(
                f"{path}: export of version {meta['version']}, this program reads {EXPORT_VERSION}; export it again"
            )
        digest, count = hashlib.sha256(), 0
        last: tuple[str, ...] = ()
        for count, row in enumerate(_read_export(path), start=1):
            _check_row(path, count, row)
            if row[:4] <= last:
                raise InputError(f"{path}: row {count}: not sorted, or its key repeats; export it again")
            last = row[:4]
            _hashed(digest, row)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: cannot be read ({error}); copy or export it again") from error
    if (count, digest.hexdigest()) != (meta["rows"], meta["sha256"]):
        raise InputError(
            f"{path}: {count} rows with SHA-256 {digest.hexdigest()[:12]}, but its metadata say {meta['rows']} rows "
            f"with {meta['sha256'][:12]}: damaged or edited; copy or export it again"
        )


def _check_row(path: Path, number: int, row: Row) -> None:
    if any(value is None for value in row):
        raise InputError(f"{path}: row {number}: a value is missing; export it again")
    kind, model, identity, key, payload = row
    for name, value, pattern in (("kind", kind, _KIND), ("model", model, re.compile(MODEL_NAME)), ("key", key, _KEY)):
        if not pattern.fullmatch(value):
            raise InputError(
                f"{path}: row {number}: {name} {value[:80]!r}; allowed: {pattern.pattern}; export it again"
            )
    for name, text in (("identity", identity), ("payload", payload)):
        try:
            well = canonical_json(value := json.loads(text)) == text and isinstance(value, dict)
        except ValueError:
            well = False
        if not well:
            raise InputError(
                f"{path}: row {number}: {name} {text[:80]!r} is no JSON object as the store writes it; export it again"
            )
