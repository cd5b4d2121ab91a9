"""The splitting rule on a parsed sentence; knows no parser.

Following the dual-pair paper's data preparation, the group is the text up to the right edge of the first noun phrase
(here: the whole subtree of a subject that begins the sentence), or the text before a spaced dash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dualpair import languages
from dualpair.syntax import reasons

_DASH = re.compile(r"\s+[–—―-]\s+(?=\S)")
_SUBJECTS = ("nsubj", "dislocated")
# A clause as subject, or a word inside a noun phrase that is itself the root ("Old men.").
_NO_PHRASE = ("csubj", "amod", "det", "nummod", "nmod", "compound", "case", "acl", "flat", "appos")
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "X", "SYM"})
_VERBAL = frozenset({"VERB", "AUX"})


@dataclass(frozen=True, slots=True)
class Split:
    """A sentence cut in two.

    Attributes:
        group: the group phrase, as in the sentence.
        attribute: the rest without the joiner and the final mark.
        final_mark: the sentence's final mark, or empty.
        parse: ``form/upos/head/deprel`` of each word, joined by spaces; head is 1-based, 0 for the root.
    """

    group: str
    attribute: str
    final_mark: str
    parse: str = ""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A sentence that cannot be cut: a reason from ``reasons.SPLIT_REASONS`` and what was found."""

    reason: str
    detail: str


class Word(NamedTuple):
    """A parsed word: form, character span in the sentence, UPOS, 0-based head (-1 for the root), UD relation."""

    form: str
    start: int
    end: int
    upos: str
    head: int
    deprel: str


def describe(words: Sequence[Word]) -> str:
    """The parse as compact text: ``form/upos/head/deprel`` a word, head 1-based and 0 for the root."""
    return " ".join(f"{word.form}/{word.upos}/{word.head + 1}/{word.deprel}" for word in words)


def precheck(text: str, lang: str) -> Rejection | None:
    """Reasons to reject a sentence that need no parse: no text, or several sentences in one cell.

    A final mark inside the text separates sentences when the language joins without spaces, or when a space and a
    capital follow and more than three letters precede (shorter words before a full stop are taken for abbreviations).
    """
    body, _ = languages.split_final_mark(text, lang)
    if not body:
        return Rejection(reasons.NO_NOUN_PHRASE, "the sentence has no text")
    facts = languages.get(lang)
    marks = re.escape("".join(facts.final_marks))
    if facts.joiner:
        inner = re.search(rf"(\w{{4,}}|[^\w\s])[{marks}]+[»”\"')]*\s+(?=[^\W\d_a-zа-яёñáéíóú])", body)
    else:
        inner = re.search("[。！？]", body)
    if inner:
        return Rejection(reasons.SEVERAL_SENTENCES, f"a sentence ends inside the text: {inner.group().strip()!r}")
    return None


def split_words(text: str, words: Sequence[Word], lang: str) -> Split | Rejection:
    """Cut one parsed sentence into group and attribute.

    Args:
        text: the normalised sentence; the words' spans refer to it.
        words: its words in order.
        lang: BCP-47 code.

    Returns:
        A :class:`Split`, or a :class:`Rejection` with one of ``reasons.SPLIT_REASONS``.

    Raises:
        ValueError: if the language is unknown.
    """
    roots = [i for i, word in enumerate(words) if word.head < 0]
    if len(roots) != 1:
        return Rejection(reasons.PARSER_FAILED, f"expected one root, found {len(roots)}: {describe(words)}")
    body, mark = languages.split_final_mark(text, lang)
    dash = _before_dash(body, words, roots[0])
    end = _after_subject(words, roots[0]) if dash is None else dash
    if isinstance(end, Rejection):
        return end
    group, attribute = body[:end].rstrip(), body[end:]
    if not attribute.strip():
        return Rejection(reasons.ATTRIBUTE_EMPTY, f"nothing follows the group: {describe(words)}")
    if languages.get(lang).joiner and not attribute[0].isspace():
        return Rejection(reasons.PARSER_FAILED, f"the group ends inside a word: {describe(words)}")
    return Split(group, attribute.strip(), mark, describe(words))


def _before_dash(body: str, words: Sequence[Word], root: int) -> int | None:
    """Where the group ends if a spaced dash separates it from the predicate, else None."""
    dash = _DASH.search(body)
    if not dash:
        return None
    before = [word for word in words if word.end <= dash.start()]
    if not any(word.upos in _NOMINAL for word in before):
        return None
    verbless = not any(word.upos in _VERBAL for word in before)
    return dash.start() if verbless or words[root].start >= dash.end() else None


def _after_subject(words: Sequence[Word], root: int) -> int | Rejection:
    """Where the subject that begins the sentence ends (a comma after it belongs to it)."""
    top = 0
    for _ in words:
        if words[top].head in (root, -1):
            break
        top = words[top].head
    first = words[top]
    relation = first.deprel.partition(":")[0]
    if top == root or relation in _NO_PHRASE or first.upos == "PUNCT":
        return Rejection(reasons.NO_NOUN_PHRASE, f"the first phrase is no subject: {describe(words)}")
    if relation not in _SUBJECTS:
        return Rejection(reasons.OTHER_ORDER, f"the first phrase is {first.deprel}, no subject: {describe(words)}")
    if first.upos not in _NOMINAL:
        return Rejection(reasons.NO_NOUN_PHRASE, f"the subject is headed by {first.upos}: {describe(words)}")
    right = max(i for i in range(len(words)) if _dominates(words, top, i))
    if right > root:
        return Rejection(reasons.OTHER_ORDER, f"the subject goes on after the predicate: {describe(words)}")
    if right + 1 < root and words[right + 1].form in (",", "，"):
        right += 1
    return words[right].end


def _dominates(words: Sequence[Word], ancestor: int, index: int) -> bool:
    """True if the word at ``index`` is in the subtree of ``ancestor``; a cycle counts as outside."""
    for _ in words:
        if index == ancestor:
            return True
        if index < 0:
            return False
        index = words[index].head
    return False
