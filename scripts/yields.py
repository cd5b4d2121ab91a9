"""Tabulate what other thresholds would have kept; calls no model and decides nothing.

Reads: variants.parquet, candidates and judgements of both tasks. Writes: analysis/yields.parquet and .csv.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from dualpair import artifacts
from dualpair.analysis.yields import yields
from dualpair.filters import selection
from dualpair.report import tables
from dualpair.runlog import main

ROLES = ("similarity", "nli", "grammar")


def run(args: argparse.Namespace) -> None:
    """Tabulate and write."""
    files = zip(args.candidates, *(getattr(args, role) for role in ROLES), strict=True)
    paraphrases, *rounds = [
        selection.Judged(artifacts.read(first, "candidates"), *(artifacts.read(path, "judgements") for path in others))
        for first, *others in files
    ]
    variants = artifacts.read(args.variants, "variants")
    frame = yields(variants, paraphrases, rounds, selection.thresholds_from_json(args.thresholds))
    artifacts.write(frame, args.out, "yields", {"thresholds": args.thresholds})
    artifacts.write_atomically(args.out.with_suffix(".csv"), tables.to_csv(frame).encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", required=True)
    for name in ("candidates", *ROLES):
        parser.add_argument(f"--{name}", nargs="+", required=True, type=Path, help="paraphrase, then each round")
    parser.add_argument("--thresholds", required=True, type=json.loads, help="as JSON")
    parser.add_argument("--out", required=True, type=Path)
    return parser


if __name__ == "__main__":
    main(run, arguments())
