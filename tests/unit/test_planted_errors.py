"""The planted errors: the files are sound, and the evaluation's parts do what they say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dualpair import languages, paths
from dualpair.errors import InputError
from dualpair.filters import planted

LANGS = ("en", "es", "ru", "zh")
HEADER = "id,kind,task,group,source,correct,faulty\n"


def rows(lang: str) -> list[planted.Planted]:
    return planted.read(paths.resource("grammar", "planted", f"{lang}.csv"))


@pytest.mark.parametrize("lang", LANGS)
def test_each_language_has_enough_of_every_kind(lang: str) -> None:
    found = rows(lang)
    kinds = Counter(row.kind for row in found)
    assert len(found) >= 80
    own = {"particle", "measure_word"} if lang == "zh" else {"agreement", "inflection"}
    assert set(kinds) == {"missing_verb", "doubled_word", "case_or_preposition", "word_order", "non_word"} | own
    assert min(kinds.values()) >= 10
    assert Counter(row.task for row in found)["alternate"] >= 15


@pytest.mark.parametrize("lang", LANGS)
def test_an_error_is_small_and_a_doubled_word_is_doubled(lang: str) -> None:
    joiner = languages.get(lang).joiner
    for row in rows(lang):
        right, wrong = (text.split(joiner) if joiner else list(text) for text in (row.correct, row.faulty))
        changed = sum((Counter(right) - Counter(wrong)).values()) + sum((Counter(wrong) - Counter(right)).values())
        assert changed <= 4, row.id
        if row.kind == "word_order" and joiner:
            # Moved words only; the Spanish pronoun is written apart from its verb, as it would be in front of it.
            assert Counter(right) == Counter(wrong), row.id
        if row.kind == "doubled_word":
            added = Counter(wrong) - Counter(right)
            assert not Counter(right) - Counter(wrong), row.id
            assert any(wrong[i] == wrong[i + 1] for i in range(len(wrong) - 1)) or not joiner, row.id
            assert set(added) <= set(right), row.id


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x-1,typo,paraphrase,Cats,sleep,doze,dozes", "kind 'typo' \\(allowed: agreement"),
        ("x-1,agreement,other,Cats,sleep,doze,dozes", "task 'other' \\(allowed: paraphrase, alternate"),
        ("x-1,agreement,paraphrase,Cats,sleep,doze,", "faulty '' is empty"),
        ("x-1,agreement,paraphrase,Cats,sleep,doze,doze", "'Cats doze.' stands in row 'x-1' too"),
        (
            "x-1,agreement,paraphrase,Cats,sleep,doze,dozes \nx-2,agreement,paraphrase,Dogs,bark,yap,yaps",
            "stray spaces",
        ),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "en.csv"
    path.write_text(f"{HEADER}{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        planted.read(path)


def test_other_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "en.csv"
    path.write_text("id,kind\nx-1,agreement\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"expected id, kind, task"):
        planted.read(path)


def test_items_are_the_texts_that_the_pipeline_scores() -> None:
    items = {item.id: item for item in planted.planted_items(["en", "zh"])}
    first = items["en-001"]
    assert first.source == ("Women", " talk a lot.")
    assert first.correct.whole == "Women are very talkative."
    assert first.faulty.whole == "Women is very talkative."
    assert items["zh-001"].correct == ("女人", "做饭做得很好。")


def test_labelled_pairs_begin_with_the_same_group(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "lang,premise,hypothesis,label\n"
        "en,Women drive badly.,Women drive well.,opposite\n"
        "en,Women drive badly.,Women like gardening.,unrelated\n"
        "en,Old men are grumpy.,Grumpiness is common.,paraphrase\n"
        "zh,女人开车慢。,女人开得慢。,paraphrase\n",
        encoding="utf-8",
    )
    found = planted.correct_pairs(path)
    assert found == [
        ("en", ("Women", " drive badly."), ("Women", " drive well.")),
        ("zh", ("女人", "开车慢。"), ("女人", "开得慢。")),
    ]


def test_auc_by_hand() -> None:
    # Of 3 x 2 comparisons four are right, one is a tie, one is wrong.
    assert planted.auc([3.0, 2.0, 1.0], [2.0, 0.0]) == pytest.approx(4.5 / 6)


def test_a_row_is_flagged_by_a_threshold_that_did_not_see_it() -> None:
    ids = [f"r{i}" for i in range(40)]
    correct = [float(i) for i in range(40)]
    right, wrong = planted.flagged_out_of_fold(ids, correct, [-1.0] * 39 + [100.0], 0.0)
    # With nothing lost the threshold is the smallest correct score of the other folds: only the smallest of all, left
    # out of its own fit, is below it.
    assert np.flatnonzero(right).tolist() == [0]
    assert wrong.sum() == 39
    assert not wrong[39]
    # What one row's score is changes no other fold's threshold but those that it is part of.
    again, _ = planted.flagged_out_of_fold(ids, [-50.0, *correct[1:]], [0.0] * 40, 0.0)
    assert np.flatnonzero(again).tolist() == [0]


def test_treebank_sentences_swap_two_words(shared_data: Path) -> None:
    for item in planted.treebank_items(shared_data / "ud", LANGS, 30):
        right, wrong = item.correct.whole, item.faulty.whole
        assert item.source == item.correct
        assert right != wrong
        assert Counter(right) == Counter(wrong)
        assert right[-1] == wrong[-1]


def test_a_missing_treebank_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file ru_"):
        planted.treebank_items(tmp_path, ["ru"], 5)
