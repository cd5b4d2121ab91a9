"""Hygiene: every reason on an example and its near miss, in the languages where it can occur."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair.generation import answers, hygiene, hygiene_words, prompts, reasons
from dualpair.paths import resource

LANGS = ("en", "es", "ru", "zh")
ALL_LANGS = (*LANGS, "ar", "de", "fr", "hi", "it", "nl", "pl", "pt")
DATA = Path(__file__).parent / "data" / "hygiene"


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
        ("are ｌｏｕｄ", "en", "are loud"),
        ("用ＷｉＦｉ上网，聊天", "zh", "用WiFi上网，聊天"),
    ],
)
def test_clean(text: str, lang: str, expected: str) -> None:
    assert hygiene.clean(text, lang) == expected


@settings(deadline=None)
@given(st.text(max_size=30), st.sampled_from(ALL_LANGS))
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
    ("们很响", "很吵", ["女人"], "zh", reasons.GROUP_CHANGED),
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


def examples(lang: str) -> list[dict[str, str]]:
    """Answers in the manner of real models, with what should become of each."""
    with (DATA / f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def outcome(row: dict[str, str], lang: str) -> str:
    groups = row["groups"].split(", ")
    parsed = answers.parse(row["answer"], "single", groups[0], groups[0], lang, row["finish"])[0]
    free = row["polarity"] == "free"
    return parsed.reason or hygiene.check(parsed.text, row["source"], groups, lang, row["task"], allow_negation=free)


@pytest.mark.parametrize("lang", LANGS)
def test_answers_as_models_write_them(lang: str) -> None:
    rows = examples(lang)
    assert len(rows) >= 60
    assert sum(row["reason"] == "" for row in rows) >= 20
    wrong = [(row["source"], row["answer"], row["reason"], outcome(row, lang)) for row in rows]
    assert not [case for case in wrong if case[2] != case[3]]


def test_every_reason_has_an_example_in_each_language_where_it_can_occur() -> None:
    elsewhere = {reasons.UNPARSABLE, reasons.TOO_FEW_ANSWERS}
    shown = {case[-1] for case in CASES} | {row["reason"] for lang in LANGS for row in examples(lang)}
    assert shown - {""} == set(reasons.REASONS) - elsewhere
    always = {reasons.REFUSAL, reasons.THINKING_TEXT, reasons.PROMPT_ECHO, reasons.WRONG_SCRIPT, reasons.GROUP_LOST,
              reasons.GROUP_CHANGED, reasons.GROUP_INSIDE_ATTRIBUTE, reasons.HEDGE_ADDED, reasons.NEGATION_ADDED,
              reasons.NEGATION_LOST, reasons.IDIOM_KEPT, reasons.SAME_CLAIM, reasons.EMPTY, reasons.IDENTICAL_TO_SOURCE,
              reasons.SEVERAL_SENTENCES, reasons.TOO_LONG, reasons.CUT_BY_LIMIT, reasons.REPETITION}  # fmt: skip
    assert not [(lang, always - {row["reason"] for row in examples(lang)}) for lang in LANGS
                if not always <= {row["reason"] for row in examples(lang)}]  # fmt: skip


WORDS = st.lists(
    st.sampled_from(
        ["not", "no", "не", "不", "很", "are", "often", "<think>", "the", "；", "Cats", "кошки", "猫", "\u0301", "नहीं"]
    )
    | st.text(max_size=6),
    max_size=8,
).map(" ".join)


@settings(deadline=None)
@given(text=WORDS, source=WORDS, group=WORDS, lang=st.sampled_from(ALL_LANGS), task=st.sampled_from(["paraphrase", "alternate-2"]),
       mode=st.sampled_from(["single", "list"]), allow=st.booleans())  # fmt: skip
def test_any_text_is_parsed_and_checked_without_an_error(
    text: str, source: str, group: str, lang: str, task: str, mode: str, allow: bool
) -> None:
    parsed = answers.parse(text, mode, "", group, lang)
    assert parsed
    for item in parsed:
        assert item.reason in {"", *reasons.REASONS}
        reason = hygiene.check(item.text, source, [group], lang, task, allow_negation=allow, prompt=source)
        assert reason in {"", *reasons.REASONS}


@settings(deadline=None)
@given(st.text(max_size=30), st.sampled_from(ALL_LANGS))
def test_nothing_is_a_new_wording_of_itself(text: str, lang: str) -> None:
    assert hygiene.check(text, text, ["X"], lang, "paraphrase") != ""


def test_a_run_of_the_instruction_is_an_echo() -> None:
    prompt = 'Rewrite "Old cars are noisy and slow on long steep roads." so that nobody can misread the claim.'
    source = "are noisy and slow on long steep roads"
    echo = hygiene.check("so that nobody can misread them", source, ["Old cars"], "en", "paraphrase", prompt=prompt)
    fine = hygiene.check(
        "are loud and slow on long steep roads", source, ["Old cars"], "en", "paraphrase", prompt=prompt
    )
    assert (echo, fine) == (reasons.PROMPT_ECHO, "")


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
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["role"] == "stereotyped"]
    other = {"en": "hum", "es": "zumban", "ru": "гудят", "zh": "嗡嗡响"}[lang]
    found = {
        row["attribute"]: hygiene.check(row["attribute"], f"{other} {other}er", [row["group"]], lang, "alternate-1")
        for row in rows
    }
    assert rows
    assert not {attribute: reason for attribute, reason in found.items() if reason}


@pytest.mark.parametrize("lang", ALL_LANGS)
def test_native_examples_would_pass_as_answers(lang: str) -> None:
    found = {}
    for task in prompts.TASKS:
        for shot in prompts.load(task, lang).few_shot:
            text = answers.parse(shot.answer, "single", "", shot.group, lang)[0].text
            found[shot.answer] = hygiene.check(text, shot.attribute, [shot.group], lang, task)
    assert not {answer: reason for answer, reason in found.items() if reason}


def test_real_attributes_pass(shared_data: Path) -> None:
    lines = (shared_data / "mcrae" / "FEATS_brm.txt").read_text(encoding="latin-1").splitlines()[1:]
    features = {re.sub("^(in)?beh - ", "", line.split("\t")[0].replace("_", " ")).strip() for line in lines} - {""}
    source = "are of quite another kind altogether"
    found = {text: hygiene.check(text, source, ["Xyz"], "en", "alternate-1") for text in features}
    assert len(found) > 2000
    assert len([text for text, reason in found.items() if reason]) <= 0.005 * len(found)


def test_word_lists_of_the_users_own_come_first(tmp_path: Path) -> None:
    (tmp_path / "hygiene").mkdir()
    text = resource("hygiene", "en.yaml").read_text(encoding="utf-8").replace("hedges: [", "hedges: [zzz, ")
    (tmp_path / "hygiene" / "en.yaml").write_text(text, encoding="utf-8")
    case = ("zzz roar", "are noisy", ["Cars"], "en", "paraphrase")
    assert hygiene.check(*case) == ""
    assert hygiene.check(*case, folder=tmp_path) == reasons.HEDGE_ADDED


def test_a_variety_has_the_lists_of_its_language_if_it_has_the_same_script() -> None:
    assert hygiene.check("costumam falar", "falam", ["Os gatos"], "pt-BR", "paraphrase") == reasons.HEDGE_ADDED
    assert hygiene.check("talk a lot", "falam", ["Os gatos"], "pt-BR", "paraphrase") == reasons.WRONG_LANGUAGE
    with pytest.raises(ValueError, match="no hygiene word lists 'zh-Hant'"):
        hygiene.check("很吵", "很響", ["貓"], "zh-Hant", "paraphrase")


def test_a_language_without_lists_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"write hygiene/ro\.yaml in a folder of your own .*generation\.prompts"):
        hygiene.check("x", "y", ["z"], "ro", "paraphrase")
    with pytest.raises(ValueError, match=rf"write {tmp_path}/hygiene/ro\.yaml"):
        hygiene.check("x", "y", ["z"], "ro", "paraphrase", folder=tmp_path)


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
        ("irregular: [[", "irregular: [a, [", "irregular: expected a list of texts"),
        ("  less: [", "  less: a\n  fewer: [", "fair_in_opposites.less"),
        ("reject_capitalised: true", "reject_capitalised: [", "cannot be read as YAML"),
    ],
)
def test_malformed_word_lists_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = resource("hygiene", "en.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "en.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        hygiene_words.read_word_lists(path)
