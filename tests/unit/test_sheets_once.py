"""Samples of sheets are written whole and once; the key stays with them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts
from dualpair.validation import sampling, sheets
from dualpair.validation.pairs import Scores
from tests.unit.test_sheets import LANGS, _draw, _items, _world


def test_export_writes_the_sample_whole_and_the_key_reads_back(tmp_path: Path) -> None:
    key = _draw(_world(langs=LANGS)).key
    folder, now = sheets.export(tmp_path, key, provenance={"seed": 1})
    assert now and folder == tmp_path / "sheets" / sheets.sample_hash(key)
    expected = [
        f"{task}-{lang}.{kind}" for task in sampling.TASKS for lang in LANGS for kind in ("csv", "html", "xlsx")
    ]
    assert sorted(path.name for path in folder.iterdir()) == ["annotator-1", "key.parquet"]
    assert sorted(path.name for path in (folder / "annotator-1").iterdir()) == sorted(expected)
    back = artifacts.read(folder / "key.parquet", "sheet_key")
    pd.testing.assert_frame_equal(back, key, check_dtype=False)
    assert sheets.sample_hash(back) == folder.name
    assert artifacts.provenance(folder / "key.parquet")["provenance"] == {"seed": 1}
    assert [path.name for path in (tmp_path / "sheets").iterdir()] == [folder.name]
    assert folder.stat().st_mode & 0o055 == 0o055


def test_answers_join_by_item_id(tmp_path: Path) -> None:
    """A filled sheet in any row order gives each item's kind back."""
    key = _draw(_world()).key
    folder = sheets.export(tmp_path, key).folder
    rows = pd.read_csv(
        folder / "annotator-1" / "paraphrase-zh.csv", encoding="utf-8-sig", dtype=str, keep_default_na=False
    )
    joined = rows.sample(frac=1, random_state=0).merge(key, on="item_id", how="left", validate="one_to_one")
    assert (joined["task"] == "paraphrase").all() and (joined["lang"] == "zh").all()
    assert joined["kind"].value_counts().to_dict() == {"accepted": 5, "mismatched": 3, "below_threshold": 2}


def test_an_existing_sample_is_left_untouched(tmp_path: Path) -> None:
    key = _items(("One.",))
    folder = sheets.export(tmp_path, key).folder
    filled = folder / "annotator-1" / "paraphrase-en.csv"
    filled.write_bytes(b"answers")
    (folder / "annotator-1" / "paraphrase-en.xlsx").unlink()
    assert sheets.export(tmp_path, key, provenance={"seed": 5}) == (folder, False)
    assert filled.read_bytes() == b"answers"
    assert not (folder / "annotator-1" / "paraphrase-en.xlsx").exists()


def test_another_sample_gets_its_own_folder(tmp_path: Path) -> None:
    one, two = (sheets.export(tmp_path, _items((text,))).folder for text in ("One.", "Two."))
    assert one != two and one.is_dir() and two.is_dir()
    assert len(one.name) == 16 and int(one.name, 16) >= 0


def test_sample_hash_ignores_row_order_and_sees_every_column_but_the_scores() -> None:
    key = _draw(_world()).key
    wanted = sheets.sample_hash(key)
    assert sheets.sample_hash(key.sample(frac=1, random_state=1)) == wanted
    for name in key.columns:
        numbers = name in ("position", "weight", *Scores._fields)
        value: Any = key[name] + (1 if numbers else "x") if name != "source_first" else ~key[name]
        assert (sheets.sample_hash(key.assign(**{name: value})) == wanted) == (name in Scores._fields), name


def test_a_foreign_folder_in_its_place_is_refused_and_kept(tmp_path: Path) -> None:
    key = _items(("One.",))
    taken = tmp_path / "sheets" / sheets.sample_hash(key)
    taken.mkdir(parents=True)
    with pytest.raises(ValueError, match=r"holds no key\.parquet"):
        sheets.export(tmp_path, key)
    assert list(taken.iterdir()) == []


def test_a_failure_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has the character"):
        sheets.export(tmp_path, _items(("a\nb",)))
    assert list((tmp_path / "sheets").iterdir()) == []


def test_two_at_once_give_one_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both see no folder, both write; the slower one finds the faster one's and leaves it."""
    key = _items(("One.",))
    barrier = threading.Barrier(2)
    write = sheets.write

    def wait_and_write(*args: Any, **kwargs: Any) -> list[Path]:
        barrier.wait(timeout=10)
        return write(*args, **kwargs)

    monkeypatch.setattr(sheets, "write", wait_and_write)
    found: list[sheets.Written] = []
    threads = [threading.Thread(target=lambda: found.append(sheets.export(tmp_path, key))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2 and found[0].folder == found[1].folder and {one.now for one in found} == {True, False}
    assert [path.name for path in (tmp_path / "sheets").iterdir()] == [found[0].folder.name]
    assert len(list(found[0].folder.rglob("paraphrase-en.*"))) == 3


def test_an_empty_sample_has_a_key_and_no_sheet(tmp_path: Path) -> None:
    sets, variants, alternates = _world(langs=("en",))
    key, warnings = _draw((sets, variants.iloc[:0], alternates.iloc[:0]))
    assert key.empty and len(warnings) == 6
    assert [path.name for path in sheets.export(tmp_path, key).folder.iterdir()] == ["key.parquet"]
