"""The content-addressed memory of model calls: an append-only store that survives kills and is shared by runs.

A *space* is one folder per (kind, model): ``<root>/<kind>/<model>-<identity>/``, with the full identity beside the
answers in ``identity.json``. A finished unit appears as one segment file by rename, so a reader sees it whole or not at
all, on network file systems too, and two workflows may write at once. Equal keys may occur in several segments; the
payload with the smallest SHA-256 wins, whatever the order in which they were written. A writer compacts only the
segments that it wrote itself.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import hashlib
import json
import os
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from dualpair.artifacts import canonical_json, write_atomically

LABEL = "identity.json"
_SCHEMA = pa.schema([("key", pa.string()), ("payload", pa.string())])
_BATCH = 8192  # rows of a segment in memory at a time
Payload = dict[str, Any]


class Label(NamedTuple):
    """Whose answers a space holds."""

    kind: str
    model: str
    identity: dict[str, Any]

    def folder(self) -> str:
        """The space's folder below the store's root."""
        digest = hashlib.sha256(canonical_json(self.identity).encode()).hexdigest()[:12]
        return f"{self.kind}/{self.model}-{digest}"

    def text(self) -> str:
        """The label as the content of a space's `identity.json`."""
        return canonical_json(self._asdict()) + "\n"


class Answers(Mapping[str, Payload]):
    """Answers by key, kept as their stored text and decoded when asked for: a fifth of the memory of objects."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def __getitem__(self, key: str) -> Payload:
        payload: Payload = json.loads(self.texts[key])
        return payload

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def request_key(identity: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """SHA-256 (64 hex) over everything that determines an answer.

    Args:
        identity: weights and tokenizer fingerprint, resolved dtype, engine, contract version.
        request: the request itself, with seed and sample index where it is sampled.
    """
    return hashlib.sha256(canonical_json([dict(identity), dict(request)]).encode()).hexdigest()


def derive_seed(run_seed: int, *parts: object) -> int:
    """A 63-bit seed from the run's seed and the row's ids; the same on every machine."""
    digest = hashlib.sha256(canonical_json([run_seed, *map(str, parts)]).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def encode_vector(vector: Any) -> str:
    """A float32 vector as text (base64 of little-endian bytes), exact."""
    import numpy as np

    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode()


def decode_vector(text: str) -> Any:
    """Inverse of :func:`encode_vector`: a float32 array of shape (d,)."""
    import numpy as np

    return np.frombuffer(base64.b64decode(text), dtype="<f4").copy()


def keep_smallest(best: dict[str, str], rows: Iterable[tuple[str, str]]) -> None:
    """Add (key, payload text) rows to ``best``; of two answers to a key the one with the smaller SHA-256 stays."""
    for key, payload in rows:
        held = best.get(key)
        if held is None or (held != payload and _digest(payload) < _digest(held)):
            best[key] = payload


class Space:
    """Answers of one kind under one model."""

    def __init__(self, folder: Path, label: Label | None = None) -> None:
        self.folder = folder
        self._label = label
        self._own: list[Path] = []

    def segments(self) -> list[Path]:
        """Segment files, sorted by name."""
        return sorted(self.folder.glob("*.parquet")) if self.folder.is_dir() else []

    def keys(self, among: Collection[str] | None = None) -> set[str]:
        """All keys that have an answer, or those ``among`` some."""
        wanted = None if among is None else set(among)
        found: set[str] = set()
        for batch in self._read(["key"]):
            keys = batch.column(0).to_pylist()
            found.update(keys if wanted is None else wanted.intersection(keys))
        return found

    def get(self, keys: Iterable[str]) -> Answers:
        """Answers for those of ``keys`` that are stored."""
        wanted = set(keys)
        best: dict[str, str] = {}
        for batch in self._read(["key", "payload"]):
            keep_smallest(best, (row for row in _pairs(batch) if row[0] in wanted))
        return Answers(best)

    def everything(self) -> Answers:
        """The answer to every key."""
        best: dict[str, str] = {}
        for batch in self._read(["key", "payload"]):
            keep_smallest(best, _pairs(batch))
        return Answers(best)

    def put(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Add one finished unit: visible whole, or not at all."""
        self.add({key: canonical_json(dict(payload)) for key, payload in answers.items()})

    def add(self, texts: Mapping[str, str]) -> None:
        """Add answers given as canonical JSON, as one segment."""
        if not texts:
            return
        if self._label is not None and not (self.folder / LABEL).exists():
            write_atomically(self.folder / LABEL, self._label.text().encode())
        self._own.append(self._write(texts))

    def compact(self) -> None:
        """Merge the segments that this object wrote into one; others' are not touched."""
        merged = self.merge(self._own)
        if merged is not None:
            self._own = [merged]

    def merge(self, segments: Iterable[Path], keep_time: bool = False) -> Path | None:
        """Write the rows of several segments as a new one, then remove them; a segment that has vanished is left out.

        Readers and other mergers may be at work: the new segment is there before the old ones go, so that no answer is
        missing at any time.

        Args:
            segments: segments of this space.
            keep_time: whether the new segment is as old as the newest of them, so that merging is no use of the space.

        Returns:
            The new segment, or nothing when fewer than two were there.
        """
        best: dict[str, str] = {}
        found: dict[Path, float] = {}
        for path in segments:
            with _vanishing():
                keep_smallest(best, rows(path))
                found[path] = path.stat().st_mtime
        if len(found) < 2:
            return None
        merged = self._write(best)
        if keep_time:
            os.utime(merged, (max(found.values()),) * 2)
        for path in found:
            path.unlink(missing_ok=True)
        return merged

    def label(self) -> Label | None:
        """Whose answers these are, from `identity.json`; nothing in a space that was never labelled.

        Raises:
            ValueError: the file cannot be read as a label.
        """
        path = self.folder / LABEL
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            return Label(str(data["kind"]), str(data["model"]), dict(data["identity"]))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{path}: not the label of a space ({error!r}); delete it, the next run that uses the space writes it"
            ) from error

    def mark_used(self) -> None:
        """Note that a run uses this space now; labels it where it has no label yet. An absent space stays absent."""
        path = self.folder / LABEL
        # A store that others own and that can only be read keeps no note of its readers.
        with contextlib.suppress(PermissionError):
            if path.exists():
                os.utime(path)
            elif self._label is not None and self.folder.is_dir():
                write_atomically(path, self._label.text().encode())

    def last_used(self) -> float:
        """When a run last opened this space or added to it: seconds since the epoch."""
        times = []
        for path in (self.folder / LABEL, *self.segments()):
            with _vanishing():
                times.append(path.stat().st_mtime)
        return max(times, default=0.0)

    def _write(self, texts: Mapping[str, str]) -> Path:
        path = self.folder / f"{uuid.uuid4().hex}.parquet"
        keys = sorted(texts)
        sink = pa.BufferOutputStream()
        # Keys and payloads are all distinct: a dictionary of them would only cost time.
        with pq.ParquetWriter(
            sink, _SCHEMA, compression="zstd", use_dictionary=False, write_page_checksum=True
        ) as writer:
            for start in range(0, len(keys), _BATCH):
                part = keys[start : start + _BATCH]
                columns = [pa.array(part, pa.string()), pa.array([texts[key] for key in part], pa.string())]
                writer.write_table(pa.Table.from_arrays(columns, schema=_SCHEMA))
        write_atomically(path, sink.getvalue().to_pybytes())
        return path

    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        done: set[Path] = set()
        while pending := [path for path in self.segments() if path not in done]:
            # Another writer may compact while we read: a segment that vanished has its rows in a newer one, which the
            # next turn of this loop picks up.
            for path in pending:
                done.add(path)
                with _vanishing():
                    yield from _batches(path, columns)


class Store:
    """All spaces under one root folder."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root).expanduser()

    def space(self, kind: str, model: str, identity: Mapping[str, Any]) -> Space:
        """The space of one kind of call (generation, similarity, nli, score) under one model identity."""
        label = Label(kind, model, dict(identity))
        return Space(self.root / label.folder(), label)

    def spaces(self) -> list[Space]:
        """Every space on disk, sorted by folder."""
        found = (path for path in sorted(self.root.glob("*/*")) if path.is_dir())
        return [Space(path) for path in found if not path.parent.name.startswith(".")]


def rows(path: Path, checksums: bool = False) -> Iterator[tuple[str, str]]:
    """The (key, payload text) rows of a segment.

    Args:
        path: the segment.
        checksums: whether the pages' checksums are compared.

    Raises:
        FileNotFoundError: it has vanished.
        ValueError: it is damaged, or not a segment of a store.
    """
    for batch in _batches(path, ["key", "payload"], checksums):
        yield from _pairs(batch)


def _batches(path: Path, columns: list[str], checksums: bool = False) -> Iterator[pa.RecordBatch]:
    try:
        with pq.ParquetFile(path, page_checksum_verification=checksums) as file:
            if not file.schema_arrow.equals(_SCHEMA):
                raise ValueError(f"columns {file.schema_arrow.names} instead of {_SCHEMA.names}")
            yield from file.iter_batches(batch_size=_BATCH, columns=columns)
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the file system's own: vanished, not permitted, disk
        raise ValueError(f"{path}: cannot be read ({error}); delete it, its calls are made again") from error


def _pairs(batch: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    return zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)


def _digest(payload: str) -> str:
    return hashlib.sha256(payload.encode()).hexdigest()


@contextlib.contextmanager
def _vanishing() -> Iterator[None]:
    """Go on when a file was removed meanwhile (on NFS an open one is then stale)."""
    try:
        yield
    except OSError as error:
        if not isinstance(error, FileNotFoundError) and error.errno != errno.ESTALE:
            raise
