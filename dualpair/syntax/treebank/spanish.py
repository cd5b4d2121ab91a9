"""Spanish generic sentences: [group] [attribute], with the trees that UD gives them.

Contractions (``del``, ``al``) are one word.
"""

from __future__ import annotations

from dataclasses import replace

from dualpair.paths import resource
from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "things", "mass", "fieldsMasc", "fieldsFem", "fans")
_VERBS = ("vi", "vt", "vdual", "vpp", "modals", "vlook", "vthat", "vde")
_ADJECTIVES = ("adj", "groupadj", "fronted")
_PARTS = (
    dict.fromkeys(_NOUNS, "Sing Plur")
    | dict.fromkeys(_VERBS, "Inf Plur Sing Ger Part MascSing MascPlur FemSing FemPlur")
    | dict.fromkeys(_ADJECTIVES, "MascSing MascPlur FemSing FemPlur")
    | {"vself": "Inf Plur Sing"}
)

GRAMMAR = read_grammar(resource("parsers", "grammar", "es.txt").read_text(encoding="utf-8"), _PARTS)

_OTHER_TENSE = 0.15
_PRESENT = {"Plur": {"ar": "an", "er": "en", "ir": "en"}, "Sing": {"ar": "a", "er": "e", "ir": "e"}}
# Imperfect, preterite, future and conditional (the last two with the infinitive before them) of each number.
_ENDINGS = {
    ("Plur", "ar"): ("aban", "aron", "+án", "+ían"),
    ("Sing", "ar"): ("aba", "ó", "+á", "+ía"),
    ("Plur", "er"): ("ían", "ieron", "+án", "+ían"),
    ("Sing", "er"): ("ía", "ió", "+á", "+ía"),
}
_QUOTES = (("«", "»"), ("“", "”"), ('"', '"'))


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    opening, closing = lex.one_of(*map("\t".join, _QUOTES)).split("\t")
    return _restyle(_tensed(GRAMMAR.derive(lex), lex), opening, closing)


def _tensed(tree: Tree, lex: Lexicon) -> Tree:
    """Some regular finite verbs of the present put into another tense of the same person."""
    form, theme = tree.form, tree.lemma[-2:]
    for number, present in (
        ("Plur", {"ar": "an", "er": "en", "ir": "en"}),
        ("Sing", {"ar": "a", "er": "e", "ir": "e"}),
    ):
        regular = f"Number={number}" in tree.feats and "VerbForm=Fin" in tree.feats and "Mood" not in tree.feats
        if regular and theme in present and form == tree.lemma[:-2] + present[theme] and lex.chance(_OTHER_TENSE):
            ending = lex.one_of(*_ENDINGS[number, "ar" if theme == "ar" else "er"])
            form = (tree.lemma if ending[0] == "+" else tree.lemma[:-2]) + ending.removeprefix("+")
    left = tuple((relation, _tensed(child, lex)) for relation, child in tree.left)
    right = tuple((relation, _tensed(child, lex)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def _restyle(tree: Tree, opening: str, closing: str) -> Tree:
    """The quotes of one style."""
    form = tree.form.replace("_", " ")
    if form == '"':
        form = opening if tree.opens else closing
    left = tuple((relation, _restyle(child, opening, closing)) for relation, child in tree.left)
    right = tuple((relation, _restyle(child, opening, closing)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def inflect(name: str, entry: str) -> str:
    """An entry of a list with its regular forms added, and those of verbs with the participles that agree."""
    if name in _VERBS:
        return _conjugate(entry)
    if ":" in entry:
        return entry
    if name.startswith(_NOUNS):
        return f"{entry}:{_plural(entry)}"
    if name in _ADJECTIVES:
        feminine = entry[:-1] + "a" if entry.endswith("o") else entry
        return f"{entry}:{_plural(entry)}:{feminine}:{_plural(feminine)}"
    return entry


def _conjugate(entry: str) -> str:
    """Infinitive, third persons, gerund, participle, and the participle once more with its gender and number."""
    if ":" not in entry:
        stem, vowel = entry[:-2], entry[-2]
        theme, gerund, ending = ("a", "ando", "ado") if vowel == "a" else ("e", "iendo", "ido")
        entry = f"{entry}:{stem}{theme}n:{stem}{theme}:{stem}{gerund}:{stem}{ending}"
    participle = entry.rpartition(":")[2]
    feminine = participle.removesuffix("o") + "a"
    return f"{entry}:{participle}:{participle}s:{feminine}:{feminine}s"


def _plural(word: str) -> str:
    if word.endswith("z"):
        return word[:-1] + "ces"
    return word + ("s" if word[-1] in "aeioué" else "es")
