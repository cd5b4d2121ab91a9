"""Chinese generic sentences: [group][attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.paths import resource
from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

GRAMMAR = read_grammar(
    resource("parsers", "grammar", "zh.txt").read_text(encoding="utf-8"), {"featureverbs": "Verb Object"}
)


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not."""
    style = lex.one_of("“”", "“”", "「」", "《》", '""')
    half = lex.chance(0.08)
    return _restyle(GRAMMAR.derive(lex), style, half)


def _restyle(tree: Tree, quotes: str, half: bool) -> Tree:
    """The quotes of one style, and commas and brackets of half width if ``half``."""
    form = {"“": quotes[0], "”": quotes[1]}.get(tree.form, tree.form)
    form = {"，": ",", "（": "(", "）": ")", "？": "?", "！": "!"}.get(form, form) if half else form
    left = tuple((relation, _restyle(child, quotes, half)) for relation, child in tree.left)
    right = tuple((relation, _restyle(child, quotes, half)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def inflect(name: str, entry: str) -> str:
    """The entry as it is."""
    return entry
