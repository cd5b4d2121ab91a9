"""The survey of trait ratings: settings, design, sheets, what comes back, checks, tables, and the published ratings."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from dualpair import artifacts, traits
from dualpair.errors import InputError
from dualpair.validation import (
    once,
    ratings_checks,
    ratings_published,
    ratings_results,
    ratings_returned,
    ratings_sheets,
    ratings_table,
    ratings_text,
)
from dualpair.validation.ratings_checks import FAILED, NOT_ANSWERED, PASSED, Rule, self_agreement
from dualpair.validation.ratings_design import RATING, RECALL_GROUP, RECALL_TRAITS, Survey, assign, design, rows_of
from dualpair.validation.ratings_settings import CHECKS, Ratings
from dualpair.validation.sheets import unescape
from tests.unit import ratings_world as made
from tests.unit.test_sheets import AWKWARD

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


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> made.World:
    return made.world(tmp_path_factory.mktemp("survey"))


# ---------------------------------------------------------------- settings and texts


def test_the_papers_groups_and_pairs() -> None:
    model = traits.abc()
    assert len(model.pairs) == 16 and len(model.groups) == 26 and model.not_compared == ("average people",)
    assert Counter(pair.dimension for pair in model.pairs) == {"agency": 6, "beliefs": 4, "communion": 6}
    for lang in ratings_text.shipped():
        named = Ratings(**{**SETTINGS, "languages": [lang]}).named(lang)
        assert [group for group, _ in named] == list(model.groups)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"groups": ["cats", "cats"]}, "'cats' is named twice"),
        ({"groups": ["cats"]}, "at least 2"),
        ({"groups": ["cats", "dogs", "a\nb"]}, "control characters"),
        ({"groups": ["cats", "dogs", "cows"], "groups_per_annotator": 5}, "5 pages need 4 different groups"),
        (
            {"groups": ["cats", "dogs"], "groups_per_annotator": 3, "languages": ["en", "ru"]},
            "'cats' has no name in 'en'",
        ),
        ({"groups": ["cats", {"group": "dogs", "names": {"en": "cats"}}], "groups_per_annotator": 3}, "called 'cats'"),
        ({"groups": ["cats", {"group": "dogs", "names": {"xx": "x"}}], "groups_per_annotator": 3}, "language 'xx'"),
        ({"languages": ["de"]}, "no survey in language 'de' (allowed: en, es, ru, zh)"),
        ({"languages": ["en", "en"]}, "'en' is named twice"),
        ({"exclude": ["recall"]}, "recall_group"),
        ({"min_self_agreement": 80}, "less than or equal to 1"),
        ({"agreement_points": 20.5}, "valid integer"),
        ({"groups_per_annotator": 2}, "greater than or equal to 3"),
        ({"groups_per_anotator": 5}, "Extra inputs"),
    ],
)
def test_settings_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(message)):
        Ratings(**{**SETTINGS, **change})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: How", "titel: How", "expected exactly the entries title"),
        ("powerless: powerless", "powerless: powerful", "'powerful' stands for two things"),
        ("[tall, short]", "tall", "expected two traits"),
        ('value: "{n} of 100"', 'value: "100"', "page, value: lacks {n}"),
        ("  women: women\n", "", "groups: found"),
        ("items: Survey", f"items: {'S' * 32}", "32 characters, allowed are 31"),
        ("scale: Each", "scale: '\nx: Each", "cannot be read as YAML"),
    ],
)
def test_texts_that_are_not_complete_are_refused(tmp_path: Path, root: Path, old: str, new: str, message: str) -> None:
    text = (root / "resources" / "ratings" / "en.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "en.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        ratings_text.read(path)


# ---------------------------------------------------------------- design


@settings(max_examples=40, deadline=None)
@given(
    n_groups=st.integers(2, 15),
    per_group=st.integers(1, 9),
    distinct=st.integers(2, 6),
    seed=st.integers(0, 2**40),
)
def test_every_group_is_rated_often_enough_and_as_often_as_the_others(
    n_groups: int, per_group: int, distinct: int, seed: int
) -> None:
    distinct = min(distinct, n_groups)
    groups = [f"g{n}" for n in range(n_groups)]
    assigned = assign(groups, per_group, distinct, seed, "en")
    counts = Counter(group for own in assigned for group in own)
    assert all(len(set(own)) == len(own) == distinct for own in assigned)
    assert min(counts.values()) >= per_group and max(counts.values()) - min(counts.values()) <= 1
    assert len(counts) == n_groups
    # No annotator more than needed.
    assert (len(assigned) - 1) * distinct < n_groups * per_group
    assert assigned == assign(groups, per_group, distinct, seed, "en")
    # A survey that is extended keeps the annotators that it has.
    assert assign(groups, per_group + 1, distinct, seed, "en")[: len(assigned)] == assigned


def test_the_papers_survey_takes_130_annotators() -> None:
    """26 groups, 20 ratings each, four groups and one of them again; the paper kept 133."""
    assigned = assign(traits.abc().groups, 20, 4, 1, "en")
    assert len(assigned) == 130
    assert set(Counter(group for own in assigned for group in own).values()) == {20}


def test_an_annotators_pages(survey: made.World) -> None:
    for annotator, rows in survey.key.groupby("annotator"):
        pages = rows.drop_duplicates("page").sort_values("page")
        assert list(pages["page"]) == list(range(1, 8)), annotator
        sliders = pages[pages["kind"] == RATING]
        assert len(sliders) == made.N_PAGES and sliders["group"].nunique() == made.N_PAGES - 1
        last = pages.iloc[-1]
        assert last["repeated"] and list(pages["repeated"]).count(True) == 1
        # Between the two times comes another group; the questions ask about the page before.
        assert last["group"] != sliders.iloc[-2]["group"]
        for kind in (RECALL_GROUP, RECALL_TRAITS):
            (at,) = [n for n, name in enumerate(pages["kind"]) if name == kind]
            assert pages.iloc[at]["group"] == pages.iloc[at - 1]["group"]
        assert (rows["page"].value_counts().reindex(sliders["page"]) == 16).all()
    assert survey.key["item_id"].is_unique


def test_sides_and_orders_differ_from_annotator_to_annotator() -> None:
    texts = ratings_text.load("en")
    key = design([Survey([(g, g) for g in made.GROUPS], texts)], made.PAIRS, 40, made.N_PAGES, 3)
    sliders = key[key["kind"] == RATING]
    # 70 annotators: each pair's low pole stands left for about half (4 standard deviations).
    share = sliders.drop_duplicates(["annotator", "low"]).groupby("low")["low_left"].mean()
    assert len(share) == 16 and share.between(0.5 - 4 * 0.5 / 70**0.5, 0.5 + 4 * 0.5 / 70**0.5).all()
    first = sliders[sliders["page"] == 1].drop_duplicates("annotator")["low"]
    assert first.nunique() > 10
    own = sliders.groupby(["annotator", "low"])["low_left"].nunique()
    assert (own == 1).all()
    right = key[key["kind"] != RATING]["right_answer"].value_counts()
    assert set(right.index) == {1, 2, 3, 4} and right.min() > 15
    other = design([Survey([(g, g) for g in made.GROUPS], texts)], made.PAIRS, 40, made.N_PAGES, 4)
    assert not set(other["item_id"]) & set(key["item_id"])


def test_questions_have_one_right_answer(survey: made.World) -> None:
    for one in rows_of(survey.key[survey.key["kind"] != RATING]):
        assert len(set(one.options)) == 4
        right = one.options[one.right_answer - 1]
        if one.kind == RECALL_GROUP:
            assert right == one.group
        else:
            named = {f"{pair.low} – {pair.high}" for pair in made.PAIRS}
            assert [option in named for option in one.options] == [option == right for option in one.options]
        assert f"{one.right_answer} = {right}" in f"{one.left}; {one.right}"


# ---------------------------------------------------------------- sheets


def test_files_are_written_once_and_tell_nothing_of_the_key(tmp_path: Path) -> None:
    world = made.world(tmp_path)
    names = sorted(path.relative_to(world.folder).as_posix() for path in world.folder.rglob("*") if path.is_file())
    annotators = world.key["annotator"].nunique()
    assert len(names) == 3 * annotators + 1 and "ratings_key.parquet" in names
    kept_back = artifacts.read(world.folder / "ratings_key.parquet", "ratings_key")
    pd.testing.assert_frame_equal(kept_back, world.key, check_dtype=False)
    touched = world.sheet(ending="csv")
    touched.write_bytes(b"mine")
    assert ratings_sheets.export(tmp_path, world.key) == (world.folder, False)
    assert touched.read_bytes() == b"mine"
    page = world.sheet(ending="html").read_text(encoding="utf-8")
    assert "right_answer" not in page and "repeated" not in page and "low_left" not in page
    (tmp_path / "other").mkdir()
    with pytest.raises(ValueError, match=r"holds no key\.bin"):
        once.write_once(tmp_path / "other", "key.bin", lambda folder: None)


def test_equal_surveys_give_equal_bytes(tmp_path: Path) -> None:
    one, two = (made.world(tmp_path / name, per_group=1) for name in ("a", "b"))
    assert one.folder.name == two.folder.name
    for path in one.folder.rglob("*.*"):
        assert path.read_bytes() == (two.folder / path.relative_to(one.folder)).read_bytes(), path


def test_xlsx_takes_whole_numbers_only_and_locks_the_rest(survey: made.World) -> None:
    book = openpyxl.load_workbook(survey.sheet())
    assert book.sheetnames == ["Instructions", "Survey"]
    guide, items = book.worksheets
    assert guide.protection.sheet and items.protection.sheet and items.freeze_panes == "A2"
    limits = {str(one.sqref): one for one in items.data_validations.dataValidation}
    for row, question in zip(items.iter_rows(min_row=2), survey.questions(), strict=True):
        assert [cell.value for cell in row] == [
            question.item_id, str(question.page), question.question, question.left, question.right, None, "annotator-1",
        ]  # fmt: skip
        assert [cell.protection.locked for cell in row] == [True] * 5 + [False, True]
        limit = limits[row[made.ANSWER].coordinate]
        most = 100 if question.kind == RATING else 4
        least = 0 if question.kind == RATING else 1
        assert (limit.type, limit.operator, limit.errorStyle or "stop") == ("whole", None, "stop")
        assert (int(limit.formula1), int(limit.formula2)) == (least, most)
    formulas = [cell.value for row in guide.iter_rows() for cell in row if cell.data_type == "f"]
    assert formulas == [f"=COUNT('Survey'!$F$2:$F${len(survey.questions()) + 1})"]
    text = ratings_text.load("en")
    shown = [cell.value for row in guide.iter_rows() for cell in row if cell.value]
    assert shown[:2] == [text.title, text.warning]


def test_awkward_names_come_back_exactly(tmp_path: Path) -> None:
    groups = [name for name in AWKWARD if name not in ("-5",)]
    world = made.world(tmp_path, groups, per_group=1)
    names = set()
    for annotator in sorted(set(world.key["annotator"])):
        questions = world.questions(annotator)
        rows = made.csv_rows(world.sheet(annotator, "csv"))[1:]
        assert [unescape(row[2]) for row in rows] == [one.question for one in questions]
        names |= {one.question for one in questions if one.kind == RATING}
        book = openpyxl.load_workbook(world.sheet(annotator)).worksheets[1]
        assert [row[2].value for row in book.iter_rows(min_row=2)] == [one.question for one in questions]
        given = made.answers(questions)
        for target in (
            made.fill_xlsx(world.sheet(annotator), tmp_path / "x.xlsx", given),
            made.fill_csv(world.sheet(annotator, "csv"), tmp_path / "x.csv", given),
        ):
            found = ratings_returned.read(made.files(target), world.key)
            assert not len(found.problems), found.problems
            assert {item_id: row.value for item_id, row in found.rows.items()} == given
    assert names == set(groups)


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
    computed = ratings_results.compute(made.files(*back), world.key, RULE)
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


def test_without_noise_the_means_are_exact(survey: made.World, tmp_path: Path) -> None:
    names = sorted(set(survey.key["annotator"]))[:-1]
    back = [
        made.fill_csv(survey.sheet(name, "csv"), tmp_path / f"{name}.csv", made.answers(survey.questions(name)))
        for name in names
    ]
    computed = ratings_results.compute(made.files(*back), survey.key, RULE)
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
    ],
)
def test_whole_numbers(text: str, value: int | None, reason: str) -> None:
    assert ratings_returned.whole_number(text, 0, 100) == (value, reason)


# ---------------------------------------------------------------- checks


def test_self_agreement_by_hand() -> None:
    once_ = {"a": 10, "b": 50, "c": 90, "d": None, "e": None}
    again = {"a": 30, "b": 71, "c": None, "d": 5, "e": None}
    # a differs by 20 (alike), b by 21; c and d were answered once; e never.
    assert self_agreement(once_, again, 20) == (4, 0.25)
    assert self_agreement(once_, again, 21) == (4, 0.5)
    assert self_agreement({"a": None}, {"a": None}, 20) == (0, None)


def test_checks_that_were_not_answered_leave_out(survey: made.World, tmp_path: Path) -> None:
    questions = survey.questions()
    given = made.answers(questions)
    some = {one.item_id: given[one.item_id] for one in questions if one.kind == RATING and not one.repeated}
    path = made.fill_csv(survey.sheet(ending="csv"), tmp_path / "a.csv", some)
    for rule, failed in (
        (RULE, list(CHECKS)),
        (Rule(0.8, 20, ["recall_traits"]), ["recall_traits"]),
        (Rule(0.8, 20, []), []),
    ):
        found = ratings_returned.read(made.files(path), survey.key)
        (row,) = ratings_checks.annotators(survey.key, found.rows, rule).to_dict("records")
        assert (row["recall_group"], row["recall_traits"], row["self_agreement_check"]) == (NOT_ANSWERED,) * 3
        assert row["failed"] == failed and row["excluded"] == bool(failed)
        assert (row["n_asked"], row["n_answered"], row["n_compared"], row["self_agreement"]) == (80, 64, 16, 0.0)


@pytest.mark.parametrize(("n_off", "check"), [(3, PASSED), (4, FAILED)])
def test_the_papers_limit_of_80_percent(survey: made.World, tmp_path: Path, n_off: int, check: str) -> None:
    """13 of 16 sliders are 81 %, 12 of 16 are 75 %."""
    questions = survey.questions()
    given = made.answers(questions)
    for one in [one for one in questions if one.repeated][:n_off]:
        given[one.item_id] = 100 if given[one.item_id] < 50 else 0
    path = made.fill_csv(survey.sheet(ending="csv"), tmp_path / "a.csv", given)
    computed = ratings_results.compute(made.files(path), survey.key, Rule(0.8, 20, ["self_agreement"]))
    (row,) = computed["ratings_annotators"].to_dict("records")
    assert row["self_agreement"] == (16 - n_off) / 16 and row["self_agreement_check"] == check
    assert row["recall_group"] == PASSED and computed["human_ratings"]["kept"].all() == (check == PASSED)


# ---------------------------------------------------------------- tables and the published ratings


def test_means_by_hand() -> None:
    cell = {"lang": "en", "group": "g", "low": "cold", "high": "warm", "dimension": "communion"}
    other = {**cell, "low": "poor", "high": "wealthy", "dimension": "agency"}
    rows = [
        {**cell, "annotator": f"a{n}", "rating": value, "kept": value != 99.0}
        for n, value in enumerate((10.0, 20.0, 60.0, 99.0))
    ]
    frame = ratings_table.means(pd.DataFrame(rows), pd.DataFrame([cell, other]))
    first, second = frame.to_dict("records")
    # Mean 30, sd sqrt(700); t quantile 4.3027 with 2 degrees of freedom.
    assert first["n"] == 3 and first["mean"] == 30 and first["sd"] == pytest.approx(700**0.5)
    assert first["interval_high"] - 30 == pytest.approx(4.302652729911275 * (700 / 3) ** 0.5)
    assert 30 - first["interval_low"] == pytest.approx(first["interval_high"] - 30)
    assert second["n"] == 0 and all(np.isnan(second[name]) for name in ("mean", "sd", "interval_low", "interval_high"))
    with pytest.raises(ValueError, match="nothing on 'x'"):
        ratings_table.as_array(frame, [], "en", ["x"])


def test_the_published_ratings_are_read_into_the_same_tables(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "us_stereotypes"
    full = ratings_published.read_full(folder / "data_full.json")
    aggregated = ratings_published.read_aggregated(folder / "Aggregated_scores.json")
    assert len(full) == 8337 and full["annotator"].nunique() == 133 and full["rating"].between(0, 100).all()
    averaged = ratings_table.means(full, full)
    ours, theirs = (
        ratings_table.as_array(frame, made.PAIRS, "en", traits.abc().groups) for frame in (averaged, aggregated)
    )
    assert ours.values.shape == (26, 16) and not np.isnan(ours.values).any()
    differs = {
        (ours.groups[row], ours.pairs[column].name)
        for row, column in np.argwhere(np.abs(ours.values - theirs.values) > 0.05)
    }
    assert differs == {("women", "poor - wealthy"), ("women", "untrustworthy - trustworthy")}
    women = list(ours.groups).index("women")
    assert theirs.values[women, 3] == 56.4 and theirs.values[women, 10] == 57.95
    assert set(averaged["n"]) == {20.0, 21.0}
    for frame, name in (
        (full, "human_ratings"),
        (averaged, "human_ratings_means"),
        (aggregated, "human_ratings_means"),
    ):
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
        assert len(artifacts.read(tmp_path / f"{name}.parquet", name)) == len(frame)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": {"cold - hot": "5"}}', "a: unknown pair 'cold - hot'"),
        ('{"a": {"cold - warm": "101"}}', "found '101', expected a number from 0 to 100"),
        ('{"a": {"cold - warm": "x"}}', "found 'x', expected a number"),
        ('{"a": ["cold - warm"]}', "expected a JSON object"),
        ("{", "is no JSON"),
    ],
)
def test_a_published_file_of_another_layout_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "Aggregated_scores.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        ratings_published.read_aggregated(path)
