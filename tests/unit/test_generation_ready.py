"""Readiness: what is checked before a run generates, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dualpair.generation import ready
from dualpair.generation.ready import Choice
from dualpair.paths import resource

NATIVE = {"paraphrase": Choice("native", "single"), "alternate": Choice("native", "single")}


def test_each_file_once() -> None:
    choices = {**NATIVE, "alternate": Choice({"default": "native", "de": "en"}, "single")}
    found = ready.files(choices, ["en", "de"], None)
    folder = resource("prompts")
    names = {task: [path.relative_to(folder).as_posix() for path in paths] for task, paths in found.prompts.items()}
    assert names == {"paraphrase": ["paraphrase/en.yaml", "paraphrase/de.yaml"], "alternate": ["alternate/en.yaml"]}
    lists = [path.relative_to(resource("hygiene")).as_posix() for path in found.word_lists]
    assert lists == ["en.yaml", "idioms/en.yaml", "de.yaml", "shared/function_words.yaml"]


def test_every_shipped_language_is_ready() -> None:
    langs = sorted(path.stem for path in resource("hygiene").glob("*.yaml"))
    assert langs == ["ar", "de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "ru", "zh"]
    assert len(ready.files(NATIVE, langs, None).prompts["alternate"]) == len(langs)


def test_all_problems_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "paraphrase").mkdir()
    (tmp_path / "paraphrase" / "de.yaml").write_text("user: hello\nforced_prefix: ''", encoding="utf-8")
    (tmp_path / "hygiene" / "idioms").mkdir(parents=True)
    (tmp_path / "hygiene" / "idioms" / "es.yaml").write_text("- en la luna\n- en la luna\n", encoding="utf-8")
    choices = {**NATIVE, "paraphrase": Choice({"default": "native", "en": "paper-en"}, "single")}
    with pytest.raises(ValueError, match="generation cannot start: 6 problems") as error:
        ready.files(choices, ["de", "en", "es", "ro"], tmp_path)
    text = str(error.value)
    assert f"language 'de': {tmp_path}/paraphrase/de.yaml, user: the template does not name" in text
    assert "language 'en': prompt paraphrase/paper-en is made for mode 'list'" in text
    assert "idioms/es.yaml: names 'en la luna' twice" in text
    assert "language 'ro': there is no paraphrase prompt 'ro' (there are ar, de, en" in text
    assert f"write {tmp_path}/alternate/ro.yaml" in text
    assert f"write {tmp_path}/hygiene/ro.yaml" in text
