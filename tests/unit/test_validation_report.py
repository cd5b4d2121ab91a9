"""The report's section on human validation, its figures and the line of `dualpair summary`."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from dualpair import schemas
from dualpair.report import figures, validation, validation_figures
from dualpair.validation import keys, results, returned
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import known_words
from tests.unit import validation_world as vw

NAMES = ("rates", "agreement", "annotators", "items", "curve", "thresholds", "problems", "rejected")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> validation.ValidationData:
    root = tmp_path_factory.mktemp("report")
    world = vw.world(root / "run", n_sets=8, n=(12, 3, 3), annotators=2)
    files = []
    for number, annotator in enumerate(("annotator-1", "annotator-2")):
        for lang in vw.LANGS:
            answers = vw.simulated(world.items("paraphrase", lang, annotator), vw.CAREFUL, number)
            path = vw.page_export(
                world.items("paraphrase", lang, annotator), answers, annotator, root / f"{annotator}-{lang}.csv"
            )
            files.append(File(str(path)))
    samples = keys.read_all(world.folder)
    found = returned.read(files, samples, known_words())
    tables = results.compute(found, samples[-1], world.sets, world.variants, world.alternates, 1, 0.9, 1, 100)
    notes = {
        "files": 4,
        "sample": "x",
        "adjudication": "sheets/x/adjudication/y",
        "adjudication_items": 5,
        "remarks": ["<b>"],
    }
    return validation.ValidationData(
        **{name: tables[f"validation_{name}"] for name in NAMES}, notes=notes, applied=True
    )


def empty() -> validation.ValidationData:
    frames = {name: pd.DataFrame(columns=schemas.table(f"validation_{name}").names) for name in NAMES}
    notes = {"files": 1, "sample": "x", "adjudication": "", "adjudication_items": 0, "remarks": []}
    return validation.ValidationData(**frames, notes=notes, applied=False)


def test_without_answers_the_section_says_how_to_get_them() -> None:
    page = validation.section(None)
    assert "snakemake sheets" in page and "returned:" in page and page.count("<section") == 1


def test_the_section_shows_every_task_language_and_table(data: validation.ValidationData) -> None:
    page = validation.section(data)
    rows = {(row.task, row.lang): row for row in validation.rate_rows(data.rates)}
    assert list(rows) == [("paraphrase", "en"), ("paraphrase", "ru"), ("alternate", "en"), ("alternate", "ru")]
    for row in rows.values():
        assert row.before.counts in page and row.after.rate in page
    assert rows["alternate", "en"].before.counts == "not enough data (n = 0, needs 1)"
    assert "Krippendorff’s alpha" in page and "Items that annotators disagree on" in page
    assert "they are left out (reason rejected_by_annotators)" in page
    assert "&lt;b&gt;" in page and "<b>" not in page
    assert page.count("<svg") == 2
    assert "re-weighted" not in page


def test_the_section_shows_no_sentence(data: validation.ValidationData) -> None:
    page = validation.section(data)
    for text in [*data.items["first"], *data.items["second"]]:
        assert text not in page


def test_tags_are_closed_and_ids_unique(data: validation.ValidationData) -> None:
    page = re.sub(r"<svg.*?</svg>", "", validation.section(data), flags=re.DOTALL)
    for tag in ("section", "table", "tr", "td", "th", "div", "ul", "li", "p", "span", "details", "figure"):
        assert len(re.findall(rf"<{tag}[ >]", page)) == page.count(f"</{tag}>"), tag
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_an_empty_study_is_shown_as_such() -> None:
    page = validation.section(empty())
    assert page.count("not enough data (n = 0, needs 1") == 3
    assert "not enough data (n = 1 annotator, needs 2)" in page


def test_figures_hold_every_drawn_number_and_repeat_byte_for_byte(
    data: validation.ValidationData, tmp_path: Path
) -> None:
    drawn = validation_figures.drawings(data.rates, data.curve)
    assert [drawing.name for drawing in drawn] == list(validation_figures.NAMES)
    assert [drawing.shortfall for drawing in drawn] == ["", ""]
    shares = drawn[0].data
    row = shares[
        (shares["task"] == "paraphrase") & (shares["lang"] == "en") & (shares["what"] == "accepted pairs: accepted")
    ]
    own = data.rates.set_index(["task", "lang", "kind", "annotator", "adjudication"]).loc[
        "paraphrase", "en", "accepted", "all", "after"
    ]
    assert row[["n", "rate", "low", "high"]].values.tolist() == [
        [own["n"], own["accept_rate"], own["accept_low"], own["accept_high"]]
    ]
    again = validation_figures.drawings(data.rates, data.curve)
    assert [(one.svg, one.png) for one in drawn] == [(one.svg, one.png) for one in again]
    assert all(path.stat().st_size for path in figures.write(drawn[0], tmp_path))


def test_the_line_for_the_terminal(data: validation.ValidationData) -> None:
    line = validation.acceptance(data.rates)
    assert re.fullmatch(r"paraphrase English [\d.]+ % \[[\d.]+-[\d.]+ %\] \(n = 12\), paraphrase Russian .*", line)
    assert "alternate" not in line
    assert validation.acceptance(empty().rates) == "not enough data (n = 0, needs 1 answer)"


def test_every_table_has_paraphrases_first(data: validation.ValidationData) -> None:
    both = {
        name: pd.concat([getattr(data, name).assign(task=task) for task in ("alternate", "paraphrase")])
        for name in ("annotators", "agreement", "items")
    }
    for rows in (validation.annotator_rows(both["annotators"]), validation.agreement_rows(both["agreement"])):
        tasks = [row["task"] for row in rows]
        assert tasks == sorted(tasks, reverse=True) and len(set(tasks)) == 2
    tasks = [task for task, _, _ in validation.differing(both["items"])]
    assert tasks == sorted(tasks, reverse=True) and len(set(tasks)) == 2
