"""Several sentences in one cell, found without a parser.

A full stop, exclamation or question mark inside a text ends a sentence when a new one visibly begins after it. Marks
inside quotation marks or brackets do not count: they belong to what is quoted.
"""

from __future__ import annotations

import re

from dualpair import languages

_CLOSERS = "»”“’'\"』」》〉】）)]}›"
_OPENERS = "«“„‘'\"『「《〈【（([{‹¿¡–—-"
_PAIRS = {"(": ")", "[": "]", "{": "}", "«": "»", "„": "”“", "“": "”", "‘": "’", "‹": "›", "「": "」", "『": "』"}
_PAIRS |= {"《": "》", "〈": "〉", "【": "】", "（": "）"}
_FULL_STOPS = ".．"
_CHINESE_MARKS = "。！？!?"


def several_sentences(body: str, lang: str) -> str:
    """The place where a sentence ends inside the text, as it stands there; empty when there is one sentence.

    In a language with capitals the next sentence begins with one, or with any letter if the text itself begins small.
    A full stop ends no sentence after an abbreviation of the language, a single letter, a word with inner full stops,
    or (where it makes ordinals) a number of one or two digits. A number that begins the text is an enumerator.

    Args:
        body: a normalised text without its final mark.
        lang: BCP-47 code.

    Raises:
        ValueError: if the language is unknown.
    """
    facts = languages.get(lang)
    within = quoted(body)
    if not facts.joiner:
        found = re.finditer(rf"[{_CHINESE_MARKS}]+[{re.escape(_CLOSERS)}]*(?=.)", body)
        return next((match.group() for match in found if not within[match.start()]), "")
    marks = re.escape("".join(facts.final_marks))
    opening = next((char for char in body if char.isalpha()), "")
    pattern = rf"(?P<marks>[{marks}]+)[{re.escape(_CLOSERS)}]*(?P<gap>\s*)(?P<next>[{re.escape(_OPENERS)}]*\w)"
    for match in re.finditer(pattern, body):
        before, begin = body[: match.start()].strip(), match.end() - 1
        # A quotation that ends with a mark may end the sentence too; without capitals nothing tells.
        inside = within[match.start()] and (within[begin] or not body[begin].isupper())
        if inside or not before or before.isdigit():
            continue
        if _ends(before, match["marks"], bool(match["gap"]), body[begin], facts, opening.islower()):
            return body[max(0, match.start() - 12) : match.end()].strip()
    return ""


def _ends(before: str, marks: str, spaced: bool, following: str, facts: languages.Language, begins_small: bool) -> bool:
    """Whether a sentence ends with ``marks`` after ``before`` and another begins with the character ``following``."""
    dots = not set(marks) - set(_FULL_STOPS + "…")
    last = re.split(r"[\s(\[{«“„‘\"'-]", before)[-1]
    if not spaced:
        # "talk.Men", "talk!Men": a missing space; "3.5", "U.S.A", "example.com" and "K!ng" are words.
        if len(last) < 2 or last[-1].isdigit() or "." in last:
            return False
        return last[-1].islower() and following.isupper() if dots else not following.islower() and following.isalpha()
    if not dots:
        return begins_small or not following.islower()
    if following.isdigit() or (len(marks) == 1 and marks in _FULL_STOPS and _abbreviates(last, facts)):
        return False
    return (begins_small and len(last) > 3) or not following.islower()


def _abbreviates(word: str, facts: languages.Language) -> bool:
    """Whether a full stop after the word belongs to the word."""
    if word.isdigit():
        return facts.ordinal_dot and len(word) <= 2
    parts = word.split(".")
    initials = all(0 < len(part) < 4 and part[0].isalpha() for part in parts) and len(parts) > 1
    return initials or (len(word) == 1 and word.isalpha()) or word.casefold() in facts.abbreviations


def quoted(text: str) -> list[bool]:
    """For each character, whether it stands inside a pair of quotation marks or brackets."""
    inside = [False] * len(text)
    for i, char in enumerate(text):
        if char == '"':
            # Straight marks open and close alike: the odd ones open.
            if text[:i].count('"') % 2:
                continue
            end = text.find('"', i + 1)
        elif char in _PAIRS:
            end = min((at for at in (text.find(close, i + 1) for close in _PAIRS[char]) if at >= 0), default=-1)
        else:
            continue
        if end > i:
            inside[i + 1 : end] = [True] * (end - i - 1)
    return inside
