"""Mismatched pairs: the source of one set with the candidate of another, which an attentive annotator rejects."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from dualpair.languages import get
from dualpair.validation.pairs import MISMATCHED, MISSING, Pair, Scores, Side, ranked

Vectors = Mapping[str, Any]


class Similarity(NamedTuple):
    """A run's similarity filter.

    Attributes:
        vectors: the vectors, of shape (d,) and Euclidean length 1, of those of some sentences that it has seen.
        threshold: cosine from which on it lets a paraphrase pass.
    """

    vectors: Callable[[Collection[str]], Vectors]
    threshold: float


def mismatched(
    accepted: Sequence[Pair], n: int, taken: Collection[tuple[str, ...]], seed: str, similarity: Similarity | None
) -> list[Pair]:
    """Up to n random candidates, each with a random source that has nothing to do with it.

    The two are of different bias types, clusters and groups, share few words (:func:`unrelated`, the candidate's own
    source too), and the similarity filter would drop them, where it is given and has seen both sentences. A candidate
    is used once at most.

    Args:
        accepted: accepted pairs of one task and language.
        n: pairs asked for.
        taken: wordings that mean something else.
        seed: of the draw.
        similarity: the run's similarity filter.
    """
    sources = list({pair.source.sentence: pair for pair in reversed(accepted)}.values())
    texts = {side.sentence for pair in accepted for side in (pair.source, pair.candidate)}
    vectors = similarity.vectors(texts) if similarity is not None and n else {}
    used = set(taken)
    found: list[Pair] = []
    for of in ranked(accepted, seed, MISMATCHED):
        if len(found) == n:
            break
        options = [
            source._replace(candidate_id=of.candidate_id, candidate=of.candidate, kind=MISMATCHED, scores=Scores())
            for source in sources
            if source.bias_type != of.bias_type
            and source.cluster_id != of.cluster_id
            and unrelated(source.source, of.candidate, source.lang)
            and unrelated(source.source, of.source, source.lang)
        ]
        for pair in ranked((pair for pair in options if pair.wording not in used), seed, "source"):
            cosine = cosine_of(vectors, pair.source.sentence, pair.candidate.sentence)
            if similarity is None or not cosine >= similarity.threshold:  # a missing one is not
                found.append(pair._replace(scores=Scores(similarity=cosine)))
                used.add(pair.wording)
                break
    return found


def words(text: str, lang: str) -> frozenset[str]:
    """The distinct words, case-folded; without spaces between words, the characters and Latin words."""
    return frozenset(re.findall(r"\w+" if get(lang).joiner else r"[0-9a-z]+|\w", text.casefold()))


def unrelated(source: Side, candidate: Side, lang: str) -> bool:
    """Whether two sentences are about other groups and share less than half of the shorter attribute's words."""
    if source.group.casefold() == candidate.group.casefold():
        return False
    one, other = words(source.attribute, lang), words(candidate.attribute, lang)
    return 2 * len(one & other) < min(len(one), len(other))


def cosine_of(vectors: Vectors, one: str, other: str) -> float:
    """Cosine of two sentences, as the filter computes it; NaN where a vector is missing."""
    if one not in vectors or other not in vectors:
        return MISSING
    return float(vectors[one].astype("f8") @ vectors[other].astype("f8"))
