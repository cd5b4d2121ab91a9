"""Russian: number and gender of the verb, of an adjective as predicate, and of nouns such as матери."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from dualpair.filters.agreement import data
from dualpair.filters.agreement.clause import (
    FEM,
    GENDER,
    MASC,
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
    "plural_nouns", "masculine_nouns", "feminine_nouns", "masculine_roles", "feminine_roles", "masculine_determiners",
    "feminine_determiners", "plural_determiners", "unsure", "irregular_past", "irregular_present", "impersonal",
    "linking", "adverbs", "not_adjectives", "negations",
)  # fmt: skip
NEUT = "neut"
_DATIVE = ("им", "ей", "ему", "мне", "нам", "вам", "тебе", "всем", "никому")
_OTHERS = ("никто", "ничто", "кто", "что", "это", "он", "она", "оно", "который", "которая", "каждый")
_OTHER_SUBJECTS = ("всё", *_OTHERS)
_VERB_LISTS = ("vi", "vt", "vdat", "vins", "vinf", "vpp", "vthat")
_FULL = re.compile(r"(?:[бвгджзклмнпрстфхцчшщ])(ый|ая)$|(ск|ц?к|н|щ|ч|ш|х)(ий)$|(?:[кгхшщжч])(ие)$|(ые)$")
_SHORT = re.compile(r".{3,}[лч]ив(ы|а|)$")
_SHORT_TAGGED = re.compile(r".{3,}[бвглмнпрстж][нв](ы|а)$")
_SHORT_MASC = re.compile(r".{3,}(ст|з|л|т|в|д|ж|ч|ш|щ|б|п)ен$")
_INSTRUMENTAL = re.compile(r".{2,}(ыми|ими|ым|им)$")
_NUMBERS = {"ый": Features(SING, MASC), "ий": Features(SING, MASC), "ая": Features(SING, FEM)}


def findings(parsed: Clause) -> list[str]:
    """Disagreements of the predicate with the group's head."""
    head = _head(parsed)
    if parsed.head < 0 or not (head.number or head.gender):
        return []
    found = []
    verb = _finite_verb(parsed)
    if verb >= 0 and not _other_subject(parsed, verb):
        found += differ(head, _verb(parsed.form(verb)))
    for own in _predicate(parsed, verb) if verb != parsed.root or parsed.form(verb) in _words()["linking"] else ():
        found += differ(head, own)
    return found + _role(parsed) + _self(parsed, head)


def _words() -> data.Words:
    return data.read("ru", LISTS)


# --- the group --------------------------------------------------------------------------------------------------------


@functools.cache
def _people() -> dict[str, Features]:
    """Nominatives of the lexicon's nouns for people; those that are both numbers are left out."""
    found: dict[str, Features] = {}
    for name, gender in (("peopleMasc", MASC), ("peopleFem", FEM)):
        for entry in data.lexicon("ru", name):
            if len(entry) > 1 and entry[0] != entry[1]:
                found |= {entry[0]: Features(SING, gender), entry[1]: Features(PLUR)}
    return found


def _head(parsed: Clause) -> Features:
    """Number of the group and, in the singular, the gender of its head."""
    words = _words()
    if parsed.head < 0 or words["unsure"] & set(parsed.group) or any(c.isdigit() for c in "".join(parsed.group)):
        return Features()
    form, before = parsed.form(parsed.head), parsed.forms[: parsed.head]
    if form in ("они", "он", "она"):
        return {"они": Features(PLUR), "он": Features(SING, MASC), "она": Features(SING, FEM)}[form]
    own = _people().get(form, Features())
    if form in words["plural_nouns"]:
        own = Features(PLUR)
    modifiers = {_modifier(word) for word in before} - {Features()}
    if len(modifiers) == 1:
        (modifier,) = modifiers
        if own.number and own.number != modifier.number:
            return Features()
        own = modifier
    elif modifiers:
        return Features()
    if not own.number and parsed.tag(parsed.head) == "NOUN" and len(form) > 3 and form.endswith(("ы", "и")):
        own = Features(PLUR)
    if "и" in parsed.group:
        return Features(PLUR) if own.number == PLUR else Features()
    return own


def _modifier(form: str) -> Features:
    words = _words()
    if form in words["plural_determiners"] or form.endswith(("ые", "кие", "гие", "хие", "шие", "щие", "жие", "чие")):
        return Features(PLUR)
    if form in words["feminine_determiners"] or form.endswith(("ая", "яя")):
        return Features(SING, FEM)
    return Features(SING, MASC) if form in words["masculine_determiners"] or form.endswith("ый") else Features()


# --- the verb ---------------------------------------------------------------------------------------------------------


@functools.cache
def _verbs() -> frozenset[str]:
    """Third persons and past forms of the lexicon's verbs."""
    forms: set[str] = set()
    for entry in data.lexicon("ru", *_VERB_LISTS):
        reflexive = "сь" if entry[3].endswith("сь") else ""
        past = entry[3].removesuffix("сь").removesuffix("и")
        forms |= {entry[1], entry[2], entry[3], f"{past}а{reflexive}", f"{past}{'ся' if reflexive else ''}"}
    return frozenset(forms)


def _finite_verb(parsed: Clause) -> int:
    """As :func:`finite_verb`; also a root that the parser takes for a noun, if the lexicon knows it as a verb."""
    verb = finite_verb(parsed)
    before = [parsed.tag(i) for i in parsed.between(0, parsed.root)]
    if verb < 0 and parsed.form(parsed.root) in _verbs() and all(tag in ("ADV", "PART") for tag in before):
        return parsed.root
    return verb


def _other_subject(parsed: Clause, verb: int) -> bool:
    """Whether the verb may have another subject, or none: "их никто не любит", "им нравится"."""
    before = [parsed.form(i) for i in parsed.between(0, verb) if parsed.form(i + 1) != "время"]
    return parsed.form(verb) in _words()["impersonal"] or bool({*before} & {*_DATIVE, *_OTHER_SUBJECTS})


def _verb(form: str) -> Features:
    """Number and, of a past form, gender of a finite verb of the third person."""
    words = _words()
    form = re.sub(r"с[яь]$", "", form)
    if form in words["impersonal"]:
        return Features()
    if form.endswith(("ют", "ут", "ят", "ат", "ли")):
        return Features(PLUR)
    if form.endswith(("ет", "ёт", "ит")) or form in words["irregular_present"]:
        return Features(SING)
    if form.endswith("л") or form in words["irregular_past"]:
        return Features(SING, MASC)
    return Features(SING, FEM if form.endswith("ла") else NEUT) if form.endswith(("ла", "ло")) else Features()


# --- the predicate ----------------------------------------------------------------------------------------------------


def _predicate(parsed: Clause, verb: int) -> Iterator[Features]:
    """Number and gender of an adjective that is the root, or stands behind a linking verb."""
    words, root = _words(), parsed.root
    if verb >= 0 and parsed.form(verb) in words["linking"]:
        at = skip(parsed, verb + 1, words["adverbs"])
        match = _INSTRUMENTAL.match(parsed.form(at))
        if match and parsed.tag(at) == "ADJ" and stands_alone(parsed, at):
            yield Features(PLUR if match[1] in ("ыми", "ими") else SING)
        elif stands_alone(parsed, at):
            yield _short(parsed.form(at), parsed.tag(at))
        return
    others = any(parsed.tag(i) in ("VERB", "AUX", "ADP", "NOUN", "SCONJ") for i in parsed.between(0, root)
                 if parsed.form(i) not in words["adverbs"])  # fmt: skip
    belongs = any(word.head == root and parsed.relation(i) == "conj" and word.upos == "NOUN"
                  for i, word in enumerate(parsed.words))  # fmt: skip
    if not others and not belongs and not _other_subject(parsed, root) and stands_alone(parsed, root):
        yield _adjective(parsed.form(root), parsed.tag(root))


def _adjective(form: str, tag: str) -> Features:
    """Number and gender of a full or short adjective in the nominative, by its form."""
    if form in _words()["not_adjectives"]:
        return Features()
    match = _FULL.search(form)
    if match and (full := _full(next(text for text in reversed(match.groups()) if text), form, tag)).number:
        return full
    return _short(form, tag)


def _full(ending: str, form: str, tag: str) -> Features:
    known = tag == "ADJ" or form in _adjectives()
    if ending in ("ые", "ие"):
        return Features(PLUR) if known or ending == "ые" else Features()
    return _NUMBERS.get(ending, Features()) if known or ending != "ий" else Features()


@functools.cache
def _adjectives() -> dict[str, Features]:
    """The lexicon's adjectives, full and short, in the nominative."""
    found: dict[str, Features] = {}
    for entry in data.lexicon("ru", "adj", "groupadj"):
        if len(entry) < 4:
            continue
        found |= {entry[0]: Features(SING, MASC), entry[1]: Features(SING, FEM), entry[3]: Features(PLUR)}
        if len(entry) > 10 and entry[10].endswith(("ы", "и")):
            stem = entry[10][:-1]
            masculine = stem[:-1] + "ен" if re.search(r"[бвгджзклмпрстфхцчшщ]н$", stem) else stem
            found |= {entry[10]: Features(PLUR), stem + "а": Features(SING, FEM), masculine: Features(SING, MASC)}
    return found


def _short(form: str, tag: str) -> Features:
    if form in _words()["not_adjectives"]:
        return Features()
    if form in _adjectives():
        return _adjectives()[form]
    match = _SHORT.match(form) or (_SHORT_TAGGED.match(form) if tag == "ADJ" else None)
    if match:
        return {"ы": Features(PLUR), "а": Features(SING, FEM), "": Features(SING, MASC)}[match[1]]
    return Features(SING, MASC) if _SHORT_MASC.match(form) else Features()


# --- nouns and pronouns -----------------------------------------------------------------------------------------------


def _role(parsed: Clause) -> list[str]:
    """A noun for one sex as predicate of a group of the other: "мужчины – хорошие матери"."""
    words = _words()
    form = parsed.form(parsed.head)
    gender = FEM if form in words["feminine_nouns"] else MASC if form in words["masculine_nouns"] else ""
    if not gender or "и" in parsed.group or words["negations"] & set(parsed.forms[parsed.n_group :]):
        return []
    at = parsed.root
    if parsed.tag(at) in ("VERB", "AUX") and parsed.form(at) in words["linking"]:
        own = [i for i, word in enumerate(parsed.words) if word.head == at and i > at and parsed.tag(i) == "NOUN"]
        at = own[0] if own else at
    if any(word.head == at and parsed.relation(i) == "case" for i, word in enumerate(parsed.words)):
        return []
    verbs = any(parsed.tag(i) == "VERB" and parsed.form(i) not in words["linking"] for i in parsed.between(0, at))
    role = (
        FEM
        if parsed.form(at) in words["feminine_roles"]
        else MASC
        if parsed.form(at) in words["masculine_roles"]
        else ""
    )
    return [GENDER] if role and role != gender and not verbs else []


def _self(parsed: Clause, head: Features) -> list[str]:
    """The pronoun сам or сама of another number or gender, in the main clause."""
    forms = {"сам": Features(SING, MASC), "сама": Features(SING, FEM), "сами": Features(PLUR)}
    for i in parsed.between(0, len(parsed.words)):
        if parsed.form(i) in (",", *_OTHERS) or parsed.tag(i) == "SCONJ":
            break
        if parsed.form(i) in forms and parsed.form(i + 1) != "по":
            return differ(head, forms[parsed.form(i)])
    return []
