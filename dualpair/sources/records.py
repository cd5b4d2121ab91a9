"""JSON lines (one object a line) and JSON lists of objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dualpair.errors import InputError
from dualpair.sources import encodings, reading
from dualpair.sources.cleaning import shown
from dualpair.sources.settings import Reading

_ABSENT = object()


class _Number(str):
    """A number as it is written in the file."""

    __slots__ = ()


def load(text: str, where: str) -> Any:
    """Parse JSON; numbers stay as they are written, a repeated key or a value that JSON lacks is refused.

    Raises:
        InputError: no JSON; names the place.
    """

    def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{where}: key {twice!r} occurs twice in one object; delete one")
        return found

    def refused(name: str) -> Any:
        raise InputError(f"{where}: value {name} is not allowed in JSON; write null or a text in quotes")

    try:
        return json.loads(
            text, object_pairs_hook=unique, parse_int=_Number, parse_float=_Number, parse_constant=refused
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"{where}: not JSON ({error.msg}, line {error.lineno}, character {error.colno}); correct it"
        ) from None
    except RecursionError:
        raise InputError(f"{where}: not a flat JSON object (nested too deeply); give one object a row") from None


def read_lines(path: Path, settings: Reading, lang: str) -> reading.Raw:
    """One JSON object a line.

    Raises:
        InputError: a line that is no JSON object.
    """
    text = encodings.decode(reading.read_bytes(path), path, settings.encoding, lang)
    records: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.strip():
            records.append((number, _mapping(load(line, f"{path}: line {number}"), f"{path}: line {number}")))
    return _raw(path, reading.LINE, records, settings.encoding)


def read_list(path: Path, settings: Reading, lang: str) -> reading.Raw:
    """A JSON list of objects.

    Raises:
        InputError: no such list.
    """
    text = encodings.decode(reading.read_bytes(path), path, settings.encoding, lang)
    data = load(text, str(path))
    if not isinstance(data, list):
        raise InputError(f"{path}: holds {type(data).__name__}, expected a list of objects: [{{...}}, {{...}}]")
    records = [(number, _mapping(item, f"{path}: record {number}")) for number, item in enumerate(data, start=1)]
    return _raw(path, reading.RECORD, records, settings.encoding)


def cell_text(value: Any) -> str:
    """The text of a JSON value: a list becomes a JSON list, null the empty text.

    Raises:
        reading.CellError: a nested object, or a key that the record lacks.
    """
    if value is _ABSENT:
        raise reading.CellError(
            "this record has no such key; add it, with null or an empty text where there is no value"
        )
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) and not isinstance(item, _Number) for item in value):
        return json.dumps(value, ensure_ascii=False)
    raise reading.CellError(f"value {shown(value)} is nested; allowed are texts, numbers and lists of texts")


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f'{where}: {shown(value)} is no object; expected {{"column": "text", ...}}')
    return value


def _raw(path: Path, unit: str, records: Sequence[tuple[int, dict[str, Any]]], encoding: str) -> reading.Raw:
    header = list(dict.fromkeys(name for _, record in records for name in record))
    rows = ((number, [record.get(name, _ABSENT) for name in header]) for number, record in records)
    return reading.Raw(path.name, unit, header, rows, cell_text, encoding)
