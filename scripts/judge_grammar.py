"""Merge the grammar engines' judgements of a task into one table; calls no engine.

Reads: candidates/<task>.parquet, sources/<task>.parquet and judgements/<task>/grammar/<engine>.parquet of each engine
in use. Writes: judgements/<task>/grammar.parquet, empty where no language has an engine.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import grammar

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Merge, check that nothing is missing, and write."""
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    judged = [artifacts.read(path, "judgements") for path in args.judgements]
    frame = grammar.merge(candidates, sources, judged, args.engines)
    for (lang, model), rows in frame.groupby(["lang", "model"]):
        log.info(
            "%s: %s judged %d sentences, %d with findings", lang, model, len(rows), int((rows["findings"] > 0).sum())
        )
    if not args.judgements:
        log.info("no language has a grammar engine")
    models = {Path(path).stem: artifacts.provenance(path)["provenance"] for path in args.judgements}
    artifacts.write(frame, args.out, "judgements", {"engines": args.engines, "models": models})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--judgements", nargs="*", default=[], help="one per engine")
    parser.add_argument("--engines", required=True, type=json.loads, help="engines per language, as JSON")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
