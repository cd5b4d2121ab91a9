"""Returned sheets: every way in which a row or a file can be damaged, with what is said about it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dualpair.errors import InputError
from dualpair.validation import returned
from dualpair.validation.returned_paths import File
from tests.unit import validation_world as vw
from tests.unit.returned_world import Rows, all_accepted, csv_back, read, set_cell, xlsx_back


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> vw.World:
    return vw.world(tmp_path_factory.mktemp("two"), n_sets=6, n=(4, 2, 2), annotators=2)


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


def answer_in_comment(rows: Rows) -> None:
    rows[1][3:5] = ["", "accept"]


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
    "an answer in the comment": (answer_in_comment, ["no_answer"], "", 1),
    "a header in the middle": (lambda rows: rows.insert(3, list(rows[0])), ["unknown_id"], "item_id", 0),
    "an id cut short": (set_cell(1, 0, "i1234567"), ["unknown_id", "missing_row"], "i1234567", 1),
    "a misspelt answer": (set_cell(1, 3, "acept"), ["answer_not_in_list"], "acept", 1),
    "TRUE for an answer": (set_cell(1, 3, "TRUE"), ["answer_not_in_list"], "TRUE", 1),
    "a question mark": (set_cell(1, 3, "?"), ["no_answer"], "?", 1),
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


# ---------------------------------------------------------------- files that were filled in wrongly, told in one line


def emptied(rows: Rows) -> None:
    for row in rows[1:]:
        row[3] = ""


def moved(rows: Rows) -> None:
    for row in rows[1:]:
        row[3:5] = ["", row[3]]


@pytest.mark.parametrize(("change", "said"), [
    (emptied, "no answer in 8 rows"), (moved, "no answer in 8 rows; 8 of their comments are answers: put them into the column 'answer'"),
])  # fmt: skip
def test_a_file_without_any_answer_is_told_in_one_line(two: vw.World, tmp_path: Path, change: Any, said: str) -> None:
    found = read(two, csv_back(two, tmp_path, change))
    (row,) = found.problems.to_dict("records")
    assert (row["problem"], row["found"], row["row"]) == ("nothing_filled_in", said, 0)
    assert set(found.answers["reason"]) == {"no_answer"} and len(found.answers) == 8


def test_the_empty_sheet_that_came_back_beside_the_filled_one_costs_nothing(two: vw.World, tmp_path: Path) -> None:
    found = read(two, csv_back(two, tmp_path / "a"), csv_back(two, tmp_path / "b", emptied))
    assert found.problems["problem"].tolist() == ["nothing_filled_in"] and found.answers["kept"].all()


def test_a_half_finished_sheet_keeps_its_answers_and_lists_the_rest(two: vw.World, tmp_path: Path) -> None:
    def half(rows: Rows) -> None:
        emptied([rows[0], *rows[4:]])

    found = read(two, csv_back(two, tmp_path, half))
    assert found.problems["problem"].tolist() == ["no_answer"] * 5 and int(found.answers["kept"].sum()) == 3


def test_two_people_with_the_same_sheet_are_noticed_and_can_be_named(two: vw.World, tmp_path: Path) -> None:
    rows = vw.filled_rows(two.sheet(kind="csv"), all_accepted(two))
    one = vw.write_csv(rows, tmp_path / "annotator-1" / "x.csv")
    other = vw.write_csv(rows, tmp_path / "annotator-2" / "x.csv")
    found = read(two, one, other)
    (row,) = found.problems.to_dict("records")
    assert row["problem"] == "annotator_named_otherwise" and row["file"] == str(other)
    assert (
        row["found"] == "annotator-1 in the rows, annotator-2 in the path"
        and "annotator: annotator-2" in row["expected"]
    )
    assert set(found.answers["annotator"]) == {"annotator-1"}
    named = read(two, one, File(str(other), "annotator-2"))
    assert named.problems.empty and set(named.answers["annotator"]) == {"annotator-1", "annotator-2"}


@pytest.mark.parametrize(("change", "problem", "lost"), [
    (lambda sheet: sheet.merge_cells("D2:D4"), "no_answer", 2),
    (lambda sheet: setattr(sheet.cell(3, 4), "value", True), "answer_not_in_list", 1),
    (lambda sheet: setattr(sheet.cell(3, 4), "value", 1), "answer_not_in_list", 1),
])  # fmt: skip
def test_cells_of_a_workbook_that_are_no_answer(
    two: vw.World, tmp_path: Path, change: Any, problem: str, lost: int
) -> None:
    found = read(two, xlsx_back(two, tmp_path, change))
    assert set(found.problems["problem"]) == {problem} and int((~found.answers["kept"]).sum()) == lost


def hidden(sheet: Any) -> None:
    for row in (3, 4):
        sheet.row_dimensions[row].hidden = True


def blank_far_below(sheet: Any) -> None:
    sheet.cell(100_000, 4).value = " "


@pytest.mark.parametrize("change", [hidden, blank_far_below, lambda sheet: sheet.insert_cols(1)])
def test_what_people_do_to_workbooks_without_harm(two: vw.World, tmp_path: Path, change: Any) -> None:
    found = read(two, xlsx_back(two, tmp_path, change))
    assert found.problems.empty and found.answers["kept"].all()


def test_headers_in_another_encoding_say_so(two: vw.World, tmp_path: Path) -> None:
    path = csv_back(two, tmp_path, lang="ru", encoding="cp1251")
    with pytest.raises(InputError, match=r"headers that nobody can read mean that `validation.encoding` is wrong"):
        read(two, File(str(path), encoding="cp1252"))
