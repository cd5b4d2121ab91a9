"""What every source shares: the checks on a language's rows and the finished `stereotypes` frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from dualpair import languages, schemas
from dualpair.errors import InputError

STEREOTYPED = "stereotyped"
CONTRAST = "contrast"
ROLES = (STEREOTYPED, CONTRAST)

DUPLICATE = "duplicate_row"
NOT_A_DECLARATION = "type_not_selected"
EMPTY_SENTENCE = "empty_sentence"
NOT_SELECTED = "beyond_max_sets"


class Item(NamedTuple):
    """One row of a source, before the checks; ``reason`` is set when the source itself rejects it."""

    set_id: str
    cluster_id: str
    bias_type: str
    role: str
    sentence: str
    group: str
    attribute: str
    line: int
    reason: str = ""


def frame(items: Sequence[Item], *, dataset: str, lang: str, file: str, max_sets: int | None) -> pd.DataFrame:
    """The `stereotypes` frame of one file.

    Rows are normalised (NFC, single spaces). A repeated row is dropped with the reason ``duplicate_row``; sets beyond
    ``max_sets`` (in sorted order) with ``beyond_max_sets``.

    Raises:
        InputError: two different stereotyped sentences under one set id.
    """
    rows: list[dict[str, object]] = []
    seen: set[tuple[str, str, str]] = set()
    stereotyped: dict[str, tuple[str, int]] = {}
    chosen = set(sorted({item.set_id for item in items if not item.reason}, key=natural_key)[:max_sets])
    for item in items:
        sentence = languages.normalise(item.sentence)
        reason = item.reason or ("" if item.set_id in chosen else NOT_SELECTED)
        key = (item.set_id, item.role, sentence)
        if not reason and key in seen:
            reason = DUPLICATE
        if not reason:
            seen.add(key)
            if item.role == STEREOTYPED:
                _check_single(stereotyped, item, sentence, file)
        rows.append(
            {
                **item._asdict(),
                "sentence": sentence,
                "group": languages.normalise(item.group),
                "attribute": languages.normalise(item.attribute),
                "lang": lang,
                "dataset": dataset,
                "source_file": file,
                "source_row": item.line,
                "kept": not reason,
                "reason": reason,
            }
        )
    columns = schemas.table("stereotypes").names
    return pd.DataFrame(rows).reindex(columns=columns)


def natural_key(text: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key under which ``2`` comes before ``10`` and ``set-2`` before ``set-10``."""
    import re

    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in parts)


def _check_single(stereotyped: dict[str, tuple[str, int]], item: Item, sentence: str, file: str) -> None:
    before = stereotyped.setdefault(item.set_id, (sentence, item.line))
    if before[0] != sentence:
        raise InputError(
            f"{file}: lines {before[1]} and {item.line}: set_id {item.set_id!r} has two different stereotyped "
            f"sentences ({before[0]!r} and {sentence!r}); allowed is one per language: give the second its own set_id, "
            f"or make its role 'contrast'"
        )
