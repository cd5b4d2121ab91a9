"""The group's words in an answer: left as they were, added to, or named once more in the attribute."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from dualpair import languages
from dualpair.generation import stems, wording
from dualpair.generation.hygiene_words import WordLists

_DASH = re.compile(r"^[-‐‑‒–—―]+\s+")
# One letter or two are too little to know an inflected word by.
_MIN_STEM = 3


def begins_with_punctuation(attribute: str, source: str, words: WordLists) -> bool:
    """Whether the attribute begins with punctuation, as in ", who are old, ...".

    A dash is fine where the language has one between subject and predicate, or where the source has one.
    """
    if _DASH.match(attribute):
        return not (words.leading_dash or _DASH.match(source))
    return bool(attribute) and unicodedata.category(attribute[0]).startswith("P")


def goes_on(attribute: str, source: str, words: WordLists, lang: str) -> bool:
    """Whether the attribute begins with words that make another group of the group's words ("who drive", "and men").

    Such a beginning is one of the language's ``group_suffixes``: whole words, or characters where the language writes
    no spaces. One that the source begins with too is fine.
    """
    beginnings = words.group_suffixes
    if not languages.get(lang).joiner:
        return attribute.startswith(beginnings) and not source.startswith(attribute[0])
    ours, theirs = (wording.pattern(beginnings, lang).match(wording.folded(text)) for text in (attribute, source))
    return ours is not None and (theirs is None or ours[0] != theirs[0])


def named(attribute: str, source: str, groups: Sequence[str], words: WordLists, lang: str) -> bool:
    """Whether the attribute names one of the groups, inflected or not, where its source does not.

    A group's words are looked for without their article, one after the other, by their stems.
    """
    articles = {article.casefold() for article in words.articles}
    ours, theirs = (stems.stems(text, lang, words.irregular) for text in (attribute, source))
    for group in groups:
        phrase = group.split()
        if len(phrase) > 1 and phrase[0].casefold() in articles:
            phrase = phrase[1:]
        text = " ".join(phrase)
        if wording.added(attribute, source, (text,), lang):
            return True
        part = stems.stems(text, lang, words.irregular)
        if not languages.get(lang).joiner or sum(map(len, part)) < _MIN_STEM:
            continue
        if stems.contains(ours, part) and not stems.contains(theirs, part):
            return True
    return False
