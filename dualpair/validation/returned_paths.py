"""Which files came back: the config's paths, with folders replaced by what is in them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dualpair.errors import InputError
from dualpair.validation.settings import ReturnedFile

ENDINGS = (".xlsx", ".csv", ".tsv", ".tab", ".txt")
_KEY = "`validation.returned`"


class File(NamedTuple):
    """One returned file; an empty ``annotator`` is to be found in the file or its path."""

    path: str
    annotator: str = ""
    encoding: str = "auto"


def expand(entries: Iterable[ReturnedFile], encoding: str) -> list[File]:
    """The files of `validation.returned`; a folder stands for the sheets in it, however deep.

    Files that a program keeps beside an open one (``~$...``, ``.~lock...``) are no sheets.

    Args:
        entries: the config's entries.
        encoding: the config's `validation.encoding`, for entries that name none.

    Raises:
        InputError: no such file or folder, an empty folder, or a file named twice.
    """
    found: list[File] = []
    for entry in entries:
        path = Path(entry.path).expanduser()
        if not path.exists():
            raise InputError(f"key {_KEY}: {entry.path!r} does not exist; correct the path, or take it out of the list")
        inside = [path]
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if _is_sheet(file))
            if not inside:
                raise InputError(
                    f"key {_KEY}: folder {entry.path!r} holds no sheet (looked for {', '.join(ENDINGS)}); put the "
                    f"files that came back there, or correct the path"
                )
        found += [File(str(file), entry.annotator or "", entry.encoding or encoding) for file in inside]
    seen: dict[Path, str] = {}
    for file in found:
        real = Path(file.path).resolve()
        if real in seen:
            raise InputError(f"key {_KEY}: {file.path!r} is named twice (also by {seen[real]!r}); name it once")
        seen[real] = file.path
    return found


def _is_sheet(path: Path) -> bool:
    return path.is_file() and path.suffix.casefold() in ENDINGS and not path.name.startswith(("~", "."))
