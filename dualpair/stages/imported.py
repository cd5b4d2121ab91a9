"""Dual pairs from a source (`source.kind: augmented`) as the tables that parsing, generation and selection would make.

Nothing is judged: the numbers of the judges are missing, the models that generated are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from dualpair import languages, schemas
from dualpair.filters import selection
from dualpair.generation.candidates import candidate_id
from dualpair.sources import cleaning, common
from dualpair.sources.augmented import Contents, Entry, Variant

PARAPHRASE, ALTERNATE = "paraphrase", "alternate-1"
_NO_NUMBERS = {
    **dict.fromkeys(
        (
            "similarity",
            "contradiction_forward",
            "contradiction_backward",
            "entailment_forward",
            "entailment_backward",
            "contradiction_forward_v0",
            "contradiction_backward_v0",
            "grammar_findings",
            "grammar_score",
        )
    ),
    "grammar_finding_ids": "",
}


class Tables(NamedTuple):
    """The tables before scoring; each field is a table of :mod:`dualpair.schemas` (candidates: one a task)."""

    stereotypes: pd.DataFrame
    sets: pd.DataFrame
    paraphrases: pd.DataFrame
    opposites: pd.DataFrame
    variants: pd.DataFrame
    alternates: pd.DataFrame


def tables(contents: Sequence[tuple[str, Contents]]) -> Tables:
    """The tables of all languages, each given as (language, its sets).

    Rejected sets appear in stereotypes and sets with their reason, rejected texts among the candidates with theirs.
    """
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in Tables._fields}
    for lang, content in contents:
        for entry in content.entries:
            _add_set(rows, lang, content.name, entry)
            if not entry.reason:
                for number, variant in enumerate(entry.variants):
                    _add_variant(rows, lang, entry, variant, number)
    names = {"paraphrases": "candidates", "opposites": "candidates"}
    return Tables(*(_frame(rows[field], names.get(field, field)) for field in Tables._fields))


def _add_set(rows: dict[str, list[dict[str, Any]]], lang: str, file: str, entry: Entry) -> None:
    usable = [variant for variant in entry.variants if not variant.reason]
    lead = next((variant for variant in usable if variant.is_original), usable[0] if usable else None)
    attribute = lead.attribute if lead else ""
    facts = {
        "set_id": entry.set_id,
        "cluster_id": entry.cluster_id,
        "lang": lang,
        "dataset": entry.dataset,
        "bias_type": entry.bias_type,
        "kept": not entry.reason,
        "reason": entry.reason,
    }
    groups = [cleaning.storable(group) for group in entry.groups] if entry.reason else list(entry.groups)
    original = cleaning.storable(entry.original)
    rows["sets"].append(
        {
            **facts,
            "groups": groups,
            "attribute": attribute,
            "final_mark": entry.final_mark,
            "original": original,
            "parse": "presplit",
        }
    )
    for part, group in enumerate([""] if entry.reason else groups):
        sentence = original if part == 0 else languages.join(group, attribute, lang) + entry.final_mark
        rows["stereotypes"].append(
            {
                **facts,
                "role": common.STEREOTYPED if part == 0 else common.CONTRAST,
                "sentence": sentence,
                "group": group,
                "attribute": attribute,
                "source_file": file,
                "source_row": entry.line,
                "source_part": part,
            }
        )


def _add_variant(rows: dict[str, list[dict[str, Any]]], lang: str, entry: Entry, variant: Variant, number: int) -> None:
    key = {"set_id": entry.set_id, "cluster_id": entry.cluster_id, "lang": lang, "bias_type": entry.bias_type}
    attribute = cleaning.storable(variant.attribute)
    original = variant.is_original
    name = selection.ORIGINAL if original else variant.variant_id or selection.variant_id(attribute)
    made = {"generators": [], "n_answers": 0}
    # Usable attributes of a set differ; rejected ones may be empty or equal, and are told apart by their number.
    own_id = candidate_id(entry.set_id, lang, f"{name} {number}" if variant.reason else name, PARAPHRASE, attribute)
    if not original:
        rows["paraphrases"].append(
            {
                **key, **made, "candidate_id": own_id, "variant_id": selection.ORIGINAL, "task": PARAPHRASE,
                "attribute": attribute, "adds_negation": False, "kept": not variant.reason, "reason": variant.reason,
            }
        )  # fmt: skip
    if variant.reason:
        return
    rows["variants"].append(
        {
            **key, **made, **_NO_NUMBERS, "variant_id": name, "attribute": attribute, "is_original": original,
            "candidate_id": selection.ORIGINAL if original else own_id, "kept": True, "reason": "",
        }
    )  # fmt: skip
    _add_alternate(rows, {**key, **made, "variant_id": name, "adds_negation": False}, variant)


def _add_alternate(rows: dict[str, list[dict[str, Any]]], key: dict[str, Any], variant: Variant) -> None:
    text = cleaning.storable(variant.alternate)
    kept = not variant.alternate_reason
    other_id = candidate_id(key["set_id"], key["lang"], key["variant_id"], ALTERNATE, text)
    rows["opposites"].append(
        {
            **key, "candidate_id": other_id, "task": ALTERNATE, "attribute": text, "kept": kept,
            "reason": variant.alternate_reason,
        }
    )  # fmt: skip
    if kept:
        rows["alternates"].append(
            {
                **key, **_NO_NUMBERS, "candidate_id": other_id, "alternate": text, "round": 1, "chosen": True,
                "kept": True, "reason": "",
            }
        )  # fmt: skip


def _frame(rows: Sequence[dict[str, Any]], name: str) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=schemas.table(name).names)
