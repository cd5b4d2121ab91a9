"""Subjects that have swallowed the sentence's opening or its predicate; such a sentence is refused."""

from __future__ import annotations

from collections.abc import Sequence

from dualpair import languages
from dualpair.syntax import openings
from dualpair.syntax.tree import VERBAL, Tree


def opening(tree: Tree, real: Sequence[int], top: int, lang: str) -> str:
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


def predicate(tree: Tree, top: int, first: int, lang: str) -> str:
    """A predicate that the parser took into the subject: "The woman played Bingo at the community | center".

    A finite verb right behind the noun that it is said to modify, with no relative word, subject or conjunction before
    it; where past participles are passive, one with a direct object; a copula that is in no clause of its own.
    """
    for i in (i for i in tree.real() if tree.dominates(top, i)):
        word, head = tree.words[i], tree.words[i].head
        if tree.relation(i) == "cop" and _is_loose_copula(tree, head, top, first):
            return f"the subject holds the predicate {word.form!r}"
        if tree.relation(i) != "acl" or word.upos not in VERBAL or not 0 <= head < i:
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


def _is_introduced(tree: Tree, verb: int, noun: int) -> bool:
    """Whether a clause begins with anything but its verb and auxiliaries; adverbs may be relative ("where")."""
    before = (i for i in range(noun + 1, verb) if tree.dominates(verb, i))
    return any(tree.words[i].upos not in ("AUX", "PART", "PUNCT") for i in before)


def _is_loose_copula(tree: Tree, index: int, top: int, first: int) -> bool:
    """Whether the predicate with a copula is the subject itself or a plain modifier, no clause in it."""
    for _ in tree.words:
        if index == top:
            # "los que son ricos", "quienes son ricos": a clause that counts as a noun phrase.
            return tree.words[first].upos not in ("PRON", "DET")
        if index < 0 or tree.relation(index) in ("acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis", "conj"):
            return False
        index = tree.words[index].head
    return False
