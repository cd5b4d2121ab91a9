"""The content-addressed memory of model calls: an append-only store that survives kills and is shared by runs.

A *space* is one folder per (kind, model): ``<root>/<kind>/<model>-<identity>/``. A finished unit appears as one
segment file by rename, so a reader sees it whole or not at all, on network file systems too, and two workflows may
write at once. Equal keys may occur in several segments; the payload with the smallest SHA-256 wins, whatever the order
in which they were written. A writer compacts only the segments that it wrote itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dualpair.artifacts import canonical_json, write_atomically

_SCHEMA = pa.schema([("key", pa.string()), ("payload", pa.string())])
Payload = dict[str, Any]


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


class Space:
    """Answers of one kind under one model."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._own: list[Path] = []

    def segments(self) -> list[Path]:
        """Segment files, sorted by name."""
        return sorted(self.folder.glob("*.parquet")) if self.folder.is_dir() else []

    def keys(self) -> set[str]:
        """All keys that have an answer."""
        found: set[str] = set()
        for keys, _ in self._read(["key"]):
            found.update(keys)
        return found

    def get(self, keys: Iterable[str]) -> dict[str, Payload]:
        """Answers for those of ``keys`` that are stored."""
        wanted = set(keys)
        best: dict[str, tuple[str, str]] = {}
        for found, payloads in self._read(["key", "payload"]):
            for key, payload in zip(found, payloads, strict=True):
                if key not in wanted:
                    continue
                candidate = (hashlib.sha256(payload.encode()).hexdigest(), payload)
                if key not in best or candidate < best[key]:
                    best[key] = candidate
        return {key: json.loads(payload) for key, (_, payload) in best.items()}

    def put(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Add one finished unit: visible whole, or not at all."""
        if not answers:
            return
        rows = sorted((key, canonical_json(dict(payload))) for key, payload in answers.items())
        self._own.append(self._write(rows))

    def compact(self) -> None:
        """Merge the segments that this object wrote into one; others' are not touched."""
        own = [path for path in self._own if path.exists()]
        if len(own) < 2:
            return
        rows = sorted({row for path in own for row in _rows(path)})
        merged = self._write(rows)
        for path in own:
            path.unlink(missing_ok=True)
        self._own = [merged]

    def _write(self, rows: list[tuple[str, str]]) -> Path:
        path = self.folder / f"{uuid.uuid4().hex}.parquet"
        sink = pa.BufferOutputStream()
        columns = [pa.array([row[i] for row in rows], pa.string()) for i in (0, 1)]
        pq.write_table(pa.Table.from_arrays(columns, schema=_SCHEMA), sink, compression="zstd")
        write_atomically(path, sink.getvalue().to_pybytes())
        return path

    def _read(self, columns: list[str]) -> Iterable[tuple[list[str], list[str]]]:
        done: set[Path] = set()
        while pending := [path for path in self.segments() if path not in done]:
            # Another writer may compact while we read: a segment that vanished has its rows in a newer one, which the
            # next turn of this loop picks up.
            for path in pending:
                done.add(path)
                try:
                    table = pq.read_table(path, columns=columns)
                except FileNotFoundError:
                    continue
                data = [table.column(name).to_pylist() for name in columns]
                yield data[0], data[-1]


class Store:
    """All spaces under one root folder."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root).expanduser()

    def space(self, kind: str, model: str, identity: Mapping[str, Any]) -> Space:
        """The space of one kind of call (generation, similarity, nli, score) under one model identity."""
        digest = hashlib.sha256(canonical_json(dict(identity)).encode()).hexdigest()[:12]
        return Space(self.root / kind / f"{model}-{digest}")

    def spaces(self) -> list[Space]:
        """Every space on disk, sorted by folder."""
        if not self.root.is_dir():
            return []
        return [Space(path) for path in sorted(self.root.glob("*/*")) if path.is_dir()]

    def verify(self) -> list[str]:
        """Problems found: unreadable segments and keys with differing answers, one line each."""
        problems: list[str] = []
        for space in self.spaces():
            seen: dict[str, str] = {}
            for path in space.segments():
                try:
                    rows = _rows(path)
                except (pa.ArrowInvalid, OSError) as error:
                    problems.append(f"{path}: cannot be read ({error}); delete it, its calls are made again")
                    continue
                for key, payload in rows:
                    if seen.setdefault(key, payload) != payload:
                        problems.append(f"{path}: key {key[:12]} has two different answers; the smallest hash is used")
        return problems


def _rows(path: Path) -> list[tuple[str, str]]:
    table = pq.read_table(path)
    return list(zip(table.column("key").to_pylist(), table.column("payload").to_pylist(), strict=True))
