"""Turn a task's answers into distinct candidates: parsing, hygiene, de-duplication.

Reads: sources/<task>.parquet, sets.parquet, generations/<task>/*.parquet. Writes: candidates/<task>.parquet.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.generation import candidates
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Write the candidates; the counts by reason go to the log."""
    sources = artifacts.read(args.sources, "sources")
    sets = artifacts.read(args.sets, "sets")
    generations = [artifacts.read(path, "generations") for path in args.generations]
    frame = candidates.collect(args.task, sources, sets, generations, **args.settings)
    for (lang, reason), rows in frame.groupby(["lang", "reason"]):
        log.info("%s: %d candidates %s", lang, len(rows), reason or "kept")
    artifacts.write(frame, args.out, "candidates", {"settings": args.settings})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--sets", required=True)
    parser.add_argument("--generations", nargs="+", required=True, type=Path)
    parser.add_argument(
        "--settings", required=True, type=json.loads, help="as JSON: mode, allow_negation, min_answers, prompts"
    )
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
