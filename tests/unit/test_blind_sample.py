"""Blind judging: the sheet tells nothing, the key everything, and answers are scored with intervals."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from dualpair import artifacts, paths, schemas
from dualpair.errors import InputError
from dualpair.filters import readings
from tests.unit.test_sheets import _world


@pytest.fixture(scope="module")
def blind() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("blind_sample", paths.home() / "scripts" / "blind_sample.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for name, frame in zip(("sets", "variants", "alternates"), _world(), strict=True):
        blank = [column.name for column in schemas.table(name).columns if str(column.type) == "bool"]
        frame = frame.assign(**{column: frame[column].replace("", False).astype(bool) for column in blank})
        artifacts.write(frame, tmp_path / f"{name}.parquet", name)
    return tmp_path


def test_the_sheet_tells_no_kind_and_the_key_names_it(blind: ModuleType, run: Path) -> None:
    sheet, key = blind.draw(run, "alternate", 6, 4, 3)
    assert list(sheet.columns) == ["id", "lang", "source", "candidate", "question", "answer"]
    assert sheet.question.nunique() == 1
    assert set(sheet.answer) == {""}
    assert list(sheet.id) == list(key.item_id)
    assert key.groupby(["lang", "kind"]).size().to_dict() == {
        ("en", "accepted"): 6, ("en", "below_threshold"): 4, ("zh", "accepted"): 6, ("zh", "below_threshold"): 4,
    }  # fmt: skip
    for row, kind in zip(sheet.itertuples(), key.kind, strict=True):  # the candidate stands last, the source before it
        assert ("not " in row.candidate) == (kind == "accepted")
        assert "not " not in row.source
        assert "low " not in row.source
    english = list(key.kind[key.lang == "en"])
    assert english != sorted(english)  # shuffled
    again, _ = blind.draw(run, "alternate", 6, 4, 3)
    other, _ = blind.draw(run, "alternate", 6, 4, 4)
    assert sheet.equals(again)
    assert set(sheet.id) != set(other.id)


def test_answers_are_scored_from_the_files(
    blind: ModuleType, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, hidden = tmp_path / "blind.csv", tmp_path / "key.csv"
    draw = [str(run), "--task", "paraphrase", "--accepted", "5", "--rejected", "3", "--out", str(out)]
    blind.main([*draw, "--key", str(hidden)])
    sheet, key = pd.read_csv(out, dtype=str, keep_default_na=False), pd.read_csv(hidden, dtype=str)
    with pytest.raises(InputError, match="16 answers are neither yes nor no"):
        blind.score(out, hidden)
    kinds = dict(zip(key.item_id, key.kind, strict=True))
    sheet["answer"] = ["Yes" if kinds[i] == "accepted" else " no" for i in sheet.id]
    wrong = next(n for n, i in enumerate(sheet.id) if kinds[i] == "accepted" and sheet.lang[n] == "en")
    sheet.loc[wrong, "answer"] = "no"
    sheet.sample(frac=1, random_state=1).to_csv(out, index=False)  # order does not matter
    found = blind.score(out, hidden).set_index(["kind", "lang"])
    assert found.right.to_dict() == {
        ("accepted", "en"): 4, ("accepted", "zh"): 5, ("accepted", "all"): 9,
        ("below_threshold", "en"): 3, ("below_threshold", "zh"): 3, ("below_threshold", "all"): 6,
    }  # fmt: skip
    row = found.loc[("accepted", "all")]
    assert (row.pairs, row.share) == (10, 0.9)
    assert (row.low, row.high) == (pytest.approx(0.5958, abs=1e-4), pytest.approx(0.9821, abs=1e-4))  # Wilson, 9 of 10
    capsys.readouterr()
    blind.main(["--score", str(out), "--key", str(hidden)])
    assert "0.596" in capsys.readouterr().out


def test_what_does_not_fit_is_refused(
    blind: ModuleType, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=r"sets\.parquet: no such file"):
        blind.draw(tmp_path / "nowhere", "paraphrase", 1, 1, 0)
    sheet, key = blind.draw(run, "paraphrase", 2, 1, 0)
    key.to_csv(tmp_path / "key.csv", index=False)
    sheet.assign(answer="yes").iloc[1:].to_csv(tmp_path / "short.csv", index=False)
    with pytest.raises(InputError, match="its ids are not those"):
        blind.score(tmp_path / "short.csv", tmp_path / "key.csv")
    sheet.drop(columns="answer").to_csv(tmp_path / "none.csv", index=False)
    with pytest.raises(SystemExit) as stopped:
        blind.main(["--score", str(tmp_path / "none.csv"), "--key", str(tmp_path / "key.csv")])
    assert stopped.value.code == 2
    assert "columns answer are missing" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        blind.main(["--score", str(tmp_path / "no.csv"), "--key", str(tmp_path / "key.csv")])
    assert stopped.value.code == 2
    assert "no.csv: no such file" in capsys.readouterr().err


def test_readings_hold_what_was_measured_of_each_judged_pair(
    blind: ModuleType, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, hidden, made = (tmp_path / name for name in ("blind.csv", "key.csv", "readings.csv"))
    measured = {name: 0.25 for name in readings.MEASURED if name != "n_answers"}
    for name in ("variants", "alternates"):
        frame = artifacts.read(run / f"{name}.parquet", name).assign(**measured, n_answers=3)
        frame["generators"] = [["m"]] * len(frame)
        artifacts.write(frame, run / f"{name}.parquet", name)
    draw = [str(run), "--task", "alternate", "--accepted", "5", "--rejected", "3", "--out", str(out)]
    blind.main([*draw, "--key", str(hidden)])
    sheet = pd.read_csv(out, dtype=str, keep_default_na=False).assign(answer="Yes")
    sheet.to_csv(out, index=False)
    score = [str(run), "--score", str(out), "--key", str(hidden), "--readings", str(made)]
    with pytest.raises(SystemExit):
        blind.main(score)
    assert "expected one model of role similarity, found none" in capsys.readouterr().err
    declared = schemas.table("judgements")
    for role in ("similarity", "nli"):
        row = {column.name: None if column.nullable else "" for column in declared.columns}
        frame = pd.DataFrame([row | {"role": role, "model": role[0], "group_index": 0}], columns=declared.names)
        (run / "judgements" / "paraphrase").mkdir(parents=True, exist_ok=True)
        artifacts.write(frame, run / "judgements" / "paraphrase" / f"{role}.parquet", "judgements")
    blind.main(score)
    assert f"{made}: 16 readings" in capsys.readouterr().out
    frame = readings.read(made)
    assert set(frame["answer"]) == {"yes"}
    assert set(frame["similarity_model"]) == {"s"}
    assert set(frame["nli_model"]) == {"n"}
    assert set(frame["generators"]) == {"m"}
    assert (frame[list(measured)] == 0.25).all(axis=None)
    assert (frame["n_answers"] == 3).all()
    assert sorted(frame["candidate"]) == sorted(sheet["candidate"])
