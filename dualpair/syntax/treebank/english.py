"""English generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.paths import resource
from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "persons", "things", "fields", "roles", "fans", "inthings")
_VERBS = ("vi", "vt", "vdual", "vlie", "vprep", "vto", "vger", "vpp", "vabout", "vthat", "vlook")
_SINGLE_QUOTES = 0.1
_NOUN, _VERB = "Sing Plur", "Plur Sing Ger Part"
_PARTS = dict.fromkeys(_NOUNS, _NOUN) | dict.fromkeys(_VERBS, _VERB) | {"gerundobj": "Inf Ger"}

GRAMMAR = read_grammar(resource("parsers", "grammar", "en.txt").read_text(encoding="utf-8"), _PARTS)


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not, so that the parser learns the difference."""
    tree = GRAMMAR.derive(lex)
    curly = lex.chance(0.45)
    single = lex.chance(_SINGLE_QUOTES)
    opening = ("‘" if single else "“") if curly else ("'" if single else '"')
    closing = ("’" if single else "”") if curly else opening
    return _restyle(tree, curly, opening, closing)[0]


def _restyle(tree: Tree, curly: bool, opening: str, closing: str, following: str = "") -> tuple[Tree, str]:
    """Articles fitted to the word after them, quotes and apostrophes of one style.

    Returns:
        The tree and its first form.
    """
    right = []
    after = following
    for relation, child in reversed(tree.right):
        if child.form == "'s" and tree.form.endswith("s") and tree.upos == "NOUN":
            child = replace(child, form="'")
        done, after = _restyle(child, curly, opening, closing, after)
        right.append((relation, done))
    form = tree.form
    if form in ("a", "an"):
        form = "an" if after[:1].lower() in tuple("aeiou") and after[:3] not in ("one", "uni", "Eur") else "a"
    if form == '"':
        form = opening if tree.opens else closing
    elif curly:
        form = form.replace("'", "’")
    before, left = form, []
    for relation, child in reversed(tree.left):
        done, before = _restyle(child, curly, opening, closing, before)
        left.append((relation, done))
    return replace(tree, form=form.replace("_", " "), left=tuple(reversed(left)), right=tuple(reversed(right))), before


def inflect(name: str, entry: str) -> str:
    """An entry of a list with its regular forms added."""
    if ":" in entry or name not in (*_NOUNS, *_VERBS):
        return entry
    if name in _NOUNS:
        return f"{entry}:{_plural(entry)}"
    stem = entry.removesuffix("e") if entry.endswith("e") and not entry.endswith("ee") else entry
    return f"{entry}:{_plural(entry)}:{stem}ing:{stem}ed"


def _plural(word: str) -> str:
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
