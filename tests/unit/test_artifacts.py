"""Artifacts: whole, checked, and byte-equal for equal content."""

from __future__ import annotations

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import artifacts, schemas


def sentences(ids: list[str]) -> pd.DataFrame:
    rows = [(i, f"s{i}", "en", "v0", 0, "attribute", "Cats", f" {i}.") for i in ids]
    return pd.DataFrame(rows, columns=schemas.table("sentences").names)


def test_equal_content_in_any_order_gives_equal_bytes(tmp_path):
    frame = sentences(["a", "b", "c"])
    artifacts.write(frame, tmp_path / "one.parquet", "sentences", {"seed": 1, "settings": {"b": 1, "a": 2}})
    shuffled = frame.iloc[[2, 0, 1]][list(reversed(frame.columns))]
    artifacts.write(shuffled, tmp_path / "two.parquet", "sentences", {"settings": {"a": 2, "b": 1}, "seed": 1})
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    assert artifacts.provenance(tmp_path / "one.parquet")["provenance"] == {"seed": 1, "settings": {"a": 2, "b": 1}}


@pytest.mark.parametrize("name", sorted(schemas.TABLES))
def test_an_empty_table_round_trips(name, tmp_path):
    artifacts.write(artifacts.empty(name), tmp_path / "t.parquet", name)
    back = artifacts.read(tmp_path / "t.parquet", name)
    assert list(back.columns) == schemas.table(name).names
    assert len(back) == 0


@pytest.mark.parametrize("name", sorted(schemas.TABLES))
def test_every_column_has_its_sentence_in_the_file(name, tmp_path):
    artifacts.write(artifacts.empty(name), tmp_path / "t.parquet", name)
    for field in pq.read_schema(tmp_path / "t.parquet"):
        assert field.metadata[b"doc"].endswith(b"."), field.name


@given(st.lists(st.sampled_from(["NA", "None", "null", "", "TRUE", "=1", "é", "睡"]), min_size=1, max_size=5))
def test_text_stays_text(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("text") / "t.parquet"
    frame = sentences([str(i) for i in range(len(values))]).assign(continuation=values)
    artifacts.write(frame, path, "sentences")
    assert artifacts.read(path, "sentences")["continuation"].tolist() == values


def test_lists_and_missing_numbers_round_trip(tmp_path):
    columns = schemas.table("variants").names
    row = {
        "set_id": "s", "cluster_id": "s", "lang": "en", "bias_type": "b", "variant_id": "v0", "candidate_id": "v0",
        "attribute": "sleep a lot", "is_original": True, "generators": ["m"], "n_answers": 1, "similarity": None,
        "contradiction_forward": float("nan"), "contradiction_backward": 0.5, "grammar_finding_ids": "", "kept": True,
        "reason": "",
    }  # fmt: skip
    artifacts.write(pd.DataFrame([row], columns=columns), tmp_path / "v.parquet", "variants")
    back = artifacts.read(tmp_path / "v.parquet", "variants").iloc[0]
    assert back["generators"] == ["m"]
    assert pd.isna(back["similarity"])
    assert pd.isna(back["contradiction_forward"])
    assert back["contradiction_backward"] == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns="side"), "missing columns ['side']"),
        (lambda f: f.assign(extra=1), "undeclared columns ['extra']"),
        (lambda f: f.assign(prefix=None), "no value"),
        (lambda f: f.assign(group_index="x"), "declared type int64"),
        (lambda f: pd.concat([f, f]), "rows repeat a key"),
    ],
)
def test_a_wrong_frame_is_refused_and_nothing_is_written(change, message, tmp_path):
    with pytest.raises(ValueError, match="sentences") as error:
        artifacts.write(change(sentences(["a"])), tmp_path / "t.parquet", "sentences")
    assert message in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_reading_names_the_file_and_the_fix(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    with pytest.raises(FileNotFoundError, match="no such artifact"):
        artifacts.read(path, "sentences")
    artifacts.write(sentences(["a"]), path, "sentences")
    with pytest.raises(ValueError, match="holds table 'sentences', expected 'scores'"):
        artifacts.read(path, "scores")
    monkeypatch.setattr(artifacts, "SCHEMA_VERSION", 99)
    with pytest.raises(ValueError, match=r"schema version \d+, this program reads 99; delete the file"):
        artifacts.read(path, "sentences")
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(ValueError, match="not a dualpair artifact"):
        artifacts.read(tmp_path / "other.parquet", "sentences")


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    artifacts.write_atomically(path, b"old")
    monkeypatch.setattr(artifacts.os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        artifacts.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["t.json"]
