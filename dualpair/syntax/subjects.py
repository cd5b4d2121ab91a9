"""Where the subject that begins a sentence ends, or why there is none."""

from __future__ import annotations

from typing import NamedTuple

from dualpair.syntax import edges, openings, reasons, swallowed
from dualpair.syntax.tree import NOMINAL, OBJECTS, SUBJECTS, VERBAL, Tree

# What stands before a verb and its subject and is neither.
_PREDICATE = ("aux", "cop", "expl")
_COMPLEMENT = "xcomp"
# Relations that join a word to a noun: a word so joined to the root makes the root part of the first phrase.
_ADNOMINAL = ("acl", "amod", "appos", "case", "clf", "compound", "det", "fixed", "flat", "nmod", "nummod")


class Refusal(NamedTuple):
    """Why a sentence has no subject to cut at: one of ``reasons.SPLIT_REASONS``, and what was found, in words."""

    reason: str
    detail: str


def last_word(tree: Tree, lang: str) -> int | Refusal:
    """The last word of the subject that begins the sentence."""
    real = tree.real()
    if not real:
        return Refusal(reasons.NO_NOUN_PHRASE, "there are no words")
    top = tree.top(real[0], frozenset(range(len(tree.words))) - {tree.root})
    if top == tree.root:
        return _root_first(tree)
    if top > tree.root:
        top = edges.before_root(tree, real[0], top)
    top = edges.negated(tree, real, edges.shared(tree, real[0], top, lang), lang)
    if tree.relation(top) not in (*SUBJECTS, "csubj") and not edges.stands_as_subject(tree, top, lang):
        return _no_subject(tree, top)
    nominal = openings.is_nominaliser(tree.words[top].form, lang) or _is_nominal(tree, top, real[0])
    if not nominal:
        kind = f"is headed by {tree.words[top].upos}" if tree.relation(top) != "csubj" else "is a clause"
        return Refusal(reasons.NO_NOUN_PHRASE, f"the subject {kind}")
    right = max(i for i in real if tree.dominates(top, i))
    if right > tree.root:
        return Refusal(reasons.OTHER_ORDER, "the subject goes on after the predicate")
    if edges.is_predicate_adjective(tree, real, top, lang):
        return Refusal(reasons.OTHER_ORDER, "the predicate comes first")
    if edges.takes_up_object(tree, top, lang):
        return Refusal(reasons.OTHER_ORDER, "the object comes first, and a pronoun takes it up")
    right = edges.without_adverb(tree, real[0], edges.with_other_subjects(tree, top, right, lang), lang)
    doubt = swallowed.opening(tree, real, top, lang) or swallowed.predicate(tree, top, real[0], lang)
    return Refusal(reasons.NO_NOUN_PHRASE, doubt) if doubt else right


def _is_nominal(tree: Tree, top: int, first: int) -> bool:
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


def _no_subject(tree: Tree, top: int) -> Refusal:
    """Why a sentence whose first phrase, under the root, is no subject cannot be cut."""
    relation, root = tree.relation(top), tree.words[tree.root]
    if relation in _ADNOMINAL and root.upos in NOMINAL:
        return _root_first(tree)
    if relation in OBJECTS:
        return Refusal(reasons.OTHER_ORDER, "the object comes first")
    if relation == _COMPLEMENT:
        return Refusal(reasons.OTHER_ORDER, "a complement of the predicate comes first")
    if relation in _PREDICATE:
        return _verb_first(tree)
    return Refusal(reasons.NO_NOUN_PHRASE, f"the first phrase is {tree.words[top].deprel}, no subject")


def _root_first(tree: Tree) -> Refusal:
    """Why a sentence whose first phrase holds the root cannot be cut."""
    root = tree.words[tree.root]
    if any(child > tree.root for child in tree.children(tree.root, *SUBJECTS, "csubj")):
        return Refusal(reasons.OTHER_ORDER, "the predicate comes before its subject")
    if root.upos in VERBAL or tree.children(tree.root, "cop", "aux"):
        return _verb_first(tree)
    bare = root.upos == "ADJ" and not tree.children(tree.root, "det")
    if root.upos not in NOMINAL or bare or tree.children(tree.root, "case"):
        return Refusal(reasons.NO_NOUN_PHRASE, f"there is no noun phrase, only {root.upos}")
    return Refusal(reasons.ATTRIBUTE_EMPTY, "there is only a noun phrase")


def _verb_first(tree: Tree) -> Refusal:
    """A verb or another part of the predicate comes first: an order or call, or a sentence turned round."""
    verbs = [tree.words[i] for i in (tree.root, *tree.children(tree.root, "aux", "cop"))]
    finite = any("Mood=Ind" in word.feats or "VerbForm=Fin" in word.feats for word in verbs)
    imperative = any("Mood=Imp" in word.feats for word in verbs)
    if tree.children(tree.root, *SUBJECTS, "csubj", "expl") or (finite and not imperative):
        return Refusal(reasons.OTHER_ORDER, "the predicate comes first")
    return Refusal(reasons.NO_NOUN_PHRASE, "there is a predicate without a subject")
