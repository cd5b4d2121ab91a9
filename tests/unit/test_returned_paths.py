"""Which files came back: folders, what lies in them besides sheets, and paths that lead nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from dualpair.errors import InputError
from dualpair.validation import returned_paths
from dualpair.validation.returned_paths import File
from dualpair.validation.settings import ReturnedFile

ADAPTER: TypeAdapter[list[ReturnedFile]] = TypeAdapter(list[ReturnedFile])


def expand(*entries: object) -> list[File]:
    given = [str(entry) if isinstance(entry, Path) else entry for entry in entries]
    return returned_paths.expand(ADAPTER.validate_python(given), "cp1251")


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    return path


def test_a_folder_stands_for_its_sheets_however_deep_in_order(tmp_path: Path) -> None:
    wanted = [put(tmp_path / name) for name in ("a/x.xlsx", "a/y.CSV", "b/c/z.tsv", "t.txt")]
    assert [file.path for file in expand(tmp_path)] == [str(path) for path in sorted(wanted)]
    entry = {"path": str(tmp_path / "a"), "annotator": "Maria", "encoding": "utf-16"}
    assert set(expand(entry)) == {File(str(path), "Maria", "utf-16") for path in wanted[:2]}
    assert {file.encoding for file in expand(tmp_path)} == {"cp1251"}


@pytest.mark.parametrize("name", [
    "~$x.xlsx", ".~lock.x.xlsx#", "._x.xlsx", ".DS_Store", "Thumbs.db", "consent.pdf", "photo.jpg", "letter.docx", "desktop.ini",
    "~WRL0001.xlsx", "sub/.~lock.y.csv#",
])  # fmt: skip
def test_what_is_no_sheet_is_passed_over(tmp_path: Path, name: str) -> None:
    sheet = put(tmp_path / "x.xlsx")
    put(tmp_path / name)
    assert expand(tmp_path) == [File(str(sheet), "", "cp1251")]


@pytest.mark.parametrize(("name", "fix"), [
    ("x.ods", "save it as .xlsx"), ("x.fods", "save it as .xlsx"), ("x.XLS", "save it as .xlsx"), ("x.xlsb", "save it as .xlsx"),
    ("x.xlsm", "save it as .xlsx"), ("x.numbers", "export it as .xlsx"), ("x.numbers/Index.iwa", "export it as .xlsx"),
    ("back.zip", "unpack it"), ("a.csv.gz", "unpack it"), ("paraphrase-en.html", "give the CSV file that its export button saves"),
    ("x.gsheet", "download the sheet"), ("x.xlsx.part", "unfinished download"), ("x.xlsx.crdownload", "unfinished download"),
])  # fmt: skip
def test_answers_that_cannot_be_read_are_never_passed_over(tmp_path: Path, name: str, fix: str) -> None:
    put(tmp_path / "y.xlsx")
    put(tmp_path / name)
    with pytest.raises(InputError) as error:
        expand(tmp_path)
    assert fix in str(error.value) and name.split("/")[0] in str(error.value) and "move it out" in str(error.value)


@pytest.mark.parametrize("name", ["~$x.xlsx", ".~lock.x.xlsx#"])
def test_a_lock_file_that_is_named_itself(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="beside a file that is open; close that file"):
        expand(put(tmp_path / name))


@pytest.mark.parametrize(("given", "fix"), [
    ("nowhere.xlsx", "capital letters count"), ("back/*.xlsx", "name the folder, which stands for all sheets in it"),
    ("back/annotator-[12].csv", "name the folder"),
])  # fmt: skip
def test_a_path_that_leads_nowhere(tmp_path: Path, given: str, fix: str) -> None:
    with pytest.raises(InputError, match="does not exist") as error:
        expand(tmp_path / given)
    assert fix in str(error.value)


@pytest.mark.parametrize("key", ["key.parquet", "ratings_key.parquet"])
def test_the_folder_that_was_handed_out_from_is_no_folder_of_returned_files(tmp_path: Path, key: str) -> None:
    put(tmp_path / "annotator-1" / "paraphrase-en.xlsx")
    put(tmp_path / key)
    with pytest.raises(InputError, match="is the one that was handed out from"):
        expand(tmp_path)


def test_an_empty_folder_and_a_broken_link(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").symlink_to(tmp_path / "gone.xlsx")
    with pytest.raises(InputError, match="holds no sheet"):
        expand(tmp_path)


def test_a_file_that_two_entries_name(tmp_path: Path) -> None:
    sheet = put(tmp_path / "x.xlsx")
    with pytest.raises(InputError, match="is named twice"):
        expand(tmp_path, sheet)
    (tmp_path / "y.xlsx").symlink_to(sheet)
    with pytest.raises(InputError, match="is named twice"):
        expand(tmp_path)
