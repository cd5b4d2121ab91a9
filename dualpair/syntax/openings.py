"""Words that open a sentence and belong to no subject, whatever a parser hangs them on.

Two sentences of a set are often misparsed alike ("However women | talk", "However men | talk"), so that equal
attributes prove nothing. The lists are short: what is rejected by them is surely no group. Words that may be part
of one ("only", "mentally", "always") are not in them.
"""

from __future__ import annotations

import re
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
        "порой|если|когда|хотя|пока|в среднем|в основном|в общем|в целом"
    ),
    "zh": _phrases(
        "通常|有时|有时候|然而|但是|不过|显然|当然|也许|或许|大概|可能|今天|现在|如今|当今|往往|如果|虽然|因为|尽管|即使|为了|据说|听说|其实|"
        "一般来说|总的来说|总之|事实上|难道|莫非|是不是|能不能|会不会|该不该|要不要|应不应该|为什么|凭什么|千万|不要|切勿|除了|由于|随着|自从|"
        "每逢|每到|每当|总有|总是有|没有人|一到"
    ),
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

MAY_OPEN: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": frozenset({"so"}), "es": frozenset({"hasta"}), "ru": frozenset({"как", "так"}),
})  # fmt: skip
"""Conjunctions and prepositions that may begin a group: "so-called", "hasta los niños", "как мужчины"."""

QUANTITIES: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": frozenset({"half", "third", "thirds", "quarter", "quarters", "percent", "%"}),
    "es": frozenset({"mitad", "tercio", "tercios", "cuarto", "%"}),
})  # fmt: skip
"""Nouns that count as numbers behind a preposition that begins a group: "over half of the men"."""

NAMING = MappingProxyType({"en": frozenset({"named", "called", "nicknamed"})})
"""Passive participles that have a name behind them, which parsers take for an object: "boys named Kevin"."""

NOMINALISERS: Mapping[str, frozenset[str]] = MappingProxyType({"zh": frozenset({"的"})})
"""Particles that make a noun phrase of the clause before them, whatever the parser calls them: 有孩子的."""

_PLACES = "地方|国家|城市|学校|公司|班里|村里|门口|世界上|世上|社会上|街上"
FRONTED: Mapping[str, re.Pattern[str]] = MappingProxyType({
    "zh": re.compile(
        r"(?:对于?|在|从|跟|就|拿|作为).{1,14}(?:来说|而言|来讲|看来|眼里|眼中|心中|心里|当中|中|里|上|下)，"
        r"|[^，的]{1,12}(?:的时候|之后|以后|之前|以前|时|后)，"
        rf"|(?:有些|很多|许多|每个|这些|那些|所有)?(?:{_PLACES})[里上]?(?:总|都)?(?:有|没有|站着|住着|坐着)"
        r"|有(?:很多|许多|不少|几个|一些(?!人)|一种|一群|一个|一类|这么|那么|[两二三四五几][个种群位])"
    )
})  # fmt: skip
"""Fronted phrases and sentences that say what there is, by their wording, where words are not written apart."""

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


def begins_no_group(text: str, lang: str) -> str:
    """The wording with which a text without spaces begins and which begins no group; empty if there is none.

    The words of a parser may run over its edge (千万不要 as one), so that the text is looked at.
    """
    base = _base(lang)
    found = next((phrase[0] for phrase in NEVER.get(base, ()) if text.startswith(phrase[0])), "")
    match = FRONTED[base].match(text) if base in FRONTED else None
    return found or (match.group() if match else "")


def is_nominaliser(form: str, lang: str) -> bool:
    """Whether a particle makes a noun phrase of what stands before it."""
    return form in NOMINALISERS.get(_base(lang), frozenset())


def is_quantity(form: str, lang: str) -> bool:
    """Whether a noun counts as a number."""
    return form.casefold() in QUANTITIES.get(_base(lang), frozenset())


def has_name(form: str, lang: str) -> bool:
    """Whether a passive participle has a name, not an object, behind it."""
    return form.casefold() in NAMING.get(_base(lang), frozenset())


def may_open_group(form: str, lang: str) -> bool:
    """Whether a group may begin with this preposition or conjunction."""
    return form.casefold() in MAY_OPEN.get(_base(lang), frozenset())


def needs_adjective(form: str, lang: str) -> bool:
    """Whether a word is an adverb that a noun cannot have."""
    return form.casefold() in NOT_OF_NOUNS.get(_base(lang), frozenset())


def _base(lang: str) -> str:
    return lang.partition("-")[0]
