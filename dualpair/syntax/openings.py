"""Words that open a sentence and belong to no subject, whatever a parser hangs them on.

Two sentences of a set are often misparsed alike ("However women | talk", "However men | talk"), so that equal
attributes prove nothing. The lists are short: what is rejected by them is surely no group. Words that may be part
of one ("only", "mentally", "always") are not in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


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
    "en": frozenset({"so"}), "es": frozenset({"hasta", "tanto"}), "ru": frozenset({"как", "так"}),
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
        r"|[^，的]{1,12}(?:的时候|之后|以后|之前|以前|时|后)，|[^，的]{1,12}的时候"
        rf"|(?:有些|很多|许多|每个|这些|那些|所有)?(?:{_PLACES})[里上]?(?:总|都)?(?:有|没有|站着|住着|坐着)"
        r"|[^，的]{1,6}[上里口外下旁边](?:总|都|到处)?(?:坐|站|住|躺|围|挤|挂|摆|停|蹲)(?:着|满|了)"
        r"|有(?:很多|许多|不少|几个|一些(?!人)|一种|一群|一个|一类|这么|那么|[两二三四五几][个种群位])"
    )
})  # fmt: skip
"""Fronted phrases and sentences that say what there is, by their wording, where words are not written apart."""

_TIMES = (
    "周末|平时|平日|冬天|夏天|春天|秋天|晚上|早上|早晨|夜里|半夜|深夜|白天|过年|春节|中秋|节假日|假期|上班时|下班后"
)
NO_GROUPS: Mapping[str, re.Pattern[str]] = MappingProxyType({
    "zh": re.compile(rf"(?:{_TIMES})[^的]+|.*(?<![以之])上|.*(?<!邻)里")
})  # fmt: skip
"""Wording of what parsers take for a subject and is a time with the subject behind it, or a place (街上, 班里)."""

CLITICS: Mapping[str, frozenset[str]] = MappingProxyType({"es": frozenset({"lo", "la", "los", "las"})})
"""Object pronouns before a verb that take up an object which stands first: "las tareas | las hace la mujer"."""

OF_A_GROUP: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": frozenset({"we", "you", "us"}), "es": frozenset({"nosotros", "nosotras", "vosotros", "vosotras", "ustedes"}),
    "ru": frozenset({"мы", "вы"}),
})  # fmt: skip
"""Pronouns that a noun may follow as one subject: "we Londoners"."""

SUBJECT_BEFORE_VERB = frozenset({"en"})
"""Languages in which an object that comes first has the subject behind it, before the verb: "housework, men hate"."""

NEGATED: Mapping[str, tuple[frozenset[str], frozenset[str]]] = MappingProxyType({
    "en": (frozenset({"not"}), _words("all|every|everyone|everybody|many|only|even|just")),
    "es": (frozenset({"no"}), _words("todo|toda|todos|todas|solo|sólo|muchos|muchas|cualquier")),
    "zh": (_words("不是|并非|并不是"), _words("所有|每个|每位|任何|谁|人人|全部")),
    "ru": (frozenset({"не"}), _words("все|всякий|всякая|каждый|каждая|только|многие")),
})  # fmt: skip
"""Negations and the words behind them that they belong to: "not all"."""

TITLES: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": _words("mr|mr.|mrs|mrs.|ms|ms.|miss|dr|dr.|aunt|auntie|uncle|doctor|professor|grandma|grandpa|king|queen"),
    "es": _words("don|doña|sr.|sra.|dr.|dra.|tío|tía|señor|señora"),
    "ru": _words("тётя|дядя|бабушка|дедушка|господин|госпожа|доктор|профессор"),
})  # fmt: skip
"""Words before a name that are one subject with it."""

_ADVERBS: Mapping[str, frozenset[str]] = MappingProxyType({
    "en": _words("all|always|never|often|usually|rarely|seldom|sometimes|even|still|also|hardly|generally"),
    "es": _words("siempre|nunca|jamás|también|tampoco|casi|todavía|aún|solo|apenas|normalmente|generalmente"),
    "ru": _words("даже|всегда|никогда|часто|обычно|тоже|лишь|только|редко|почти|иногда|вечно|постоянно"),
    "zh": _words(
        "现在|如今|平时|彼此|个个|人人|样样|处处|天天|顿顿|从小|从来|一向|到处|张口闭口|大多|多半|往往|通常|"
        "一般|常常|经常|总是|都|也|就|才|从不|偶尔|有时|其实|真的|确实|得"
    ),
})  # fmt: skip
_PARENTHESES: Mapping[str, tuple[tuple[str, ...], ...]] = MappingProxyType({
    "en": _phrases(
        "in my experience|in general|on the whole|on average|as a rule|in fact|of course|for example|after all|"
        "in my opinion"
    ),
    "es": _phrases(
        "por lo general|en general|en mi experiencia|sin duda|por supuesto|en el fondo|por ejemplo|en mi opinión|"
        "de hecho"
    ),
    "ru": _phrases(
        "как правило|в общем|в целом|в основном|по-моему|на мой взгляд|как известно|к сожалению|кстати"
    ),
})  # fmt: skip
# Behind a comma, and a comma behind them, that is left out here: the group keeps the one written to it.

_SURNAMES = (
    "[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛"
    "叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔"
    "贺赖龚文]"
)
_TITLES = (
    "大爷|大妈|阿姨|大婶|大娘|大叔|大伯|大哥|大姐|奶奶|爷爷|叔叔|伯伯|老师|师傅|医生|大夫|"
    "先生|太太|女士|小姐|经理|主任|同学|老板|[姐哥婶叔嫂姨伯爷]|护士|教练|校长|警官|教授|律师"
)
SAME: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = MappingProxyType({
    "zh": (
        re.compile(
            rf"{_SURNAMES}(?:{_TITLES})|[小老阿]{_SURNAMES}"
            "|这(?:个|种|类|一)?(?:群体|职业|行业|人群|行当|阶层|民族|代人|辈人)"
        ),
        re.compile(r"[这那](?:一)?(?:代|辈|行|群|帮|些|拨|伙|批)人?.{0,3}|[几两三四五](?:个|位|口子)|俩|仨"),
    )
})  # fmt: skip
"""What names the subject before it once more: a name, "this group"; and, after a pronoun, "this generation"."""

GLUED: Mapping[str, re.Pattern[str]] = MappingProxyType({
    "zh": re.compile(r"(?<=..)(?:(?<![工社协教晚大议国公商宴聚机舞])(?<!委员|董事|理事)会|[也很最没])$")
})  # fmt: skip
"""A character at the end of a supposed group that a tokenizer joined to its noun, and that begins a predicate."""

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


def adverbs_at_end(forms: Sequence[str], lang: str) -> int:
    """How many words at the end of a supposed group are an adverb of the predicate or a parenthesis.

    A parenthesis stands behind a comma ("men, in my experience, ..."), with or without the comma that closes it. The
    first word of a group is never counted.
    """
    base, own = _base(lang), [form.casefold() for form in forms]
    closed = len(own) - (own[-1:] == [","])
    for phrase in _PARENTHESES.get(base, ()):
        start = closed - len(phrase)
        if start > 1 and own[start - 1] == "," and tuple(own[start:closed]) == phrase:
            return len(own) - start
    return int(len(own) > 1 and own[-1] in _ADVERBS.get(base, frozenset()))


def glued_at_end(group: str, lang: str) -> int:
    """How many characters at the end of a supposed group begin the predicate: 同学会 before 骑马."""
    pattern = GLUED.get(_base(lang))
    return int(bool(pattern and pattern.search(group)))


def is_negated(forms: Sequence[str], lang: str) -> bool:
    """Whether words begin with a negation and a quantifier that it belongs to."""
    negations, quantifiers = NEGATED.get(_base(lang), (frozenset(), frozenset()))
    first, second, third = [*(form.casefold() for form in forms[:3]), "", "", ""][:3]
    # 不是 may be two words.
    return (first in negations and second in quantifiers) or (first + second in negations and third in quantifiers)


def is_title(form: str, lang: str) -> bool:
    """Whether a word is one subject with the name behind it."""
    return form.casefold() in TITLES.get(_base(lang), frozenset())


def names_the_same(text: str, after_pronoun: bool, lang: str) -> bool:
    """Whether a second subject, written without spaces, names the first one once more."""
    patterns = SAME.get(_base(lang))
    if patterns is None:
        return False
    return bool(patterns[0].fullmatch(text) or (after_pronoun and patterns[1].fullmatch(text)))


def is_place_of_these(before: str, text: str, lang: str) -> bool:
    """Whether a place has "these" or "that" people behind it: 三楼那些会计."""
    return _base(lang) == "zh" and bool(re.search("[里上下楼家班边旁村]$|隔壁$|对面$", before)) and text[0] in "那这"


def is_surname(form: str, lang: str) -> bool:
    """Whether a word is a surname that is written before the given name."""
    return _base(lang) == "zh" and bool(re.fullmatch(_SURNAMES, form))


def is_no_group(group: str, lang: str) -> bool:
    """Whether the wording of a supposed group is that of a time or a place."""
    pattern = NO_GROUPS.get(_base(lang))
    return bool(pattern and pattern.fullmatch(group))


def takes_up(form: str, noun: str, lang: str) -> bool:
    """Whether a word is an object pronoun that may stand for a noun at the beginning: both plural, or neither."""
    known = form.casefold() in CLITICS.get(_base(lang), frozenset())
    return known and form.casefold().endswith("s") == noun.casefold().endswith("s")


def takes_noun(form: str, lang: str) -> bool:
    """Whether a noun may follow the pronoun as one subject with it."""
    return form.casefold() in OF_A_GROUP.get(_base(lang), frozenset())


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
