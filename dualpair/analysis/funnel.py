"""Where rows were lost: visited, kept and dropped at every stage, with reasons, and a check for uneven losses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair import schemas
from dualpair.analysis.multiple import holm
from dualpair.filters.selection import NO_ALTERNATE, REJECTED_BY_ANNOTATORS
from dualpair.languages import language_name

STAGES = ("stereotypes", "sets", "paraphrase", "alternate", "augmented")
KEPT = "kept"
ALPHA = 0.05
WARNING_COLUMNS = [
    "stage", "lang", "group", "dropped", "visited", "share", "other_dropped", "other_visited", "other_share", "p",
    "p_holm", "text",
]  # fmt: skip

_SET = ["lang", "set_id"]
_VARIANT = ["lang", "set_id", "variant_id"]
Key = tuple[str, ...]


class Outcome(NamedTuple):
    """What became of one row of a stage: ``kept``, or the reason for dropping it."""

    key: Key
    bias_type: str
    reason: str


def funnel(
    stereotypes: pd.DataFrame,
    sets: pd.DataFrame,
    candidates: pd.DataFrame,
    variants: pd.DataFrame,
    alternates: pd.DataFrame,
    augmented: pd.DataFrame,
    rejected: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Rows visited, kept and dropped per stage, language, bias type and stereotyped group.

    A stage's rows are: sentences (``stereotypes``), sets (``sets``), distinct candidates of the two generation tasks
    (``paraphrase``, ``alternate``; dropped by hygiene or by selection), and kept variants, the original among them
    (``augmented``; kept when a usable pair was made). Alternates are counted for kept variants only.

    Args:
        stereotypes: the ``stereotypes`` table.
        sets: the ``sets`` table.
        candidates: the ``candidates`` tables of all tasks, one below the other.
        variants: the ``variants`` table.
        alternates: the ``alternates`` table.
        augmented: the ``augmented`` table.
        rejected: the ``validation_rejected`` table, where ``augmented`` is without those pairs.

    Returns:
        The ``funnel`` table, sorted by its key (stages in alphabetical order; :data:`STAGES` is the order of work).

    Raises:
        ValueError: if a row is lost or appears between two stages, or a dropped row has no reason.
    """
    groups = _first_groups(stereotypes, sets)
    paraphrases = candidates.loc[candidates["task"] == "paraphrase"]
    kept_variants = set(_keys(variants.loc[_flags(variants)], _VARIANT))
    # Opposites made for a variant that a tighter threshold has dropped since are no rows of this run.
    alive = pd.Series([key in kept_variants for key in _keys(candidates, _VARIANT)], candidates.index, dtype=bool)
    opposites = candidates.loc[(candidates["task"] != "paraphrase") & alive]
    _check_source(stereotypes, sets)
    _check_below("variants", variants, _keys(sets.loc[_flags(sets)], _SET), _SET, "a kept set")
    _check_below("alternates", alternates, kept_variants, _VARIANT, "a kept variant")
    outcomes = {
        "stereotypes": _decided("stereotypes", stereotypes),
        "sets": _decided("sets", sets),
        "paraphrase": _judged("variants", paraphrases, variants.loc[~variants["is_original"].astype(bool)]),
        "alternate": _judged("alternates", opposites, alternates),
        "augmented": _paired(variants, alternates, augmented, rejected),
    }
    return _tabulate(outcomes, groups)


def check(frame: pd.DataFrame) -> None:
    """Check that the outcomes of each stage, language, bias type and group add up to the rows visited.

    Args:
        frame: a ``funnel`` table.

    Raises:
        ValueError: naming the first cell that does not add up.
    """
    cell = ["stage", "lang", "bias_type", "group"]
    for key, rows in frame.groupby(cell, sort=True):
        visited = sorted(set(rows["visited"]))
        if len(visited) != 1 or int(rows["n"].sum()) != visited[0]:
            where = ", ".join(f"{name} {value!r}" for name, value in zip(cell, _tuple(key), strict=True))
            raise ValueError(f"funnel does not add up at {where}: outcomes sum to {rows['n'].sum()}, visited {visited}")


def uneven_losses(frame: pd.DataFrame, alpha: float = ALPHA) -> pd.DataFrame:
    """Stereotyped groups that lose significantly more rows than the others of their stage and language.

    One-sided Fisher exact test of each group against all others, Holm-corrected over the groups of the stage and
    language. Candidates of one stereotype are not independent, so that a small p of a generation stage is a hint to
    look, not proof.

    Args:
        frame: a ``funnel`` table.
        alpha: level of the corrected p-value.

    Returns:
        One row per warning, sorted by stage (in the order of work), lang and group, with the columns
        :data:`WARNING_COLUMNS`; ``text`` says it in one sentence.
    """
    rows: list[dict[str, Any]] = []
    for stage in STAGES:
        part = frame.loc[(frame["stage"] == stage) & (frame["group"] != "")]
        for lang, cell in part.groupby("lang", sort=True):
            rows += _compare(stage, str(lang), cell, alpha)
    return pd.DataFrame(rows, columns=WARNING_COLUMNS)


def _compare(stage: str, lang: str, cell: pd.DataFrame, alpha: float) -> list[dict[str, Any]]:
    visited = cell.groupby("group", sort=True)["n"].sum()
    dropped = cell.loc[cell["reason"] != KEPT].groupby("group")["n"].sum().reindex(visited.index, fill_value=0)
    if len(visited) < 2:
        return []
    from scipy.stats import fisher_exact

    lost, seen = int(dropped.sum()), int(visited.sum())
    tests: list[dict[str, Any]] = []
    for group in visited.index:
        d, v = int(dropped[group]), int(visited[group])
        other_d, other_v = lost - d, seen - v
        p = float(fisher_exact([[d, v - d], [other_d, other_v - other_d]], alternative="greater").pvalue)
        test: dict[str, Any] = {
            "stage": stage,
            "lang": lang,
            "group": str(group),
            "dropped": d,
            "visited": v,
            "share": d / v,
        }
        tests.append(
            test | {"other_dropped": other_d, "other_visited": other_v, "other_share": other_d / other_v, "p": p}
        )
    corrected = holm([test["p"] for test in tests]).tolist()
    return [
        {**test, "p_holm": p, "text": _sentence(test, p)} for test, p in zip(tests, corrected, strict=True) if p < alpha
    ]


def _sentence(test: Mapping[str, Any], p: float) -> str:
    size = "p\u00a0<\u00a00.001" if p < 0.001 else f"p\u00a0=\u00a0{p:.2g}"
    return (
        f"{language_name(test['lang'])}, stage {test['stage']}: “{test['group']}” lost {test['dropped']} of "
        f"{test['visited']} rows ({test['share']:.0%}), the other groups {test['other_dropped']} of "
        f"{test['other_visited']} ({test['other_share']:.0%}); Fisher exact, Holm-corrected {size}."
    )


def _first_groups(stereotypes: pd.DataFrame, sets: pd.DataFrame) -> dict[Key, str]:
    """(lang, set_id) to the stereotyped group, where the source or the parse gives one."""
    given = stereotypes.loc[(stereotypes["role"] == "stereotyped") & (stereotypes["group"] != "")]
    found = dict(zip(_keys(given, _SET), given["group"], strict=True))
    parsed = zip(_keys(sets, _SET), sets["groups"], strict=True)
    return found | {key: str(groups[0]) for key, groups in parsed if len(groups)}


def _check_source(stereotypes: pd.DataFrame, sets: pd.DataFrame) -> None:
    if sets.duplicated(_SET).any():
        raise ValueError(f"sets has {_name(_keys(sets.loc[sets.duplicated(_SET)], _SET)[0])} twice")
    known = set(_keys(stereotypes, _SET))
    _check_below("sets", sets, list(known), _SET, "a set of the stereotypes table")
    lost = set(_keys(stereotypes.loc[_flags(stereotypes)], _SET)) - set(_keys(sets, _SET))
    if lost:
        raise ValueError(f"{len(lost)} sets of kept sentences are missing from the sets table, e.g. {_name(min(lost))}")


def _check_below(name: str, frame: pd.DataFrame, allowed: Iterable[Key], columns: list[str], what: str) -> None:
    odd = set(_keys(frame, columns)) - set(allowed)
    if odd:
        raise ValueError(f"{len(odd)} keys of {name} do not belong to {what}, e.g. {_name(min(odd))}")


def _decided(name: str, frame: pd.DataFrame) -> list[Outcome]:
    """Outcomes of a table that carries its own decision in kept and reason."""
    kept = _flags(frame)
    odd = frame.loc[kept != (frame["reason"] == "")]
    if len(odd):
        raise ValueError(
            f"{len(odd)} rows of {name} have kept and reason at odds, e.g. {_name(_keys(odd, _SET)[0])}: "
            "a kept row has an empty reason, a dropped row has one"
        )
    reasons = frame["reason"].where(~kept, KEPT)
    return [Outcome(*row) for row in zip(_keys(frame, _SET), frame["bias_type"], reasons, strict=True)]


def _judged(name: str, candidates: pd.DataFrame, decisions: pd.DataFrame) -> list[Outcome]:
    """Outcomes of candidates: dropped by hygiene, or as the later decision says."""
    decided = dict(zip(decisions["candidate_id"], _decided(name, decisions), strict=True))
    unknown = set(decided) - set(candidates["candidate_id"])
    if unknown:
        raise ValueError(f"{len(unknown)} rows of {name} are no candidates of their task, e.g. {min(unknown)}")
    result = []
    for candidate, outcome in zip(candidates["candidate_id"], _decided("candidates", candidates), strict=True):
        if outcome.reason == KEPT and candidate not in decided:
            raise ValueError(f"the kept candidate {candidate} of {_name(outcome.key)} is missing from {name}")
        result.append(decided[candidate] if outcome.reason == KEPT else outcome)
    return result


def _paired(
    variants: pd.DataFrame, alternates: pd.DataFrame, augmented: pd.DataFrame, rejected: pd.DataFrame | None
) -> list[Outcome]:
    """Outcomes of the kept variants: each has one usable pair, or no alternate passed, or people rejected it."""
    chosen = _keys(alternates.loc[_flags(alternates, "chosen")], _VARIANT)
    pairs = _keys(augmented, _VARIANT)
    for name, keys in (("alternates has a second chosen row for", chosen), ("augmented has a second row for", pairs)):
        if len(keys) != len(set(keys)):
            raise ValueError(f"{name} {_name(min(key for key in keys if keys.count(key) > 1))}")
    out = set() if rejected is None else set(_keys(rejected, _VARIANT)) & set(chosen)
    odd = (set(chosen) - out) ^ set(pairs)
    if odd:
        raise ValueError(f"augmented and the chosen alternates differ in {len(odd)} variants, e.g. {_name(min(odd))}")
    kept = variants.loc[_flags(variants)]
    reasons = dict.fromkeys(pairs, KEPT) | dict.fromkeys(out, REJECTED_BY_ANNOTATORS)
    return [
        Outcome((lang, set_id), bias, reasons.get((lang, set_id, variant), NO_ALTERNATE))
        for (lang, set_id, variant), bias in zip(_keys(kept, _VARIANT), kept["bias_type"], strict=True)
    ]


def _tabulate(outcomes: Mapping[str, list[Outcome]], groups: Mapping[Key, str]) -> pd.DataFrame:
    cell = ["stage", "lang", "bias_type", "group"]
    rows = [
        (stage, outcome.key[0], outcome.bias_type, groups.get(outcome.key, ""), outcome.reason)
        for stage, found in outcomes.items()
        for outcome in found
    ]
    frame = pd.DataFrame(rows, columns=[*cell, "reason"])
    counted = frame.groupby([*cell, "reason"], sort=True).size().rename("n").reset_index()
    counted["visited"] = counted.groupby(cell)["n"].transform("sum")
    result = counted[schemas.table("funnel").names]
    check(result)
    return result


def _flags(frame: pd.DataFrame, column: str = "kept") -> pd.Series[bool]:
    return frame[column].astype(bool)


def _keys(frame: pd.DataFrame, columns: list[str]) -> list[Key]:
    return list(frame[columns].itertuples(index=False, name=None))


def _tuple(key: Any) -> Key:
    return key if isinstance(key, tuple) else (key,)


def _name(key: Key) -> str:
    return ", ".join(map(str, key))
