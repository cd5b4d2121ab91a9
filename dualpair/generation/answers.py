"""From a model's answer to attributes: where the sentence ends, what follows the group's words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from dualpair import languages
from dualpair.generation import reasons

_QUOTES = "\"'“”„«»‘’「」『』`*"
# Tags of thinking models and of chat templates.
THINKING = re.compile(
    r"</?(?:think|thought|reason|scratchpad|reflection|s>)|◁/?think|\[/?(?:think|inst)|<\|[^|]*\|>|<｜[^｜]*｜>"
    r"|<(?:start|end)_of_turn>|<channel\|>",
    re.IGNORECASE,
)


class Parsed(NamedTuple):
    """One parsed answer: the text after the group's words, and why it is unusable (empty when it was parsed)."""

    text: str
    reason: str = ""


def sentence_end(text: str, marks: Sequence[str], whole: bool, language: languages.Language | None = None) -> int:
    """Index of the first final mark or line break of ``text``, or -1.

    A mark between digits (``1.5``) ends nothing, nor does the full stop of an abbreviation or an ordinal of
    ``language`` where the sentence goes on behind it. When ``text`` may still grow (``whole`` false), such a mark at
    the very end is undecided and does not count yet.
    """
    for index, char in enumerate(text):
        if char in "\n\r":
            return index
        if char not in marks:
            continue
        rest = text[index + 1 :]
        after_digit = index > 0 and text[index - 1].isdigit()
        if after_digit and (rest[0].isdigit() if rest else not whole):
            continue
        if char == "." and language is not None and _stop_of_a_word(text[:index], rest, whole, language):
            continue
        return index
    return -1


def _stop_of_a_word(before: str, rest: str, whole: bool, language: languages.Language) -> bool:
    """Whether the full stop between ``before`` and ``rest`` belongs to an abbreviation, an initial or an ordinal."""
    word = before.split()[-1] if before.split() and not before[-1:].isspace() else ""
    follows = rest.strip()
    if not word or (not follows and whole):
        return False
    initials = "." in word or (len(word) == 1 and word.isalpha())
    listed = word.casefold() in language.abbreviations
    ordinal = language.ordinal_dot and word.isdigit()
    if not follows:
        return initials or listed or ordinal
    if initials:
        # "the U.S. a lot" goes on, "have vitamin C. They" does not.
        return follows[0].islower() or (rest[0].isalpha() and not rest[0].isspace())
    return listed or (ordinal and follows[0].isalpha())


def parse(text: str, mode: str, forced_prefix: str, group: str, lang: str, finish_reason: str = "stop") -> list[Parsed]:
    """Cut an answer into attributes.

    Args:
        text: the answer after the forced prefix, verbatim.
        mode: ``single`` (what follows the group up to the first final mark or line break) or ``list`` (a JSON list of
            strings, or an object whose values are strings or one list; code fences and text around it are tolerated).
        forced_prefix: what the answer was forced to begin with; in ``single`` mode it holds the group's words or is
            empty, when a model wrote the whole sentence.
        group: the group's words.
        lang: language of the sentence.
        finish_reason: ``stop``, ``length`` or ``error``.

    Returns:
        One entry per answered sentence, at least one; each with a reason or with the text after the group's words
        (final mark cut off, otherwise as written: :func:`dualpair.generation.hygiene.clean` comes next).

    Raises:
        ValueError: if the mode is unknown.
    """
    if mode not in ("single", "list"):
        raise ValueError(f"unknown answer mode {mode!r}; allowed are single, list")
    if finish_reason == "error":
        return [Parsed(text, reasons.GENERATION_FAILED)]
    if THINKING.search(text):
        return [Parsed(text, reasons.THINKING_TEXT)]
    if mode == "single":
        return [_single(text, forced_prefix, group, lang, finish_reason)]
    items = json_strings(forced_prefix + text)
    if not items:
        return [Parsed(text, reasons.CUT_BY_LIMIT if finish_reason == "length" else reasons.UNPARSABLE)]
    return [_after_group(item, group, lang) for item in items]


def _single(text: str, forced_prefix: str, group: str, lang: str, finish_reason: str) -> Parsed:
    body = text if forced_prefix else text.lstrip()
    language = languages.get(lang)
    end = sentence_end(body, language.final_marks, whole=True, language=language)
    if end < 0 and finish_reason == "length":
        return Parsed(body, reasons.CUT_BY_LIMIT)
    sentence = body if end < 0 else body[:end]
    return _after_group(forced_prefix + sentence, group, lang)


def _after_group(sentence: str, group: str, lang: str) -> Parsed:
    """What follows the group's words; ``group_lost`` when the sentence begins otherwise or the words go on."""
    start, language = sentence.lstrip(" \t" + _QUOTES), languages.get(lang)
    if start[: len(group)].casefold() != group.casefold():
        return Parsed(sentence, reasons.GROUP_LOST)
    rest = start[len(group) :]
    if rest.strip() and language.joiner and not rest[0].isspace():
        return Parsed(rest, reasons.GROUP_LOST)
    return Parsed(languages.split_final_mark(rest.rstrip(" \t" + _QUOTES), lang)[0])


def json_strings(text: str) -> list[str]:
    """Strings of the first JSON list or object in ``text``; empty when there is none or it holds anything else.

    Code fences and prose around it are passed over. An object gives its string values and the strings of its lists.
    """
    decoder = json.JSONDecoder()
    for match in re.finditer(r"[\[{]", text):
        try:
            document, _ = decoder.raw_decode(text, match.start())
        except (json.JSONDecodeError, RecursionError):  # a babbling model can write a thousand brackets
            continue
        values = list(document.values()) if isinstance(document, dict) else document
        flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
        return flat if all(isinstance(item, str) for item in flat) else []
    return []
