"""A user's own table of (prefix, continuation) to score: reading it strictly, writing its scores in the same order."""

from __future__ import annotations

import csv
import json
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair import artifacts, languages, targets
from dualpair.errors import InputError
from dualpair.scoring.tokenisation import surrogate
from dualpair.sources import cleaning, reading
from dualpair.sources.settings import Reading

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

TABLE = "scored_pairs"
SUFFIXES = (".csv", ".tsv", ".parquet", ".jsonl")
TOKEN_COLUMNS = ("token_ids", "token_logprobs", "token_ends")
NEEDED, LANG = ("prefix", "continuation"), "lang"
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_SHOWN_WARNINGS = 5
_LONGEST_CELL = 1 << 30  # characters; the usual 131,072 would be reported as a wrong quote
_SETTING = re.compile(r"`source\.reading\.(encoding|delimiter|quotes)(?:: (\w+))?`")


class Pair(NamedTuple):
    """One row of the table; row counts the data rows from 1."""

    row: int
    prefix: str
    continuation: str
    lang: str


def read_pairs(path: Path, join: bool = False, settings: Reading = reading.PLAIN) -> list[Pair]:
    """Read a table with the columns prefix, continuation and perhaps lang; other columns are ignored.

    Args:
        path: .csv or .tsv (with a header), .parquet, or .jsonl (an object a line).
        join: put the joiner of the row's language before its continuation, unless it is there.
        settings: encoding, delimiter and quotes of a text file; by default UTF-8 and what the file's ending says.

    Returns:
        The rows in the file's order, less blank lines. A continuation without the space that its language needs is
        warned about.

    Raises:
        InputError: another kind of file, one that cannot be read, another encoding or delimiter, a missing or repeated
            column, no row, an empty continuation, a cell that is no text, or an unknown language.
    """
    raw = _raw(path, settings)
    places = _columns(path, raw, join)
    pairs = []
    for number, (place, cells) in enumerate(raw.rows, start=1):
        line = f" (line {place})" if raw.unit == reading.LINE else ""
        pairs.append(_pair(f"{path}: row {number}{line}", number, cells, places, len(raw.header), join))
    if not pairs:
        raise InputError(f"{path}: no data row; the table needs the columns prefix, continuation and at least one row")
    _warn_of_missing_spaces(path, pairs)
    return pairs


def write_scores(
    frame: pd.DataFrame, path: Path, tokens: bool = False, provenance: dict[str, Any] | None = None
) -> None:
    """Write the scores in the order of their column `row`.

    Args:
        frame: the columns of the table `scored_pairs`.
        path: .parquet (schema and provenance inside), .csv, .tsv or .jsonl.
        tokens: whether the token columns are filled; they are left out of the text formats otherwise.
        provenance: model identity and settings, for .parquet.

    Raises:
        InputError: another kind of file, or token columns in .csv or .tsv.
    """
    check_out(path, tokens)
    if path.suffix == ".parquet":
        artifacts.write(frame, path, TABLE, provenance)
        return
    shown = frame.sort_values("row") if tokens else frame.drop(columns=list(TOKEN_COLUMNS)).sort_values("row")
    if path.suffix == ".jsonl":
        records = shown.astype(object).where(shown.notna(), None).to_dict("records")
        text = "".join(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" for record in records)
    else:
        text = str(shown.to_csv(sep=_DELIMITERS[path.suffix], index=False, lineterminator="\n"))
    artifacts.write_atomically(path, text.encode())


def check_out(path: Path, tokens: bool, source: Path | None = None) -> None:
    """Refuse a file that the scores cannot be written to, before they are computed.

    Args:
        path: the file.
        tokens: see `write_scores`.
        source: the table that is scored, which is never written over.

    Raises:
        InputError: see `write_scores`; a folder, one that is not there, or the table itself.
    """
    targets.check(path, "--out", SUFFIXES)
    if tokens and path.suffix in _DELIMITERS:
        raise InputError(f"--out {path}: {path.suffix} has no lists for --tokens; give a .parquet or .jsonl file")
    if source is not None and path.exists() and source.exists() and path.samefile(source):
        raise InputError(f"--out {path}: is the table itself (--in {source}), which would be lost; give another name")


def _raw(path: Path, settings: Reading) -> reading.Raw:
    """The table as the strict reader of sources gives it, its advice in the words of the command line."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"--in {path}: unknown kind of file {path.suffix!r} (allowed: {', '.join(SUFFIXES)})")
    usual = csv.field_size_limit(_LONGEST_CELL)
    try:
        raw = reading.open_raw(path, settings, wanted=NEEDED)
        return raw._replace(rows=list(raw.rows))
    except InputError as error:
        raise InputError(_SETTING.sub(_option, str(error))) from None
    finally:
        csv.field_size_limit(usual)


def _option(found: re.Match[str]) -> str:
    return f"--{found[1]}{f' {found[2]}' if found[2] else ''}"


def _columns(path: Path, raw: reading.Raw, join: bool) -> dict[str, int]:
    """Place of each column that is read."""
    header = [languages.normalise(str(name)) for name in raw.header]
    needed = (*NEEDED, LANG) if join else NEEDED
    for name in (*NEEDED, LANG):
        if header.count(name) > 1:
            raise InputError(f"{path}: header: column {name!r} occurs twice; rename or delete one")
        if name in needed and name not in header:
            raise InputError(
                f"{path}: column {name!r} is not there (columns found: {', '.join(header) or 'none'}); rename or add it"
            )
    return {name: header.index(name) for name in (*NEEDED, LANG) if name in header}


def _pair(where: str, number: int, cells: Sequence[Any], places: dict[str, int], width: int, join: bool) -> Pair:
    if len(cells) != width:
        raise InputError(f"{where}: {len(cells)} cells, expected {width}; quote cells that hold the delimiter")
    texts = {}
    for name, place in places.items():
        value = cells[place]
        if name == LANG and not join and (value is None or type(value) is object):  # no such key in this record
            value = ""
        texts[name] = _text(value, f"{where}: column {name!r}")
    if not texts["continuation"].strip():
        raise InputError(f"{where}: column 'continuation' is empty: nothing to score; give a text or delete the row")
    lang, continuation = texts.get(LANG, ""), texts["continuation"]
    if (lang or join) and lang not in languages.known():
        raise InputError(
            f"{where}: column 'lang': unknown language {lang!r} (allowed: {', '.join(languages.known())}); correct it"
        )
    if join and not continuation.startswith(languages.get(lang).joiner):
        continuation = languages.get(lang).joiner + continuation
    return Pair(number, texts["prefix"], continuation, lang)


def _text(value: Any, where: str) -> str:
    if type(value) is object:
        raise InputError(f"{where}: this record has no such key; add it")
    if type(value) is not str:  # a number of JSON is a kind of str to the reader
        found = str(value) if isinstance(value, str) else cleaning.shown(value)
        raise InputError(f"{where}: found {found}; write a text")
    problem = surrogate(value)
    if problem:
        raise InputError(f"{where}: holds {problem}")
    return value


def _warn_of_missing_spaces(path: Path, pairs: Sequence[Pair]) -> None:
    bare = [
        pair
        for pair in pairs
        if pair.lang and pair.prefix and not pair.continuation.startswith(languages.get(pair.lang).joiner)
    ]
    for pair in bare[:_SHOWN_WARNINGS]:
        log.warning(
            "%s: row %d: %r begins without the space that its language needs (--join adds it)",
            path, pair.row, pair.continuation,
        )  # fmt: skip
    if len(bare) > _SHOWN_WARNINGS:
        log.warning("%s: %d further rows begin without their space", path, len(bare) - _SHOWN_WARNINGS)
