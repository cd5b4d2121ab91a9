"""Which files came back: the config's paths, with folders replaced by what is in them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dualpair.errors import InputError
from dualpair.validation.settings import ReturnedFile

ENDINGS = (".xlsx", ".csv", ".tsv", ".tab", ".txt")
# What to do about other files that may hold answers; any of them in a returned folder stops the run, so that no
# answers are passed over in silence.
HINTS = {
    ".xls": "save it as .xlsx",
    ".xlsb": "save it as .xlsx",
    ".xlsm": "save it as .xlsx",
    ".xltx": "save it as .xlsx",
    ".ods": "save it as .xlsx",
    ".fods": "save it as .xlsx",
    ".numbers": "export it as .xlsx",
    ".html": "this is the page itself: give the CSV file that its export button saves",
    ".htm": "this is the page itself: give the CSV file that its export button saves",
    ".mhtml": "this is the page itself: give the CSV file that its export button saves",
    ".gsheet": "this is a link only: download the sheet as .xlsx or .csv",
    ".zip": "unpack it",
    ".gz": "unpack it",
    ".7z": "unpack it",
    ".rar": "unpack it",
    ".part": "this is an unfinished download: get the file again",
    ".crdownload": "this is an unfinished download: get the file again",
    ".download": "this is an unfinished download: get the file again",
}
_KEY = "`validation.returned`"
_LOCKS = ("~$", ".~")  # how the files begin that Excel and LibreOffice keep beside an open one
_KEYS = ("key.parquet", "ratings_key.parquet")


class File(NamedTuple):
    """One returned file; an empty ``annotator`` is to be found in the file or its path."""

    path: str
    annotator: str = ""
    encoding: str = "auto"


def expand(entries: Iterable[ReturnedFile], encoding: str) -> list[File]:
    """The files of `validation.returned`; a folder stands for the sheets in it, however deep.

    Files that a program keeps beside an open one (``~$...``, ``.~lock...``) and other hidden files are no sheets.

    Args:
        entries: the config's entries.
        encoding: the config's `validation.encoding`, for entries that name none.

    Raises:
        InputError: no such file or folder, a folder without sheets, with a file of answers that cannot be read, or of
            sheets as they were handed out; a lock file; or a file named twice.
    """
    found: list[File] = []
    for entry in entries:
        path = Path(entry.path).expanduser()
        inside = _inside(path, entry.path) if path.is_dir() else [_file(path, entry.path)]
        found += [File(str(file), entry.annotator or "", entry.encoding or encoding) for file in inside]
    seen: dict[Path, str] = {}
    for file in found:
        real = Path(file.path).resolve()
        if real in seen:
            raise InputError(f"key {_KEY}: {file.path!r} is named twice (also by {seen[real]!r}); name it once")
        seen[real] = file.path
    return found


def _file(path: Path, given: str) -> Path:
    if not path.exists():
        pattern = any(char in given for char in "*?[")
        what = "patterns are not filled in: name the folder, which stands for all sheets in it"
        fix = what if pattern else "correct the path (capital letters count), or take it out of the list"
        raise InputError(f"key {_KEY}: {given!r} does not exist; {fix}")
    if path.name.startswith(_LOCKS):
        raise InputError(
            f"key {_KEY}: {given!r} is what a program keeps beside a file that is open; close that file, and name it "
            f"instead"
        )
    return path


def _inside(folder: Path, given: str) -> list[Path]:
    visible = [path for path in sorted(folder.rglob("*")) if not path.name.startswith(("~", "."))]
    if any((folder / key).is_file() for key in _KEYS):
        raise InputError(
            f"key {_KEY}: folder {given!r} is the one that was handed out from (it holds the key); name the files that "
            f"came back, or a folder of them"
        )
    odd = next((path for path in visible if path.suffix.casefold() in HINTS), None)
    if odd is not None:
        raise InputError(
            f"key {_KEY}: {str(odd)!r} cannot be read (allowed: {', '.join(ENDINGS)}); "
            f"{HINTS[odd.suffix.casefold()]}, or move it out of folder {given!r}"
        )
    sheets = [path for path in visible if path.is_file() and path.suffix.casefold() in ENDINGS]
    if not sheets:
        raise InputError(
            f"key {_KEY}: folder {given!r} holds no sheet (looked for {', '.join(ENDINGS)}); put the files that came "
            f"back there, or correct the path"
        )
    return sheets
