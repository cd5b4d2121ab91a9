"""Idioms: fixed expressions that say their meaning as a whole, so that an opposite may not keep one."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path

from dualpair import languages, yaml_files
from dualpair.errors import InputError
from dualpair.generation import hygiene_words, wording
from dualpair.paths import resource

_GAP_WORDS = 3
_GAP_CHARACTERS = 6


def kept(text: str, source: str, lang: str, folder: str | Path | None = None) -> bool:
    """Whether a text holds an idiom that its source holds too.

    Args:
        text: an attribute.
        source: the attribute that it was made from.
        lang: language code; a language without a list of idioms has none.
        folder: the config's ``generation.prompts``; see :func:`idioms`.
    """
    ours, theirs = wording.folded(text), wording.folded(source)
    return any(pattern.search(ours) and pattern.search(theirs) for pattern in _patterns(lang, folder).values())


def broken(text: str, source: str, lang: str, folder: str | Path | None = None) -> bool:
    """Whether a text has most of an idiom of its source, with a word changed: "drink like wine" of "drink like fish".

    Most is more than a half of its words (of its characters, where a language writes no spaces), and two at least. A
    text that holds a listed idiom of its own ("a heart of stone" of "a heart of gold") is none.

    Args:
        text: an attribute.
        source: the attribute that it was made from.
        lang: language code; a language without a list of idioms has none.
        folder: the config's ``generation.prompts``; see :func:`idioms`.
    """
    ours, theirs = wording.folded(text), wording.folded(source)
    patterns = _patterns(lang, folder)
    if any(pattern.search(ours) for pattern in patterns.values()):
        return False
    spaced = bool(languages.get(lang).joiner)
    for idiom in (idiom for idiom, pattern in patterns.items() if pattern.search(theirs)):
        parts = [part for part in idiom.split() if part != "*"] if spaced else list(idiom.replace("*", ""))
        found = sum(compiled(part, spaced).search(ours) is not None for part in parts)
        if found >= 2 and 2 * found > len(parts):
            return True
    return False


@functools.cache
def idioms(lang: str, folder: str | Path | None = None) -> tuple[str, ...]:
    """The idioms of a language: of the user's file ``<folder>/hygiene/idioms/<lang>.yaml``, else of the shipped one.

    Raises:
        InputError: if the file is malformed.
    """
    path = path_of(lang, folder)
    return read(path) if path else ()


def path_of(lang: str, folder: str | Path | None = None) -> Path | None:
    """The file of a language's idioms, the user's own before the shipped one; None where there is none."""
    own = [Path(folder) / hygiene_words.FOLDER / "idioms"] if folder else []
    places = [*own, resource(hygiene_words.FOLDER, "idioms")]
    files = [place / f"{code}.yaml" for code in hygiene_words.codes(lang) for place in places]
    return next((path for path in files if path.is_file()), None)


def read(path: Path) -> tuple[str, ...]:
    """Read a file of idioms, a YAML list of texts.

    In an entry ``*`` at a word's end stands for any ending, and alone for one to three words.

    Raises:
        InputError: if the file is anything else or names an idiom twice.
    """
    found = hygiene_words.texts(path, "idioms", yaml_files.document(path))
    twice = sorted({idiom for idiom in found if found.count(idiom) > 1})
    if twice:
        raise InputError(f"{path}: names {', '.join(map(repr, twice))} twice; name each idiom once")
    return found


def compiled(idiom: str, spaced: bool) -> re.Pattern[str]:
    """An idiom as a pattern for folded texts; ``spaced`` tells whether the language writes spaces between words."""
    if not spaced:
        gap = f".{{1,{_GAP_CHARACTERS}}}"
        return re.compile(gap.join(re.escape(wording.folded(part)) for part in idiom.split("*")))
    return re.compile(rf"(?<!{wording.LETTER}){_spaced(idiom.split())}(?!{wording.LETTER})")


def _spaced(parts: Sequence[str]) -> str:
    letters = f"{wording.LETTER}+"
    between = r"[^\w]+"
    pieces = []
    for part in parts:
        if part == "*":
            pieces.append(f"{letters}(?:{between}{letters}){{0,{_GAP_WORDS - 1}}}")
        else:
            ending = f"{wording.LETTER}*" if part.endswith("*") else ""
            pieces.append(re.escape(wording.folded(part.removesuffix("*"))) + ending)
    return between.join(pieces)


@functools.cache
def _patterns(lang: str, folder: str | Path | None) -> dict[str, re.Pattern[str]]:
    spaced = bool(languages.get(lang).joiner)
    return {idiom: compiled(idiom, spaced) for idiom in idioms(lang, folder)}
