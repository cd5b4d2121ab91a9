"""The feature norms of McRae, Cree, Seidenberg and McNorgan (2005), read from the user's copy.

The norms may not be passed on; the file is CONCS_FEATS_concstats_brm.txt of the Psychonomic Society's archive, one row
per concept and feature. Its columns are found by name; only Concept and Feature are used.
"""

from __future__ import annotations

import csv
import io
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from dualpair.errors import InputError
from dualpair.norms import pairs as pair_lists
from dualpair.norms import words
from dualpair.norms.concepts import Concept

log = logging.getLogger("dualpair")

LANGUAGE = "en"
CONCEPT, FEATURE = "Concept", "Feature"
_NAME = "CONCS_FEATS_concstats_brm.txt"
_DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";"}
_BINARY = {b"PK\x03\x04": "a ZIP archive or workbook", b"\x1f\x8b": "compressed by gzip", b"%PDF": "a PDF"}
_SENSE = re.compile(r"_?\([^()]*\)$")


def find(path: Path) -> Path:
    """The norms' file: the path itself, or the one file in a folder whose name begins with CONCS_FEATS.

    Raises:
        InputError: a folder with none or several.
    """
    if not path.is_dir():
        return path
    files = {file: file.name.casefold() for file in path.iterdir() if file.is_file()}
    found = sorted(file for file, name in files.items() if name.startswith("concs_feats") and "explan" not in name)
    if len(found) != 1:
        names = ", ".join(file.name for file in found) or "none"
        raise InputError(
            f"{path}: a folder with exactly one file CONCS_FEATS... is expected, found {names}; name the file"
        )
    return found[0]


def read(path: Path) -> dict[str, set[str]]:
    """Feature to the concepts that list it, both spelt as in the file.

    Tab, comma or semicolon separated, with a header; UTF-8, UTF-16 with a byte-order mark, or else Windows-1252.

    Raises:
        InputError: no text, no columns Concept and Feature, a row without one of them or with more cells than the
            header; names file and line.
    """
    text = _decode(path)
    delimiter, header = _header(text, path)
    columns = [header.index(CONCEPT.casefold()), header.index(FEATURE.casefold())]
    # The file has no quoting: a quote mark is text in tab-separated rows, and quotes cells in the others.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    found: dict[str, set[str]] = {}
    repeated = 0
    for row in _after_header(rows):
        cells = [row[column].strip() if column < len(row) else "" for column in columns]
        if any(cell.strip() for cell in row[len(header) :]):
            raise InputError(
                f"{path}: line {rows.line_num}: {len(row)} cells, the header has {len(header)}; the file seems "
                "damaged: take a fresh copy"
            )
        if not all(cells):
            missing = CONCEPT if not cells[0] else FEATURE
            raise InputError(
                f"{path}: line {rows.line_num}: no {missing} (found {len(row)} cells, the header has {len(header)}); "
                "the file seems damaged: take a fresh copy"
            )
        repeated += cells[0] in found.setdefault(cells[1], set())
        found[cells[1]].add(cells[0])
    if not found:
        raise InputError(f"{path}: has a header and no row; take a fresh copy of {_NAME}")
    if repeated:
        log.info("%s: %d rows repeat a concept and feature; they count once", path.name, repeated)
    return found


def concepts(norms: Path, pair_file: Path) -> Iterator[tuple[str, str, Sequence[Concept]]]:
    """Language, pair and the concepts that list one of its features or both, sorted by name.

    Raises:
        InputError: see :func:`read`, :func:`dualpair.norms.pairs.load` and :func:`dualpair.norms.pairs.known`.
    """
    listed, given = read(norms), pair_lists.load(pair_file)
    pair_lists.known(given, listed, pair_file, norms)
    english = words.load(LANGUAGE)
    for pair in given.pairs:
        has_first, has_second = (
            set().union(*(listed[feature] for feature in side.features)) for side in (pair.first, pair.second)
        )
        members = []
        for concept in sorted(has_first | has_second):
            text = noun(concept)
            number = "plural" if given.is_plural(concept, text) else "singular"
            says = [english.predicate(side.says, number) for side in (pair.first, pair.second)]
            given_to = (concept in has_first, concept in has_second)
            members.append(Concept(concept, english.prefix(text, number), says[0], says[1], *given_to))
        yield LANGUAGE, pair.pair_id, members


def noun(concept: str) -> str:
    """A concept's name as a noun: without the sense that homographs carry, with spaces: ``bat_(animal)`` is ``bat``."""
    return _SENSE.sub("", concept).replace("_", " ").strip()


def _decode(path: Path) -> str:
    data = path.read_bytes()
    kind = next((what for start, what in _BINARY.items() if data.startswith(start)), None)
    if kind is not None or not data.strip():
        raise InputError(f"{path}: is {kind or 'empty'}, no text; give {_NAME}, unpacked")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            log.warning("%s: not UTF-8; read as Windows-1252", path.name)
            text = data.decode("cp1252", errors="replace")
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise InputError(f"{path}: line {line}: a NUL character, no text; give {_NAME}")
    return text.lstrip("\ufeff")


def _header(text: str, path: Path) -> tuple[str, list[str]]:
    """The delimiter that shows both columns, and the column names, case-folded."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    wanted = {CONCEPT.casefold(), FEATURE.casefold()}
    best: list[str] = []
    for delimiter in _DELIMITERS.values():
        names = [name.strip().strip('"').casefold() for name in first.split(delimiter)]
        if wanted <= set(names):
            return delimiter, names
        best = names if len(names) > len(best) else best
    other = {"concept": "CONCS_brm.txt (concepts only)", "feature": "FEATS_brm.txt (features only)"}
    seems = next((f"it seems to be {what}; " for name, what in other.items() if name in best), "")
    shown = ", ".join(best[:6])
    raise InputError(
        f"{path}: the header has no columns {CONCEPT} and {FEATURE}, separated by {', '.join(_DELIMITERS)} (found "
        f"{shown[:120]!r}); {seems}give {_NAME}, which has a row for each concept and feature"
    )


def _after_header(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """Rows that are not blank, without the first of them."""
    filled = (row for row in rows if any(cell.strip() for cell in row))
    next(filled, None)
    yield from filled
