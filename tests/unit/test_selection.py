"""Selection: thresholds as the paper sets them, reasons for every drop, one alternate per variant."""

from __future__ import annotations

import pandas as pd
import pytest

from dualpair import schemas, sentences
from dualpair.filters import selection

THRESHOLDS = selection.Thresholds(similarity=0.7, nli_paraphrase=0.8, nli_alternate=0.8)
NAN = float("nan")


def sets() -> pd.DataFrame:
    row = {
        "set_id": "s1", "cluster_id": "c1", "lang": "en", "dataset": "d", "bias_type": "age",
        "groups": ["Old cats", "Cats"],
        "attribute": "sleep a lot", "final_mark": ".", "original": "Old cats sleep a lot.", "parse": "presplit",
        "kept": True, "reason": "",
    }  # fmt: skip
    dropped = {**row, "set_id": "s2", "kept": False, "reason": "attribute_empty"}
    return pd.DataFrame([row, dropped], columns=schemas.table("sets").names)


def candidates(task: str, texts: dict[str, str], variant: str = "v0") -> pd.DataFrame:
    rows = [
        (text, "s1", "c1", "en", "age", variant, task, text, ["m"], 1, text.startswith("never"), not reason, reason)
        for text, reason in texts.items()
    ]
    return pd.DataFrame(rows, columns=schemas.table("candidates").names)


def judgements(frame: pd.DataFrame, role: str, numbers: dict[str, tuple[float, float] | float]) -> pd.DataFrame:
    rows = []
    for row in frame[frame["candidate_id"].isin(list(numbers))].itertuples():
        value = numbers[row.candidate_id]
        similarity, forward, backward = (value, NAN, NAN) if role == "similarity" else (NAN, *value)
        rows.append(
            (
                row.candidate_id,
                "s1",
                "en",
                row.variant_id,
                row.task,
                role,
                "j",
                0,
                similarity,
                forward,
                backward,
                1 - forward,
                1 - backward,
                None,
                "",
            )
        )
    return pd.DataFrame(rows, columns=schemas.table("judgements").names)


def reasons(frame: pd.DataFrame, column: str) -> dict[str, str]:
    return dict(zip(frame[column], frame["reason"], strict=True))


def variants(limit=None, thresholds=THRESHOLDS) -> pd.DataFrame:
    found = candidates(
        "paraphrase", {"nap": "", "doze": "", "edge": "", "far": "", "run": "", "bad": "empty", "lost": ""}
    )
    similarity = judgements(
        found, "similarity", {"nap": 0.9, "doze": 0.7, "edge": 0.8, "far": 0.69, "run": 0.9, "lost": 0.9}
    )
    nli = judgements(found, "nli", {"nap": (0.1, 0.2), "doze": (0.3, 0.3), "edge": (0.8, 0.1), "run": (0.1, 0.81)})
    return selection.select_variants(sets(), found, similarity, nli, thresholds, limit)


def test_a_paraphrase_is_kept_at_the_similarity_threshold_and_at_the_contradiction_threshold():
    assert reasons(variants(), "attribute") == {
        "sleep a lot": "", "nap": "", "doze": "", "edge": "", "far": "similarity_below_threshold",
        "run": "contradiction_above_threshold", "bad": "empty", "lost": "not_judged",
    }  # fmt: skip
    frame = variants()
    assert frame.loc[frame["is_original"], "variant_id"].tolist() == ["v0"]
    assert (frame["kept"] == (frame["reason"] == "")).all()
    assert "s2" not in set(frame["set_id"])


def test_the_limit_keeps_the_least_contradicted():
    found = reasons(variants(limit=2), "attribute")
    assert [found[name] for name in ("nap", "doze", "edge")] == ["", "", "beyond_max_paraphrases"]


def test_the_costly_judge_sees_only_similar_candidates_and_a_tighter_threshold_admits_a_subset():
    found = candidates("paraphrase", {"nap": "", "doze": "", "bad": "empty"})
    similarity = judgements(found, "similarity", {"nap": 0.9, "doze": 0.7})
    assert selection.admitted_to_nli(found, similarity, 0.7)["candidate_id"].tolist() == ["nap", "doze"]
    assert selection.admitted_to_nli(found, similarity, 0.71)["candidate_id"].tolist() == ["nap"]
    assert selection.admitted_to_nli(found, None, None)["candidate_id"].tolist() == ["nap", "doze"]


def rounds():
    one = candidates("alternate-1", {"wake": "", "stay up": "", "meh": "", "same": ""})
    two = candidates("alternate-2", {"rest little": "", "wake": ""}).assign(candidate_id=["rest little", "wake2"])
    numbers_one = {"wake": (0.95, 0.85), "stay up": (0.9, 0.86), "meh": (0.99, 0.8), "same": (0.1, 0.1)}
    similar = {"wake": 0.1, "stay up": 0.2, "meh": 0.3, "same": 1.0, "rest little": 0.1, "wake2": 0.1}
    return [
        (one, judgements(one, "similarity", similar), judgements(one, "nli", numbers_one)),
        (
            two,
            judgements(two, "similarity", similar),
            judgements(two, "nli", {"rest little": (0.99, 0.82), "wake2": (0.95, 0.85)}),
        ),
    ]


def test_one_alternate_is_chosen_by_the_smaller_contradiction():
    frame = selection.select_alternates(variants(), rounds(), THRESHOLDS)
    assert frame.loc[frame["chosen"], "alternate"].tolist() == ["stay up"]
    found = dict(zip(frame["candidate_id"], frame["reason"], strict=True))
    assert found == {
        "stay up": "", "wake": "another_alternate_is_better", "meh": "contradiction_below_threshold",
        "same": "contradiction_below_threshold", "rest little": "another_alternate_is_better",
        "wake2": "tried_in_an_earlier_round",
    }  # fmt: skip
    assert (frame["kept"] == frame["chosen"]).all()
    assert len(frame) == 6


def test_later_rounds_work_on_what_is_left():
    kept = variants()
    left = selection.alternates_left(kept, rounds()[:1], THRESHOLDS)
    assert "v0" not in set(left["variant_id"])
    assert set(left["attribute"]) == {"nap", "doze", "edge"}
    stricter = THRESHOLDS._replace(nli_alternate=0.9)
    assert "v0" in set(selection.alternates_left(kept, rounds()[:1], stricter)["variant_id"])


def test_augmented_pairs_and_their_sentences():
    frame = selection.augment(sets(), variants(), selection.select_alternates(variants(), rounds(), THRESHOLDS))
    assert frame[["variant_id", "attribute", "alternate", "v0_is_original"]].values.tolist() == [
        ["v0", "sleep a lot", "stay up", True]
    ]
    rows = sentences.build(frame)
    assert len(rows) == 4
    assert set(rows["prefix"] + rows["continuation"]) == {
        "Old cats sleep a lot.", "Cats sleep a lot.", "Old cats stay up.", "Cats stay up.",
    }  # fmt: skip
    assert rows["sentence_id"].is_unique


def test_chinese_joins_without_a_space():
    frame = selection.augment(sets(), variants(), selection.select_alternates(variants(), rounds(), THRESHOLDS))
    chinese = frame.assign(lang="zh", groups=[["老猫", "猫"]], attribute="睡得多", alternate="睡得少", final_mark="。")
    assert sentences.build(chinese)["continuation"].unique().tolist() == ["睡得多。", "睡得少。"]


def test_two_judgements_of_one_candidate_are_refused():
    found = candidates("paraphrase", {"nap": ""})
    twice = pd.concat([judgements(found, "similarity", {"nap": 0.9})] * 2)
    with pytest.raises(pd.errors.MergeError):
        selection.select_variants(sets(), found, twice, judgements(found, "nli", {"nap": (0.1, 0.1)}), THRESHOLDS)
