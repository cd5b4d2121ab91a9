"""Which pairs native speakers judge: a blind, seeded random sample per task and language.

The design is that of the paper's human study (arXiv 2610.08747, section 3.5 and appendix C): pairs that the filters
accepted, pairs whose candidate belongs to another stereotype, and pairs that a threshold dropped, shuffled within
the pair and over the sheet.

Every random choice is a rank by a keyed hash (permanent random numbers): the pairs with the smallest
SHA-256(seed, purpose, pair) are drawn. That is a simple random sample without replacement which depends neither on the
order of rows nor on a library's generator, and which loses few pairs when the data change a little, so that answers
already given stay of use.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair.artifacts import canonical_json
from dualpair.languages import join
from dualpair.schemas import table

TASKS = ("paraphrase", "alternate")
KINDS = ("accepted", "mismatched", "below_threshold")


class SampleSettings(NamedTuple):
    """Pairs asked for, per task and language."""

    accepted: int
    mismatched: int
    below_threshold: int


PAPER_SETTINGS = SampleSettings(accepted=80, mismatched=10, below_threshold=10)


class Sample(NamedTuple):
    """A drawn sample.

    Attributes:
        key: `sheet_key` frame, sorted by task, lang and position. ``set_id`` and ``variant_id`` name the source
            sentence (``v0`` for a paraphrase), ``candidate_id`` the candidate, also where they are of two sets.
        warnings: one text, with the numbers, for each kind of which there are fewer pairs than asked for.
    """

    key: pd.DataFrame
    warnings: tuple[str, ...]


class Pair(NamedTuple):
    """A source sentence and a candidate sentence that an annotator compares."""

    task: str
    lang: str
    set_id: str
    cluster_id: str
    bias_type: str
    variant_id: str
    candidate_id: str
    source: str
    candidate: str
    kind: str

    @property
    def pair_id(self) -> str:
        """Content hash of task, language and both sentences: equal in every sample that draws the pair."""
        return digest(self.task, self.lang, self.source, self.candidate)[:16]

    @property
    def wording(self) -> tuple[str, ...]:
        """Both sentences without regard to which is the source: what an annotator sees."""
        return tuple(sorted((self.source, self.candidate)))


class _Set(NamedTuple):
    cluster_id: str
    bias_type: str
    group: str
    attribute: str
    final_mark: str


_Sets = Mapping[tuple[str, str], _Set]


def digest(*parts: object) -> str:
    """SHA-256 of the parts as canonical JSON, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def sample(
    sets: pd.DataFrame,
    variants: pd.DataFrame,
    alternates: pd.DataFrame,
    settings: SampleSettings,
    seed: int,
    threshold_reasons: Collection[str],
) -> Sample:
    """Draw the pairs to judge, for each language of ``sets`` and both tasks.

    A paraphrase is compared with its set's original attribute, an alternate with its own variant's attribute, each in
    the sentence of the first group. Accepted pairs are kept paraphrases and chosen alternates; below-threshold pairs
    are candidates dropped for one of ``threshold_reasons``; a mismatched pair is the source of one set with the
    accepted candidate of a set of another bias type and another cluster. No pair is drawn twice for one task and
    language.

    Args:
        sets: `sets` frame.
        variants: `variants` frame.
        alternates: `alternates` frame.
        settings: pairs asked for; with too few, all there are.
        seed: the run's seed; the draw's own seed is a hash of it, the task and the language.
        threshold_reasons: reasons, of variants and alternates, that mean "dropped by a threshold".

    Raises:
        ValueError: a negative number in ``settings``, a single text as ``threshold_reasons``, or a row whose kept set
            or variant is missing; names the row.
    """
    _check(settings, threshold_reasons)
    known = _kept_sets(sets)
    reasons = frozenset(threshold_reasons)
    pairs = [*_paraphrase_pairs(variants, known, reasons), *_alternate_pairs(alternates, variants, known, reasons)]
    rows: list[dict[str, object]] = []
    warnings: list[str] = []
    for task in TASKS:
        for lang in sorted({lang for lang, _ in known}):
            here = [pair for pair in pairs if pair.task == task and pair.lang == lang]
            drawn, texts = _draw(here, settings, f"{task}, {lang}", digest("sheets", seed, task, lang))
            rows += drawn
            warnings += texts
    declared = table("sheet_key")
    key = pd.DataFrame(rows, columns=declared.names).sort_values(list(declared.key), ignore_index=True)
    return Sample(key, tuple(warnings))


def _check(settings: SampleSettings, threshold_reasons: Collection[str]) -> None:
    for name, value in settings._asdict().items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError(f"sample settings, {name}: found {value!r}, allowed is a whole number from 0")
    if isinstance(threshold_reasons, str) or not all(threshold_reasons):
        raise ValueError(f"threshold_reasons: found {threshold_reasons!r}; give a collection of reasons, none empty")


def _rows(frame: pd.DataFrame) -> Iterable[Any]:
    """The frame's rows; the columns' types are those of the table's schema, which pandas cannot know."""
    return frame.itertuples()


def _kept_sets(sets: pd.DataFrame) -> _Sets:
    return {
        (row.lang, row.set_id): _Set(row.cluster_id, row.bias_type, row.groups[0], row.attribute, row.final_mark)
        for row in _rows(sets)
        if row.kept
    }


def _find(known: _Sets, lang: str, set_id: str, where: str) -> _Set:
    if (lang, set_id) not in known:
        raise ValueError(
            f"{where}: row (lang {lang!r}, set_id {set_id!r}) has no kept row in sets; make both tables in one run"
        )
    return known[lang, set_id]


def _sentence(of: _Set, attribute: str, lang: str) -> str:
    return join(of.group, attribute, lang) + of.final_mark


def _kind(accepted: bool, kept: bool, reason: str, reasons: frozenset[str]) -> str:
    if accepted:
        return "accepted"
    return "below_threshold" if not kept and reason in reasons else ""


def _paraphrase_pairs(variants: pd.DataFrame, known: _Sets, reasons: frozenset[str]) -> list[Pair]:
    pairs = []
    for row in _rows(variants):
        kind = _kind(bool(row.kept), bool(row.kept), str(row.reason), reasons)
        if row.is_original or not kind:
            continue
        of = _find(known, row.lang, row.set_id, "variants")
        source, candidate = (_sentence(of, attribute, row.lang) for attribute in (of.attribute, row.attribute))
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
        source, candidate = (_sentence(of, text, row.lang) for text in (attribute, row.alternate))
        pairs.append(_pair("alternate", row, of, str(row.variant_id), source, candidate, kind))
    return pairs


def _pair(task: str, row: Any, of: _Set, variant_id: str, source: str, candidate: str, kind: str) -> Pair:
    ids = {name: str(getattr(row, name)) for name in ("lang", "set_id", "candidate_id")}
    return Pair(
        task=task,
        cluster_id=of.cluster_id,
        bias_type=of.bias_type,
        variant_id=variant_id,
        source=source,
        candidate=candidate,
        kind=kind,
        **ids,
    )


def _distinct(pairs: Iterable[Pair], taken: Collection[tuple[str, ...]] = ()) -> list[Pair]:
    """One pair per wording (the first by set, variant and candidate), none whose wording is ``taken``."""
    found: dict[tuple[str, ...], Pair] = {}
    for pair in sorted(pairs):
        found.setdefault(pair.wording, pair)
    return [pair for wording, pair in found.items() if wording not in taken]


def _ranked(pairs: Iterable[Pair], seed: str, purpose: str) -> list[Pair]:
    """The pairs in random order."""
    return sorted(pairs, key=lambda pair: digest(seed, purpose, pair.pair_id))


def _draw(
    pairs: list[Pair], settings: SampleSettings, where: str, seed: str
) -> tuple[list[dict[str, object]], list[str]]:
    """The rows of one sheet in sheet order, and its warnings."""
    accepted = _distinct(pair for pair in pairs if pair.kind == "accepted")
    taken = {pair.wording for pair in accepted}
    below = _distinct((pair for pair in pairs if pair.kind == "below_threshold"), taken)
    taken |= {pair.wording for pair in below}
    drawn = {
        "accepted": _ranked(accepted, seed, "accepted")[: settings.accepted],
        "mismatched": _mismatched(accepted, settings.mismatched, taken, seed),
        "below_threshold": _ranked(below, seed, "below_threshold")[: settings.below_threshold],
    }
    asked = settings._asdict()
    warnings = [
        f"{where}: {len(drawn[kind])} of the {asked[kind]} {kind} pairs asked for; there are no more"
        for kind in KINDS
        if len(drawn[kind]) < asked[kind]
    ]
    sheet = _ranked((pair for kind in KINDS for pair in drawn[kind]), seed, "position")
    return [_row(pair, position, seed) for position, pair in enumerate(sheet, start=1)], warnings


def _mismatched(accepted: list[Pair], n: int, taken: Collection[tuple[str, ...]], seed: str) -> list[Pair]:
    """Up to n random candidates, each with a random source of another bias type, cluster and wording.

    A candidate is used once at most; ``taken`` are the wordings that mean something else.
    """
    sources = list({pair.source: pair for pair in reversed(accepted)}.values())
    used = set(taken)
    found: list[Pair] = []
    for of in _ranked(accepted, seed, "mismatched"):
        if len(found) == n:
            break
        options = [
            source._replace(candidate_id=of.candidate_id, candidate=of.candidate, kind="mismatched")
            for source in sources
            if source.bias_type != of.bias_type
            and source.cluster_id != of.cluster_id
            and source.source not in (of.source, of.candidate)
        ]
        free = [pair for pair in options if pair.wording not in used]
        if free:
            found.append(_ranked(free, seed, "source")[0])
            used.add(found[-1].wording)
    return found


def _row(pair: Pair, position: int, seed: str) -> dict[str, object]:
    source_first = int(digest(seed, "order", pair.pair_id)[:8], 16) % 2 == 0
    first, second = (pair.source, pair.candidate) if source_first else (pair.candidate, pair.source)
    return {
        # Made of what is printed and of nothing else, so it cannot tell the kind; the letter in front keeps a
        # spreadsheet program from reading the id as a number or a date.
        "item_id": "i" + digest("item", pair.task, pair.lang, first, second)[:15],
        "pair_id": pair.pair_id,
        "task": pair.task,
        "lang": pair.lang,
        "set_id": pair.set_id,
        "variant_id": pair.variant_id,
        "candidate_id": pair.candidate_id,
        "kind": pair.kind,
        "position": position,
        "first": first,
        "second": second,
        "source_first": source_first,
    }
