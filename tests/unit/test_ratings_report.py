"""The report's section on the trait survey: its counts, checks, means and figure say what the tables say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import schemas
from dualpair.report import ratings_figures
from dualpair.report.sections import ratings as shown
from dualpair.validation import ratings_checks, ratings_results
from tests.unit import ratings_world as made

RULE = ratings_checks.Rule(0.8, 20, ["recall_group", "recall_traits", "self_agreement"])
WRONG = "annotator-2"


def notes(handed_out: Mapping[str, int], **more: Any) -> dict[str, Any]:
    rule = {**RULE._asdict(), "exclude": list(RULE.exclude)}
    return {"handed_out": dict(handed_out), "per_group": 4, "pages": made.N_PAGES, "rule": rule, "remarks": [], **more}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """Six of seven surveys came back; one annotator forgot the group, one left three sliders alone."""
    world = made.world(tmp_path_factory.mktemp("report"))
    back = []
    for number in range(1, 7):
        name = f"annotator-{number}"
        questions = world.questions(name)
        given = made.answers(questions, noise=5, seed=number)
        if name == WRONG:
            one = next(row for row in questions if row.kind == "recall_group")
            given[one.item_id] = one.right_answer % len(one.options) + 1
        if name == "annotator-3":
            for one in [row for row in questions if row.kind == "rating" and not row.repeated][:3]:
                del given[one.item_id]
        back.append(made.fill_csv(world.sheet(name, "csv"), world.folder.parent / f"{name}.csv", given))
    return ratings_results.compute(made.files(*back), world.key, RULE)


def test_groups_have_as_many_ratings_as_are_kept(tables: dict[str, pd.DataFrame]) -> None:
    table = shown.groups_table(tables, notes({"en": 7}))
    view = table.view.set_index("Group")
    assert list(view.index) == sorted(made.GROUPS)
    kept = tables["human_ratings"].query("kept").groupby("group").size()
    assert view["Ratings used"].astype(int).to_dict() == kept.to_dict()
    assert view["Ratings used"].astype(int).sum() + view["Not used"].astype(int).sum() == 6 * 4 * 16
    ranges = [cell for cell in view["Ratings of a trait pair"] if "–" in cell]
    assert 1 <= len(ranges) <= 3, "one annotator left three sliders alone"
    few = sum(int(re.split("–", cell)[0]) < 4 for cell in view["Ratings of a trait pair"])
    assert f"{few} of 7 groups have fewer than that" in table.caption
    assert "Every group has as many" in shown.groups_table(tables, notes({"en": 7}, per_group=1)).caption


def test_checks_count_everybody_once(tables: dict[str, pd.DataFrame]) -> None:
    (row,) = shown.checks_table(tables, notes({"en": 7})).view.to_dict("records")
    assert row["Surveys back"] == "6 of 7"
    assert row["Recalled the group"] == "5 / 1 / 0" and row["Recalled the traits"] == "6 / 0 / 0"
    assert row["Left out"] == "1"
    (out,) = shown.left_out_table(tables).view.to_dict("records")
    assert (out["Annotator"], out["Not passed"]) == (WRONG, "recall of the group")


def test_means_are_printed_as_the_table_has_them(tables: dict[str, pd.DataFrame]) -> None:
    means = tables["human_ratings_means"]
    view = shown.means_table(tables).view
    assert len(view) == len(means) == 7 * 16
    for row, printed in zip(means.to_dict("records"), view.to_dict("records"), strict=True):
        assert printed["Trait pair"] == f"{row['low']} – {row['high']}"
        assert float(printed["Mean"]) == pytest.approx(row["mean"], rel=5e-3)
        if row["n"] < 2:
            assert printed["95 % interval"] == "" == printed["SD"]
            continue
        low, high = (float(end) for end in printed["95 % interval"].strip("[]").replace("−", "-").split(", "))
        assert low == pytest.approx(row["interval_low"], rel=5e-3, abs=0.06)
        assert high == pytest.approx(row["interval_high"], rel=5e-3, abs=0.06)


def test_the_section_as_a_whole(tables: dict[str, pd.DataFrame]) -> None:
    section = shown.section(tables, notes({"en": 7}, remarks=["One remark."]))
    assert section.id == "ratings" and not section.shortfall
    assert [table.name for table in section.tables] == [
        "human_ratings", "ratings_annotators", "ratings_annotators", "human_ratings_means",
    ]  # fmt: skip
    for table in section.tables:
        assert set(table.numeric) <= set(table.view.columns)
        assert table.view.map(lambda cell: isinstance(cell, str)).all(axis=None)
    assert [drawing.name for drawing in section.drawings] == ["human_ratings_en"]
    assert "6 of 7 surveys have come back; 1 of their annotators is left out." in section.lead[1]
    assert section.cautions == ("One remark.", "Ratings that are not used: 64 annotator excluded, 3 no answer.")
    away = tables["human_ratings_means"].query("interval_low > 50 or interval_high < 50")
    known = tables["human_ratings_means"]["interval_low"].notna().sum()
    assert section.lead[2].startswith(f"In {len(away)} of {known} combinations")
    assert "80.0" in section.methods[1] and "20 points" in section.methods[1] and "4 groups" in section.methods[0]


def test_other_languages_come_with_a_caution(tables: dict[str, pd.DataFrame]) -> None:
    russian = {name: tables[name].assign(lang="ru") for name in shown.TABLES}
    section = shown.section(russian, notes({"ru": 7}))
    assert any("Russian" in text and "translations" in text for text in section.cautions)


def test_without_answers_it_says_how_to_get_them() -> None:
    section = shown.section(None, {})
    assert section.lead == ("How does society see each group, by the word of people?",)
    assert section.shortfall == "no survey has come back" and "snakemake ratings" in section.remedy
    assert not section.tables and not section.drawings


def test_with_no_usable_rating_the_counts_remain(tables: dict[str, pd.DataFrame]) -> None:
    nothing = {
        **tables,
        "human_ratings": tables["human_ratings"].assign(kept=False, reason="annotator_excluded"),
        "human_ratings_means": tables["human_ratings_means"].assign(n=0.0, mean=float("nan"), sd=float("nan"),
                                                                    interval_low=float("nan"), interval_high=float("nan")),
    }  # fmt: skip
    section = shown.section(nothing, notes({"en": 7}))
    assert section.shortfall == "not enough data (n = 0, needs 1 usable rating)" and not section.drawings
    assert set(section.tables[0].view["Ratings used"]) == {"0"}


def test_the_figure_has_a_mark_for_every_mean_and_orders_pairs_by_dimension(
    tables: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    drawing = ratings_figures.profile_plot(tables["human_ratings_means"], "en")
    marks = re.findall(r'<use [^>]*xlink:href="#m[0-9a-f]+"[^>]*fill: #(?:0072b2|d55e00|009e73)', drawing.svg)
    assert len(marks) >= 7 * 16
    assert list(dict.fromkeys(drawing.data["dimension"])) == ["agency", "beliefs", "communion"]
    for group in made.GROUPS:
        assert f">{group}<" in drawing.svg
    assert drawing.png.startswith(b"\x89PNG")
    again = ratings_figures.profile_plot(tables["human_ratings_means"].sample(frac=1, random_state=1), "en")
    assert (again.svg, again.png) == (drawing.svg, drawing.png)


def test_a_language_without_ratings_has_a_figure_that_says_so() -> None:
    empty = pd.DataFrame(columns=schemas.table("human_ratings_means").names)
    (drawing,) = ratings_figures.drawings(empty, ["ru"])
    assert drawing.name == "human_ratings_ru" and drawing.shortfall == "not enough data (n = 0, needs 1 rating)"
