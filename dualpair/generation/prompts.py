"""Prompt files: one instruction per task and language, with the text that the answer is forced to begin with."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.paths import resource

TASKS = ("paraphrase", "alternate")
MODES = ("single", "list")
_FIELDS = {"mode", "system", "user", "forced_prefix", "few_shot", "avoid"}
_SHOT_FIELDS = {"sentence", "group", "attribute", "answer"}
_PLACEHOLDERS = {"sentence", "group", "attribute"}


class Shot(NamedTuple):
    """One worked example: the fields of its source and the whole answer."""

    sentence: str
    group: str
    attribute: str
    answer: str


class Rendered(NamedTuple):
    """A prompt filled in for one source.

    Attributes:
        context: (role, content) of the messages before the user's last one: system and examples.
        user: the user's last message.
        forced_prefix: text that the answer is forced to begin with, without a trailing space (a byte-level token owns
            the space before its word, so the model must write it).
    """

    context: tuple[tuple[str, str], ...]
    user: str
    forced_prefix: str


class Prompt(NamedTuple):
    """One prompt file.

    Attributes:
        id: first 16 hex digits of the SHA-256 of the file's bytes.
        name: file name without ending: a language code, or e.g. ``paper-en``.
        mode: ``single`` (the answer is one sentence) or ``list`` (the answer is JSON).
        system: system message; empty for none.
        user: template of the user's message, with ``{sentence}``, ``{group}``, ``{attribute}``.
        forced_prefix: template of the text that the answer begins with.
        few_shot: worked examples.
        avoid: words that decoding does not let an answer contain (unless its source does): what instructions alone do
            not keep a small model from writing.
    """

    id: str
    name: str
    mode: str
    system: str
    user: str
    forced_prefix: str
    few_shot: tuple[Shot, ...]
    avoid: tuple[str, ...] = ()

    def render(self, sentence: str, group: str, attribute: str) -> Rendered:
        """Fill the prompt in for one source sentence, its group's words and its attribute (without final mark)."""
        fields = {"sentence": sentence, "group": group, "attribute": attribute}
        context = [("system", self.system)] if self.system else []
        for shot in self.few_shot:
            context.append(("user", _fill(self.user, shot._asdict())))
            context.append(("assistant", shot.answer))
        return Rendered(tuple(context), _fill(self.user, fields), _fill(self.forced_prefix, fields).rstrip())


@functools.cache
def load(task: str, name: str) -> Prompt:
    """The prompt ``resources/prompts/<task>/<name>.yaml``.

    Args:
        task: ``paraphrase`` or ``alternate``.
        name: a language code for a native-language prompt, or another file's name such as ``paper-en``.

    Raises:
        ValueError: if the task is unknown, there is no such file, or the file is malformed.
    """
    if task not in TASKS:
        raise ValueError(f"unknown prompt task {task!r}; allowed are {', '.join(TASKS)}")
    folder = resource("prompts", task)
    path = folder / f"{name}.yaml"
    if not re.fullmatch(r"[A-Za-z0-9._-]+", name) or not path.is_file():
        names = ", ".join(sorted(file.stem for file in folder.glob("*.yaml")))
        raise ValueError(f"no {task} prompt {name!r}; there are {names}; add {folder.name}/{name}.yaml to the prompts")
    return read(path)


def read(path: Path) -> Prompt:
    """Read and check one prompt file.

    Raises:
        ValueError: if a field is missing, unknown or of the wrong kind, or a placeholder is not known.
    """
    import yaml

    content = path.read_bytes()
    document = yaml.safe_load(content)
    if not isinstance(document, dict) or not {"user", "forced_prefix"} <= set(document) <= _FIELDS:
        found = sorted(map(str, document)) if isinstance(document, dict) else repr(document)
        raise ValueError(f"{path}: needs user and forced_prefix, may have {sorted(_FIELDS)}; found {found}")
    for field in ("system", "user", "forced_prefix"):
        if not isinstance(document.get(field, ""), str):
            raise ValueError(f"{path}, {field}: expected text, found {document[field]!r}")
    mode = document.get("mode", "single")
    if mode not in MODES:
        raise ValueError(f"{path}, mode: {mode!r} is not one of {', '.join(MODES)}")
    user, forced_prefix = document["user"].strip(), document["forced_prefix"]
    for field, text in (("user", user), ("forced_prefix", forced_prefix)):
        unknown = set(re.findall(r"\{(\w+)\}", text)) - _PLACEHOLDERS
        if unknown:
            raise ValueError(f"{path}, {field}: unknown {sorted(unknown)}; allowed are {sorted(_PLACEHOLDERS)}")
    if "{sentence}" not in user:
        raise ValueError(f"{path}, user: the template does not name {{sentence}}, so the model would not see it")
    avoid = document.get("avoid") or []
    if not isinstance(avoid, list) or not all(isinstance(word, str) and word.strip() for word in avoid):
        raise ValueError(f'{path}, avoid: expected a list of words (quote words such as "no"), found {avoid!r}')
    return Prompt(
        id=hashlib.sha256(content).hexdigest()[:16],
        name=path.stem,
        mode=mode,
        system=document.get("system", "").strip(),
        user=user,
        forced_prefix=forced_prefix,
        few_shot=tuple(_shot(path, shot) for shot in document.get("few_shot") or []),
        avoid=tuple(avoid),
    )


def _shot(path: Path, shot: Any) -> Shot:
    if not isinstance(shot, dict) or set(shot) != _SHOT_FIELDS or not all(isinstance(v, str) for v in shot.values()):
        raise ValueError(f"{path}, few_shot: an example has the text fields {sorted(_SHOT_FIELDS)}; found {shot!r}")
    return Shot(**shot)


def _fill(template: str, fields: dict[str, str]) -> str:
    # One pass over the placeholders: braces in a sentence, or elsewhere in a JSON prompt, are left alone.
    return re.sub(r"\{(sentence|group|attribute)\}", lambda match: fields[match[1]], template)
