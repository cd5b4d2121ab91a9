"""The hash of the code that a rule runs: its script and every module of this package that it imports, however deep.

Snakemake sees neither an edited library nor an edited script behind `shell:`; each rule therefore carries this hash as
a parameter, and an edited module re-runs the rules that use it and no others. Imports are read from the syntax tree, so
imports inside functions count and nothing is executed.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path

_PACKAGE = "dualpair"


def modules_of(script: Path) -> tuple[Path, ...]:
    """Files of the package that ``script`` imports, directly or not, sorted; package ``__init__`` files included."""
    root = Path(__file__).resolve().parent.parent
    found: set[Path] = set()
    todo = [Path(script).resolve()]
    while todo:
        for name in _imports(todo.pop()):
            for path in _files(root, name):
                if path not in found:
                    found.add(path)
                    todo.append(path)
    return tuple(sorted(found))


def code_hash(script: Path) -> str:
    """16 hex digits over the script's and its modules' names and contents."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(Path(script).read_bytes())
    for path in modules_of(script):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _imports(path: Path) -> tuple[str, ...]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{path}: line {node.lineno}: relative import; write it in full so that it is tracked")
            names.update([node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)])
    return tuple(sorted(name for name in names if name.split(".")[0] == _PACKAGE))


def _files(root: Path, name: str) -> list[Path]:
    """The module's own file and the ``__init__`` of each package above it; nothing for a name inside a module."""
    parts = name.split(".")
    files = []
    for depth in range(1, len(parts) + 1):
        base = root.joinpath(*parts[:depth])
        if (base / "__init__.py").is_file():
            files.append(base / "__init__.py")
        elif base.with_suffix(".py").is_file():
            files.append(base.with_suffix(".py"))
    return files
