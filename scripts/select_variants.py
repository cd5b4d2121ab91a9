"""Apply the thresholds to the paraphrases; calls no model.

Reads: sets.parquet, candidates/paraphrase.parquet and their judgements. Writes: variants.parquet: v0 (the original) of
every kept set and each candidate, kept or dropped with its reason.
"""

from __future__ import annotations

import argparse
import json
import logging

from dualpair import artifacts
from dualpair.filters import selection
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Select and write; the counts by reason go to the log."""
    paraphrases = selection.Judged(
        artifacts.read(args.candidates, "candidates"),
        *(artifacts.read(path, "judgements") for path in (args.similarity, args.nli, args.grammar)),
    )
    frame = selection.select_variants(
        artifacts.read(args.sets, "sets"),
        paraphrases,
        selection.thresholds_from_json(args.thresholds),
        args.max_paraphrases,
    )
    for (lang, reason), rows in frame.groupby(["lang", "reason"]):
        log.info("%s: %d variants %s", lang, len(rows), reason or "kept")
    artifacts.write(
        frame, args.out, "variants", {"thresholds": args.thresholds, "max_paraphrases": args.max_paraphrases}
    )


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sets", "candidates", "similarity", "nli", "grammar", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--thresholds", required=True, type=json.loads, help="as JSON")
    parser.add_argument("--max-paraphrases", type=int, help="keep at most n a set; not given: all")
    return parser


if __name__ == "__main__":
    main(run, arguments())
