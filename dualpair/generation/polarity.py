"""Negation: whether a text is negated, and whether an opposite says no more than its source with emphasis changed."""

from __future__ import annotations

from dualpair.generation import stems, wording
from dualpair.generation.hygiene_words import WordLists


def negated(text: str, words: WordLists, lang: str) -> bool:
    """Whether a text holds a negating word (a negation inside a word, such as "un-", is none)."""
    return bool(wording.found(wording.without(text, words.not_negations, lang), words.negations, lang))


def added(attribute: str, source: str, words: WordLists, lang: str) -> bool:
    """Whether the attribute is negated and its source is not."""
    return negated(attribute, words, lang) and not negated(source, words, lang)


def dropped(attribute: str, source: str, words: WordLists, lang: str) -> bool:
    """Whether the source is negated and the attribute is not: the opposite was reached by leaving the "not" out."""
    return added(source, attribute, words, lang)


def reversed_by_a_word(attribute: str, source: str, words: WordLists, lang: str) -> bool:
    """Whether the attribute has a word that turns a claim round ("lack", "rarely", "not") where its source has none.

    A word that the source alone has ("cannot stand heights" to "love heights") turns it round as well.
    """
    phrases = words.negations + words.reversers + words.softeners
    ours, theirs = (wording.without(text, words.not_negations, lang) for text in (attribute, source))
    return wording.found(ours, phrases, lang) != wording.found(theirs, phrases, lang)


def same_claim(attribute: str, source: str, words: WordLists, lang: str) -> bool:
    """Whether two texts have the same content words in the same order, but for words of emphasis and articles.

    Stems are compared; without spaces between words, the characters that are left.
    """
    ours, theirs = (_claim(text, words, lang) for text in (attribute, source))
    return bool(ours) and ours == theirs


def _claim(text: str, words: WordLists, lang: str) -> tuple[str, ...]:
    rest = wording.without(text, words.intensifiers, lang)
    dropped_words = {article.casefold() for article in words.articles}
    left = " ".join(word for word in wording.words(rest) if word not in dropped_words)
    stemmed = stems.stems(left, lang, words.irregular)
    return tuple(wording.comparable(stem) for stem in stemmed)
