"""The commands that read source files."""

from __future__ import annotations

import hashlib
import json

from dualpair import artifacts
from dualpair.summary import summary

ROWS = '[{"index": "1.0", "groups": ["Cats", "Dogs"], "stereotype": "Cats nap.", "v0": {"a1": "nap.", "a2": "wake."}}]'
OUTPUTS = ["stereotypes", "sets", "paraphrases", "opposites", "variants", "alternates", "augmented", "sentences"]


def test_what_was_read_is_in_the_provenance_and_what_was_rejected_in_the_log(folder):
    text = "prompt,choices,bias_type,target\nBLANK is a nurse.,['She' 'He' 'Tea'],gender,nurse\nIt is BLANK.,['a' 'b' 'c'],x,it\n"
    (folder.path / "stereo.csv").write_text(text, encoding="utf-8")
    source = {"kind": "stereoset", "dataset": "d", "files": {"en": "stereo.csv"}, "max_sets": None}
    out = ["--languages", "en", "--files", "stereo.csv", "--out", "stereo.parquet"]
    printed = folder.run("stereotypes", "--settings", source, out)
    assert "en: 2 rows, 3 sentences, 2 kept" in printed
    assert "en: 1 rejected: no_contrast_group (first: stereo.csv, row 3)" in printed
    made = artifacts.provenance(folder.path / "stereo.parquet")["provenance"]
    assert made["files"] == {"en": {"name": "stereo.csv", "sha256": hashlib.sha256(text.encode()).hexdigest()}}
    assert made["settings"] == source


def test_import_augmented_writes_every_table_before_scoring(folder):
    (folder.path / "pairs.json").write_text(ROWS, encoding="utf-8")
    source = {"kind": "augmented", "dataset": "d", "files": {"en": "pairs.json"}, "max_sets": None}
    outputs = [word for name in OUTPUTS for word in (f"--out-{name}", f"imported/{name}.parquet")]
    arguments = ["--settings", source, "--languages", "en", "--files", "pairs.json", *outputs]
    assert "en: 1 sets read, 1 kept" in folder.run("import_augmented", arguments)
    for name in OUTPUTS:
        table = "candidates" if name in ("paraphrases", "opposites") else name
        rows = folder.read(f"imported/{name}.parquet", table)
        assert len(rows) == {"stereotypes": 2, "paraphrases": 0, "sentences": 4}.get(name, 1)


def test_an_import_without_a_usable_pair_ends_with_one_message(folder):
    record = json.loads(ROWS)[0] | {"v0": {"a1": "nap.", "a2": "nap"}}
    (folder.path / "bad.json").write_text(json.dumps([record]), encoding="utf-8")
    source = {"kind": "augmented", "dataset": "d", "files": {"en": "bad.json"}, "max_sets": None}
    outputs = [word for name in OUTPUTS for word in (f"--out-{name}", f"bad/{name}.parquet")]
    arguments = ["--settings", source, "--languages", "en", "--files", "bad.json", *outputs]
    printed = folder.run("import_augmented", arguments, status=2)
    assert "bad.json: language 'en': no variant has a usable alternate, so there is nothing to score" in printed
    assert "Traceback" not in printed
    assert not (folder.path / "bad").exists()


TABLE = {"kind": "table", "dataset": "d", "files": {}, "max_sets": None, "columns": {
    "set_id": "id", "cluster_id": None, "bias_type": None, "role": "role", "sentence": None, "group": "group",
    "attribute": "attribute", "lang": "lang"}}  # fmt: skip
HEADER = "id,role,group,attribute,lang\n"
ENGLISH = "a,stereotyped,Cats,nap.,en\na,contrast,Dogs,nap.,en\n"
SPANISH = "a,stereotyped,Los gatos,duermen.,es\nb,stereotyped,Los perros,.,es\n"


def parse(folder, name, text, langs, status=0):
    (folder.path / f"{name}.csv").write_text(HEADER + text, encoding="utf-8")
    out = ["--languages", *langs, "--files", *[f"{name}.csv"] * len(langs), "--out", f"{name}.parquet"]
    folder.run("stereotypes", "--settings", TABLE, out)
    (folder.path / name).mkdir(exist_ok=True)
    engines = ["--engines", dict.fromkeys(langs, "presplit"), "--fingerprint", {}, "--out", f"{name}/sets.parquet"]
    return folder.run("parse", "--stereotypes", f"{name}.parquet", engines, status=status)


def test_a_language_without_a_usable_set_is_a_warning(folder):
    printed = parse(folder, "mixed", ENGLISH + SPANISH, ["en", "es"])
    assert "WARNING mixed.parquet: language 'es': none of the 2 sets can be used (" in printed
    frame = folder.read("mixed/sets.parquet", "sets")
    assert frame[["lang", "set_id", "reason"]].values.tolist() == [
        ["en", "a", ""], ["es", "a", "fewer_than_two_groups"], ["es", "b", "empty_attribute"],
    ]  # fmt: skip
    text = summary(folder.path / "mixed")
    assert text.splitlines()[1:] == [
        f"{'en':<10}{1:>6}{1:>6}",
        f"{'es':<10}{2:>6}{0:>6}",
        "dropped sets: 1 empty_attribute, 1 fewer_than_two_groups",
        "not there yet: variants.parquet, alternates.parquet, augmented.parquet",
    ]


def test_no_usable_set_at_all_leaves_each_set_in_the_log(folder):
    printed = parse(folder, "nothing", SPANISH, ["es"], status=2)
    assert "language 'es': none of the 2 sets can be used (" in printed
    assert "es a: fewer_than_two_groups: 'Los gatos duermen.' (Los gatos | duermen: presplit)" in printed
    assert "es b: empty_attribute: 'Los perros .'" in printed
    assert len(folder.read("nothing/sets.parquet", "sets")) == 2
