"""The survey of trait ratings coming back: simulated annotators, damaged files, numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

from dualpair.errors import InputError
from dualpair.validation import (
    ratings_answers,
    ratings_results,
    ratings_returned,
    ratings_table,
    ratings_text,
)
from dualpair.validation.ratings_checks import Rule
from dualpair.validation.ratings_design import RATING, RECALL_GROUP, rows_of
from dualpair.validation.ratings_settings import CHECKS
from tests.unit import ratings_world as made


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> made.World:
    return made.world(tmp_path_factory.mktemp("survey"))


# ---------------------------------------------------------------- simulated annotators


def test_known_means_and_exclusions_are_recovered_through_each_format(tmp_path: Path) -> None:
    """Careful annotators with noise of 5 points; every fifth fails one check in turn and rates at random."""
    world = made.world(tmp_path, per_group=24)
    names = sorted(set(world.key["annotator"]), key=lambda name: int(name.split("-")[1]))
    assert len(names) == 42
    writers = (
        ("xlsx", made.fill_xlsx, "xlsx"),
        ("csv", made.fill_csv, "csv"),
        ("csv", made.page_export, "page.csv"),
    )
    back, bad = [], {}
    for number, name in enumerate(names):
        questions = world.questions(name)
        given = made.answers(questions, noise=5, seed=name)
        if number % 5 == 4:
            check = CHECKS[number // 5 % 3]
            bad[name] = [check]
            for one in questions:
                if one.kind == check:
                    given[one.item_id] = one.right_answer % 4 + 1
                elif one.kind == RATING and (check != "self_agreement" or not one.repeated):
                    given[one.item_id] = 100 if given[one.item_id] < 50 else 0
        source, fill, ending = writers[number % 3]
        back.append(fill(world.sheet(name, source), tmp_path / f"{name}.{ending}", given))
    computed = ratings_results.compute(made.files(*back), world.key, made.RULE)
    assert not len(computed["ratings_problems"])
    annotators = computed["ratings_annotators"].set_index("annotator")
    assert {name: list(row["failed"]) for name, row in annotators.iterrows() if row["excluded"]} == bad
    assert len(bad) == 8 and set(map(tuple, bad.values())) == {(check,) for check in CHECKS}
    assert (annotators["n_answered"] == 80).all()
    rated = computed["human_ratings"]
    assert set(rated.loc[rated["reason"] == ratings_table.EXCLUDED, "annotator"]) == set(bad)
    averaged = computed["human_ratings_means"]
    expected = [made.expected_mean(row.group, row.low) for row in rows_of(averaged)]
    # Noise is uniform on -5..5 (sd 3.2); at least 16 ratings a cell: five standard errors are 4.
    assert averaged["n"].min() >= 16 and (averaged["mean"] - expected).abs().max() < 4
    inside = (averaged["interval_low"] <= expected) & (expected <= averaged["interval_high"])
    # 95 % of 112, less five binomial standard deviations.
    assert inside.mean() > 0.85
    array = ratings_table.as_array(averaged, made.PAIRS, "en", made.GROUPS)
    assert array.values.shape == (7, 16)
    wanted = [[made.expected_mean(group, pair.low) for pair in made.PAIRS] for group in made.GROUPS]
    assert np.abs(array.values - wanted).max() < 4
    # Nobody left out: the random raters pull the means to the other side.
    everyone = ratings_results.compute(made.files(*back), world.key, Rule(0.8, 20, []))["human_ratings_means"]
    assert (everyone["n"] == 24).all() and (everyone["mean"] - expected).abs().max() > 6
    texts = ratings_results.remarks(computed, world.key)
    assert "8 of 42 annotators are left out" in texts[0] and "annotator-5 (recall_group)" in texts[0]
    out = computed["ratings_annotators"].assign(excluded=True)
    (text,) = [
        text for text in ratings_results.remarks({**computed, "ratings_annotators": out}, world.key) if "left" in text
    ]
    assert text.endswith("; and 32 more, see ratings_annotators.csv.") and text.count(" (") == 10


def test_without_noise_the_means_are_exact(survey: made.World, tmp_path: Path) -> None:
    names = sorted(set(survey.key["annotator"]))[:-1]
    back = [
        made.fill_csv(survey.sheet(name, "csv"), tmp_path / f"{name}.csv", made.answers(survey.questions(name)))
        for name in names
    ]
    computed = ratings_results.compute(made.files(*back), survey.key, made.RULE)
    averaged = computed["human_ratings_means"].dropna(subset=["mean"])
    assert list(averaged["mean"]) == [made.expected_mean(row.group, row.low) for row in rows_of(averaged)]
    assert (averaged.loc[averaged["n"] > 1, "sd"] == 0).all()
    rated = computed["human_ratings"]
    twice = rated.dropna(subset=["again"])
    assert len(twice) == 16 * len(names) and (twice["again"] == twice["rating"]).all()
    assert "6 of 7 surveys have come back" in ratings_results.remarks(computed, survey.key)[0]


# ---------------------------------------------------------------- damaged files


def _filled(survey: made.World) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a complete CSV sheet."""
    given = made.answers(survey.questions())
    header, *rows = made.csv_rows(survey.sheet(ending="csv"))
    for row in rows:
        row[made.ANSWER] = str(given[row[0]])
    return header, rows


def _set(row: int, column: int, value: str) -> Any:
    def change(rows: list[list[str]]) -> None:
        rows[row][column] = value

    return change


def _swap_texts(rows: list[list[str]]) -> None:
    rows[0][2:5], rows[1][2:5] = rows[1][2:5], rows[0][2:5]


def _turn(rows: list[list[str]]) -> None:
    rows[0][3], rows[0][4] = rows[0][4], rows[0][3]


def _copy_with_other_answer(rows: list[list[str]]) -> None:
    rows.append([*rows[0][: made.ANSWER], str((int(rows[0][made.ANSWER]) + 1) % 100), *rows[0][made.ANSWER + 1 :]])


DAMAGES: dict[str, tuple[Any, str, int, str]] = {
    "empty": (_set(0, 5, ""), "no_answer", 2, "a whole number from 0 to 100"),
    "a word": (_set(0, 5, "high"), "not_a_number", 2, "a whole number from 0 to 100"),
    "a percent sign": (_set(0, 5, "70 %"), "not_a_number", 2, "a whole number from 0 to 100"),
    "a fraction": (_set(0, 5, "70,5"), "not_a_whole_number", 2, "a whole number from 0 to 100"),
    "too large": (_set(3, 5, "101"), "out_of_range", 5, "a whole number from 0 to 100"),
    "negative": (_set(0, 5, "'-5"), "out_of_range", 2, "a whole number from 0 to 100"),
    "another trait": (_set(0, 3, "tall"), "altered_text", 2, " | "),
    "poles exchanged": (_turn, "altered_text", 2, " | "),
    "texts shifted": (_swap_texts, "text_of_another_item", 2, "sort whole rows only"),
    "unknown id": (_set(0, 0, "r000"), "unknown_id", 2, "an id that was handed out"),
    "no id": (_set(0, 0, ""), "no_id", 2, "an id that was handed out"),
    "a row deleted": (lambda rows: rows.pop(4), "missing_row", 0, "a row of the survey that was handed out"),
    "a row twice": (lambda rows: rows.append(list(rows[0])), "repeated_row", 84, "one row each"),
    "two answers": (_copy_with_other_answer, "conflicting_answers", 2, "one answer; "),
    "a cell beyond": (lambda rows: rows[0].append("note"), "cells_beyond_the_header", 2, "no cell to the right"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_row_is_listed_and_costs_no_other(survey: made.World, tmp_path: Path, name: str) -> None:
    change, problem, row, expected = DAMAGES[name]
    header, rows = _filled(survey)
    assert len(rows) == 82
    change(rows)
    path = made.write_csv(tmp_path / "back.csv", [header, *rows])
    before = path.read_bytes()
    found = ratings_returned.read(made.files(path), survey.key)
    listed = [one for one in rows_of(found.problems) if one.problem == problem]
    assert listed, found.problems
    first = min(listed, key=lambda one: one.row)
    assert (first.file, first.sheet, first.row) == (str(path), "", row) and expected in first.expected
    lost = [one for one in found.rows.values() if one.reason]
    assert len(found.rows) == 82 and len(lost) <= 2
    assert len(lost) == (0 if problem == "repeated_row" else 2 if problem == "text_of_another_item" else 1)
    assert path.read_bytes() == before


def test_damage_of_recall_questions_and_of_workbooks(survey: made.World, tmp_path: Path) -> None:
    given: dict[str, Any] = dict(made.answers(survey.questions()))
    path = made.fill_xlsx(survey.sheet(), tmp_path / "back.xlsx", given)
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[1]
    asked = next(n for n, one in enumerate(survey.questions(), start=2) if one.kind == RECALL_GROUP)
    sheet.cell(asked, made.ANSWER + 1).value = 5
    rating = next(n for n, one in enumerate(survey.questions(), start=2) if one.kind == RATING)
    sheet.cell(rating, made.ANSWER + 1).value = pd.Timestamp("2026-11-30").to_pydatetime()
    sheet.cell(rating + 1, made.ANSWER + 1).value = "=50+1"
    sheet.cell(rating + 2, made.ANSWER + 1).value = 0.7
    sheet.cell(rating + 2, made.ANSWER + 1).number_format = "0%"
    sheet.cell(rating + 3, made.ANSWER + 1).value = 33.0
    book.save(path)
    found = ratings_returned.read(made.files(path), survey.key)
    shown = [(one.sheet, one.row, one.problem) for one in rows_of(found.problems)]
    assert sorted(shown) == sorted(
        [
            ("Survey", asked, "out_of_range"),
            ("Survey", rating, "not_a_number"),
            ("Survey", rating + 1, "not_a_number"),
            ("Survey", rating + 2, "not_a_number"),
        ]
    )
    assert "from 1 to 4" in found.problems.loc[found.problems["row"] == asked, "expected"].item()
    assert "date" in found.problems.loc[found.problems["row"] == rating, "found"].item()
    assert found.rows[survey.questions()[rating + 1].item_id].value == 33


def test_programs_and_locales_do_no_harm(survey: made.World, tmp_path: Path) -> None:
    """Semicolons, another encoding, sorted rows and columns, a foreign header, decimals, no apostrophes, curly quotes."""
    given = made.answers(survey.questions())
    header, rows = _filled(survey)
    foreign = [ratings_text.load("ru").headers()[header.index(name)] for name in header]
    order = [6, 5, 4, 3, 2, 1, 0]
    changed = [[f"{row[5]},0" if at == 5 else row[at] for at in order] for row in rows[::-1]]
    back = made.write_csv(tmp_path / "back.csv", [[foreign[at] for at in order], *changed], ";", "cp1251")
    file = made.files(back)[0]._replace(encoding="cp1251")
    found = ratings_returned.read([file], survey.key)
    assert not len(found.problems) and {i: row.value for i, row in found.rows.items()} == given
    without = made.write_csv(tmp_path / "short.csv", [[row[0], row[5]] for row in [header, *rows]])
    found = ratings_returned.read(made.files(without), survey.key)
    assert list(found.problems["problem"]) == ["texts_not_returned"]
    assert {i: row.value for i, row in found.rows.items()} == given
    # The same answers in two files are one answer.
    both = ratings_returned.read([file, *made.files(without)], survey.key)
    assert list(both.problems["problem"]) == ["texts_not_returned"] and len(both.rows) == 82


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "item_id,answer\nx1,5\n", "holds no id of this run's survey"),
        ("b.csv", "nothing\n", "no header with item_id and answer"),
        ("c.html", "<html>", "give the CSV file that its export button saves"),
        ("d.xlsx", "no workbook", "cannot be read as a workbook"),
        ("e.csv", "", "the file is empty"),
    ],
)
def test_a_file_that_says_nothing_stops_the_run(
    survey: made.World, tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)) as error:
        ratings_returned.read(made.files(path), survey.key)
    assert str(path) in str(error.value)


def test_a_survey_without_a_column_of_answers_stops_the_run(survey: made.World, tmp_path: Path) -> None:
    header, rows = _filled(survey)
    path = made.write_csv(tmp_path / "a.csv", [[*row[:5], row[6]] for row in [header, *rows]])
    with pytest.raises(InputError, match="no column of answers"):
        ratings_returned.read(made.files(path), survey.key)
    path = made.write_csv(tmp_path / "b.csv", rows)
    with pytest.raises(InputError, match=r"no header|ids, but no header"):
        ratings_returned.read(made.files(path), survey.key)


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("0", 0, ""),
        ("100", 100, ""),
        (" 70 ", 70, ""),
        ("７０", 70, ""),
        ("٧٠", 70, ""),
        ("70.0", 70, ""),
        ("70,00", 70, ""),
        ("+7", 7, ""),
        ("'+7", 7, ""),
        ("", None, "no_answer"),
        ("  ", None, "no_answer"),
        ("70.5", None, "not_a_whole_number"),
        ("-0,5", None, "not_a_whole_number"),
        ("-1", None, "out_of_range"),
        ("1000000000000000000000", None, "out_of_range"),
        ("1e2", None, "not_a_number"),
        ("7 0", None, "not_a_number"),
        ("NA", None, "not_a_number"),
        ("²", 2, ""),
        ("'70", 70, ""),
        ("-", None, "no_answer"),
        ("?", None, "no_answer"),
        ("70%", None, "not_a_number"),
    ],
)
def test_whole_numbers(text: str, value: int | None, reason: str) -> None:
    assert ratings_answers.whole_number(text, 0, 100) == (value, reason)
