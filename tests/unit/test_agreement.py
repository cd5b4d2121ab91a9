"""Agreement of predicate and group: hand-written sets under the shipped parsers, parses by hand, and the config."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from dualpair import languages
from dualpair.errors import InputError
from dualpair.filters import agreement, agreement_settings, planted
from dualpair.filters.agreement import data, spanish_phrases
from dualpair.filters.grammar import added
from dualpair.stages import grammar_agreement
from dualpair.stages.grammar_agreement import Parsers, Sentence
from dualpair.syntax import NoParserError
from tests.unit.parses import parsed

CASES = Path(__file__).parent / "data" / "agreement"
LANGUAGES = ("en", "es", "ru", "zh")
# Share of the sentences that fit their group badly which must be found, and of the planted errors of agreement.
FOUND, PLANTED = 0.85, {"en": 0.7, "es": 0.5, "ru": 0.55}
PARSERS = Parsers(dict.fromkeys(LANGUAGES, "stanza"))


def cases(lang):
    """(group, source sentence, candidate sentence, findings that must be there) of each set and group."""
    language = languages.get(lang)
    mark = "。" if lang == "zh" else "."
    with (CASES / f"{lang}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            groups, findings = row["groups"].split("|"), row["findings"].split("|")
            for group, wanted in zip(groups, findings, strict=True):
                source, candidate = (f"{group}{language.joiner}{row[c]}{mark}" for c in ("source", "attribute"))
                yield group, source, candidate, wanted.replace("-", "").split()


@pytest.mark.stanza
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_fits_one_group_only_is_found_and_what_fits_all_is_not(lang):
    rows = list(cases(lang))
    sentences = [Sentence(group, text) for group, *texts, _ in rows for text in texts]
    found = grammar_agreement.disagreements(sentences, lang, PARSERS)
    outcome = [
        (candidate, wanted, added(found[Sentence(group, candidate)], found[Sentence(group, source)]))
        for group, source, candidate, wanted in rows
    ]
    assert len({candidate for candidate, *_ in outcome}) > 50
    assert [(text, ids) for text, wanted, ids in outcome if ids and not wanted] == []
    must = [(wanted, ids) for _, wanted, ids in outcome if wanted]
    assert len(must) >= 14
    assert sum(bool(ids) for _, ids in must) / len(must) >= FOUND
    assert sum(set(ids) == set(wanted) for wanted, ids in must) / len(must) >= FOUND


@pytest.mark.stanza
@pytest.mark.parametrize("lang", LANGUAGES)
def test_planted_errors_are_found_and_correct_rewordings_are_left_alone(lang):
    items = planted.planted_items((lang,))
    sentences = [Sentence(i.source.prefix, t.whole) for i in items for t in (i.source, i.correct, i.faulty)]
    found = grammar_agreement.disagreements(sentences, lang, PARSERS)

    def ids(item, text):
        return added(
            found[Sentence(item.source.prefix, text.whole)], found[Sentence(item.source.prefix, item.source.whole)]
        )

    assert [i.correct.whole for i in items if ids(i, i.correct)] == []
    flags = [bool(ids(i, i.faulty)) for i in items if i.kind == "agreement"]
    assert (sum(flags) / len(flags) if flags else 1.0) >= PLANTED.get(lang, 0)


@pytest.mark.stanza
@pytest.mark.parametrize("lang", LANGUAGES)
def test_development_sentences_are_left_alone(lang):
    joiner = languages.get(lang).joiner
    lines = (Path(agreement_settings.paths.resource("parsers")) / "development" / f"{lang}.txt").read_text(
        encoding="utf-8"
    )
    splits = [line.split(": ", 1)[1].split(" | ") for line in lines.splitlines() if " | " in line and line[0] != "#"]
    sentences = [Sentence(group, languages.normalise(f"{group}{joiner}{rest}")) for group, rest in splits]
    found = grammar_agreement.disagreements(sentences, lang, PARSERS)
    alarms = [sentence.text for sentence, ids in found.items() if ids]
    assert len(found) > 200
    assert len(alarms) <= 0.01 * len(found), alarms


# ---- parses by hand


def ids(text, group, lang, analysis):
    return agreement.findings(parsed(text, analysis), group, lang)


def test_number_and_gender_by_form():
    tree = "Las/DET/2/det mujeres/NOUN/5/nsubj {}/AUX/5/cop muy/ADV/5/advmod {}/ADJ/0/root"
    for verb, adjective, wanted in (
        ("son", "listas", []),
        ("son", "listos", ["gender"]),
        ("son", "amables", []),
        ("son", "egoístas", []),
        ("es", "lista", ["number", "number"]),
        ("es", "listas", ["number"]),
    ):
        text = f"Las mujeres {verb} muy {adjective}"
        assert ids(text, "Las mujeres", "es", tree.format(verb, adjective)) == wanted, text


@pytest.mark.parametrize(
    ("form", "number", "gender"),
    [
        ("comida", "sing", "fem"), ("imaginaciones", "plur", "fem"), ("virtudes", "plur", "fem"), ("viajes", "plur", "masc"),
        ("problema", "sing", "masc"), ("libros", "plur", "masc"), ("cumpleaños", "", "masc"), ("turista", "", ""),
    ],
)  # fmt: skip
def test_spanish_nouns(form, number, gender):
    assert spanish_phrases.noun(form) == (number, gender)


def test_a_word_of_quantity_before_no_noun_says_nothing():
    tree = "Los/DET/2/det niños/NOUN/3/nsubj comen/VERB/0/root poco/{}/3/advmod fruta/{}/3/obj"
    text = "Los niños comen poco fruta"
    assert ids(text, "Los niños", "es", tree.format("DET", "NOUN")) == ["gender"]
    assert ids(text, "Los niños", "es", tree.format("ADV", "VERB")) == []
    tree = "Los/DET/2/det niños/NOUN/3/nsubj ven/VERB/0/root poco/ADV/3/advmod la/DET/6/det fruta/NOUN/3/obj"
    assert ids("Los niños ven poco la fruta", "Los niños", "es", tree) == []


def test_a_verb_that_may_have_another_subject_says_nothing():
    tree = "Женщины/NOUN/3/nsubj {}/PRON/3/obj {}/VERB/0/root спорт/NOUN/3/nsubj"
    assert ids("Женщины им нравится спорт", "Женщины", "ru", tree.format("им", "нравится")) == []
    assert ids("Женщины сами любит спорт", "Женщины", "ru", tree.format("сами", "любит")) == ["number"]


def test_a_parse_that_does_not_fit_the_group_says_nothing():
    text = "Cats is nice"
    tree = "Cats/NOUN/3/nsubj is/AUX/3/cop nice/ADJ/0/root"
    assert ids(text, "Cats", "en", tree) == ["number"]
    assert ids(text, "Cats is nice", "en", tree) == []
    assert ids(text, "Ca", "en", tree) == []
    assert ids(text, "Cats", "en", "Cats/NOUN/0/root is/AUX/1/cop nice/ADJ/1/amod") == []
    assert ids(text, "Cats", "en", "Cats/NOUN/0/root is/AUX/0/root nice/ADJ/1/amod") == []


# ---- the stage


def candidates(rows):
    key = {"cluster_id": "c", "bias_type": "b", "task": "paraphrase", "generators": ["m"], "n_answers": 1,
           "adds_negation": False, "reason": "", "kept": True, "variant_id": "v0"}  # fmt: skip
    return pd.DataFrame(
        [{**key, "candidate_id": i, "set_id": s, "lang": lang, "attribute": a} for i, s, lang, a in rows]
    )


def sources(rows):
    key = {"cluster_id": "c", "bias_type": "b", "variant_id": "v0", "final_mark": "."}
    return pd.DataFrame([{**key, "set_id": s, "lang": lang, "groups": g, "attribute": a} for s, lang, g, a in rows])


@pytest.mark.stanza
def test_a_finding_of_the_groups_own_source_does_not_count():
    given = candidates([("a", "s1", "en", "is nice"), ("b", "s2", "en", "is nice"), ("c", "s3", "zh", "很好")])
    known = sources([("s1", "en", ["Cats", "A cat"], "is kind"), ("s2", "en", ["Cats", "A cat"], "slept"),
                     ("s3", "zh", ["女人", "男人"], "不错")])  # fmt: skip
    frame = grammar_agreement.judge(given, known, ["en", "zh"], PARSERS)
    got = {
        (row.candidate_id, row.group_index): (row.findings, row.finding_ids, row.error) for row in frame.itertuples()
    }
    assert got == {
        ("a", 0): (0, "", ""), ("a", 1): (0, "", ""), ("b", 0): (1, "number", ""), ("b", 1): (0, "", ""),
        ("c", 0): (0, "", ""), ("c", 1): (0, "", ""),
    }  # fmt: skip
    assert set(frame["model"]) == {"agreement:stanza-embedded"}


def test_a_parser_that_fails_leaves_no_judgement(monkeypatch):
    def fail(texts, lang, folder):
        yield from ((text, "the parser changed the text") for text in texts)

    monkeypatch.setattr(grammar_agreement.pipeline, "stream", fail)
    frame = grammar_agreement.judge(
        candidates([("a", "s1", "en", "are nice")]), sources([("s1", "en", ["Cats", "Dogs"], "nap")]), ["en"], PARSERS
    )
    assert frame["findings"].isna().all()
    assert frame["error"].tolist() == ["the parser changed the text"] * 2


def test_a_missing_parser_is_said(tmp_path):
    with pytest.raises(NoParserError, match="no parser folder"):
        grammar_agreement.disagreements([Sentence("Cats", "Cats nap.")], "en", Parsers({"en": "stanza"}, tmp_path))


def test_names_of_the_parsers():
    parsers = Parsers({"en": "stanza", "es": "spacy:es_core_news_sm", "ru": "spacy:/models/ru"})
    assert [parsers.name(lang) for lang in ("en", "es", "ru")] == [
        "stanza-embedded",
        "spacy:es_core_news_sm",
        "spacy:ru",
    ]
    assert Parsers({"en": "stanza"}, Path("models")).name("en") == "stanza"


# ---- settings and data


def test_languages_that_the_config_allows_have_rules_and_files():
    assert agreement_settings.LANGUAGES == agreement.LANGUAGES
    assert all(path.is_file() for path in agreement_settings.files(agreement.LANGUAGES))
    assert agreement_settings.problems(LANGUAGES, dict.fromkeys(LANGUAGES, "stanza")) == []


def test_problems_name_language_and_remedy():
    (no_rules,) = agreement_settings.problems(["de"], {"de": "stanza"})
    assert "no rules for language 'de'" in no_rules
    assert "take engine lm" in no_rules
    (no_parser,) = agreement_settings.problems(["es"], {"es": "presplit"})
    assert "`parse.engine.es` is presplit" in no_parser


@pytest.mark.parametrize(
    ("text", "message"),
    [("masculine: a", r"missing: \['feminine'\], unknown: \[\]"), ("masculine: a\nfeminine: 3", "feminine: value 3")],
)
def test_bad_word_lists_are_refused(tmp_path, monkeypatch, text, message):
    (tmp_path / "xx.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(data, "lists_file", lambda lang: tmp_path / f"{lang}.yaml")
    with pytest.raises(InputError, match=message):
        data.read("xx", ("masculine", "feminine"))
