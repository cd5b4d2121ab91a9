"""Chinese has no agreement; only a reflexive pronoun in writing tells a gender: 他们自己, 她自己."""

from __future__ import annotations

import re

from dualpair.filters.agreement import data
from dualpair.filters.agreement.clause import FEM, GENDER, MASC, Clause

LISTS = ("masculine", "feminine", "persons")
_REFLEXIVE = re.compile("([他她])们?自己")
_NAMES = ("PROPN", "PRON")


def can_have(attribute: str) -> bool:
    """Whether a text holds a reflexive that tells a gender."""
    return bool(_REFLEXIVE.search(attribute))


def findings(parsed: Clause) -> list[str]:
    """A reflexive of the other gender, with no noun or pronoun between that it could mean."""
    gender = _gender("".join(parsed.group))
    text = "".join(parsed.forms[parsed.n_group :])
    found = _REFLEXIVE.search(text)
    if not gender or not found or gender == (MASC if found[1] == "他" else FEM):
        return []
    end = parsed.n_group
    length = 0
    while length + len(parsed.forms[end]) <= found.start():
        length += len(parsed.forms[end])
        end += 1
    between = [i for i in range(parsed.n_group, end) if i != parsed.root]
    persons = data.read("zh", LISTS)["persons"]
    others = [i for i in between if parsed.tag(i) in _NAMES or any(char in persons for char in parsed.form(i))]
    return [] if others else [GENDER]


def _gender(group: str) -> str:
    words = data.read("zh", LISTS)
    fem = any(word in group for word in words["feminine"])
    masc = any(word in group for word in words["masculine"])
    return "" if fem == masc else FEM if fem else MASC
