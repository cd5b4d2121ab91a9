"""How grammar engines do on planted errors: scores, flags, thresholds, and the statistics to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dualpair.filters import grammar, grammar_lm, planted
from dualpair.filters.planted import SIDES, Item, Text
from dualpair.scoring.rows import ScoredRow

Rows = Mapping[Text, ScoredRow]
Find = Callable[[str, Sequence[Text]], list[list[str]]]  # from a language and texts to the findings' ids of each
Score = Callable[[ScoredRow, ScoredRow], float]
Values = dict[str, dict[str, list[float]]]  # language to side to a number for each item


class Engine(NamedTuple):
    """What an engine says of planted errors: scores (the higher, the better) and flags."""

    name: str
    scores: Values
    flags: dict[str, dict[str, list[bool]]]


def _sum(row: ScoredRow) -> tuple[float, int]:
    sums = row.sums()
    return sums.logprob_sum, sums.n_tokens


def _level(row: ScoredRow) -> float:
    return grammar_lm.level(*_sum(row))


def _attribute(row: ScoredRow) -> npt.NDArray[np.float64]:
    return np.array(row.logprobs[row.n_prefix - 1 :])


def _sentence(row: ScoredRow) -> npt.NDArray[np.float64]:
    return np.array(row.logprobs[row.first_scored - 1 :])


def adopted(candidate: ScoredRow, source: ScoredRow) -> float:
    """The score that engine lm gives."""
    return grammar_lm.score(_sum(candidate), _sum(source))


STATISTICS: dict[str, Score] = {
    "sentence: mean per token, minus the source's": lambda c, s: float(_sentence(c).mean() - _sentence(s).mean()),
    "attribute: mean per token, minus the source's": lambda c, s: float(_attribute(c).mean() - _attribute(s).mean()),
    "attribute: least likely token, minus the source's": lambda c, s: float(_attribute(c).min() - _attribute(s).min()),
    "attribute: sum, minus the source's": lambda c, s: float(_attribute(c).sum() - _attribute(s).sum()),
    "attribute: mean per token, alone": lambda c, _: float(_attribute(c).mean()),
    "attribute: sum / √tokens, alone": lambda c, _: _level(c),
    "attribute: sum / √tokens, minus the source's": lambda c, s: _level(c) - _level(s),
    "**attribute: sum / √tokens, minus half the source's**": adopted,
}


def by_side(items: Sequence[Item], value: Callable[[Item, Text], float]) -> Values:
    """A number for the correct and the faulty candidate of each item."""
    found: Values = {}
    for item in items:
        sides = found.setdefault(item.lang, {side: [] for side in SIDES})
        sides["correct"].append(value(item, item.correct))
        sides["faulty"].append(value(item, item.faulty))
    return found


def values(statistic: str, items: Sequence[Item], rows: Rows) -> Values:
    """One of :data:`STATISTICS` of both candidates of each item."""
    score = STATISTICS[statistic]
    return by_side(items, lambda item, text: score(rows[text], rows[item.source]))


def lm_engine(name: str, items: Sequence[Item], rows: Rows, lost: float) -> Engine:
    """Engine lm on planted errors; flagged by thresholds that were fitted without the row."""
    scores = by_side(items, lambda item, text: adopted(rows[text], rows[item.source]))
    flags = {}
    for lang, sides in scores.items():
        ids = [item.id for item in items if item.lang == lang]
        out = planted.flagged_out_of_fold(ids, sides["correct"], sides["faulty"], lost)
        flags[lang] = {side: [bool(flag) for flag in values] for side, values in zip(SIDES, out, strict=True)}
    return Engine(f"lm: {name}", scores, flags)


def thresholds(scores: Values, lost: float) -> dict[str, float]:
    """Each language's threshold, fitted on all its rows, and `default` for others: the lowest, which loses least."""
    found = {lang: grammar_lm.threshold(sides["correct"], lost) for lang, sides in scores.items()}
    return {"default": min(found.values()), **found}


def slopes(items: Sequence[Item], rows: Rows) -> list[float]:
    """By language, the slope of the regression of correct candidates' levels on their sources'."""
    found = []
    for lang in dict.fromkeys(item.lang for item in items):
        own = [item for item in items if item.lang == lang]
        levels = [np.array([_level(rows[text]) for text in texts])
                  for texts in ([item.source for item in own], [item.correct for item in own])]  # fmt: skip
        found.append(float(np.polyfit(levels[0], levels[1], 1)[0]))
    return found


def finding_engine(name: str, items: Sequence[Item], find: Find) -> Engine:
    """An engine that names its findings: those count which the source does not have."""
    ids: dict[tuple[str, Text], list[str]] = {}
    for lang in dict.fromkeys(item.lang for item in items):
        texts = sorted({t for i in items if i.lang == lang for t in (i.source, i.correct, i.faulty)})
        ids |= dict(zip([(lang, text) for text in texts], find(lang, texts), strict=True))
    scores = by_side(items, lambda i, text: -float(len(grammar.added(ids[i.lang, text], ids[i.lang, i.source]))))
    flags = {
        lang: {side: [value < 0 for value in values] for side, values in sides.items()}
        for lang, sides in scores.items()
    }
    return Engine(name, scores, flags)


def combined(name: str, engines: Sequence[Engine]) -> Engine:
    """Engines of which each can drop a candidate; such a combination has flags and no score."""
    flags = {
        lang: {
            side: [any(values) for values in zip(*(one.flags[lang][side] for one in engines), strict=True)]
            for side in SIDES
        }
        for lang in engines[0].flags
        if all(lang in one.flags for one in engines)
    }
    return Engine(name, {}, flags)
