"""The word lists that the hygiene checks read: one file per language, and the words that tell languages apart."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from dualpair import languages, yaml_files
from dualpair.errors import InputError
from dualpair.generation import wording
from dualpair.paths import resource

FOLDER = "hygiene"
_FLAGS = ("reject_capitalised", "leading_dash")
_OPTIONAL = {
    "agreement",
    "ungrammatical",
    "thinking",
    "intensifiers",
    "strengtheners",
    "reversers",
    "irregular",
    "fair_in_opposites",
}


class Agreement(NamedTuple):
    """Where predicates agree in gender: articles that show a group's gender, and the words that would agree with it."""

    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    copulas: tuple[str, ...]
    adverbs: tuple[str, ...]
    endings: tuple[str, ...]
    neutral: tuple[str, ...]


class SmallWords(NamedTuple):
    """Articles, pronouns, prepositions, auxiliaries of a language (folded), and the script it is written in."""

    script: str
    words: frozenset[str]


class WordLists(NamedTuple):
    """Word lists of one language; the fields are explained in ``resources/hygiene/en.yaml``."""

    reject_capitalised: bool
    leading_dash: bool
    length_slack: int
    articles: tuple[str, ...]
    group_suffixes: tuple[str, ...]
    hedges: tuple[str, ...]
    softeners: tuple[str, ...]
    negations: tuple[str, ...]
    not_negations: tuple[str, ...]
    refusals: tuple[str, ...]
    meta: tuple[str, ...]
    agreement: Agreement | None = None
    ungrammatical: tuple[str, ...] = ()
    thinking: tuple[str, ...] = ()
    intensifiers: tuple[str, ...] = ()
    strengtheners: tuple[str, ...] = ()
    reversers: tuple[str, ...] = ()
    irregular: tuple[tuple[str, ...], ...] = ()
    fair_in_opposites: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def codes(lang: str) -> tuple[str, ...]:
    """Codes whose files serve a language: its own and, for a variety in the same script (pt-BR), the language's."""
    code = languages.get(lang).code
    base = code.split("-")[0]
    same = base != code and base in languages.known() and languages.get(base).script == languages.get(code).script
    return (code, base) if same else (code,)


def path_of(lang: str, folder: str | Path | None = None) -> Path:
    """The file of a language: in the user's own folder if it is there, else the shipped one.

    Args:
        lang: language code.
        folder: the config's ``generation.prompts``, whose subfolder ``hygiene`` is looked into first; None for none.

    Raises:
        InputError: if there is none; names the file to write.
    """
    code = languages.get(lang).code
    shipped = resource(FOLDER)
    own = [Path(folder) / FOLDER] if folder else []
    for name in codes(lang):
        for place in [*own, shipped]:
            if (place / f"{name}.yaml").is_file():
                return place / f"{name}.yaml"
    known = ", ".join(sorted({file.stem for place in [*own, shipped] for file in place.glob("*.yaml")}))
    where = str(own[0] / code) if own else f"{FOLDER}/{code}"
    named = "" if own else " in a folder of your own and name that as `generation.prompts`"
    raise InputError(
        f"there are no hygiene word lists {code!r} (there are {known}); write {where}.yaml{named}, after the example "
        f"of {shipped / 'en.yaml'}"
    )


@functools.cache
def word_lists(lang: str, folder: str | Path | None = None) -> WordLists:
    """The word lists of a language.

    Raises:
        InputError: if there are none, or the file is malformed.
    """
    return read_word_lists(path_of(lang, folder))


def read_word_lists(path: Path) -> WordLists:
    """Read and check one file of word lists.

    Raises:
        InputError: if it is not YAML in UTF-8, or a field is missing, unknown or of the wrong kind; names file and
            field.
    """
    content = yaml_files.document(path)
    needed = set(WordLists._fields) - _OPTIONAL
    if not isinstance(content, dict) or not needed <= set(content) <= set(WordLists._fields):
        given = set(content) if isinstance(content, dict) else set()
        lost, extra = sorted(needed - given), sorted(map(str, given - set(WordLists._fields)))
        raise InputError(
            f"{path}: needs the fields {sorted(needed)} ({', '.join(sorted(_OPTIONAL))} are optional); "
            f"missing {lost}, not known {extra}"
        )
    return WordLists(**{field: _value(path, field, value) for field, value in content.items()})


def _value(path: Path, field: str, value: Any) -> Any:
    if field in _FLAGS or field == "length_slack":
        kind: type = int if field == "length_slack" else bool
        if type(value) is not kind:
            raise InputError(f"{path}, {field}: expected {kind.__name__}, found {value!r}")
        return value
    if field == "agreement":
        if not isinstance(value, dict) or set(value) != set(Agreement._fields):
            raise InputError(f"{path}, agreement: needs the fields {', '.join(Agreement._fields)}; found {value!r}")
        return Agreement(**{name: texts(path, f"agreement.{name}", items) for name, items in value.items()})
    if field == "irregular":
        if not isinstance(value, list):
            raise InputError(f"{path}, {field}: expected a list of lists of forms of one word, found {value!r}")
        return tuple(texts(path, field, forms) for forms in value)
    if field == "fair_in_opposites":
        if not isinstance(value, dict) or not all(isinstance(key, str) and key for key in value):
            raise InputError(f"{path}, {field}: expected a mapping from a word to words of the source, found {value!r}")
        return MappingProxyType({key: texts(path, f"{field}.{key}", items) for key, items in value.items()})
    return texts(path, field, value)


def texts(path: Path, field: str, value: Any) -> tuple[str, ...]:
    """A list of texts.

    Raises:
        InputError: for anything else; names file and field.
    """
    # An unquoted "no" is a boolean in YAML: say so instead of carrying False into a pattern.
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise InputError(f'{path}, {field}: expected a list of texts (quote words such as "no"), found {value!r}')
    return tuple(value)


def shared_path() -> Path:
    """The file of the small words that tell languages apart."""
    return resource(FOLDER, "shared", "function_words.yaml")


@functools.cache
def function_words() -> Mapping[str, SmallWords]:
    """Small words by language code, also of languages that dualpair does not measure.

    Raises:
        InputError: if the shipped file is malformed.
    """
    return read_function_words(shared_path())


def read_function_words(path: Path) -> Mapping[str, SmallWords]:
    """Read and check a file of small words.

    Raises:
        InputError: if it is not YAML in UTF-8 or no mapping, or an entry has other fields than script and words; names
            file and entry.
    """
    content = yaml_files.document(path)
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected a mapping from language code to script and words, found {content!r}")
    found = {}
    for lang, entry in content.items():
        fine = isinstance(entry, dict) and set(entry) == {"script", "words"}
        if not fine or not all(isinstance(value, str) for value in entry.values()):
            raise InputError(
                f"{path}, {lang}: needs script and words (one text, words apart by spaces); found {entry!r}"
            )
        found[str(lang)] = SmallWords(entry["script"], frozenset(wording.folded(entry["words"]).split()))
    return MappingProxyType(found)
