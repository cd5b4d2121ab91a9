"""Lists in one cell: as Python, JSON or NumPy print them, or as texts with a separator between them."""

from __future__ import annotations

import ast
import json
import re

from dualpair.sources.cleaning import shown

_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")


def parse(cell: str, separator: str | None = None) -> list[str]:
    """The items of a list cell, in order, stripped; none is dropped when empty.

    Args:
        cell: e.g. ``['a', 'b']``, ``["a", "b"]``, ``['a' 'b']``, or ``a|b`` with the separator ``|``.
        separator: splits a cell that is no bracketed list; None: such a cell is an error.

    Raises:
        ValueError: no list of texts.
    """
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")):
        if separator is None or text.startswith("[") or not text:
            raise ValueError(f"{shown(cell)} is no list such as ['a', 'b']")
        return [part.strip() for part in text.split(separator)]
    if not _without_comma(text):
        return [item.strip() for item in _literal(text)]
    # Python would join neighbours into one text.
    return [item.strip() for item in numpy_text(text)]


def numpy_text(text: str) -> list[str]:
    """The items of a list of texts as NumPy prints it: quoted, with white space and no commas between them.

    Raises:
        ValueError: something else than quoted texts is in the brackets.
    """
    inner = text.strip()[1:-1]
    items: list[str] = []
    end = 0
    for found in _QUOTED.finditer(inner):
        if inner[end : found.start()].strip():
            raise ValueError(f"{shown(text)} is no list of quoted texts")
        items.append(_unquoted(found.group()))
        end = found.end()
    if inner[end:].strip():
        raise ValueError(f"{shown(text)} is no list of quoted texts")
    return items


def _unquoted(text: str) -> str:
    try:
        return str(ast.literal_eval(text.replace("\n", "\\n").replace("\r", "\\r")))
    except (ValueError, SyntaxError):
        raise ValueError(f"{shown(text)} is no quoted text") from None


def _without_comma(text: str) -> bool:
    """True if two quoted texts follow one another with white space only between them."""
    return re.search("\x00\\s*\x00", _QUOTED.sub("\x00", text[1:-1])) is not None


def _literal(text: str) -> list[str]:
    values: object
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        try:
            values = ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise ValueError(f"{shown(text)} is no list such as ['a', 'b']") from None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{shown(text)} is no list of texts such as ['a', 'b']")
    return values
