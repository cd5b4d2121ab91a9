"""What annotators and spreadsheet programs make of our words: headers in other languages, answers in another form.

Words are compared without regard to case, spaces, punctuation and width. An answer may also be one of the words in
``resources/answers/<lang>.yaml``; a number is none, because its meaning depends on what the annotator was told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.paths import resource
from dualpair.validation import instructions
from dualpair.validation.instructions import ANSWERS

ITEM_ID, FIRST, SECOND, ANSWER, COMMENT, ANNOTATOR = COLUMNS = (
    "item_id",
    "first",
    "second",
    "answer",
    "comment",
    "annotator",
)
# A header that is no more than this says nothing about which of several ids is meant; ours says item_id.
_ALSO = {ITEM_ID: ("id", "item"), FIRST: ("sentence 1",), SECOND: ("sentence 2",), COMMENT: ("comments",)}
_BRACKETS = re.compile(r"[(（\[].*", re.DOTALL)


class Words(NamedTuple):
    """Headers (their plain form to a name of :data:`COLUMNS`) and answers (their plain form to one of ANSWERS)."""

    headers: Mapping[str, str]
    answers: Mapping[str, str]

    def column(self, header: str) -> str:
        """The column that a header names, or an empty text; what stands in brackets does not count."""
        return self.headers.get(plain(_BRACKETS.sub("", header)), "")

    def answer(self, text: str) -> str:
        """The answer that a text stands for, or an empty text."""
        return self.answers.get(plain(text), "")


def plain(text: str) -> str:
    """Letters and digits only, NFKC, case-folded: ``Not-Fluent.`` and ``not_fluent`` become ``notfluent``."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def known_words(chosen: Iterable[str] = ()) -> Words:
    """Headers of all shipped instructions and of those ``chosen`` (languages or files), and the answers' synonyms.

    Raises:
        InputError: a synonyms file is malformed, or one word stands for two answers.
        ValueError: instructions that cannot be read.
    """
    names = {plain(column): column for column in COLUMNS}
    names |= {plain(word): column for column, words in _ALSO.items() for word in words}
    for lang in dict.fromkeys([*instructions.shipped(), *chosen]):
        for column, header in instructions.load(lang).columns.items():
            names.setdefault(plain(header), column)
    return Words(names, read_answers(sorted(resource("answers").glob("*.yaml"))))


def read_answers(files: Iterable[Path]) -> dict[str, str]:
    """Plain form of every answer word and synonym to the answer.

    Raises:
        InputError: a file is no mapping from the three answers to lists of texts, or a word stands for two answers.
    """
    found = {plain(answer): answer for answer in ANSWERS}
    for path in files:
        document = yaml_files.document(path)
        if not isinstance(document, dict) or set(document) != set(ANSWERS):
            raise InputError(f"{path}: found {document!r}; expected a list of words for each of {', '.join(ANSWERS)}")
        for answer, words in document.items():
            for word in words if isinstance(words, list) else [words]:
                if not isinstance(word, str) or not plain(word):
                    raise InputError(f"{path}: {answer}: found {word!r}, expected a word (in quotes)")
                if found.setdefault(plain(word), answer) != answer:
                    raise InputError(
                        f"{path}: {answer}: the word {word!r} already stands for {found[plain(word)]}; take it out"
                    )
    return found
