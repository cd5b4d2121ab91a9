"""List what a generating task works from.

Reads: sets.parquet and, for alternates, variants.parquet and the earlier rounds' candidates and judgements.
Writes: sources/<task>.parquet. Task `paraphrase`: the original attribute of every kept set. Task `alternate-1`: every
kept variant. Task `alternate-<r>`: the kept variants that the rounds before r left without an acceptable alternate.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts, schemas
from dualpair.filters import selection
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Write the task's sources."""
    sets = artifacts.read(args.sets, "sets")
    sets = sets[sets["kept"]]
    if args.variants is None:
        frame = sets.assign(variant_id=selection.ORIGINAL)
    else:
        thresholds = selection.thresholds_from_json(args.thresholds)
        variants = artifacts.read(args.variants, "variants")
        left = selection.alternates_left(variants, read_rounds(args), thresholds)
        facts = sets[["lang", "set_id", "groups", "final_mark"]]
        frame = left.merge(facts, on=["lang", "set_id"], validate="many_to_one")
    frame = frame[schemas.table("sources").names]
    log.info("%d sources: %s", len(frame), frame.groupby("lang").size().to_dict())
    artifacts.write(frame, args.out, "sources", {"thresholds": args.thresholds})


def read_rounds(args: argparse.Namespace) -> list[selection.Judged]:
    """Candidates and judgements of each round given."""
    files = zip(args.candidates, args.similarity, args.nli, args.grammar, strict=True)
    return [
        selection.Judged(artifacts.read(first, "candidates"), *(artifacts.read(path, "judgements") for path in others))
        for first, *others in files
    ]


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", required=True)
    parser.add_argument("--variants", help="not given: the task is paraphrase")
    parser.add_argument("--candidates", nargs="*", default=[], type=Path, help="of the rounds before")
    parser.add_argument("--similarity", nargs="*", default=[], type=Path)
    parser.add_argument("--nli", nargs="*", default=[], type=Path)
    parser.add_argument("--grammar", nargs="*", default=[], type=Path)
    parser.add_argument("--thresholds", required=True, type=json.loads, help="as JSON")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
