"""Grammar: which findings a candidate adds to its source's, and what they decide. No engine is called here.

Every group's sentence is looked at, and compared with the same group's sentence of the source: what LanguageTool finds
in a group's name, or in the stereotype as it was given, is no fault of the candidate.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from dualpair.filters.grammar_engines import AGREEMENT, LANGUAGETOOL, LM, engine_of

FINDING = "grammar_finding"
DEPENDS_ON_GROUP = "attribute_depends_on_group"
LM_BELOW = "grammar_lm_below_threshold"
NOT_JUDGED = "not_judged"
REASONS = (FINDING, DEPENDS_ON_GROUP, LM_BELOW, NOT_JUDGED)

Threshold = float | Mapping[str, float] | None


class Rules(NamedTuple):
    """What a candidate must pass.

    Attributes:
        engines: engines of each language that has any; a candidate of another language passes.
        threshold: engine lm's, on its score's scale: one number, or one per language with `default` for the others.
    """

    engines: Mapping[str, Sequence[str]] = MappingProxyType({})
    threshold: Threshold = None

    def threshold_of(self, lang: str) -> float:
        """Engine lm's threshold in a language.

        Raises:
            ValueError: there is none.
        """
        given = self.threshold
        value = given.get(lang, given.get("default")) if isinstance(given, Mapping) else given
        if value is None:
            raise ValueError(
                f"grammar engine {LM}: no threshold for language {lang!r}; the model's entry needs `thresholds.grammar`"
            )
        return float(value)


def added(candidate: Iterable[str], source: Iterable[str]) -> list[str]:
    """Ids of the candidate's findings that its source does not have, as a multiset, sorted.

    A rule that fires twice in the candidate and once in the source counts once.
    """
    return sorted((Counter(candidate) - Counter(source)).elements())


def decide(candidates: pd.DataFrame, judgements: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """What grammar says about each candidate.

    Args:
        candidates: the `candidates` table, or a part of it.
        judgements: the `judgements` table of role grammar, of all engines.
        rules: engines per language and engine lm's threshold.

    Returns:
        One row per candidate, in their order: candidate_id, grammar_findings (sum over groups and engines; missing
        where none looked), grammar_finding_ids, grammar_score (minimum over groups) and grammar_reason: empty (passes),
        or one of :data:`REASONS`.
    """
    found = _by_candidate(judgements)
    rows = []
    for candidate in candidates.itertuples():
        lang = str(candidate.lang)
        wanted = rules.engines.get(lang, ())
        parts = found.get(str(candidate.candidate_id), {})
        rows.append((candidate.candidate_id, *_numbers(parts), _reason(parts, wanted, lang, rules)))
    names = ["candidate_id", "grammar_findings", "grammar_finding_ids", "grammar_score", "grammar_reason"]
    return pd.DataFrame(rows, columns=names).astype({"grammar_findings": "Int64", "grammar_score": "float64"})


class _Finding(NamedTuple):
    """One engine's judgement of one group's sentence; NaN where it gave no such number."""

    group_index: int
    findings: float
    ids: str
    score: float


def _by_candidate(judgements: pd.DataFrame) -> dict[str, dict[str, list[_Finding]]]:
    columns = (judgements[name] for name in ("group_index", "findings", "finding_ids", "grammar_score"))
    found: dict[str, dict[str, list[_Finding]]] = {}
    for candidate, model, *given in zip(judgements["candidate_id"], judgements["model"], *columns, strict=True):
        index, findings, ids, score = given
        numbers = (math.nan if pd.isna(value) else float(value) for value in (findings, score))
        one = _Finding(int(index), next(numbers), str(ids), next(numbers))
        found.setdefault(str(candidate), {}).setdefault(engine_of(str(model)), []).append(one)
    return found


def _numbers(parts: Mapping[str, Sequence[_Finding]]) -> tuple[int | None, str, float]:
    every = [one for rows in parts.values() for one in rows]
    counts = [one.findings for one in every if not math.isnan(one.findings)]
    scores = [one.score for one in every if not math.isnan(one.score)]
    ids = sorted({name for one in every for name in one.ids.split()})
    return (int(sum(counts)) if counts else None, " ".join(ids), min(scores, default=math.nan))


def _reason(parts: Mapping[str, Sequence[_Finding]], wanted: Sequence[str], lang: str, rules: Rules) -> str:
    for engine in wanted:
        rows = parts.get(engine, [])
        if not rows or any(math.isnan(one.score if engine == LM else one.findings) for one in rows):
            return NOT_JUDGED
    if LANGUAGETOOL in wanted:
        groups = {one.group_index for one in parts[LANGUAGETOOL] if one.findings > 0}
        if groups:
            return FINDING if 0 in groups else DEPENDS_ON_GROUP
    if AGREEMENT in wanted and any(one.findings > 0 for one in parts[AGREEMENT]):
        return FINDING if all(one.findings > 0 for one in parts[AGREEMENT]) else DEPENDS_ON_GROUP
    if LM in wanted and min(one.score for one in parts[LM]) < rules.threshold_of(lang):
        return LM_BELOW
    return ""


def from_json(data: Mapping[str, Any]) -> Rules:
    """Rules from what a workflow rule passes to its script."""
    return Rules(dict(data["engines"]), data["threshold"])
