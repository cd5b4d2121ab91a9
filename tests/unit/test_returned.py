"""Returned sheets: every way in which a row or a file can be damaged, with what is said about it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair.errors import InputError
from dualpair.validation import keys, returned
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import known_words
from tests.unit import validation_world as vw

WORDS = known_words()
Rows = list[list[str]]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> vw.World:
    return vw.world(tmp_path_factory.mktemp("two"), n_sets=6, n=(4, 2, 2), annotators=2)


def read(world: vw.World, *files: Path | File) -> returned.Returned:
    listed = [file if isinstance(file, File) else File(str(file)) for file in files]
    return returned.read(listed, keys.read_all(world.folder), WORDS)


def all_accepted(world: vw.World, task: str = "paraphrase", lang: str = "en") -> dict[str, str]:
    return dict.fromkeys(world.items(task, lang)["item_id"], "accept")


def csv_back(
    world: vw.World, tmp: Path, change: Callable[[Rows], Any] = lambda rows: None, lang: str = "en", **how: Any
) -> Path:
    """The first annotator's CSV sheet, all accepted and then changed."""
    rows = vw.filled_rows(world.sheet("paraphrase", lang, kind="csv"), all_accepted(world, lang=lang))
    changed = change(rows)
    return vw.write_csv(rows if changed is None else changed, tmp / "annotator-1" / f"paraphrase-{lang}.csv", **how)


def xlsx_back(world: vw.World, tmp: Path, change: Callable[[Any], None]) -> Path:
    return vw.fill_xlsx(world.sheet(), all_accepted(world), tmp / "annotator-1" / "paraphrase-en.xlsx", change)


def set_cell(row: int, column: int, text: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        rows[row][column] = text

    return change


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


# ---------------------------------------------------------------- damaged rows: listed, and nothing else stops


def date_in(column: int) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        sheet.cell(3, column).value = datetime.datetime(2026, 5, 3)
        sheet.cell(3, column).number_format = "yyyy-mm-dd"

    return change


def formula_in(column: int) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        sheet.cell(3, column).value = "=B2"

    return change


def swap_texts(rows: Rows) -> None:
    rows[1][1:3], rows[2][1:3] = rows[2][1:3], rows[1][1:3]


def repeat(answer: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        rows.append([*rows[1][:3], answer, *rows[1][4:]])

    return change


def shifted(rows: Rows) -> None:
    rows[1] = [*rows[1][:4], "a comment", "annotator-1", "and its rest"]


DAMAGED: dict[str, tuple[Callable[[Rows], Any], list[str], str, int]] = {
    # name: change, problems, what "found" says of the first, answers lost
    "no answer": (set_cell(1, 3, ""), ["no_answer"], "", 1),
    "only spaces": (set_cell(1, 3, "  "), ["no_answer"], "", 1),
    "a dash for an answer": (set_cell(1, 3, "-"), ["no_answer"], "-", 1),
    "a word that is none": (set_cell(1, 3, "perhaps"), ["answer_not_in_list"], "perhaps", 1),
    "a number": (set_cell(1, 3, "1"), ["answer_not_in_list"], "1", 1),
    "a date as text": (set_cell(1, 3, "3 May"), ["answer_not_in_list"], "3 May", 1),
    "two answers": (set_cell(1, 3, "accept, reject"), ["answer_not_in_list"], "accept, reject", 1),
    "an altered sentence": (set_cell(1, 2, "Something else."), ["altered_text"], "Something else.", 1),
    "an emptied sentence": (set_cell(1, 1, ""), ["altered_text"], "", 1),
    "one column sorted alone": (swap_texts, ["text_of_another_item"] * 2, "the sentences of i", 2),
    "a deleted row": (lambda rows: rows.pop(1) and None, ["missing_row"], "", 1),
    "half of the rows": (lambda rows: rows[:5], ["missing_row"] * 4, "", 4),
    "a row twice": (repeat("accept"), ["repeated_row"], "the item of row 2 again", 0),
    "a row twice with two answers": (repeat("reject"), ["conflicting_answers"] * 2, "accept", 1),
    "a row twice, once empty": (repeat(""), ["no_answer", "repeated_row"], "", 0),
    "an unknown id": (set_cell(1, 0, "i00000000"), ["unknown_id", "missing_row"], "i00000000", 1),
    "an emptied id": (set_cell(1, 0, ""), ["no_id", "missing_row"], "", 1),
    "a total below": (lambda rows: rows.append(["total", "", "", "8", "", ""]), ["unknown_id"], "total", 0),
    "a note below": (lambda rows: rows.append(["", "all done", "", "", "", ""]), ["no_id"], "all done", 0),
    "a comma in an unquoted comment": (shifted, ["cells_beyond_the_header"], "and its rest", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_rows_are_listed_and_stop_nothing_else(two: vw.World, tmp_path: Path, name: str) -> None:
    change, problems, said, lost = DAMAGED[name]
    found = read(two, csv_back(two, tmp_path, change))
    listed = found.problems
    assert sorted(listed["problem"]) == sorted(problems)
    first = listed[listed["problem"] == problems[0]].iloc[0]
    assert said in first["found"] and first["file"].endswith("annotator-1/paraphrase-en.csv")
    assert first["expected"]
    assert int((~found.answers["kept"]).sum()) == lost
    assert len(found.answers) == len(all_accepted(two))
    assert (found.answers["reason"] == "").equals(found.answers["kept"])
    assert set(found.answers["reason"]) <= {"", *returned.REASONS}


@pytest.mark.parametrize(("change", "problem", "said"), [
    (date_in(4), "answer_not_in_list", "cell D3 holds a date or time"),
    (formula_in(4), "answer_not_in_list", "cell D3 holds a formula"),
    (date_in(2), "altered_text", "cell B3 holds a date or time"),
    (formula_in(3), "altered_text", "cell C3 holds a formula"),
])  # fmt: skip
def test_dates_and_formulas_in_a_workbook(two: vw.World, tmp_path: Path, change: Any, problem: str, said: str) -> None:
    found = read(two, xlsx_back(two, tmp_path, change))
    (row,) = found.problems.to_dict("records")
    assert (row["problem"], row["row"], row["sheet"]) == (problem, 3, "Items")
    assert said in row["found"]
    assert int((~found.answers["kept"]).sum()) == 1


def test_conflicting_files_of_one_annotator_name_both_places(two: vw.World, tmp_path: Path) -> None:
    found = read(two, csv_back(two, tmp_path / "a"), csv_back(two, tmp_path / "b", set_cell(1, 3, "reject")))
    assert found.problems["problem"].tolist() == ["conflicting_answers"] * 2
    assert (
        f"reject in {tmp_path / 'b' / 'annotator-1' / 'paraphrase-en.csv'}, row 2" in found.problems["expected"].iloc[0]
    )
    assert int((~found.answers["kept"]).sum()) == 1


# ---------------------------------------------------------------- files that say nothing


def drop_answer(rows: Rows) -> Rows:
    return [[*row[:3], *row[4:]] for row in rows]


FILES: dict[str, tuple[Callable[[Rows], Any], str]] = {
    "ids of another run": (lambda rows: [rows[0], *(["ix", *row[1:]] for row in rows[1:])], "holds no id of a sheet of this run"),
    "no column of answers": (drop_answer, "row 1: no column of answers (headers found: 'item_id'"),
    "two columns of answers": (lambda rows: [[*row, row[3]] for row in rows], "row 1: 2 columns of answers"),
    "an answer column of another name": (set_cell(0, 3, "verdict"), "row 1: no column of answers"),
    "ids twice": (lambda rows: [[*row, row[0]] for row in rows], "ids that were handed out are in columns 1, 7"),
    "no header": (lambda rows: rows[1:], "no header with item_id and answer is found"),
    "no rows": (lambda rows: rows[:1], "holds no id of a sheet of this run"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_that_say_nothing_stop_with_the_fix(two: vw.World, tmp_path: Path, name: str) -> None:
    change, message = FILES[name]
    path = csv_back(two, tmp_path, change)
    with pytest.raises(InputError) as error:
        read(two, path)
    assert message in str(error.value) and str(error.value).startswith(str(path))


def test_a_workbook_without_a_header_is_refused(two: vw.World, tmp_path: Path) -> None:
    path = xlsx_back(two, tmp_path, lambda sheet: sheet.delete_rows(1))
    with pytest.raises(InputError, match="row 1: ids, but no header above them; put the header"):
        read(two, path)


@pytest.mark.parametrize(("name", "data", "message"), [
    ("a.xls", b"\xd0\xcf\x11\xe0", "ending '.xls' cannot be read .*; save it as .xlsx"),
    ("a.html", b"<html>", "this is the page itself: give the CSV file"),
    ("a.ods", b"PK\x03\x04", "save it as .xlsx"),
    ("a.pdf", b"%PDF", "a PDF has no cells"),
    ("a.xlsx", b"PK\x03\x04 broken", "cannot be read as a workbook"),
    ("b.xlsx", b"\xd0\xcf\x11\xe0 encrypted", "is encrypted or an old .xls workbook"),
    ("a.csv", b"", "the file is empty"),
    ("b.csv", b"PK\x03\x04", "is a ZIP archive"),
    ("c.csv", b'item_id,answer\nix,"accept\n', "unexpected end of data.*check the quotes of that row$"),
    ("d.csv", "item_id,answer\ni\u00e9,accept\n".encode("latin-1"), "set `validation.encoding`"),
])  # fmt: skip
def test_files_that_cannot_be_read(two: vw.World, tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message):
        read(two, tmp_path / name)


def test_all_unusable_files_are_told_at_once(two: vw.World, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    (tmp_path / "b.csv").write_bytes(b"")
    with pytest.raises(InputError) as error:
        read(two, tmp_path / "a.pdf", tmp_path / "b.csv", csv_back(two, tmp_path))
    assert len(str(error.value).splitlines()) == 2


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
