"""Read the source files and write the `stereotypes` table.

Reads: one source file per language. Writes: stereotypes.parquet, e.g. the row
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
from dualpair.config import BiasShadesSource, TableSource
from dualpair.runlog import main
from dualpair.sources import biasshades, table

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Read every file with the source's adapter."""
    source: TableSource | BiasShadesSource = TypeAdapter(TableSource | BiasShadesSource).validate_python(args.settings)
    frames = []
    for lang, file in zip(args.languages, args.files, strict=True):
        if isinstance(source, TableSource):
            frame = table.read(file, lang, source)
        else:
            frame = biasshades.read(file, lang, source)
        log.info("%s: %d sentences read, %d kept", lang, len(frame), int(frame["kept"].sum()))
        frames.append(frame)
    artifacts.write(pd.concat(frames, ignore_index=True), args.out, "stereotypes", {"settings": args.settings})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", required=True, type=json.loads, help="the config's `source`, as JSON")
    parser.add_argument("--languages", nargs="+", required=True)
    parser.add_argument("--files", nargs="+", required=True, type=Path, help="one file per language, same order")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
