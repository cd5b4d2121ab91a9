"""Folders that are written whole and once, because they are handed to people."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


def write_once(target: Path, marker: str, fill: Callable[[Path], object]) -> bool:
    """Let ``fill`` write a folder that appears whole, by a rename; whether this call wrote it.

    A folder that is there already may be in somebody's hands: it is never replaced, completed or deleted.

    Args:
        target: the folder.
        marker: a file that every such folder holds.
        fill: writes the files into the folder it is given.

    Raises:
        ValueError: the folder's place is taken by something without the marker.
    """
    if _exists(target, marker):
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, because a rename across file systems is not atomic.
    temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent))
    try:
        fill(temporary)
        temporary.chmod(0o755)  # mkdtemp makes it private; results are to be readable as other artifacts are
        try:
            temporary.rename(target)
        except OSError:
            # Another process was faster: the system refuses to rename onto a folder that holds files.
            if not _exists(target, marker):
                raise
            return False
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return True


def _exists(target: Path, marker: str) -> bool:
    if (target / marker).is_file():
        return True
    if target.exists():
        raise ValueError(f"{target}: holds no {marker}, so it is none of ours; move it away and run again")
    return False
