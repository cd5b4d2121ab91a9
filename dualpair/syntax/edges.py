"""What small parsers often get wrong at the edges of a subject, and what the tree nevertheless shows.

Each of these follows from what holds of any sentence of the language (a verb has one subject, no arc crosses the root),
not from the sentences of a data set.
"""

from __future__ import annotations

from collections.abc import Sequence

from dualpair import languages
from dualpair.syntax import openings
from dualpair.syntax.tree import OBJECTS, SUBJECTS, VERBAL, Tree


def before_root(tree: Tree, first: int, top: int) -> int:
    """The head of the first phrase, where a parser hung it on a word behind the root.

    Such an arc crosses the root, which no projective tree has: a subject before the root is the root's, whatever it was
    hung on. Another phrase stays what the parser made of it.
    """
    own = tree.top(first, frozenset(range(tree.root)))
    return own if tree.relation(own) in SUBJECTS else top


def shared(tree: Tree, first: int, top: int, lang: str) -> int:
    """The subject of a clause without conjunction that begins the sentence and has it in common with the root.

    In Chinese, whose verbs follow one another: 男人 in 男人喝醉就打人. If the root has a subject of its own, or the
    clause a conjunction, the clause stays what it is.
    """
    own = tree.top(first, frozenset(range(top)))
    bare = not languages.get(lang).joiner and tree.relation(top) == "advcl" and top < tree.root
    if not bare or tree.relation(own) not in SUBJECTS or tree.words[own].head != top:
        return top
    marked = tree.children(top, "mark") or tree.children(tree.root, *SUBJECTS, "csubj")
    return top if marked else own


def stands_as_subject(tree: Tree, top: int, lang: str) -> bool:
    """Whether a supposed object is the subject.

    Where the order is fixed it is if no subject stands before the verb; in any language that writes spaces if there is
    no subject at all, but another object, and no preposition before the first.
    """
    if tree.relation(top) not in OBJECTS or tree.words[tree.root].upos not in VERBAL:
        return False
    subjects = tree.children(tree.root, *SUBJECTS, "csubj", "expl")
    if lang.partition("-")[0] in openings.SUBJECT_BEFORE_VERB:
        return not any(i < tree.root for i in subjects)
    twice = len(tree.children(tree.root, "obj")) > 1 and not tree.children(top, "case")
    return bool(languages.get(lang).joiner) and twice and not subjects


def negated(tree: Tree, real: Sequence[int], top: int, lang: str) -> int:
    """The subject behind a negation that belongs to its quantifier: "not all men", "no todos los niños"."""
    if top != real[0] or len(real) < 3 or not openings.is_negated([tree.words[i].form for i in real[:3]], lang):
        return top
    quantifier = next((i for i in real[1:3] if tree.relation(i) != "cop"), real[1])
    own = tree.top(quantifier, frozenset(range(tree.root)))
    return own if tree.relation(own) in SUBJECTS else top


def with_other_subjects(tree: Tree, top: int, right: int, lang: str) -> int:
    """The subject's last word, where a parser gave the verb several subjects one behind the other.

    A verb has one subject: "poets, painters and musicians", of which each hangs on the verb, are one group, and so are
    "we Londoners". Chinese has sentences with two subjects: there only a name or "this kind" is taken for the same.
    """
    spaced = bool(languages.get(lang).joiner)
    for other in tree.children(tree.root, *SUBJECTS):
        if not right < other < tree.root:
            continue
        own = [i for i in range(right + 1, tree.root) if tree.dominates(other, i)]
        gap = range(right + 1, own[0])
        if not spaced:
            before = tree.text[: tree.words[right].end]
            text = tree.text[tree.words[right + 1].start : tree.words[own[-1]].end]
            if openings.is_place_of_these(before, text, lang):
                return own[-1]
            if right == top and openings.is_surname(tree.words[top].form, lang):
                return own[-1]
            return own[-1] if openings.names_the_same(text, tree.words[top].upos == "PRON", lang) else right
        if any(tree.relation(i) not in ("punct", "cc", "advmod") for i in gap):
            break
        listed = any(tree.relation(i) == "cc" for i in (*gap, *own)) and any(tree.words[i].form == "," for i in gap)
        name = tree.words[other].upos == "PROPN" and openings.is_title(tree.words[top].form, lang)
        joined = not gap and right == top and (name or openings.takes_noun(tree.words[top].form, lang))
        if not (listed or joined or any(tree.relation(i) == "cc" for i in (right, *gap))):
            break
        right = own[-1]
    return right


def without_adverb(tree: Tree, first: int, right: int, lang: str) -> int:
    """The subject's last word without an adverb of the predicate, or a parenthesis, that was taken into the subject."""
    forms = [word.form for word in tree.words[first : right + 1]]
    return first + len(forms) - openings.adverbs_at_end(forms, lang) - 1


def is_predicate_adjective(tree: Tree, real: Sequence[int], top: int, lang: str) -> bool:
    """Whether a lone adjective before the copula is the predicate of the noun behind it: "lucky are the young"."""
    lone = tree.words[top].upos == "ADJ" and real[0] == top and not tree.children(top)
    copula = top + 1 < tree.root and tree.relation(top + 1) == "cop" and tree.words[top + 1].head == tree.root
    spaced = bool(languages.get(lang).joiner)
    return spaced and lone and copula and bool(tree.children(tree.root, "det"))


def takes_up_object(tree: Tree, top: int, lang: str) -> bool:
    """Whether an object pronoun that agrees with the supposed subject goes with an object, a noun, behind the verb.

    The noun is then the subject, and what comes first the object: "las tareas | las hace la mujer".
    """
    objects = tree.children(tree.root, "obj")
    noun = tree.words[top].form
    before = any(openings.takes_up(tree.words[i].form, noun, lang) for i in objects if i < tree.root)
    nouns = (i for i in objects if i > tree.root and tree.words[i].upos in ("NOUN", "PROPN"))
    return before and any(not tree.children(i, "case") for i in nouns)
