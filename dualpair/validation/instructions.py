"""What an annotator is told, in the annotator's language: read from ``resources/sheets/<lang>.yaml`` and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.languages import get
from dualpair.paths import resource

TASKS = ("paraphrase", "alternate")
# The words that an annotator enters; the same in every language, so that answers need no translation.
ANSWERS = ("accept", "reject", "not_fluent")
ITEM_ID, ANNOTATOR = "item_id", "annotator"
# What stands for the English name of the items' language.
LANGUAGE = "{language}"
# Between these two stand what is compared and what is answered; an answer sheet has their translated names as headers.
COLUMNS = ("first", "second", "answer", "comment")
_PROGRESS = ("answered", "of", "left")
_MESSAGES = ("choose", "wrong")
# Texts of the page, with the placeholders that each must hold.
_PAGE: Mapping[str, tuple[str, ...]] = {
    "begin": (),
    "resume": (),
    "pair": ("{n}", "{total}"),
    "answered": ("{n}", "{total}"),
    "previous": (),
    "next": (),
    "unanswered": (),
    "jump": (),
    "comment": (),
    "keys": (),
    "save": (),
    "saved": ("{file}",),
    "done": (),
    "kept": (),
    "not_kept": (),
    "noscript": (),
}
_RTL_SCRIPTS = frozenset({"Arab", "Hebr", "Syrc", "Thaa", "Nkoo"})
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
        page: texts of the page.
        page_rules: what to observe on the page, in order.
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
    page: Mapping[str, str]
    page_rules: tuple[str, ...]
    tasks: Mapping[str, TaskText]

    def headers(self) -> tuple[str, ...]:
        """Headers of the items, in column order; the answer's header lists the allowed answers."""
        first, second, answer, comment = (self.columns[name] for name in COLUMNS)
        return (ITEM_ID, first, second, f"{answer} ({' / '.join(ANSWERS)})", comment, ANNOTATOR)


def right_to_left(lang: str) -> bool:
    """Whether the language is written from right to left."""
    return get(lang).script in _RTL_SCRIPTS


def shipped() -> list[str]:
    """Languages whose instructions are shipped, sorted."""
    return sorted(path.stem for path in resource("sheets").glob("*.yaml"))


def load(name: str) -> Instructions:
    """The shipped instructions of a language, or those of a file of the user's, `<language>.yaml`.

    Raises:
        InputError: there are none, or the file is not complete.
    """
    if name.endswith(".yaml"):
        path = Path(name).expanduser()
        if not path.is_file():
            raise InputError(f"sheet instructions {name!r}: no such file; correct the path")
        return read_instructions(path)
    if name not in shipped():
        raise InputError(
            f"no sheet instructions for language {name!r}: there are {', '.join(shipped())}; fill in a copy of "
            f"resources/sheets/template/instructions.yaml and name that file, or one of these languages, in "
            f"`validation.instructions`, such as {{{name}: sheets/{name}.yaml}} or {{{name}: en}}"
        )
    return read_instructions(resource("sheets", f"{name}.yaml"))


def for_items(name: str, lang: str) -> Instructions:
    """Instructions (see :func:`load`) for items in a language: ``{language}`` in the answers' texts becomes its name.

    Raises:
        InputError: as :func:`load`; or they are in another language than the items, and speak of that one.
    """
    text = load(name)
    meanings = [meaning for words in text.tasks.values() for meaning in words.answers.values()]
    if text.lang != lang and not all(LANGUAGE in meaning for meaning in meanings):
        raise InputError(
            f"sheet instructions {name!r}: they say what is good {get(text.lang).name}, so they cannot be used for "
            f"items in {get(lang).name}; use the English ones, which name the language of the items "
            f"({{{lang}: en}}), or a file of your own"
        )
    tasks = {
        task: words._replace(
            answers={answer: said.replace(LANGUAGE, get(lang).name) for answer, said in words.answers.items()}
        )
        for task, words in text.tasks.items()
    }
    return text._replace(tasks=tasks)


def read_instructions(path: Path) -> Instructions:
    """Read and check one instructions file, `<language code>.yaml`.

    Raises:
        InputError: no such language, no YAML, or a text is missing, empty, unknown, too long or without its
            placeholder; names the file and the entry.
    """
    try:
        get(path.stem)
    except ValueError as error:
        raise InputError(f"{path}: {error}; save it in UTF-8 under the name <language code>.yaml") from error
    content = yaml_files.document(path)
    names = tuple(name for name in Instructions._fields[1:] if name != "page_rules")
    document = _mapping(content, names, str(path))
    page = _mapping(document["page"], ("rules", *_PAGE), f"{path}, page")
    tasks = _mapping(document["tasks"], TASKS, f"{path}, tasks")
    result = Instructions(
        lang=path.stem,
        warning=_text(document["warning"], f"{path}, warning"),
        purpose=_text(document["purpose"], f"{path}, purpose"),
        rules=_rules(document["rules"], f"{path}, rules"),
        examples_title=_text(document["examples_title"], f"{path}, examples_title"),
        progress=_texts(document["progress"], _PROGRESS, f"{path}, progress"),
        columns=_texts(document["columns"], COLUMNS, f"{path}, columns"),
        sheets=_texts(document["sheets"], ("instructions", "items"), f"{path}, sheets", _SHEET_NAME),
        messages=_texts(document["messages"], _MESSAGES, f"{path}, messages", _MESSAGE),
        page={name: _filled(page[name], holes, f"{path}, page, {name}") for name, holes in _PAGE.items()},
        page_rules=_rules(page["rules"], f"{path}, page, rules"),
        tasks={task: _task(tasks[task], f"{path}, tasks, {task}") for task in TASKS},
    )
    if result.sheets["instructions"] == result.sheets["items"]:
        raise InputError(f"{path}, sheets: both sheets are named {result.sheets['items']!r}; give two names")
    return result


def _task(value: Any, where: str) -> TaskText:
    entry = _mapping(value, TaskText._fields, where)
    examples = [_texts(item, Example._fields, f"{where}, examples") for item in _list(entry["examples"], where)]
    for example in examples:
        if example["answer"] not in ANSWERS:
            raise InputError(
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
        raise InputError(f"{where}: found {found!r}, expected exactly the entries {', '.join(names)}")
    return value


def _texts(value: Any, names: tuple[str, ...], where: str, limit: int | None = None) -> dict[str, str]:
    entries = _mapping(value, names, where)
    return {name: _text(entries[name], f"{where}, {name}", limit) for name in names}


def _rules(value: Any, where: str) -> tuple[str, ...]:
    return tuple(_text(rule, where) for rule in _list(value, where))


def _filled(value: Any, holes: tuple[str, ...], where: str) -> str:
    text = _text(value, where)
    missing = [hole for hole in holes if hole not in text]
    if missing:
        raise InputError(f"{where}: found {text!r}, which lacks {' and '.join(missing)}; keep them as they are")
    return text


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{where}: found {value!r}, expected a list with at least one entry")
    return value


def _text(value: Any, where: str, limit: int | None = None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: found {value!r}, expected text (in quotes)")
    if limit is not None and len(value) > limit:
        raise InputError(f"{where}: {len(value)} characters, allowed are {limit}; shorten the text")
    return value.strip()
