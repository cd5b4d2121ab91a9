"""The config's section `scoring`: contexts of each language, and what a mistake says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from dualpair import config as configs

ROOT = Path(__file__).resolve().parents[2]
EVERY = {"en": "One. ", "es": "Uno. ", "ru": "Раз. ", "zh": "一。"}


def loaded(**scoring: Any) -> configs.Config:
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    data["scoring"] |= scoring
    return configs.load(data, "my.yaml")


def test_the_default_is_raw_text() -> None:
    assert configs.contexts(loaded()) == {}
    assert configs.contexts(loaded(chat_message="Tell me.")) == {}


def test_one_text_is_for_all_languages_verbatim() -> None:
    text = "They say: "
    assert configs.contexts(loaded(context=text)) == {lang: {"text": text} for lang in EVERY}


def test_a_mapping_gives_each_language_its_own() -> None:
    found = configs.contexts(loaded(context={**EVERY, "es": "none", "ru": "chat_template"}, chat_message="Привет."))
    assert found == {"en": {"text": "One. "}, "ru": {"chat_message": "Привет."}, "zh": {"text": "一。"}}


def test_chat_messages_may_be_one_or_one_per_language() -> None:
    one = configs.contexts(loaded(context="chat_template", chat_message="Go on."))
    assert one == {lang: {"chat_message": "Go on."} for lang in EVERY}
    each = configs.contexts(loaded(context="chat_template", chat_message=EVERY))
    assert each == {lang: {"chat_message": text} for lang, text in EVERY.items()}


@pytest.mark.parametrize(
    ("scoring", "message"),
    [
        ({"context": {"en": "One. "}}, "key `scoring.context.es` is missing: language 'es' is listed in `languages`"),
        ({"context": {**EVERY, "xx": "a"}}, "key `scoring.context.xx` is unknown"),
        ({"context": {**EVERY, "es": ""}}, "key `scoring.context.es`: value '' is empty"),
        ({"context": ""}, "key `scoring.context`: value '' is empty (allowed: none, chat_template, or a text)"),
        ({"context": "chat-template"}, "value 'chat-template'; did you mean 'chat_template'?"),
        ({"context": "chat_templates"}, "did you mean 'chat_template'?"),
        ({"context": "None"}, "value 'None'; did you mean 'none'?"),
        ({"context": 7}, "key `scoring.context`: value 7: expected a text, or a mapping from language"),
        ({"context": None}, "key `scoring.context`: value None: expected a text, or a mapping"),
        ({"context": {"en": 1}}, "expected a text, or a mapping from language to text"),
        ({"context": {}}, "expected a text, or a mapping from language to text"),
        ({"context": "chat_template"}, "key `scoring.chat_message`: value None: context chat_template needs"),
        (
            {"context": "chat_template", "chat_message": {"en": "Go on."}},
            "key `scoring.chat_message.es` is missing: language 'es' is listed in `languages`; add its text",
        ),
        ({"context": "chat_template", "chat_message": {**EVERY, "ru": " "}}, "what the user says in language 'ru'"),
        ({"normalisation": "token"}, "key `scoring.normalisation`: value 'token' (allowed: 'mean', 'sum', 'char' or"),
        ({"scope": "divergnt"}, "key `scoring.scope`: value 'divergnt'; did you mean 'divergent'?"),
        ({"token_columns": "perhaps"}, "key `scoring.token_columns`: value 'perhaps'"),
    ],
)
def test_a_mistake_names_key_value_and_fix(scoring: dict[str, Any], message: str) -> None:
    with pytest.raises(configs.ConfigError) as error:
        loaded(**scoring)
    assert str(error.value).startswith("my.yaml: ")
    assert message in str(error.value)


def test_a_text_that_only_resembles_a_keyword_in_part_is_a_text() -> None:
    for text in ("None of them said a word. ", "no", "A chat template is a text. "):
        assert configs.contexts(loaded(context=text))["en"] == {"text": text}
