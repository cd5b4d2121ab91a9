"""How languages are called where people read: in prose, printed tables, axes and legends. Files keep the codes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dualpair import languages


def language_name(code: str) -> str:
    """English name of a language of ``resources/languages.yaml``, e.g. ``Chinese``; any other code as it is."""
    return languages.get(code).name if code in languages.known() else code


def language_names(codes: Iterable[Any]) -> list[str]:
    """English names of languages, see :func:`language_name`."""
    return [language_name(str(code)) for code in codes]
