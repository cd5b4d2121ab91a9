"""What an annotator is told, in the annotator's language: read from ``resources/sheets/<lang>.yaml`` and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.paths import resource
from dualpair.validation.sampling import TASKS

# The words that an annotator enters; the same in every language, so that answers need no translation.
ANSWERS = ("accept", "reject", "not_fluent")
ITEM_ID = "item_id"

_COLUMNS = ("first", "second", "answer", "comment")
_PROGRESS = ("answered", "of", "left")
_MESSAGES = ("choose", "wrong")
# Limits of the XLSX format: the name of a sheet, the title and the text of a drop-down's messages.
_SHEET_NAME, _MESSAGE = 31, 255


class Example(NamedTuple):
    """A worked example; its answer is one of :data:`ANSWERS`."""

    first: str
    second: str
    answer: str
    why: str


class TaskText(NamedTuple):
    """One task: its title, the question, what each answer means, and worked examples."""

    title: str
    question: str
    answers: Mapping[str, str]
    examples: tuple[Example, ...]


class Instructions(NamedTuple):
    """The texts of one language.

    Attributes:
        lang: BCP-47 code, the name of the file.
        warning: the content warning.
        purpose: what the answers are for.
        rules: what to observe, in order.
        examples_title: heading above the examples.
        progress: texts for answered, of and left.
        columns: headers for first, second, answer and comment.
        sheets: names of the sheets instructions and items.
        messages: choose (shown at an answer cell) and wrong (shown after any other answer).
        tasks: the text of each task.
    """

    lang: str
    warning: str
    purpose: str
    rules: tuple[str, ...]
    examples_title: str
    progress: Mapping[str, str]
    columns: Mapping[str, str]
    sheets: Mapping[str, str]
    messages: Mapping[str, str]
    tasks: Mapping[str, TaskText]

    def headers(self) -> tuple[str, ...]:
        """Headers of the items, in column order; the answer's header lists the allowed answers."""
        first, second, answer, comment = (self.columns[name] for name in _COLUMNS)
        return (ITEM_ID, first, second, f"{answer} ({' / '.join(ANSWERS)})", comment)


def load(lang: str) -> Instructions:
    """The shipped instructions of a language.

    Raises:
        ValueError: there are none, or the file is not complete.
    """
    try:
        path = resource("sheets", f"{lang}.yaml")
    except FileNotFoundError as error:
        shipped = sorted(path.stem for path in resource("sheets").glob("*.yaml"))
        raise ValueError(
            f"no sheet instructions for language {lang!r}: there are {', '.join(shipped)}; translate "
            f"resources/sheets/en.yaml to resources/sheets/{lang}.yaml, or name the language to use instead"
        ) from error
    return read_instructions(path)


def read_instructions(path: Path) -> Instructions:
    """Read and check one instructions file.

    Raises:
        ValueError: a text is missing, empty, unknown or too long; names the file and the entry.
    """
    import yaml

    with path.open(encoding="utf-8") as stream:
        document = _mapping(yaml.safe_load(stream), Instructions._fields[1:], str(path))
    tasks = _mapping(document["tasks"], TASKS, f"{path}, tasks")
    result = Instructions(
        lang=path.stem,
        warning=_text(document["warning"], f"{path}, warning"),
        purpose=_text(document["purpose"], f"{path}, purpose"),
        rules=tuple(_text(rule, f"{path}, rules") for rule in _list(document["rules"], f"{path}, rules")),
        examples_title=_text(document["examples_title"], f"{path}, examples_title"),
        progress=_texts(document["progress"], _PROGRESS, f"{path}, progress"),
        columns=_texts(document["columns"], _COLUMNS, f"{path}, columns"),
        sheets=_texts(document["sheets"], ("instructions", "items"), f"{path}, sheets", _SHEET_NAME),
        messages=_texts(document["messages"], _MESSAGES, f"{path}, messages", _MESSAGE),
        tasks={task: _task(tasks[task], f"{path}, tasks, {task}") for task in TASKS},
    )
    if result.sheets["instructions"] == result.sheets["items"]:
        raise ValueError(f"{path}, sheets: both sheets are named {result.sheets['items']!r}; give two names")
    return result


def _task(value: Any, where: str) -> TaskText:
    entry = _mapping(value, TaskText._fields, where)
    examples = [_texts(item, Example._fields, f"{where}, examples") for item in _list(entry["examples"], where)]
    for example in examples:
        if example["answer"] not in ANSWERS:
            raise ValueError(
                f"{where}, examples, answer: found {example['answer']!r}, allowed are {', '.join(ANSWERS)}"
            )
    return TaskText(
        title=_text(entry["title"], f"{where}, title"),
        question=_text(entry["question"], f"{where}, question"),
        answers=_texts(entry["answers"], ANSWERS, f"{where}, answers"),
        examples=tuple(Example(**example) for example in examples),
    )


def _mapping(value: Any, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(names):
        found = sorted(map(str, value)) if isinstance(value, dict) else value
        raise ValueError(f"{where}: found {found!r}, expected exactly the entries {', '.join(names)}")
    return value


def _texts(value: Any, names: tuple[str, ...], where: str, limit: int | None = None) -> dict[str, str]:
    entries = _mapping(value, names, where)
    return {name: _text(entries[name], f"{where}, {name}", limit) for name in names}


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"{where}: found {value!r}, expected a list with at least one entry")
    return value


def _text(value: Any, where: str, limit: int | None = None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{where}: found {value!r}, expected text (in quotes)")
    if limit is not None and len(value) > limit:
        raise ValueError(f"{where}: {len(value)} characters, allowed are {limit}; shorten the text")
    return value.strip()
