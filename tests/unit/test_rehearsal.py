"""Made-up annotators: their error rates are what they are said to be, and a study finds what it should find."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from dualpair import artifacts, paths, traits
from dualpair.validation import (
    keys,
    ratings_checks,
    ratings_design,
    ratings_results,
    ratings_sheets,
    ratings_text,
    rehearsal,
    results,
    returned,
)
from dualpair.validation.instructions import ANSWERS
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import known_words
from tests.unit import validation_world as vw

SHARES = {"accepted": (0.7, 0.2, 0.1), "mismatched": (0.0, 1.0, 0.0), "below_threshold": (0.3, 0.4, 0.3)}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("rehearse", paths.home() / "scripts" / "rehearse.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> vw.World:
    """Sheets of three annotators in two languages, with the note that the workflow writes."""
    made = vw.world(tmp_path_factory.mktemp("study") / "run", n_sets=12, n=(30, 5, 10), annotators=3)
    (made.root / "sheets.json").write_text(json.dumps({"folder": f"sheets/{made.folder.name}"}), encoding="utf-8")
    return made


def items(n: int, kind: str = "accepted") -> pd.DataFrame:
    return pd.DataFrame({"pair_id": [f"p{number}" for number in range(n)], "kind": kind})


def files(folder: Path) -> list[File]:
    return [File(str(path)) for path in sorted(folder.rglob("simulated-*")) if path.is_file()]


def computed(world: vw.World, back: list[File]) -> dict[str, pd.DataFrame]:
    samples = keys.read_all(world.folder)
    found = returned.read(back, samples, known_words())
    assert found.problems.empty, found.problems.to_string()
    return results.compute(found, samples[-1], world.sets, world.variants, world.alternates, None, 0.9, 1, 50)


@pytest.mark.parametrize("kind", SHARES)
def test_true_answers_have_the_rates_that_are_asked_for(kind: str) -> None:
    found = Counter(rehearsal.truths(items(3000, kind), SHARES, 1).values())
    for answer, share in zip(ANSWERS, SHARES[kind], strict=True):
        assert abs(found[answer] / 3000 - share) <= 4 * np.sqrt(share * (1 - share) / 3000)
    assert rehearsal.truths(items(50, kind), SHARES, 1) == rehearsal.truths(items(3000, kind)[:50], SHARES, 1)


def test_errors_go_to_both_other_answers_alike_and_annotators_err_apart() -> None:
    truth = dict.fromkeys((f"p{number}" for number in range(4000)), "accept")
    one, two = (rehearsal.said(truth, 0.3, 1, name) for name in ("annotator-1", "annotator-2"))
    wrong = [pair for pair in truth if one[pair] != "accept"]
    assert abs(len(wrong) / 4000 - 0.3) < 4 * np.sqrt(0.21 / 4000)
    assert abs(sum(one[pair] == "reject" for pair in wrong) / len(wrong) - 0.5) < 4 * np.sqrt(0.25 / len(wrong))
    both = sum(two[pair] != "accept" for pair in wrong) / len(wrong)
    assert abs(both - 0.3) < 4 * np.sqrt(0.21 / len(wrong))
    assert rehearsal.said(truth, 0.0, 1, "annotator-1") == truth


@pytest.mark.parametrize(("answer", "expected"), [
    # By hand: a right accept 0.7 x 0.8, and half of the errors (0.2) on the other 0.3; reject and not_fluent likewise.
    ("accept", 0.7 * 0.8 + 0.3 * 0.1), ("reject", 0.2 * 0.8 + 0.8 * 0.1), ("not_fluent", 0.1 * 0.8 + 0.9 * 0.1),
])  # fmt: skip
def test_the_expected_share_of_an_answer(answer: str, expected: float) -> None:
    assert rehearsal.expected_share((0.7, 0.2, 0.1), answer, 0.2) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("rates", "said"), [
    ({"accepted": (0.5, 0.4, 0.2)}, "add up to 1"), ({"accepted": (1.2, -0.2, 0.0)}, "0 or more"), ({"other": (1.0, 0.0, 0.0)}, "'other'"),
    ({"accepted": (1.0, 0.0)}, "accept, reject, not_fluent"),
])  # fmt: skip
def test_rates_that_are_no_distribution(rates: rehearsal.Rates, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rehearsal.truths(items(3), rates, 1)
    with pytest.raises(ValueError, match="allowed is 0 to 1"):
        rehearsal.said({"p": "accept"}, 1.1, 1, "annotator-1")


def test_without_errors_a_study_finds_the_truth_exactly_in_every_format(
    study: vw.World, script: ModuleType, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    script.main([str(study.root), "--out", str(out), "--errors", "0", "0", "0", "--formats", "xlsx", "csv", "page"])
    back = files(out / "sheets")
    assert len(back) == 12 and {Path(file.path).suffix for file in back} == {".xlsx", ".csv"}
    tables = computed(study, back)
    truth = pd.read_csv(out / "truth.csv", encoding="utf-8-sig")
    answers = tables["answers"].merge(truth, on=["task", "lang", "pair_id"])
    assert len(answers) == len(study.key) and (answers["answer"] == answers["truth"]).all()
    assert set(answers["comment"]) == {"simulated"}
    assert set(answers["annotator"]) == {"simulated-1", "simulated-2", "simulated-3"}
    rates = tables["validation_rates"].query("annotator == 'all' and adjudication == 'before'")
    cells = ["task", "lang", "kind"]
    expected = truth.groupby(cells)["truth"].agg(lambda own: (own == "accept").mean()).reset_index()
    both = rates.merge(expected, on=cells)
    assert len(both) == len(rates) == 12
    assert np.allclose(both["accept_rate"], both["truth"], rtol=0, atol=1e-12)
    alpha = tables["validation_agreement"].query("kind == 'all'")["value"].dropna()
    assert (alpha == 1.0).all() and len(alpha)


def test_an_adjudicator_settles_what_the_annotators_dispute(
    study: vw.World, script: ModuleType, tmp_path: Path
) -> None:
    from dualpair.validation import adjudication

    script.main([str(study.root), "--out", str(tmp_path / "a"), "--errors", "0.3", "0.3", "0.3"])
    back = files(tmp_path / "a" / "sheets")
    tables = computed(study, back)
    folder = adjudication.write(adjudication.sheet_rows(tables["validation_items"]), study.folder, {})
    assert folder is not None
    note = study.root / "validation" / "notes.json"
    note.parent.mkdir(exist_ok=True)
    note.write_text(json.dumps({"adjudication": str(folder.relative_to(study.root))}), encoding="utf-8")
    script.main([str(study.root), "--out", str(tmp_path / "b"), "--adjudicator", "--formats", "page", "xlsx"])
    further = files(tmp_path / "b")
    assert len(further) == 4
    settled = computed(study, [*back, *further])["answers"].query("role == 'adjudicator'")
    truth = pd.read_csv(tmp_path / "a" / "truth.csv", encoding="utf-8-sig")
    judged = settled.merge(truth, on=["task", "lang", "pair_id"])
    assert len(judged) == len(tables["validation_items"]) and (judged["answer"] == judged["truth"]).all()


def test_careless_annotators_of_the_survey_are_told_apart_and_means_found(script: ModuleType, tmp_path: Path) -> None:
    survey = ratings_design.Survey([(name, name) for name in ("bakers", "judges", "nurses")], ratings_text.load("en"))
    key = ratings_design.design([survey], traits.abc().pairs, 30, 4, 1)
    folder = ratings_sheets.export(tmp_path / "run", key).folder
    note = {"folder": str(folder.relative_to(tmp_path / "run"))}
    (tmp_path / "run" / "ratings.json").write_text(json.dumps(note), encoding="utf-8")
    options = ["--careless", "0.3", "--noise", "6", "--formats", "page", "csv", "xlsx"]
    script.main([str(tmp_path / "run"), "--out", str(tmp_path / "out"), *options])
    rule = ratings_checks.Rule(0.8, 20, ["recall_group", "recall_traits", "self_agreement"])
    tables = ratings_results.compute(files(tmp_path / "out" / "ratings"), key, rule)
    assert tables["ratings_problems"].empty
    people = tables["ratings_annotators"]
    careless = [rehearsal.uniform(1, "careless", "en", name) < 0.3 for name in people["annotator"]]
    assert list(people["excluded"]) == careless and 0 < sum(careless) < len(careless)
    truth = pd.read_csv(tmp_path / "out" / "ratings_truth.csv", encoding="utf-8-sig")
    found = tables["human_ratings_means"].merge(truth, on=["lang", "group", "low"], suffixes=("", "_true"))
    off = (found["mean"] - found["mean_true"]) / (6 / np.sqrt(found["n"]))
    assert len(found) == 48 and off.abs().max() < 4.5 and abs(off.mean()) < 4 / np.sqrt(48)
    assert 0.7 < off.std() < 1.3


def test_what_cannot_be_rehearsed_is_said(
    study: vw.World, script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x", encoding="utf-8")
    for arguments, said in (
        ([tmp_path, "--out", tmp_path / "new"], "neither sheets.json nor ratings.json"),
        ([study.root, "--out", tmp_path / "full"], "is not empty"),
        ([study.root, "--out", tmp_path / "a", "--errors", *["0.1"] * 4], "the sample has 3 annotators"),
        ([study.root, "--out", tmp_path / "b", "--errors", "2"], "found 2.0, allowed is 0 to 1"),
        ([study.root, "--out", tmp_path / "c", "--accepted", "1", "1", "0"], "add up to 1"),
        ([tmp_path, "--out", tmp_path / "d", "--adjudicator"], "names no adjudication sheets"),
    ):
        with pytest.raises(SystemExit) as stopped:
            script.main([str(word) for word in arguments])
        assert stopped.value.code == 2
        assert said in capsys.readouterr().err


def test_equal_seeds_give_equal_answers(study: vw.World, script: ModuleType, tmp_path: Path) -> None:
    for name in ("a", "b"):
        script.main([str(study.root), "--out", str(tmp_path / name), "--errors", "0.2", "--formats", "csv"])
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.csv")} for name in ("a", "b"))
    assert one == two and len(one) == 5
    assert artifacts.read(study.folder / "key.parquet", "sheet_key")["annotator"].nunique() == 3
