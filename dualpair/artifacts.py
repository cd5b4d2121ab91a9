"""Read and write the Parquet artifacts: schema-checked, sorted, whole (atomic rename), with provenance inside.

Equal frames and equal provenance give equal bytes: no timestamps, fixed compression, rows sorted by the table's key.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from dualpair import __version__
from dualpair.schemas import SCHEMA_VERSION, Table, table

_META = b"dualpair"


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces, so that equal values give equal text (NaN is refused)."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` so that ``path`` is either absent, the old file, or the whole new one.

    The temporary file lies in the same folder (a rename across file systems is not atomic) and is flushed to disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def empty(name: str) -> pd.DataFrame:
    """A frame with the table's columns and no row."""
    frame: pd.DataFrame = table(name).arrow().empty_table().to_pandas()
    return frame


def write(frame: pd.DataFrame, path: Path | str, name: str, provenance: Mapping[str, Any] | None = None) -> None:
    """Write ``frame`` as the artifact ``name``.

    Args:
        frame: exactly the table's columns, in any order.
        path: target file; its folder is made.
        name: table name in :mod:`dualpair.schemas`.
        provenance: config slice, model fingerprint, seed, library versions; JSON-serialisable, nothing volatile.

    Raises:
        ValueError: missing or extra columns, a value of another type, a missing value in a column that has none, or
            two rows with the same key.
    """
    declared = table(name)
    arrow = _to_arrow(frame, declared, Path(path))
    meta = {
        "table": name,
        "schema_version": SCHEMA_VERSION,
        "dualpair": __version__,
        "provenance": dict(provenance or {}),
    }
    arrow = arrow.replace_schema_metadata({_META: canonical_json(meta).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(arrow, sink, compression="zstd", store_schema=True)
    write_atomically(Path(path), sink.getvalue().to_pybytes())


def read(path: Path | str, name: str) -> pd.DataFrame:
    """Read the artifact ``name`` and check it.

    Raises:
        FileNotFoundError: no such file.
        ValueError: not a dualpair artifact, another table, another schema version, or other columns.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such artifact; run the rule that makes table {name!r}")
    arrow = pq.read_table(path)
    meta = _meta(arrow.schema, path)
    if meta["table"] != name:
        raise ValueError(f"{path}: holds table {meta['table']!r}, expected {name!r}; check the paths given")
    if meta["schema_version"] != SCHEMA_VERSION:
        raise ValueError(
            f"{path}: schema version {meta['schema_version']}, this program reads {SCHEMA_VERSION}; "
            f"delete the file and run snakemake again to rebuild it"
        )
    declared = table(name)
    if not arrow.schema.equals(declared.arrow()):
        raise ValueError(f"{path}: columns {arrow.schema.names} do not match table {name!r}: {declared.names}")
    frame: pd.DataFrame = arrow.to_pandas(types_mapper=_pandas_type)
    return _python_values(frame, declared)


def provenance(path: Path | str) -> dict[str, Any]:
    """The metadata that :func:`write` stored: table, schema_version, dualpair, provenance."""
    return _meta(pq.read_schema(Path(path)), Path(path))


def _pandas_type(kind: pa.DataType) -> Any:
    return pd.BooleanDtype() if pa.types.is_boolean(kind) else None


def _python_values(frame: pd.DataFrame, declared: Table) -> pd.DataFrame:
    for column in declared.columns:
        if pa.types.is_list(column.type):
            frame[column.name] = [list(value) for value in frame[column.name]]
        elif pa.types.is_boolean(column.type) and not column.nullable:
            frame[column.name] = frame[column.name].astype(bool)
        elif pa.types.is_string(column.type):
            frame[column.name] = frame[column.name].astype(object)
    return frame


def _meta(schema: pa.Schema, path: Path) -> dict[str, Any]:
    raw = (schema.metadata or {}).get(_META)
    if raw is None:
        raise ValueError(f"{path}: not a dualpair artifact (no metadata); give a file written by this program")
    meta: dict[str, Any] = json.loads(raw)
    return meta


def _to_arrow(frame: pd.DataFrame, declared: Table, path: Path) -> pa.Table:
    missing = [name for name in declared.names if name not in frame.columns]
    extra = [str(name) for name in frame.columns if name not in declared.names]
    if missing or extra:
        raise ValueError(f"{path}: table {declared.name!r}: missing columns {missing}, undeclared columns {extra}")
    ordered = frame[declared.names].sort_values(list(declared.key), kind="stable").reset_index(drop=True)
    repeated = ordered.duplicated(list(declared.key))
    if repeated.any():
        first = ordered.loc[repeated, list(declared.key)].iloc[0].to_dict()
        raise ValueError(f"{path}: table {declared.name!r}: {int(repeated.sum())} rows repeat a key, first: {first}")
    arrays = [
        _column(ordered[c.name], c.type, c.nullable, f"{path}: {declared.name}.{c.name}") for c in declared.columns
    ]
    return pa.Table.from_arrays(arrays, schema=declared.arrow())


def _column(values: pd.Series, kind: pa.DataType, nullable: bool, where: str) -> pa.Array:
    items = values.tolist()
    if not pa.types.is_list(kind):
        items = [None if value is pd.NA or value is None or value != value else value for value in items]
    if not nullable and any(item is None for item in items):
        raise ValueError(f"{where}: row {items.index(None)} has no value, but the column allows none missing")
    try:
        return pa.array(items, type=kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(f"{where}: {error}; declared type {kind}") from error
