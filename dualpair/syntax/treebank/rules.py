"""A notation for dependency grammars: rules that rewrite a symbol into its head and the head's dependents.

A grammar is a text of rules, one a line, further alternatives on lines that begin with ``|``::

    NP(n) = det>the/DET/Art?40 amod>$adj/ADJ?30 *N({n})
    | 2# *N({n}) nmod>PP
    N(n) = *$people.{n}/NOUN/{n}

An item is ``*`` (the head) or ``relation>`` (a dependent), then one of: a symbol, with arguments in parentheses; a word
``form/UPOS/features``; a lexicon slot ``$list.part/UPOS/features``. ``~`` separates forms to choose from, ``+`` lists
and features; features are given by their values (``Plur`` is ``Number=Plur``), and the last part counts for all lists
that have it. ``_`` before a form stands for "no space before", after it for "no space after". ``?40`` makes an item
occur in 40 of 100 cases, ``3#`` makes an alternative three times as likely. Parameters of a rule are filled in where
they stand in braces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.trees import Tree

_VALUES = {
    "Number": "Sing Plur",
    "Case": "Nom Gen Dat Acc Ins Loc",
    "Gender": "Masc Fem Neut",
    "VerbForm": "Fin Inf Part Ger Conv",
    "Mood": "Imp",
    "PronType": "Rel Art Ind Dem Prs Int Tot Neg",
    "Degree": "Pos Cmp Sup",
    "Variant": "Short",
    "Tense": "Pres Past Fut",
    "Voice": "Pass",
    "NumType": "Card",
    "Poss": "Yes",
}
_NAME_OF = {value: name for name, values in _VALUES.items() for value in values.split()}
_RULE = re.compile(r"(?P<name>[A-Z]\w*)(?:\((?P<params>[^)]*)\))?\s*=\s*(?P<rest>.*)")
_ITEM = re.compile(r"(?:(?P<relation>[a-z:]+)>|\*)(?P<what>\S+?)(?:\?(?P<chance>\d+))?")
_CALL = re.compile(r"(?P<name>[A-Z]\w*)(?:\((?P<args>[^)]*)\))?")
_CONTINUED = re.compile(r"\\\n\s*")
_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Item:
    """The head (an empty relation) or a dependent of a rule, and the share of cases in which it occurs (0 to 1)."""

    relation: str
    what: str
    chance: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A symbol's parameters and its alternatives, each with its weight."""

    params: tuple[str, ...]
    weights: tuple[float, ...]
    alternatives: tuple[tuple[Item, ...], ...]


@dataclass(frozen=True)
class Grammar:
    """Rules by symbol and, for lexicon lists, the names of an entry's parts (by a beginning of the name).

    Slots without a part take the last one.
    """

    rules: Mapping[str, Rule]
    parts: Mapping[str, Sequence[str]]

    def derive(self, lex: Lexicon, symbol: str = "S") -> Tree:
        """A random tree of the symbol.

        Raises:
            ValueError: if the rules name an unknown symbol, list or part, or do not come to an end.
        """
        return self._expand(lex, symbol, {}, 0)

    def _expand(self, lex: Lexicon, what: str, values: Mapping[str, str], depth: int) -> Tree:
        for name, value in values.items():
            what = what.replace("{" + name + "}", value)
        call = _CALL.fullmatch(what)
        if not call:
            return self._word(lex, what)
        if call["name"] not in self.rules or depth > _DEPTH:
            raise ValueError(f"treebank grammar: {what!r} is unknown or does not come to an end")
        rule = self.rules[call["name"]]
        inner = dict(zip(rule.params, (call["args"] or "").split(","), strict=bool(rule.params)))
        (items,) = lex.rng.choices(rule.alternatives, rule.weights)
        present = [item for item in items if item.chance >= 1 or lex.chance(item.chance)]
        at = next(i for i, item in enumerate(present) if not item.relation)
        tree = self._expand(lex, present[at].what, inner, depth + 1)
        for item in reversed(present[:at]):
            tree = tree.before(item.relation, self._expand(lex, item.what, inner, depth + 1))
        for item in present[at + 1 :]:
            tree = tree.after(item.relation, self._expand(lex, item.what, inner, depth + 1))
        return tree

    def _word(self, lex: Lexicon, what: str) -> Tree:
        source, upos, *values = what.rsplit("/", what.count("/") if not what.startswith("/") else 1)
        feats = features(values[0].split("+")) if values else "_"
        if source.startswith("$"):
            name, _, part = lex.one_of(*source[1:].split("+")).partition(".")
            entry = lex.draw(name)
            form = entry[self._part(name, part or source.rpartition(".")[2], bool(part))]
            return Tree(form, entry[0], upos, feats)
        form = lex.one_of(*source.split("~"))
        glued, opens = form.startswith("_") and len(form) > 1, form.endswith("_") and len(form) > 1
        form = form[glued : len(form) - opens]
        return Tree(form, form, upos, feats, glued=glued, opens=opens)

    def _part(self, name: str, part: str, own: bool) -> int:
        """Position of the part; a slot's last part counts for all its lists that have it."""
        prefix = max((key for key in self.parts if name.startswith(key)), key=len, default="")
        known = self.parts.get(prefix, ())
        if own and part not in known:
            raise ValueError(f"treebank grammar: list {name!r} has no part {part!r}")
        return known.index(part) if part in known else -1


def features(values: Sequence[str]) -> str:
    """The UD feature column of some values.

    Raises:
        ValueError: if a value is unknown.
    """
    unknown = [value for value in values if value not in _NAME_OF]
    if unknown:
        raise ValueError(f"treebank grammar: unknown feature values {unknown}")
    return "|".join(sorted(f"{_NAME_OF[value]}={value}" for value in values))


def read_grammar(text: str, parts: Mapping[str, str]) -> Grammar:
    """Read a grammar.

    Args:
        text: the rules; empty lines and lines that begin with ``//`` are skipped, and a backslash at a line's end joins
            it with the next.
        parts: names of the parts of a list's entries, separated by spaces, by list name or its beginning.

    Raises:
        ValueError: if a line is no rule, an item cannot be read, or an alternative has not exactly one head.
    """
    found: dict[str, tuple[tuple[str, ...], list[float], list[tuple[Item, ...]]]] = {}
    current = ""
    for line in (raw.strip() for raw in _CONTINUED.sub("", text).splitlines()):
        if not line or line.startswith("//"):
            continue
        rest = line[1:].strip()
        if not line.startswith("|"):
            rule = _RULE.fullmatch(line)
            if not rule:
                raise ValueError(f"treebank grammar: no rule: {line!r}")
            current, rest = rule["name"], rule["rest"]
            params = tuple((rule["params"] or "").split(",")) if rule["params"] else ()
            found.setdefault(current, (params, [], []))
        weight, items = _alternative(rest)
        found[current][1].append(weight)
        found[current][2].append(items)
    rules = {name: Rule(params, tuple(weights), tuple(items)) for name, (params, weights, items) in found.items()}
    return Grammar(rules, {name: tuple(names.split()) for name, names in parts.items()})


def _alternative(text: str) -> tuple[float, tuple[Item, ...]]:
    weight, mark, rest = text.partition("# ")
    items = []
    for piece in (rest if mark else text).split():
        item = _ITEM.fullmatch(piece)
        if not item:
            raise ValueError(f"treebank grammar: no item: {piece!r} in {text!r}")
        items.append(Item(item["relation"] or "", item["what"], int(item["chance"] or 100) / 100))
    if [item.relation for item in items].count("") != 1:
        raise ValueError(f"treebank grammar: exactly one head is needed: {text!r}")
    return (float(weight) if mark else 1.0), tuple(items)
