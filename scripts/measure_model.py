"""Compute the measures of one model.

Reads: augmented.parquet, sentences.parquet, scores/<model>.parquet.
Writes: measures/<model>.parquet (one row per variant) and set_measures/<model>.parquet (one row per set).
"""

from __future__ import annotations

import argparse
import json
import logging

from dualpair import artifacts
from dualpair.measures import tables
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Measure and write; variants that could not be scored are counted in the log."""
    result = tables.measure_variants(
        artifacts.read(args.augmented, "augmented"),
        artifacts.read(args.sentences, "sentences"),
        artifacts.read(args.scores, "scores"),
        **args.settings,
    )
    if len(result.dropped):
        log.warning("%d variants were not measured: %s", len(result.dropped), result.dropped.to_dict("records")[:3])
    log.info("%d pairs measured", len(result.measures))
    provenance = {"settings": args.settings}
    artifacts.write(result.measures, args.out_measures, "measures", provenance)
    artifacts.write(tables.measure_sets(result.measures), args.out_set_measures, "set_measures", provenance)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("augmented", "sentences", "scores", "out-measures", "out-set-measures"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument(
        "--settings",
        required=True,
        type=json.loads,
        help="tie, normalisation and scope of the config's `scoring`, as JSON",
    )
    return parser


if __name__ == "__main__":
    main(run, arguments())
