"""Join variants and their chosen alternates into dual pairs, and list the sentences to score.

Reads: sets.parquet, variants.parquet, alternates.parquet. Writes: augmented.parquet, sentences.parquet.
"""

from __future__ import annotations

import argparse
import logging

from dualpair import artifacts, sentences
from dualpair.errors import InputError
from dualpair.filters import selection
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Write both tables."""
    sets = artifacts.read(args.sets, "sets")
    variants = artifacts.read(args.variants, "variants")
    augmented = selection.augment(sets, variants, artifacts.read(args.alternates, "alternates"))
    if augmented.empty:
        raise InputError(
            f"{args.alternates}: no variant has an acceptable alternate, so there is nothing to score; "
            f"see the column `reason` there, loosen the thresholds of the role models, or add a model to "
            f"`roles.alternate`"
        )
    for lang, rows in augmented.groupby("lang"):
        total = int((sets["kept"] & (sets["lang"] == lang)).sum())
        log.info("%s: %d dual pairs for %d of %d sets", lang, len(rows), rows["set_id"].nunique(), total)
    artifacts.write(augmented, args.out_augmented, "augmented")
    artifacts.write(sentences.build(augmented), args.out_sentences, "sentences")


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sets", "variants", "alternates", "out-augmented", "out-sentences"):
        parser.add_argument(f"--{name}", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
