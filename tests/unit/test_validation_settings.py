"""The config's section `validation`: what it takes and what it refuses."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from dualpair import config as configs
from dualpair import languages
from dualpair.validation import instructions, settings


def changed(root: Path, **values: Any) -> configs.Config:
    """The shipped config with other values in the section."""
    data = copy.deepcopy(yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8")))
    data["validation"].update(values)
    return configs.load(data)


def test_the_shipped_numbers_are_those_of_the_paper(root: Path) -> None:
    section = changed(root).validation
    assert (section.accepted, section.mismatched, section.below_threshold) == (80, 10, 10)
    assert section.annotators == 1 and section.returned == [] and not section.apply


@pytest.mark.parametrize("name", ["config.yaml", "config/test.yaml", "config/paper.yaml"])
def test_every_language_has_instructions_in_the_shipped_configs(root: Path, name: str) -> None:
    given = configs.load_file(root / name).validation.instructions
    for lang, chosen in settings.chosen(given, languages.known()).items():
        words = instructions.for_items(chosen, lang).tasks["paraphrase"]
        assert chosen == (lang if lang in instructions.shipped() else "en")
        assert languages.get(lang).name in words.answers["accept"] or chosen != "en"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"accepted": 0}, r"key `validation.accepted`: value 0"),
        ({"mismatched": -1}, r"key `validation.mismatched`: value -1"),
        ({"annotators": True}, r"key `validation.annotators`: value True"),
        ({"annotators": 1.0}, r"key `validation.annotators`: value 1.0"),
        ({"balance": "bias-type"}, r"key `validation.balance`: value 'bias-type'; did you mean 'bias_type'"),
        ({"encoding": "cp12510"}, r"key `validation.encoding`: value 'cp12510': is no encoding .* cp1251"),
        ({"instructions": {"eng": "en"}}, r"key `validation.instructions.eng` is unknown; did you mean 'en'"),
        ({"instructions": {"en": ""}}, r"key `validation.instructions.en`"),
        ({"exclude": {"attention_failures": -1}}, r"key `validation.exclude.attention_failures`: value -1"),
        ({"exclude": {"attention": 1}}, r"key `validation.exclude.attention` is unknown; did you mean 'attention_failures'"),
        ({"returned": "sheet.csv"}, r"key `validation.returned`"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(root: Path, values: dict[str, Any], message: str) -> None:
    with pytest.raises(configs.ConfigError, match=message):
        changed(root, **values)


def test_what_is_allowed(root: Path) -> None:
    section = changed(
        root, balance="bias_type", annotators=3, encoding="cp1251", exclude={"attention_failures": 2},
        instructions={"default": "en", "ru": "sheets/ru.yaml"},
    ).validation  # fmt: skip
    assert section.exclude.attention_failures == 2
    assert settings.chosen(section.instructions, ["en", "ru", "de"]) == {"en": "en", "ru": "sheets/ru.yaml", "de": "en"}
    assert settings.chosen({}, ["en", "ru"]) == {"en": "en", "ru": "ru"}
