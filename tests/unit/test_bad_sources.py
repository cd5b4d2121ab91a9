"""Malformed source files: each ends in one clear message (file, place, value, fix) or in a recorded rejection."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dualpair import artifacts, languages
from dualpair.errors import InputError
from dualpair.sources import adapters, cleaning, common
from dualpair.sources.settings import CLASSES

NAMES = ["id", "cluster", "kind", "role", "text", "group", "attribute"]
COLUMNS = {
    "set_id": "id", "cluster_id": "cluster", "bias_type": "kind", "role": "role", "sentence": "text", "group": "group",
    "attribute": "attribute",
}  # fmt: skip
FIRST = ["1", "c", "animal", "stereotyped", "Cats nap.", "Cats", "nap"]
SECOND = ["1", "c", "animal", "contrast", "Dogs nap.", "Dogs", "nap"]
GOOD = "".join(",".join(row) + "\n" for row in (NAMES, FIRST, SECOND))
SCAFFOLDS = {"en": {"female": "Women: {sentence}", "male": "Men: {sentence}"}}
DEFAULTS = {
    "table": {"columns": COLUMNS}, "hf_dataset": {"columns": COLUMNS}, "biasshades": {"types": ["declaration"]},
    "gest": {"scaffolds": SCAFFOLDS}, "eurogest": {"scaffolds": SCAFFOLDS},
}  # fmt: skip


def read(path: Path, kind: str = "table", lang: str = "en", **changes) -> pd.DataFrame:
    given = {"kind": kind, "dataset": "d", "files": {}, "max_sets": None} | DEFAULTS.get(kind, {}) | changes
    frame = adapters.read(path, lang, CLASSES[kind](**given))
    artifacts.write(frame, path.parent / "stereotypes.parquet", "stereotypes")
    assert set(frame["reason"]) <= {"", *common.REASONS}
    return frame


def refused(path: Path, message: str, kind: str = "table", lang: str = "en", **changes) -> None:
    with pytest.raises(InputError) as error:
        read(path, kind, lang, **changes)
    text = str(error.value)
    assert text.startswith(str(path)), text
    assert message in text
    assert "\n" not in text
    assert len(text) < 800


def changed(old: str, new: str, text: str = GOOD) -> str:
    assert old in text
    return text.replace(old, new, 1)


def russian(encoding: str) -> bytes:
    rows = [NAMES, [*FIRST[:4], "Рыжие коты спят.", "Рыжие коты", "спят"], [*SECOND[:4], "Псы спят.", "Псы", "спят"]]
    return "".join(",".join(row) + "\n" for row in rows).encode(encoding)


def spanish(encoding: str) -> bytes:
    return GOOD.replace("Cats", "Gatos añejos").encode(encoding)


def chinese(encoding: str) -> bytes:
    return GOOD.replace("Cats nap.", "年轻的猫爱睡觉。").replace(",Cats,nap", ",年轻的猫,爱睡觉").encode(encoding)


TEXT = [
    # name of the case, file, content, settings, message
    ("empty", "a.csv", "", {}, "no data row; the file is empty"),
    ("blank", "a.csv", " \r\n\n\t\n", {}, "no data row; the file is empty"),
    ("header only", "a.csv", GOOD.splitlines()[0], {}, "no data row; the file needs a header (id, cluster"),
    ("column missing", "a.csv", changed(",text", ",txt"), {}, "column 'text' is not there (columns found: id, cluster, kind, role, txt, group, attribute), did you mean 'txt'?"),
    ("column in capitals", "a.csv", changed("role", "ROLE"), {}, "did you mean 'ROLE'?; rename the column"),
    ("column repeated", "a.csv", changed("cluster", "id"), {}, "column 'id' occurs 2 times; rename or delete one"),
    ("no header", "a.csv", "".join(GOOD.splitlines(keepends=True)[1:]), {}, "column 'id' is not there"),
    ("row too short", "a.csv", GOOD + "1,c,animal\n", {}, "line 4: 3 cells, expected 7"),
    ("comma without quotes", "a.csv", changed("Dogs nap.", "Dogs, too, nap."), {}, "line 3: 9 cells, expected 7 (id, cluster, kind, role, text, group, attribute); quote cells that hold the delimiter"),
    ("quote not closed", "a.csv", changed("Cats nap.", '"Cats nap.'), {}, "line 2: unexpected end of data (noticed in line 3); check the quotes"),
    ("text after a quote", "a.csv", changed("Cats nap.", '"Cats" nap.'), {}, "line 2: ',' expected after '\"'"),
    ("semicolons", "a.csv", GOOD.replace(",", ";"), {}, "separated by semicolon: set `source.reading.delimiter: semicolon`"),
    ("tabs in .csv", "a.csv", GOOD.replace(",", "\t"), {}, "set `source.reading.delimiter: tab`"),
    ("commas in .tsv", "a.tsv", GOOD, {}, "no column 'id' when cut at each tab; it seems to be separated by comma"),
    ("bars", "a.csv", GOOD.replace(",", "|"), {}, "set `source.reading.delimiter: pipe`"),
    ("wrong delimiter named", "a.csv", GOOD, {"reading": {"delimiter": "semicolon"}}, "set `source.reading.delimiter: comma`"),
    ("UTF-16", "a.csv", GOOD.encode("utf-16"), {}, "not UTF-8 (byte 0xff in line 1); it reads as utf-16"),
    ("UTF-16 without a mark", "a.csv", GOOD.encode("utf-16-le"), {}, "line 1: a NUL character"),
    ("cp1252", "a.csv", spanish("cp1252"), {}, "not UTF-8 (byte 0xf1 in line 2); it reads as cp1252 (…'yped,Gatos añejos nap.,G'…) or cp12"),
    ("cp1251", "a.csv", russian("cp1251"), {"lang": "ru"}, "it reads as cp1251 (…"),
    ("koi8-r", "a.csv", russian("koi8-r"), {"lang": "ru"}, "it reads as koi8-r (…"),
    ("gb18030", "a.csv", chinese("gb18030"), {"lang": "zh"}, "it reads as gb18030 (…"),
    ("UTF-8 said to be cp1252", "a.csv", spanish("utf-8"), {"reading": {"encoding": "cp1252"}}, "says cp1252, but the file is valid UTF-8; set it to utf-8"),
    ("ASCII said to be UTF-16", "a.csv", (GOOD + " " * (len(GOOD) % 2)).encode(), {"reading": {"encoding": "utf-16-le"}}, "says utf-16-le, but the file is valid UTF-8"),
    ("UTF-8 cut off", "a.csv", spanish("utf-8") + b"\xc3", {}, "not UTF-8 (byte 0xc3 in line 4); the rest of the file is UTF-8: correct the character there"),
    ("NUL", "a.csv", changed("Dogs nap.", "Dogs\x00 nap."), {}, "line 3: a NUL character"),
    ("picture", "a.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff\xfe", {}, "not UTF-8 (byte 0x89 in line 1)"),
    ("endless cell", "a.csv", changed("Cats nap.", '"' + "Cats nap. " * 20_000 + '"'), {}, "line 2: field larger than field limit"),
    ("unknown role", "a.csv", changed("contrast", "contrasts"), {}, "line 3: column 'role': value 'contrasts' (allowed: stereotyped, contrast); did you mean 'contrast'?"),
    ("role of another case", "a.csv", changed("contrast", "Contrast"), {}, "did you mean 'contrast'?"),
    ("no id", "a.csv", changed("1,c,animal,contrast", ",c,animal,contrast"), {}, "line 3: column 'id' is empty; every row needs a value"),
    ("two stereotyped", "a.csv", changed("contrast", "stereotyped"), {}, "lines 2 and 3: set_id '1' has two different stereotyped sentences"),
    ("two clusters", "a.csv", changed("1,c,animal,contrast", "1,d,animal,contrast"), {}, "lines 2 and 3: set_id '1' has two values of cluster_id ('c' and 'd')"),
    ("two kinds of bias", "a.csv", changed("c,animal,contrast", "c,plant,contrast"), {}, "set_id '1' has two values of bias_type ('animal' and 'plant')"),
    ("spreadsheet of another program", "a.ods", GOOD, {}, "ending '.ods' names no format that can be read (allowed: .csv"),
    ("Excel's note of the delimiter", "a.csv", "sep=;\n" + GOOD.replace(",", ";"), {}, "line 1: 'sep=;' is a note of Excel's, no header; delete the line and set `source.reading.delimiter: semicolon`"),
    ("ZIP named .csv", "a.csv", b"PK\x03\x04\x14\x00", {}, "is a ZIP archive (as .xlsx workbooks are), no text"),
    ("gzip named .json", "a.json", b"\x1f\x8b\x08\x00", {}, "is compressed by gzip, no text"),
    ("sheet of a CSV", "a.csv", GOOD, {"reading": {"sheet": "Data"}}, "key `source.reading.sheet`: value 'Data': only workbooks (.xlsx) have sheets"),
    ("cp1251 said to be cp1252", "a.csv", russian("cp1251"), {"lang": "ru", "reading": {"encoding": "cp1252"}}, "no sentence has a letter of the script of language 'ru' (Cyrl) when read as cp1252"),
    ("the same, advice", "a.csv", russian("cp1251"), {"lang": "ru", "reading": {"encoding": "cp1252"}}, "it reads as cp1251 (…"),
    ("file of another language", "a.json", json.dumps([dict(zip(NAMES, FIRST, strict=True))]), {"lang": "ru"}, "no sentence has a letter of the script of language 'ru'"),
    ("invisible id", "a.csv", changed("1,c,animal,contrast", "\u200b,c,animal,contrast"), {}, "line 3: column 'id' is empty"),
    ("control character in an id", "a.csv", changed("1,c,animal,contrast", "1\x07,c,animal,contrast"), {}, "line 3: set_id '1\\x07': control character; give a plain text"),
    ("damaged cluster", "a.csv", changed("1,c,animal,contrast", "1,\ufffd,animal,contrast"), {}, "line 3: cluster_id '\ufffd': unreadable character"),
    ("id with half a pair", "a.jsonl", json.dumps(dict(zip(NAMES, ["\ud83d", *FIRST[1:]], strict=True))), {}, "line 1: set_id '\\ud83d': unreadable character"),
    ("endless number as id", "a.json", '[{"id": ' + "7" * 5000 + "".join(f', "{k}": "{v}"' for k, v in zip(NAMES[1:], FIRST[1:], strict=True)) + "}]", {}, "record 1: set_id '7777"),
    ("no ending", "table", GOOD, {}, "ending '' names no format"),
    ("broken JSON line", "a.jsonl", '{"id": "1"\n', {}, "line 1: not JSON (Expecting ',' delimiter, line 1, character 11)"),
    ("JSON line without object", "a.jsonl", "\n[1, 2]\n", {}, "line 2: ['1', '2'] is no object"),
    ("JSON key twice", "a.jsonl", '{"id": "1", "id": "2"}', {}, "line 1: key 'id' occurs twice in one object"),
    ("JSON NaN", "a.jsonl", '{"id": NaN}', {}, "line 1: value NaN is not allowed in JSON"),
    ("JSON nested too deep", "a.json", "[" * 100_000, {}, "nested too deeply"),
    ("JSON number", "a.json", "5", {}, "expected a list of objects"),
    ("JSON cut off", "a.json", '[{"id": "1"}', {}, "not JSON"),
    ("no Parquet", "a.parquet", GOOD, {}, "cannot be read as Parquet"),
    ("no workbook", "a.xlsx", GOOD, {}, "cannot be read as a workbook (BadZipFile"),
    ("encrypted workbook", "a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x01" * 600, {}, "is encrypted or an old .xls workbook"),
]  # fmt: skip


@pytest.mark.parametrize("case", TEXT, ids=lambda case: case[0])
def test_a_file_that_is_refused(case, tmp_path):
    _, name, content, changes, message = case
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(tmp_path / name, message, **changes)


def test_a_folder_or_nothing_where_a_file_is_named(tmp_path):
    (tmp_path / "a.csv").mkdir()
    refused(tmp_path / "a.csv", "is a folder; correct the path")
    refused(tmp_path / "b.csv", "no such file; correct the path")


def records(**changes):
    rows = [dict(zip(NAMES, row, strict=True)) for row in (FIRST, SECOND)]
    rows[1] |= changes
    return rows


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": "b"}, "record 2: column 'group': value {'a': 'b'} is nested"),
        (["a", 1], "record 2: column 'group': value ['a', '1'] is nested"),
        (["Dogs"], "record 2: column 'group': value ['Dogs'] is nested; only a column that lists a set's groups"),
    ],
)
def test_a_json_value_that_is_no_text(value, message, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(records(group=value)))
    refused(tmp_path / "a.json", message)


def test_a_json_record_without_a_key(tmp_path):
    rows = records()
    del rows[1]["kind"]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    refused(tmp_path / "a.jsonl", "line 2: column 'kind': this record has no such key; add it")


def test_an_unpaired_surrogate_is_a_recorded_rejection(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(records(text="Dogs \ud83d nap.")))
    frame = read(tmp_path / "a.json")
    assert frame["reason"].tolist() == ["", "unreadable_character"]
    assert frame["sentence"][1] == "Dogs \ufffd nap."


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([date(2024, 3, 1)] * 2, "record 1: column 'text': value datetime.date(2024, 3, 1) is of type date"),
        ([b"x", b"y"], "record 1: column 'text': value b'x' is of type bytes"),
        ([{"a": 1}, {"a": 2}], "record 1: column 'text': value {'a': 1} is nested"),
        ([[1], [2]], "record 1: column 'text': value [1] is nested"),
        ([["Cats", "nap."], ["Dogs"]], "record 1: column 'text': value ['Cats', 'nap.'] is nested"),
    ],
)
def test_a_parquet_column_that_is_no_text(values, message, tmp_path):
    table = pa.table({**{name: [a, b] for name, a, b in zip(NAMES, FIRST, SECOND, strict=True)}, "text": values})
    pq.write_table(table, tmp_path / "a.parquet")
    refused(tmp_path / "a.parquet", message)


def test_a_parquet_null_is_an_empty_cell(tmp_path):
    table = pd.DataFrame([FIRST, SECOND], columns=NAMES)
    table.loc[1, "text"] = None
    table.to_parquet(tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet")["reason"].tolist() == ["", "empty_sentence"]


def test_a_parquet_file_that_was_cut_off(tmp_path):
    pd.DataFrame([FIRST, SECOND], columns=NAMES).to_parquet(tmp_path / "a.parquet")
    data = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(data[: len(data) // 2])
    refused(tmp_path / "a.parquet", "cannot be read as Parquet")


def workbook(path, cells=(), rows=(NAMES, FIRST, SECOND)):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for place, value, form in cells:
        book.active[place] = value
        if form:
            book.active[place].number_format = form
    book.save(path)


@pytest.mark.parametrize(
    ("place", "value", "form", "message"),
    [
        ("E3", '=UPPER("Dogs nap.")', None, "row 3: column 'text': cell E3 holds a formula ('=UPPER(\"Dogs nap.\")')"),
        ("E3", date(2024, 3, 1), None, "row 3: column 'text': cell E3 holds a date or time"),
        ("A3", 45352, "mmm-yy", "row 3: column 'id': cell A3 holds a date or time"),
        ("A3", 0.5, "0%", "row 3: column 'id': cell A3 holds the number 0.5 in the format '0%'"),
        ("A3", 1234567890123456, None, "whose last digits a spreadsheet program loses"),
        ("E3", "#N/A", None, "row 3: column 'text': cell E3 holds the error #N/A"),
        ("H3", "loose", None, "row 3: 8 cells, expected 7"),
        ("A3", None, None, "row 3: column 'id' is empty; every row needs a value: fill it in, or delete the row (merged"),
        ("A1", date(2024, 3, 1), None, "header: cell A1 holds a date or time"),
    ],
)  # fmt: skip
def test_a_workbook_cell_that_is_no_text(place, value, form, message, tmp_path):
    workbook(tmp_path / "a.xlsx", [(place, value, form)])
    refused(tmp_path / "a.xlsx", message)


def test_a_formula_in_a_column_that_is_not_used_does_no_harm(tmp_path):
    workbook(tmp_path / "a.xlsx", [("H1", "notes", None), ("H3", "=1+1", None)])
    assert read(tmp_path / "a.xlsx")["kept"].all()


def test_merged_cells(tmp_path):
    workbook(tmp_path / "a.xlsx")
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    book.active.merge_cells("A2:A3")
    book.save(tmp_path / "a.xlsx")
    refused(tmp_path / "a.xlsx", "merged cells of a workbook count as empty but for the first")


def test_a_workbook_that_is_empty_or_lacks_the_sheet(tmp_path):
    workbook(tmp_path / "a.xlsx", rows=())
    refused(tmp_path / "a.xlsx", "column 'id' is not there (columns found: none)")
    refused(tmp_path / "a.xlsx", "value 'Data' (allowed: Sheet)", reading={"sheet": "Data"})


def test_an_archive_that_is_no_workbook(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("readme.txt", "x")
    refused(tmp_path / "a.xlsx", "cannot be read as a workbook")


def test_a_workbook_with_a_broken_sheet(tmp_path):
    workbook(tmp_path / "good.xlsx")
    with zipfile.ZipFile(tmp_path / "good.xlsx") as good, zipfile.ZipFile(tmp_path / "a.xlsx", "w") as bad:
        for name in good.namelist():
            data = good.read(name)
            bad.writestr(name, data[: len(data) // 2] if "sheet1" in name else data)
    refused(tmp_path / "a.xlsx", "cannot be read as a workbook")


SWALLOWING = [
    ('2,c,animal,stereotyped,"Emus nap.,Emus,nap\n2,c,animal,contrast,Gnus nap.",Gnus,nap\n', "lines 4 to 5", 5),
    # The quotes stand in a column that is not used.
    (
        '2,c,animal,contrast,Emus nap.,Emus,nap,"b\n3,c,animal,contrast,Gnus nap.,Gnus,nap,\n'
        '4,c,animal,contrast,Yaks nap.,Yaks,nap,d"\n',
        "lines 4 to 6",
        5,
    ),
]


@pytest.mark.parametrize(("rows", "lines", "inner"), SWALLOWING)
def test_a_quote_that_swallows_a_row_is_found(rows, lines, inner, tmp_path):
    good = (
        GOOD
        if rows is SWALLOWING[0][0]
        else "".join(f"{line},{'note' * (n == 0)}\n" for n, line in enumerate(GOOD.splitlines()))
    )
    (tmp_path / "a.csv").write_text(good + rows)
    with pytest.raises(
        InputError, match=f"{lines}: a quote that opens in line 4 .*, and line {inner} .* reads as a row"
    ):
        read(tmp_path / "a.csv")


def test_a_cell_of_several_lines_of_prose_is_none_such(tmp_path):
    lines = [f"{line},{'note' * (n == 0)}" for n, line in enumerate(GOOD.splitlines())]
    lines[1] += '"first\none, two, three, four, five, six, seven, eight\nlast, but not least"'
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    assert read(tmp_path / "a.csv")["kept"].tolist() == [True, True]


PUBLISHED = [
    ("biasshades", "x,_original,Cats nap.,['a'],declaration", "line 2: column 'index': value 'x' is no number"),
    ("biasshades", "nan,_original,Cats nap.,['a'],declaration", "line 2: column 'index': value 'nan' is no number"),
    ("biasshades", "1.0,original,Cats nap.,['a'],declaration", "line 2: column 'subset': value 'original' (allowed: _original"),
    ("biasshades", "1.0,_original,Cats nap.,gender,declaration", "line 2: column 'bias_type': value 'gender' is no list"),
    ("biasshades", "1.0,_original,Cats nap.,[1],declaration", "line 2: column 'bias_type': value '[1]' is no list"),
    ("biasshades", "1.0,_original,Cats nap.,['a'],declaration\n1.0,_original,Dogs.,['a'],declaration", "lines 2 and 3: set_id '1.0' has two different stereotyped"),
    ("crows_pairs", "0,Cats nap.,Dogs nap.,stereotype,animal", "line 2: column 'stereo_antistereo': value 'stereotype' (allowed: stereo, antistereo)"),
    ("stereoset", "BLANK is it.,'a' 'b' 'c',animal,it", "line 2: column 'choices': \"'a' 'b' 'c'\" is no list"),
    ("stereoset", "BLANK is it.,['a' 'b'],animal,it", "line 2: column 'choices': 2 texts, expected 3"),
    ("stereoset", "BLANK is it.,['a' b 'c'],animal,it", "line 2: column 'choices'"),
    ("gest", "I nap.,17", "line 2: column 'stereotype': value '17' (allowed: 1 to 16)"),
    ("gest", "I nap.,²", "line 2: column 'stereotype': value '²'"),
    ("eurogest", ",3,Duermo.", "line 2: column 'GEST_ID' is empty"),
]  # fmt: skip
HEADERS = {
    "biasshades": "index,subset,en_biased_sentences,bias_type,type",
    "crows_pairs": ",sent_more,sent_less,stereo_antistereo,bias_type",
    "stereoset": "prompt,choices,bias_type,target",
    "gest": "sentence,stereotype",
    "eurogest": "GEST_ID,Stereotype_ID,Neutral",
}


@pytest.mark.parametrize(("kind", "row", "message"), PUBLISHED)
def test_a_published_format_with_a_mistake(kind, row, message, tmp_path):
    (tmp_path / "a.csv").write_text(f"{HEADERS[kind]}\n{row}\n", encoding="utf-8")
    refused(tmp_path / "a.csv", message, kind)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"version": "1"}, "has no data.intrasentence or data.intersentence"),
        ({"data": {"intrasentence": {}}}, "key data.intrasentence: holds dict, expected a list of items"),
        ({"data": {"intrasentence": []}}, "no item; expected data.intrasentence[]"),
        (["x"], "record 1: 'x' is no object"),
        ([{"id": "1"}], "record 1: key 'bias_type': value None; expected a text"),
        ([{"id": "1", "bias_type": "b", "target": "t", "context": "c", "sentences": []}], "key 'sentences': value []"),
        (
            [{"id": "1", "bias_type": "b", "target": "t", "context": "c", "sentences": [{"sentence": "s", "gold_label": "x"}]}],
            "record 1: key 'sentences': {'sentence': 's', 'gold_label': 'x'}; expected sentence (text) and gold_label",
        ),
    ],
)  # fmt: skip
def test_a_stereoset_file_with_a_mistake(data, message, tmp_path):
    (tmp_path / "dev.json").write_text(json.dumps(data))
    refused(tmp_path / "dev.json", message, "stereoset")


def saved(folder, state=None, data=b""):
    folder.mkdir(exist_ok=True)
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": "d.arrow"}]} | (state or {})))
    (folder / "d.arrow").write_bytes(data)


def test_a_saved_data_set_with_a_mistake(tmp_path):
    folder = tmp_path / "ds"
    refused(folder, "no such folder", "hf_dataset")
    folder.mkdir()
    refused(folder, "neither state.json nor dataset_dict.json is there", "hf_dataset")
    (folder / "dataset_dict.json").write_text('{"splits": ["train"]}')
    refused(folder, "key `source.split`: value 'test' (allowed: train)", "hf_dataset", split="test")
    refused(folder, "state.json: cannot be read as JSON".removeprefix("state.json: "), "hf_dataset")
    saved(folder, data=b"no arrow here")
    refused(folder, "cannot be read as an Arrow stream", "hf_dataset")
    saved(folder, {"_indices_data_files": [{"filename": "i.arrow"}]})
    refused(folder, "rows are picked by an index file", "hf_dataset")
    saved(folder, {"_data_files": []})
    refused(folder, "names no data file", "hf_dataset")
    refused(folder, "has no splits; set `source.split` to null", "hf_dataset", split="train")


FAST = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FAST
@given(data=st.binary(max_size=300), ending=st.sampled_from([".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx"]))
def test_random_bytes_are_refused_in_one_message(data, ending, tmp_path):
    path = tmp_path / f"a{ending}"
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(path) in str(error.value)


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)


@FAST
@given(sentences=st.lists(CELLS, min_size=1, max_size=6))
def test_any_text_in_a_cell_comes_back_cleaned_or_is_rejected(sentences, tmp_path):
    # The first row has letters of the language, so that the file is no file of another one.
    sentences = ["Cats nap.", *sentences]
    rows = [[str(n), "c", "k", "contrast", text, "g", "a"] for n, text in enumerate(sentences)]
    out = io.StringIO(newline="")
    csv.writer(out).writerows([NAMES, *rows])
    (tmp_path / "a.csv").write_bytes(out.getvalue().encode())
    frame = read(tmp_path / "a.csv")
    assert len(frame) == len(sentences)
    for text, kept, reason, sentence in zip(sentences, frame["kept"], frame["reason"], frame["sentence"], strict=True):
        expected = cleaning.flaw(text) or ("" if cleaning.clean(text, "en") else "empty_sentence")
        assert (kept, reason) == (not expected, expected)
        if kept:
            assert sentence == cleaning.clean(sentence, "en") == cleaning.clean(text, "en")
            assert not set(sentence) & {"\n", "\r", "\u00a0", "\u200b", "\ufeff"}


@FAST
@given(
    place=st.integers(0, len(GOOD) - 1),
    piece=st.sampled_from(['"', ",", "\n", "\r", "\t", "", "\ufeff", "é", "\x1f", "''"]),
)
def test_a_damaged_table_is_refused_or_says_which_row_is_bad(place, piece, tmp_path):
    """One character of a good table is replaced: no row may be lost without a word."""
    (tmp_path / "a.csv").write_bytes((GOOD[:place] + piece + GOOD[place + 1 :]).encode())
    try:
        frame = read(tmp_path / "a.csv")
    except InputError:
        return
    assert len(frame) == 2
    for row in frame.loc[frame["kept"]].itertuples():
        assert row.sentence and row.group and row.attribute
        assert "\n" not in row.sentence


@given(text=st.text(st.characters(max_codepoint=127), max_size=60))
def test_plain_text_is_cleaned_as_any_other(text):
    """Texts without a character beyond ASCII take a shorter way."""
    assert cleaning.clean(text, "en") == languages.normalise(text)
