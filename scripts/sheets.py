"""Draw the human-validation sample and write its sheets and pages, once, under sheets/<sample-hash>/.

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
from dualpair.models import registry
from dualpair.runlog import main
from dualpair.validation import mismatch, sampling, sheets, vectors

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
        _similarity(args),
    )
    for warning in sample.warnings:
        log.warning("%s", warning)
    made_from = {"settings": args.settings, "seed": args.seed, "instructions": args.instructions}
    folder, written = sheets.export(args.folder, sample.key, args.instructions, made_from)
    log.info("sheets: %s%s", folder, "" if written else " (was there already; left as it is)")
    was = artifacts.provenance(folder / sheets.KEY_FILE)["provenance"].get("instructions")
    if was != args.instructions:
        log.warning(
            "the sheets in %s were written with instructions in %s, the config now says %s: nothing that may be in "
            "somebody's hands is replaced; if nobody has them, delete that folder and run again",
            *(folder, was, args.instructions),
        )
    note = {
        "folder": str(folder.relative_to(args.folder)),
        "items": int(sample.key["item_id"].nunique()),
        "annotators": sorted(set(sample.key["annotator"])),
        "warnings": list(sample.warnings),
    }
    artifacts.write_atomically(Path(args.out), (json.dumps(note, indent=1, ensure_ascii=False) + "\n").encode())


def _similarity(args: argparse.Namespace) -> mismatch.Similarity | None:
    """The run's similarity filter; none where the pairs came with the source."""
    if args.similarity_model is None:
        return None
    given = (args.store, args.similarity_model, args.similarity_entry, args.device, args.similarity_threshold)
    return vectors.of_store(*given)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sets", "variants", "alternates", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--settings", required=True, type=json.loads, help="the sample's settings, as JSON")
    parser.add_argument(
        "--instructions",
        required=True,
        type=json.loads,
        help="language of the items to that of the instructions, as JSON",
    )
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--similarity-model", help="the similarity filter's model, whose vectors the store holds")
    parser.add_argument("--similarity-entry", type=registry.from_json, help="its registry entry, as JSON")
    parser.add_argument("--similarity-threshold", type=float, help="its threshold")
    parser.add_argument("--store", help="folder of the store")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
