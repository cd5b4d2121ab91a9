"""Read the source files and write the `stereotypes` table.

Reads: one source file (or folder) per language. Writes: stereotypes.parquet, e.g. the row
lang=en, set_id=starter-01, role=stereotyped, sentence="Women talk a lot.", kept=True.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd
from pydantic import TypeAdapter

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.sources import adapters, reading
from dualpair.sources.settings import AnySource, Source

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Read every file with the source's adapter; the counts by reason go to the log."""
    source: AnySource = TypeAdapter(Source).validate_python(args.settings)
    frames, checksums = [], {}
    for lang, file in zip(args.languages, args.files, strict=True):
        frame = adapters.read(file, lang, source)
        report(lang, frame)
        frames.append(frame)
        checksums[lang] = {"name": file.name, "sha256": reading.checksum(file)}
    provenance = {"settings": args.settings, "files": checksums}
    artifacts.write(pd.concat(frames, ignore_index=True), args.out, "stereotypes", provenance)


def report(lang: str, frame: pd.DataFrame) -> None:
    """Log what was read, kept and rejected."""
    rows = frame[["source_file", "source_row"]].drop_duplicates()
    log.info("%s: %d rows, %d sentences, %d kept", lang, len(rows), len(frame), int(frame["kept"].sum()))
    for reason, rejected in frame.loc[~frame["kept"]].groupby("reason", sort=True):
        place = rejected.iloc[0]
        first = f"{place['source_file']}, row {place['source_row']}"
        log.info("%s: %d rejected: %s (first: %s)", lang, len(rejected), reason, first)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", required=True, type=json.loads, help="the config's `source`, as JSON")
    parser.add_argument("--languages", nargs="+", required=True)
    parser.add_argument("--files", nargs="+", required=True, type=Path, help="one per language, same order")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
