"""BiasShades (Mitchell et al., NAACL 2025), as published: `by_language/<lang>.csv`, or `all/all.csv` for each language.

Columns used, by name: index (its integer part is the cluster), subset (`_original` or a contrast's letter), bias_type
(a list as text; the first entry is taken), type, and `<prefix>_biased_sentences`. The prefix is the language's code
with _ for -, one of en fr ro ar bn zh zh_hant nl hi mr ru de it pl pt_br es; `pt` stands for pt_br. Templates are not
needed. The data set is behind an agreement: users obtain it themselves.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dualpair.errors import InputError
from dualpair.sources import cleaning, common, reading
from dualpair.sources.settings import BiasShadesSource

ORIGINAL = "_original"
PREFIXES = ("en", "fr", "ro", "ar", "bn", "zh", "zh_hant", "nl", "hi", "mr", "ru", "de", "it", "pl", "pt_br", "es")
_PREFIX_OF = {"pt": "pt_br", "zh_hans": "zh", "zh_tw": "zh_hant"}
_INDEX = re.compile(r"[0-9]+(\.[0-9]+)?")


def read(path: Path, lang: str, source: BiasShadesSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language.

    A contrast often leaves the general columns blank; bias type and type are then those of its original.

    Raises:
        InputError: a missing column, an index that is no number, an unknown subset, a bias type that is no list, or two
            different originals under one index.
    """
    sentences = f"{prefix(lang)}_biased_sentences"
    columns = ["index", "subset", "bias_type", "type", sentences]
    table = reading.read_table(path, columns, source.reading, lang, lists=["bias_type"])
    _check_types(table, source.types)
    indices = [_index(row, table) for row in table.rows]
    originals: dict[str, reading.Row] = {}
    for index, row in zip(indices, table.rows, strict=True):
        if _subset(row, table) == ORIGINAL:
            originals.setdefault(index, row)
    items = [
        _item(row, index, originals.get(index, row), sentences, table, source)
        for index, row in zip(indices, table.rows, strict=True)
    ]
    return common.frame(items, dataset=source.dataset, lang=lang, table=table, max_sets=source.max_sets)


def prefix(lang: str) -> str:
    """What the language's columns begin with."""
    code = lang.casefold().replace("-", "_")
    return _PREFIX_OF.get(code, code)


def _item(
    row: reading.Row,
    index: str,
    general: reading.Row,
    sentences: str,
    table: reading.Table,
    source: BiasShadesSource,
) -> common.Item:
    kind = row.cells["type"].strip() or general.cells["type"].strip()
    sentence = row.cells[sentences]
    reason = ""
    if not kind and general is row and row.cells["subset"].strip() != ORIGINAL:
        reason = common.NO_ORIGINAL
    elif kind not in source.types:
        reason = common.NOT_A_DECLARATION
    elif not sentence.strip():
        reason = common.EMPTY_SENTENCE
    return common.Item(
        set_id=index,
        cluster_id=index.partition(".")[0],
        bias_type=_bias_type(general, table),
        role=common.STEREOTYPED if row.cells["subset"].strip() == ORIGINAL else common.CONTRAST,
        sentence=sentence,
        group="",
        attribute="",
        line=row.line,
        reason=reason,
    )


def _check_types(table: reading.Table, wanted: Sequence[str]) -> None:
    """Refuse a type that no row has if it looks like a misspelt one, or if no type at all is found."""
    found = sorted({row.cells["type"].strip() for row in table.rows} - {""})
    for kind in wanted:
        close = difflib.get_close_matches(kind, found, n=1, cutoff=0.6)
        if kind not in found and (close or not set(wanted) & set(found)):
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise InputError(
                f"{table.path}: key `source.types`: value {kind!r} occurs in no row (found: "
                f"{', '.join(found) or 'none'}){hint}"
            )


def _index(row: reading.Row, table: reading.Table) -> str:
    """The full index as published: a whole number without decimals gets its `.0` back."""
    text = row.cells["index"].strip()
    if not _INDEX.fullmatch(text):
        raise InputError(f"{table.where(row, 'index')}: value {text!r} is no number such as 12.0; correct it")
    whole, _, decimals = text.partition(".")
    return f"{int(whole)}.{decimals or '0'}"


def _subset(row: reading.Row, table: reading.Table) -> str:
    text = row.cells["subset"].strip()
    if text != ORIGINAL and not re.fullmatch("[a-z]{1,2}", text):
        raise InputError(
            f"{table.where(row, 'subset')}: value {text!r} (allowed: {ORIGINAL}, or a contrast's letter); correct it"
        )
    return text


def _bias_type(general: reading.Row, table: reading.Table) -> str:
    text = general.cells["bias_type"].strip()
    if text in ("", "[]"):
        return common.UNSPECIFIED
    try:
        values = ast.literal_eval(text)
        if isinstance(values, list) and all(isinstance(value, str) and value.strip() for value in values):
            return str(values[0])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    raise InputError(
        f"{table.where(general, 'bias_type')}: value {cleaning.shown(text)} is no list such as ['gender']; correct it"
    )
