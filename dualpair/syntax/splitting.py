"""The splitting rule on a parsed sentence; knows no parser.

Following the dual-pair paper's data preparation, the group is the text up to the right edge of the first noun phrase
(here: the whole subtree of a subject that begins the sentence), or the text before a spaced dash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dualpair import languages
from dualpair.syntax import openings, reasons
from dualpair.syntax.boundaries import several_sentences
from dualpair.syntax.dashes import before_dash
from dualpair.syntax.subjects import Refusal, last_word
from dualpair.syntax.tree import NOMINAL, Tree, Word

__all__ = ["NOMINAL", "Rejection", "Split", "Word", "describe", "precheck", "split_words"]

_BRACKETS = {"(": ")", "[": "]", "（": "）", "【": "】"}
_JOINED = "'’ʼ"
# Behind a group written without spaces: what cannot begin a predicate (的确 can).
_GOES_ON = re.compile(r"的(?!确)|们|[、·-]|及")


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
    """A sentence that cannot be cut.

    Attributes:
        reason: one of ``reasons.SPLIT_REASONS``.
        detail: what was found, in words.
        parse: as in :class:`Split`; empty where the sentence was not parsed.
    """

    reason: str
    detail: str
    parse: str = ""


def describe(words: Sequence[Word]) -> str:
    """The parse as compact text: ``form/upos/head/deprel`` a word, head 1-based and 0 for the root."""
    return " ".join(f"{word.form}/{word.upos}/{word.head + 1}/{word.deprel}" for word in words)


def precheck(text: str, lang: str) -> Rejection | None:
    """Reasons to reject a sentence that need no parse: no text, or several sentences in one cell.

    Raises:
        ValueError: if the language is unknown.
    """
    body, _ = languages.split_final_mark(text, lang)
    if not body:
        return Rejection(reasons.NO_NOUN_PHRASE, "the sentence has no text")
    place = several_sentences(body, lang)
    if place:
        return Rejection(reasons.SEVERAL_SENTENCES, f"a sentence ends inside the text: {place!r}")
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
        return Rejection(reasons.PARSER_FAILED, f"expected one root, found {len(roots)}", describe(words))
    spaced = bool(languages.get(lang).joiner)
    body, mark = languages.split_final_mark(text, lang)
    tree = Tree(words, roots[0], body)
    end = before_dash(body, tree, spaced)
    if end is None:
        found = last_word(tree, lang)
        if isinstance(found, Refusal):
            return Rejection(found.reason, found.detail, describe(words))
        end = _with_marks(body, tree, found, spaced)
    end -= openings.glued_at_end(body[:end], lang)
    group, attribute = body[:end].rstrip(), body[end:]
    if openings.is_no_group(group, lang):
        return Rejection(reasons.NO_NOUN_PHRASE, f"{group!r} says when or where", describe(words))
    if not attribute.strip():
        return Rejection(reasons.ATTRIBUTE_EMPTY, "nothing follows the group", describe(words))
    if spaced and not attribute[0].isspace():
        joined = attribute[0] in _JOINED or group[-1] in _JOINED
        reason = reasons.NO_WORD_BOUNDARY if joined else reasons.PARSER_FAILED
        return Rejection(reason, f"the group ends inside the word {_word_at(body, end)!r}", describe(words))
    if not spaced and _GOES_ON.match(attribute):
        return Rejection(
            reasons.PARSER_FAILED, f"the group ends before {attribute[0]!r}, which goes on with it", describe(words)
        )
    return Split(group, attribute.strip(), mark, describe(words))


def _with_marks(body: str, tree: Tree, right: int, spaced: bool) -> int:
    """The end of the group: the last word's, with the marks that close the group and a bracket that follows it."""
    limit = tree.words[tree.root].start
    end = _closed(body, tree.words[right].end, spaced)
    opening = re.compile(r"\s*").match(body, end)
    at = opening.end() if opening else end
    partner = _BRACKETS.get(body[at : at + 1])
    closing = body.find(partner, at) if partner else -1
    return _closed(body, closing + 1, spaced) if 0 <= closing < limit else end


def _closed(body: str, end: int, spaced: bool) -> int:
    """``end`` moved over what is written to the word before it: a comma, closing quotation marks, brackets."""
    if not spaced:
        closing = re.compile(r"[，、：；,:;”’」』》〉）】)\]]*").match(body, end)
        end = closing.end() if closing else end
        return end + 1 if body[end : end + 1] == '"' and body[:end].count('"') % 2 else end
    marks = re.compile(r"[^\w\s]+(?=\s|$)").match(body, end)
    return marks.end() if marks else end


def _word_at(body: str, index: int) -> str:
    """The run of characters without space round a position."""
    start = max(body.rfind(" ", 0, index) + 1, 0)
    return body[start:].split(" ", 1)[0]
