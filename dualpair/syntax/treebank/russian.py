"""Russian generic sentences: [group] [attribute], with the trees that UD gives them."""

from __future__ import annotations

from dataclasses import replace

from dualpair.paths import resource
from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.rules import read_grammar
from dualpair.syntax.treebank.trees import Tree

_NOUNS = ("people", "coll", "things", "mass", "place", "with", "roles")
_ADJECTIVES = ("adj", "groupadj")
_VERBS = ("vi", "vt", "vdat", "vins", "vinf", "vpp", "vthat")
_PARTS = (
    dict.fromkeys(_NOUNS, "Sing Plur GenPl DatPl AccPl InsPl LocPl GenSg AccSg InsSg LocSg")
    | dict.fromkeys(
        _ADJECTIVES,
        "Masc Fem Neut Plur GenPl DatPl InsPl LocPl GenMasc GenFem Short Cmp LocMasc AccFem ShortFem",
    )
    | dict.fromkeys(_VERBS, "Inf Plur Sing Past Imp Part Conv PastMasc PastFem")
)

GRAMMAR = read_grammar(resource("parsers", "grammar", "ru.txt").read_text(encoding="utf-8"), _PARTS)

_VOWELS = "аеёиоуыэюя"
_QUOTES = ("«\t»", "«\t»", "“\t”", '"\t"')


def sentence(lex: Lexicon) -> Tree:
    """One random sentence; most have a noun phrase first, some do not. In half of them ё is written as е."""
    opening, closing = lex.one_of(*_QUOTES).split("\t")
    return _restyle(GRAMMAR.derive(lex), opening, closing, lex.chance(0.4))


def _restyle(tree: Tree, opening: str, closing: str, plain: bool) -> Tree:
    """The quotes of one style; ё as е if ``plain``."""
    form = tree.form.replace("_", " ")
    if form == '"':
        form = opening if tree.opens else closing
    form = form.replace("ё", "е") if plain else form
    left = tuple((relation, _restyle(child, opening, closing, plain)) for relation, child in tree.left)
    right = tuple((relation, _restyle(child, opening, closing, plain)) for relation, child in tree.right)
    return replace(tree, form=form, left=left, right=right)


def inflect(name: str, entry: str) -> str:
    """The entry with the forms that follow from its others.

    Adjectives: locative masculine, accusative feminine, short feminine. Verbs: past masculine and feminine.
    """
    forms = entry.split(":")
    if name in _ADJECTIVES:
        feminine, genitive, short = forms[1], forms[8], forms[10]
        masculine = genitive[:-3] + ("ом" if genitive.endswith("ого") else "ем")
        accusative = feminine[:-2] + ("ую" if feminine.endswith("ая") else "юю")
        forms += [masculine, accusative, short[:-1] + "а"]
    elif name in _VERBS:
        past = forms[3]
        stem, ending = (past[:-3], "ся") if past.endswith("сь") else (past[:-1], "")
        # "пекли", "мёрзли": the masculine has no л after a consonant.
        bare = stem[:-1] if stem[-2] not in _VOWELS else stem
        forms += [bare + ending, stem + ("ась" if ending else "а")]
    return ":".join(forms)
