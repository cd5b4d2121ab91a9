"""A small run to validate, and annotators with known error rates who fill in its sheets in several ways."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pandas as pd

from dualpair.schemas import table
from dualpair.validation import sampling, sheets
from dualpair.validation.sampling import SampleSettings

LANGS = ("en", "ru")
BELOW = {"similarity_below_threshold", "contradiction_below_threshold"}
# How often an annotator gives the expected answer, and what else they say; by kind of pair.
Rates = Mapping[str, Mapping[str, float]]
CAREFUL: Rates = {
    "accepted": {"accept": 0.9, "reject": 0.05, "not_fluent": 0.05},
    "mismatched": {"accept": 0.0, "reject": 1.0, "not_fluent": 0.0},
    "below_threshold": {"accept": 0.4, "reject": 0.5, "not_fluent": 0.1},
}
CARELESS: Rates = {kind: {"accept": 0.8, "reject": 0.2, "not_fluent": 0.0} for kind in CAREFUL}


def frame(name: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """The table with the rows given; what they do not give is empty."""
    blank: dict[str, Any] = {}
    for column in table(name).columns:
        kind = str(column.type)
        blank[column.name] = [] if kind.startswith("list") else {"int64": 0, "double": 0.0, "bool": False}.get(kind, "")
    return pd.DataFrame([{**blank, **row} for row in rows], columns=table(name).names)


class World(NamedTuple):
    """A run's tables and its sample, exported below ``root``."""

    root: Path
    sets: pd.DataFrame
    variants: pd.DataFrame
    alternates: pd.DataFrame
    key: pd.DataFrame
    folder: Path

    def items(self, task: str, lang: str, annotator: str = "annotator-1") -> pd.DataFrame:
        key = self.key
        return key[(key["task"] == task) & (key["lang"] == lang) & (key["annotator"] == annotator)]

    def sheet(
        self, task: str = "paraphrase", lang: str = "en", annotator: str = "annotator-1", kind: str = "xlsx"
    ) -> Path:
        return self.folder / annotator / f"{task}-{lang}.{kind}"


def tables(
    n_sets: int, langs: tuple[str, ...] = LANGS, text: Callable[[str, int], str] = lambda lang, s: ""
) -> tuple[pd.DataFrame, ...]:
    """Sets of three bias types with three kept paraphrases and two dropped ones, each kept one with two alternates."""
    words = {"en": ("Cats", "Dogs", "sleep", "rest"), "ru": ("Кошки", "Собаки", "спят", "отдыхают"),
             "zh": ("猫", "狗", "睡觉", "休息"), "es": ("Los gatos", "Los perros", "duermen", "descansan")}  # fmt: skip
    sets, variants, alternates = [], [], []
    for lang in langs:
        group, contrast, verb, other = words[lang]
        for s in range(n_sets):
            base: dict[str, Any] = {
                "set_id": f"s{s:03}",
                "cluster_id": f"c{s:03}",
                "lang": lang,
                "bias_type": f"b{s % 3}",
            }
            own = f"{verb}{s} x{s}{text(lang, s)}"
            sets.append(
                {**base, "groups": [f"{group} no{s}", contrast], "attribute": own, "final_mark": ".", "kept": True}
            )
            for v in range(6):
                kept = v <= 3
                score = (v * 37 + s * 11) % 100 / 100
                row = {**base, "variant_id": f"v{v}", "candidate_id": f"p-{lang}-{s}-{v}", "is_original": v == 0,
                       "attribute": own if v == 0 else f"{other}{s} x{s} so y{v}{text(lang, s)}", "similarity": 0.7 + 0.3 * score if kept else 0.69 * score,
                       "contradiction_forward": 0.2 * score, "contradiction_backward": 0.5 * score, "kept": kept,
                       "reason": "" if kept else "similarity_below_threshold"}  # fmt: skip
                variants.append(row)
                if kept:
                    for label, chosen in (("never", True), ("rarely", False)):
                        alternates.append({
                            **base, "variant_id": f"v{v}", "candidate_id": f"a-{lang}-{s}-{v}-{label}", "round": 1,
                            "alternate": f"{label} {row['attribute']}", "chosen": chosen, "kept": chosen, "similarity": score,
                            "contradiction_forward": 0.8 + 0.2 * score if chosen else 0.79 * score,
                            "contradiction_backward": 0.9 if chosen else 0.4,
                            "reason": "" if chosen else "contradiction_below_threshold",
                        })  # fmt: skip
    return frame("sets", sets), frame("variants", variants), frame("alternates", alternates)


def world(root: Path, n_sets: int = 12, n: tuple[int, int, int] = (8, 3, 3), annotators: int = 1,
          langs: tuple[str, ...] = LANGS, balance: str = "none", seed: int = 1, **more: Any) -> World:  # fmt: skip
    made = tables(n_sets, langs, **more)
    key = sampling.sample(*made, SampleSettings(*n, balance=balance, annotators=annotators), seed, BELOW).key
    folder = sheets.export(root, key)
    return World(root, *made, key, folder if isinstance(folder, Path) else folder[0])


def simulated(items: pd.DataFrame, rates: Rates, seed: int) -> dict[str, str]:
    """Item id to an answer drawn with the probabilities of the item's kind."""
    rng = random.Random(seed)
    given = {}
    for row in items.sort_values("item_id").itertuples():
        wanted = rates[str(row.kind)]
        given[str(row.item_id)] = rng.choices(list(wanted), list(wanted.values()))[0]
    return given


def fill_xlsx(sheet: Path, answers: Mapping[str, str], out: Path, change: Callable[[Any], None] | None = None) -> Path:
    """The workbook with the answers typed in; ``change`` edits the items' sheet before it is saved."""
    book = openpyxl.load_workbook(sheet)
    items = book.worksheets[1]
    for row in range(2, items.max_row + 1):
        items.cell(row, 4).value = answers.get(items.cell(row, 1).value) or None
    if change is not None:
        change(items)
    out.parent.mkdir(parents=True, exist_ok=True)
    book.save(out)
    return out


def read_csv(sheet: Path) -> list[list[str]]:
    """Header and rows of a CSV sheet as handed out."""
    return list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8-sig"), newline="")))


def filled_rows(sheet: Path, answers: Mapping[str, str]) -> list[list[str]]:
    header, *rows = read_csv(sheet)
    return [header, *([*row[:3], answers.get(row[0], ""), *row[4:]] for row in rows)]


def write_csv(
    rows: list[list[str]], out: Path, delimiter: str = ",", encoding: str = "utf-8-sig", **options: Any
) -> Path:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, **options).writerows(rows)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(text.getvalue().encode(encoding))
    return out


def page_export(items: pd.DataFrame, answers: Mapping[str, str], annotator: str, out: Path) -> Path:
    """What the page saves: the plain names as header, cells escaped, the annotator in each row."""
    rows = [["item_id", "first", "second", "answer", "comment", "annotator"]]
    for item in items.itertuples():
        texts = [sheets.escape(str(text)) for text in (item.item_id, item.first, item.second)]
        rows.append([*texts, answers.get(str(item.item_id), ""), "", annotator])
    return write_csv(rows, out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
