"""YAML documents of the feature norms, read into closed sections."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import ValidationError

from dualpair.errors import InputError
from dualpair.sections import Section

Kind = TypeVar("Kind", bound=Section)


def read(path: Path, kind: type[Kind]) -> Kind:
    """The document of a YAML file.

    Raises:
        InputError: not UTF-8, not YAML, or with keys or values that the section does not allow; names file and key.
    """
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 (byte {error.object[error.start]:#04x} at {error.start}); save it as UTF-8"
        ) from None
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read as YAML: {error}") from None
    if not isinstance(document, dict):
        raise InputError(
            f"{path}: holds {type(document).__name__}, expected a mapping of the keys {', '.join(kind.model_fields)}"
        )
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        lines = [_line(item["loc"], item["msg"], item["input"]) for item in error.errors()]
        raise InputError(f"{path}: " + "; ".join(dict.fromkeys(lines))) from None


def _line(where: tuple[int | str, ...], message: str, found: object) -> str:
    key = ".".join(str(part) for part in where)
    shown = repr(found) if len(repr(found)) <= 80 else f"{repr(found)[:79]}…"
    return f"key `{key}`: found {shown}: {message.removeprefix('Value error, ')}"
