"""Leave out the dual pairs that people reject.

Reads: unvalidated/augmented.parquet and validation/rejected.parquet. Writes: augmented.parquet, sentences.parquet.
"""

from __future__ import annotations

import argparse
import logging

from dualpair import artifacts, sentences
from dualpair.errors import InputError
from dualpair.filters.selection import REJECTED_BY_ANNOTATORS
from dualpair.runlog import main
from dualpair.validation.left_out import without_rejected

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Filter and write."""
    augmented = artifacts.read(args.augmented, "augmented")
    kept = without_rejected(augmented, artifacts.read(args.rejected, "validation_rejected"))
    log.info("%d of %d dual pairs dropped: %s", len(augmented) - len(kept), len(augmented), REJECTED_BY_ANNOTATORS)
    if kept.empty:
        raise InputError(
            f"{args.rejected}: people reject every dual pair, so there is nothing to score; look at "
            f"validation/answers.csv, or set `validation.apply: false`"
        )
    artifacts.write(kept, args.out_augmented, "augmented")
    artifacts.write(sentences.build(kept), args.out_sentences, "sentences")


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("augmented", "rejected", "out-augmented", "out-sentences"):
        parser.add_argument(f"--{name}", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
