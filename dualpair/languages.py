"""Per-language facts and the few text operations that depend on them.

The facts come from ``resources/languages.yaml``; nothing here knows a language by name.
"""

from __future__ import annotations

import difflib
import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dualpair import yaml_files
from dualpair.paths import resource

_TEXT_FIELDS = ("name", "native_name", "script", "joiner", "final_mark", "stanza", "spacy", "sacrebleu", "languagetool")
_MAY_BE_EMPTY = ("joiner", "stanza", "languagetool")
# Zero-width characters that carry no meaning in the supported scripts but make equal texts unequal.
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))


@dataclass(frozen=True, slots=True)
class Language:
    """Facts about one language.

    Attributes:
        code: BCP-47 code, the key in ``languages.yaml``.
        name: English name.
        native_name: the language's own name for itself.
        script: ISO 15924 code of the script, e.g. ``Cyrl``.
        joiner: text between group and attribute: a space, or nothing.
        final_mark: mark given to a sentence built from parts.
        final_marks: single characters accepted as (part of) a final mark.
        stanza: stanza's code, also the name of the folder below a parser folder; empty: stanza cannot parse it.
        spacy: code of the blank spaCy language that carries stanza's analysis.
        sacrebleu: sacrebleu's tokenizer for the language.
        languagetool: LanguageTool's language code; empty: LanguageTool does not know the language.
        abbreviations: what a full stop ends without ending the sentence, without that stop, case-folded.
        ordinal_dot: whether a full stop makes a number an ordinal ("3. Klasse").
    """

    code: str
    name: str
    native_name: str
    script: str
    joiner: str
    final_mark: str
    final_marks: tuple[str, ...]
    stanza: str
    spacy: str
    sacrebleu: str
    languagetool: str
    abbreviations: frozenset[str]
    ordinal_dot: bool


def known() -> tuple[str, ...]:
    """Codes of all languages in ``languages.yaml``, sorted."""
    return tuple(sorted(_registry()))


def language_name(code: str) -> str:
    """What a language is called where people read: its English name, e.g. ``Chinese``; an unknown code as it is."""
    return _registry()[code].name if code in _registry() else code


def language_names(codes: Iterable[object]) -> list[str]:
    """English names of languages, see :func:`language_name`."""
    return [language_name(str(code)) for code in codes]


def get(code: str) -> Language:
    """The language with this BCP-47 code.

    Raises:
        ValueError: if the code is not in ``languages.yaml``; names the known codes and the nearest one.
    """
    languages = _registry()
    if code in languages:
        return languages[code]
    names = {name.casefold(): lang.code for lang in languages.values() for name in (lang.code, lang.name)}
    near = difflib.get_close_matches(str(code).casefold(), sorted(names), n=1, cutoff=0.5)
    hint = f"; did you mean {names[near[0]]!r}?" if near else ""
    raise ValueError(
        f"unknown language {code!r}: known are {', '.join(known())}{hint} "
        "(a further language is a new entry in resources/languages.yaml)"
    )


def join(group: str, attribute: str, lang: str) -> str:
    """Group and attribute with the language's joiner between them; no final mark is added.

    Raises:
        ValueError: if the language is unknown.
    """
    return f"{group}{get(lang).joiner}{attribute}"


def split_final_mark(text: str, lang: str) -> tuple[str, str]:
    """Cut the final mark off a sentence.

    A mark is the longest run of the language's final-mark characters at the end of the text, so ``?!`` is one mark.
    White space before, inside or after it is dropped.

    Returns:
        (body, mark); mark is empty when the text ends without one. A text of marks only gives an empty body.

    Raises:
        ValueError: if the language is unknown.
    """
    end = len(text)
    marks = get(lang).final_marks
    while end and (text[end - 1] in marks or text[end - 1].isspace()):
        end -= 1
    return text[:end], "".join(text[end:].split())


def normalise(text: str) -> str:
    """NFC, without invisible characters, every run of white space (also non-breaking) one space, stripped."""
    # Invisible characters go first: one between a letter and its accent would keep the two from composing.
    composed = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    return re.sub(r"\s+", " ", composed).strip()


@functools.cache
def _registry() -> Mapping[str, Language]:
    return read_languages(resource("languages.yaml"))


def read_languages(path: Path) -> Mapping[str, Language]:
    """Read and check a languages file.

    Returns:
        Read-only mapping from code to :class:`Language`.

    Raises:
        ValueError: if it is not YAML in UTF-8, or an entry lacks a field, has an unknown one, or a value of the wrong
            kind; names file and entry.
    """
    document = yaml_files.document(path)
    if not isinstance(document, dict) or not document:
        raise ValueError(f"{path}: expected a mapping from language code to its facts, found {document!r}")
    return MappingProxyType({str(code): _language(path, str(code), entry) for code, entry in document.items()})


def _language(path: Path, code: str, entry: Any) -> Language:
    where = f"{path}, language {code!r}"
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: expected a mapping, found {entry!r}")
    wanted = {*_TEXT_FIELDS, "final_marks", "abbreviations", "ordinal_dot"}
    if wanted != set(entry):
        missing, extra = sorted(wanted - set(entry)), sorted(map(str, set(entry) - wanted))
        raise ValueError(f"{where}: missing {missing}, not known {extra}; allowed are {sorted(wanted)}")
    for field in _TEXT_FIELDS:
        value = entry[field]
        if not isinstance(value, str) or not (value or field in _MAY_BE_EMPTY):
            raise ValueError(f"{where}, {field}: expected text in quotes, found {value!r}")
    marks = entry["final_marks"]
    if not isinstance(marks, list) or not marks or not all(isinstance(mark, str) and len(mark) == 1 for mark in marks):
        raise ValueError(f"{where}, final_marks: expected a list of single characters, found {marks!r}")
    if not set(entry["final_mark"]) <= set(marks):
        raise ValueError(f"{where}, final_mark: {entry['final_mark']!r} is not made of final_marks {marks}")
    abbreviations = entry["abbreviations"]
    if not isinstance(abbreviations, list) or not all(isinstance(one, str) and one for one in abbreviations):
        raise ValueError(f"{where}, abbreviations: expected a list of texts in quotes, found {abbreviations!r}")
    stopped = [one for one in abbreviations if one.endswith(".")]
    if stopped:
        raise ValueError(f"{where}, abbreviations: leave the last full stop out of {', '.join(stopped)}")
    if not isinstance(entry["ordinal_dot"], bool):
        raise ValueError(f"{where}, ordinal_dot: expected true or false, found {entry['ordinal_dot']!r}")
    return Language(
        code=code,
        final_marks=tuple(marks),
        abbreviations=frozenset(one.casefold() for one in abbreviations),
        ordinal_dot=entry["ordinal_dot"],
        **{field: entry[field] for field in _TEXT_FIELDS},
    )
