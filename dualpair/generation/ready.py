"""Are the files there that a run's generation needs? Looked at before any rule runs, where something is generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dualpair.errors import InputError
from dualpair.generation import hygiene_words, idioms, prompts


class Choice(NamedTuple):
    """What the config says about a task's prompt: ``generation.<task>.prompt`` and ``generation.<task>.mode``."""

    prompt: str | Mapping[str, str]
    mode: str


class Files(NamedTuple):
    """The files that generation reads: prompts by task, and the word lists of hygiene (the shared one last)."""

    prompts: Mapping[str, tuple[Path, ...]]
    word_lists: tuple[Path, ...]


def files(choices: Mapping[str, Choice], languages: Sequence[str], folder: str | Path | None) -> Files:
    """Find, read and check every file that generation reads; each is listed once.

    Args:
        choices: by task, ``paraphrase`` and ``alternate``.
        languages: the config's languages.
        folder: the config's ``generation.prompts``.

    Raises:
        InputError: one message for all missing, malformed and mismatched files.
    """
    found: dict[str, list[Path]] = {task: [] for task in choices}
    listed: list[Path] = []
    problems = []
    for lang in languages:
        for task, choice in choices.items():
            try:
                found[task].append(_prompt(task, choice, lang, folder))
            except ValueError as error:
                problems.append(f"language {lang!r}: {error}")
        try:
            listed += _word_lists(lang, folder)
        except ValueError as error:
            problems.append(f"language {lang!r}: {error}")
    if problems:
        lines = "\n".join(f"  - {problem}" for problem in problems)
        raise InputError(f"generation cannot start: {len(problems)} problem{'s' * (len(problems) > 1)}\n{lines}")
    by_task = {task: tuple(dict.fromkeys(paths)) for task, paths in found.items()}
    return Files(by_task, (*dict.fromkeys(listed), hygiene_words.shared_path()))


def _prompt(task: str, choice: Choice, lang: str, folder: str | Path | None) -> Path:
    name = prompts.name_for(choice.prompt, lang)
    prompt = prompts.load(task, name, folder)
    if prompt.mode != choice.mode:
        raise InputError(
            f"prompt {task}/{name} is made for mode {prompt.mode!r} and `generation.{task}.mode` is {choice.mode!r}; "
            "choose another prompt or mode"
        )
    return prompts.path_of(task, name, folder)


def _word_lists(lang: str, folder: str | Path | None) -> list[Path]:
    hygiene_words.word_lists(lang, folder)
    idioms.idioms(lang, folder)
    own = idioms.path_of(lang, folder)
    return [hygiene_words.path_of(lang, folder), *([own] if own else [])]
