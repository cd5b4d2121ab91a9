"""A small survey of trait ratings, and annotators with known means who fill it in and return it in three formats."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pandas as pd

from dualpair import traits
from dualpair.validation import ratings_design, ratings_sheets, ratings_text
from dualpair.validation.ratings_checks import Rule
from dualpair.validation.ratings_design import RATING
from dualpair.validation.ratings_settings import CHECKS
from dualpair.validation.returned_paths import File

GROUPS = ("bakers", "farmers", "judges", "nurses", "sailors", "tailors", "weavers")
PAIRS = traits.abc().pairs
N_PAGES = 5
ANSWER = ratings_text.COLUMNS.index("answer")
RULE = Rule(0.8, 20, CHECKS)
SETTINGS: dict[str, Any] = {
    "groups": "abc",
    "per_group": 20,
    "groups_per_annotator": 5,
    "languages": ["en"],
    "min_self_agreement": 0.8,
    "agreement_points": 20,
    "exclude": list(CHECKS),
    "returned": [],
}

Answers = Mapping[str, int | str]


class World(NamedTuple):
    """A survey in English below ``folder``."""

    key: pd.DataFrame
    folder: Path

    def questions(self, annotator: str = "annotator-1") -> list[Any]:
        own = self.key[self.key["annotator"] == annotator].sort_values("position")
        return list(own.itertuples())

    def sheet(self, annotator: str = "annotator-1", ending: str = "xlsx") -> Path:
        return self.folder / "ratings" / "en" / f"{annotator}.{ending}"


def world(root: Path, groups: Iterable[str] = GROUPS, per_group: int = 4, seed: int = 1) -> World:
    """A survey about jobs."""
    survey = ratings_design.Survey([(group, group) for group in groups], ratings_text.load("en"))
    key = ratings_design.design([survey], PAIRS, per_group, N_PAGES, seed)
    return World(key, ratings_sheets.export(root, key).folder)


def expected_mean(group: str, low: str) -> int:
    """The known mean rating of a group on a pair, 20 to 80."""
    return random.Random(f"{group}/{low}").randrange(20, 81)


def answers(
    questions: Iterable[Any], mean: Callable[[str, str], int] = expected_mean, noise: int = 0, seed: object = 0
) -> dict[str, int]:
    """What an attentive annotator enters: known means (plus noise), turned where the low pole stands right."""
    rng = random.Random(f"{seed}")
    found = {}
    for one in questions:
        if one.kind == RATING:
            rating = min(100, max(0, mean(one.group, one.low) + rng.randint(-noise, noise)))
            found[one.item_id] = rating if one.low_left else 100 - rating
        else:
            found[one.item_id] = one.right_answer
    return found


def fill_xlsx(source: Path, target: Path, given: Answers) -> Path:
    """The workbook with answers; target may be anywhere."""
    book = openpyxl.load_workbook(source)
    sheet = book.worksheets[1]
    for row in sheet.iter_rows(min_row=2):
        if row[0].value in given:
            row[ANSWER].value = given[row[0].value]
    book.save(target)
    return target


def csv_rows(source: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(source.read_text(encoding="utf-8-sig"), newline="")))


def write_csv(target: Path, rows: Iterable[Iterable[str]], delimiter: str = ",", encoding: str = "utf-8-sig") -> Path:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    target.write_bytes(out.getvalue().encode(encoding))
    return target


def fill_csv(source: Path, target: Path, given: Answers) -> Path:
    header, *rows = csv_rows(source)
    for row in rows:
        row[ANSWER] = str(given.get(row[0], ""))
    return write_csv(target, [header, *rows])


def page_export(source: Path, target: Path, given: Answers) -> Path:
    """What the page saves: the CSV sheet under the columns' plain names (a browser test shows that it is)."""
    _, *rows = csv_rows(source)
    for row in rows:
        row[ANSWER] = str(given.get(row[0], ""))
    return write_csv(target, [ratings_text.COLUMNS, *rows])


def files(*paths: Path) -> list[File]:
    return [File(str(path)) for path in paths]
