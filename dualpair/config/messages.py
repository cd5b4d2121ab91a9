"""What a user is told of a config that cannot be used: file, key, value, allowed values and the fix."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from dualpair.config.sections import Config
from dualpair.errors import InputError
from dualpair.sections import Section
from dualpair.sources import settings as sources

_PRIVATE = ("endpoint", "api_key_env", "server")  # a mistaken value may be a password: no message repeats it


class ConfigError(InputError):
    """The config cannot be used; the message names file, key, value, allowed values and the fix."""


def refusal(origin: str, problems: Sequence[str]) -> ConfigError:
    """One error for all problems of a config."""
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return ConfigError(f"{origin}: {count}\n" + "\n".join(f"  - {problem}" for problem in problems))


def nearest(word: str, allowed: list[str]) -> str:
    """A hint at the allowed word that is most like a mistaken one; empty where none is."""
    close = difflib.get_close_matches(word, allowed, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def explain(error: Any, data: Mapping[str, Any]) -> str:
    """One of pydantic's errors in the user's words.

    Args:
        error: an item of ``ValidationError.errors()``.
        data: the config that it is about.
    """
    where = [str(part) for part in error["loc"]]
    chosen = "table"
    if len(where) > 2 and where[0] == "source" and where[1] in sources.KINDS:
        chosen = where.pop(1)  # the name of the chosen format is no key of the user's
    key = ".".join(where)
    kind = error["type"]
    if kind == "extra_forbidden":
        allowed = _fields(where[:-1], chosen)
        return f"key `{key}` is unknown{nearest(where[-1], allowed)} (allowed here: {', '.join(allowed)})"
    if kind == "union_tag_not_found":
        given = [str(name) for name in data.get(where[0], {})]
        close = difflib.get_close_matches("kind", given, n=1, cutoff=0.5)
        wrong = f"key `{key}.{close[0]}` is unknown; did you mean 'kind'? " if close else ""
        return f"{wrong}key `{key}.kind` is missing (allowed: {', '.join(sources.KINDS)})"
    if kind == "missing":
        return f"key `{key}` is missing: config files are complete; copy it from the shipped config.yaml"
    if kind == "literal_error":
        expected = error["ctx"]["expected"]
        names = [part.strip(" '") for part in expected.replace(" or ", ",").split(",")]
        text = str(error["input"])
        hint = ", without quotes" if text in names else nearest(text, names)
        return f"key `{key}`: value {error['input']!r}{hint} (allowed: {expected})"
    if kind == "union_tag_invalid":
        allowed = list(sources.KINDS)
        found = str(error["ctx"]["tag"])
        return f"key `{key}.kind`: value {found!r}{nearest(found, allowed)} (allowed: {', '.join(allowed)})"
    message = error["msg"].removeprefix("Value error, ")
    if where[-1] in _PRIVATE or isinstance(error["input"], Mapping):
        return f"key `{key}`: {message}"
    return f"key `{key}`: value {error['input']!r}: {message}"


def _fields(where: list[str], kind: str) -> list[str]:
    """Names allowed in the section at ``where``, given the source's kind (registry keys are stepped over)."""
    section: type[BaseModel] = Config
    for part in where:
        if section is Config and part == "source":
            section = sources.CLASSES[kind]
            continue
        field = section.model_fields.get(part)
        found = _section_in(field.annotation) if field else None
        if found is not None:
            section = found
    return list(section.model_fields)


def _section_in(annotation: Any) -> type[Section] | None:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    for argument in get_args(annotation):
        found = _section_in(argument)
        if found is not None:
            return found
    return None
