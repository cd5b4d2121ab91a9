"""Several sentences in one cell, found without a parser."""

from __future__ import annotations

import pytest

from dualpair import languages
from dualpair.syntax import Rejection, reasons
from dualpair.syntax.boundaries import quoted
from dualpair.syntax.splitting import precheck

ONE = {
    "en": """
        Dr. Smith's patients wait.
        Mr. and Mrs. Brown talk.
        St. John's people sing.
        No. 5 fans nap.
        Women earn 3.5 less.
        Women talk a lot...
        Women ... talk a lot.
        Wait… what?
        The U.S. Americans talk.
        J. R. Smith sings.
        Men (e.g. Peter) nap.
        At 5 p.m. men nap.
        dogs, cats etc. are pets.
        Example.com users talk.
        Yahoo! users talk.
        K!ng fans nap.
        1. Women talk.
        'Old' men nap.
        People who shout "Stop! Go!" nap.
        Men say: “I am strong. You are weak.”
        Men (They nap. Always.) snore.
    """,
    "es": """
        El Sr. López habla.
        La Dra. Gómez cura.
        ¿Las mujeres hablan?
        Los de EE. UU. hablan.
        Las tías, p. ej. Ana, hablan.
    """,
    "ru": """
        Дети г. Москвы шумят.
        Бабушки, т.е. старые женщины, пекут.
        Бабушки, т. е. старые женщины, пекут.
        А. С. Пушкин пишет.
        Люди им. Иванова шумят.
        Дети шумят... громко.
    """,
    "de": """
        Der 3. Mai ist ein Tag.
        Frauen, z. B. Mütter, kochen.
        Frauen bzw. Mütter kochen.
        Dr. Meier wartet.
    """,
    "pl": "Dzieci z 3. Klasy biegają.",
    "fr": "Les femmes, p. ex. Marie, parlent.",
    "zh": """
        女人话很多。
        女人……话很多。
        他们说“你好。再见。”的时候很吵。
        成绩3.5的学生很多。
    """,
    "hi": """
        औरतें बहुत बोलती हैं।
        डॉ. शर्मा बोलते हैं।
    """,
    "ar": "د. أحمد يعمل كثيرا.",
}
SEVERAL = {
    "en": """
        Women talk. Men do not.
        women talk. men listen.
        Women talk.Men listen.
        Women talk!Men nap.
        Do women talk? Yes.
        Women talk! "Men listen."
        Women say “stop.” Men go.
        Men nap... They snore.
        Women have 3. Men have 4.
        Men like sports etc. Women do not.
        Women talk?! 5 men nap.
    """,
    "es": """
        Las mujeres hablan! Élla no.
        ¿Hablan? ¡Sí!
        Hablan mucho. ¿Y ellos?
    """,
    "ru": """
        Дети шумят. Взрослые молчат.
        Дети шумят... Взрослые молчат.
    """,
    "de": """
        Frauen reden. Männer schweigen.
        Im Jahr 1990. Frauen reden.
    """,
    "zh": """
        女人话很多。男人话少。
        女人话很多！男人话少
        女人话多吗?男人呢
    """,
    "hi": """
        औरतें बोलती हैं। पुरुष नहीं।
        औरतें बोलती हैं।पुरुष नहीं।
    """,
    "ar": """
        النساء يتكلمن كثيرا. الرجال لا.
        هل تتكلم النساء؟ نعم.
    """,
}


def cells(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(lang, line.strip()) for lang, lines in table.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("lang", "text"), cells(ONE))
def test_one_sentence(lang: str, text: str) -> None:
    assert precheck(languages.normalise(text), lang) is None


@pytest.mark.parametrize(("lang", "text"), cells(SEVERAL))
def test_several_sentences(lang: str, text: str) -> None:
    found = precheck(languages.normalise(text), lang)
    assert isinstance(found, Rejection)
    assert found.reason == reasons.SEVERAL_SENTENCES


def test_the_place_is_named() -> None:
    found = precheck("Women talk. Men do not.", "en")
    assert found is not None
    assert found.detail == "a sentence ends inside the text: 'Women talk. M'"


def test_quoted_characters() -> None:
    text = 'a "b" (c) «d» ) "e'
    assert "".join(char for char, inside in zip(text, quoted(text), strict=True) if inside) == "bcd"
