"""What every source shares: the checks on a language's rows and the finished `stereotypes` frame."""

from __future__ import annotations

import difflib
import logging
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dualpair import languages, schemas
from dualpair.errors import InputError
from dualpair.sources import cleaning, encodings
from dualpair.sources.reading import Row, Table

log = logging.getLogger("dualpair")
MAX_ID = 200

STEREOTYPED = "stereotyped"
CONTRAST = "contrast"
ROLES = (STEREOTYPED, CONTRAST)
UNSPECIFIED = "unspecified"

DUPLICATE = "duplicate_row"
NOT_A_DECLARATION = "type_not_selected"
EMPTY_SENTENCE = "empty_sentence"
EMPTY_GROUP = "empty_group"
EMPTY_ATTRIBUTE = "empty_attribute"
REPEATED_GROUP = "repeated_group"
ONE_GROUP = "only_one_group"
OTHER_BEGINNING = "sentence_does_not_begin_with_group"
REPEATED_ID = "repeated_id"
SAME_SENTENCES = "pair_of_equal_sentences"
NO_COMMON_END = "pair_has_no_common_end"
NO_CONTRAST_GROUP = "no_contrast_group"
BLANK_NOT_SUBJECT = "blank_is_not_the_subject"
NOT_ONE_BLANK = "not_exactly_one_blank"
LABELS_MISSING = "stereotype_or_anti_stereotype_missing"
FORMS_DIFFER = "form_depends_on_gender"
EMPTY_ALTERNATE = "empty_alternate"
SAME_TEXT = "alternate_equals_attribute"
NO_ORIGINAL = "contrast_without_original"
OTHER_SENTENCE = "sentence_is_not_group_and_attribute"
MARK_IN_GROUP = "final_mark_in_group"
NOT_SELECTED = "beyond_max_sets"

REASONS = (
    DUPLICATE,
    NOT_A_DECLARATION,
    EMPTY_SENTENCE,
    EMPTY_GROUP,
    EMPTY_ATTRIBUTE,
    REPEATED_GROUP,
    ONE_GROUP,
    OTHER_BEGINNING,
    REPEATED_ID,
    SAME_SENTENCES,
    NO_COMMON_END,
    NO_CONTRAST_GROUP,
    BLANK_NOT_SUBJECT,
    NOT_ONE_BLANK,
    LABELS_MISSING,
    FORMS_DIFFER,
    EMPTY_ALTERNATE,
    SAME_TEXT,
    NO_ORIGINAL,
    OTHER_SENTENCE,
    MARK_IN_GROUP,
    NOT_SELECTED,
    cleaning.CONTROL,
    cleaning.UNREADABLE,
    cleaning.WRONGLY_DECODED,
    cleaning.LINE_BREAK,
    cleaning.TOO_LONG,
)
"""Why a source's row is rejected, before any parsing."""


class Item(NamedTuple):
    """One sentence of a source, before the checks.

    ``line`` is its row's place and ``part`` its number within that row (a row may hold a whole pair or set);
    ``reason`` is set when the source itself rejects it.
    """

    set_id: str
    cluster_id: str
    bias_type: str
    role: str
    sentence: str
    group: str
    attribute: str
    line: int
    part: int = 0
    reason: str = ""


def frame(items: Sequence[Item], *, dataset: str, lang: str, table: Table, max_sets: int | None) -> pd.DataFrame:
    """The `stereotypes` frame of one language's file.

    Texts are cleaned (:mod:`dualpair.sources.cleaning`); a row with a damaged text is rejected with the damage's name,
    an empty sentence with ``empty_sentence``, a row repeated within its set with ``duplicate_row``, and sets beyond
    ``max_sets`` (in sorted order) with ``beyond_max_sets``.

    Raises:
        InputError: two different stereotyped sentences under one set id, rows of a set that disagree in cluster or
            kind of bias, an id that is empty, damaged or too long, or no letter of the language's script at all.
    """
    checked = [_checked(item, lang) for item in items]
    for item in checked:
        check_ids(item, f"{table.path}: {table.unit} {item.line}")
    check_script((item.sentence for item in checked), lang, table.path, table.encoding)
    usable = {item.set_id for item in checked if not item.reason}
    chosen = set(sorted(usable, key=natural_key)[:max_sets])
    seen: set[tuple[str, str, str]] = set()
    first: dict[str, Item] = {}
    stereotyped: dict[str, Item] = {}
    rows: list[dict[str, object]] = []
    for item in checked:
        # Rejected rows count here: later stages ask the same of all rows of a set.
        _check_equal(first.setdefault(item.set_id, item), item, table)
        reason = item.reason or ("" if item.set_id in chosen else NOT_SELECTED)
        key = (item.set_id, item.role, item.sentence)
        if not reason and key in seen:
            reason = DUPLICATE
        if not reason:
            seen.add(key)
            if item.role == STEREOTYPED:
                _check_single(stereotyped.setdefault(item.set_id, item), item, table)
        rows.append(_row(item, reason, dataset, lang, table.name))
    return pd.DataFrame(rows, columns=schemas.table("stereotypes").names)


def rows_of(table: Table, column: str | None, lang: str) -> list[Row]:
    """The rows of one language by its column of codes (None: all rows are); those of other languages are counted.

    Raises:
        InputError: a code that is none of :func:`dualpair.languages.known`; names row and value.
    """
    if column is None:
        return table.rows
    known = languages.known()
    codes = [row.cells[column].strip() for row in table.rows]
    for row, code in zip(table.rows, codes, strict=True):
        if code not in known:
            lower = {name.casefold(): name for name in known}
            close = difflib.get_close_matches(code.casefold(), list(lower), n=1, cutoff=0.5)
            hint = f"; did you mean {lower[close[0]]!r}?" if close else ""
            raise InputError(
                f"{table.where(row, column)}: value {cleaning.shown(code)} is no language code (allowed: "
                f"{', '.join(known)}){hint}; correct it, or add the language in resources/languages.yaml"
            )
    for code, count in sorted(Counter(codes).items()):
        if code != lang:
            log.info("%s: %s: %d rows of language %s left out", lang, table.name, count, code)
    return [row for row, code in zip(table.rows, codes, strict=True) if code == lang]


def check_ids(item: Any, where: str) -> None:
    """Refuse an id, cluster or kind of bias that cannot be one; ``item`` has the three as attributes.

    Raises:
        InputError: empty, damaged or longer than 200 characters.
    """
    for key in ("set_id", "cluster_id", "bias_type"):
        value = getattr(item, key)
        fault = "is empty" if not value else cleaning.flaw(value).replace("_", " ")
        if not fault and len(value) > MAX_ID:
            fault = f"has {len(value)} characters, allowed are {MAX_ID}"
        if fault:
            raise InputError(f"{where}: {key} {cleaning.shown(value)}: {fault}; give a plain text")


def check_script(sentences: Iterable[str], lang: str, path: Path, encoding: str) -> None:
    """Refuse a file whose sentences have letters, but none of the language's script: another encoding or language.

    Args:
        sentences: all of the file.
        lang: their language.
        path: for the message.
        encoding: that of a text file; empty for others.

    Raises:
        InputError: no letter of the script; names the encodings that would read the file.
    """
    found = [sentence for sentence in sentences if sentence]
    letters = {char for sentence in found for char in sentence if char.isalpha()}
    if not letters or encodings.in_script(letters, lang):
        return
    read = f" when read as {encoding}" if encoding else ""
    advice = encodings.advice(path, encoding, lang) if encoding else ""
    raise InputError(
        f"{path}: no sentence has a letter of the script of language {lang!r} ({languages.get(lang).script}){read}, "
        f"e.g. {cleaning.shown(found[0])}; give the file of this language{advice}"
    )


def own_id(set_id: str, seen: dict[str, int]) -> str:
    """The id, or where it has been seen before, the id with `#2`, `#3`, ...: a rejected item needs one of its own."""
    seen[set_id] = seen.get(set_id, 0) + 1
    return set_id if seen[set_id] == 1 else f"{set_id}#{seen[set_id]}"


def natural_key(text: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key under which ``2`` comes before ``10`` and ``set-2`` before ``set-10``."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)


def _checked(item: Item, lang: str) -> Item:
    texts = (item.sentence, item.group, item.attribute)
    reason = item.reason or next((flaw for flaw in map(cleaning.flaw, texts) if flaw), "")
    sentence, group, attribute = (cleaning.clean(text, lang) for text in texts)
    if not reason and not sentence:
        reason = EMPTY_SENTENCE
    if reason:
        sentence, group, attribute = (cleaning.storable(text) for text in (sentence, group, attribute))
    return item._replace(
        set_id=languages.normalise(item.set_id),
        cluster_id=languages.normalise(item.cluster_id),
        bias_type=languages.normalise(item.bias_type),
        sentence=sentence,
        group=group,
        attribute=attribute,
        reason=reason,
    )


def _row(item: Item, reason: str, dataset: str, lang: str, name: str) -> dict[str, object]:
    return {
        **{key: getattr(item, key) for key in ("set_id", "cluster_id", "bias_type", "role", "sentence")},
        "group": item.group,
        "attribute": item.attribute,
        "lang": lang,
        "dataset": dataset,
        "source_file": name,
        "source_row": item.line,
        "source_part": item.part,
        "kept": not reason,
        "reason": reason,
    }


def _check_equal(before: Item, item: Item, table: Table) -> None:
    for key in ("cluster_id", "bias_type"):
        a, b = getattr(before, key), getattr(item, key)
        if a != b:
            raise InputError(
                f"{table.path}: {table.unit}s {before.line} and {item.line}: set_id {item.set_id!r} has two values of "
                f"{key} ({a!r} and {b!r}); give all rows of a set the same"
            )


def _check_single(before: Item, item: Item, table: Table) -> None:
    if before.sentence != item.sentence:
        raise InputError(
            f"{table.path}: {table.unit}s {before.line} and {item.line}: set_id {item.set_id!r} has two different "
            f"stereotyped sentences ({before.sentence!r} and {item.sentence!r}); allowed is one per language: give the "
            f"second its own set_id, or make its role 'contrast'"
        )
