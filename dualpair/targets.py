"""Files that a command is to write, looked at before the work that fills them."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from dualpair.errors import InputError


def check(path: Path, name: str, suffixes: Collection[str]) -> None:
    """Refuse a file that could not be written at the end.

    Args:
        path: the file to be written.
        name: what messages call it, such as `--out`.
        suffixes: endings of the formats that can be written.

    Raises:
        InputError: another ending, a folder, or a folder to write into that is not there or cannot be written to.
    """
    if path.suffix not in suffixes:
        raise InputError(f"{name} {path}: unknown kind of file {path.suffix!r} (allowed: {', '.join(suffixes)})")
    if path.is_dir():
        raise InputError(f"{name} {path}: is a folder; give the name of a file in it")
    parent = path.parent
    if not parent.is_dir():
        raise InputError(f"{name} {path}: there is no folder {parent}; make it, or correct the path")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise InputError(
            f"{name} {path}: the folder {parent} cannot be written to; choose another, or change its rights"
        )
