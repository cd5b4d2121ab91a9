"""Sources: strict reading, one message per mistake, every rejected row kept with its reason."""

from __future__ import annotations

import pytest

from dualpair import artifacts
from dualpair.config import BiasShadesSource, TableSource
from dualpair.errors import InputError
from dualpair.sources import biasshades, table

COLUMNS = {
    "set_id": "id",
    "cluster_id": None,
    "bias_type": None,
    "role": "role",
    "sentence": "text",
    "group": "group",
    "attribute": "attribute",
}
SOURCE = TableSource(kind="table", dataset="d", files={}, columns=COLUMNS, max_sets=None)
HEADER = "id,role,text,group,attribute\n"
GOOD = HEADER + "1,stereotyped,Cats nap.,Cats,nap\n1,contrast,Dogs nap.,Dogs,nap\n"


def read(tmp_path, text, source=SOURCE):
    path = tmp_path / "cats.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return table.read(path, "en", source)


def test_rows_become_the_stereotypes_table(tmp_path):
    frame = read(tmp_path, GOOD)
    assert frame[["set_id", "cluster_id", "bias_type", "role", "sentence", "group", "source_row"]].values.tolist() == [
        ["1", "1", "unspecified", "stereotyped", "Cats nap.", "Cats", 2],
        ["1", "1", "unspecified", "contrast", "Dogs nap.", "Dogs", 3],
    ]
    artifacts.write(frame, tmp_path / "s.parquet", "stereotypes")


def test_a_mark_crlf_and_odd_spaces_change_nothing(tmp_path):
    odd = "\ufeff" + GOOD.replace("\n", "\r\n").replace("Cats nap.", "Cats\u00a0 nap.")
    assert read(tmp_path, odd)["sentence"].tolist() == ["Cats nap.", "Dogs nap."]


def test_words_that_look_like_missing_values_stay_text(tmp_path):
    frame = read(tmp_path, HEADER + "NA,stereotyped,None nap.,null,NA\nNA,contrast,TRUE nap.,TRUE,NA\n")
    assert frame[["set_id", "group", "attribute"]].values.tolist() == [["NA", "null", "NA"], ["NA", "TRUE", "NA"]]


def test_a_repeated_row_is_dropped_with_its_reason(tmp_path):
    frame = read(tmp_path, GOOD + "1,contrast,Dogs nap.,Dogs,nap\n")
    assert frame["reason"].tolist() == ["", "", "duplicate_row"]
    assert frame["kept"].tolist() == [True, True, False]


def test_max_sets_counts_in_natural_order(tmp_path):
    rows = "".join(f"set-{n},stereotyped,Cats nap {n}.,Cats,nap {n}\n" for n in (10, 2, 1))
    frame = read(tmp_path, HEADER + rows, SOURCE.model_copy(update={"max_sets": 2}))
    assert dict(zip(frame["set_id"], frame["reason"], strict=True)) == {
        "set-10": "beyond_max_sets",
        "set-2": "",
        "set-1": "",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("text", "txt"), "column 'text' is not there (columns found: id, role, txt, group, attribute)"),
        (GOOD.replace("Cats,nap", ",nap"), "line 2: column 'group' (group) is empty"),
        (GOOD.replace(",Cats nap.", ", "), "line 2: column 'text' (sentence) is empty"),
        (
            GOOD.replace("contrast", "kontrast"),
            "line 3: column 'role': value 'kontrast' (allowed: stereotyped, contrast)",
        ),
        (
            GOOD.replace("1,contrast", "1,stereotyped"),
            "lines 2 and 3: set_id '1' has two different stereotyped sentences",
        ),
        (HEADER, "no data row"),
        ("", "no data row"),
        (GOOD + "1,contrast\n", "line 4: 2 cells, expected 5"),
        (GOOD.encode("utf-16"), "not UTF-8"),
        (GOOD.replace("Cats nap.", "Gatos añejos.").encode("latin-1"), "not UTF-8 (byte 0xf1"),
        (GOOD.replace("group", "role"), "column 'group' is not there"),
        (
            GOOD.replace(HEADER, "id,role,text,group,attribute,text\n").replace("nap\n", "nap,x\n"),
            "column 'text' occurs 2 times",
        ),
        (HEADER + '1,stereotyped,"Cats nap.,Cats,nap\n', "check the quotes"),
    ],
)
def test_a_mistake_names_file_place_value_and_fix(text, message, tmp_path):
    with pytest.raises(InputError) as error:
        read(tmp_path, text)
    assert message in str(error.value)
    assert "cats.csv" in str(error.value)


SHADES = "index,subset,en_templates,en_biased_sentences,bias_type,type\n"


def shades(tmp_path, rows):
    path = tmp_path / "en.csv"
    path.write_text(SHADES + rows, encoding="utf-8")
    source = BiasShadesSource(kind="biasshades", dataset="b", files={}, types=["declaration"], max_sets=None)
    return biasshades.read(path, "en", source)


def test_biasshades_contrasts_take_the_general_columns_of_their_original(tmp_path):
    frame = shades(
        tmp_path,
        "900.0,a,,Drivers like tea.,[],\n"
        "900.0,_original,X like tea.,Bakers like tea.,\"['occupation', 'age']\",declaration\n"
        "900.1,_original,,Who likes tea?,['occupation'],question\n"
        "901.0,_original,,,['age'],declaration\n",
    )
    assert frame[["set_id", "cluster_id", "bias_type", "role", "reason"]].values.tolist() == [
        ["900.0", "900", "occupation", "contrast", ""],
        ["900.0", "900", "occupation", "stereotyped", ""],
        ["900.1", "900", "occupation", "stereotyped", "type_not_selected"],
        ["901.0", "901", "age", "stereotyped", "empty_sentence"],
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x,_original,,Bakers.,['a'],declaration\n", "line 2: column 'index': value 'x' is no number"),
        ("1.0,_original,,Bakers.,gender,declaration\n", "line 2: column 'bias_type': value 'gender' is no list"),
    ],
)
def test_biasshades_mistakes(row, message, tmp_path):
    with pytest.raises(InputError) as error:
        shades(tmp_path, row)
    assert message in str(error.value)
