"""Prompt files: one instruction per task and language, with the text that the answer is forced to begin with."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.paths import resource

TASKS = ("paraphrase", "alternate")
MODES = ("single", "list")
NATIVE, DEFAULT = "native", "default"
_FIELDS = {"mode", "system", "user", "forced_prefix", "few_shot", "avoid", "schema"}
_SHOT_FIELDS = {"sentence", "group", "attribute", "answer"}
_PLACEHOLDERS = {"sentence", "group", "attribute", "language"}


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
        system: template of the system message; empty for none.
        user: template of the user's message, with ``{sentence}``, ``{group}``, ``{attribute}``; ``{language}`` is the
            English name of the sentence's language, for prompts that serve languages other than their own.
        forced_prefix: template of the text that the answer begins with.
        few_shot: worked examples.
        avoid: words that decoding does not let an answer contain (unless its source does): what instructions alone do
            not keep a small model from writing.
        schema: JSON schema of a ``list`` answer, as canonical JSON; empty for none. Engines that constrain decoding to
            a schema (vllm, server) need it.
    """

    id: str
    name: str
    mode: str
    system: str
    user: str
    forced_prefix: str
    few_shot: tuple[Shot, ...]
    avoid: tuple[str, ...] = ()
    schema: str = ""

    def render(self, sentence: str, group: str, attribute: str, language: str) -> Rendered:
        """Fill the prompt in for one source sentence.

        Args:
            sentence: the whole sentence.
            group: its group's words.
            attribute: the rest, without final mark.
            language: English name of its language.
        """
        fields = {"sentence": sentence, "group": group, "attribute": attribute, "language": language}
        context = [("system", _fill(self.system, fields))] if self.system else []
        for shot in self.few_shot:
            context.append(("user", _fill(self.user, {**shot._asdict(), "language": language})))
            context.append(("assistant", shot.answer))
        return Rendered(tuple(context), _fill(self.user, fields), _fill(self.forced_prefix, fields).rstrip())


def name_for(choice: str | Mapping[str, str], lang: str) -> str:
    """Name of the prompt file for a language, from the config's choice.

    Args:
        choice: ``native`` (the file named after the language), a file's name, or a mapping from language code to one of
            these, with ``default`` for the languages that it does not name.
        lang: language code.

    Raises:
        InputError: if a mapping has neither the language nor ``default``.
    """
    if not isinstance(choice, str):
        if lang not in choice and DEFAULT not in choice:
            raise InputError(
                f"no prompt is chosen for language {lang!r}: the mapping has {', '.join(sorted(choice))}; name the "
                f"language there, or add `{DEFAULT}`"
            )
        choice = choice.get(lang, choice.get(DEFAULT, NATIVE))
    return lang if choice == NATIVE else choice


def path_of(task: str, name: str, folder: str | Path | None = None) -> Path:
    """The file ``<task>/<name>.yaml``: the one in the user's folder if there is one, else the shipped one.

    Args:
        task: ``paraphrase`` or ``alternate``.
        name: a language code for a native-language prompt, or another file's name such as ``paper-en``.
        folder: the config's ``generation.prompts``; None: only the shipped prompts.

    Raises:
        InputError: if the task is unknown or there is no such file; says which file to write.
    """
    if task not in TASKS:
        raise InputError(f"unknown prompt task {task!r}; allowed are {', '.join(TASKS)}")
    places = [*([Path(folder) / task] if folder else []), resource("prompts", task)]
    if re.fullmatch(r"[A-Za-z0-9._-]+", name):
        for place in places:
            if (place / f"{name}.yaml").is_file():
                return place / f"{name}.yaml"
    names = ", ".join(sorted({file.stem for place in places for file in place.glob("*.yaml")}))
    where = f"write {places[0] / name}.yaml" if folder else f"write {task}/{name}.yaml in a folder of your own"
    raise InputError(
        f"there is no {task} prompt {name!r} (there are {names}); {where} and name the folder as `generation.prompts`, "
        f"or choose `prompt: en` in `generation.{task}`, which asks in English for a sentence in its own language"
    )


@functools.cache
def load(task: str, name: str, folder: str | Path | None = None) -> Prompt:
    """A prompt by its name; see :func:`path_of` for where it is looked for.

    Raises:
        InputError: if there is no such file, or it is malformed.
    """
    return read(path_of(task, name, folder))


def read(path: Path) -> Prompt:
    """Read and check one prompt file.

    Raises:
        InputError: if it is not YAML in UTF-8 (see :func:`dualpair.yaml_files.parse`), a field is missing, unknown or
            of the wrong kind, or a placeholder is not known.
    """
    content = path.read_bytes()
    document = yaml_files.parse(content, path)
    if not isinstance(document, dict) or not {"user", "forced_prefix"} <= set(document) <= _FIELDS:
        found = sorted(map(str, document)) if isinstance(document, dict) else repr(document)
        raise InputError(f"{path}: needs user and forced_prefix, may have {sorted(_FIELDS)}; found {found}")
    for field in ("system", "user", "forced_prefix"):
        if not isinstance(document.get(field, ""), str):
            raise InputError(f"{path}, {field}: expected text, found {document[field]!r}")
    mode = document.get("mode", "single")
    if mode not in MODES:
        raise InputError(f"{path}, mode: {mode!r} is not one of {', '.join(MODES)}")
    user, forced_prefix = document["user"].strip(), document["forced_prefix"]
    system = document.get("system", "").strip()
    for field, text in (("system", system), ("user", user), ("forced_prefix", forced_prefix)):
        unknown = set(re.findall(r"\{(\w+)\}", text)) - _PLACEHOLDERS
        if unknown:
            raise InputError(f"{path}, {field}: unknown {sorted(unknown)}; allowed are {sorted(_PLACEHOLDERS)}")
    if "{sentence}" not in user:
        raise InputError(f"{path}, user: the template does not name {{sentence}}, so the model would not see it")
    avoid = document.get("avoid") or []
    if not isinstance(avoid, list) or not all(isinstance(word, str) and word.strip() for word in avoid):
        raise InputError(f'{path}, avoid: expected a list of words (quote words such as "no"), found {avoid!r}')
    schema = document.get("schema")
    if schema is not None and (not isinstance(schema, dict) or mode != "list"):
        raise InputError(f"{path}, schema: expected a JSON schema (a mapping), in mode list only; found {schema!r}")
    return Prompt(
        id=hashlib.sha256(content).hexdigest()[:16],
        name=path.stem,
        mode=mode,
        system=system,
        user=user,
        forced_prefix=forced_prefix,
        few_shot=_shots(path, document.get("few_shot") or []),
        avoid=tuple(avoid),
        schema="" if schema is None else json.dumps(schema, ensure_ascii=False, sort_keys=True),
    )


def _shots(path: Path, value: Any) -> tuple[Shot, ...]:
    if not isinstance(value, list):
        raise InputError(f"{path}, few_shot: expected a list of examples, found {value!r}")
    return tuple(_shot(path, shot) for shot in value)


def _shot(path: Path, shot: Any) -> Shot:
    if not isinstance(shot, dict) or set(shot) != _SHOT_FIELDS or not all(isinstance(v, str) for v in shot.values()):
        raise InputError(f"{path}, few_shot: an example has the text fields {sorted(_SHOT_FIELDS)}; found {shot!r}")
    return Shot(**shot)


def _fill(template: str, fields: dict[str, str]) -> str:
    # One pass over the placeholders: braces in a sentence, or elsewhere in a JSON prompt, are left alone.
    return re.sub(r"\{(sentence|group|attribute|language)\}", lambda match: fields[match[1]], template)
