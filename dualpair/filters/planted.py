"""Planted grammatical errors: those of `resources/grammar/planted`, and treebank sentences with two words swapped.

They fit and measure the grammar engines (`scripts/evaluate_grammar.py`); no rule of the workflow reads them.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dualpair import languages, paths
from dualpair.errors import InputError
from dualpair.filters import grammar_lm

KINDS = (
    "agreement", "missing_verb", "doubled_word", "case_or_preposition", "word_order", "inflection", "particle",
    "measure_word", "non_word",
)  # fmt: skip
TASKS = ("paraphrase", "alternate")
SIDES = ("correct", "faulty")
FOLDS = 10
SWAPPED = "swapped_words"
WORDS = (5, 14)  # words of a treebank sentence that is taken, final mark included


class Planted(NamedTuple):
    """A source, a correct candidate, and the same candidate with one error; attributes without final mark."""

    id: str
    kind: str
    task: str
    group: str
    source: str
    correct: str
    faulty: str


class Text(NamedTuple):
    """A sentence as it is scored: group and continuation."""

    prefix: str
    continuation: str

    @property
    def whole(self) -> str:
        """The sentence."""
        return self.prefix + self.continuation


class Item(NamedTuple):
    """A source, a correct candidate and a faulty one."""

    lang: str
    id: str
    kind: str
    task: str
    source: Text
    correct: Text
    faulty: Text


class Pair(NamedTuple):
    """A source and a correct candidate."""

    lang: str
    source: Text
    candidate: Text


def read(path: Path) -> list[Planted]:
    """The rows of one language's file.

    Raises:
        InputError: other columns, an unknown kind or task, an empty or repeated text, an error that changes nothing.
    """
    lang = path.stem
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != Planted._fields:
            raise InputError(f"{path}: columns {reader.fieldnames}; expected {', '.join(Planted._fields)}")
        rows = [Planted(**{key: value or "" for key, value in row.items()}) for row in reader]
    seen: dict[str, str] = {}
    for row in rows:
        where = f"{path}, row {row.id!r}"
        for name, value, allowed in (("kind", row.kind, KINDS), ("task", row.task, TASKS)):
            if value not in allowed:
                raise InputError(f"{where}: {name} {value!r} (allowed: {', '.join(allowed)})")
        texts = [sentence(row, getattr(row, side), lang) for side in ("source", "correct", "faulty")]
        for name, value in row._asdict().items():
            if not value or value != languages.normalise(value):
                raise InputError(f"{where}: {name} {value!r} is empty or has stray spaces; give its text")
        for text in [row.id, *texts]:
            if text in seen:
                raise InputError(f"{where}: {text!r} stands in row {seen[text]!r} too; every text must be new")
            seen[text] = row.id
    return rows


def sentence(row: Planted, attribute: str, lang: str) -> str:
    """The group with one of its row's attributes, as a sentence."""
    return languages.join(row.group, attribute, lang) + languages.get(lang).final_mark


def planted_items(langs: Sequence[str]) -> list[Item]:
    """The planted errors of the languages."""
    items = []
    for lang in langs:
        known = languages.get(lang)
        for row in read(paths.resource("grammar", "planted", f"{lang}.csv")):
            texts = [
                Text(row.group, f"{known.joiner}{getattr(row, side)}{known.final_mark}")
                for side in ("source", "correct", "faulty")
            ]
            items.append(Item(lang, row.id, row.kind, row.task, *texts))
    return items


def correct_pairs(path: Path) -> list[Pair]:
    """Paraphrases and opposites of a file of labelled pairs (`resources/judge`), as candidates of their premises.

    The embedded parser finds the premise's group; pairs whose hypothesis begins otherwise are left out.
    """
    from dualpair import syntax

    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["label"] in ("paraphrase", "opposite")]
    found = []
    for lang in dict.fromkeys(row["lang"] for row in rows):
        own = [row for row in rows if row["lang"] == lang]
        for row, cut in zip(own, syntax.split([row["premise"] for row in own], lang), strict=True):
            texts = (row["premise"], row["hypothesis"])
            if not isinstance(cut, syntax.Rejection) and all(text.startswith(cut.group) for text in texts):
                found.append(Pair(lang, *(Text(cut.group, text[len(cut.group) :]) for text in texts)))
    return found


def treebank_items(folder: Path, langs: Sequence[str], most: int) -> list[Item]:
    """Short treebank sentences as their own rewordings; the faulty side has two neighbouring words swapped.

    A sentence begins with a capital letter or has no letter case, and ends in a final mark; the first `most` by the
    hash of their text are taken. The first word stands for the group.

    Raises:
        InputError: a language has no treebank there.
    """
    from dualpair.syntax.treebank import universal

    items = []
    for lang in langs:
        files = sorted(folder.glob(f"{lang}_*-ud-dev.conllu"))
        if not files:
            raise InputError(f"{folder}: no file {lang}_*-ud-dev.conllu; leave out --ud, or give its folder")
        train, held = universal.read_treebank(files[0])
        fit = {}
        for one in [*train, *held]:
            swapped = _swap([(token.form, " " if token.space else "") for token in one.tokens])
            ends = one.text[-1] in languages.get(lang).final_marks
            if WORDS[0] <= len(one.tokens) <= WORDS[1] and ends and not one.text[0].islower() and swapped is not None:
                fit[one.text] = swapped
        for number, text in enumerate(sorted(fit, key=lambda t: hashlib.sha256(t.encode()).digest())[:most]):
            first, rest, faulty = fit[text]
            own = Text(first, rest)
            items.append(Item(lang, f"{lang}-{number}", SWAPPED, TASKS[0], own, own, Text(first, faulty)))
    return items


def _swap(words: Sequence[tuple[str, str]]) -> tuple[str, str, str] | None:
    """First word, rest, and rest with two neighbouring words swapped at a place chosen by hash; None: no such place."""
    places = [
        i
        for i in range(1, len(words) - 2)
        if words[i][0].isalpha() and words[i + 1][0].isalpha() and words[i][0] != words[i + 1][0]
    ]
    if not places:
        return None
    text = "".join(form + space for form, space in words).rstrip()
    i = places[hashlib.sha256(text.encode()).digest()[0] % len(places)]
    swapped = [*words[:i], (words[i + 1][0], words[i][1]), (words[i][0], words[i + 1][1]), *words[i + 2 :]]
    first = words[0][0]
    rests = ["".join(form + space for form, space in one)[len(first) :].rstrip() for one in (words, swapped)]
    return first, rests[0], rests[1]


def auc(correct: Sequence[float], faulty: Sequence[float]) -> float:
    """P(a correct candidate scores higher than a faulty one), ties counting half, 0 to 1."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score([1] * len(correct) + [0] * len(faulty), [*correct, *faulty]))


def flagged_out_of_fold(
    ids: Sequence[str], correct: Sequence[float], faulty: Sequence[float], lost: float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which candidates a threshold flags that was fitted without their row: 10 folds by hash of the id.

    Args:
        ids: of the rows; correct and faulty candidate of a row are in the same fold.
        correct: scores of the correct candidates.
        faulty: scores of the faulty ones, in the same order.
        lost: share of correct candidates that the threshold may lose.

    Returns:
        Flags of the correct and of the faulty candidates, in order.
    """
    order = sorted(range(len(ids)), key=lambda i: hashlib.sha256(ids[i].encode()).digest())
    fold = np.empty(len(ids), dtype=int)
    fold[order] = np.arange(len(ids)) % FOLDS
    right, wrong = np.asarray(correct, dtype=float), np.asarray(faulty, dtype=float)
    flags = np.zeros((2, len(ids)), dtype=bool)
    for number in range(FOLDS):
        inside = fold == number
        threshold = grammar_lm.threshold(right[~inside].tolist(), lost)
        flags[:, inside] = right[inside] < threshold, wrong[inside] < threshold
    return flags[0], flags[1]
