"""Parquet files, and data sets that Hugging Face's `datasets` saved to disk (Arrow files in a folder)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair.errors import InputError
from dualpair.sources import reading, records
from dualpair.sources.cleaning import shown

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK = 10_000


def read_parquet(path: Path) -> reading.Raw:
    """The file's columns and rows; a place is the record's number, from 1.

    Raises:
        InputError: no Parquet file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({_first_line(error)}); give another file") from None
    return _raw(table, path.name, {})


def read_saved(folder: Path, split: str | None) -> reading.Raw:
    """A data set as `save_to_disk` leaves it; class labels become their names.

    Args:
        folder: with ``state.json``, or with ``dataset_dict.json`` and a folder a split.
        split: the split to take; None: the only one.

    Raises:
        InputError: no such folder, split or file.
    """
    import pyarrow as pa

    part = _split_folder(folder, split)
    state = _json(part / "state.json")
    if state.get("_indices_data_files") or state.get("_indices_files"):
        raise InputError(f"{part}: rows are picked by an index file; load it with `datasets` and save it again")
    names = [str(file.get("filename", "")) for file in state.get("_data_files") or [] if isinstance(file, dict)]
    if not names:
        raise InputError(f"{part / 'state.json'}: names no data file (`_data_files`); save the data set again")
    tables = [_arrow(part / Path(name).name) for name in names]
    try:
        table = pa.concat_tables(tables)
    except pa.ArrowException as error:
        raise InputError(f"{part}: its files have different columns ({_first_line(error)}); save it again") from None
    where = folder.name if part == folder else f"{folder.name}/{part.name}"
    return _raw(table, where, _labels(part))


def cell_text(value: Any) -> str:
    """The text of a Parquet or Arrow value.

    Raises:
        reading.CellError: a date, decimal, binary or nested value.
    """
    import numpy as np

    if isinstance(value, float) and value != value:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    if value is None or isinstance(value, bool | str | list | dict):
        return records.cell_text(value)
    if isinstance(value, np.generic):
        return cell_text(value.item())
    raise reading.CellError(
        f"value {shown(value)} is of type {type(value).__name__}; allowed are texts, numbers and lists of texts: store "
        f"the column as text"
    )


def _raw(table: pa.Table, name: str, labels: Mapping[str, Sequence[str]]) -> reading.Raw:
    header = list(table.column_names)
    rows = _rows(table, [labels.get(column) for column in header])
    return reading.Raw(name, reading.RECORD, header, rows, cell_text)


def _rows(table: pa.Table, labels: Sequence[Sequence[str] | None]) -> Iterator[tuple[int, list[Any]]]:
    number = 0
    for batch in table.to_batches(max_chunksize=_CHUNK):
        columns = [_values(column, names) for column, names in zip(batch.columns, labels, strict=True)]
        for cells in zip(*columns, strict=True):
            number += 1
            yield number, list(cells)


def _values(column: pa.Array, names: Sequence[str] | None) -> list[Any]:
    values: list[Any] = column.to_pylist()
    if names is None:
        return values
    return [names[v] if isinstance(v, int) and 0 <= v < len(names) else None if v in (-1, None) else v for v in values]


def _split_folder(folder: Path, split: str | None) -> Path:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the folder that `save_to_disk` made")
    if (folder / "state.json").is_file():
        if split is not None:
            raise InputError(f"{folder}: has no splits; set `source.split` to null")
        return folder
    if not (folder / "dataset_dict.json").is_file():
        raise InputError(
            f"{folder}: neither state.json nor dataset_dict.json is there; give the folder that `save_to_disk` made"
        )
    splits = [str(name) for name in _json(folder / "dataset_dict.json").get("splits") or []]
    allowed = ", ".join(splits)
    if split is None and len(splits) != 1:
        raise InputError(f"{folder}: `source.split` is null, but there are {len(splits)} splits ({allowed}); name one")
    chosen = splits[0] if split is None else split
    if chosen not in splits:
        raise InputError(f"{folder}: key `source.split`: value {chosen!r} (allowed: {allowed})")
    return folder / Path(chosen).name


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({_first_line(error)}); save the data set again") from None
    if not isinstance(data, dict):
        raise InputError(f"{path}: holds {type(data).__name__}, expected an object; save the data set again")
    return data


def _arrow(path: Path) -> pa.Table:
    import pyarrow as pa

    try:
        with pa.OSFile(str(path)) as file:
            return pa.ipc.open_stream(file).read_all()
    except pa.ArrowException as error:
        raise InputError(f"{path}: cannot be read as an Arrow stream ({_first_line(error)}); save it again") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({_first_line(error)}); save the data set again") from None


def _labels(folder: Path) -> dict[str, list[str]]:
    """Names of the class labels of each column that has them."""
    path = folder / "dataset_info.json"
    features = _json(path).get("features") if path.is_file() else None
    found = {}
    for column, feature in (features if isinstance(features, dict) else {}).items():
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel" and feature.get("names"):
            found[str(column)] = [str(name) for name in feature["names"]]
    return found


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
