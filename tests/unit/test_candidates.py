"""Candidates: merging, counts, reasons, order, ids."""

from __future__ import annotations

import hashlib
import random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair import schemas
from dualpair.generation import reasons
from dualpair.generation.candidates import candidate_id, collect

SOURCES = pd.DataFrame(
    [("s1", "en", "v0", ["Old cars", "New cars"], "are noisy", "."), ("s1", "zh", "v0", ["旧汽车"], "很吵", "。")],
    columns=["set_id", "lang", "variant_id", "groups", "attribute", "final_mark"],
)
SETS = pd.DataFrame(
    [
        ("s1", "c1", "en", "machines", "are noisy"),
        ("s1", "c1", "zh", "machines", "很吵"),
        ("s2", "c2", "en", "x", "are small"),
    ],
    columns=["set_id", "cluster_id", "lang", "bias_type", "attribute"],
)


def generation(texts: list[str], model: str = "m1", lang: str = "en", **changes: str) -> pd.DataFrame:
    prefix = {"en": "Old cars", "zh": "旧汽车"}[lang]
    base = {
        "set_id": "s1",
        "lang": lang,
        "variant_id": "v0",
        "task": "paraphrase",
        "model": model,
        "forced_prefix": prefix,
        "finish_reason": "stop",
        **changes,
    }
    return pd.DataFrame([{**base, "text": text} for text in texts])


def outcome(frame: pd.DataFrame) -> dict[str, tuple[int, str]]:
    return {row["attribute"]: (row["n_answers"], row["reason"]) for row in frame.to_dict("records")}


def test_equal_texts_merge_over_models_case_and_mark() -> None:
    first = generation([" make noise.", " make noise!", " Make noise"])
    second = generation([" make noise", " roar."], model="a-model")
    frame = collect("paraphrase", SOURCES, SETS, [first, second])
    assert outcome(frame) == {"make noise": (4, ""), "roar": (1, "")}
    row = frame[frame["attribute"] == "make noise"].iloc[0]
    assert row["generators"] == ["a-model", "m1"]
    assert (row["cluster_id"], row["bias_type"], row["kept"]) == ("c1", "machines", True)


def test_counts_add_up_with_dropped_answers() -> None:
    texts = [" are noisy.", " often roar.", " roar.", " ARE NOISY", ".", "s roar."]
    frame = collect("paraphrase", SOURCES, SETS, [generation(texts)])
    assert frame["n_answers"].sum() == len(texts)
    assert outcome(frame) == {
        "are noisy": (2, reasons.IDENTICAL_TO_SOURCE),
        "often roar": (1, reasons.HEDGE_ADDED),
        "roar": (1, ""),
        "": (1, reasons.EMPTY),
        "s roar": (1, reasons.GROUP_LOST),
    }
    assert (frame["kept"] == (frame["reason"] == "")).all()


def test_a_text_cut_once_and_whole_once_is_kept() -> None:
    cut = generation([" make noise"], finish_reason="length")
    assert outcome(collect("paraphrase", SOURCES, SETS, [cut])) == {"make noise": (1, reasons.CUT_BY_LIMIT)}
    both = [cut, generation([" make noise."])]
    assert outcome(collect("paraphrase", SOURCES, SETS, both)) == {"make noise": (2, "")}


def test_list_answers_count_by_sentence() -> None:
    answers = generation(['["Old cars roar.", "Old cars hum.", "Cars hum."]', "no list"], forced_prefix="")
    frame = collect("paraphrase", SOURCES, SETS, [answers], mode="list")
    assert frame["n_answers"].sum() == 4
    assert sorted(frame["reason"]) == sorted(["", "", reasons.GROUP_LOST, reasons.UNPARSABLE])


def test_modes_by_model() -> None:
    frames = [generation([" roar."]), generation(['["Old cars hum."]'], model="m2", forced_prefix="")]
    frame = collect("paraphrase", SOURCES, SETS, frames, mode={"m1": "single", "m2": "list"})
    assert set(outcome(frame)) == {"roar", "hum"}
    with pytest.raises(ValueError, match="no answer mode for model 'm2'"):
        collect("paraphrase", SOURCES, SETS, frames, mode={"m1": "single"})


def test_order_and_content_do_not_depend_on_the_order_of_answers() -> None:
    texts = [" roar.", " Hum.", " hum.", " make noise.", " are noisy."]
    expected = collect("paraphrase", SOURCES, SETS, [generation(texts), generation(["噪音大。"], lang="zh")])
    shuffled = texts.copy()
    random.Random(1).shuffle(shuffled)
    found = collect("paraphrase", SOURCES, SETS, [generation(["噪音大。"], lang="zh"), generation(shuffled)])
    pd.testing.assert_frame_equal(found, expected)
    key = list(schemas.table("candidates").key)
    assert list(found.columns) == schemas.table("candidates").names
    pd.testing.assert_frame_equal(found, found.sort_values(key, ignore_index=True))
    assert found["candidate_id"].is_unique


def test_candidate_id_is_the_documented_hash() -> None:
    text = '["s1", "zh", "v0", "paraphrase", "噪音大"]'
    assert candidate_id("s1", "zh", "v0", "paraphrase", "噪音大") == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_negated_alternates_are_a_setting() -> None:
    answers = generation([" are not noisy."], task="alternate-1")
    assert outcome(collect("alternate-1", SOURCES, SETS, [answers])) == {"are not noisy": (1, "")}
    strict = collect("alternate-1", SOURCES, SETS, [answers], allow_negation=False)
    assert outcome(strict) == {"are not noisy": (1, reasons.NEGATION_ADDED)}


def test_no_answers_give_an_empty_table() -> None:
    frame = collect("paraphrase", SOURCES, SETS, [])
    assert frame.empty
    assert list(frame.columns) == schemas.table("candidates").names


def test_foreign_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="row of task 'alternate-1'"):
        collect("paraphrase", SOURCES, SETS, [generation([" x."], task="alternate-1")])
    with pytest.raises(ValueError, match="en/s1/v9, which is no source"):
        collect("paraphrase", SOURCES, SETS, [generation([" x."], variant_id="v9")])
    with pytest.raises(ValueError, match="belongs to no row of the sets table"):
        collect("paraphrase", SOURCES, SETS[SETS["lang"] == "en"], [])


def test_control_characters_do_not_reach_the_table() -> None:
    frame = collect("paraphrase", SOURCES, SETS, [generation([" ro\x0bar."])])
    assert outcome(frame) == {"ro\ufffdar": (1, reasons.CONTROL_CHARACTERS)} or frame["attribute"].iloc[0].isprintable()


def test_one_candidate_for_texts_that_differ_in_nothing_a_reader_notices() -> None:
    texts = [" make the noise.", " make noise.", " make noise", " make  ｎｏｉｓｅ!", " MAKE NOISE.", " make, noise."]
    frame = collect("paraphrase", SOURCES, SETS, [generation(texts[:3]), generation(texts[3:], model="m2")])
    assert outcome(frame) == {"make noise": (6, "")}
    assert frame["generators"].iloc[0] == ["m1", "m2"]


def test_the_commonest_spelling_is_shown_and_then_the_last() -> None:
    frame = collect("paraphrase", SOURCES, SETS, [generation([" roar aloud.", " roar a loud.", " ROAR"])])
    assert set(outcome(frame)) == {"roar aloud", "roar a loud", "ROAR"}
    frame = collect("paraphrase", SOURCES, SETS, [generation([" make loud-noise.", " make loud noise."])])
    assert outcome(frame) == {"make loud-noise": (2, "")}
    frame = collect("paraphrase", SOURCES, SETS, [generation([" make loud-noise."] + 2 * [" make loud noise."])])
    assert outcome(frame) == {"make loud noise": (3, "")}


def test_a_kept_polarity_drops_opposites_that_only_affirm() -> None:
    sources = SOURCES.assign(attribute=["are not noisy", "不吵"])
    answers = generation([" are loud.", " are not quiet."], task="alternate-1")
    assert outcome(collect("alternate-1", sources, SETS, [answers])) == {"are loud": (1, ""), "are not quiet": (1, "")}
    strict = collect("alternate-1", sources, SETS, [answers], allow_negation=False)
    assert outcome(strict) == {"are loud": (1, reasons.NEGATION_LOST), "are not quiet": (1, "")}
    assert not strict["adds_negation"].any()


def test_an_opposite_that_says_what_the_set_says_is_none() -> None:
    rows = [
        ("s1", "en", name, ["Old cars", "New cars"], text, ".") for name, text in (("p1", "roar"), ("p2", "rumble"))
    ]
    sources = pd.DataFrame(rows, columns=SOURCES.columns)  # the original already has its opposite
    answers = generation([" are noisy!", " rumble.", " are quiet."], task="alternate-2", variant_id="p1")
    assert outcome(collect("alternate-2", sources, SETS, [answers])) == {
        "are noisy": (1, reasons.SAME_CLAIM), "rumble": (1, reasons.SAME_CLAIM), "are quiet": (1, ""),
    }  # fmt: skip
    # As a paraphrase of another variant it is a paraphrase still.
    again = generation([" rumble."])
    assert outcome(collect("paraphrase", SOURCES, SETS, [again])) == {"rumble": (1, "")}


def test_an_added_negation_is_flagged() -> None:
    answers = generation([" are not noisy.", " are quiet."], task="alternate-1")
    frame = collect("alternate-1", SOURCES, SETS, [answers])
    assert dict(zip(frame["attribute"], frame["adds_negation"], strict=True)) == {
        "are not noisy": True,
        "are quiet": False,
    }


def test_the_prompt_is_held_against_the_answer() -> None:
    prompt = "Say the same thing in quite different words: Old cars are noisy."
    answers = generation([" say the same thing in quite.", " roar."]).assign(prompt=prompt)
    found = outcome(collect("paraphrase", SOURCES, SETS, [answers]))
    assert found["say the same thing in quite"] == (1, reasons.PROMPT_ECHO)


ANSWERS = st.lists(
    st.tuples(
        st.sampled_from(
            [" roar.", " Roar", " are noisy.", " often roar.", " are not loud.", "s roar.", ".", " <think>", " hum"]
        )
        | st.text(max_size=12),
        st.sampled_from(["m1", "m2"]),
        st.sampled_from(["stop", "length", "error"]),
        st.sampled_from(["en", "zh"]),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=60)
@given(answers=ANSWERS, task=st.sampled_from(["paraphrase", "alternate-1"]), least=st.integers(1, 3))
def test_whatever_is_answered_every_answer_is_counted_once(
    answers: list[tuple[str, ...]], task: str, least: int
) -> None:
    frames = [generation([text], model, lang, task=task, finish_reason=end) for text, model, end, lang in answers]
    frame = collect(task, SOURCES, SETS, frames, min_answers=least)
    assert frame["n_answers"].sum() == len(answers)
    assert (frame["kept"] == (frame["reason"] == "")).all()
    assert set(frame["reason"]) <= {"", *reasons.REASONS}
    assert frame["candidate_id"].is_unique
    assert all(text.isprintable() for text in frame["attribute"])
    kept = frame[frame["kept"].astype(bool)]
    assert (kept["n_answers"] >= least).all()
    again = collect(task, SOURCES, SETS, frames[::-1], min_answers=least)
    pd.testing.assert_frame_equal(frame, again)


def test_a_language_may_ask_for_more_agreeing_answers_than_the_others() -> None:
    english = generation([" make noise.", " roar.", " roar."])
    chinese = generation(["发出噪音。", "轰鸣。", "轰鸣。"], lang="zh")
    frame = collect("paraphrase", SOURCES, SETS, [english, chinese], min_answers={"default": 1, "zh": 2})
    dropped = frame.loc[~frame["kept"].astype(bool), ["lang", "n_answers", "reason"]].to_numpy().tolist()
    assert dropped == [["zh", 1, "too_few_answers"]]
    assert len(frame) == 4
