"""YAML files, read with messages that say what to mend."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from dualpair.errors import InputError


def mapping(path: Path, keys: Iterable[str]) -> dict[Any, Any]:
    """The mapping that a YAML file holds; its keys and values are for the caller to check.

    Args:
        path: the file, UTF-8, with or without a byte order mark.
        keys: the keys that it may have, for the message.

    Raises:
        InputError: the file cannot be read, is not UTF-8 or not YAML, or holds something else than a mapping.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 (byte {error.object[error.start]:#04x} at {error.start}); save it as UTF-8"
        ) from error
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read as YAML: {error}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: holds {type(data).__name__}, expected a mapping of the keys {', '.join(keys)}")
    return data
