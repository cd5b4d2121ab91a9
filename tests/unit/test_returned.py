"""Returned sheets that are in order: programs, locales, languages, annotators, samples, awkward text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair.errors import InputError
from dualpair.validation import returned
from dualpair.validation.returned_paths import File
from tests.unit import validation_world as vw
from tests.unit.returned_world import WORDS, Rows, all_accepted, csv_back, read, set_cell


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> vw.World:
    return vw.world(tmp_path_factory.mktemp("two"), n_sets=6, n=(4, 2, 2), annotators=2)


# ---------------------------------------------------------------- sheets in order


def test_an_untouched_sheet_gives_every_answer_and_no_problem(two: vw.World, tmp_path: Path) -> None:
    back = [
        vw.fill_xlsx(
            two.sheet(task, lang), all_accepted(two, task, lang), tmp_path / "annotator-1" / f"{task}-{lang}.xlsx"
        )
        for task in ("paraphrase", "alternate")
        for lang in vw.LANGS
    ]
    found = read(two, *back)
    assert found.problems.empty
    assert len(found.answers) == two.key["item_id"].nunique()
    assert set(found.answers["answer"]) == {"accept"} and found.answers["kept"].all()
    assert set(found.answers["annotator"]) == {"annotator-1"} and set(found.answers["role"]) == {"annotator"}


@pytest.mark.parametrize("text", [
    "ACCEPT", " accept ", "Accept.", "'accept", "“accept”", "accepted", "yes", "Aceptar", "принять", "接受", "是", "ａｃｃｅｐｔ",
])  # fmt: skip
def test_ways_to_write_accept(text: str) -> None:
    assert WORDS.answer(text) == "accept"


@pytest.mark.parametrize(
    "text", ["not fluent", "Not-Fluent", "NOT_FLUENT", "notfluent", "no fluido", "не по-русски", "不通顺"]
)
def test_ways_to_write_not_fluent(text: str) -> None:
    assert WORDS.answer(text) == "not_fluent"


@pytest.mark.parametrize("text", ["1", "0", "TRUE", "maybe", "accept?reject", "not accept", "x", "✓", "0.5"])
def test_what_is_no_answer(text: str) -> None:
    assert WORDS.answer(text) == ""


@pytest.mark.parametrize("header", [
    ["item_id", "first", "second", "answer", "comment", "annotator"],
    ["ITEM ID", "Sentence 1", "Sentence 2", "ANSWER", "Comment", "Annotator"],
    ["item_id", "Предложение 1", "Предложение 2", "Ответ (accept / reject / not_fluent)", "Комментарий", "annotator"],
    ["Item_Id", "句子一", "句子二", "答案", "备注", ""],
    ["идентификатор", "frase 1", "FRASE 2", "Respuesta", "comentario", ""],
])  # fmt: skip
def test_translated_headers(two: vw.World, tmp_path: Path, header: list[str]) -> None:
    def change(rows: Rows) -> None:
        rows[0] = header

    found = read(two, csv_back(two, tmp_path, change))
    assert found.problems.empty and found.answers["kept"].all()


def test_reordered_columns_and_rows_and_added_ones(two: vw.World, tmp_path: Path) -> None:
    def change(rows: Rows) -> Rows:
        header, *rest = rows
        changed = [["My notes", *header[::-1]], *(["note", *row[::-1]] for row in rest[::-1])]
        return [["Sheet of a volunteer", *[""] * 6], *changed]

    found = read(two, csv_back(two, tmp_path, change))
    assert found.problems.empty and found.answers["kept"].all()


@pytest.mark.parametrize(("encoding", "delimiter"), [
    ("utf-8", ","), ("utf-8-sig", ";"), ("utf-16", "\t"), ("utf-16", ";"), ("utf-8", "\t"),
])  # fmt: skip
def test_csv_of_other_programs(two: vw.World, tmp_path: Path, encoding: str, delimiter: str) -> None:
    found = read(two, csv_back(two, tmp_path, lang="ru", encoding=encoding, delimiter=delimiter))
    assert found.problems.empty and found.answers["kept"].all()


def test_a_named_encoding(two: vw.World, tmp_path: Path) -> None:
    path = csv_back(two, tmp_path, lang="ru", encoding="cp1251", delimiter=";")
    with pytest.raises(InputError, match=r"not UTF-8.*cp1251.*set `validation.encoding`"):
        read(two, path)
    assert read(two, File(str(path), encoding="cp1251")).answers["kept"].all()


def test_excels_note_on_the_delimiter_is_skipped_and_rows_keep_their_numbers(two: vw.World, tmp_path: Path) -> None:
    path = csv_back(two, tmp_path, set_cell(1, 3, "maybe"), delimiter=";", encoding="utf-8")
    path.write_text("sep=;\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    (problem,) = read(two, path).problems.to_dict("records")
    assert (problem["row"], problem["problem"]) == (3, "answer_not_in_list")


def test_what_programs_change_by_themselves_alters_nothing(tmp_path: Path) -> None:
    world = vw.world(
        tmp_path / "run", n_sets=4, n=(4, 0, 0), langs=("en",), text=lambda lang, s: f', "it\'s" -- so... {s}'
    )

    def change(rows: Rows) -> None:
        for row in rows[1:]:
            for column in (1, 2):
                row[column] = (
                    row[column]
                    .replace('"it\'s"', "“it’s”")
                    .replace("--", "—")
                    .replace("...", "…")
                    .replace(" so", "\u00a0so")
                )

    found = read(world, csv_back(world, tmp_path, change))
    assert found.problems.empty and found.answers["kept"].all()


def test_the_sentences_may_be_left_out_which_is_said(two: vw.World, tmp_path: Path) -> None:
    found = read(two, csv_back(two, tmp_path, lambda rows: [[row[0], *row[3:]] for row in rows]))
    assert found.problems["problem"].tolist() == ["sentences_not_returned"]
    assert found.answers["kept"].all()


def test_two_files_of_one_annotator_with_the_same_answers(two: vw.World, tmp_path: Path) -> None:
    first = csv_back(two, tmp_path / "a")
    second = csv_back(two, tmp_path / "b", delimiter=";")
    found = read(two, first, second)
    assert found.problems.empty and len(found.answers) == len(all_accepted(two))


def test_a_sheet_that_was_split_in_two_files_is_whole(two: vw.World, tmp_path: Path) -> None:
    first = csv_back(two, tmp_path / "a", lambda rows: rows[:4])
    second = csv_back(two, tmp_path / "b", lambda rows: [rows[0], *rows[4:]])
    assert read(two, first, second).problems.empty
    assert read(two, first).problems["problem"].unique().tolist() == ["missing_row"]


# ---------------------------------------------------------------- whose answers


def nameless(rows: Rows) -> Rows:
    return [row[:5] for row in rows]


@pytest.mark.parametrize(
    "path", ["annotator-2/x.csv", "x annotator 2.csv", "Annotator_02/deep/x.csv", "paraphrase-en-annotator-2 (1).csv"]
)
def test_the_path_names_the_annotator(two: vw.World, tmp_path: Path, path: str) -> None:
    rows = nameless(vw.filled_rows(two.sheet(kind="csv"), all_accepted(two)))
    found = read(two, vw.write_csv(rows, tmp_path / path))
    assert set(found.answers["annotator"]) == {"annotator-2"}


def test_the_config_names_the_annotator_before_the_file_does(two: vw.World, tmp_path: Path) -> None:
    found = read(two, File(str(csv_back(two, tmp_path)), annotator="Maria P."))
    assert set(found.answers["annotator"]) == {"maria-p."}


def test_the_column_names_the_annotator(two: vw.World, tmp_path: Path) -> None:
    items = two.items("paraphrase", "en", "annotator-2")
    found = read(two, vw.page_export(items, all_accepted(two), "annotator-2", tmp_path / "download.csv"))
    assert set(found.answers["annotator"]) == {"annotator-2"} and found.problems.empty


def test_one_of_several_annotators_must_be_named(two: vw.World, tmp_path: Path) -> None:
    rows = nameless(vw.filled_rows(two.sheet(kind="csv"), all_accepted(two)))
    with pytest.raises(InputError, match=r"whose answers are these.*annotator-1, annotator-2.*`validation\.returned`"):
        read(two, vw.write_csv(rows, tmp_path / "x.csv"))


def test_the_only_annotator_needs_no_name(tmp_path: Path) -> None:
    world = vw.world(tmp_path / "run", n_sets=4, n=(3, 0, 0), langs=("en",))
    rows = nameless(vw.filled_rows(world.sheet(kind="csv"), all_accepted(world)))
    found = read(world, vw.write_csv(rows, tmp_path / "x.csv"))
    assert set(found.answers["annotator"]) == {"annotator-1"}


# ---------------------------------------------------------------- across samples, awkward text


def test_answers_join_across_samples_by_pair(tmp_path: Path) -> None:
    old = vw.world(tmp_path / "run", n_sets=6, n=(4, 0, 0), langs=("en",), seed=1)
    new = vw.world(tmp_path / "run", n_sets=6, n=(12, 0, 0), langs=("en",), seed=2)
    assert old.folder != new.folder and old.folder.parent == new.folder.parent
    answers = dict.fromkeys(old.items("paraphrase", "en")["item_id"], "reject")
    back = vw.fill_xlsx(old.sheet(), answers, tmp_path / "back.xlsx")
    found = read(new, back)
    assert found.problems.empty
    shared = set(old.items("paraphrase", "en")["pair_id"]) & set(new.items("paraphrase", "en")["pair_id"])
    flipped = set(old.key["item_id"]) - set(new.key["item_id"])
    assert shared and flipped, "the new sample shows some of the pairs, not all in the same order"
    assert shared <= set(found.answers["pair_id"])


def test_a_key_of_an_earlier_version_still_joins(tmp_path: Path) -> None:
    old = vw.world(tmp_path / "run", n_sets=6, n=(4, 0, 0), langs=("en",), seed=1)
    new = vw.world(tmp_path / "run", n_sets=6, n=(4, 0, 0), langs=("en",), seed=2)
    pd.read_parquet(old.folder / "key.parquet").drop(columns=["annotator", "weight"]).to_parquet(
        old.folder / "key.parquet"
    )
    answers = dict.fromkeys(old.items("paraphrase", "en")["item_id"], "accept")
    found = read(new, vw.fill_xlsx(old.sheet(), answers, tmp_path / "back.xlsx"))
    assert found.answers["kept"].all() and len(found.answers) == 4


AWKWARD = [
    "=1+1",
    "-5",
    "+x",
    "@a",
    "'=x",
    "'Twas",
    '"q"',
    "\uff1dA1",
    "NA",
    "1/2",
    "русский",
    "中文",
    "عربي",
    "“é”",
    "🙂",
]


@pytest.mark.parametrize("kind", ["xlsx", "csv", "page", "bare csv"])
def test_awkward_text_comes_back_exactly(tmp_path: Path, kind: str) -> None:
    made = list(vw.tables(len(AWKWARD), ("en",)))
    for s, text in enumerate(AWKWARD):
        which = made[0]["set_id"] == f"s{s:03}"
        made[0].loc[which, "groups"] = pd.Series([[f"{text} {s}", "Dogs"]] * int(which.sum()), made[0].index[which])
        made[1].loc[made[1]["set_id"] == f"s{s:03}", "attribute"] += f" {text}"
    key = vw.sampling.sample(*made, vw.SampleSettings(60, 0, 0), 1, vw.BELOW).key
    key = key[key["task"] == "paraphrase"]
    folder = vw.sheets.export(tmp_path / "run", key)[0]
    answers = {item: ("accept", "reject")[n % 2] for n, item in enumerate(key["item_id"])}
    comments = dict(zip(key["item_id"], AWKWARD * 10, strict=False))
    out = tmp_path / "annotator-1" / ("back.xlsx" if kind == "xlsx" else "back.csv")
    if kind == "xlsx":

        def comment(sheet: Any) -> None:
            for row in range(2, sheet.max_row + 1):
                cell = sheet.cell(row, 5)
                cell.value = comments[sheet.cell(row, 1).value]
                cell.data_type = "s"

        vw.fill_xlsx(folder / "annotator-1" / "paraphrase-en.xlsx", answers, out, comment)
    elif kind == "page":
        vw.page_export(key, answers, "annotator-1", out)
    else:
        rows = vw.filled_rows(folder / "annotator-1" / "paraphrase-en.csv", answers)
        bare = [[cell.removeprefix("'") if kind == "bare csv" else cell for cell in row] for row in rows]
        vw.write_csv([bare[0], *([*row[:4], vw.sheets.escape(comments[row[0]]), *row[5:]] for row in bare[1:])], out)
    found = returned.read([File(str(out))], [key], WORDS)
    assert found.problems.empty
    assert dict(zip(found.answers["item_id"], found.answers["answer"], strict=True)) == answers
    if kind != "page":
        assert dict(zip(found.answers["item_id"], found.answers["comment"], strict=True)) == comments
