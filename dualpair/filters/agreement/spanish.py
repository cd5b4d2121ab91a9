"""Spanish: number of the verb; number and gender of adjectives, participles and person nouns behind a copula."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from dualpair.filters.agreement import data, spanish_phrases
from dualpair.filters.agreement.clause import (
    FEM,
    MASC,
    NUMBER,
    PLUR,
    SING,
    Clause,
    Features,
    differ,
    finite_verb,
    skip,
    stands_alone,
)

LISTS = (
    "plural_masculine", "plural_feminine", "singular_masculine", "singular_feminine", "plural_words", "singular_words",
    "quantities", "epicene", "copulas", "linking", "reflexive_linking", "before_copula", "adverbs", "no_gender",
    "no_number", "irregular_participles", "before_noun", "companions", "adjectives",
)  # fmt: skip
_AND, _OR = ("y", "e"), ("o", "u", "ni")
_INSIDE = ("de", "del", "que", "con", "sin", "en", "a", "al", "para", "por", "quien", "quienes", "sobre", "entre", ",")
_STRONG_PAST = ("fue", "hizo", "dijo", "tuvo", "pudo", "puso", "vino", "quiso", "supo", "estuvo", "anduvo", "trajo")
_SUFFIXES = ("oso", "osa", "ivo", "iva", "ado", "ada", "ido", "ida", "ico", "ica", "ble", "ísimo", "ísima")
_PARTICIPLES = ("ado", "ada", "ído", "ída", "ido", "ida", "ísimo", "ísima")
_COMMON = ("ista", "ita", "cida", "crata", "cola", "ota")  # one form for both genders
_CLITICS = ("le", "les", "me", "te", "nos", "os")


def findings(parsed: Clause) -> list[str]:
    """Disagreements of the predicate with the group, and of words of quantity with their nouns."""
    found = spanish_phrases.findings(parsed)
    head = _group(parsed)
    verb = finite_verb(parsed)
    if verb < 0 or not (head.number or head.gender):
        return found
    number = _verb_number(parsed, verb)
    if head.number and number and number != head.number:
        found.append(NUMBER)
    natural = not _words()["epicene"] & set(parsed.group)
    for word in _predicate(parsed, verb, natural):
        found += differ(head, word)
    return found


def _words() -> data.Words:
    return data.read("es", LISTS)


def _plural(word: str) -> str:
    if word.endswith("z"):
        return word[:-1] + "ces"
    return word + ("s" if word[-1] in "aeioué" else "es")


# --- the group --------------------------------------------------------------------------------------------------------


def _group(parsed: Clause) -> Features:
    """Number and gender by the group's first determiner, else by a noun of the lexicon."""
    words = _words()
    core = list(parsed.group)
    for at, form in enumerate(core):
        if form in _INSIDE and at > 0:
            core = core[:at]
            break
    while core and (core[0] in words["adverbs"] or core[0] in "¿¡«\"'“"):
        core = core[1:]
    if not core or words["quantities"] & set(core) or set(core) & set(_OR) or any(c.isdigit() for c in "".join(core)):
        return Features()
    own = _determined(core)
    if set(core) & set(_AND):
        return _joined(core)
    return own


def _determiner(form: str) -> Features:
    words = _words()
    for name in ("plural_masculine", "plural_feminine", "singular_masculine", "singular_feminine"):
        if form in words[name]:
            return Features(PLUR if name.startswith("plural") else SING, MASC if name.endswith("masculine") else FEM)
    if form in words["plural_words"] or form in words["singular_words"]:
        return Features(PLUR if form in words["plural_words"] else SING)
    return Features()


def _determined(core: list[str]) -> Features:
    first = _determiner(core[0])
    if first.gender:
        # "el águila" is feminine
        unsure = core[0] in ("el", "un", "algún", "ningún") and core[1:] and core[1].startswith(("a", "á", "ha", "há"))
        return Features(first.number, "") if unsure and _noun(core[1]).gender != MASC else first
    noun = next((found for form in core if (found := _noun(form)).gender), Features())
    return Features(first.number or noun.number, noun.gender)


def _joined(core: list[str]) -> Features:
    """Several heads: plural if the first determiner is, or there are two; feminine only if all heads are."""
    number = (
        PLUR if _determined(core).number == PLUR or sum(bool(_determiner(form).number) for form in core) > 1 else ""
    )
    genders = {_determiner(form).gender or _noun(form).gender for form in core} - {""}
    parts = sum(bool(_determiner(form).gender) for form in core)
    if MASC in genders:
        return Features(number, MASC)
    return Features(number, FEM if parts > 1 else "")


@functools.cache
def _people() -> dict[str, Features]:
    """Nouns for people whose form tells the gender, with their number and gender."""
    found: dict[str, Features] = {}
    ambiguous = set()
    for name, gender in (("peopleMasc", MASC), ("peopleFem", FEM)):
        for entry in data.lexicon("es", name):
            for form, number in ((entry[0], SING), (entry[1] if len(entry) > 1 else _plural(entry[0]), PLUR)):
                if found.get(form, Features(number, gender)) != Features(number, gender):
                    ambiguous.add(form)
                found[form] = Features(number, gender)
    return {form: own for form, own in found.items() if form not in ambiguous and _other(form)}


def _other(form: str) -> bool:
    """Whether a form's ending belongs to one gender."""
    return form.endswith(("o", "os", "a", "as", "or", "ores", "ón", "ones", "ín", "ines", "és", "eses", "án", "anes",
                          "bre", "bres", "jer", "jeres", "dre", "dres", "és", "ñol", "ñoles"))  # fmt: skip


def _noun(form: str) -> Features:
    return _people().get(form, Features())


# --- the verb ---------------------------------------------------------------------------------------------------------


def _verb_number(parsed: Clause, verb: int) -> str:
    """Number of a finite verb of the third person; nothing after "les" ("les gusta"), whose subject may follow."""
    if any(parsed.form(i) in _CLITICS for i in parsed.between(0, verb)):
        return ""
    form = parsed.form(verb)
    if form in ("es", "está", "ha", "va", "da", "ve", *_STRONG_PAST):
        return SING
    if form.endswith("n"):
        return PLUR
    if form in ("hay", "nada") or (form.endswith(("ada", "ida", "ta", "ra", "se")) and parsed.tag(verb) != "AUX"):
        return SING if form in _third() else ""
    return SING if form.endswith(("a", "e", "á", "é", "ó")) and len(form) > 2 else ""


@functools.cache
def _third() -> frozenset[str]:
    """Third person singular of the lexicon's verbs, and those in -nta, -era and the like that are no participles."""
    forms = set()
    for entry in data.lexicon("es", "vi", "vt", "vdual", "vlook", "vde", "vthat"):
        forms.add(entry[2] if len(entry) > 3 else entry[0][:-2] + ("a" if entry[0].endswith("ar") else "e"))
    return frozenset(forms)


# --- the predicate ----------------------------------------------------------------------------------------------------


def _predicate(parsed: Clause, verb: int, natural: bool) -> Iterator[Features]:
    """Number and gender of the words that must agree: behind the copula, or "juntos" behind another verb."""
    words = _words()
    at = _copula(parsed, verb)
    if at < 0:
        after = skip(parsed, verb + 1, words["adverbs"])
        if parsed.form(after) in words["companions"] and after + 1 >= len(parsed.words) - 1:
            yield _ending(parsed.form(after))
        return
    linking = parsed.form(at) not in words["copulas"]
    at = skip(parsed, at + 1, words["adverbs"])
    if parsed.form(at) in ("todos", "todas"):
        yield _ending(parsed.form(at))
        at = skip(parsed, at + 1, words["adverbs"])
    if parsed.form(at) in ("los", "las", "el", "la"):
        yield from _superlative(parsed, at)
        return
    if parsed.form(at) in ("un", "una", "unos", "unas"):
        yield from _nominalised(parsed, at, natural)
        return
    yield from _listed(parsed, at, natural, linking)


def _copula(parsed: Clause, verb: int) -> int:
    """The copula of the predicate, which may follow another verb: "suelen ser", "han sido"; -1 if there is none."""
    words = _words()
    reflexive = any(parsed.form(i) == "se" for i in parsed.between(0, verb))
    links = words["linking"] | (words["reflexive_linking"] if reflexive else frozenset())
    at = verb
    while at < len(parsed.words):
        form = parsed.form(at)
        following = parsed.form(skip(parsed, at + 1, words["adverbs"]))
        if form in words["copulas"] and following not in words["copulas"]:
            return at
        if form in links and following not in (*words["copulas"], "a", "de", "que"):
            return at
        if form not in words["before_copula"] | words["adverbs"] | words["copulas"] | words["linking"]:
            return -1
        at += 1
    return -1


def _listed(parsed: Clause, at: int, natural: bool, linking: bool) -> Iterator[Features]:
    """An adjective, and those joined to it: "listas y muy trabajadoras"."""
    words = _words()
    if parsed.form(at).startswith("considerad"):  # "son consideradas frágiles": the participle agrees in any case
        yield _ending(parsed.form(at))
        at = skip(parsed, at + 1, words["adverbs"])
    while at < len(parsed.words):
        if not stands_alone(parsed, at) or (parsed.form(at) in words["before_noun"] and parsed.tag(at) != "ADJ"):
            return
        joined = parsed.form(at + 1) in (*_AND, ",")
        if parsed.form(at) in words["before_noun"] and joined:
            return
        own = _features(parsed, at, natural)
        if linking and not _surely_adjective(parsed.form(at)):  # "hacen caso", "siente rabia" have an object
            return
        yield own
        if not joined:
            return
        at = skip(parsed, at + 2, words["adverbs"])
        if parsed.tag(at) not in ("ADJ", "NOUN") and parsed.form(at) not in _adjectives():
            return


def _superlative(parsed: Clause, at: int) -> Iterator[Features]:
    """The article agrees where no noun follows: "las más listas", "los que más hablan"."""
    number = PLUR if parsed.form(at).endswith("s") else SING
    own = Features(number, FEM if parsed.form(at) in ("la", "las") else MASC)
    if parsed.form(at + 1) == "que" and number == PLUR:
        yield own
    elif parsed.form(at + 1) in ("más", "menos") and number == PLUR:
        last = skip(parsed, at + 1, _words()["adverbs"])
        same = _features(parsed, last, False)
        if stands_alone(parsed, last) and same.gender in ("", own.gender) and same.number == PLUR:
            yield own


def _nominalised(parsed: Clause, at: int, natural: bool) -> Iterator[Features]:
    """An adjective as noun, whose article says the same: "unos vagos"."""
    article = _ending({"un": "uno"}.get(parsed.form(at), parsed.form(at)))
    at = skip(parsed, at + 1, _words()["adverbs"])
    own = _features(parsed, at, natural)
    known = parsed.form(at) in _adjectives() or parsed.form(at) in _people()
    if own == article and known and stands_alone(parsed, at):
        yield own


@functools.cache
def _adjectives() -> dict[str, Features]:
    """The lexicon's adjectives that are inflected for gender: form to number and gender."""
    found: dict[str, Features] = {}
    for entry in (*data.lexicon("es", "adj", "groupadj"), *(tuple(word.split(":")) for word in _words()["adjectives"])):
        feminine = entry[0][:-1] + "a" if entry[0].endswith("o") else entry[0]
        forms = entry if len(entry) == 4 else (entry[0], _plural(entry[0]), feminine, _plural(feminine))
        genders = (MASC, MASC, FEM, FEM) if forms[0] != forms[2] else ("",) * 4
        found |= {
            form: Features(number, gender)
            for form, number, gender in zip(forms, (SING, PLUR) * 2, genders, strict=True)
        }
    return found


def _features(parsed: Clause, at: int, natural: bool) -> Features:
    """Number and gender of a word of the predicate."""
    words, form, tag = _words(), parsed.form(at), parsed.tag(at)
    base = form.removesuffix("s")
    if form in words["no_number"] or tag == "PROPN":
        return Features()
    if form in words["no_gender"] or base in words["no_gender"]:
        return Features()
    if form in _adjectives():
        return _adjectives()[form]
    masculine = base[:-1] + "o" if base.endswith("a") else base
    if base.endswith(_PARTICIPLES) or masculine in words["irregular_participles"]:
        return _ending(form) if tag in ("ADJ", "VERB") or form.endswith("s") else Features()
    if form in _people():
        return _people()[form] if natural else Features()
    if tag != "ADJ":
        return Features()
    if base.endswith(_COMMON):
        return Features()
    if form.endswith(("o", "os", "a", "as")):
        return _ending(form)
    if form.endswith(("ores", "ora", "oras", "or")):
        return Features(PLUR if form.endswith("s") else SING)
    return Features(PLUR) if form.endswith("es") else Features(SING) if form.endswith(("e", "l", "z")) else Features()


def _surely_adjective(form: str) -> bool:
    return form in _adjectives() or form.removesuffix("s").endswith(_SUFFIXES)


def _ending(form: str) -> Features:
    gender = {"o": MASC, "a": FEM}.get(form.removesuffix("s")[-1:], "")
    return Features(PLUR if form.endswith("s") else SING, gender)
