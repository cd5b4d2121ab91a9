"""The config's section `filters.grammar`: engines per language, and what they need."""

from __future__ import annotations

import pytest
import yaml

from dualpair import config
from dualpair.filters import grammar_settings
from dualpair.filters.grammar_settings import Grammar

LANGUAGETOOL = {"server": "local", "version": "6.8", "picky": False, "memory_mb": 1500, "timeout_s": 120}


def section(engines, **changes):
    return {
        "engines": engines,
        "languagetool": {**LANGUAGETOOL, **changes.pop("languagetool", {})},
        "lm_model": None,
        **changes,
    }


def load(root, grammar, **models):
    data = yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8"))
    data["filters"]["grammar"] = grammar
    data["models"] = models
    return config.load(data)


def problem(root, grammar, **models) -> str:
    with pytest.raises(config.ConfigError) as caught:
        load(root, grammar, **models)
    return str(caught.value)


def test_none_for_all_a_list_for_all_or_a_value_per_language():
    none, every, each = (
        Grammar.model_validate(section(engines))
        for engines in ("none", ["languagetool", "lm"], {"en": ["lm"], "es": "none", "ru": ["agreement", "lm"]})
    )
    assert [grammar_settings.engines_of(one, "en") for one in (none, every, each)] == [
        (),
        ("languagetool", "lm"),
        ("lm",),
    ]
    assert grammar_settings.by_language(each, ["en", "es", "ru"]) == {"en": ["lm"], "ru": ["agreement", "lm"]}
    assert grammar_settings.languages_of(each, "lm", ["ru", "es", "en"]) == ["ru", "en"]
    assert grammar_settings.used(each, ["en", "es"]) == ["lm"]
    assert grammar_settings.used(every, ["en"]) == ["languagetool", "lm"]
    assert grammar_settings.used(none, ["en"]) == []


@pytest.mark.parametrize("name", ["config.yaml", "config/test.yaml", "config/paper.yaml"])
def test_the_shipped_configs_have_the_whole_section(root, name):
    given = yaml.safe_load((root / name).read_text(encoding="utf-8"))["filters"]["grammar"]
    assert set(given) == {"engines", "languagetool", "lm_model"}
    assert set(given["languagetool"]) == set(LANGUAGETOOL)
    config.load_file(root / name)


@pytest.mark.parametrize(
    ("engines", "message"),
    [
        ([], "an empty list names no engine: write none"),
        ({}, "an empty mapping names no language"),
        ("lm", r"value 'lm': expected none \(no filter\), or a list of languagetool, lm, agreement; write \[lm\]"),
        (["spacy"], r"expected none \(no filter\), or a list of"),
        (["lm", "lm"], "names an engine twice"),
        (None, "expected none"),
        ({"en": [], "es": "none", "ru": "none", "zh": "none"}, r"language 'en', value \[\]: an empty list"),
        ({"en": ["languagetool"]}, r"key `filters.grammar.engines.es` is missing: .*give its engines, or none"),
        ({"en": "none", "es": "none", "ru": "none", "zh": "none", "xx": "none"}, r"engines.xx` is unknown"),
    ],
)
def test_mistaken_engines(root, engines, message):
    with pytest.raises(config.ConfigError, match=message):
        load(root, section(engines))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 6.8}, "write the version in quotes"),
        ({"version": "latest"}, "languagetool.version"),
        ({"server": "localhost:8081"}, r"languagetool.server`: .*begins with http"),
        ({"server": "http://me:secret@host:8081"}, "a URL with user, password"),
        ({"memory_mb": 10}, "memory_mb"),
        ({"port": 8081}, r"`filters.grammar.languagetool.port` is unknown \(allowed here: server, version"),
    ],
)
def test_mistaken_languagetool(root, changes, message):
    with pytest.raises(config.ConfigError, match=message) as caught:
        load(root, section("none", languagetool=changes))
    assert "secret" not in str(caught.value)


def test_languages_that_languagetool_does_not_know_or_has_no_categories_for(root):
    data = yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8"))
    data["filters"]["grammar"] = section({"en": "none", "es": "none", "ru": "none", "zh": "none", "hi": ["languagetool"],
                                          "fr": ["languagetool"]})  # fmt: skip
    data["languages"] += ["hi", "fr"]
    data["source"]["files"] |= {"hi": "x.csv", "fr": "x.csv"}
    data["parse"]["engine"] |= {"hi": "presplit", "fr": "presplit"}
    with pytest.raises(config.ConfigError) as caught:
        config.load(data)
    assert "LanguageTool does not know language 'hi'; take engine lm" in str(caught.value)
    assert "language 'fr' has no file resources/grammar/fr.yaml" in str(caught.value)


def test_engine_lm_needs_a_causal_model_with_a_threshold(root):
    lm = section(["lm"])
    small = {"kind": "causal", "source": "path:x", "engine": "transformers"}
    assert "lm_model`: value null: engine lm is used for en, es, ru, zh" in problem(root, lm)
    assert "model 'nobody' is not in the registry" in problem(root, {**lm, "lm_model": "nobody"})
    assert "is of kind 'sentence_encoder' (allowed: causal)" in problem(root, {**lm, "lm_model": "use-multilingual-v3"})
    assert "thresholds.grammar` is missing" in problem(root, {**lm, "lm_model": "small"}, small=small)
    partly = {**small, "thresholds": {"grammar": {"en": -0.5, "ru": 0.0, "es": 0.1}}}
    assert "has none for 'zh', and no `default`" in problem(root, {**lm, "lm_model": "small"}, small=partly)
    whole = {**small, "thresholds": {"grammar": {"en": -0.5, "default": 0.0}}}
    assert load(root, {**lm, "lm_model": "small"}, small=whole).filters.grammar.lm_model == "small"
