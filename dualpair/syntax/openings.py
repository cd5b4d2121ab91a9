"""Words that open a sentence and belong to no subject, whatever a parser hangs them on.

Two sentences of a set are often misparsed alike ("However women | talk", "However men | talk"), so that equal
attributes prove nothing. The lists are short: what is rejected by them is surely no group. Words that may be part
of one ("only", "mentally", "always") are not in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split("|"))


NEVER: Mapping[str, tuple[tuple[str, ...], ...]] = MappingProxyType({
    "en": _phrases(
        "however|usually|sometimes|obviously|generally|normally|often|suddenly|maybe|perhaps|unfortunately|apparently|"
        "moreover|furthermore|therefore|nowadays|today|meanwhile|nevertheless|occasionally|when|if|because|although|"
        "unless|whereas|due to|because of|according to|it is|it was|there is|there are"
    ),
    "es": _phrases(
        "sin embargo|normalmente|generalmente|usualmente|obviamente|además|quizás|quizá|hoy|actualmente|"
        "desafortunadamente|probablemente|a veces|a menudo|tal vez|por lo general|en general|si|cuando|aunque|porque"
    ),
    "ru": _phrases(
        "однако|обычно|иногда|часто|конечно|очевидно|наверное|возможно|сегодня|вообще|например|кстати|поэтому|теперь|"
        "порой|если|когда|хотя|пока"
    ),
    "zh": _phrases("通常|有时|有时候|然而|但是|显然|当然|也许|今天|现在|往往|如果|虽然|因为"),
    "de": _phrases("jedoch|meistens|manchmal|normalerweise|gewöhnlich|offensichtlich|vielleicht|leider|heute|oft"),
    "fr": _phrases("cependant|souvent|parfois|généralement|normalement|évidemment|malheureusement|aujourd'hui|quand"),
    "it": _phrases("tuttavia|spesso|talvolta|generalmente|normalmente|ovviamente|forse|oggi|purtroppo|se|quando"),
    "nl": _phrases("echter|meestal|soms|gewoonlijk|misschien|vandaag|helaas|vaak|als|omdat"),
    "pt": _phrases("porém|frequentemente|geralmente|normalmente|obviamente|talvez|hoje|infelizmente|às vezes|quando"),
})  # fmt: skip
"""Adverbs, conjunctions and the like of each language, case-folded; several words a tuple."""

NOT_OF_NOUNS: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": frozenset({"historically", "traditionally", "statistically", "typically", "naturally", "politically"}),
    "es": frozenset({"históricamente", "tradicionalmente", "típicamente", "naturalmente"}),
})  # fmt: skip
"""Adverbs that may begin a group before an adjective ("historically poor regions"), but not before a mere noun."""

MAY_OPEN: Mapping[str, frozenset[str]] = MappingProxyType({"en": frozenset({"so"}), "ru": frozenset({"как", "так"})})
"""Conjunctions and prepositions that may begin a group: "so-called", "как мужчины, так и женщины"."""

BARE_RELATIVES = frozenset({"ar"})
"""Languages in which a finite clause modifies a noun with nothing to introduce it."""

PASSIVE_PARTICIPLES = frozenset({"en"})
"""Languages in which a past participle after a noun is passive, so that it has no direct object of its own."""


def opens_no_group(forms: Sequence[str], lang: str) -> str:
    """The phrase with which the words begin and which begins no group; empty if there is none."""
    own = tuple(form.casefold() for form in forms[:3])
    found = next((phrase for phrase in NEVER.get(_base(lang), ()) if own[: len(phrase)] == phrase), ())
    if own[len(found) : len(found) + 1] in (("'s",), ("’s",)):  # today's youth
        return ""
    return " ".join(found)


def may_open_group(form: str, lang: str) -> bool:
    """Whether a group may begin with this preposition or conjunction."""
    return form.casefold() in MAY_OPEN.get(_base(lang), frozenset())


def needs_adjective(form: str, lang: str) -> bool:
    """Whether a word is an adverb that a noun cannot have."""
    return form.casefold() in NOT_OF_NOUNS.get(_base(lang), frozenset())


def _base(lang: str) -> str:
    return lang.partition("-")[0]
