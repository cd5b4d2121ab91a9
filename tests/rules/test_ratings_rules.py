"""The commands of the trait survey: written once, filled in, read."""

from __future__ import annotations

import json

import pytest

from dualpair import artifacts
from dualpair.report.sections import ratings as shown
from tests.unit import ratings_world as made

SETTINGS = {
    "per_group": 2,
    "groups_per_annotator": 4,
    "named": {
        "en": [["bakers", "bakers"], ["judges", "judges"], ["nurses", "nurses"]],
        "zh": [["a", "甲"], ["b", "乙"], ["c", "丙"]],
    },
}
RULE = {"min_self_agreement": 0.8, "agreement_points": 20, "exclude": ["recall_group", "self_agreement"]}


@pytest.fixture(scope="module")
def survey(folder):
    arguments = ("--settings", SETTINGS, "--seed", 3, "--folder", folder.path, "--out", "ratings.json")
    folder.run("ratings", *arguments)
    note = json.loads((folder.path / "ratings.json").read_text(encoding="utf-8"))
    return folder, note, arguments


def test_the_survey_is_written_once(survey):
    folder, note, arguments = survey
    assert note["annotators"] == {"en": 2, "zh": 2}
    place = folder.path / note["folder"]
    sheets = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
    assert sheets == sorted(
        ["ratings_key.parquet"]
        + [
            f"ratings/{lang}/annotator-{n}.{end}"
            for lang in ("en", "zh")
            for n in (1, 2)
            for end in ("csv", "html", "xlsx")
        ]
    )
    before = (folder.path / "ratings.json").read_bytes()
    assert "was there already" in folder.run("ratings", *arguments)
    assert (folder.path / "ratings.json").read_bytes() == before


def test_what_comes_back_becomes_tables(survey):
    folder, note, _ = survey
    place = folder.path / note["folder"]
    key = artifacts.read(place / "ratings_key.parquet", "ratings_key")
    back = []
    for lang, annotator, group in (
        ("en", "annotator-1", None),
        ("en", "annotator-2", "wrong"),
        ("zh", "annotator-1", None),
    ):
        own = key[(key["lang"] == lang) & (key["annotator"] == annotator)].sort_values("position")
        given = made.answers(own.itertuples())
        for one in own[own["kind"] == "recall_group"].itertuples():
            given[one.item_id] = one.right_answer if group is None else one.right_answer % len(one.options) + 1
        source = place / "ratings" / lang / f"{annotator}.xlsx"
        back.append(made.fill_xlsx(source, folder.path / f"back-{lang}-{annotator}.xlsx", given))
    contents = [path.read_bytes() for path in back]
    returned = json.dumps([{"path": path.name, "annotator": "", "encoding": "auto"} for path in back])
    arguments = ("--ratings", "ratings.json", "--returned", returned, "--rule", RULE, "--folder", folder.path)
    said = folder.run("ratings_returned", *arguments, "--out", "validation/ratings")
    assert (
        "3 of 4 surveys have come back" in said
        and "1 of 3 annotators are left out: en annotator-2 (recall_group)" in said
    )
    rated = folder.read("validation/ratings/human_ratings.parquet", "human_ratings")
    assert len(rated) == 3 * 3 * 16 and set(rated.loc[~rated["kept"], "annotator"]) == {"annotator-2"}
    averaged = folder.read("validation/ratings/human_ratings_means.parquet", "human_ratings_means")
    assert len(averaged) == 2 * 3 * 16 and set(averaged["n"]) == {1.0}
    assert list(averaged["mean"]) == [made.expected_mean(row.group, row.low) for row in averaged.itertuples()]
    assert not len(folder.read("validation/ratings/ratings_problems.parquet", "ratings_problems"))
    assert (folder.path / "validation/ratings/human_ratings_means.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    notes = json.loads((folder.path / "validation/ratings/notes.json").read_text(encoding="utf-8"))
    assert notes["files"] == 3 and notes["survey"] == note["folder"]
    assert notes["handed_out"] == {"en": 2, "zh": 2} and (notes["per_group"], notes["pages"]) == (2, 4)
    for lang in ("en", "zh"):
        for kind in ("svg", "png", "csv"):
            assert (folder.path / "figures" / f"human_ratings_{lang}.{kind}").stat().st_size > 100
    frames = {name: folder.read(f"validation/ratings/{name}.parquet", name) for name in shown.TABLES}
    section = shown.section(frames, notes)
    assert "3 of 4 surveys have come back" in section.lead[1] and len(section.drawings) == 2
    assert [path.read_bytes() for path in back] == contents


def test_a_lost_key_and_a_foreign_file_stop_the_command(survey, tmp_path):
    folder, note, _ = survey
    foreign = tmp_path / "x.csv"
    foreign.write_text("item_id,answer\nx,1\n", encoding="utf-8")
    returned = json.dumps([{"path": str(foreign), "annotator": "", "encoding": "auto"}])
    arguments = ("--returned", returned, "--rule", RULE, "--folder", folder.path, "--out", "bad", "--ratings")
    assert "holds no id of this run's survey" in folder.run("ratings_returned", *arguments, "ratings.json", status=2)
    (folder.path / "other.json").write_text(json.dumps({**note, "folder": "sheets/none"}), encoding="utf-8")
    assert "key is gone" in folder.run("ratings_returned", *arguments, "other.json", status=2)
    assert not (folder.path / "bad").exists()
