"""Language facts, joining, final marks, normalisation."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import languages

CODES = ("ar", "bn", "de", "en", "es", "fr", "hi", "it", "mr", "nl", "pl", "pt", "pt-BR", "ro", "ru", "zh", "zh-Hant")


def test_known_languages() -> None:
    assert languages.known() == CODES


@pytest.mark.parametrize(
    ("code", "joiner", "mark", "script", "stanza"),
    [
        ("en", " ", ".", "Latn", "en"),
        ("es", " ", ".", "Latn", "es"),
        ("ru", " ", ".", "Cyrl", "ru"),
        ("zh", "", "。", "Hans", "zh-hans"),
        ("zh-Hant", "", "。", "Hant", "zh-hant"),
        ("de", " ", ".", "Latn", "de"),
        ("hi", " ", "।", "Deva", "hi"),
        ("bn", " ", "।", "Beng", ""),
        ("ar", " ", ".", "Arab", "ar"),
        ("pt-BR", " ", ".", "Latn", "pt"),
    ],
)
def test_facts(code: str, joiner: str, mark: str, script: str, stanza: str) -> None:
    facts = languages.get(code)
    assert (facts.joiner, facts.final_mark, facts.script, facts.stanza) == (joiner, mark, script, stanza)
    assert facts.final_mark in facts.final_marks


def test_sacrebleu_knows_the_tokenizers() -> None:
    names = {
        "none",
        "zh",
        "13a",
        "intl",
        "char",
        "ja-mecab",
        "ko-mecab",
        "spm",
        "flores101",
        "flores200",
    }  # sacrebleu 2
    assert {languages.get(code).sacrebleu for code in CODES} <= names
    assert languages.get("zh").sacrebleu == languages.get("zh-Hant").sacrebleu == "zh"


def test_spacy_and_stanza_know_the_codes() -> None:
    spacy = pytest.importorskip("spacy")
    names = pytest.importorskip("stanza.models.common.constant").lcode2lang
    for code in CODES:
        facts = languages.get(code)
        assert spacy.blank(facts.spacy).lang == facts.spacy
        assert not facts.stanza or facts.stanza in names


def test_languages_of_one_stanza_code_share_what_depends_on_it() -> None:
    pt, br = languages.get("pt"), languages.get("pt-BR")
    assert (pt.languagetool, br.languagetool) == ("pt-PT", "pt-BR")
    assert pt.abbreviations == br.abbreviations


@pytest.mark.parametrize(("wrong", "hint"), [("Russian", "'ru'"), ("enn", "'en'"), ("spanihs", "'es'")])
def test_unknown_language_names_the_nearest(wrong: str, hint: str) -> None:
    with pytest.raises(ValueError, match=rf"{wrong}.*en, es, fr.*did you mean {hint}"):
        languages.get(wrong)


def test_unknown_language_without_a_near_name() -> None:
    with pytest.raises(ValueError, match="unknown language 'qqq'") as caught:
        languages.get("qqq")
    assert "did you mean" not in str(caught.value)


def test_join() -> None:
    assert languages.join("Women", "talk a lot", "en") == "Women talk a lot"
    assert languages.join("女人", "话很多", "zh") == "女人话很多"


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Women talk a lot.", "en", ("Women talk a lot", ".")),
        ("Women talk a lot", "en", ("Women talk a lot", "")),
        ("Really?! ", "en", ("Really", "?!")),
        ("Los niños lloran ...", "es", ("Los niños lloran", "...")),
        ("女人话很多。", "zh", ("女人话很多", "。")),
        ("女人话很多!", "zh", ("女人话很多", "!")),
        ("Women talk a lot。", "en", ("Women talk a lot。", "")),
        ("क्या औरतें बोलती हैं?", "hi", ("क्या औरतें बोलती हैं", "?")),
        ("औरतें बोलती हैं।", "hi", ("औरतें बोलती हैं", "।")),
        ("هل تتكلم النساء؟", "ar", ("هل تتكلم النساء", "؟")),
        (".", "en", ("", ".")),
        ("", "ru", ("", "")),
    ],
)
def test_split_final_mark(text: str, lang: str, expected: tuple[str, str]) -> None:
    assert languages.split_final_mark(text, lang) == expected


@given(st.text(alphabet="ab .!?…", max_size=20), st.sampled_from(CODES))
def test_split_final_mark_loses_only_white_space(text: str, lang: str) -> None:
    body, mark = languages.split_final_mark(text, lang)
    assert (body + mark).replace(" ", "") == text.replace(" ", "")
    assert set(mark) <= set(languages.get(lang).final_marks)
    assert not body or body[-1] not in languages.get(lang).final_marks


def test_normalise_golden() -> None:
    assert languages.normalise(" nin\u0303os\u00a0\u2009 lloran\n") == "niños lloran"
    assert languages.normalise("女\u200b人\u3000多") == "女人 多"


@given(st.text())
def test_normalise_is_idempotent_composed_and_single_spaced(text: str) -> None:
    once = languages.normalise(text)
    assert languages.normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once.split() == once.split(" ") or once == ""


GOOD = """
aa: {name: A, native_name: A, script: Latn, joiner: " ", final_mark: ".", final_marks: ["."], stanza: aa, spacy: xx,
     sacrebleu: 13a, languagetool: aa, abbreviations: ["Dr"], ordinal_dot: false}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("script: Latn, ", "", r"'aa': missing \['script'\]"),
        ("script: Latn", "script: Latn, colour: red", r"not known \['colour'\]"),
        ("spacy: xx", 'spacy: ""', "spacy: expected text"),
        ("stanza: aa", "stanza: no", "stanza: expected text"),
        ('final_marks: ["."]', 'final_marks: ["..."]', "single characters"),
        ('final_mark: "."', 'final_mark: "!"', "not made of"),
        ('["Dr"]', "Dr", "abbreviations: expected a list"),
        ('["Dr"]', "[no]", "abbreviations: expected a list"),
        ('["Dr"]', '["Dr."]', "leave the last full stop out of Dr."),
        ("ordinal_dot: false", "ordinal_dot: 0", "ordinal_dot: expected true or false"),
    ],
)
def test_a_bad_entry_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "languages.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert languages.read_languages(path)["aa"].spacy == "xx"
    assert languages.read_languages(path)["aa"].abbreviations == {"dr"}
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        languages.read_languages(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "languages.yaml"
    path.write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a mapping"):
        languages.read_languages(path)
