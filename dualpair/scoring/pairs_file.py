"""A user's own table of (prefix, continuation) to score: reading it strictly, writing its scores in the same order."""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair import artifacts, languages
from dualpair.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

TABLE = "scored_pairs"
SUFFIXES = (".csv", ".tsv", ".parquet", ".jsonl")
TOKEN_COLUMNS = ("token_ids", "token_logprobs", "token_ends")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_SHOWN_WARNINGS = 5


class Pair(NamedTuple):
    """One row of the table; row counts the data rows from 1."""

    row: int
    prefix: str
    continuation: str
    lang: str


def read_pairs(path: Path, join: bool = False) -> list[Pair]:
    """Read a table with the columns prefix, continuation and perhaps lang; other columns are ignored.

    Args:
        path: .csv or .tsv (UTF-8, with a header), .parquet, or .jsonl (an object a line).
        join: put the joiner of the row's language before its continuation, unless it is there.

    Returns:
        The rows in the file's order. A continuation without the space that its language needs is warned about.

    Raises:
        InputError: another kind of file, one that cannot be read, a missing column, no row, an empty continuation, a
            cell that is no text, or an unknown language.
    """
    _suffix(path, "--in")
    records = list(_records(path))
    if not records:
        raise InputError(f"{path}: no data row; the table needs the columns prefix, continuation and at least one row")
    needed = ("prefix", "continuation", "lang") if join else ("prefix", "continuation")
    pairs = [_pair(path, number, record, needed, join) for number, record in enumerate(records, start=1)]
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


def check_out(path: Path, tokens: bool) -> None:
    """Refuse a file that the scores cannot be written to, before they are computed.

    Raises:
        InputError: see `write_scores`.
    """
    suffix = _suffix(path, "--out")
    if tokens and suffix in _DELIMITERS:
        raise InputError(f"--out {path}: {suffix} has no lists for --tokens; give a .parquet or .jsonl file")


def _suffix(path: Path, option: str) -> str:
    if path.suffix not in SUFFIXES:
        raise InputError(f"{option} {path}: unknown kind of file {path.suffix!r} (allowed: {', '.join(SUFFIXES)})")
    return path.suffix


def _records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        if path.suffix == ".parquet":
            import pyarrow.parquet as pq

            yield from pq.read_table(path).to_pylist()
            return
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error}); give a UTF-8 text or a Parquet file") from error
    yield from _lines(path, text) if path.suffix == ".jsonl" else _cells(path, text)


def _lines(path: Path, text: str) -> Iterator[dict[str, Any]]:
    number = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        number += 1
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}: row {number}: not JSON ({error}); write one object a line") from error
        if not isinstance(record, dict):
            raise InputError(f"{path}: row {number}: found {type(record).__name__}; write one object a line")
        yield record


def _cells(path: Path, text: str) -> Iterator[dict[str, Any]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_DELIMITERS[path.suffix], strict=True)
    header: list[str] | None = None
    number = 0
    try:
        for record in reader:
            if header is None:
                header = [name.strip() for name in record]
                repeated = sorted({name for name in header if header.count(name) > 1})
                if repeated:
                    raise InputError(f"{path}: header: column {repeated[0]!r} occurs twice; rename or delete one")
                continue
            if not record:
                continue
            number += 1
            if len(record) != len(header):
                raise InputError(
                    f"{path}: row {number}: {len(record)} cells, expected {len(header)} ({', '.join(header)}); quote "
                    f"cells that hold the delimiter"
                )
            yield dict(zip(header, record, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: row {number + 1}: {error}; check the quotes") from error


def _pair(path: Path, number: int, record: dict[str, Any], needed: Sequence[str], join: bool) -> Pair:
    where = f"{path}: row {number}"
    for name in needed:
        if name not in record:
            raise InputError(
                f"{where}: column {name!r} is not there (columns found: {', '.join(record)}); rename or add it"
            )
    cells = {name: record.get(name) for name in ("prefix", "continuation", "lang")}
    if cells["lang"] is None and "lang" not in needed:
        cells["lang"] = ""
    for name, value in cells.items():
        if not isinstance(value, str):
            raise InputError(f"{where}: column {name!r}: found {value!r}; write a text")
    if not str(cells["continuation"]).strip():
        raise InputError(f"{where}: column 'continuation' is empty: nothing to score; give a text or delete the row")
    lang, continuation = str(cells["lang"]), str(cells["continuation"])
    if (lang or join) and lang not in languages.known():
        raise InputError(
            f"{where}: column 'lang': unknown language {lang!r} (allowed: {', '.join(languages.known())}); correct it"
        )
    if join and not continuation.startswith(languages.get(lang).joiner):
        continuation = languages.get(lang).joiner + continuation
    return Pair(number, str(cells["prefix"]), continuation, lang)


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
