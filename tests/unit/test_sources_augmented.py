"""Dual pairs taken over from a file: the three layouts, and the tables made of them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from dualpair import artifacts, schemas, sentences
from dualpair.analysis import funnel
from dualpair.errors import InputError
from dualpair.filters import selection
from dualpair.sources import augmented
from dualpair.sources.settings import AugmentedSource
from dualpair.stages import imported
from dualpair.validation import sampling

ORIGINAL = {
    "index": "12.3",
    "bias_type": ["animal"],
    "groups": ["Cats", "Dogs"],
    "stereotype": "Cats nap a lot.",
    "v0": {"a1": "nap a lot.", "a2": "nap little."},
    "v1": {"a1": "sleep often.", "a2": "sleep rarely"},
}


def source(**changes):
    return AugmentedSource(**({"kind": "augmented", "dataset": "d", "files": {}, "max_sets": None} | changes))


def read(path, records, lang="en", **changes):
    if records is not None:
        path.write_text(records if isinstance(records, str) else json.dumps(records), encoding="utf-8")
    return augmented.read(path, lang, source(**changes))


def tables(*contents):
    made = imported.tables([("en", content) for content in contents])
    return made, selection.augment(made.sets, made.variants, made.alternates)


def pairs(frame):
    return frame[
        ["set_id", "variant_id", "groups", "attribute", "alternate", "final_mark", "v0_is_original"]
    ].values.tolist()


def test_the_released_layout(tmp_path):
    content = read(tmp_path / "en.json", [ORIGINAL])
    made, frame = tables(content)
    paraphrase = selection.variant_id("sleep often")
    assert sorted(pairs(frame)) == sorted([
        ["12.3", "v0", ["Cats", "Dogs"], "nap a lot", "nap little", ".", True],
        ["12.3", paraphrase, ["Cats", "Dogs"], "sleep often", "sleep rarely", ".", True],
    ])  # fmt: skip
    (row,) = made.sets.to_dict("records")
    assert (row["cluster_id"], row["bias_type"], row["original"]) == ("12", "animal", "Cats nap a lot.")
    assert made.stereotypes["sentence"].tolist() == ["Cats nap a lot.", "Dogs nap a lot."]
    assert " sleep rarely." in set(sentences.build(frame)["continuation"])


def test_every_table_obeys_its_schema_and_the_funnel_adds_up(tmp_path):
    faulty = {
        "index": "13", "groups": ["Emus", "Gnus"], "v0": {"a1": "run", "a2": ""}, "v1": {"a1": "jog", "a2": "jog."},
        "v2": {"a1": "", "a2": "walk"}, "v3": {"a1": "dash", "a2": "stand"}, "v4": {"a1": "dash", "a2": "rest"},
    }  # fmt: skip
    single = {"index": "14", "groups": ["Emus"], "v0": {"a1": "run", "a2": "walk"}}
    made, frame = tables(read(tmp_path / "a.json", [ORIGINAL, faulty, single]))
    for name in imported.Tables._fields:
        table = "candidates" if name in ("paraphrases", "opposites") else name
        artifacts.write(getattr(made, name), tmp_path / f"{name}.parquet", table)
    candidates = pd.concat([made.paraphrases, made.opposites])
    counted = funnel.funnel(made.stereotypes, made.sets, candidates, made.variants, made.alternates, frame)
    found = {
        (row.stage, row.reason): row.n
        for row in counted.groupby(["stage", "reason"], as_index=False)["n"].sum().itertuples()
    }
    assert found == {
        ("stereotypes", "kept"): 4, ("stereotypes", "only_one_group"): 1,
        ("sets", "kept"): 2, ("sets", "only_one_group"): 1,
        ("paraphrase", "kept"): 3, ("paraphrase", "empty_attribute"): 1, ("paraphrase", "duplicate_row"): 1,
        ("alternate", "kept"): 3, ("alternate", "empty_alternate"): 1, ("alternate", "alternate_equals_attribute"): 1,
        ("augmented", "kept"): 3, ("augmented", "no_alternate"): 2,
    }  # fmt: skip
    assert frame.loc[frame["set_id"] == "13", "v0_is_original"].tolist() == [False]
    sample = sampling.sample(
        made.sets, made.variants, made.alternates, sampling.SampleSettings(5, 0, 0), 1, selection.THRESHOLD_REASONS
    )
    assert len(sample.key) == 6


def test_a_paraphrase_that_was_renumbered_does_not_pass_for_the_original(tmp_path):
    renumbered = {**ORIGINAL, "v0": ORIGINAL["v1"]}
    del renumbered["v1"]
    made, frame = tables(read(tmp_path / "a.json", [renumbered]))
    assert pairs(frame) == [
        ["12.3", selection.variant_id("sleep often"), ["Cats", "Dogs"], "sleep often", "sleep rarely", ".", False]
    ]
    assert made.sets["original"].tolist() == ["Cats nap a lot."]


def test_without_a_stereotype_v0_is_taken_for_the_original(tmp_path):
    record = {key: value for key, value in ORIGINAL.items() if key not in ("stereotype", "bias_type")}
    _, frame = tables(read(tmp_path / "a.jsonl", json.dumps(record) + "\n"))
    assert frame["v0_is_original"].tolist() == [True, True]
    assert frame["bias_type"].tolist() == ["unspecified"] * 2


def test_chinese_joins_without_a_space(tmp_path):
    record = {
        "index": 1,
        "groups": ["女人", "男人"],
        "stereotype": "女人爱笑。",
        "v0": {"a1": "爱笑。", "a2": "不爱笑"},
    }
    content = read(tmp_path / "zh.json", [record], lang="zh")
    made = imported.tables([("zh", content)])
    assert made.stereotypes["sentence"].tolist() == ["女人爱笑。", "男人爱笑。"]
    assert made.variants["is_original"].tolist() == [True]


def export(path, rows):
    base = {"cluster_id": "c", "lang": "en", "dataset": "mine", "bias_type": "animal", "groups": ["Cats", "Dogs"]}
    frame = pd.DataFrame([base | row for row in rows], columns=schemas.table("augmented").names)
    artifacts.write(frame, path, "augmented")
    return artifacts.read(path, "augmented")


ROWS = [
    {"set_id": "a", "variant_id": "v0", "attribute": "nap ａ lot", "alternate": "nap little", "final_mark": ".", "v0_is_original": True},
    {"set_id": "a", "variant_id": "p0123456789ab", "attribute": "sleep", "alternate": "wake", "final_mark": ".", "v0_is_original": True},
    {"set_id": "b", "variant_id": "pba9876543210", "attribute": "jog", "alternate": "rest", "final_mark": "", "v0_is_original": False},
    {"set_id": "b", "variant_id": "v0", "attribute": "х", "alternate": "у", "final_mark": "!", "v0_is_original": True, "lang": "ru"},
]  # fmt: skip


def test_an_export_comes_back_as_it_was(tmp_path):
    before = export(tmp_path / "augmented.parquet", ROWS)
    contents = [(lang, read(tmp_path / "augmented.parquet", None, lang=lang, dataset=None)) for lang in ("en", "ru")]
    made = imported.tables(contents)
    after = selection.augment(made.sets, made.variants, made.alternates)
    artifacts.write(after, tmp_path / "after.parquet", "augmented")
    assert (tmp_path / "after.parquet").read_bytes() == (tmp_path / "augmented.parquet").read_bytes()
    assert sentences.build(before).values.tolist() == sentences.build(after).values.tolist()


def test_an_export_with_too_few_sets_of_a_language(tmp_path):
    export(tmp_path / "augmented.parquet", ROWS)
    content = read(tmp_path / "augmented.parquet", None, dataset=None, max_sets=1)
    assert [entry.reason for entry in content.entries] == ["", "beyond_max_sets"]
    with pytest.raises(InputError, match=r"no row is in language 'es' \(found: en, ru\)"):
        read(tmp_path / "augmented.parquet", None, lang="es", dataset=None)


COLUMNS = {"set_id": "id", "groups": "who", "attribute": "a", "alternate": "b"}


def test_a_table_of_variants(tmp_path):
    text = "id,who,a,b\n1,Cats|Dogs,nap.,wake\n2,\"['Emus', 'Gnus']\",run,walk\n1,Cats|Dogs,sleep,stay up.\n"
    _, frame = tables(read(tmp_path / "t.csv", text, columns=COLUMNS))
    assert sorted(pairs(frame)) == sorted([
        ["1", "v0", ["Cats", "Dogs"], "nap", "wake", ".", True],
        ["1", selection.variant_id("sleep"), ["Cats", "Dogs"], "sleep", "stay up", ".", True],
        ["2", "v0", ["Emus", "Gnus"], "run", "walk", "", True],
    ])  # fmt: skip


def test_a_table_may_name_its_variants(tmp_path):
    text = "id,who,v,a,b\n1,Cats|Dogs,p1,sleep,wake\n1,Cats|Dogs,v0,nap,work\n"
    _, frame = tables(read(tmp_path / "t.csv", text, columns=COLUMNS | {"variant_id": "v"}))
    assert frame[["variant_id", "attribute"]].values.tolist() == [["p1", "sleep"], ["v0", "nap"]]


BAD = [
    ("a.json", "{}", {}, "holds dict, expected a list of records"),
    ("a.json", [], {}, "no record"),
    ("a.json", ["x"], {}, "record 1: 'x' is no object"),
    ("a.json", [{**ORIGINAL, "groups": "Cats"}], {}, "record 1: key 'groups': value 'Cats'; expected a list of texts"),
    ("a.json", [{**ORIGINAL, "v0": ["x"]}], {}, "record 1: key 'v0': value ['x']; expected {a1: attribute, a2: alternate}"),
    ("a.json", [{**ORIGINAL, "v1": {"a1": "x"}}], {}, "record 1: key 'v1': key 'a2': value None; expected a text"),
    ("a.json", [{"index": "1", "groups": ["a", "b"]}], {}, "record 1: has no variant"),
    ("a.json", [{**ORIGINAL, "V2": {"a1": "x", "a2": "y"}}], {}, "record 1: key 'V2' is unknown; variants are v0, v1"),
    ("a.json", [{**ORIGINAL, "v_2": {"a1": "x", "a2": "y"}}], {}, "record 1: key 'v_2' is unknown"),
    ("a.json", [{**ORIGINAL, "v01": {"a1": "x", "a2": "y"}}], {}, "record 1: key 'v01' is unknown"),
    ("a.json", [ORIGINAL], {"lang": "ru"}, "no sentence has a letter of the script of language 'ru' (Cyrl) when read as utf-8"),
    ("a.json", [{**ORIGINAL, "index": "1\ufffd"}], {}, "set_id '1\ufffd': unreadable character"),
    ("a.jsonl", json.dumps({"id": 1, "g": ["a", "b"], "x": ["p"], "y": "q"}), {"columns": {"set_id": "id", "groups": "g", "attribute": "x", "alternate": "y"}}, "line 1: column 'x': value ['p'] is nested"),
    ("a.csv", "id,who,a,b,l\n1,Cats|Dogs,x,y,EN\n", {"columns": {"set_id": "id", "groups": "who", "attribute": "a", "alternate": "b", "lang": "l"}}, "line 2: column 'l': value 'EN' is no language code"),
    ("a.json", [ORIGINAL, ORIGINAL], {}, "record 2: index '12.3' occurs twice (before:"),
    ("a.json", [ORIGINAL], {"dataset": None}, "does not name its data set; set `source.dataset`"),
    ("a.jsonl", "{\n", {}, "line 1: not JSON"),
    ("a.csv", "x\n1\n", {}, "without `source.columns`"),
    ("a.parquet", "x", {}, "no augmented.parquet that this version reads"),
    ("a.csv", "id,who,a,b\n1,Cats|Dogs,x,y\n1,Cats|Emus,x,y\n", {"columns": COLUMNS}, "lines 2 and 3: set '1': two values of groups"),
    ("a.csv", "id,who,a,b\n,Cats|Dogs,x,y\n", {"columns": COLUMNS}, "line 2: column 'id' is empty"),
    ("a.csv", "id,who,a,b\n1,['Cats' Dogs],x,y\n", {"columns": COLUMNS}, "line 2: column 'who': \"['Cats' Dogs]\" is no list"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "changes", "message"), BAD)
def test_a_mistake_names_place_and_fix(name, content, changes, message, tmp_path):
    with pytest.raises(InputError) as error:
        read(tmp_path / name, content, **changes)
    assert str(error.value).startswith(str(tmp_path / name))
    assert message in str(error.value)


def test_a_stereotype_about_another_group_is_rejected(tmp_path):
    content = read(tmp_path / "a.json", [{**ORIGINAL, "stereotype": "Dogs nap a lot."}])
    assert [entry.reason for entry in content.entries] == ["sentence_does_not_begin_with_group"]
