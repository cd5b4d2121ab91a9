"""Write the sentences of the feature norms: every concept with a feature and with its opposite.

Reads: resources/norms, or a copy of the McRae norms and a list of opposite features.
Writes: norms/concepts.parquet (also those that are left out, with the reason) and norms/sentences.parquet, e.g.
prefix "The ice", continuation " is cold.", side alternate of the pair hot-cold.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from pathlib import Path

from dualpair import artifacts
from dualpair.norms import builtin, concepts, mcrae
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Write both tables, and say how many concepts are left out and why."""
    if args.source == "mcrae":
        found = [
            one for lang in args.languages if lang == mcrae.LANGUAGE for one in mcrae.concepts(args.file, args.pairs)
        ]
    else:
        found = [one for lang in args.languages for one in builtin.concepts(lang)]
    frame = concepts.table(found, args.source, args.limit)
    sentences = concepts.sentences(frame)
    for (lang, pair_id), rows in frame.groupby(["lang", "pair_id"], sort=True):
        reasons = Counter(rows["reason"])
        left_out = ", ".join(f"{reasons[name]} {name}" for name in concepts.REASONS if reasons[name])
        log.info("%s %s: %d concepts kept, left out: %s", lang, pair_id, reasons[""], left_out or "none")
    if frame.empty:
        log.warning("no language of the run has feature norms from source %s", args.source)
    provenance = {"source": args.source, "languages": args.languages, "limit": args.limit}
    artifacts.write(frame, args.out_concepts, "norms_concepts", provenance)
    artifacts.write(sentences, args.out_sentences, "sentences", provenance)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, choices=["builtin", "mcrae"])
    parser.add_argument("--languages", required=True, type=json.loads, help="codes, as a JSON list")
    parser.add_argument("--limit", type=json.loads, default=None, help="concepts of each feature, or null")
    parser.add_argument("--file", type=Path, help="mcrae: the user's copy of the norms")
    parser.add_argument("--pairs", type=Path, help="mcrae: the list of opposite features")
    parser.add_argument("--out-concepts", required=True)
    parser.add_argument("--out-sentences", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
