"""Read the surveys of trait ratings that came back, check their annotators, and average the ratings.

Reads: the returned files (never changed), ratings.json and the key that it names. Writes: human_ratings,
human_ratings_means, ratings_annotators and ratings_problems, as Parquet and CSV, notes.json, and
figures/human_ratings_<lang>.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.report import ratings_figures
from dualpair.report.figures import write
from dualpair.report.tables import to_csv
from dualpair.runlog import main
from dualpair.validation import ratings_checks, ratings_results, ratings_sheets
from dualpair.validation.returned_paths import File

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Read, check, average, write."""
    note = json.loads(Path(args.ratings).read_text(encoding="utf-8"))
    path = args.folder / note["folder"] / ratings_sheets.KEY_FILE
    if not path.is_file():
        raise InputError(
            f"{path}: the survey's key is gone, and without it no answer can be joined; put it back, or delete "
            f"{args.ratings} and run `snakemake ratings` to write the survey again"
        )
    key = artifacts.read(path, "ratings_key")
    rule = ratings_checks.Rule(**args.rule)
    computed = ratings_results.compute([File(**entry) for entry in args.returned], key, rule)
    remarks = ratings_results.remarks(computed, key)
    for text in remarks:
        log.warning("%s", text)
    for name, frame in computed.items():
        artifacts.write(frame, args.out / f"{name}.parquet", name, {"rule": args.rule})
        # With the mark by which Excel knows UTF-8: groups are named in any language.
        artifacts.write_atomically(args.out / f"{name}.csv", to_csv(frame).encode("utf-8-sig"))
    for drawing in ratings_figures.drawings(computed["human_ratings_means"], list(note["annotators"])):
        write(drawing, args.folder / "figures")
    made_from = artifacts.provenance(path)["provenance"]["settings"]
    notes = {
        "survey": note["folder"],
        "files": len(args.returned),
        "handed_out": note["annotators"],
        "per_group": made_from["per_group"],
        "pages": made_from["groups_per_annotator"],
        "rule": args.rule,
        "remarks": remarks,
    }
    text = json.dumps(notes, indent=1, ensure_ascii=False) + "\n"
    artifacts.write_atomically(args.out / "notes.json", text.encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ratings", required=True, help="ratings.json")
    parser.add_argument("--returned", required=True, type=json.loads, help="path and encoding of each, as JSON")
    parser.add_argument("--rule", required=True, type=json.loads, help="the checks' settings, as JSON")
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    parser.add_argument("--out", required=True, type=Path, help="folder of the tables")
    return parser


if __name__ == "__main__":
    main(run, arguments())
