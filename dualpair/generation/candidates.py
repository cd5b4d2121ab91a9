"""From answers to the distinct candidates of a task, each with the reason for which it was dropped."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair import languages, schemas
from dualpair.generation import answers, hygiene, reasons

if TYPE_CHECKING:
    import pandas as pd


class _Source(NamedTuple):
    """What an answer is checked against."""

    set_id: str
    cluster_id: str
    lang: str
    bias_type: str
    variant_id: str
    groups: tuple[str, ...]
    attribute: str


class _Answer(NamedTuple):
    """One parsed and checked answer."""

    attribute: str
    reason: str
    generator: str


def candidate_id(set_id: str, lang: str, variant_id: str, task: str, text: str) -> str:
    """First 16 hex digits of the SHA-256 of what names a candidate; ``text`` is its attribute as kept."""
    name = json.dumps([set_id, lang, variant_id, task, text], ensure_ascii=False)
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def collect(
    task: str,
    sources: pd.DataFrame,
    sets: pd.DataFrame,
    generations: Sequence[pd.DataFrame],
    mode: str | Mapping[str, str] = "single",
    *,
    allow_negation: bool = True,
    min_answers: int | Mapping[str, int] = 1,
    prompts: str | None = None,
) -> pd.DataFrame:
    """Parse, check and merge the answers of a task.

    Answers with the same words (up to case, width, punctuation, white space and articles) are one candidate, in the
    spelling that most of its answers have; it is kept when one of its answers is fine. The n_answers
    of a source's candidates add up to its parsed answers, dropped ones included (a list gives one a sentence, an answer
    in which no list was found counts as one).

    Args:
        task: ``paraphrase``, ``alternate-1``, ...
        sources: set_id, lang, variant_id, groups, attribute, final_mark of every variant that was worked from.
        sets: the ``sets`` table, for cluster_id and bias_type.
        generations: ``generations`` tables, one per model; rows of other tasks are refused.
        mode: ``single`` or ``list``, or a mapping from model to mode where they differ.
        allow_negation: whether an alternate may be negated where its source is not, or the other way round.
        min_answers: a fine candidate that fewer answers of its source gave is dropped (self-consistency); one number,
            or one per language and ``default``.
        prompts: the config's ``generation.prompts``, a folder that may hold word lists of the user's own.

    Returns:
        The ``candidates`` table, sorted by its key.

    Raises:
        ValueError: if an answer belongs to no source or another task, a source to no set, or a mode is unknown.
    """
    import pandas as pd

    known = _sources(sources, sets)
    claims = _claims(sources, sets, prompts) if task != "paraphrase" else {}
    groups: dict[tuple[str, str, str], dict[str, list[_Answer]]] = {}
    for frame in generations:
        for row in frame.to_dict("records"):
            if row["task"] != task:
                raise ValueError(f"generations of {row['model']} hold a row of task {row['task']!r}; expected {task!r}")
            key = (row["lang"], row["set_id"], row["variant_id"])
            if key not in known:
                raise ValueError(
                    f"generations of {row['model']} hold an answer for {'/'.join(key)}, which is no source"
                )
            wanted = mode if isinstance(mode, str) else _mode_of(mode, row["model"])
            for answer in _answers(row, known[key], task, wanted, allow_negation, prompts):
                words = _identity(answer, key[0], prompts)
                if not answer.reason and words in claims.get(key[:2], ()):
                    answer = answer._replace(reason=reasons.SAME_CLAIM)
                groups.setdefault(key, {}).setdefault(words, []).append(answer)
    rows = [
        _candidate(task, known[key], merged, _least(min_answers, key[0]), prompts)
        for key, texts in groups.items()
        for merged in texts.values()
    ]
    table = schemas.table("candidates")
    frame = pd.DataFrame(rows, columns=table.names)
    return frame.sort_values(list(table.key), ignore_index=True)


def _sources(sources: pd.DataFrame, sets: pd.DataFrame) -> dict[tuple[str, str, str], _Source]:
    facts = sets[["lang", "set_id", "cluster_id", "bias_type"]]
    joined = sources.merge(facts, on=["lang", "set_id"], how="left", validate="many_to_one", suffixes=("_source", ""))
    lost = joined[joined["cluster_id"].isna()]
    if len(lost):
        row = lost.iloc[0]
        raise ValueError(
            f"source {row['lang']}/{row['set_id']}/{row['variant_id']} belongs to no row of the sets table"
        )
    return {
        (row["lang"], row["set_id"], row["variant_id"]): _Source(
            row["set_id"],
            row["cluster_id"],
            row["lang"],
            row["bias_type"],
            row["variant_id"],
            tuple(row["groups"]),
            row["attribute"],
        )
        for row in joined.to_dict("records")
    }


def _claims(sources: pd.DataFrame, sets: pd.DataFrame, prompts: str | None) -> dict[tuple[str, str], set[str]]:
    """The words in which a set's claim is made, its attribute and those of its variants: no opposite says them."""
    found: dict[tuple[str, str], set[str]] = {}
    for frame in (sets, sources):
        for lang, set_id, attribute in zip(frame["lang"], frame["set_id"], frame["attribute"], strict=True):
            found.setdefault((lang, set_id), set()).add(hygiene.same_words(attribute, lang, prompts) or attribute)
    return found


def _mode_of(modes: Mapping[str, str], model: str) -> str:
    if model not in modes:
        raise ValueError(f"no answer mode for model {model!r}; given are {', '.join(sorted(modes))}")
    return modes[model]


def _answers(
    row: Mapping[Any, Any], source: _Source, task: str, mode: str, allow_negation: bool, prompts: str | None
) -> list[_Answer]:
    parsed = answers.parse(
        str(row["text"]), mode, str(row["forced_prefix"]), source.groups[0], source.lang, str(row["finish_reason"])
    )
    checked = []
    for item in parsed:
        reason = item.reason or hygiene.check(
            item.text,
            source.attribute,
            source.groups,
            source.lang,
            task,
            allow_negation=allow_negation,
            prompt=str(row.get("prompt", "")),
            folder=prompts,
        )
        text = languages.normalise(item.text) if item.reason else hygiene.clean(item.text, source.lang)
        checked.append(_Answer(_printable(text), reason, str(row["model"])))
    return checked


def _identity(answer: _Answer, lang: str, prompts: str | None) -> str:
    """What makes two answers one candidate; punctuation alone is compared as it is."""
    return hygiene.same_words(answer.attribute, lang, prompts) or answer.attribute


def _printable(text: str) -> str:
    # A dropped text is kept for inspection, but control characters break the tables it is exported to.
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _least(min_answers: int | Mapping[str, int], lang: str) -> int:
    return min_answers if isinstance(min_answers, int) else min_answers.get(lang, min_answers["default"])


def _candidate(
    task: str, source: _Source, merged: list[_Answer], min_answers: int, prompts: str | None
) -> dict[str, object]:
    first = reasons.first([answer.reason for answer in merged])
    reason = reasons.TOO_FEW_ANSWERS if not first and len(merged) < min_answers else first
    # The spelling shown is the commonest of those with the reason; of several, the last in code-point order, so lower
    # case before upper.
    spellings = Counter(answer.attribute for answer in merged if answer.reason == first)
    attribute = max(spellings, key=lambda text: (spellings[text], text))
    negation = hygiene.added_negation(attribute, source.attribute, source.lang, prompts)
    return {
        "candidate_id": candidate_id(source.set_id, source.lang, source.variant_id, task, attribute),
        "set_id": source.set_id,
        "cluster_id": source.cluster_id,
        "lang": source.lang,
        "bias_type": source.bias_type,
        "variant_id": source.variant_id,
        "task": task,
        "attribute": attribute,
        "generators": sorted({answer.generator for answer in merged}),
        "n_answers": len(merged),
        "adds_negation": not reason and negation,
        "kept": not reason,
        "reason": reason,
    }
