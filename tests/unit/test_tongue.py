"""Language and script of short answers, with the rate of false alarms on real texts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dualpair.generation import hygiene_words, tongue

TREEBANKS = {"en": "en_ewt", "es": "es_gsd", "ru": "ru_gsd", "zh": "zh_gsdsimp"}


@pytest.mark.parametrize(
    ("text", "lang", "wrong"),
    [
        ("talk a lot", "es", True),
        ("are very noisy", "de", True),
        ("hablan mucho", "fr", True),
        ("parlent toujours trop", "es", True),
        ("sprechen sehr viel", "en", True),
        ("falam muito alto", "es", True),
        ("parlano molto", "pt", True),
        ("praten altijd heel veel", "de", True),
        ("mówią bardzo dużo", "it", True),
        ("дуже багато говорять", "ru", True),
        ("خیلی حرف می زنند", "ar", True),
        ("खूप बोलतात आणि", "hi", True),
        ("die young", "en", False),
        ("pour tea", "en", False),
        ("love the dolce vita", "en", False),
        ("wear chic hats", "en", False),
        ("comen pizza", "es", False),
        ("aman el jazz", "es", False),
        ("sind laut", "de", False),
        ("sont nuls", "fr", False),
        ("noisy", "es", False),
        ("", "en", False),
    ],
)
def test_small_words_tell_the_language(text: str, lang: str, wrong: bool) -> None:
    assert tongue.wrong_language(text, "", lang) is wrong


def test_words_of_the_source_are_no_evidence() -> None:
    assert tongue.wrong_language("say very well", "", "es")
    assert not tongue.wrong_language("very well dicen", "usan very y well", "es")


@pytest.mark.parametrize(
    ("text", "source", "lang", "wrong"),
    [
        ("很會說話", "很吵", "zh", True),
        ("很会说话", "很吵", "zh", False),
        ("很會說話", "會說話", "zh", False),
        ("站在瞭望塔上", "很吵", "zh", False),
        ("很会说话", "很吵", "zh-Hant", True),
        ("很會說話，是著名的", "很吵", "zh-Hant", False),
        ("are 吵", "are noisy", "en", True),
        ("naïve", "are noisy", "en", False),
        ("are ｌｏｕｄ", "are noisy", "en", False),
        ("использует USB", "любит USB", "ru", False),
        ("любит WiFi", "любит USB", "ru", True),
    ],
)
def test_script(text: str, source: str, lang: str, wrong: bool) -> None:
    assert tongue.wrong_script(text, source, lang) is wrong


def fragments(folder: Path, lang: str) -> list[str]:
    """Runs of 2 to 6 words, without names, of the sentences of a treebank."""
    draw = random.Random(1)
    found = []
    text = (folder / "ud" / f"{TREEBANKS[lang]}-ud-dev.conllu").read_text(encoding="utf-8")
    for line in text.splitlines():
        words = line.removeprefix("# text = ").split()
        if line.startswith("# text = ") and len(words) >= 4:
            length = draw.randint(2, 6)
            start = draw.randint(0, max(0, len(words) - length))
            found.append(" ".join(words[start : start + length]))
    return [text for text in found if text.islower()]


@pytest.mark.parametrize(("lang", "others"), [("en", ("es", "de", "fr")), ("es", ("en", "de", "fr"))])
def test_real_fragments_are_hardly_ever_taken_for_another_language(
    shared_data: Path, lang: str, others: tuple[str, ...]
) -> None:
    texts = fragments(shared_data, lang)
    alarms = [text for text in texts if tongue.wrong_language(text, "", lang)]
    assert len(texts) > 500
    assert len(alarms) <= 0.01 * len(texts), alarms
    for other in others:
        found = sum(tongue.wrong_language(text, "", other) for text in texts)
        assert found >= 0.4 * len(texts), (other, found / len(texts))


def test_real_russian_and_chinese_pass(shared_data: Path) -> None:
    texts = fragments(shared_data, "ru")
    alarms = [text for text in texts if tongue.wrong_language(text, "", "ru")]
    assert len(texts) > 200
    assert len(alarms) <= 0.01 * len(texts), alarms
    lines = (shared_data / "ud" / "zh_gsdsimp-ud-dev.conllu").read_text(encoding="utf-8").splitlines()
    chinese = [
        line[9:]
        for line in lines
        if line.startswith("# text = ") and not any(c.isascii() and c.isalpha() for c in line[9:])
    ]
    wrong = [text for text in chinese if tongue.wrong_script(text, "", "zh")]
    assert len(chinese) > 300
    assert len(wrong) <= 0.02 * len(chinese), wrong


@pytest.mark.parametrize("entry", ["en: 3", "en: {script: Latn}", "en: {script: Latn, words: [a]}", "- a"])
def test_malformed_small_words_are_refused(tmp_path: Path, entry: str) -> None:
    path = tmp_path / "function_words.yaml"
    path.write_text(entry, encoding="utf-8")
    with pytest.raises(ValueError, match=r"function_words\.yaml"):
        hygiene_words.read_function_words(path)
