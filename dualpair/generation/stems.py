"""Stems of words, so that an inflected form is found as the word that it is a form of."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from dualpair import languages
from dualpair.generation import wording

# Snowball's algorithm of each language. A language that is not here is compared by whole words.
_SNOWBALL = {
    "ar": "arabic",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "hi": "hindi",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
}


def stems(text: str, lang: str, irregular: Sequence[Sequence[str]] = ()) -> tuple[str, ...]:
    """Snowball stem of each word of a text, in order; a word of ``irregular`` has that of its list's first form."""
    same = _first_forms(tuple(map(tuple, irregular)))
    algorithm = _SNOWBALL.get(languages.get(lang).code.split("-")[0], "")
    return tuple(_stem(algorithm, same.get(word, word)) for word in wording.words(text))


def contains(stemmed: Sequence[str], part: Sequence[str]) -> bool:
    """Whether ``part``, not empty, stands in ``stemmed`` as consecutive stems."""
    length = len(part)
    return length > 0 and any(
        tuple(stemmed[start : start + length]) == tuple(part) for start in range(len(stemmed) - length + 1)
    )


@functools.cache
def _first_forms(irregular: tuple[tuple[str, ...], ...]) -> Mapping[str, str]:
    return {wording.folded(form): wording.folded(forms[0]) for forms in irregular for form in forms}


@functools.lru_cache(maxsize=100_000)
def _stem(algorithm: str, word: str) -> str:
    return str(_stemmer(algorithm).stemWord(word)) if algorithm else word


@functools.cache
def _stemmer(algorithm: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(algorithm)
