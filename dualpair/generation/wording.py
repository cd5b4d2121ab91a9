"""Words and phrases in a text, in any script: what the hygiene checks compare."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

from dualpair import languages

# `re` does not count vowel signs and other marks as letters, so that a word of Hindi, Bengali or vocalised Arabic would
# fall apart at each of them. The ranges are the marks of the scripts that resources/languages.yaml names.
_MARKS = (
    "\u0300-\u036f\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7"
)
LETTER = rf"[\w{_MARKS}]"
_WORD = re.compile(rf"{LETTER}+(?:['’-]{LETTER}+)*")


def folded(text: str) -> str:
    """The text for comparing: NFKC (full-width forms are plain ones), no case, straight apostrophes, ё written е."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("ё", "е")


def words(text: str) -> list[str]:
    """Words of a folded text, in order; hyphens and apostrophes inside a word belong to it."""
    return _WORD.findall(folded(text))


def comparable(text: str) -> str:
    """The text without case, punctuation and white space, for telling whether two texts say the same words."""
    return "".join(char for char in folded(text) if char.isalnum() or unicodedata.category(char).startswith("M"))


def same_words(text: str, lang: str, articles: Sequence[str] = ()) -> str:
    """:func:`comparable` less the language's articles: equal for texts that differ in nothing a reader would notice.

    A text of articles only is compared whole. Languages without spaces between words have no articles to drop.
    """
    if not articles or not languages.get(lang).joiner:
        return comparable(text)
    dropped = {article.casefold() for article in articles}
    return "".join(comparable(word) for word in words(text) if word not in dropped) or comparable(text)


@functools.cache
def pattern(phrases: tuple[str, ...], lang: str) -> re.Pattern[str]:
    """Any of the phrases as whole words of a folded text, a trailing ``*`` standing for any ending.

    In a language without spaces a phrase is found anywhere. The longest phrase is found first; no phrase finds nothing.
    """
    body = "|".join(
        re.escape(folded(phrase.removesuffix("*"))) + (f"{LETTER}*" if phrase.endswith("*") else "")
        for phrase in sorted(phrases, key=len, reverse=True)
    )
    if not body:
        return re.compile(r"(?!)")
    return re.compile(rf"(?<!{LETTER})(?:{body})(?!{LETTER})" if languages.get(lang).joiner else f"(?:{body})")


def found(text: str, phrases: tuple[str, ...], lang: str) -> set[str]:
    """Which of the phrases a text holds, as they stand there."""
    return set(pattern(phrases, lang).findall(folded(text)))


def added(text: str, source: str, phrases: tuple[str, ...], lang: str) -> set[str]:
    """Which of the phrases a text holds and its source does not."""
    return found(text, phrases, lang) - found(source, phrases, lang) if phrases else set()


def without(text: str, phrases: tuple[str, ...], lang: str) -> str:
    """The folded text with every one of the phrases taken out."""
    return pattern(phrases, lang).sub(" ", folded(text)) if phrases else folded(text)
