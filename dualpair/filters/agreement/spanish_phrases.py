"""Spanish: a word of quantity has the number and gender of the noun behind it: "poca comida", not "poco comida".

Opposites are often made by a change of the quantity alone, and weak generators leave its ending as it was or wrong.
This does not depend on the group. A noun's gender comes from the parsers' lexicon or from an ending that has one
gender; of other nouns nothing is said.
"""

from __future__ import annotations

import functools

from dualpair.filters.agreement import data
from dualpair.filters.agreement.clause import FEM, MASC, PLUR, SING, Clause, Features, differ

# "tanto" is left out: "tanto mujeres como hombres".
_QUANTITIES = {
    form + ending: Features(PLUR if ending.endswith("s") else SING, MASC if ending[0] == "o" else FEM)
    for form in ("much", "poc", "demasiad")
    for ending in ("o", "a", "os", "as")
} | {
    "buen": Features(SING, MASC), "mal": Features(SING, MASC),
    "buena": Features(SING, FEM), "mala": Features(SING, FEM),
    "buenos": Features(PLUR, MASC), "malos": Features(PLUR, MASC),
    "buenas": Features(PLUR, FEM), "malas": Features(PLUR, FEM),
}  # fmt: skip
_FEMININE = ("ción", "sión", "dad", "tad", "tud", "umbre", "eza", "encia", "ancia", "ura", "ería", "ología")
_MASCULINE = ("miento", "ismo", "aje")
_LISTS = (("thingsMasc", MASC), ("massMasc", MASC), ("thingsFem", FEM), ("massFem", FEM))
_MORE = {"salud": FEM, "gente": FEM, "vida": FEM, "imagen": FEM}


def findings(parsed: Clause) -> list[str]:
    """Words of quantity behind the group that do not agree with the noun that follows them directly."""
    found = []
    for at in parsed.between(0, len(parsed.words) - 1):
        quantity = _QUANTITIES.get(parsed.form(at))
        if quantity and parsed.tag(at + 1) == "NOUN":
            found += differ(noun(parsed.form(at + 1)), quantity)
    return found


def noun(form: str) -> Features:
    """Number and gender of a noun's form; empty where its ending has both genders and no list has it."""
    known = _genders()
    number = PLUR if form.endswith("s") else SING
    if number == PLUR and form in known:  # "cumpleaños" is both
        number = ""
    stems = {form, form.removesuffix("s"), form.removesuffix("es")}
    if form.endswith("iones"):
        stems.add(form.removesuffix("iones") + "ión")
    genders = {known[stem] for stem in stems if stem in known}
    genders |= {FEM for stem in stems if stem.endswith(_FEMININE)}
    genders |= {MASC for stem in stems if stem.endswith(_MASCULINE)}
    return Features(number, genders.pop()) if len(genders) == 1 else Features()


@functools.cache
def _genders() -> dict[str, str]:
    found: dict[str, str] = dict(_MORE)
    ambiguous = set()
    for name, gender in _LISTS:
        for entry in data.lexicon("es", name):
            if found.setdefault(entry[0], gender) != gender:
                ambiguous.add(entry[0])
    return {form: gender for form, gender in found.items() if form not in ambiguous}
