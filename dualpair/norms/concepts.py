"""The table of concepts: which concept has which of two opposite features, and why one is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from dualpair import languages, schemas
from dualpair.sentences import ALTERNATE, ATTRIBUTE, sentence_id

BOTH = "both_features"  # people list both: the label would be arbitrary (definitions of the paper's check)
AMBIGUOUS = "ambiguous_form"  # two senses are written alike and have opposite features
REPEATED = "repeated_form"  # two senses are written alike and have the same feature: the sentence counts once
LIMIT = "limit"  # beyond the config's `norms.limit`
REASONS = (BOTH, AMBIGUOUS, REPEATED, LIMIT)


class Concept(NamedTuple):
    """A concept of one pair.

    Attributes:
        concept_id: its name in the source.
        prefix: article and noun, as the sentence begins.
        first: what is said of it with the pair's first feature, without joiner and final mark.
        second: the same with the opposite feature.
        has_first: whether people give it the first feature.
        has_second: whether they give it the second.
    """

    concept_id: str
    prefix: str
    first: str
    second: str
    has_first: bool
    has_second: bool


def table(found: Iterable[tuple[str, str, Sequence[Concept]]], source: str, limit: int | None = None) -> pd.DataFrame:
    """The ``norms_concepts`` table.

    Args:
        found: language, pair and its concepts, in the order in which ``limit`` takes them.
        source: builtin or mcrae.
        limit: keep the first n concepts of each feature of a pair; None: all.

    Raises:
        ValueError: a concept has neither feature of its pair.
    """
    rows = []
    for lang, pair_id, members in found:
        for concept, reason in zip(members, _reasons(members, limit), strict=True):
            if not (concept.has_first or concept.has_second):
                raise ValueError(f"concept {concept.concept_id!r} has neither feature of the pair {pair_id} ({lang})")
            facts = {**concept._asdict(), "cluster_id": concept.prefix, "source": source}
            rows.append({**facts, "lang": lang, "pair_id": pair_id, "kept": not reason, "reason": reason})
    return pd.DataFrame(rows, columns=schemas.table("norms_concepts").names)


def sentences(concepts: pd.DataFrame) -> pd.DataFrame:
    """The ``sentences`` frame of the kept concepts, two each: side attribute has the first feature.

    Args:
        concepts: the ``norms_concepts`` table.
    """
    rows = []
    for row in concepts.loc[concepts["kept"].astype(bool)].itertuples():
        language = languages.get(str(row.lang))
        for side, predicate in ((ATTRIBUTE, row.first), (ALTERNATE, row.second)):
            continuation = f"{language.joiner}{predicate}{language.final_mark}"
            key = (set_id(str(row.pair_id), str(row.concept_id)), row.lang, "v0", 0, side)
            rows.append((sentence_id(str(row.prefix), continuation), *key, row.prefix, continuation))
    return pd.DataFrame(rows, columns=schemas.table("sentences").names)


def set_id(pair_id: str, concept_id: str) -> str:
    """What stands in the column set_id of the sentences of one concept of one pair."""
    return f"{pair_id}/{concept_id}"


def _reasons(members: Sequence[Concept], limit: int | None) -> list[str]:
    """Why each concept is left out; empty for those that are kept."""
    single = [one for one in members if not (one.has_first and one.has_second)]
    labels = {form: {one.has_first for one in single if one.prefix == form} for form in {o.prefix for o in single}}
    seen: set[str] = set()
    taken: Counter[bool] = Counter()
    reasons = []
    for one in members:
        if one.has_first and one.has_second:
            reasons.append(BOTH)
        elif len(labels[one.prefix]) > 1:
            reasons.append(AMBIGUOUS)
        elif one.prefix in seen:
            reasons.append(REPEATED)
        else:
            seen.add(one.prefix)
            taken[one.has_first] += 1
            reasons.append(LIMIT if limit is not None and taken[one.has_first] > limit else "")
    return reasons
