"""Apply the threshold to the alternates of all rounds and choose one per variant; calls no model.

Reads: variants.parquet and each round's candidates and judgements. Writes: alternates.parquet.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.filters import selection
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Select and write; the counts by reason go to the log."""
    files = zip(args.candidates, args.similarity, args.nli, args.grammar, strict=True)
    rounds = [
        selection.Judged(artifacts.read(first, "candidates"), *(artifacts.read(path, "judgements") for path in others))
        for first, *others in files
    ]
    variants = artifacts.read(args.variants, "variants")
    frame = selection.select_alternates(variants, rounds, selection.thresholds_from_json(args.thresholds))
    for (lang, reason), rows in frame.groupby(["lang", "reason"]):
        log.info("%s: %d alternates %s", lang, len(rows), reason or "chosen")
    artifacts.write(frame, args.out, "alternates", {"thresholds": args.thresholds})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", required=True)
    for name in ("candidates", "similarity", "nli", "grammar"):
        parser.add_argument(f"--{name}", nargs="+", required=True, type=Path, help="one per round")
    parser.add_argument("--thresholds", required=True, type=json.loads, help="as JSON")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
