"""What other thresholds would have kept: the yield of each filter against its threshold, from numbers already there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.filters import grammar, selection
from dualpair.filters.acceptance import ALTERNATE, PARAPHRASE
from dualpair.filters.selection import Judged, Thresholds

SIMILARITY, NLI, GRAMMAR, ACCEPTANCE = "similarity", "nli", "grammar", "acceptance"
SIMILARITY_GRID = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
NLI_GRID = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.99)
ACCEPTANCE_GRID = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
# The scale of engine lm's score differs between models, so its steps are counted from the threshold in use.
GRAMMAR_STEPS = (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0)

Reason = Callable[[Any, Thresholds], str]


class Knob(NamedTuple):
    """One threshold that is varied while the others stay: its judge, the values, and how a value is put in place."""

    judge: str
    values: tuple[float, ...]
    current: float
    at: Callable[[float], Thresholds]


def yields(
    variants: pd.DataFrame, paraphrases: Judged, rounds: Sequence[Judged], thresholds: Thresholds
) -> pd.DataFrame:
    """Candidates and sources that pass, for a grid of each threshold while the others are as configured.

    A candidate that a looser threshold would admit to a judge that never saw it is counted as not judged, so the
    yield beyond the configured threshold of an earlier filter is a lower bound. No limit on paraphrases is applied.

    Args:
        variants: the `variants` table; alternates are counted for its kept rows.
        paraphrases: the paraphrase candidates and their judgements.
        rounds: those of each round of alternates.
        thresholds: the configured ones.

    Returns:
        The `yields` frame. ``n_sources`` is the number of sets (paraphrases) or kept variants (alternates) with a
        candidate that hygiene kept; ``n_served`` of those with one that passes.
    """
    parts = [_task(PARAPHRASE, paraphrases.candidates, [paraphrases], thresholds, ["set_id"])]
    if rounds:
        alive = variants.loc[variants["kept"], ["lang", "set_id", "variant_id"]]
        every = pd.concat([one.candidates for one in rounds], ignore_index=True)
        mine = every.merge(alive, on=["lang", "set_id", "variant_id"], how="inner", validate="many_to_one")
        parts.append(_task(ALTERNATE, mine, rounds, thresholds, ["set_id", "variant_id"]))
    rows = [row for part in parts for row in part]
    declared = schemas.table("yields")
    frame = pd.DataFrame(rows, columns=declared.names)
    return frame.sort_values(list(declared.key), ignore_index=True)


def _task(
    task: str, wanted: pd.DataFrame, judged: Sequence[Judged], thresholds: Thresholds, source: list[str]
) -> Iterator[dict[str, Any]]:
    reason: Reason = selection.paraphrase_reason if task == PARAPHRASE else selection.alternate_reason
    ids = set(wanted.loc[wanted["kept"].astype(bool), "candidate_id"])
    for lang in sorted(set(wanted["lang"])):
        for knob in _knobs(task, lang, thresholds):
            for value in knob.values:
                changed = knob.at(value)
                rows = _decided(judged, ids, lang, changed, reason, task)
                yield _row(task, lang, knob, value, rows, source)


def _decided(
    judged: Sequence[Judged], ids: set[str], lang: str, thresholds: Thresholds, reason: Reason, task: str
) -> pd.DataFrame:
    """Candidates of a language that hygiene kept, with the reason under the thresholds."""
    frames = []
    for one in judged:
        mine = one.candidates["candidate_id"].isin(ids) & (one.candidates["lang"] == lang)
        merged = selection.merge_judgements(one._replace(candidates=one.candidates[mine]), thresholds, task)
        merged["decided"] = [reason(row, thresholds) for row in merged.itertuples()]
        frames.append(merged)
    return pd.concat(frames, ignore_index=True)


def _row(task: str, lang: str, knob: Knob, value: float, rows: pd.DataFrame, source: list[str]) -> dict[str, Any]:
    passed = rows["decided"] == ""
    return {
        "task": task,
        "lang": lang,
        "judge": knob.judge,
        "threshold": value,
        "current": value == knob.current,
        "n_candidates": len(rows),
        "n_accepted": int(passed.sum()),
        "n_unjudged": int((rows["decided"] == grammar.NOT_JUDGED).sum()),
        "n_sources": len(rows[source].drop_duplicates()),
        "n_served": len(rows.loc[passed, source].drop_duplicates()),
    }


def _knobs(task: str, lang: str, thresholds: Thresholds) -> list[Knob]:
    """The thresholds of a task in a language, each with its grid, the configured value among them."""
    knobs = []
    if task == PARAPHRASE:
        knobs.append(_knob(SIMILARITY, SIMILARITY_GRID, thresholds.similarity, thresholds, "similarity"))
        knobs.append(_knob(NLI, NLI_GRID, thresholds.nli_paraphrase, thresholds, "nli_paraphrase"))
    else:
        knobs.append(_knob(NLI, NLI_GRID, thresholds.alternate(lang), thresholds, "nli_alternate"))
    rules = thresholds.grammar
    if "lm" in rules.engines.get(lang, ()):
        current = rules.threshold_of(lang)
        grid = tuple(round(current + step, 4) for step in GRAMMAR_STEPS)

        def at(value: float) -> Thresholds:
            return thresholds._replace(grammar=rules._replace(threshold=value))

        knobs.append(Knob(GRAMMAR, _with(grid, current), current, at))
    return [*knobs, *_acceptance_knob(task, lang, thresholds)]


def _acceptance_knob(task: str, lang: str, thresholds: Thresholds) -> list[Knob]:
    """The threshold of P(accepted), where a fit is asked for."""
    fit = thresholds.acceptance
    if fit is None:
        return []
    mine = fit.of(task)

    def at(value: float) -> Thresholds:
        changed = mine.model_copy(update={"thresholds": {**mine.thresholds, lang: value}})
        return thresholds._replace(acceptance=fit.model_copy(update={task: changed}))

    current = mine.thresholds[lang]
    return [Knob(ACCEPTANCE, _with(ACCEPTANCE_GRID, current), current, at)]


def _knob(judge: str, grid: tuple[float, ...], current: float, thresholds: Thresholds, field: str) -> Knob:
    def at(value: float) -> Thresholds:
        change: Mapping[str, Any] = {field: value}
        return thresholds._replace(**change)

    return Knob(judge, _with(grid, current), current, at)


def _with(grid: tuple[float, ...], current: float) -> tuple[float, ...]:
    others = [value for value in grid if not np.isclose(value, current)]
    return tuple(sorted([*others, current]))
