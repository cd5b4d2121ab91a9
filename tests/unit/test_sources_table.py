"""A user's own table: the formats it may come in, its two layouts, and what becomes of odd rows."""

from __future__ import annotations

import json

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.sources import table
from dualpair.sources.settings import TableSource

COLUMNS = {
    "set_id": "id",
    "cluster_id": None,
    "bias_type": None,
    "role": "role",
    "sentence": "text",
    "group": "group",
    "attribute": "attribute",
}
NAMES = ["id", "role", "text", "group", "attribute"]
ROWS = [["1", "stereotyped", "Cats nap.", "Cats", "nap"], ["1", "contrast", "Dogs nap.", "Dogs", "nap"]]


def source(columns=None, **changes):
    given = {"kind": "table", "dataset": "d", "files": {}, "columns": COLUMNS | (columns or {}), "max_sets": None}
    return TableSource(**(given | changes))


def text(rows=ROWS, delimiter=",", names=NAMES):
    return "".join(delimiter.join(row) + "\n" for row in [names, *rows])


def read(path, content, settings=None, lang="en"):
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return table.read(path, lang, settings or source())


def triples(frame):
    return frame[["role", "sentence", "group", "attribute"]].values.tolist()


def workbook(path, rows, title="Sheet1"):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path


def test_a_csv_becomes_the_stereotypes_table(tmp_path):
    frame = read(tmp_path / "cats.csv", text())
    columns = ["set_id", "cluster_id", "bias_type", "role", "sentence", "source_file", "source_row", "source_part"]
    assert frame[columns].values.tolist() == [
        ["1", "1", "unspecified", "stereotyped", "Cats nap.", "cats.csv", 2, 0],
        ["1", "1", "unspecified", "contrast", "Dogs nap.", "cats.csv", 3, 0],
    ]
    artifacts.write(frame, tmp_path / "s.parquet", "stereotypes")


FORMATS = {
    "a.csv": lambda: text(),
    "a.tsv": lambda: text(delimiter="\t"),
    "A.TAB": lambda: text(delimiter="\t"),
    "a.jsonl": lambda: "\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in ROWS),
    "a.json": lambda: json.dumps([dict(zip(NAMES, row, strict=True)) for row in ROWS]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_text_formats_give_the_same_rows(name, tmp_path):
    assert triples(read(tmp_path / name, FORMATS[name]())) == [row[1:] for row in ROWS]


def test_parquet_and_workbooks_give_the_same_rows(tmp_path):
    pd.DataFrame(ROWS, columns=NAMES).astype({"id": int}).to_parquet(tmp_path / "a.parquet")
    frame = read(tmp_path / "a.parquet", None)
    assert triples(frame) == [row[1:] for row in ROWS]
    assert frame["source_row"].tolist() == [1, 2]
    workbook(tmp_path / "a.xlsx", [NAMES, [1, *ROWS[0][1:]], [], [1.0, *ROWS[1][1:]]])
    frame = read(tmp_path / "a.xlsx", None)
    assert triples(frame) == [row[1:] for row in ROWS]
    assert frame["source_row"].tolist() == [2, 4]
    assert frame["source_file"].tolist() == ["a.xlsx, sheet Sheet1"] * 2
    assert frame["set_id"].tolist() == ["1", "1"]


@pytest.mark.parametrize(("delimiter", "character"), [("semicolon", ";"), ("tab", "\t"), ("pipe", "|"), ("comma", ",")])
def test_the_delimiter_is_the_configs(delimiter, character, tmp_path):
    frame = read(tmp_path / "a.csv", text(delimiter=character), source(reading={"delimiter": delimiter}))
    assert triples(frame) == [row[1:] for row in ROWS]


def test_a_mark_crlf_odd_spaces_and_blank_lines_change_nothing(tmp_path):
    odd = "\ufeff\n" + text().replace("\n", "\r\n").replace("Cats nap.", " Cats\u00a0 nap. ") + ",,,,\r\n\r\n"
    frame = read(tmp_path / "a.csv", odd)
    assert triples(frame) == [row[1:] for row in ROWS]
    assert frame["source_row"].tolist() == [3, 4]


def test_old_mac_line_ends_are_line_ends_and_other_separators_are_not(tmp_path):
    assert triples(read(tmp_path / "a.csv", text().replace("\n", "\r"))) == [row[1:] for row in ROWS]
    frame = read(tmp_path / "b.csv", text([["1", "stereotyped", "Cats\u2028nap.", "Cats", "nap"], ROWS[1]]))
    assert frame["reason"].tolist() == ["line_break_in_cell", ""]
    assert frame["source_row"].tolist() == [2, 3]


def test_words_that_look_like_missing_values_stay_text(tmp_path):
    rows = [["NA", "stereotyped", "None nap.", "null", "NA"], ["NA", "contrast", "TRUE nap.", "TRUE", "NaN"]]
    assert triples(read(tmp_path / "a.csv", text(rows))) == [row[1:] for row in rows]
    pd.DataFrame(rows, columns=NAMES).to_parquet(tmp_path / "a.parquet")
    assert triples(read(tmp_path / "a.parquet", None)) == [row[1:] for row in rows]
    workbook(tmp_path / "a.xlsx", [NAMES, *rows])
    assert triples(read(tmp_path / "a.xlsx", None)) == [row[1:] for row in rows]


def test_quotes_of_all_kinds_are_text_inside_a_cell(tmp_path):
    row = ["1", "stereotyped", '"Cats ""nap"", they say."', "Cats", '“nap” ‘now’ «ici» "x"']
    frame = read(tmp_path / "a.csv", text([row, ROWS[1]]))
    assert frame["sentence"][0] == 'Cats "nap", they say.'
    assert frame["attribute"][0] == '“nap” ‘now’ «ici» "x"'
    plain = text([["1", "stereotyped", '"Cats" nap.', "Cats", "nap"], ROWS[1]], delimiter="\t")
    assert read(tmp_path / "a.tsv", plain, source(reading={"quotes": "none"}))["sentence"][0] == '"Cats" nap.'


def test_look_alikes_are_made_equal(tmp_path):
    rows = [
        ["1", "stereotyped", "Cafe\u0301s\u200b ｎａｐ １ day！", "Cafés", "nap 1 day"],
        ["1", "contrast", "\u202bBars nap 1 day!\u202c", "Bars", "nap 1 day"],
    ]
    frame = read(tmp_path / "a.csv", text(rows))
    assert frame["sentence"].tolist() == ["Cafés nap 1 day!", "Bars nap 1 day!"]
    chinese = [["1", "stereotyped", "猫爱睡觉！", "猫", "爱睡觉"], ["1", "contrast", "狗爱睡觉！", "狗", "爱睡觉"]]
    assert read(tmp_path / "b.csv", text(chinese), lang="zh")["sentence"].tolist() == ["猫爱睡觉！", "狗爱睡觉！"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le", "latin-1"])
def test_another_encoding_is_read_by_name(encoding, tmp_path):
    rows = [["1", "stereotyped", "Peñas nap.", "Peñas", "nap"], ROWS[1]]
    frame = read(tmp_path / "a.csv", text(rows).encode(encoding), source(reading={"encoding": encoding}))
    assert frame["group"].tolist() == ["Peñas", "Dogs"]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "empty_sentence"),
        (" \u200b\u00a0", "empty_sentence"),
        ("Cats\x0bnap.", "control_character"),
        ("Cats\x85 nap.", "control_character"),
        ("Cats \ufffd nap.", "unreadable_character"),
        ("Cats \ue123 nap.", "unreadable_character"),
        ("CafÃ©s nap.", "wrongly_decoded_text"),
        ("Cats donâ€™t nap.", "wrongly_decoded_text"),
        ("ÐšÐ¾Ñ‚Ñ‹ nap.", "wrongly_decoded_text"),
        ('"Cats\nnap."', "line_break_in_cell"),
        ("Cats nap " * 200, "too_long"),
    ],
)
def test_an_unusable_sentence_is_kept_with_its_reason_and_place(cell, reason, tmp_path):
    frame = read(tmp_path / "a.csv", text([ROWS[0], ROWS[1], ["1", "contrast", cell, "Emus", "nap"]]))
    assert frame["reason"].tolist() == ["", "", reason]
    assert frame["source_row"].tolist() == [2, 3, 4]
    artifacts.write(frame, tmp_path / "s.parquet", "stereotypes")


def test_the_end_of_a_capitalised_quotation_is_no_damage(tmp_path):
    rows = [["1", "stereotyped", "“CAFÉ” and “MENÜ” nap.", "x", "nap"], ROWS[1]]
    assert read(tmp_path / "a.csv", text(rows))["kept"].all()


@pytest.mark.parametrize(("column", "reason"), [(3, "empty_group"), (4, "empty_attribute")])
def test_an_empty_part_is_kept_with_its_reason(column, reason, tmp_path):
    row = [*ROWS[0]]
    row[column] = "  "
    assert read(tmp_path / "a.csv", text([row, ROWS[1]]))["reason"].tolist() == [reason, ""]


def test_a_repeated_row_is_dropped_with_its_reason(tmp_path):
    frame = read(tmp_path / "a.csv", text([*ROWS, ROWS[1]]))
    assert frame["reason"].tolist() == ["", "", "duplicate_row"]
    assert frame["kept"].tolist() == [True, True, False]


def test_max_sets_counts_in_natural_order(tmp_path):
    rows = [[f"set-{n}", "stereotyped", f"Cats nap {n}.", "Cats", f"nap {n}"] for n in ("10", "2", "1")]
    frame = read(tmp_path / "a.csv", text([*rows, ["set-²", "stereotyped", "", "Cats", "nap"]]), source(max_sets=2))
    assert dict(zip(frame["set_id"], frame["reason"], strict=True)) == {
        "set-10": "beyond_max_sets", "set-2": "", "set-1": "", "set-²": "empty_sentence",
    }  # fmt: skip


def test_split_rows_need_no_sentence(tmp_path):
    rows = [[*ROWS[0][:2], "Cats", "nap."], [*ROWS[1][:2], "Dogs", "nap."]]
    frame = read(tmp_path / "a.csv", text(rows, names=["id", "role", "group", "attribute"]), source({"sentence": None}))
    assert frame["sentence"].tolist() == ["Cats nap.", "Dogs nap."]


@pytest.mark.parametrize(
    "cell", ["Cats|Dogs|Emus", "['Cats', 'Dogs', 'Emus']", '["Cats", "Dogs", "Emus"]', "['Cats' 'Dogs' 'Emus']"]
)
@pytest.mark.parametrize("by", ["sentence", "attribute"])
def test_one_row_may_hold_a_whole_set(cell, by, tmp_path):
    columns = {"role": None, "group": None, "groups": "groups", "sentence": None, "attribute": None, by: "text"}
    given = {"sentence": "Cats nap a lot!", "attribute": "nap a lot!"}[by]
    record = {"id": "7", "groups": cell, "text": given}
    frame = read(tmp_path / "a.json", json.dumps([record]), source(columns))
    assert frame[["role", "sentence", "group", "attribute", "source_part"]].values.tolist() == [
        ["stereotyped", "Cats nap a lot!", "Cats", "nap a lot", 0],
        ["contrast", "Dogs nap a lot!", "Dogs", "nap a lot", 1],
        ["contrast", "Emus nap a lot!", "Emus", "nap a lot", 2],
    ]
    artifacts.write(frame, tmp_path / "s.parquet", "stereotypes")
    assert artifacts.read(tmp_path / "s.parquet", "stereotypes")["group"].tolist() == ["Cats", "Dogs", "Emus"]


@pytest.mark.parametrize(
    ("groups", "sentence", "reason"),
    [
        ("", "Cats nap.", "empty_group"),
        ("Cats", "Cats nap.", "only_one_group"),
        ("Cats|", "Cats nap.", "empty_group"),
        ("Cats|cats", "Cats nap.", "repeated_group"),
        ("Cats|Dogs", "Dogs nap.", "sentence_does_not_begin_with_group"),
        ("Cat|Dog", "Cats nap.", "sentence_does_not_begin_with_group"),
        ("Cats|Dogs", "Cats.", "sentence_does_not_begin_with_group"),
        ("Cats|Dogs", "Cats .", "empty_attribute"),
        ("Cats.|Dogs.", "Cats. nap.", "final_mark_in_group"),
        ("Cats|Dogs", "", "empty_sentence"),
        ("Cats|Do\ufffds", "Cats nap.", "unreadable_character"),
    ],
)
def test_a_set_in_one_row_that_cannot_be_used(groups, sentence, reason, tmp_path):
    columns = {"role": None, "group": None, "attribute": None, "groups": "groups"}
    frame = read(tmp_path / "a.json", json.dumps([{"id": "7", "groups": groups, "text": sentence}]), source(columns))
    assert frame["reason"].tolist() == [reason]


def test_a_list_column_of_parquet_lists_the_groups(tmp_path):
    cells = {"id": pa.array(["7"]), "groups": pa.array([["Cats", "Dogs"]]), "text": pa.array(["Cats nap."])}
    pq.write_table(pa.table(cells), tmp_path / "a.parquet")
    columns = {"role": None, "group": None, "attribute": None, "groups": "groups"}
    assert read(tmp_path / "a.parquet", None, source(columns))["sentence"].tolist() == ["Cats nap.", "Dogs nap."]


def test_one_file_may_hold_several_languages(tmp_path):
    wide = "id,role,text_en,text_es\n1,stereotyped,Cats nap.,Gatos duermen.\n"
    columns = {"sentence": "text_{lang}", "group": None, "attribute": None}
    for lang, sentence in (("en", "Cats nap."), ("es", "Gatos duermen.")):
        assert read(tmp_path / "wide.csv", wide, source(columns), lang)["sentence"].tolist() == [sentence]
    long = "id,role,lang,text\n1,stereotyped,en,Cats nap.\n1,stereotyped,es,Gatos duermen.\n"
    columns = {"lang": "lang", "group": None, "attribute": None}
    assert read(tmp_path / "long.csv", long, source(columns), "es")["sentence"].tolist() == ["Gatos duermen."]
    with pytest.raises(InputError, match=r"column 'lang': no row is in language 'ru' \(found: en, es\)"):
        read(tmp_path / "long.csv", long, source(columns), "ru")


def test_the_sheet_may_depend_on_the_language(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [NAMES, *ROWS], title="English")
    book = openpyxl.load_workbook(path)
    book.create_sheet("Deutsch").append(NAMES)
    book["Deutsch"].append(["1", "stereotyped", "Katzen ruhen.", "Katzen", "ruhen"])
    book.save(path)
    settings = source(reading={"sheet": {"en": "English", "de": "Deutsch"}})
    assert len(read(path, None, settings)) == 2
    assert read(path, None, settings, "de")["group"].tolist() == ["Katzen"]
    with pytest.raises(InputError, match=r"has 2 sheets \(English, Deutsch\); name one in `source.reading.sheet`"):
        read(path, None)


def test_numbers_in_a_workbook_are_the_text_that_is_seen(tmp_path):
    book = openpyxl.Workbook()
    for row in [NAMES, [7, *ROWS[0][1:]], [0.5, *ROWS[1][1:]], [12, *ROWS[0][1:]], [3, *ROWS[0][1:]]]:
        book.active.append(row)
    book.active["A4"].number_format = "0.00"
    book.active["A5"].number_format = "@"
    book.save(tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx", None)["set_id"].tolist() == ["7", "0.5", "12.00", "3"]


@pytest.mark.parametrize("group", ["Men from the U.S.", "Martin Luther King Jr."])
def test_the_full_stop_of_an_abbreviation_ends_no_group(group, tmp_path):
    columns = {"role": None, "group": None, "attribute": None, "groups": "groups"}
    record = {"id": "7", "groups": [group, "Cats"], "text": f"{group} nap."}
    assert read(tmp_path / "a.json", json.dumps([record]), source(columns))["kept"].all()


@pytest.mark.parametrize(
    ("sentence", "attribute", "made", "reason"),
    [
        ("Dogs nap a lot?", "nap a lot.", ["Cats nap a lot?", "Dogs nap a lot?"], ""),
        ("Cats nap a lot", "nap a lot!", ["Cats nap a lot!", "Dogs nap a lot!"], ""),
        ("Cats snore a lot.", "nap a lot.", ["Cats snore a lot."], "sentence_is_not_group_and_attribute"),
        ("Emus nap a lot.", "nap a lot.", ["Emus nap a lot."], "sentence_is_not_group_and_attribute"),
        ("", "nap a lot.", [""], "empty_sentence"),
        ("Cats.", ".", ["Cats."], "empty_attribute"),
    ],
)
def test_a_set_in_one_row_with_sentence_and_attribute(sentence, attribute, made, reason, tmp_path):
    columns = {"role": None, "group": None, "groups": "groups"}
    record = {"id": "7", "groups": "Cats|Dogs", "text": sentence, "attribute": attribute}
    frame = read(tmp_path / "a.json", json.dumps([record]), source(columns))
    assert frame["sentence"].tolist() == made
    assert set(frame["reason"]) == {reason}


@pytest.mark.parametrize(
    ("row", "reason"),
    [(["Cats .", "Cats", " ."], "empty_attribute"), (["Cats! nap.", "Cats!", "nap"], "final_mark_in_group")],
)
def test_split_rows_that_cannot_be_joined_are_kept_with_their_reason(row, reason, tmp_path):
    assert read(tmp_path / "a.csv", text([[*ROWS[0][:2], *row], ROWS[1]]))["reason"].tolist() == [reason, ""]


@pytest.mark.parametrize(
    ("code", "hint"), [("EN", "did you mean 'en'"), ("eng", "did you mean 'en'"), ("", "value ''")]
)
def test_a_mistyped_language_code_drops_no_row(code, hint, tmp_path):
    long = f"id,role,lang,text\n1,stereotyped,en,Cats nap.\n1,contrast,{code},Dogs nap.\n"
    settings = source({"lang": "lang", "group": None, "attribute": None})
    with pytest.raises(InputError, match=f"line 3: column 'lang': .*{hint}"):
        read(tmp_path / "long.csv", long, settings)


def test_rows_of_other_languages_are_counted_in_the_log(tmp_path, caplog):
    long = "id,role,lang,text\n1,stereotyped,en,Cats nap.\n1,stereotyped,es,Gatos.\n2,stereotyped,es,Gatos.\n"
    with caplog.at_level("INFO", logger="dualpair"):
        read(tmp_path / "long.csv", long, source({"lang": "lang", "group": None, "attribute": None}))
    assert "en: long.csv: 2 rows of language es left out" in caplog.text


def test_escapes_of_a_workbook_are_the_characters_they_stand_for(tmp_path):
    rows = [
        ["1", "stereotyped", "_x0043_ats nap.", "Cats", "nap"],
        ["1", "contrast", "Dogs_x000D_\nnap.", "Dogs", "nap"],
    ]
    workbook(tmp_path / "a.xlsx", [NAMES, *rows])
    frame = read(tmp_path / "a.xlsx", None)
    assert frame["sentence"][0] == "Cats nap."
    assert frame["reason"].tolist() == ["", "line_break_in_cell"]


def test_an_empty_id_of_a_text_file_says_nothing_of_workbooks(tmp_path):
    with pytest.raises(InputError, match=r"column 'id' is empty; .* or delete the row$"):
        read(tmp_path / "a.csv", text([["", *ROWS[0][1:]]]))
