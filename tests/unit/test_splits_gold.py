"""The gold file of splits: its form, how a parser is judged on it, and how the embedded parsers do."""

from __future__ import annotations

import importlib.util
import math
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax import Rejection, Split, evaluate, reasons

LANGS = ("en", "es", "ru", "zh")
# Shares of sentences that are right, over all rows and over those that can be split.
LEAST = {
    "first": {"en": (0.94, 0.93), "es": (0.955, 0.96), "ru": (0.93, 0.94), "zh": (0.935, 0.935)},
    "second": {"en": (0.89, 0.89), "es": (0.925, 0.94), "ru": (0.9, 0.9), "zh": (0.85, 0.84)},
}  # exact, split
REJECTED = {reasons.NO_NOUN_PHRASE, reasons.ATTRIBUTE_EMPTY, reasons.SEVERAL_SENTENCES, reasons.OTHER_ORDER}


SAMPLES = {"first": 150, "second": 100}  # the least number of rows


def rows_of(sample: str, lang: str) -> list[dict[str, str]]:
    return evaluate.read_gold(resource("gold", "splits", sample, f"{lang}.csv"))


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("lang", LANGS)
def test_the_gold_file_is_whole(sample: str, lang: str) -> None:
    rows = rows_of(sample, lang)
    assert len(rows) >= SAMPLES[sample]
    assert len({row["sentence"] for row in rows}) == len(rows)
    for row in rows:
        assert languages.normalise(row["sentence"]) == row["sentence"], row["id"]
        if not row["reason"]:
            joined = languages.join(row["group"], row["attribute"], lang) + row["final_mark"]
            assert joined == row["sentence"], row["id"]
    assert {row["reason"] for row in rows} == {"", *REJECTED}
    constructions = Counter(row["construction"] for row in rows)
    least = {"first": (15, 10, 5), "second": (5, 4, 3)}[sample]
    assert constructions["relative"] >= least[0]
    assert constructions["coordination"] >= least[1]
    assert min(constructions[name] for name in ("long_subject", "possessive", "numeral", "quote", "dash")) >= least[2]


@pytest.mark.parametrize("lang", LANGS)
def test_no_sentence_is_in_both_samples(lang: str) -> None:
    assert not {row["sentence"] for row in rows_of("first", lang)} & {
        row["sentence"] for row in rows_of("second", lang)
    }


@pytest.mark.stanza
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("lang", LANGS)
def test_the_embedded_parsers_on_the_gold_file(sample: str, lang: str) -> None:
    judged = evaluate.judge_splits(rows_of(sample, lang), lang)
    shares = evaluate.summary(judged)
    wrong = {
        name: counts
        for name, counts in evaluate.by_construction(judged).items()
        if sum(counts.values()) > counts["right"]
    }
    print(lang, shares, wrong)
    exact, split = LEAST[sample][lang]
    assert shares["exact"] >= exact
    assert shares["split"] >= split


# --- judging ----------------------------------------------------------------------------------------------------------

HEADER = "id,sentence,group,attribute,final_mark,reason,construction,note\n"
GOOD = HEADER + "en-1,Men nap.,Men,nap,.,,bare,\nen-2,Nap.,,,,no_noun_phrase_at_start,reject_imperative,\n"


def test_read_gold(tmp_path: Path) -> None:
    path = tmp_path / "en.csv"
    path.write_text(GOOD, encoding="utf-8")
    assert [row["id"] for row in evaluate.read_gold(path)] == ["en-1", "en-2"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("construction,note", "construction", "the columns are"),
        ("en-2", "en-1", "the id en-1 appears twice"),
        ("no_noun_phrase_at_start", "parser_confused", "en-2: give group and attribute, or a reason of"),
        ("Men,nap,.,,", "Men,,.,,", "en-1: give group and attribute, or a reason"),
        ("Men,nap,.,,", "Men,nap,.,attribute_empty,", "en-1: give group and attribute, or a reason"),
    ],
)
def test_a_bad_gold_file_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "en.csv"
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        evaluate.read_gold(path)


def gold(construction: str, group: str = "", reason: str = "") -> dict[str, str]:
    attribute, mark = ("nap", ".") if group else ("", "")
    return {
        "id": construction,
        "sentence": f"{group} nap.",
        "group": group,
        "attribute": attribute,
        "final_mark": mark,
        "reason": reason,
        "construction": construction,
    }


JUDGED = [
    (gold("bare", "Men"), Split("Men", "nap", ".", "p"), "right"),
    (gold("bare", "Old men"), Split("Old", "men nap", ".", "p"), "cut_elsewhere"),
    (gold("relative", "Men"), Split("Men", "nap", "", "p"), "cut_elsewhere"),
    (gold("relative", "Men"), Rejection(reasons.PARSER_FAILED, "x"), "rejected"),
    (gold("reject_several", reason=reasons.SEVERAL_SENTENCES), Rejection(reasons.SEVERAL_SENTENCES, "x"), "right"),
    (gold("reject_fronted", reason=reasons.NO_NOUN_PHRASE), Rejection(reasons.OTHER_ORDER, "x"), "right"),
    (gold("reject_fronted", reason=reasons.NO_NOUN_PHRASE), Split("Men", "nap", ".", "p"), "not_rejected"),
]


def test_verdicts_and_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "split", lambda *_: [found for _, found, _ in JUDGED])
    judged = evaluate.judge_splits([row for row, _, _ in JUDGED], "en")
    assert [one.verdict for one in judged] == [verdict for _, _, verdict in JUDGED]
    assert evaluate.summary(judged) == {
        "rows": 7,
        "exact": 3 / 7,
        "split": 1 / 4,
        "rejections": 2 / 3,
        "reasons": 1 / 2,
    }
    assert evaluate.by_construction(judged) == {
        "bare": {"right": 1, "cut_elsewhere": 1, "rejected": 0, "not_rejected": 0},
        "relative": {"right": 0, "cut_elsewhere": 1, "rejected": 1, "not_rejected": 0},
        "reject_fronted": {"right": 1, "cut_elsewhere": 0, "rejected": 0, "not_rejected": 1},
        "reject_several": {"right": 1, "cut_elsewhere": 0, "rejected": 0, "not_rejected": 0},
    }


def test_shares_of_nothing() -> None:
    shares = evaluate.summary([])
    assert shares["rows"] == 0
    assert math.isnan(shares["exact"])


@pytest.fixture
def script(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("evaluate_splits", root / "scripts" / "evaluate_splits.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_writes_both_tables_and_the_mistakes(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "en.csv").write_text(GOOD, encoding="utf-8")
    found = [Split("Men nap", "", ".", "p"), Rejection(reasons.NO_NOUN_PHRASE, "x")]
    monkeypatch.setattr(evaluate, "split", lambda *_: found)
    out, errors = tmp_path / "out.md", tmp_path / "errors.csv"
    script.main(["--gold", str(tmp_path), "--out", str(out), "--errors", str(errors)])
    lines = out.read_text(encoding="utf-8").splitlines()
    assert f"| {tmp_path.name} | en | 2 | 50.0 % | 0.0 % | 100.0 % | 100.0 % |" in lines
    assert "| bare | 0 / 1 (1 c) |" in lines
    assert "| reject_imperative | 1 / 1 |" in lines
    assert errors.read_text(encoding="utf-8").splitlines()[1] == "en-1,bare,cut_elsewhere,Men nap.,Men,Men nap,,p"
    assert capsys.readouterr().out.strip() == out.read_text(encoding="utf-8").strip()
