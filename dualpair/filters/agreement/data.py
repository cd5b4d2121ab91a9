"""Word lists of the agreement check: resources/agreement/<lang>.yaml and the parsers' lexicon."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from dualpair import paths, yaml_files
from dualpair.errors import InputError

Words = Mapping[str, frozenset[str]]


def lists_file(lang: str) -> Path:
    """Path of a language's word lists."""
    return paths.resource("agreement") / f"{lang}.yaml"


def lexicon_file(lang: str) -> Path:
    """Path of a language's lexicon."""
    return paths.resource("parsers", "lexicon") / f"{lang}.yaml"


@functools.cache
def read(lang: str, names: tuple[str, ...]) -> Words:
    """A language's word lists; each is a text of words separated by white space, none holds a space.

    Args:
        lang: BCP-47 code.
        names: the lists that the language must have, and no others.

    Raises:
        InputError: a list is missing, unknown or no text; names file and list.
    """
    path = lists_file(lang)
    data = yaml_files.document(path)
    found = set(data) if isinstance(data, dict) else set()
    if found != set(names):
        missing, unknown = sorted(set(names) - found), sorted(found - set(names))
        raise InputError(f"{path}: expected the lists {', '.join(names)}; missing: {missing}, unknown: {unknown}")
    for name, value in data.items():
        if not isinstance(value, str):
            raise InputError(f"{path}, {name}: value {value!r}: expected words separated by spaces")
    return MappingProxyType({name: frozenset(value.split()) for name, value in _clean(data)})


def _clean(data: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in data.items():
        yield name, " ".join(value.casefold().split())


@functools.cache
def lexicon(lang: str, *names: str) -> tuple[tuple[str, ...], ...]:
    """Entries of lists of the parsers' lexicon, each as its forms in lower case.

    Raises:
        InputError: a list is missing; names file and list.
    """
    path = lexicon_file(lang)
    data = yaml_files.document(path)
    entries = []
    for name in names:
        if name not in data:
            raise InputError(f"{path}: list {name!r} is missing; the agreement check needs it")
        entries += [tuple(entry.split(":")) for entry in str(data[name]).casefold().split()]
    return tuple(entries)
