"""Answers: where a sentence ends, what follows the group, JSON in prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import languages
from dualpair.generation import answers, reasons
from dualpair.generation.answers import Parsed, json_strings, parse, sentence_end

EN = (".", "!", "?", "…")


@pytest.mark.parametrize(
    ("text", "whole", "expected"),
    [
        (" are loud.", True, 9),
        (" are loud", True, -1),
        (" cost 1.5 a piece. More", True, 17),
        (" weigh 5.", True, 8),
        (" weigh 5.", False, -1),
        (" weigh 5. ", False, 8),
        (" are loud\nCats", False, 9),
        ("", True, -1),
    ],
)
def test_sentence_end(text: str, whole: bool, expected: int) -> None:
    assert sentence_end(text, EN, whole) == expected


@pytest.mark.parametrize(
    ("text", "prefix", "group", "lang", "expected"),
    [
        (" make noise. They are old.", "Old cars", "Old cars", "en", Parsed("make noise")),
        (" make noise\nOld cars", "Old cars", "Old cars", "en", Parsed("make noise")),
        ("噪音很大。旧", "旧汽车", "旧汽车", "zh", Parsed("噪音很大")),
        (" – шумные машины.", "Машины", "Машины", "ru", Parsed("– шумные машины")),
        ("' noise is loud.", "Old cars", "Old cars", "en", Parsed("' noise is loud", reasons.GROUP_LOST)),
        (", those of old, are loud.", "Cars", "Cars", "en", Parsed(", those of old, are loud", reasons.GROUP_LOST)),
        ("Old cars make noise.", "", "Old cars", "en", Parsed("make noise")),
        ("\nOld cars make noise.", "", "Old cars", "en", Parsed("make noise")),
        ("The cars make noise.", "", "Old cars", "en", Parsed("The cars make noise", reasons.GROUP_LOST)),
        (".", "Cars", "Cars", "en", Parsed("")),
        (
            " <think>hm</think> are loud.",
            "Cars",
            "Cars",
            "en",
            Parsed(" <think>hm</think> are loud.", reasons.THINKING_TEXT),
        ),
    ],
)
def test_single(text: str, prefix: str, group: str, lang: str, expected: Parsed) -> None:
    found = parse(text, "single", prefix, group, lang)
    assert [(item.text.strip(), item.reason) for item in found] == [(expected.text.strip(), expected.reason)]


def test_single_cut_by_the_limit_unless_the_sentence_is_whole() -> None:
    assert parse(" make a lot of", "single", "Cars", "Cars", "en", "length")[0].reason == reasons.CUT_BY_LIMIT
    assert parse(" make noise. And", "single", "Cars", "Cars", "en", "length")[0].reason == ""


def test_failed_rows_are_named() -> None:
    assert parse("", "single", "Cars", "Cars", "en", "error") == [Parsed("", reasons.GENERATION_FAILED)]


def test_list_goes_on_from_the_forced_prefix_and_tolerates_fences() -> None:
    text = ' hum.", "Trains go.", "cars ROLL!"]\n```'
    found = parse(text, "list", '```json\n["Cars', "Cars", "en")
    assert [item.text.strip() for item in found] == ["hum", "Trains go.", "ROLL"]
    assert [item.reason for item in found] == ["", reasons.GROUP_LOST, ""]


def test_object_of_one_string() -> None:
    found = parse('很安静。"}', "list", '{"opposite": "旧汽车', "旧汽车", "zh")
    assert found == [Parsed("很安静")]


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("no list here", "stop", reasons.UNPARSABLE),
        ('["Cars hum", "Ca', "length", reasons.CUT_BY_LIMIT),
        ("[1, 2]", "stop", reasons.UNPARSABLE),
    ],
)
def test_list_that_is_none(text: str, finish: str, reason: str) -> None:
    assert parse(text, "list", "", "Cars", "en", finish) == [Parsed(text, reason)]


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed are single, list"):
        parse("x", "both", "", "Cars", "en")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Here: ["a", "b"] done ["c"]', ["a", "b"]),
        ('{"x": ["a", "b"], "y": "c"}', ["a", "b", "c"]),
        ('[see] ["a"]', ["a"]),
        ("[", []),
        ("", []),
    ],
)
def test_json_strings(text: str, expected: list[str]) -> None:
    assert json_strings(text) == expected


@given(st.text(max_size=40), st.sampled_from(["single", "list"]), st.sampled_from(["stop", "length"]))
def test_any_text_gives_at_least_one_answer_without_a_final_mark(text: str, mode: str, finish: str) -> None:
    found = parse(text, mode, "Cars", "Cars", "en", finish)
    assert found
    assert all(not item.text.endswith(EN) for item in found if not item.reason)
    assert all(item.reason in ("", *reasons.REASONS) for item in found)


def test_first_reason_is_the_one_of_precedence() -> None:
    assert reasons.first([reasons.HEDGE_ADDED, reasons.CUT_BY_LIMIT]) == reasons.CUT_BY_LIMIT
    assert reasons.first([reasons.HEDGE_ADDED, ""]) == ""
    assert reasons.first([]) == ""
    with pytest.raises(ValueError, match="closed list"):
        reasons.first(["whatever"])


def test_thinking_pattern_knows_template_tags() -> None:
    assert answers.THINKING.search("a <|im_end|>")
    assert answers.THINKING.search("<start_of_turn>")
    assert not answers.THINKING.search("1 < 2 and 3 > 2")


@pytest.mark.parametrize(
    ("text", "lang", "whole", "expected"),
    [
        (" moved to the U.S. early.", "en", True, 24),
        (" moved to the U.S.", "en", True, 17),
        (" moved to the U.S.", "en", False, -1),
        (" need vitamin C. They", "en", True, 15),
        (" trust Dr. Smith.", "en", True, 16),
        (" trust the dr. They", "en", True, -1),
        (" lernen in der 3. Klasse.", "de", True, 24),
        (" wurden 3.", "de", True, 9),
        (" любят т.е. обожают.", "ru", True, 19),
    ],
)
def test_a_full_stop_inside_a_sentence(text: str, lang: str, whole: bool, expected: int) -> None:
    language = languages.get(lang)
    assert sentence_end(text, language.final_marks, whole, language) == expected


@pytest.mark.parametrize(
    "tag", ["<think>", "</THINK>", "<|im_end|>", "<thought>", "◁think▷", "[THINK]", "<｜end▁of▁sentence｜>"]
)
def test_thinking_and_template_tags(tag: str) -> None:
    assert parse(f" are {tag} loud.", "single", "Cars", "Cars", "en")[0].reason == reasons.THINKING_TEXT


def test_a_thousand_brackets_are_no_json() -> None:
    assert parse("[" * 3000, "list", "", "Cars", "en")[0].reason == reasons.UNPARSABLE
