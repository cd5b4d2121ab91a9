"""Prompt files: rendering, identity, and the errors of malformed ones."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from dualpair import languages
from dualpair.generation import prompts
from dualpair.paths import resource

STARTER = ("en", "es", "ru", "zh")
NATIVE = [(task, lang) for task in prompts.TASKS for lang in (*STARTER, "ar", "de", "fr", "hi", "it", "nl", "pl", "pt")]
VALID = """
system: Say it again in {language}.
user: 'Sentence: {sentence} Group: {group} Attribute: {attribute} {"a": 1}'
forced_prefix: "{group} "
few_shot:
  - {sentence: Cats purr., group: Cats, attribute: purr, answer: Cats hum.}
avoid: [often]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "xx.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_render_fills_examples_and_leaves_other_braces(tmp_path: Path) -> None:
    rendered = prompts.read(write(tmp_path, VALID)).render("Dogs {group} bark.", "Dogs", "bark", "English")
    assert rendered.context == (
        ("system", "Say it again in English."),
        ("user", 'Sentence: Cats purr. Group: Cats Attribute: purr {"a": 1}'),
        ("assistant", "Cats hum."),
    )
    assert rendered.user == 'Sentence: Dogs {group} bark. Group: Dogs Attribute: bark {"a": 1}'


def test_forced_prefix_has_no_trailing_space(tmp_path: Path) -> None:
    assert prompts.read(write(tmp_path, VALID)).render("Dogs bark.", "Dogs", "bark", "English").forced_prefix == "Dogs"


def test_id_is_the_hash_of_the_bytes(tmp_path: Path) -> None:
    path = write(tmp_path, VALID)
    assert prompts.read(path).id == hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    before = prompts.read(path).id
    path.write_text(VALID + "# a comment\n", encoding="utf-8")
    assert prompts.read(path).id != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user: '{sentence}'", "needs user and forced_prefix"),
        ("user: '{sentence}'\nforced_prefix: ''\ntypo: 1", "needs user and forced_prefix"),
        ("user: hello\nforced_prefix: ''", "does not name"),
        ("user: '{sentence} {grup}'\nforced_prefix: ''", "grup"),
        ("user: '{sentence}'\nforced_prefix: 3", "forced_prefix: expected text"),
        ("user: '{sentence}'\nforced_prefix: ''\nmode: both", "mode"),
        ("user: '{sentence}'\nforced_prefix: ''\nfew_shot: [{sentence: a}]", "few_shot"),
        ("user: '{sentence}'\nforced_prefix: ''\navoid: [no]", "avoid"),
        ("user: '{sentence}'\nforced_prefix: ''\nfew_shot: a", "few_shot: expected a list"),
        ("user: '{sentence}'\nforced_prefix: ''\nsystem: '{lang}'", "system: unknown"),
        ("user: '{sentence}'\nforced_prefix: ''\nschema: {type: array}", "schema"),
        ("user: [", "cannot be read as YAML"),
        ("- a", "needs user and forced_prefix"),
    ],
)
def test_malformed_files_are_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=message) as error:
        prompts.read(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("task", "name"), [("translate", "en"), ("paraphrase", "xx"), ("paraphrase", "../alternate/en")]
)
def test_unknown_prompts_are_refused(task: str, name: str) -> None:
    with pytest.raises(ValueError, match=r"prompt"):
        prompts.load(task, name)


@pytest.mark.parametrize(("task", "lang"), NATIVE)
def test_native_prompts_force_the_group_and_are_consistent(task: str, lang: str) -> None:
    prompt = prompts.load(task, lang)
    assert prompt.mode == "single"
    assert prompt.render("S", "G", "a", "English").forced_prefix == "G"
    assert len(prompt.few_shot) >= 4
    for shot in prompt.few_shot:
        mark = languages.get(lang).final_mark
        assert shot.sentence == languages.join(shot.group, shot.attribute, lang) + mark
        assert shot.answer.startswith(shot.group + languages.get(lang).joiner)
        assert shot.answer.endswith(mark)
        assert shot.answer != shot.sentence


@pytest.mark.parametrize(("task", "lang"), [(task, lang) for task in prompts.TASKS for lang in STARTER])
def test_examples_do_not_use_the_starter_sets_attributes(task: str, lang: str) -> None:
    import csv

    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8") as stream:
        attributes = {row["attribute"] for row in csv.DictReader(stream)}
    texts = [text for shot in prompts.load(task, lang).few_shot for text in (shot.sentence, shot.answer)]
    border = r"\b" if languages.get(lang).joiner else ""
    assert attributes
    assert not [(a, text) for a in attributes for text in texts if re.search(border + re.escape(a) + border, text)]


@pytest.mark.parametrize("task", prompts.TASKS)
def test_paper_prompt_asks_for_json(task: str) -> None:
    prompt = prompts.load(task, "paper-en")
    assert prompt.mode == "list"
    assert prompt.render("Old cars are noisy.", "Old cars", "are noisy", "English").forced_prefix.endswith('"Old cars')
    assert "JSON" in prompt.user


# How each language's prompt says: do not soften it, do not comment on it.
FORBIDDEN = {
    "ar": ("تخفيف", "تعليق"), "de": ("abschwächen", "bemerken"), "en": ("soften", "comment"), "es": ("suavices", "comentes"),
    "fr": ("atténuer", "commenter"), "hi": ("नरम", "टिप्पणी"), "it": ("attenuare", "commentare"), "nl": ("afzwakken", "commentaar"),
    "pl": ("łagodzenia", "komentarza"), "pt": ("suavizar", "comentar"), "ru": ("смягчай", "комментируй"), "zh": ("弱化", "评论"),
    "paper-en": ("soften", "comment"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORBIDDEN)
def test_paraphrases_must_not_sanitise(name: str) -> None:
    prompt = prompts.load("paraphrase", name)
    assert all(word in prompt.system + prompt.user for word in FORBIDDEN[name])


def test_every_shipped_prompt_has_examples_for_base_models() -> None:
    files = [path for task in prompts.TASKS for path in resource("prompts", task).glob("*.yaml")]
    assert len(files) >= 26
    assert not [path for path in files if len(prompts.read(path).few_shot) < 2]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("native", {"en": "en", "de": "de"}),
        ("en", {"en": "en", "de": "en"}),
        ({"default": "native", "de": "en"}, {"en": "en", "de": "en", "fr": "fr"}),
        ({"default": "paper-en", "fr": "native"}, {"en": "paper-en", "fr": "fr"}),
    ],
)
def test_choice_per_language(choice: str | dict[str, str], expected: dict[str, str]) -> None:
    assert {lang: prompts.name_for(choice, lang) for lang in expected} == expected


def test_a_choice_without_the_language_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no prompt is chosen for language 'fr'.*add `default`"):
        prompts.name_for({"de": "en"}, "fr")


def test_the_users_folder_is_laid_over_the_shipped_prompts(tmp_path: Path) -> None:
    (tmp_path / "paraphrase").mkdir()
    own = tmp_path / "paraphrase" / "ro.yaml"
    own.write_text(VALID, encoding="utf-8")
    assert prompts.path_of("paraphrase", "ro", tmp_path) == own
    assert prompts.path_of("paraphrase", "en", tmp_path) == resource("prompts", "paraphrase", "en.yaml")
    (tmp_path / "paraphrase" / "en.yaml").write_text(VALID, encoding="utf-8")
    assert prompts.load("paraphrase", "en", tmp_path).id != prompts.load("paraphrase", "en").id
    with pytest.raises(
        ValueError, match=rf"no alternate prompt 'ro'.*write {tmp_path}/alternate/ro\.yaml.*`prompt: en`"
    ):
        prompts.path_of("alternate", "ro", tmp_path)
