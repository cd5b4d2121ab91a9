"""Cheap checks of a generated attribute, before any model judges it.

Word lists are in ``resources/hygiene/<lang>.yaml``; nothing here knows a language by name.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import languages
from dualpair.generation import answers, reasons
from dualpair.paths import resource

_QUOTES = "\"'“”„«»‘’「」『』`*_"
_DASH = re.compile(r"^[-‐‑‒–—―]+\s+")
_LENGTH_RATIO = 2.5
_MIN_CHARS = 2
# Beginnings of the Unicode names of the letters that a script (ISO 15924) is written in.
_SCRIPTS = {
    "Arab": ("ARABIC",),
    "Armn": ("ARMENIAN",),
    "Beng": ("BENGALI",),
    "Cyrl": ("CYRILLIC",),
    "Deva": ("DEVANAGARI",),
    "Geor": ("GEORGIAN",),
    "Grek": ("GREEK",),
    "Hans": ("CJK",),
    "Hant": ("CJK",),
    "Hebr": ("HEBREW",),
    "Jpan": ("CJK", "HIRAGANA", "KATAKANA"),
    "Kore": ("HANGUL", "CJK"),
    "Latn": ("LATIN",),
    "Thai": ("THAI",),
}


class Agreement(NamedTuple):
    """Where predicates agree in gender: articles that show a group's gender, and the words that would agree with it."""

    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    copulas: tuple[str, ...]
    adverbs: tuple[str, ...]
    endings: tuple[str, ...]
    neutral: tuple[str, ...]


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


class _Case(NamedTuple):
    """What the checks look at."""

    raw: str
    attribute: str
    source: str
    groups: tuple[str, ...]
    lang: str
    paraphrase: bool
    allow_negation: bool
    words: WordLists


def clean(text: str, lang: str) -> str:
    """An attribute in the form it is kept in.

    NFC, single spaces, no quotes round it, no final mark, no comma, colon or dash at the end; a dash at the beginning
    is written as an en dash and a space.
    """
    body = languages.normalise(text)
    while True:
        shorter = languages.split_final_mark(body.strip(_QUOTES + " "), lang)[0].rstrip(",;:，；：、-–— ")
        if shorter == body:
            return _DASH.sub("– ", body)
        body = shorter


def comparable(text: str) -> str:
    """The text without case, punctuation and white space, for telling whether two attributes say the same words."""
    return "".join(char for char in text.casefold() if char.isalnum() or unicodedata.category(char).startswith("M"))


def added_negation(attribute: str, source: str, lang: str) -> bool:
    """True when the attribute is negated and its source is not (word lists; lexical negation such as "un-" is none)."""
    words = word_lists(lang)
    return _negated(attribute, words, lang) and not _negated(source, words, lang)


def check(text: str, source: str, groups: Sequence[str], lang: str, task: str, *, allow_negation: bool = True) -> str:
    """Why an attribute is unusable, or an empty string.

    Args:
        text: the parsed attribute, as :func:`dualpair.generation.answers.parse` gives it.
        source: the attribute that it was made from.
        groups: the set's groups; the first is the one of the answered sentence.
        lang: language code.
        task: ``paraphrase``, ``alternate-1``, ...; a paraphrase may never add a negation.
        allow_negation: whether an alternate may be negated where its source is not (the paper avoids it).

    Returns:
        A key of :data:`dualpair.generation.reasons.REASONS`, the first in its order that applies, or ``""``.

    Raises:
        ValueError: if the language has no word lists.
    """
    case = _Case(
        raw=text,
        attribute=clean(text, lang),
        source=languages.normalise(source),
        groups=tuple(groups),
        lang=lang,
        paraphrase=task == "paraphrase",
        allow_negation=allow_negation,
        words=word_lists(lang),
    )
    return next(_findings(case), "")


def _findings(case: _Case) -> Iterator[str]:
    """Reasons that apply, in the order of the closed list; lazily, since only the first is wanted."""
    attribute, words = case.attribute, case.words
    tests: tuple[tuple[str, Callable[[], bool]], ...] = (
        (reasons.THINKING_TEXT, lambda: bool(answers.THINKING.search(case.raw))),
        (reasons.CONTROL_CHARACTERS, lambda: _has_controls(case.raw)),
        (reasons.REFUSAL, lambda: _adds(case, words.refusals)),
        (reasons.GROUP_LOST, lambda: _group_goes_on(case)),
        (reasons.EMPTY, lambda: not comparable(attribute)),
        (reasons.WRONG_SCRIPT, lambda: _wrong_script(case)),
        (reasons.SEVERAL_SENTENCES, lambda: _several_sentences(case)),
        (reasons.PROMPT_ECHO, lambda: _adds(case, words.meta)),
        (reasons.IDENTICAL_TO_SOURCE, lambda: comparable(attribute) == comparable(case.source)),
        (reasons.CAPITALISED_ATTRIBUTE, lambda: _capitalised(case)),
        (reasons.TOO_SHORT, lambda: len(comparable(attribute)) < _MIN_CHARS),
        (reasons.TOO_LONG, lambda: len(attribute) > _LENGTH_RATIO * len(case.source) + words.length_slack),
        (reasons.REPETITION, lambda: _repeats(case)),
        (reasons.GROUP_INSIDE_ATTRIBUTE, lambda: _names_group(case)),
        (reasons.GENDER_AGREEMENT, lambda: _agrees_with_one_gender(case)),
        (reasons.HEDGE_ADDED, lambda: _adds(case, words.hedges + (words.softeners if case.paraphrase else ()))),
        (reasons.NEGATION_ADDED, lambda: _forbidden_negation(case)),
        (reasons.UNGRAMMATICAL, lambda: _adds(case, words.ungrammatical)),
    )
    return (reason for reason, applies in tests if applies())


def _has_controls(text: str) -> bool:
    # Cc also holds tab and line breaks: an answer was cut at the first line break, so one left inside is a fault.
    return "\ufffd" in text or any(unicodedata.category(char) in ("Cc", "Co", "Cs", "Cn") for char in text)


def _group_goes_on(case: _Case) -> bool:
    """The answer's first characters belong to the group's words, or it begins with punctuation."""
    text = case.attribute
    if text.startswith(case.words.group_suffixes):
        return not case.source.startswith(text[0])
    if _DASH.match(text):
        return not (case.words.leading_dash or _DASH.match(case.source))
    return bool(text) and unicodedata.category(text[0]).startswith("P")


def _wrong_script(case: _Case) -> bool:
    script = languages.get(case.lang).script
    if script not in _SCRIPTS:
        raise ValueError(f"script {script!r} of language {case.lang!r} is unknown; known are {', '.join(_SCRIPTS)}")
    return not _foreign_runs(case.attribute, _SCRIPTS[script]) <= _foreign_runs(case.source, _SCRIPTS[script])


def _foreign_runs(text: str, names: tuple[str, ...]) -> set[str]:
    """Longest runs of letters whose Unicode names begin with none of ``names``."""
    marked = "".join(
        char if char.isalpha() and not unicodedata.name(char, "").startswith(names) else " " for char in text
    )
    return set(marked.split())


def _several_sentences(case: _Case) -> bool:
    marks = (*languages.get(case.lang).final_marks, ";", "；")
    return answers.sentence_end(case.attribute, marks, whole=True) >= 0


def _capitalised(case: _Case) -> bool:
    if not case.words.reject_capitalised:
        return False
    letters = [char for char in case.attribute if char.isalpha()]
    own = [char for char in case.source if char.isalpha()]
    return bool(letters) and letters[0].isupper() and not (own and own[0].isupper())


def _repeats(case: _Case) -> bool:
    text = case.attribute.casefold()
    # Without spaces only a doubled run of two characters counts: single ones are doubled by grammar.
    pattern = r"(?<!\w)(\w+)\W+\1(?!\w)" if languages.get(case.lang).joiner else r"(\w{2,})\1"
    return bool(re.search(pattern, text))


def _names_group(case: _Case) -> bool:
    articles = {article.casefold() for article in case.words.articles}
    for group in case.groups:
        phrase = group.split()
        if len(phrase) > 1 and phrase[0].casefold() in articles:
            phrase = phrase[1:]
        if _adds(case, (" ".join(phrase),)):
            return True
    return False


def _agrees_with_one_gender(case: _Case) -> bool:
    rules = case.words.agreement
    if rules is None:
        return False
    first_words = {group.split()[0].casefold() for group in case.groups if group.split()}
    if not (first_words & set(rules.masculine) and first_words & set(rules.feminine)):
        return False
    predicate = False
    for word in re.findall(r"\w+", case.attribute.casefold()):
        if predicate and word not in rules.adverbs:
            if word.endswith(rules.endings) and not any(_is_word(word, item) for item in rules.neutral):
                return True
            predicate = False
        predicate = predicate or word in rules.copulas
    return False


def _is_word(word: str, pattern: str) -> bool:
    return word.endswith(pattern[1:]) if pattern.startswith("*") else word == pattern


def _forbidden_negation(case: _Case) -> bool:
    if not case.paraphrase and case.allow_negation:
        return False
    return _negated(case.attribute, case.words, case.lang) and not _negated(case.source, case.words, case.lang)


def _negated(text: str, words: WordLists, lang: str) -> bool:
    rest = text.casefold().replace("’", "'")
    for phrase in words.not_negations:
        rest = _pattern((phrase,), lang).sub(" ", rest)
    return bool(_pattern(words.negations, lang).search(rest))


def _adds(case: _Case, phrases: tuple[str, ...]) -> bool:
    """Whether the attribute holds one of the phrases that its source does not hold."""
    if not phrases:
        return False
    pattern = _pattern(phrases, case.lang)
    own = set(pattern.findall(case.source.casefold().replace("’", "'")))
    return not set(pattern.findall(case.attribute.casefold().replace("’", "'"))) <= own


@functools.cache
def _pattern(phrases: tuple[str, ...], lang: str) -> re.Pattern[str]:
    """Any of the phrases as whole words (anywhere, in a language without spaces); the longest is found first."""
    body = "|".join(
        re.escape(phrase.removesuffix("*").casefold()) + (r"\w*" if phrase.endswith("*") else "")
        for phrase in sorted(phrases, key=len, reverse=True)
    )
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)" if languages.get(lang).joiner else f"(?:{body})")


@functools.cache
def word_lists(lang: str) -> WordLists:
    """The word lists of a language.

    Raises:
        ValueError: if there are none, or the file is malformed.
    """
    folder = resource("hygiene")
    path = folder / f"{languages.get(lang).code}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.yaml")))
        raise ValueError(f"no hygiene word lists for language {lang!r} (there are {known}); write {path.name}")
    return read_word_lists(path)


def read_word_lists(path: Path) -> WordLists:
    """Read and check one file of word lists.

    Raises:
        ValueError: if a field is missing, unknown or of the wrong kind; names file and field.
    """
    import yaml

    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    needed = set(WordLists._fields) - {"agreement", "ungrammatical"}
    if not isinstance(document, dict) or not needed <= set(document) <= set(WordLists._fields):
        raise ValueError(f"{path}: needs the fields {sorted(needed)} (agreement and ungrammatical are optional)")
    values: dict[str, Any] = {}
    for field, value in document.items():
        if field in ("reject_capitalised", "leading_dash", "length_slack"):
            kind: type = int if field == "length_slack" else bool
            if type(value) is not kind:
                raise ValueError(f"{path}, {field}: expected {kind.__name__}, found {value!r}")
            values[field] = value
        elif field == "agreement":
            if not isinstance(value, dict) or set(value) != set(Agreement._fields):
                raise ValueError(f"{path}, agreement: needs the fields {', '.join(Agreement._fields)}")
            values[field] = Agreement(**{name: _texts(path, name, words) for name, words in value.items()})
        else:
            values[field] = _texts(path, field, value)
    return WordLists(**values)


def _texts(path: Path, field: str, value: Any) -> tuple[str, ...]:
    # An unquoted "no" is a boolean in YAML: say so instead of carrying False into a pattern.
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError(f'{path}, {field}: expected a list of texts (quote words such as "no"), found {value!r}')
    return tuple(value)
