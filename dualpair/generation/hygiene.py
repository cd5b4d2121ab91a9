"""Cheap checks of a generated attribute, before any model judges it.

Word lists are in ``resources/hygiene/<lang>.yaml``; nothing here knows a language by name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dualpair import languages
from dualpair.generation import answers, echo, groups, idioms, polarity, reasons, tongue, wording
from dualpair.generation.hygiene_words import WordLists, word_lists

_QUOTES = "\"'“”„«»‘’「」『』`*_"
_DASH = re.compile(r"^[-‐‑‒–—―]+\s+")
# Full-width letters and digits; full-width punctuation is the right one in Chinese.
_PLAIN = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
_LENGTH_RATIO = 2.5
_MIN_CHARS = 2


class _Case(NamedTuple):
    """What the checks look at."""

    raw: str
    attribute: str
    source: str
    groups: tuple[str, ...]
    lang: str
    paraphrase: bool
    allow_negation: bool
    prompt: str
    folder: str | Path | None
    words: WordLists


def clean(text: str, lang: str) -> str:
    """An attribute in the form it is kept in.

    NFC, plain letters and digits for full-width ones, single spaces, no quotes round it, no final mark, no comma, colon
    or dash at the end; a dash at the beginning is written as an en dash and a space.
    """
    body = languages.normalise(text.translate(_PLAIN))
    while True:
        shorter = languages.split_final_mark(body.strip(_QUOTES + " "), lang)[0].rstrip(",;:，；：、-–— ")
        if shorter == body:
            return _DASH.sub("– ", body)
        body = shorter


def same_words(text: str, lang: str, folder: str | Path | None = None) -> str:
    """What two attributes have in common that differ in case, width, punctuation, white space and articles only."""
    return wording.same_words(text, lang, word_lists(lang, folder).articles)


def added_negation(attribute: str, source: str, lang: str, folder: str | Path | None = None) -> bool:
    """True when the attribute is negated and its source is not (word lists; lexical negation such as "un-" is none)."""
    return polarity.added(attribute, source, word_lists(lang, folder), lang)


def check(
    text: str,
    source: str,
    groups: Sequence[str],
    lang: str,
    task: str,
    *,
    allow_negation: bool = True,
    prompt: str = "",
    folder: str | Path | None = None,
) -> str:
    """Why an attribute is unusable, or an empty string.

    Args:
        text: the parsed attribute, as :func:`dualpair.generation.answers.parse` gives it.
        source: the attribute that it was made from.
        groups: the set's groups; the first is the one of the answered sentence.
        lang: language code.
        task: ``paraphrase``, ``alternate-1``, ...; a paraphrase may never add a negation.
        allow_negation: whether an alternate may be negated where its source is not, or the other way round (the paper
            keeps the polarity of the source).
        prompt: what the model was asked, for finding its words in the answer; empty when that is not known.
        folder: the config's ``generation.prompts``, for word lists of the user's own.

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
        prompt=prompt,
        folder=folder,
        words=word_lists(lang, folder),
    )
    return next(_findings(case), "")


def _findings(case: _Case) -> Iterator[str]:
    """Reasons that apply, in the order of the closed list; lazily, since only the first is wanted."""
    attribute, source, lang, words = case.attribute, case.source, case.lang, case.words
    tests: tuple[tuple[str, Callable[[], bool]], ...] = (
        (reasons.THINKING_TEXT, lambda: bool(answers.THINKING.search(case.raw)) or _adds(case, words.thinking)),
        (reasons.CONTROL_CHARACTERS, lambda: _has_controls(case.raw)),
        (reasons.REFUSAL, lambda: _adds(case, words.refusals)),
        (reasons.GROUP_LOST, lambda: groups.begins_with_punctuation(attribute, source, words)),
        (reasons.GROUP_CHANGED, lambda: groups.goes_on(attribute, source, words, lang)),
        (reasons.EMPTY, lambda: not wording.comparable(attribute)),
        (reasons.WRONG_SCRIPT, lambda: tongue.wrong_script(attribute, source, lang)),
        (reasons.WRONG_LANGUAGE, lambda: tongue.wrong_language(attribute, source, lang)),
        (reasons.SEVERAL_SENTENCES, lambda: _several_sentences(case)),
        (reasons.PROMPT_ECHO, lambda: _echoes(case)),
        (reasons.IDENTICAL_TO_SOURCE, lambda: _identical(case)),
        (reasons.CAPITALISED_ATTRIBUTE, lambda: _capitalised(case)),
        (reasons.TOO_SHORT, lambda: len(wording.comparable(attribute)) < _MIN_CHARS),
        (reasons.TOO_LONG, lambda: len(attribute) > _LENGTH_RATIO * len(source) + words.length_slack),
        (reasons.REPETITION, lambda: _repeats(case)),
        (reasons.GROUP_INSIDE_ATTRIBUTE, lambda: groups.named(attribute, source, case.groups, words, lang)),
        (reasons.GENDER_AGREEMENT, lambda: _agrees_with_one_gender(case)),
        (reasons.HEDGE_ADDED, lambda: _hedges(case)),
        (reasons.STRENGTHENED, lambda: case.paraphrase and _strengthens(case)),
        (reasons.NEGATION_ADDED, lambda: _forbidden_negation(case)),
        (reasons.NEGATION_LOST, lambda: _forbidden_affirmation(case)),
        (reasons.IDIOM_KEPT, lambda: _keeps_idiom(case)),
        (reasons.SAME_CLAIM, lambda: not case.paraphrase and polarity.same_claim(attribute, source, words, lang)),
        (reasons.UNGRAMMATICAL, lambda: _adds(case, words.ungrammatical)),
    )
    return (reason for reason, applies in tests if applies())


def _adds(case: _Case, phrases: tuple[str, ...]) -> bool:
    """Whether the attribute holds one of the phrases that its source does not hold."""
    return bool(wording.added(case.attribute, case.source, phrases, case.lang))


def _has_controls(text: str) -> bool:
    # Cc also holds tab and line breaks: white space round an answer is harmless, inside it is a fault.
    text = text.strip()
    return "\ufffd" in text or any(unicodedata.category(char) in ("Cc", "Co", "Cs", "Cn") for char in text)


def _several_sentences(case: _Case) -> bool:
    language = languages.get(case.lang)
    marks = (*language.final_marks, ";", "；")
    return answers.sentence_end(case.attribute, marks, whole=True, language=language) >= 0


def _echoes(case: _Case) -> bool:
    parts = (*case.groups, case.source)
    return _adds(case, case.words.meta) or echo.echoes(case.attribute, case.prompt, parts, case.lang)


def _identical(case: _Case) -> bool:
    ours, theirs = (same_words(text, case.lang, case.folder) for text in (case.attribute, case.source))
    return ours == theirs


def _capitalised(case: _Case) -> bool:
    if not case.words.reject_capitalised:
        return False
    letters = [char for char in case.attribute if char.isalpha()]
    own = [char for char in case.source if char.isalpha()]
    return bool(letters) and letters[0].isupper() and not (own and own[0].isupper())


def _repeats(case: _Case) -> bool:
    text = case.attribute.casefold()
    # Without spaces only a doubled run of two characters counts: single ones are doubled by grammar.
    letter = wording.LETTER
    pattern = rf"(?<!{letter})({letter}+)\W+\1(?!{letter})" if languages.get(case.lang).joiner else r"(\w{2,})\1"
    return bool(re.search(pattern, text))


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


def _hedges(case: _Case) -> bool:
    words, lang = case.words, case.lang
    attribute, source = (wording.without(text, words.not_negations, lang) for text in (case.attribute, case.source))
    found = wording.added(attribute, source, words.hedges + (words.softeners if case.paraphrase else ()), lang)
    if case.paraphrase:
        return bool(found)
    fair = {wording.folded(word): sources for word, sources in words.fair_in_opposites.items()}
    return any(not wording.found(case.source, fair.get(word, ()), lang) for word in found)


def _strengthens(case: _Case) -> bool:
    """One word of degree may stand for another ("a lot", "all the time"), so a source that has any is let through."""
    words = case.words.strengtheners
    # Without spaces the intensifiers are no sign: 很 is part of every plain predicate.
    degree = words + (case.words.intensifiers if languages.get(case.lang).joiner else ())
    return not wording.found(case.source, degree, case.lang) and _adds(case, words)


def _forbidden_negation(case: _Case) -> bool:
    allowed = not case.paraphrase and case.allow_negation
    return not allowed and polarity.added(case.attribute, case.source, case.words, case.lang)


def _forbidden_affirmation(case: _Case) -> bool:
    forbidden = not case.paraphrase and not case.allow_negation
    return forbidden and polarity.dropped(case.attribute, case.source, case.words, case.lang)


def _keeps_idiom(case: _Case) -> bool:
    words = (case.attribute, case.source, case.lang, case.folder)
    if case.paraphrase or not (idioms.kept(*words) or idioms.broken(*words)):
        return False
    return not polarity.reversed_by_a_word(case.attribute, case.source, case.words, case.lang)
