"""Read the sheets that came back and turn the answers into rates, agreement, curves and an adjudication sheet.

Reads: the returned files (never changed), sheets.json and the keys of all samples below sheets/, sets, variants,
alternates. Writes: validation/*.parquet and *.csv, validation/notes.json, figures/validation_*; and, once and as no
output of the rule, sheets/<sample>/adjudication/<hash>/.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.report import tables, validation_figures
from dualpair.report.figures import write
from dualpair.runlog import main
from dualpair.validation import adjudication, keys, results, returned
from dualpair.validation.returned_paths import File
from dualpair.validation.returned_words import known_words

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Read, compute, write."""
    note = json.loads(Path(args.sheets).read_text(encoding="utf-8"))
    sample = args.folder / note["folder"]
    settings = args.settings
    files = [File(**entry) for entry in args.returned]
    samples = keys.read_all(sample)
    found = returned.read(files, samples, known_words(settings["instructions"].values()))
    computed = results.compute(
        found,
        samples[-1],
        sets=artifacts.read(args.sets, "sets"),
        variants=artifacts.read(args.variants, "variants"),
        alternates=artifacts.read(args.alternates, "alternates"),
        limit=settings["attention_failures"],
        target=settings["target"],
        seed=args.seed,
        n_resamples=settings["bootstrap"],
    )
    rows = adjudication.sheet_rows(computed["validation_items"])
    further = adjudication.write(rows, sample, settings["instructions"])
    texts = results.remarks(computed)
    log.info("%d usable answers of %d, from %d files", found.answers["kept"].sum(), len(found.answers), len(files))
    for text in texts:
        log.warning("%s", text)
    if further is not None:
        log.info("%d items for an adjudicator: %s", len(rows), further)
    summary = {
        "files": len(files),
        "sample": note["folder"],
        "adjudication": str(further.relative_to(args.folder)) if further is not None else "",
        "adjudication_items": len(rows),
        "remarks": texts,
    }
    write_tables(computed, args.out, {"settings": settings, "seed": args.seed})
    for drawing in validation_figures.drawings(computed["validation_rates"], computed["validation_curve"]):
        write(drawing, args.folder / "figures")
    text = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    artifacts.write_atomically(args.out / "notes.json", text.encode())


def write_tables(computed: dict[str, pd.DataFrame], folder: Path, provenance: dict[str, object]) -> None:
    """Each table as Parquet and CSV, under its name less ``validation_``."""
    for name, frame in computed.items():
        base = folder / name.removeprefix("validation_")
        artifacts.write(frame, base.with_suffix(".parquet"), name, provenance)
        # With the mark by which Excel knows UTF-8: these files have texts of all languages.
        artifacts.write_atomically(base.with_suffix(".csv"), tables.to_csv(frame).encode("utf-8-sig"))


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sheets", "sets", "variants", "alternates"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--returned", required=True, type=json.loads, help="path, annotator, encoding of each, as JSON")
    parser.add_argument("--settings", required=True, type=json.loads, help="what counts of the config, as JSON")
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    parser.add_argument("--out", required=True, type=Path, help="folder of the tables")
    return parser


if __name__ == "__main__":
    main(run, arguments())
