"""Draw the human-validation sample and write its sheets, once, under sheets/<sample-hash>/.

Reads: sets.parquet, variants.parquet, alternates.parquet. Writes: sheets.json, which names the sample's folder. The
sheets themselves are no output of the rule: the workflow never replaces or deletes what was handed out.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.filters import selection
from dualpair.runlog import main
from dualpair.validation import sampling, sheets

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Sample, export, and note where."""
    sample = sampling.sample(
        artifacts.read(args.sets, "sets"),
        artifacts.read(args.variants, "variants"),
        artifacts.read(args.alternates, "alternates"),
        sampling.SampleSettings(**args.settings),
        args.seed,
        selection.THRESHOLD_REASONS,
    )
    for warning in sample.warnings:
        log.warning("%s", warning)
    folder = sheets.export(args.folder, sample.key, provenance={"settings": args.settings, "seed": args.seed})
    log.info("sheets: %s", folder)
    note = {"folder": str(folder.relative_to(args.folder)), "items": len(sample.key), "warnings": list(sample.warnings)}
    artifacts.write_atomically(Path(args.out), (json.dumps(note, indent=1, ensure_ascii=False) + "\n").encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sets", "variants", "alternates", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--settings", required=True, type=json.loads, help="the config's `sheets`, as JSON")
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
