"""Requests: order, seeds, rendering, errors."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from dualpair.generation import prompts
from dualpair.generation.requests import GenerationSettings, prompt_task, requests, row_seed

SOURCES = pd.DataFrame(
    [
        ("s2", "zh", "v0", ["旧汽车", "新汽车"], "很吵", "。"),
        ("s2", "en", "v0", ["Old cars", "New cars"], "are often loud", "."),
        ("s1", "en", "v1", ["Cats", "Dogs"], "sleep", ""),
    ],
    columns=["set_id", "lang", "variant_id", "groups", "attribute", "final_mark"],
)
SETTINGS = GenerationSettings(samples=2)


def test_sorted_and_complete() -> None:
    made = requests("paraphrase", SOURCES, SETTINGS, 1)
    keys = [(r.lang, r.set_id, r.variant_id, r.sample_index) for r in made]
    sources = [("en", "s1", "v1"), ("en", "s2", "v0"), ("zh", "s2", "v0")]
    assert keys == [(*source, index) for source in sources for index in (0, 1)]
    assert len({r.seed for r in made}) == len(made)


def test_rendered_with_the_native_prompt_and_the_sources_own_mark() -> None:
    made = requests("alternate-1", SOURCES, SETTINGS, 1)
    assert [r.prompt for r in made[::2]] == ["Cats sleep", "Old cars are often loud.", "旧汽车很吵。"]
    assert [r.forced_prefix for r in made[::2]] == ["Cats", "Old cars", "旧汽车"]
    assert made[0].prompt_id == prompts.load("alternate", "en").id
    assert made[0].context == prompts.load("alternate", "en").render("x", "x", "x", "English").context
    assert made[-1].prompt_id == prompts.load("alternate", "zh").id
    assert made[0].sampling == {"temperature": 0.6, "top_p": 0.9, "top_k": 32, "max_new_tokens": 24}


def test_answers_must_differ_and_the_sources_own_words_are_not_avoided() -> None:
    paraphrase = requests("paraphrase", SOURCES, SETTINGS, 1)
    assert "often" in prompts.load("paraphrase", "en").avoid
    assert "often" in paraphrase[0].avoid
    assert "often" not in paraphrase[2].avoid
    assert paraphrase[0].differ_from == "sleep"
    assert requests("alternate-1", SOURCES, SETTINGS, 1)[2].differ_from == "are often loud"


def test_the_english_prompt_asks_for_the_sources_language_and_avoids_no_word_of_it() -> None:
    made = requests("paraphrase", SOURCES, GenerationSettings(samples=1, prompt="en"), 1)
    english, chinese = made[0], made[-1]
    assert english.prompt_id == chinese.prompt_id == prompts.load("paraphrase", "en").id
    assert "one short, plain English sentence" in english.context[0][1]
    assert "one short, plain Chinese" in chinese.context[0][1]
    assert (chinese.prompt, chinese.forced_prefix, chinese.avoid) == ("旧汽车很吵。", "旧汽车", ())
    assert english.avoid


def test_a_prompt_per_language_and_a_folder_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "paraphrase").mkdir()
    (tmp_path / "paraphrase" / "zh.yaml").write_text(
        "user: '换个说法：{sentence}'\nforced_prefix: '{group}'\n", encoding="utf-8"
    )
    settings = GenerationSettings(samples=1, prompt={"default": "native", "en": "es"}, prompts=str(tmp_path))
    made = requests("paraphrase", SOURCES, settings, 1)
    assert made[0].prompt_id == prompts.load("paraphrase", "es").id
    assert made[-1].prompt == "换个说法：旧汽车很吵。"
    before = requests("paraphrase", SOURCES, GenerationSettings(samples=1), 1)
    own = requests("paraphrase", SOURCES, GenerationSettings(samples=1, prompts=str(tmp_path)), 1)
    # Only what uses the changed prompt is another request.
    assert [a == b for a, b in zip(before, own, strict=True)] == [True, True, False]


def test_a_seed_depends_on_its_own_row_only() -> None:
    every = {(r.lang, r.set_id, r.sample_index): r.seed for r in requests("paraphrase", SOURCES, SETTINGS, 1)}
    alone = requests("paraphrase", SOURCES.iloc[[2]], GenerationSettings(samples=3), 1)
    assert [r.seed for r in alone[:2]] == [every["en", "s1", 0], every["en", "s1", 1]]
    assert row_seed(1, "paraphrase", "en", "s1", "v1", 0) != row_seed(2, "paraphrase", "en", "s1", "v1", 0)
    # SHA-256 of '[1, "paraphrase", "en", "s1", "v1", 0]', first eight bytes, halved (worked out with sha256sum).
    assert row_seed(1, "paraphrase", "en", "s1", "v1", 0) == 3315238543110097755


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (GenerationSettings(mode="both"), "mode"),
        (GenerationSettings(samples=0), "samples"),
        (GenerationSettings(temperature=-1), "temperature"),
        (GenerationSettings(top_p=0), "top_p"),
        (GenerationSettings(top_k=-1), "top_k"),
        (GenerationSettings(max_new_tokens=0), "max_new_tokens"),
        (GenerationSettings(mode="list"), "made for mode 'single'"),
        (GenerationSettings(prompt="paper-en"), "made for mode 'list'"),
        (GenerationSettings(prompt="nowhere"), "no paraphrase prompt"),
    ],
)
def test_bad_settings_are_refused(settings: GenerationSettings, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        requests("paraphrase", SOURCES, settings, 1)


def test_bad_sources_are_refused() -> None:
    with pytest.raises(ValueError, match="final_mark"):
        requests("paraphrase", SOURCES.drop(columns="final_mark"), SETTINGS, 1)
    with pytest.raises(ValueError, match="en/s1/v1 more than once"):
        requests("paraphrase", pd.concat([SOURCES, SOURCES.iloc[[2]]]), SETTINGS, 1)


@pytest.mark.parametrize("task", ["alternate", "alternate-0", "paraphrase-1", "x"])
def test_unknown_tasks_are_refused(task: str) -> None:
    with pytest.raises(ValueError, match="unknown task"):
        prompt_task(task)


def test_tasks_have_a_prompt_folder() -> None:
    assert [prompt_task(task) for task in ("paraphrase", "alternate-1", "alternate-12")] == [
        "paraphrase",
        "alternate",
        "alternate",
    ]
