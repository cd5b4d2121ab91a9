"""What an opposite may not be: the same claim, an idiom kept; polarity; the group named again."""

from __future__ import annotations

from pathlib import Path

import pytest

from dualpair.generation import groups, idioms, polarity, stems
from dualpair.generation.hygiene_words import word_lists
from dualpair.languages import get

LANGS = ("en", "es", "ru", "zh")


@pytest.mark.parametrize("lang", LANGS)
def test_enough_idioms_and_each_finds_itself(lang: str) -> None:
    listed = idioms.idioms(lang)
    assert len(listed) >= 40
    spaced = bool(get(lang).joiner)
    filled = {idiom: idiom.replace(" * ", " their ").replace("*", "" if spaced else "的") for idiom in listed}
    assert not [idiom for idiom, text in filled.items() if not idioms.compiled(idiom, spaced).search(text)]


@pytest.mark.parametrize(
    ("text", "source", "lang", "kept"),
    [
        ("hide their hearts on their sleeves", "wear their hearts on their sleeves", "en", True),
        ("wear his heart on his sleeve", "wear their hearts on their sleeves", "en", True),
        ("wear hearts on shirts", "wear their hearts on their sleeves", "en", False),
        ("are under the thumbs", "are under the thumb", "en", False),
        ("viven en la luna", "viven en las nubes", "es", False),
        ("не витают в облаках", "витают в облаках", "ru", True),
        ("说话口若悬河", "口若悬河", "zh", True),
        ("are all thumbs", "are clumsy", "en", False),
        ("are all thumbs", "are all thumbs", "de", False),
    ],
)
def test_kept(text: str, source: str, lang: str, kept: bool) -> None:
    assert idioms.kept(text, source, lang) is kept


@pytest.mark.parametrize(
    ("text", "source", "lang", "broken"),
    [
        ("wear hearts on shirts", "wear their hearts on their sleeves", "en", True),
        ("look up their noses at others", "look down their noses at others", "en", True),
        ("drink like wine", "drink like fish", "en", True),
        ("drink wine", "drink like fish", "en", False),  # one word of three
        ("drink water like a camel", "eat like a horse", "en", False),  # a half of them
        ("have a heart of stone", "have a heart of gold", "en", False),  # an idiom of its own
        ("have a heart of gold", "have a heart of gold", "en", False),  # kept, not broken
        ("are under the thumbs", "are clumsy", "en", False),
        ("beben como adultos", "beben como cosacos", "es", True),
        ("витают в небесах", "витают в облаках", "ru", True),
        ("口若河流", "口若悬河", "zh", True),
        ("口才很差", "口若悬河", "zh", False),
        ("drink like wine", "drink like fish", "de", False),
    ],
)
def test_broken(text: str, source: str, lang: str, broken: bool) -> None:
    assert idioms.broken(text, source, lang) is broken


def test_a_gap_is_one_to_three_words() -> None:
    pattern = idioms.compiled("pull* * weight", spaced=True)
    assert [bool(pattern.search(text)) for text in ("pull weight", "pulled their weight", "pull a b c weight", "pull a b c d weight")] == [
        False, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["a: b", "- 3", "- no", "- a\n- a", "[a"])
def test_malformed_idioms_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "en.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"en\.yaml"):
        idioms.read(path)


@pytest.mark.parametrize(
    ("text", "source", "lang", "same"),
    [
        ("are very noisy", "are noisy", "en", True),
        ("are the noisiest", "are noisy", "en", False),
        ("talk much", "talk a lot", "en", True),
        ("talk little", "talk a lot", "en", False),
        ("earn less and work more", "earn more and work less", "en", False),
        ("son muy tercas", "son tercos", "es", True),
        ("son poco tercos", "son tercos", "es", False),
        ("очень много спят", "много спят", "ru", True),
        ("мало спят", "много спят", "ru", False),
        ("非常吵", "很吵", "zh", True),
        ("很静", "很吵", "zh", False),
        ("very", "a lot", "en", False),
    ],
)
def test_same_claim(text: str, source: str, lang: str, same: bool) -> None:
    assert polarity.same_claim(text, source, word_lists(lang), lang) is same


@pytest.mark.parametrize(
    ("text", "lang", "negated"),
    [
        ("do not talk", "en", True), ("don’t talk", "en", True), ("talk nonstop", "en", False), ("not only talk", "en", False),
        ("no hablan", "es", True), ("no paran de hablar", "es", False), ("hablan sin parar", "es", False),
        ("не говорят", "ru", True), ("говорят без умолку", "ru", False), ("небрежны", "ru", False),
        ("不说话", "zh", True), ("说个不停", "zh", False), ("博学多才", "zh", False), ("不学无术", "zh", False),
        ("sind nicht laut", "de", True), ("haben keine Zeit", "de", True), ("n’aiment pas", "fr", True),
        ("non parlano", "it", True), ("não falam", "pt", True), ("praten nooit", "nl", True), ("nie mówią", "pl", True),
        ("बात नहीं करते", "hi", True), ("नाचते हैं", "hi", False), ("लا", "ar", False), ("لا يتكلمون", "ar", True),
        ("يتكلمون بلا توقف", "ar", False),
    ],
)  # fmt: skip
def test_negated(text: str, lang: str, negated: bool) -> None:
    assert polarity.negated(text, word_lists(lang), lang) is negated


def test_added_and_dropped_mirror_each_other() -> None:
    words = word_lists("en")
    assert polarity.added("do not talk", "talk", words, "en") and not polarity.dropped(
        "do not talk", "talk", words, "en"
    )
    assert polarity.dropped("talk", "do not talk", words, "en") and not polarity.added(
        "talk", "do not talk", words, "en"
    )
    assert not polarity.dropped("do not shout", "do not talk", words, "en")


@pytest.mark.parametrize(
    ("text", "source", "groups_", "lang", "named"),
    [
        ("drive like a woman", "drive badly", ["Women"], "en", True),
        ("drive like women’s clubs", "drive badly", ["Women"], "en", True),
        ("are childish", "cry", ["Children"], "en", False),
        ("говорят больше мужчины", "много говорят", ["Женщины", "Мужчины"], "ru", True),
        ("заботятся о детях", "добрые", ["Дети"], "ru", True),
        ("пьют чай по-русски", "любят чай", ["Русские"], "ru", False),
        ("quieren a los médicos", "trabajan", ["Las enfermeras", "Los médicos"], "es", True),
        ("quieren a un médico", "ven al médico", ["Los médicos"], "es", False),
        ("reden wie Männer", "reden viel", ["Die Frauen", "Der Mann"], "de", True),
        ("parlent comme des hommes", "parlent", ["Les femmes", "Les hommes"], "fr", True),
        ("比男人吵", "很吵", ["女人", "男人"], "zh", True),
        ("like young men", "are fast", ["Young women", "Young men"], "en", True),
        ("like the young", "are fast", ["Young women", "Young men"], "en", False),
    ],
)
def test_group_named(text: str, source: str, groups_: list[str], lang: str, named: bool) -> None:
    assert groups.named(text, source, groups_, word_lists(lang), lang) is named


@pytest.mark.parametrize(
    ("text", "source", "lang", "changed"),
    [
        ("who drive are slow", "are slow", "en", True),
        ("that", "that was fun", "en", False),
        ("whosoever comes is welcome", "are slow", "en", False),
        ("like cars", "love cars", "en", False),
        ("que conducen van despacio", "van despacio", "es", True),
        ("queman goma", "van despacio", "es", False),
        ("и мужчины спят", "спят", "ru", True),
        ("без труда спят", "спят", "ru", False),
        ("们很吵", "很吵", "zh", True),
        ("和善", "友好", "zh", False),
    ],
)
def test_group_changed(text: str, source: str, lang: str, changed: bool) -> None:
    assert groups.goes_on(text, source, word_lists(lang), lang) is changed


def test_stems_of_a_language_without_a_stemmer_are_its_words() -> None:
    assert stems.stems("猫 睡觉", "zh") == ("猫", "睡觉")
    assert stems.stems("Women women's", "en", [["woman", "women"]])[0] == stems.stems("a woman", "en")[1]
