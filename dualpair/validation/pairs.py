"""The pairs that can be judged: a source sentence and a candidate sentence of one task, from a run's tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair.languages import join
from dualpair.validation.digests import digest

KINDS = ("accepted", "mismatched", "below_threshold")
ACCEPTED, MISMATCHED, BELOW_THRESHOLD = KINDS
MISSING = float("nan")


class Scores(NamedTuple):
    """The filters' numbers for a pair; missing (NaN) where no judge saw it."""

    similarity: float = MISSING
    contradiction_forward: float = MISSING
    contradiction_backward: float = MISSING
    acceptance: float = MISSING


class Side(NamedTuple):
    """One sentence of a pair, and the parts that it was joined from."""

    sentence: str
    group: str
    attribute: str


class Pair(NamedTuple):
    """A source sentence and a candidate sentence that an annotator compares; ids and bias type are the source's."""

    task: str
    lang: str
    set_id: str
    cluster_id: str
    bias_type: str
    variant_id: str
    candidate_id: str
    source: Side
    candidate: Side
    kind: str
    scores: Scores

    @property
    def pair_id(self) -> str:
        """Content hash of task, language and both sentences: equal in every sample that draws the pair."""
        return digest(self.task, self.lang, self.source.sentence, self.candidate.sentence)[:16]

    @property
    def wording(self) -> tuple[str, ...]:
        """Both sentences without regard to which is the source: what an annotator sees."""
        return tuple(sorted((self.source.sentence, self.candidate.sentence)))


class _Set(NamedTuple):
    cluster_id: str
    bias_type: str
    group: str
    attribute: str
    final_mark: str


_Sets = Mapping[tuple[str, str], _Set]


def collect(
    sets: pd.DataFrame, variants: pd.DataFrame, alternates: pd.DataFrame, threshold_reasons: Collection[str]
) -> list[Pair]:
    """Accepted and below-threshold pairs of both tasks and all languages.

    A paraphrase is compared with its set's original attribute, an alternate with its own variant's attribute, each in
    the sentence of the first group. Accepted pairs are kept paraphrases and chosen alternates; below-threshold pairs
    are candidates dropped for one of ``threshold_reasons``.

    Raises:
        ValueError: a single text as ``threshold_reasons``, or a row whose kept set or variant is missing; names it.
    """
    if isinstance(threshold_reasons, str) or not all(threshold_reasons):
        raise ValueError(f"threshold_reasons: found {threshold_reasons!r}; give a collection of reasons, none empty")
    known = kept_sets(sets)
    reasons = frozenset(threshold_reasons)
    return [*_paraphrase_pairs(variants, known, reasons), *_alternate_pairs(alternates, variants, known, reasons)]


def kept_sets(sets: pd.DataFrame) -> _Sets:
    """What the sentences of each kept set are made of, by (lang, set_id)."""
    return {
        (row.lang, row.set_id): _Set(row.cluster_id, row.bias_type, row.groups[0], row.attribute, row.final_mark)
        for row in _rows(sets)
        if row.kept
    }


def ranked(pairs: Iterable[Pair], seed: str, purpose: str) -> list[Pair]:
    """The pairs in random order, by a keyed hash."""
    return sorted(pairs, key=lambda pair: digest(seed, purpose, pair.pair_id))


def _rows(frame: pd.DataFrame) -> Iterable[Any]:
    """The frame's rows; the columns' types are those of the table's schema, which pandas cannot know."""
    return frame.itertuples()


def _find(known: _Sets, lang: str, set_id: str, where: str) -> _Set:
    if (lang, set_id) not in known:
        raise ValueError(
            f"{where}: row (lang {lang!r}, set_id {set_id!r}) has no kept row in sets; make both tables in one run"
        )
    return known[lang, set_id]


def _side(of: _Set, attribute: str, lang: str) -> Side:
    return Side(join(of.group, attribute, lang) + of.final_mark, of.group, attribute)


def _kind(accepted: bool, kept: bool, reason: str, reasons: frozenset[str]) -> str:
    if accepted:
        return ACCEPTED
    return BELOW_THRESHOLD if not kept and reason in reasons else ""


def _paraphrase_pairs(variants: pd.DataFrame, known: _Sets, reasons: frozenset[str]) -> list[Pair]:
    pairs = []
    for row in _rows(variants):
        kind = _kind(bool(row.kept), bool(row.kept), str(row.reason), reasons)
        if row.is_original or not kind:
            continue
        of = _find(known, row.lang, row.set_id, "variants")
        source, candidate = (_side(of, attribute, row.lang) for attribute in (of.attribute, row.attribute))
        pairs.append(_pair("paraphrase", row, of, "v0", source, candidate, kind))
    return pairs


def _alternate_pairs(
    alternates: pd.DataFrame, variants: pd.DataFrame, known: _Sets, reasons: frozenset[str]
) -> list[Pair]:
    attributes = {(row.lang, row.set_id, row.variant_id): row.attribute for row in _rows(variants)}
    pairs = []
    for row in _rows(alternates):
        kind = _kind(bool(row.chosen), bool(row.kept), str(row.reason), reasons)
        if not kind:
            continue
        of = _find(known, row.lang, row.set_id, "alternates")
        if (row.lang, row.set_id, row.variant_id) not in attributes:
            raise ValueError(
                f"alternates: row (lang {row.lang!r}, set_id {row.set_id!r}, variant_id {row.variant_id!r}) has no "
                "row in variants; make both tables in one run"
            )
        attribute = attributes[row.lang, row.set_id, row.variant_id]
        source, candidate = (_side(of, text, row.lang) for text in (attribute, row.alternate))
        pairs.append(_pair("alternate", row, of, str(row.variant_id), source, candidate, kind))
    return pairs


def _pair(task: str, row: Any, of: _Set, variant_id: str, source: Side, candidate: Side, kind: str) -> Pair:
    ids = {name: str(getattr(row, name)) for name in ("lang", "set_id", "candidate_id")}
    return Pair(
        task=task,
        cluster_id=of.cluster_id,
        bias_type=of.bias_type,
        variant_id=variant_id,
        source=source,
        candidate=candidate,
        kind=kind,
        scores=Scores(*(_number(getattr(row, name)) for name in Scores._fields)),
        **ids,
    )


def _number(value: Any) -> float:
    """A score, NaN where there is none: an imported set has no judgements."""
    return MISSING if pd.isna(value) else float(value)
