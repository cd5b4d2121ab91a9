"""YAML documents of the feature norms, read into closed sections."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.sections import Section

Kind = TypeVar("Kind", bound=Section)


def read(path: Path, kind: type[Kind]) -> Kind:
    """The document of a YAML file.

    Raises:
        InputError: not UTF-8, not YAML, or with keys or values that the section does not allow; names file and key.
    """
    document = yaml_files.mapping(path, kind.model_fields)
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        lines = [_line(item["loc"], item["msg"], item["input"]) for item in error.errors()]
        raise InputError(f"{path}: " + "; ".join(dict.fromkeys(lines))) from None


def _line(where: tuple[int | str, ...], message: str, found: object) -> str:
    key = ".".join(str(part) for part in where)
    shown = repr(found) if len(repr(found)) <= 80 else f"{repr(found)[:79]}…"
    return f"key `{key}`: found {shown}: {message.removeprefix('Value error, ')}"
