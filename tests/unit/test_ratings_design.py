"""The survey of trait ratings: settings, texts, design and the sheets that are handed out."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

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
    ratings_returned,
    ratings_sheets,
    ratings_text,
)
from dualpair.validation.ratings_design import RATING, RECALL_GROUP, RECALL_TRAITS, Survey, assign, design, rows_of
from dualpair.validation.ratings_settings import Ratings
from dualpair.validation.sheets import unescape
from tests.unit import ratings_world as made
from tests.unit.test_sheets import AWKWARD


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> made.World:
    return made.world(tmp_path_factory.mktemp("survey"))


# ---------------------------------------------------------------- settings and texts


def test_the_papers_groups_and_pairs() -> None:
    model = traits.abc()
    assert len(model.pairs) == 16 and len(model.groups) == 26 and model.not_compared == ("average people",)
    assert Counter(pair.dimension for pair in model.pairs) == {"agency": 6, "beliefs": 4, "communion": 6}
    for lang in ratings_text.shipped():
        named = Ratings(**{**made.SETTINGS, "languages": [lang]}).named(lang)
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
        Ratings(**{**made.SETTINGS, **change})


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
