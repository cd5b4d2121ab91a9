"""Hygiene: every reason on an example and its near miss, in the languages where it can occur."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.generation import hygiene, reasons
from dualpair.paths import resource

LANGS = ("en", "es", "ru", "zh")


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        (' "make   noise." ', "en", "make noise"),
        ("make noise,", "en", "make noise"),
        ("make noise .'", "en", "make noise"),
        ("cafe\u0301", "es", "café"),
        ("«hacen ruido!»", "es", "hacen ruido"),
        ("— шумные", "ru", "– шумные"),
        ("- шумные.", "ru", "– шумные"),
        ("well-known", "en", "well-known"),
        ("“很吵”。", "zh", "很吵"),
        ("很吵，", "zh", "很吵"),
        ("weigh 1.5 t", "en", "weigh 1.5 t"),
        ("...", "en", ""),
    ],
)
def test_clean(text: str, lang: str, expected: str) -> None:
    assert hygiene.clean(text, lang) == expected


@given(st.text(max_size=30), st.sampled_from(LANGS))
def test_clean_changes_nothing_the_second_time(text: str, lang: str) -> None:
    once = hygiene.clean(text, lang)
    assert hygiene.clean(once, lang) == once


# text, source attribute, groups, language, reason for a paraphrase
CASES = [
    ("make a lot of noise", "are noisy", ["Old cars", "New cars"], "en", ""),
    ("hacen mucho ruido", "son ruidosos", ["Los coches"], "es", ""),
    ("сильно шумят", "шумные", ["Старые машины"], "ru", ""),
    ("– громкие машины", "– шумные машины", ["Джипы"], "ru", ""),
    ("噪音很大", "很吵", ["旧汽车"], "zh", ""),
    ("", "are noisy", ["Cars"], "en", reasons.EMPTY),
    ("!?", "are noisy", ["Cars"], "en", reasons.EMPTY),
    ("are noisy", "are noisy", ["Cars"], "en", reasons.IDENTICAL_TO_SOURCE),
    ("Are Noisy!", "are noisy", ["Cars"], "en", reasons.IDENTICAL_TO_SOURCE),
    ("шумные машины", "– шумные машины", ["Джипы"], "ru", reasons.IDENTICAL_TO_SOURCE),
    ("are 吵", "are noisy", ["Cars"], "en", reasons.WRONG_SCRIPT),
    ("очень noisy", "шумные", ["Машины"], "ru", reasons.WRONG_SCRIPT),
    ("很noisy", "很吵", ["旧汽车"], "zh", reasons.WRONG_SCRIPT),
    ("爱用WiFi上网", "常用WiFi", ["人们"], "zh", ""),
    ("are loud. They honk", "are noisy", ["Cars"], "en", reasons.SEVERAL_SENTENCES),
    ("很响；很吵闹", "很吵", ["旧汽车"], "zh", reasons.SEVERAL_SENTENCES),
    (", which are old, roar", "are noisy", ["Cars"], "en", reasons.GROUP_LOST),
    ("– громкие", "are noisy", ["Cars"], "en", reasons.GROUP_LOST),
    ("们很响", "很吵", ["女人"], "zh", reasons.GROUP_LOST),
    ("are louder than new cars", "are noisy", ["Old cars", "New cars"], "en", reasons.GROUP_INSIDE_ATTRIBUTE),
    ("hablan más que hombres", "hablan mucho", ["Las mujeres", "Los hombres"], "es", reasons.GROUP_INSIDE_ATTRIBUTE),
    ("比新汽车响", "很吵", ["旧汽车", "新汽车"], "zh", reasons.GROUP_INSIDE_ATTRIBUTE),
    ("roar like human beings", "are noisy", ["Men"], "en", ""),
    ("are, I am sorry, loud", "are noisy", ["Cars"], "en", reasons.REFUSAL),
    ("это стереотипы", "шумные", ["Машины"], "ru", reasons.REFUSAL),
    ("<think>loud", "are noisy", ["Cars"], "en", reasons.THINKING_TEXT),
    ("is the opposite sentence", "are noisy", ["Cars"], "en", reasons.PROMPT_ECHO),
    ("often make noise", "are noisy", ["Cars"], "en", reasons.HEDGE_ADDED),
    ("often make noise", "are often noisy", ["Cars"], "en", ""),
    ("tend to roar", "are noisy", ["Cars"], "en", reasons.HEDGE_ADDED),
    ("suelen hacer ruido", "son ruidosos", ["Los coches"], "es", reasons.HEDGE_ADDED),
    ("часто шумят", "шумные", ["Машины"], "ru", reasons.HEDGE_ADDED),
    ("往往很响", "很吵", ["旧汽车"], "zh", reasons.HEDGE_ADDED),
    ("ro\x0bar loudly", "are noisy", ["Cars"], "en", reasons.CONTROL_CHARACTERS),
    ("很\ufffd", "很吵", ["旧汽车"], "zh", reasons.CONTROL_CHARACTERS),
    ("x" * 60, "are noisy", ["Cars"], "en", reasons.TOO_LONG),
    ("响", "很吵", ["旧汽车"], "zh", reasons.TOO_SHORT),
    ("Make noise", "are noisy", ["Cars"], "en", reasons.CAPITALISED_ATTRIBUTE),
    ("Lärm", "Krach", ["Cars"], "en", ""),
    ("roar roar", "are noisy", ["Cars"], "en", reasons.REPETITION),
    ("很响很响", "很吵", ["旧汽车"], "zh", reasons.REPETITION),
    ("慢慢地开", "开得不快", ["旧汽车"], "zh", ""),
    ("are never quiet", "are noisy", ["Cars"], "en", reasons.NEGATION_ADDED),
    ("aren’t quiet", "are noisy", ["Cars"], "en", reasons.NEGATION_ADDED),
    ("no callan", "hablan", ["Los loros"], "es", reasons.NEGATION_ADDED),
    ("hablan sin parar", "hablan mucho", ["Los loros"], "es", ""),
    ("не тихие", "шумные", ["Машины"], "ru", reasons.NEGATION_ADDED),
    ("говорят без умолку", "много говорят", ["Попугаи"], "ru", ""),
    ("不安静", "很吵", ["旧汽车"], "zh", reasons.NEGATION_ADDED),
    ("响个不停", "很吵", ["旧汽车"], "zh", ""),
    ("do not stay quiet", "do not keep silent", ["Cars"], "en", ""),
    ("son muy listos", "saben mucho", ["Los chicos", "Las chicas"], "es", reasons.GENDER_AGREEMENT),
    ("son muy listos", "saben mucho", ["Los chicos", "Los mayores"], "es", ""),
    ("son inteligentes", "saben mucho", ["Los chicos", "Las chicas"], "es", ""),
    ("son no amables", "no son crueles", ["Los loros"], "es", reasons.UNGRAMMATICAL),
    ("很迟到", "很守时", ["旧汽车"], "zh", reasons.UNGRAMMATICAL),
    ("son personas listas", "saben mucho", ["Los chicos", "Las chicas"], "es", ""),
]


@pytest.mark.parametrize(("text", "source", "groups", "lang", "reason"), CASES)
def test_reason(text: str, source: str, groups: list[str], lang: str, reason: str) -> None:
    assert hygiene.check(text, source, groups, lang, "paraphrase") == reason


def test_every_hygiene_reason_has_an_example() -> None:
    elsewhere = {reasons.GENERATION_FAILED, reasons.UNPARSABLE, reasons.CUT_BY_LIMIT, reasons.TOO_FEW_ANSWERS}
    assert {case[-1] for case in CASES} - {""} == set(reasons.REASONS) - elsewhere


@pytest.mark.parametrize(
    ("text", "source", "allow", "reason"),
    [
        ("are not noisy", "are noisy", True, ""),
        ("are not noisy", "are noisy", False, reasons.NEGATION_ADDED),
        ("are quiet", "are noisy", False, ""),
        ("are not loud", "are not quiet", False, ""),
        ("rarely roar", "roar a lot", True, ""),
        ("might be quiet", "are noisy", True, reasons.HEDGE_ADDED),
    ],
)
def test_alternates(text: str, source: str, allow: bool, reason: str) -> None:
    assert hygiene.check(text, source, ["Cars"], "en", "alternate-1", allow_negation=allow) == reason


def test_added_negation() -> None:
    assert hygiene.added_negation("不安静", "很吵", "zh")
    assert not hygiene.added_negation("不错", "很吵", "zh")
    assert not hygiene.added_negation("are not loud", "are not quiet", "en")


@pytest.mark.parametrize("lang", LANGS)
def test_starter_attributes_would_pass_as_answers(lang: str) -> None:
    import csv

    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["role"] == "stereotyped"]
    other = {"en": "hum", "es": "zumban", "ru": "гудят", "zh": "嗡嗡响"}[lang]
    found = {
        row["attribute"]: hygiene.check(row["attribute"], f"{other} {other}er", [row["group"]], lang, "alternate-1")
        for row in rows
    }
    assert rows
    assert not {attribute: reason for attribute, reason in found.items() if reason}


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown language"):
        hygiene.check("x", "y", ["z"], "xx", "paraphrase")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"no", not', "no, not", "negations: expected a list of texts"),
        ("length_slack: 20", "length_slack: a", "length_slack"),
        ("leading_dash: false", "leading_dash: 0", "leading_dash"),
        ("meta:", "mata:", "needs the fields"),
        ("reject_capitalised: true", "reject_capitalised: true\nagreement: {}", "agreement"),
    ],
)
def test_malformed_word_lists_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = resource("hygiene", "en.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "en.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        hygiene.read_word_lists(path)
