"""The published human ratings (github.com/TristaCao/U.S_Stereotypes, folder dataset) as our tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from dualpair import traits
from dualpair.errors import InputError
from dualpair.schemas import table
from dualpair.traits import HIGH, LOW, Pair
from dualpair.validation.ratings_table import MEANS, RATINGS

LANG = "en"
_NAN = float("nan")


def read_full(path: Path) -> pd.DataFrame:
    """`data_full.json` ({annotator: {group: {pair: rating}}}) as the `human_ratings` frame.

    Raises:
        InputError: no such layout, an unknown pair, or a rating outside 0 to 100.
    """
    rows = []
    for annotator, groups in _object(path, "annotators").items():
        for group, pair, value in _cells(groups, f"{path}: {annotator}"):
            rows.append({**_cell(group, pair), "annotator": annotator, "rating": value, "again": _NAN,
                         "file": path.name, "sheet": "", "row": 0, "kept": True, "reason": ""})  # fmt: skip
    frame = pd.DataFrame(rows, columns=table(RATINGS).names)
    return frame.sort_values(list(table(RATINGS).key), ignore_index=True)


def read_aggregated(path: Path) -> pd.DataFrame:
    """`Aggregated_scores.json` ({group: {pair: mean}}) as the `human_ratings_means` frame, without numbers of ratings.

    Raises:
        InputError: as :func:`read_full`.
    """
    cells = _cells(_object(path, "groups"), str(path))
    blank = {"n": _NAN, "sd": _NAN, "interval_low": _NAN, "interval_high": _NAN}
    frame = pd.DataFrame([{**_cell(group, pair), **blank, "mean": mean} for group, pair, mean in cells])
    return frame[table(MEANS).names].sort_values(list(table(MEANS).key), ignore_index=True)


def _cell(group: str, pair: Pair) -> dict[str, Any]:
    return {"lang": LANG, "group": group, "low": pair.low, "high": pair.high, "dimension": pair.dimension}


def _cells(groups: Any, where: str) -> Iterator[tuple[str, Pair, float]]:
    """Group, pair and number of a {group: {pair: number as text}} mapping."""
    model = traits.abc()
    known = {pair.name: pair for pair in model.pairs}
    for group, ratings in _mapping(groups, where).items():
        for name, text in _mapping(ratings, f"{where}: {group}").items():
            pair = known.get(" - ".join(model.spelt(pole) for pole in name.split(" - ")))
            if pair is None:
                raise InputError(f"{where}: {group}: unknown pair {name!r} (allowed: {'; '.join(known)})")
            try:
                value = float(text)
            except (TypeError, ValueError):
                value = _NAN
            if not LOW <= value <= HIGH:
                raise InputError(f"{where}: {group}: {name}: found {text!r}, expected a number from {LOW} to {HIGH}")
            yield model.spelt(group), pair, value


def _object(path: Path, what: str) -> Mapping[str, Any]:
    if not path.is_file():
        raise InputError(f"{path}: no such file; give the published file of ratings")
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise InputError(f"{path}: is no JSON ({error}); download it again") from None
    return _mapping(document, f"{path}: {what}")


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{where}: found {value!r}, expected a JSON object")
    return value
