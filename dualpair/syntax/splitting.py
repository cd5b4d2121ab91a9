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
from dualpair.syntax import openings, reasons
from dualpair.syntax.boundaries import quoted, several_sentences

_DASH = re.compile(r"\s+(?:[–—―-]|--)\s+(?=\S)")
_UNSPACED_DASH = re.compile(r"\s*(?:[–—―]+|--)\s*(?=\S)")
_SUBJECTS = ("nsubj", "dislocated")
# What stands before a verb and its subject and is neither.
_PREDICATE = ("aux", "cop", "expl")
_COMPLEMENT = "xcomp"
_OBJECTS = ("obj", "iobj")
# Relations that join a word to a noun: a word so joined to the root makes the root part of the first phrase.
_ADNOMINAL = ("acl", "amod", "appos", "case", "clf", "compound", "det", "fixed", "flat", "nmod", "nummod")
# PART: Chinese treebanks tag the noun suffixes 家 and 者 so.
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "PART", "X", "SYM"})
_VERBAL = frozenset({"VERB", "AUX"})
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


class Word(NamedTuple):
    """A parsed word: form, character span in the sentence, UPOS, 0-based head (-1 for the root), UD relation, features.

    ``feats`` is as in CoNLL-U (``Mood=Imp|VerbForm=Fin``); empty where a parser gives none.
    """

    form: str
    start: int
    end: int
    upos: str
    head: int
    deprel: str
    feats: str = ""


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
    tree = _Tree(words, roots[0], body)
    end = _before_dash(body, tree, spaced)
    if end is None:
        found = _subject(tree, lang)
        if isinstance(found, Rejection):
            return Rejection(found.reason, found.detail, describe(words))
        end = _with_marks(body, tree, found, spaced)
    group, attribute = body[:end].rstrip(), body[end:]
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


class _Tree:
    """A dependency tree with exactly one root."""

    def __init__(self, words: Sequence[Word], root: int, text: str) -> None:
        self.words, self.root, self.text = words, root, text

    def relation(self, index: int) -> str:
        """The universal part of a word's relation."""
        return self.words[index].deprel.partition(":")[0]

    def children(self, index: int, *relations: str) -> list[int]:
        """Dependents with one of the relations; all if none is named."""
        own = [i for i, word in enumerate(self.words) if word.head == index]
        return [i for i in own if self.relation(i) in relations] if relations else own

    def dominates(self, ancestor: int, index: int) -> bool:
        """True if the word at ``index`` is in the subtree of ``ancestor``; a cycle counts as outside."""
        for _ in range(len(self.words) + 1):
            if index == ancestor:
                return True
            if index < 0:
                return False
            index = self.words[index].head
        return False

    def top(self, index: int, within: frozenset[int]) -> int:
        """The highest ancestor of a word that is reached through words of ``within`` alone."""
        for _ in self.words:
            head = self.words[index].head
            if head not in within:
                break
            index = head
        return index

    def real(self) -> list[int]:
        """Words other than punctuation."""
        return [i for i, word in enumerate(self.words) if word.upos != "PUNCT"]


# --- the subject ------------------------------------------------------------------------------------------------------


def _subject(tree: _Tree, lang: str) -> int | Rejection:
    """The last word of the subject that begins the sentence."""
    real = tree.real()
    if not real:
        return Rejection(reasons.NO_NOUN_PHRASE, "there are no words")
    top = tree.top(real[0], frozenset(range(len(tree.words))) - {tree.root})
    if top == tree.root:
        return _root_first(tree)
    if tree.relation(top) not in (*_SUBJECTS, "csubj"):
        return _no_subject(tree, top)
    nominal = openings.is_nominaliser(tree.words[top].form, lang) or _is_nominal(tree, top, real[0])
    if not nominal:
        kind = f"is headed by {tree.words[top].upos}" if tree.relation(top) != "csubj" else "is a clause"
        return Rejection(reasons.NO_NOUN_PHRASE, f"the subject {kind}")
    right = max(i for i in real if tree.dominates(top, i))
    if right > tree.root:
        return Rejection(reasons.OTHER_ORDER, "the subject goes on after the predicate")
    doubt = _opening(tree, real, top, lang) or _clause_inside(tree, top, real[0], lang)
    return Rejection(reasons.NO_NOUN_PHRASE, doubt) if doubt else right


def _opening(tree: _Tree, real: Sequence[int], top: int, lang: str) -> str:
    """What shows that a subject has swallowed the sentence's opening: its first word belongs to no noun phrase.

    A preposition or conjunction that begins the subject before its head ("In Spain women"), except before a number
    ("over 50 people") and in languages without spaces, where modifiers with prepositions precede the noun; or one of
    :mod:`dualpair.syntax.openings`.
    """
    first, head = tree.words[real[0]], tree.words[real[0]].head
    spaced = bool(languages.get(lang).joiner)
    small = first.upos in ("ADP", "SCONJ") and not openings.may_open_group(first.form, lang)
    number = tree.words[head].upos == "NUM" or openings.is_quantity(tree.words[head].form, lang)
    if spaced and real[0] < top and small and not number:
        return f"the subject begins with {first.upos} {first.form!r}"
    forms = [tree.words[i].form for i in real]
    phrase = openings.opens_no_group(forms, lang) if spaced else openings.begins_no_group(tree.text, lang)
    if phrase:
        return f"the sentence begins with {phrase!r}, which belongs to no noun phrase"
    if openings.needs_adjective(first.form, lang) and tree.words[head].upos in ("NOUN", "PROPN", "PRON"):
        return f"the sentence begins with {first.form!r}, which belongs to no noun"
    return ""


def _clause_inside(tree: _Tree, top: int, first: int, lang: str) -> str:
    """A predicate that the parser took into the subject: "The woman played Bingo at the community | center".

    A finite verb right behind the noun that it is said to modify, with no relative word, subject or conjunction before
    it; where past participles are passive, one with a direct object; a copula that is in no clause of its own.
    """
    for i in (i for i in tree.real() if tree.dominates(top, i)):
        word, head = tree.words[i], tree.words[i].head
        if tree.relation(i) == "cop" and _is_loose_copula(tree, head, top, first):
            return f"the subject holds the predicate {word.form!r}"
        if tree.relation(i) != "acl" or word.upos not in _VERBAL or not 0 <= head < i:
            continue
        if (
            tree.words[head].upos not in ("NOUN", "PROPN")
            or not word.form[0].isalpha()
            or _is_introduced(tree, i, head)
        ):
            continue
        finite = "VerbForm=Fin" in word.feats and lang.partition("-")[0] not in openings.BARE_RELATIVES
        past = "VerbForm=Part" in word.feats and "Tense=Pres" not in word.feats and not word.form.endswith("ing")
        passive = past and lang in openings.PASSIVE_PARTICIPLES
        passive = passive and not openings.has_name(word.form, lang)
        if finite or (passive and any(child > i for child in tree.children(i, "obj"))):
            return f"the subject holds the predicate {word.form!r}"
    return ""


def _is_introduced(tree: _Tree, verb: int, noun: int) -> bool:
    """Whether a clause begins with anything but its verb and auxiliaries; adverbs may be relative ("where")."""
    before = (i for i in range(noun + 1, verb) if tree.dominates(verb, i))
    return any(tree.words[i].upos not in ("AUX", "PART", "PUNCT") for i in before)


def _is_loose_copula(tree: _Tree, index: int, top: int, first: int) -> bool:
    """Whether the predicate with a copula is the subject itself or a plain modifier, no clause in it."""
    for _ in tree.words:
        if index == top:
            # "los que son ricos", "quienes son ricos": a clause that counts as a noun phrase.
            return tree.words[first].upos not in ("PRON", "DET")
        if index < 0 or tree.relation(index) in ("acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis", "conj"):
            return False
        index = tree.words[index].head
    return False


def _is_nominal(tree: _Tree, top: int, first: int) -> bool:
    """Whether a subject is a noun phrase, or a clause or a participle that counts as one.

    A clause counts if a pronoun or article begins it and is its own subject: "quienes cocinan", "los que cocinan", but
    not "what they cook". A participle counts if it is inflected as a noun or has an article.
    """
    head = tree.words[top]
    if tree.relation(top) != "csubj" and head.upos in NOMINAL:
        return True
    # Participles that are inflected as nouns are; English -ing forms are not.
    participle = "VerbForm=Part" in head.feats and "Number=" in head.feats
    if tree.relation(top) != "csubj" and (participle or tree.children(top, "det")):
        return True
    # Treebanks hang the article of "los que cocinan" on the pronoun or on the verb.
    subjects = tree.children(top, "nsubj")
    begins = any(tree.dominates(i, first) for i in subjects) or first in tree.children(top, "det")
    return bool(subjects) and begins and tree.words[first].upos in ("PRON", "DET")


def _no_subject(tree: _Tree, top: int) -> Rejection:
    """Why a sentence whose first phrase, under the root, is no subject cannot be cut."""
    relation, root = tree.relation(top), tree.words[tree.root]
    if relation in _ADNOMINAL and root.upos in NOMINAL:
        return _root_first(tree)
    if relation in _OBJECTS:
        return Rejection(reasons.OTHER_ORDER, "the object comes first")
    if relation == _COMPLEMENT:
        return Rejection(reasons.OTHER_ORDER, "a complement of the predicate comes first")
    if relation in _PREDICATE:
        return _verb_first(tree)
    return Rejection(reasons.NO_NOUN_PHRASE, f"the first phrase is {tree.words[top].deprel}, no subject")


def _root_first(tree: _Tree) -> Rejection:
    """Why a sentence whose first phrase holds the root cannot be cut."""
    root = tree.words[tree.root]
    if any(child > tree.root for child in tree.children(tree.root, *_SUBJECTS, "csubj")):
        return Rejection(reasons.OTHER_ORDER, "the predicate comes before its subject")
    if root.upos in _VERBAL or tree.children(tree.root, "cop", "aux"):
        return _verb_first(tree)
    bare = root.upos == "ADJ" and not tree.children(tree.root, "det")
    if root.upos not in NOMINAL or bare or tree.children(tree.root, "case"):
        return Rejection(reasons.NO_NOUN_PHRASE, f"there is no noun phrase, only {root.upos}")
    return Rejection(reasons.ATTRIBUTE_EMPTY, "there is only a noun phrase")


def _verb_first(tree: _Tree) -> Rejection:
    """A verb or another part of the predicate comes first: an order or call, or a sentence turned round."""
    verbs = [tree.words[i] for i in (tree.root, *tree.children(tree.root, "aux", "cop"))]
    finite = any("Mood=Ind" in word.feats or "VerbForm=Fin" in word.feats for word in verbs)
    imperative = any("Mood=Imp" in word.feats for word in verbs)
    if tree.children(tree.root, *_SUBJECTS, "csubj", "expl") or (finite and not imperative):
        return Rejection(reasons.OTHER_ORDER, "the predicate comes first")
    return Rejection(reasons.NO_NOUN_PHRASE, "there is a predicate without a subject")


# --- the dash ---------------------------------------------------------------------------------------------------------


def _before_dash(body: str, tree: _Tree, spaced: bool) -> int | None:
    """Where the group ends if a dash separates it from the predicate, else None."""
    dashes = [match.span() for match in _dashes(body, spaced)]
    if not dashes:
        return None
    start, end = dashes[0]
    if not _is_group(tree, start, end):
        return None
    if len(dashes) == 1 or tree.words[tree.root].start < dashes[1][1]:
        return start
    # Two dashes before the predicate enclose an insertion. The second also stands for a missing copula, or it only
    # closes the insertion when a verb follows.
    start, end = dashes[1]
    verbs = [tree.root, *tree.children(tree.root, "aux", "cop")]
    closes = spaced and any(tree.words[i].upos in _VERBAL for i in verbs)
    return len(body[:end].rstrip()) if closes else start


def _dashes(body: str, spaced: bool) -> list[re.Match[str]]:
    """Dashes between words, except those of a range of numbers (18 - 25) and inside quotation marks or brackets."""
    inside = quoted(body)
    return [
        match
        for match in (_DASH if spaced else _UNSPACED_DASH).finditer(body)
        if match.start() > 0
        and not inside[match.start()]
        and not (body[match.start() - 1].isdigit() and body[match.end()].isdigit())
    ]


def _is_group(tree: _Tree, start: int, end: int) -> bool:
    """Whether the words before a dash are a noun phrase without its predicate."""
    words = tree.words
    before = [i for i in tree.real() if words[i].end <= start]
    if not before:
        return False
    head = tree.top(before[0], frozenset(before))
    nominal = words[head].upos in NOMINAL or tree.relation(head) == "nsubj"
    if not nominal or tree.relation(head) in ("csubj", "advcl", "ccomp", "advmod") or tree.children(head, "case"):
        return False
    if words[tree.root].start < end:
        return head == tree.root and not tree.children(head, *_SUBJECTS, "csubj", "cop", "aux")
    others = (i for i in before if words[i].head not in before and i != head)
    return not any(words[i].upos in _VERBAL for i in others)


# --- marks at the border ----------------------------------------------------------------------------------------------


def _with_marks(body: str, tree: _Tree, right: int, spaced: bool) -> int:
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
