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

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from dualpair.schemas import table
from dualpair.validation.digests import digest
from dualpair.validation.instructions import TASKS
from dualpair.validation.mismatch import Similarity, mismatched
from dualpair.validation.pairs import (
    ACCEPTED,
    BELOW_THRESHOLD,
    KINDS,
    MISMATCHED,
    Pair,
    collect,
    kept_sets,
    ranked,
)

NO_BALANCE, BY_BIAS_TYPE = BALANCES = ("none", "bias_type")


class SampleSettings(NamedTuple):
    """Pairs asked for, per task and language; how they are balanced; and how many annotators get them."""

    accepted: int
    mismatched: int
    below_threshold: int
    balance: str = NO_BALANCE
    annotators: int = 1


PAPER_SETTINGS = SampleSettings(accepted=80, mismatched=10, below_threshold=10)


class Sample(NamedTuple):
    """A drawn sample.

    Attributes:
        key: `sheet_key` frame, sorted by task, lang, annotator and position. ``set_id`` and ``variant_id`` name the
            source sentence (``v0`` for a paraphrase), ``candidate_id`` the candidate, also where they are of two sets.
        warnings: one text, with the numbers, for each kind of which there are fewer pairs than asked for.
    """

    key: pd.DataFrame
    warnings: tuple[str, ...]


class _Drawn(NamedTuple):
    """A pair of the sample and its weight: the inverse of its chance to be drawn, scaled to a mean of 1 in its kind."""

    pair: Pair
    weight: float


def sample(
    sets: pd.DataFrame,
    variants: pd.DataFrame,
    alternates: pd.DataFrame,
    settings: SampleSettings,
    seed: int,
    threshold_reasons: Collection[str],
    similarity: Similarity | None = None,
) -> Sample:
    """Draw the pairs to judge, for each language of ``sets`` and both tasks.

    Accepted and below-threshold pairs are those of :func:`dualpair.validation.pairs.collect`; mismatched ones those of
    :func:`dualpair.validation.mismatch.mismatched`. No pair is drawn twice for one task and language. All annotators
    get the same pairs, printed alike, in another order.

    Args:
        sets: `sets` frame.
        variants: `variants` frame.
        alternates: `alternates` frame.
        settings: pairs asked for; with too few, all there are.
        seed: the run's seed; the draw's own seed is a hash of it, the task and the language.
        threshold_reasons: reasons, of variants and alternates, that mean "dropped by a threshold".
        similarity: the run's similarity filter, by which mismatched pairs are checked too.

    Raises:
        ValueError: a bad number or word in ``settings``, or see :func:`dualpair.validation.pairs.collect`.
    """
    _check(settings)
    pairs = collect(sets, variants, alternates, threshold_reasons)
    rows: list[dict[str, object]] = []
    warnings: list[str] = []
    for task in TASKS:
        for lang in sorted({lang for lang, _ in kept_sets(sets)}):
            here = [pair for pair in pairs if pair.task == task and pair.lang == lang]
            drawn_seed = digest("sheets", seed, task, lang)
            drawn, texts = _draw(here, settings, f"{task}, {lang}", drawn_seed, similarity)
            warnings += texts
            for annotator in annotators(settings.annotators):
                rows += _sheet(drawn, annotator, drawn_seed)
    declared = table("sheet_key")
    key = pd.DataFrame(rows, columns=declared.names).sort_values(list(declared.key), ignore_index=True)
    return Sample(key, tuple(warnings))


def annotators(number: int) -> list[str]:
    """Names of the annotators, which are also their folders' names: annotator-1, annotator-2, ..."""
    return [f"annotator-{one}" for one in range(1, number + 1)]


def _check(settings: SampleSettings) -> None:
    for name, value in settings._asdict().items():
        if name == "balance":
            continue
        least = 1 if name == "annotators" else 0
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"sample settings, {name}: found {value!r}, allowed is a whole number from {least}")
    if settings.balance not in BALANCES:
        raise ValueError(f"sample settings, balance: found {settings.balance!r}, allowed are {', '.join(BALANCES)}")


def _distinct(pairs: Iterable[Pair], taken: Collection[tuple[str, ...]] = ()) -> list[Pair]:
    """One pair per wording (the first by set, variant and candidate), none whose wording is ``taken``."""
    found: dict[tuple[str, ...], Pair] = {}
    for pair in sorted(pairs, key=lambda one: (one.set_id, one.variant_id, one.candidate_id)):
        found.setdefault(pair.wording, pair)
    return [pair for wording, pair in found.items() if wording not in taken]


def _draw(
    pairs: list[Pair], settings: SampleSettings, where: str, seed: str, similarity: Similarity | None
) -> tuple[list[_Drawn], list[str]]:
    """The pairs of one task and language, and the warnings."""
    accepted = _distinct(pair for pair in pairs if pair.kind == ACCEPTED)
    taken = {pair.wording for pair in accepted}
    below = _distinct((pair for pair in pairs if pair.kind == BELOW_THRESHOLD), taken)
    taken |= {pair.wording for pair in below}
    planted = mismatched(accepted, settings.mismatched, taken, seed, similarity)
    pick = _balanced if settings.balance == BY_BIAS_TYPE else _simple
    drawn = {
        ACCEPTED: pick(ranked(accepted, seed, ACCEPTED), settings.accepted, seed),
        MISMATCHED: [_Drawn(pair, 1.0) for pair in planted],
        BELOW_THRESHOLD: pick(ranked(below, seed, BELOW_THRESHOLD), settings.below_threshold, seed),
    }
    asked = settings._asdict()
    warnings = [
        f"{where}: {len(drawn[kind])} of the {asked[kind]} {kind} pairs asked for; there are no more"
        for kind in KINDS
        if len(drawn[kind]) < asked[kind]
    ]
    unchecked = sum(pair.scores.similarity != pair.scores.similarity for pair in planted)
    if similarity is not None and unchecked:
        warnings.append(
            f"{where}: {unchecked} of {len(planted)} mismatched pairs were checked by their words alone, because the "
            "store lacks vectors of the similarity filter"
        )
    return [one for kind in KINDS for one in drawn[kind]], warnings


def _simple(ranked: Sequence[Pair], n: int, seed: str) -> list[_Drawn]:
    """The first n: every pair has the same chance."""
    return [_Drawn(pair, 1.0) for pair in ranked[:n]]


def _balanced(ranked: Sequence[Pair], n: int, seed: str) -> list[_Drawn]:
    """Up to n pairs, as equally many of each bias type as there are (stratified sample with equal allocation).

    The pairs are taken in turns; which bias types go first, and so get the odd ones, is random too. The weight is the
    stratum's size over its part of the sample, scaled to a mean of 1 (Horvitz and Thompson, 1952).
    """
    strata: dict[str, list[Pair]] = {}
    for pair in ranked:
        strata.setdefault(pair.bias_type, []).append(pair)
    order = {bias: number for number, bias in enumerate(sorted(strata, key=lambda b: digest(seed, "stratum", b)))}
    turns = sorted((turn, order[bias]) for bias, members in strata.items() for turn in range(len(members)))[:n]
    taken = {bias: sum(place == order[bias] for _, place in turns) for bias in strata}
    per_pair = len(turns) / len(ranked) if ranked else 0.0
    return [
        _Drawn(pair, len(members) / taken[bias] * per_pair)
        for bias, members in strata.items()
        for pair in members[: taken[bias]]
    ]


def _sheet(drawn: list[_Drawn], annotator: str, seed: str) -> list[dict[str, object]]:
    """The rows of one annotator's sheet, in an order of its own."""
    mixed = sorted(drawn, key=lambda one: digest(seed, "position", annotator, one.pair.pair_id))
    return [_row(one, annotator, position, seed) for position, one in enumerate(mixed, start=1)]


def _row(one: _Drawn, annotator: str, position: int, seed: str) -> dict[str, object]:
    pair = one.pair
    source_first = int(digest(seed, "order", pair.pair_id)[:8], 16) % 2 == 0
    ordered = (pair.source, pair.candidate) if source_first else (pair.candidate, pair.source)
    first, second = (side.sentence for side in ordered)
    return {
        # Made of what is printed and of nothing else, so it cannot tell the kind; the letter in front keeps a
        # spreadsheet program from reading the id as a number or a date.
        "item_id": "i" + digest("item", pair.task, pair.lang, first, second)[:15],
        "pair_id": pair.pair_id,
        "task": pair.task,
        "lang": pair.lang,
        "annotator": annotator,
        "position": position,
        "set_id": pair.set_id,
        "variant_id": pair.variant_id,
        "candidate_id": pair.candidate_id,
        "bias_type": pair.bias_type,
        "kind": pair.kind,
        "first": first,
        "second": second,
        "source_first": source_first,
        "weight": one.weight,
        **pair.scores._asdict(),
    }
