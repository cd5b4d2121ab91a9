"""Grammar engine agreement: which languages it knows, what its config must say, and the files it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dualpair import paths
from dualpair.filters.grammar_engines import AGREEMENT, LM
from dualpair.syntax import engines

LANGUAGES = ("en", "es", "ru", "zh")
"""Languages that have rules for agreement."""


def problems(langs: Sequence[str], parsing: Mapping[str, str]) -> list[str]:
    """What stands against the engine in the languages that are to have it, one message each.

    Args:
        langs: languages with engine agreement.
        parsing: parsing engine per language.
    """
    found = []
    for lang in langs:
        if lang not in LANGUAGES:
            found.append(
                f"key `filters.grammar.engines`: engine {AGREEMENT} has no rules for language {lang!r} (it has for "
                f"{', '.join(LANGUAGES)}); take engine {LM}, or none, for it"
            )
        elif parsing.get(lang) == engines.PRESPLIT:
            found.append(
                f"key `filters.grammar.engines`: engine {AGREEMENT} needs a parser for language {lang!r}, and "
                f"`parse.engine.{lang}` is {engines.PRESPLIT}; name a parser there ({engines.STANZA}, or "
                f"{engines.SPACY}NAME), or take engine {LM}, or none"
            )
    return found


def files(langs: Sequence[str]) -> list[Path]:
    """The languages' word lists and lexicons."""
    return [
        path for lang in langs for path in (paths.resource("agreement") / f"{lang}.yaml",
                                            paths.resource("parsers", "lexicon") / f"{lang}.yaml")
    ]  # fmt: skip
