"""The published formats, on made-up files: what is kept, what is rejected and why."""

from __future__ import annotations

import importlib
import json

import pyarrow as pa
import pytest

from dualpair import artifacts, languages
from dualpair.errors import InputError
from dualpair.sources import adapters, cleaning, common, lists, reading, settings
from dualpair.sources.settings import CLASSES
from dualpair.syntax import sets

NO_LIMIT = {"dataset": "d", "files": {}, "max_sets": None}


def section(kind, **given):
    return CLASSES[kind](kind=kind, **(NO_LIMIT | given))


def read(path, content, source, lang="en"):
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    frame = adapters.read(path, lang, source)
    artifacts.write(frame, path.parent / "s.parquet", "stereotypes")
    assert set(frame["reason"]) <= {"", *common.REASONS}
    return frame


def rows(frame, *columns):
    return frame[list(columns)].values.tolist()


# --- BiasShades

SHADES = "index,subset,en_templates,en_biased_sentences,bias_type,type\n"
SHADES_ROWS = (
    "900.0,a,,Drivers like tea.,[],\n"
    "900.0,_original,X like tea.,Bakers like tea.,\"['occupation', 'age']\",declaration\n"
    "900.1,_original,,Who likes tea?,['occupation'],question\n"
    "901.0,_original,,,['age'],declaration\n"
    "902,_original,,Bakers nap.,[],declaration\n"
    "902.0,b,,Drivers nap.,['gender'],question\n"
)


def test_biasshades_contrasts_take_the_general_columns_of_their_original(tmp_path):
    frame = read(tmp_path / "en.csv", SHADES + SHADES_ROWS, section("biasshades", types=["declaration"]))
    assert rows(frame, "set_id", "cluster_id", "bias_type", "role", "reason") == [
        ["900.0", "900", "occupation", "contrast", ""],
        ["900.0", "900", "occupation", "stereotyped", ""],
        ["900.1", "900", "occupation", "stereotyped", "type_not_selected"],
        ["901.0", "901", "age", "stereotyped", "empty_sentence"],
        ["902.0", "902", "unspecified", "stereotyped", ""],
        ["902.0", "902", "unspecified", "contrast", "type_not_selected"],
    ]


PREFIXES = ["en", "fr", "ro", "ar", "bn", "zh", "zh_hant", "nl", "hi", "mr", "ru", "de", "it", "pl", "pt_br", "es"]
CODES = ["en", "fr", "ro", "ar", "bn", "zh", "zh-Hant", "nl", "hi", "mr", "ru", "de", "it", "pl", "pt-BR", "es"]


def test_biasshades_in_one_file_has_sixteen_languages(tmp_path):
    general = ["index", "subset", "bias_type", "stereotype_origin_langs", "stereotype_valid_langs"]
    general += ["stereotype_valid_regions", "stereotyped_entity", "type"]
    header, original, contrast = (
        [*general],
        ["3.0", "_original", "['age']", "['fr']", "[]", "[]", "x", "declaration"],
        None,
    )
    contrast = ["3.0", "a", "['age']", "[]", "[]", "[]", "", ""]
    for number, prefix in enumerate(PREFIXES):
        block = ["templates", "biased_sentences", "expression", "comments"]
        if prefix in ("ar", "bn", "ru", "de", "pl", "pt_br", "es"):
            block = ["templates", "biased_sentences", "comments", "expression"]
        header += [f"{prefix}_{name}" for name in block]
        name = languages.get(CODES[number]).native_name
        original += ["", f"{name} A {number}.", "False" if block[2] == "expression" else "", ""]
        contrast += ["", f"{name} B {number}.", "", ""]
    lines = "".join(",".join(f'"{cell}"' for cell in line) + "\n" for line in (header, original, contrast))
    for number, code in enumerate(CODES):
        frame = read(tmp_path / "all.csv", lines, section("biasshades", types=["declaration"]), code)
        name = languages.get(code).native_name
        expected = [[code, cleaning.clean(f"{name} {letter} {number}.", code), True] for letter in "AB"]
        assert rows(frame, "lang", "sentence", "kept") == expected
    frame = read(tmp_path / "all.csv", lines, section("biasshades", types=["declaration"]), "pt")
    assert frame["sentence"][0].endswith(" A 14.")


def test_biasshades_a_contrast_without_its_original_and_a_misspelt_type(tmp_path):
    text = "index,subset,bias_type,type,en_biased_sentences\n1.0,_original,['a'],declaration,Cats nap.\n2.0,a,[],,Dogs nap.\n"
    frame = read(tmp_path / "a.csv", text, section("biasshades", types=["declaration"]))
    assert rows(frame, "set_id", "reason") == [["1.0", ""], ["2.0", "contrast_without_original"]]
    with pytest.raises(InputError, match=r"value 'declarations' occurs in no row .*did you mean 'declaration'"):
        read(tmp_path / "a.csv", text, section("biasshades", types=["declarations"]))


# --- CrowS-Pairs

CROWS = ",sent_more,sent_less,stereo_antistereo,bias_type,annotations\n"
CROWS_ROWS = (
    "0,Cats nap a lot.,Dogs nap a lot.,stereo,animal,\"[['a'], []]\"\n"
    "1,Cats hunt.,Dogs hunt.,antistereo,animal,[]\n"
    "2,Cats are lazy.,Cats are keen.,stereo,animal,[]\n"
    "3,Cats nap.,Cats nap.,stereo,animal,[]\n"
    "4,,Cats nap.,stereo,animal,[]\n"
    "0,Emus nap.,Gnus nap.,stereo,bird,[]\n"
)


def test_crows_pairs_direction_decides_which_sentence_is_about_the_stereotyped_group(tmp_path):
    frame = read(tmp_path / "crows.csv", CROWS + CROWS_ROWS, section("crows_pairs", stereotyped="by_direction"))
    assert rows(frame, "set_id", "role", "sentence", "source_row", "source_part", "reason") == [
        ["0", "stereotyped", "Cats nap a lot.", 2, 0, ""],
        ["0", "contrast", "Dogs nap a lot.", 2, 1, ""],
        ["1", "stereotyped", "Dogs hunt.", 3, 0, ""],
        ["1", "contrast", "Cats hunt.", 3, 1, ""],
        ["2", "stereotyped", "Cats are lazy.", 4, 0, "pair_has_no_common_end"],
        ["2", "contrast", "Cats are keen.", 4, 1, "pair_has_no_common_end"],
        ["3", "stereotyped", "Cats nap.", 5, 0, "pair_of_equal_sentences"],
        ["3", "contrast", "Cats nap.", 5, 1, "pair_of_equal_sentences"],
        ["4", "stereotyped", "", 6, 0, "empty_sentence"],
        ["4", "contrast", "Cats nap.", 6, 1, "empty_sentence"],
        ["0#2", "stereotyped", "Emus nap.", 7, 0, "repeated_id"],
        ["0#2", "contrast", "Gnus nap.", 7, 1, "repeated_id"],
    ]
    more = read(tmp_path / "crows.csv", CROWS + CROWS_ROWS, section("crows_pairs"))
    assert more.loc[more["set_id"] == "1", "sentence"].tolist() == ["Cats hunt.", "Dogs hunt."]


@pytest.mark.parametrize(("delimiter", "name"), [("\t", "tab"), (",", "comma")])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_crows_pairs_in_french_has_an_id_and_its_own_delimiter(delimiter, name, encoding, tmp_path):
    lines = [["id", "sent_more", "sent_less", "stereo_antistereo", "bias_type"]]
    lines += [["412", "Les Belges mangent après nous.", "Les Suisses mangent après nous.", "stereo", "nationality"]]
    content = "".join(delimiter.join(line) + "\n" for line in lines).encode(encoding)
    source = section("crows_pairs", reading={"delimiter": name, "encoding": encoding})
    frame = read(tmp_path / "crows_french.csv", content, source, "fr")
    assert rows(frame, "set_id", "lang", "sentence") == [
        ["412", "fr", "Les Belges mangent après nous."], ["412", "fr", "Les Suisses mangent après nous."],
    ]  # fmt: skip


# --- StereoSet

INTRA = [
    ("i1", "nurse", "BLANK is a nurse.", ("She is a nurse.", "He is a nurse.", "Tea is a nurse."), ""),
    ("i2", "nurse", "The nurse was BLANK.", ("The nurse was kind.", "The nurse was rude.", "The nurse was tea."), "no_contrast_group"),
    ("i3", "nurse", "The BLANK nurse left.", ("The kind nurse left.", "The rude nurse left.", "The tea nurse left."), "blank_is_not_the_subject"),
    ("i4", "nurse", "A BLANK has a nurse.", ("A king has a nurse.", "A poet has a nurse.", "A tea has a nurse."), ""),
    ("i5", "nurse", "BLANK or BLANK is a nurse.", ("She or it is a nurse.", "He or it is a nurse.", "x"), "not_exactly_one_blank"),
    ("i6", "nurse", "Nothing here.", ("She.", "He.", "x"), "not_exactly_one_blank"),
]  # fmt: skip


def item(name, target, context, sentences, labels=("stereotype", "anti-stereotype", "unrelated")):
    labelled = [
        {"sentence": text, "gold_label": label, "id": f"{name}-{label}", "labels": [{"label": label, "human_id": "h"}]}
        for text, label in zip(sentences, labels, strict=True)
    ]
    return {"id": name, "target": target, "bias_type": "profession", "context": context, "sentences": labelled[::-1]}


def test_stereoset_keeps_what_has_two_groups(tmp_path):
    inter = item("x1", "nurse", "She is a nurse.", ("She is kind.", "She is rude.", "Tea."))
    missing = item(
        "i7",
        "nurse",
        "BLANK is a nurse.",
        ("She is a nurse.", "He is a nurse.", "x"),
        ("stereotype", "unrelated", "unrelated"),
    )
    data = {"intrasentence": [*(item(*entry[:4]) for entry in INTRA), missing], "intersentence": [inter]}
    frame = read(tmp_path / "dev.json", json.dumps({"version": "1.0", "data": data}), section("stereoset"))
    expected = []
    for number, (name, _, _, sentences, reason) in enumerate(INTRA, start=1):
        expected.append([name, "stereotyped", sentences[0], number, reason])
        if not reason:
            expected.append([name, "contrast", sentences[1], number, ""])
    expected.append(["i7", "stereotyped", "She is a nurse.", 7, "stereotype_or_anti_stereotype_missing"])
    expected.append(["x1", "stereotyped", "She is kind.", 8, "no_contrast_group"])
    assert rows(frame, "set_id", "role", "sentence", "source_row", "reason") == expected


def test_stereoset_as_csv_with_numpy_lists(tmp_path):
    text = (
        "prompt,choices,bias_type,target\n"
        "BLANK is a nurse.,['She' 'He' 'Tea'],gender,nurse\n"
        "She is a nurse.,\"['She isn''t here.'\n 'She left.'\n \"\"It's tea.\"\"]\",gender,nurse\n"
    ).replace("isn''t", "is not")
    frame = read(tmp_path / "s.csv", text, section("stereoset"))
    assert rows(frame, "set_id", "role", "sentence", "source_row", "reason") == [
        ["1", "stereotyped", "She is a nurse.", 2, ""],
        ["1", "contrast", "He is a nurse.", 2, ""],
        ["2", "stereotyped", "She is not here.", 3, "no_contrast_group"],
    ]


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("['a' 'b c']", ["a", "b c"]),
        ("['a'\n \"it's\"\n 'b']", ["a", "it's", "b"]),
        ("['a', 'b']", ["a", "b"]),
        ("['a']", ["a"]),
        ("['it\\'s' 'say \"no\"']", ["it's", 'say "no"']),
        ('["a", "b"]', ["a", "b"]),
        ("[]", []),
    ],
)
def test_lists_in_cells(cell, items):
    assert lists.parse(cell) == items


@pytest.mark.parametrize(
    "cell", ["", "a", "['a' 'b', 'c']", "['a', 1]", "['a' b]", "['a", "[['a']]", "[" * 5000, "['\\x']"]
)
def test_what_is_no_list_of_texts(cell):
    with pytest.raises(ValueError, match="is no "):
        lists.parse(cell)


# --- GEST and EuroGEST

SCAFFOLDS = {
    "en": {"female": 'The women said: "{sentence}"', "male": 'The men said: "{sentence}"'},
    "zh": {"female": "女人说：“{sentence}”", "male": "男人说：“{sentence}”"},
    "es": {"female": "Ellas dicen: {sentence}", "male": "Ellos dicen: {sentence}"},
}


def test_gest_takes_the_groups_from_the_scaffolds(tmp_path):
    source = section("gest", scaffolds=SCAFFOLDS)
    frame = read(tmp_path / "gest.csv", "sentence,stereotype\nI like tea.,7\nI cook.,8\n,9\n", source)
    assert rows(frame, "set_id", "cluster_id", "role", "sentence", "group", "attribute", "reason")[:4] == [
        ["0", "gest-7", "stereotyped", 'The women said: "I like tea."', "The women said:", '"I like tea."', ""],
        ["0", "gest-7", "contrast", 'The men said: "I like tea."', "The men said:", '"I like tea."', ""],
        ["1", "gest-8", "stereotyped", 'The men said: "I cook."', "The men said:", '"I cook."', ""],
        ["1", "gest-8", "contrast", 'The women said: "I cook."', "The women said:", '"I cook."', ""],
    ]
    assert frame["reason"].tolist()[4:] == ["empty_sentence"] * 2
    built = sets.build_sets(frame, {"en": "presplit"})
    assert built.loc[built["set_id"] == "1", "groups"].tolist() == [["The men said:", "The women said:"]]
    assert built["kept"].tolist() == [True, True, False]


def test_a_scaffold_is_cut_where_the_joiner_belongs(tmp_path):
    source = section("gest", scaffolds=SCAFFOLDS)
    frame = read(tmp_path / "gest.csv", "sentence,stereotype\n我爱喝茶。,1\n", source, "zh")
    assert rows(frame, "group", "attribute")[0] == ["女人说：", "“我爱喝茶。”"]
    frame = read(tmp_path / "gest.csv", "sentence,stereotype\nBebo té.,1\n", source, "es")
    assert rows(frame, "sentence", "group", "attribute")[0] == ["Ellas dicen: Bebo té.", "Ellas dicen:", "Bebo té"]


def test_eurogest_rejects_forms_that_depend_on_the_group(tmp_path):
    text = (
        "GEST_ID,Source,Stereotype_ID,Masculine,Feminine,Neutral\n"
        "4,I like tea.,2.0,,,Me gusta el té.\n"
        "9,I am tired.,8,Estoy cansado.,Estoy cansada.,\n"
        "11,I cook.,8,Cocino.,Cocino.,\n"
        "12,I sing.,8,,,\n"
        "4,I like tea.,2.0,,,Me gusta el té.\n"
    )
    frame = read(tmp_path / "Spanish.csv", text, section("eurogest", scaffolds=SCAFFOLDS), "es")
    assert rows(frame.loc[frame["role"] == "stereotyped"], "set_id", "cluster_id", "sentence", "reason") == [
        ["4", "gest-2", "Ellas dicen: Me gusta el té.", ""],
        ["9", "gest-8", "Estoy cansado.", "form_depends_on_gender"],
        ["11", "gest-8", "Ellos dicen: Cocino.", ""],
        ["12", "gest-8", "", "empty_sentence"],
        ["4#2", "gest-2", "Me gusta el té.", "repeated_id"],
    ]
    neutral = "GEST_ID,Stereotype_ID,Neutral\n4,2,Juon teetä.\n"
    scaffolds = {"es": SCAFFOLDS["es"]}
    assert read(tmp_path / "n.csv", neutral, section("eurogest", scaffolds=scaffolds), "es")["kept"].all()


# --- a saved Hugging Face data set

COLUMNS = {
    "set_id": "id", "cluster_id": None, "bias_type": "kind", "role": "role", "sentence": "text", "group": None,
    "attribute": None,
}  # fmt: skip
ROLE = {"names": ["stereotyped", "contrast"], "_type": "ClassLabel"}


def saved(folder, tables, info=None):
    """A data set as `save_to_disk` writes it: Arrow streams, state.json and dataset_info.json."""
    folder.mkdir(parents=True)
    names = [f"data-{number:05d}-of-{len(tables):05d}.arrow" for number in range(len(tables))]
    for name, table in zip(names, tables, strict=True):
        with pa.OSFile(str(folder / name), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table)
    state = {"_data_files": [{"filename": name} for name in names], "_split": None, "_format_type": None}
    (folder / "state.json").write_text(json.dumps(state))
    features = {"role": ROLE, "text": {"dtype": "string", "_type": "Value"}}
    (folder / "dataset_info.json").write_text(json.dumps({"features": features} if info is None else info))
    return folder


def arrow(**columns):
    base = {
        "id": [1, 1],
        "kind": ["animal", None],
        "role": pa.array([0, 1], pa.int64()),
        "text": ["Cats nap.", "Dogs nap."],
    }
    return pa.table(base | columns)


def test_a_saved_data_set_is_read_without_its_library(tmp_path):
    kinds = {"kind": ["animal", "animal"]}
    one, two = arrow(**kinds), arrow(id=[2, 2], text=["Emus run.", "Gnus run."], **kinds)
    frame = read(saved(tmp_path / "ds", [one, two]), None, section("hf_dataset", columns=COLUMNS))
    assert rows(frame, "set_id", "bias_type", "role", "sentence", "source_row") == [
        ["1", "animal", "stereotyped", "Cats nap.", 1],
        ["1", "animal", "contrast", "Dogs nap.", 2],
        ["2", "animal", "stereotyped", "Emus run.", 3],
        ["2", "animal", "contrast", "Gnus run.", 4],
    ]
    assert reading.checksum(tmp_path / "ds") != reading.checksum(saved(tmp_path / "other", [one]))


def test_a_split_of_a_saved_data_set(tmp_path):
    kinds = {"kind": ["animal", "animal"]}
    saved(tmp_path / "ds" / "en", [arrow(**kinds)])
    saved(tmp_path / "ds" / "es", [arrow(text=["Gatos.", "Perros."], **kinds)])
    (tmp_path / "ds" / "dataset_dict.json").write_text('{"splits": ["en", "es"]}')
    frame = read(tmp_path / "ds", None, section("hf_dataset", columns=COLUMNS, split="{lang}"), "es")
    assert frame["sentence"].tolist() == ["Gatos.", "Perros."]
    with pytest.raises(InputError, match=r"`source.split` is null, but there are 2 splits \(en, es\); name one"):
        read(tmp_path / "ds", None, section("hf_dataset", columns=COLUMNS))


# --- the real files

REAL = {
    ("crows_pairs", "crows_pairs/crows_pairs_anonymized.csv"): (
        1508, 1326, {"pair_has_no_common_end": 181, "line_break_in_cell": 1},
    ),
    ("stereoset", "stereoset/intrasentence_stereo_set.csv"): (
        2106, 26, {"no_contrast_group": 1910, "blank_is_not_the_subject": 168, "not_exactly_one_blank": 2},
    ),
    ("stereoset", "stereoset/intersentence_stereo_set.csv"): (2123, 0, {"no_contrast_group": 2123}),
    ("stereoset", "stereoset/religion_original_fields.json"): (
        77, 2, {"no_contrast_group": 71, "blank_is_not_the_subject": 4},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "path"), REAL)
def test_the_real_files(kind, path, shared_data):
    frame = adapters.read(shared_data / path, "en", section(kind))
    n_rows, n_kept, reasons = REAL[kind, path]
    by_row = frame.drop_duplicates("source_row")
    assert len(by_row) == n_rows
    assert frame.loc[frame["kept"], "set_id"].nunique() == n_kept
    assert by_row.loc[~by_row["kept"], "reason"].value_counts().to_dict() == reasons


# --- the adapter that the documentation shows


def test_the_adapter_of_the_documentation_works(root, tmp_path, monkeypatch):
    page = (root / "docs" / "sources.md").read_text(encoding="utf-8")
    chapter = page.partition("## Writing an adapter")[2]
    section_code, adapter = (part.partition("```")[0] for part in chapter.split("```python\n")[1:])
    made: dict = {"__name__": "made"}
    exec(compile(section_code, "settings", "exec", dont_inherit=True), made)
    monkeypatch.setattr(settings, "RubiaSource", made["RubiaSource"], raising=False)
    (tmp_path / "rubia.py").write_text(adapter, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    rubia = importlib.import_module("rubia")
    text = "pro-trope\tanti-trope\tdomain\ttask_type\nКоты спят.\tПсы спят.\tanimals\tt\nКоты спят.\tКоты едят.\tanimals\tt\n"
    (tmp_path / "rubia.tsv").write_text(text, encoding="utf-8")
    source = rubia.RubiaSource(kind="rubia", **NO_LIMIT)
    assert settings.problems(source, ["ru"], {"ru": "presplit"}) == []
    frame = rubia.read(tmp_path / "rubia.tsv", "ru", source)
    artifacts.write(frame, tmp_path / "s.parquet", "stereotypes")
    assert rows(frame, "set_id", "role", "sentence", "reason") == [
        ["1", "stereotyped", "Коты спят.", ""],
        ["1", "contrast", "Псы спят.", ""],
        ["2", "stereotyped", "Коты спят.", "pair_has_no_common_end"],
        ["2", "contrast", "Коты едят.", "pair_has_no_common_end"],
    ]


def test_the_documentation_explains_every_reason_and_kind(root):
    page = (root / "docs" / "sources.md").read_text(encoding="utf-8")
    assert [reason for reason in common.REASONS if f"`{reason}`" not in page] == []
    assert [kind for kind in CLASSES if f"`{kind}`" not in page] == []
