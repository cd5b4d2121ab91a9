"""Dependency labels of other schemes, in the terms of Universal Dependencies that the splitting rule knows.

Which words belong to the subject is the same in all of them (a preposition hangs on its noun or the noun on its
preposition, and both hang on the subject); only the names of the relations differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

_RELATIONS = """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed
    flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
"""
UNIVERSAL = frozenset(_RELATIONS.split())
# spaCy's English (ClearNLP) and Chinese (Stanford) pipelines, and the first version of UD.
_CLEARNLP = {
    "acomp": "xcomp",
    "agent": "obl",
    "attr": "xcomp",
    "auxpass": "aux:pass",
    "csubjpass": "csubj:pass",
    "dative": "iobj",
    "dobj": "obj",
    "etc": "conj",
    "foreign": "flat",
    "intj": "discourse",
    "meta": "discourse",
    "mwe": "fixed",
    "name": "flat",
    "neg": "advmod",
    "npadvmod": "obl:npmod",
    "nsubjpass": "nsubj:pass",
    "oprd": "xcomp",
    "pcomp": "advcl",
    "pobj": "nmod",
    "poss": "nmod:poss",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "prep": "obl",
    "prt": "compound:prt",
    "quantmod": "advmod",
    "relcl": "acl:relcl",
    "tmod": "obl:tmod",
}
# spaCy's German pipelines (TIGER).
_TIGER = {
    "ac": "case",
    "adc": "amod",
    "ag": "nmod:poss",
    "ams": "nmod",
    "app": "appos",
    "avc": "advmod",
    "cd": "cc",
    "cj": "conj",
    "cm": "mark",
    "cp": "mark",
    "cvc": "compound",
    "da": "iobj",
    "dm": "discourse",
    "ep": "expl",
    "ju": "cc",
    "mnr": "nmod",
    "mo": "advmod",
    "ng": "advmod",
    "nk": "nmod",
    "nmc": "nummod",
    "oa": "obj",
    "oc": "ccomp",
    "og": "obj",
    "op": "obl",
    "par": "parataxis",
    "pd": "xcomp",
    "pg": "nmod",
    "ph": "expl",
    "pm": "advmod",
    "pnc": "flat",
    "rc": "acl:relcl",
    "re": "advcl",
    "rs": "parataxis",
    "sb": "nsubj",
    "sbp": "nsubj:pass",
    "sp": "nsubj",
    "svp": "compound:prt",
    "uc": "flat",
    "vo": "vocative",
}
KNOWN = MappingProxyType({**_CLEARNLP, **_TIGER})


def universal(label: str) -> str:
    """The label as a UD relation; one that is UD already, with or without a subtype, stays.

    Raises:
        ValueError: if no scheme that is known here has the label.
    """
    base = label.partition(":")[0]
    if label == "ROOT":
        return "root"
    if base in UNIVERSAL:
        return label
    if base in KNOWN:
        return KNOWN[base]
    raise ValueError(f"dependency label {label!r} belongs to no scheme known here (UD, ClearNLP, Stanford, TIGER)")


def unknown(labels: Iterable[str]) -> list[str]:
    """Labels that :func:`universal` refuses, sorted; spaCy's artificial labels (``amod||nsubj``) are left out."""
    plain = {label for label in labels if label and "||" not in label}
    return sorted(label for label in plain if not _is_known(label))


def _is_known(label: str) -> bool:
    base = label.partition(":")[0]
    return label == "ROOT" or base in UNIVERSAL or base in KNOWN
