"""The survey's texts in one language: `resources/ratings/<lang>.yaml`, read and checked."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import traits, yaml_files
from dualpair.errors import InputError
from dualpair.paths import resource

ITEM_ID, PAGE, QUESTION, LEFT, RIGHT, ANSWER, ANNOTATOR = COLUMNS = (
    "item_id",
    "page",
    "question",
    "left",
    "right",
    "answer",
    "annotator",
)
_TRANSLATED = COLUMNS[1:6]
_PLAIN = ("title", "warning", "purpose", "ask", "scale", "recall_group", "recall_traits")
_LISTS = ("rules", "page_rules")
_MAPPINGS: Mapping[str, tuple[str, ...]] = {
    "columns": _TRANSLATED,
    "sheets": ("instructions", "items"),
    "messages": ("rating", "recall", "wrong"),
    "progress": ("answered", "of"),
    "page": ("begin", "resume", "page", "value", "none", "clear", "next", "open", "keys", "end", "save", "saved",
             "kept", "not_kept", "noscript"),
}  # fmt: skip
_HOLES = {"page": ("{n}", "{total}"), "value": ("{n}",), "clear": ("{pair}",), "open": ("{n}",), "saved": ("{file}",)}
_LEAST_FOILS = 3
# Limits of the XLSX format: the name of a sheet, the text of a cell's message.
_LIMITS = {"sheets": 31, "messages": 255}


class Texts(NamedTuple):
    """The texts of one language.

    Attributes:
        lang: BCP-47 code, the name of the file.
        title: heading.
        warning: the content warning.
        purpose: what the answers are for.
        ask: the question about each group.
        scale: what 0, 50 and 100 mean.
        recall_group: the question which group came last.
        recall_traits: the question which traits came last.
        rules: what to observe in a sheet, in order.
        page_rules: the same on the page.
        columns: headers.
        sheets: names of the two sheets.
        messages: shown at a cell of a rating and of a recall question, and after a wrong entry.
        progress: labels of the count.
        page: texts of the page.
        poles: trait of `resources/traits/abc.yaml` to its name.
        foils: pairs of traits that are not asked about.
        groups: group of `resources/traits/abc.yaml` to its name.
    """

    lang: str
    title: str
    warning: str
    purpose: str
    ask: str
    scale: str
    recall_group: str
    recall_traits: str
    rules: tuple[str, ...]
    page_rules: tuple[str, ...]
    columns: Mapping[str, str]
    sheets: Mapping[str, str]
    messages: Mapping[str, str]
    progress: Mapping[str, str]
    page: Mapping[str, str]
    poles: Mapping[str, str]
    foils: tuple[tuple[str, str], ...]
    groups: Mapping[str, str]

    def headers(self) -> tuple[str, ...]:
        """Headers in column order."""
        return (ITEM_ID, *(self.columns[name] for name in _TRANSLATED), ANNOTATOR)


def shipped() -> list[str]:
    """Languages of the survey, sorted."""
    return sorted(path.stem for path in resource("ratings").glob("*.yaml"))


@functools.cache
def load(lang: str) -> Texts:
    """The survey's texts in a language.

    Raises:
        InputError: there are none, or the file is not complete.
    """
    if lang not in shipped():
        raise InputError(f"no survey of trait ratings in language {lang!r} (allowed: {', '.join(shipped())})")
    return read(resource("ratings", f"{lang}.yaml"))


def read(path: Path) -> Texts:
    """Read and check one file of texts.

    Raises:
        InputError: no YAML, or a text is missing, empty, unknown, too long or without its placeholder; names the entry.
    """
    document = yaml_files.document(path)
    model = traits.abc()
    poles = tuple(pole for pair in model.pairs for pole in (pair.low, pair.high))
    mappings = {**_MAPPINGS, "poles": poles, "groups": model.groups}
    entries = _mapping(document, (*_PLAIN, *_LISTS, *mappings, "foils"), str(path))
    found: dict[str, Any] = {name: _text(entries[name], f"{path}, {name}") for name in _PLAIN}
    found |= {name: tuple(_items(entries[name], f"{path}, {name}")) for name in _LISTS}
    for name, keys in mappings.items():
        given = _mapping(entries[name], keys, f"{path}, {name}")
        found[name] = {key: _text(given[key], f"{path}, {name}, {key}", _LIMITS.get(name)) for key in keys}
    for key, holes in _HOLES.items():
        missing = [hole for hole in holes if hole not in found["page"][key]]
        if missing:
            raise InputError(f"{path}, page, {key}: lacks {' and '.join(missing)}; keep them as they are")
    found["foils"] = _foils(entries["foils"], f"{path}, foils")
    for name in ("poles", "groups"):
        _distinct(list(found[name].values()), f"{path}, {name}")
    return Texts(lang=path.stem, **found)


def _foils(value: Any, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list) or len(value) < _LEAST_FOILS:
        raise InputError(f"{where}: found {value!r}, expected at least {_LEAST_FOILS} pairs of traits")
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(f"{where}: found {pair!r}, expected two traits, such as [tall, short]")
    return tuple((_text(one, where), _text(other, where)) for one, other in value)


def _distinct(names: list[str], where: str) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(f"{where}: {repeated[0]!r} stands for two things; give them different names")


def _mapping(value: Any, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(names):
        found = sorted(map(str, value)) if isinstance(value, dict) else value
        raise InputError(f"{where}: found {found!r}, expected exactly the entries {', '.join(names)}")
    return value


def _items(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{where}: found {value!r}, expected a list with at least one entry")
    return [_text(one, where) for one in value]


def _text(value: Any, where: str, limit: int | None = None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: found {value!r}, expected text (in quotes)")
    if limit is not None and len(value) > limit:
        raise InputError(f"{where}: {len(value)} characters, allowed are {limit}; shorten the text")
    return value.strip()
