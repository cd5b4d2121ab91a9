"""English: number of the verb and of a person noun as predicate, reflexives, and nouns such as mothers."""

from __future__ import annotations

import functools

from dualpair.filters.agreement import data
from dualpair.filters.agreement.clause import FEM, GENDER, MASC, NUMBER, PLUR, SING, Clause, Features, finite_verb

LISTS = (
    "masculine", "feminine", "masculine_roles", "feminine_roles", "irregular_plurals", "either_number",
    "singular_words", "plural_words", "plural_pronouns", "singular_pronouns", "singular_verbs", "plural_verbs",
    "same_past", "negations",
)  # fmt: skip
_VERB_LISTS = ("vi", "vt", "vdual", "vlie", "vto", "vger", "vthat", "vlook")
_NOUN_LISTS = ("people", "persons", "roles")
_NOMINAL = ("NOUN", "PROPN", "PRON")
_SELF = {"himself": Features(SING, MASC), "herself": Features(SING, FEM), "themselves": Features(PLUR)}
_POSSESSIVES = {"his": MASC, "her": FEM}
_BE = ("is", "are", "was", "were")


def findings(parsed: Clause) -> list[str]:
    """Disagreements of the predicate with the group's head."""
    head = _head(parsed)
    verb = finite_verb(parsed)
    found = []
    if head.number and verb >= 0:
        number = _verb_number(parsed.form(verb), parsed.words[verb].form)
        if number and number != head.number:
            found.append(NUMBER)
    return found + _predicate(parsed, verb, head) + _pronouns(parsed, head)


def _words() -> data.Words:
    return data.read("en", LISTS)


def _plural(word: str) -> str:
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    return word[:-1] + "ies" if word.endswith("y") and word[-2] not in "aeiou" else word + "s"


@functools.cache
def _people() -> tuple[frozenset[str], frozenset[str]]:
    """Nouns for people, singular and plural, without forms that are both."""
    pairs = [(e[0], e[1] if len(e) > 1 else _plural(e[0])) for e in data.lexicon("en", *_NOUN_LISTS)]
    singular, plural = {one for one, _ in pairs}, {more for _, more in pairs}
    return frozenset(singular - plural), frozenset(plural - singular)


@functools.cache
def _verbs() -> tuple[frozenset[str], frozenset[str]]:
    """Verbs' third person singular and their base forms that are no past form."""
    bases = {e[0] for e in data.lexicon("en", *_VERB_LISTS)}
    nouns = _people()[1]
    third = {e[1] if len(e) > 1 else _plural(e[0]) for e in data.lexicon("en", *_VERB_LISTS)} - nouns
    return frozenset(third), frozenset(bases - _words()["same_past"])


def _noun_number(form: str, tag: str) -> str:
    words, (singular, plural) = _words(), _people()
    if form in words["either_number"]:
        return ""
    if form in words["irregular_plurals"] or form in plural:
        return PLUR
    if form in singular:
        return SING
    regular = form.endswith("s") and not form.endswith(("ss", "us", "is", "ics", "ese"))
    return PLUR if tag == "NOUN" and regular and len(form) > 3 else ""


def _head(parsed: Clause) -> Features:
    """Number and gender of the group; its gender is that of its head alone."""
    if parsed.head < 0:
        return Features()
    words, form = _words(), parsed.form(parsed.head)
    tag = parsed.tag(parsed.head)
    several = any(w.head == parsed.head and parsed.relation(i) == "conj" for i, w in enumerate(parsed.words))
    if several or "and" in parsed.group or "or" in parsed.group:
        plural = _noun_number(form, tag) == PLUR and several
        return Features(PLUR) if plural and "or" not in parsed.group else Features()
    if form in words["plural_pronouns"] | words["singular_pronouns"]:
        gender = {"he": MASC, "she": FEM}.get(form, "")
        return Features(PLUR if form in words["plural_pronouns"] else SING, gender)
    number, own = _noun_number(form, tag), parsed.group[: parsed.head + 1]
    counted = {
        SING: any(word in words["singular_words"] for word in own),
        PLUR: any(word in words["plural_words"] for word in own),
    }
    if not number and tag == "NOUN" and counted[SING] and form not in words["either_number"]:
        number = SING if not form.endswith("s") else ""
    if (number == PLUR and counted[SING]) or (number == SING and (counted[PLUR] or parsed.head == 0)):
        number = ""
    gender = FEM if form in words["feminine"] else MASC if form in words["masculine"] else ""
    return Features(number, gender)


def _verb_number(form: str, written: str) -> str:
    words, (third, bases) = _words(), _verbs()
    form = form.removesuffix("n't")
    if form in words["singular_verbs"]:
        return SING
    if form in words["plural_verbs"] or form in bases:
        return PLUR
    regular = form.endswith("s") and not form.endswith(("ss", "us", "is", "'s")) and written == form
    return SING if form in third or (regular and len(form) > 3) else ""


def _predicate(parsed: Clause, verb: int, head: Features) -> list[str]:
    """A noun behind *be*: "are good mothers", "are a good driver"."""
    root, words = parsed.root, _words()
    if verb < 0 or parsed.form(verb).removesuffix("n't") not in _BE or parsed.tag(root) != "NOUN" or root < verb:
        return []
    inside = [parsed.form(i) for i in range(verb, root)]
    prepositions = any(parsed.tag(i) in ("ADP", "SCONJ", "VERB") for i in range(verb + 1, root))
    if prepositions or words["negations"] & {*inside, *parsed.forms[parsed.n_group : verb]}:
        return []
    if parsed.tag(root + 1) in _NOMINAL:  # the noun belongs to another: "are father figures"
        return []
    noun = parsed.form(root)
    singular, plural = _people()
    bare = not any(form in ("a", "an", "the", "one", "every", "no") for form in inside)
    if head.number == PLUR and noun in singular and (bare or {"a", "an"} & set(inside)):
        return [NUMBER]
    if head.number == SING and noun in plural and bare and "of" not in parsed.forms[root:]:
        return [NUMBER]
    role = FEM if noun in words["feminine_roles"] else MASC if noun in words["masculine_roles"] else ""
    return [GENDER] if head.gender and role and role != head.gender else []


def _pronouns(parsed: Clause, head: Features) -> list[str]:
    """A reflexive or possessive of another gender or number, with no noun before it that it could mean."""
    if parsed.head < 0:
        return []
    for i in parsed.between(0, len(parsed.words)):
        form = parsed.form(i)
        if form in _SELF:
            own = _SELF[form]
            if head.number == PLUR and own.number == SING:
                return [NUMBER]
            return [GENDER] if head.gender and own.gender and head.gender != own.gender else []
        if form in _POSSESSIVES and parsed.tag(i + 1) in ("NOUN", "ADJ"):
            other = head.gender and head.gender != _POSSESSIVES[form]
            return [GENDER] if head.number == SING and other else []
        if parsed.tag(i) in _NOMINAL or form == "who":
            return []
    return []
