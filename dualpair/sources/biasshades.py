"""BiasShades (Mitchell et al., NAACL 2025), one file per language as published (`by_language/<lang>.csv`).

Columns used, by name: index (float; its integer part is the cluster), subset (`_original` or a contrast's letter),
bias_type (a list as text; the first entry is taken), `<lang>_biased_sentences`, type. The data set is behind an
agreement: users obtain it themselves.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pandas as pd

from dualpair.config import BiasShadesSource
from dualpair.errors import InputError
from dualpair.sources import common, reading


def read(path: Path, lang: str, source: BiasShadesSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language's file.

    A contrast often leaves the general columns blank; bias type and type are then those of its original.

    Raises:
        InputError: a missing column, an index that is no number, or a bias type that is no list.
    """
    sentences = f"{lang}_biased_sentences"
    rows = reading.read_csv(path, ["index", "subset", "bias_type", "type", sentences])
    originals = {_index(row, path): row for row in rows if row.cells["subset"].strip() == "_original"}
    items = [_item(row, originals.get(_index(row, path)), sentences, path, source) for row in rows]
    return common.frame(items, dataset=source.dataset, lang=lang, file=path.name, max_sets=source.max_sets)


def _item(
    row: reading.Row, original: reading.Row | None, sentences: str, path: Path, source: BiasShadesSource
) -> common.Item:
    index = _index(row, path)
    general = original or row
    kind = row.cells["type"].strip() or general.cells["type"].strip()
    sentence = row.cells[sentences].strip()
    reason = ""
    if kind not in source.types:
        reason = common.NOT_A_DECLARATION
    elif not sentence:
        reason = common.EMPTY_SENTENCE
    return common.Item(
        set_id=index,
        cluster_id=str(int(float(index))),
        bias_type=_bias_type(row.cells["bias_type"], general, path, row.line),
        role=common.STEREOTYPED if row.cells["subset"].strip() == "_original" else common.CONTRAST,
        sentence=sentence,
        group="",
        attribute="",
        line=row.line,
        reason=reason,
    )


def _index(row: reading.Row, path: Path) -> str:
    text = row.cells["index"].strip()
    try:
        return repr(float(text))
    except ValueError:
        raise InputError(
            f"{path}: line {row.line}: column 'index': value {text!r} is no number such as 12.0; correct it"
        ) from None


def _bias_type(text: str, original: reading.Row, path: Path, line: int) -> str:
    text = text.strip() or original.cells["bias_type"].strip()
    if text in ("", "[]"):
        text = original.cells["bias_type"].strip()
    try:
        values = ast.literal_eval(text)
        return str(values[0])
    except (ValueError, SyntaxError, IndexError, TypeError, KeyError):
        raise InputError(
            f"{path}: line {line}: column 'bias_type': value {text!r} is no list such as ['gender']; correct it"
        ) from None
