"""A user's own table, its columns named in the config, in one of two layouts.

one row a sentence (`role`)                      one row a set (`groups`, the stereotyped one first)

set_id,role,sentence                             set_id,groups,sentence
weather-1,stereotyped,Cats like rain.            weather-1,Cats|Dogs,Cats like rain.
weather-1,contrast,Dogs like rain.

In both, `group`/`groups` with `attribute` may stand for the sentence: split already, for the parse engine `presplit`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from dualpair import languages
from dualpair.errors import InputError
from dualpair.sources import cleaning, common, lists, reading
from dualpair.sources.settings import HfDatasetSource, TableSource

Names = Mapping[str, str | None]


def read(path: Path, lang: str, source: TableSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language's table.

    Raises:
        InputError: what :func:`dualpair.sources.reading.read_table` raises; an empty id, an unknown role, a cell that
            is no list of groups, or two stereotyped sentences in one set.
    """
    names = source.columns.names(lang)
    needed = [name for name in names.values() if name is not None]
    lists = [name for name in [names["groups"]] if name is not None]
    return build(reading.read_table(path, needed, source.reading, lang, lists=lists), lang, source)


def build(table: reading.Table, lang: str, source: TableSource | HfDatasetSource) -> pd.DataFrame:
    """The `stereotypes` frame of a table that has been read."""
    names = source.columns.names(lang)
    rows = common.rows_of(table, names["lang"], lang)
    if not rows:
        found = sorted({row.cells[str(names["lang"])].strip() for row in table.rows})
        raise InputError(
            f"{table.path}: column {names['lang']!r}: no row is in language {lang!r} (found: {', '.join(found)}); "
            f"correct the column, or take the language out of `languages`"
        )
    items: list[common.Item] = []
    for row in rows:
        base = _base(row, table, names)
        if names["groups"] is not None:
            items += _whole_set(row, table, names, lang, source.separator, base)
        else:
            items.append(_single(row, table, names, lang, base))
    return common.frame(items, dataset=source.dataset, lang=lang, table=table, max_sets=source.max_sets)


def _base(row: reading.Row, table: reading.Table, names: Names) -> common.Item:
    set_id = _needed(row, table, names["set_id"])
    return common.Item(
        set_id=set_id,
        cluster_id=_needed(row, table, names["cluster_id"]) or set_id,
        bias_type=_needed(row, table, names["bias_type"]) or common.UNSPECIFIED,
        role=common.STEREOTYPED,
        sentence="",
        group="",
        attribute="",
        line=row.line,
    )


def _single(row: reading.Row, table: reading.Table, names: Names, lang: str, base: common.Item) -> common.Item:
    role = _needed(row, table, names["role"])
    if role not in common.ROLES:
        close = difflib.get_close_matches(role.casefold(), common.ROLES, n=1, cutoff=0.6)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InputError(
            f"{table.where(row, names['role'])}: value {role!r} (allowed: {', '.join(common.ROLES)}){hint}"
        )
    sentence, group, attribute = (_cell(row, names[key]) for key in ("sentence", "group", "attribute"))
    reason = ""
    if names["group"] is not None and not cleaning.clean(group, lang):
        reason = common.EMPTY_GROUP
    elif names["group"] is not None and ends_in_mark(cleaning.clean(group, lang), lang):
        reason = common.MARK_IN_GROUP
    elif names["attribute"] is not None and _empty(attribute, lang):
        reason = common.EMPTY_ATTRIBUTE
    if names["sentence"] is None:
        sentence = languages.join(group.strip(), attribute.strip(), lang)
    return base._replace(role=role, sentence=sentence, group=group, attribute=attribute, reason=reason)


def _whole_set(
    row: reading.Row, table: reading.Table, names: Names, lang: str, separator: str, base: common.Item
) -> list[common.Item]:
    """The set's sentences: each group with what follows the first group in the sentence, or with the attribute."""
    cell = _cell(row, names["groups"])
    sentence, attribute = _cell(row, names["sentence"]), _cell(row, names["attribute"])
    if not cell.strip():
        return [base._replace(sentence=sentence, attribute=attribute, reason=common.EMPTY_GROUP)]
    try:
        groups = [cleaning.clean(group, lang) for group in lists.parse(cell, separator)]
    except ValueError as error:
        raise InputError(
            f"{table.where(row, names['groups'])}: {error}; give a list, or groups with {separator!r} between them"
        ) from None
    reason = group_problem(groups) or cleaning.flaw(cell)
    if not reason and any(ends_in_mark(group, lang) for group in groups):
        reason = common.MARK_IN_GROUP
    if names["attribute"] is None and not reason:
        attribute, reason = _after(sentence, groups[0], lang)
    elif names["attribute"] is not None and not reason:
        reason = common.EMPTY_ATTRIBUTE if _empty(attribute, lang) else ""
        if names["sentence"] is not None and not reason:
            attribute, reason = _joined(sentence, groups, attribute, lang)
    if reason:
        first = groups[0] if groups else ""
        return [base._replace(sentence=sentence, group=first, attribute=attribute, reason=reason)]
    attribute, mark = languages.split_final_mark(cleaning.clean(attribute, lang), lang)
    return [
        base._replace(
            role=common.STEREOTYPED if number == 0 else common.CONTRAST,
            sentence=languages.join(group, attribute, lang) + mark,
            group=group,
            attribute=attribute,
            part=number,
        )
        for number, group in enumerate(groups)
    ]


def group_problem(groups: list[str]) -> str:
    """Why a set's groups cannot be used; empty if they can."""
    if not groups or not all(groups):
        return common.EMPTY_GROUP
    if len({group.casefold() for group in groups}) < len(groups):
        return common.REPEATED_GROUP
    return common.ONE_GROUP if len(groups) < 2 else ""


def ends_in_mark(group: str, lang: str) -> bool:
    """Whether a group ends in a final mark that is no full stop of an abbreviation ("Jr.", "U.S.")."""
    body, mark = languages.split_final_mark(group, lang)
    last = body.split()[-1] if body.split() else ""
    short = len(last) == 1 or "." in last or last.casefold() in languages.get(lang).abbreviations
    return bool(mark) and not (mark == "." and short)


def _empty(attribute: str, lang: str) -> bool:
    """Whether nothing is left of an attribute but its final mark."""
    return not languages.split_final_mark(cleaning.clean(attribute, lang), lang)[0]


def _joined(sentence: str, groups: list[str], attribute: str, lang: str) -> tuple[str, str]:
    """The attribute with the sentence's final mark, or the reason why the sentence is not a group with it."""
    if cleaning.flaw(sentence) or not cleaning.clean(sentence, lang):
        return attribute, cleaning.flaw(sentence) or common.EMPTY_SENTENCE
    body, mark = languages.split_final_mark(cleaning.clean(sentence, lang), lang)
    own, own_mark = languages.split_final_mark(cleaning.clean(attribute, lang), lang)
    if cleaning.flaw(attribute) or body not in {languages.join(group, own, lang) for group in groups}:
        return attribute, cleaning.flaw(attribute) or common.OTHER_SENTENCE
    return own + (mark or own_mark), ""


def _after(sentence: str, group: str, lang: str) -> tuple[str, str]:
    """What follows the group in the sentence, or the reason why the sentence has no such part."""
    if cleaning.flaw(sentence):
        return "", cleaning.flaw(sentence)
    text = cleaning.clean(sentence, lang)
    if not text:
        return "", common.EMPTY_SENTENCE
    if not text.startswith(group + languages.get(lang).joiner):
        return "", common.OTHER_BEGINNING
    attribute = text[len(group) :].strip()
    empty = not languages.split_final_mark(attribute, lang)[0]
    return attribute, common.EMPTY_ATTRIBUTE if empty else ""


def _cell(row: reading.Row, column: str | None) -> str:
    return "" if column is None else row.cells[column]


def _needed(row: reading.Row, table: reading.Table, column: str | None) -> str:
    """A cell without which the row belongs nowhere; empty only where the config names no column."""
    value = languages.normalise(_cell(row, column))
    if column is not None and not value:
        merged = " (merged cells of a workbook count as empty but for the first)" if table.unit == reading.ROW else ""
        raise InputError(
            f"{table.where(row, column)} is empty; every row needs a value: fill it in, or delete the row{merged}"
        )
    return value
