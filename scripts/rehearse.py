"""Fill in a run's sheets and trait surveys with made-up answers of known error rates: to rehearse a study.

Reads results/<run>/sheets.json and ratings.json, where they are, and the files that they name. Writes below --out:
sheets/ and ratings/ (files to name in `validation.returned` and `validation.ratings.returned`), and truth.csv and
ratings_truth.csv, the answers and means that the study should find.

    python scripts/rehearse.py results/demo --errors 0.02 0.05 --formats xlsx csv page --out rehearsal
    python scripts/rehearse.py results/demo --adjudicator --out adjudicated    # after the answers were read

Made-up answers say so: in the comment of every row, in the column of the annotator (`simulated-1`), and in the files'
names. Never mix them with those of people.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.report.tables import to_csv
from dualpair.validation import adjudication, filled, ratings_sheets, ratings_text, rehearsal, sheets
from dualpair.validation.instructions import ANNOTATOR, COLUMNS, ITEM_ID
from dualpair.validation.pairs import KINDS
from dualpair.validation.ratings_design import RATING, rows_of

SIMULATED = "simulated"
_SHEET = (ITEM_ID, *COLUMNS, ANNOTATOR)


def fill_sheets(folder: Path, args: argparse.Namespace) -> pd.DataFrame:
    """Fill in the sample's sheets; returns task, lang, kind, pair_id and truth of its items."""
    key = artifacts.read(folder / sheets.KEY_FILE, "sheet_key")
    truth = rehearsal.truths(key, _rates(args), args.seed)
    names = sorted(set(key["annotator"]), key=lambda name: int(name.rsplit("-", 1)[1]))
    if len(args.errors) > len(names):
        raise InputError(f"--errors: {len(args.errors)} given, the sample has {len(names)} annotators; give no more")
    formats = _turns(args.formats)
    for name, error in zip(names, args.errors, strict=False):
        given = rehearsal.said(truth, error, args.seed, name)
        for (task, lang), rows in key[key["annotator"] == name].groupby(["task", "lang"], sort=True):
            entered = {"comment": SIMULATED, "annotator": name.replace("annotator", SIMULATED)}
            cells = {row.item_id: {"answer": given[row.pair_id], **entered} for row in rows_of(rows)}
            target = args.out / "sheets" / name / f"{SIMULATED}-{task}-{lang}"
            filled.fill(folder / name / f"{task}-{lang}", target, _SHEET, cells, next(formats))
    items = key.drop_duplicates(["task", "lang", "pair_id"])[["task", "lang", "kind", "pair_id"]]
    return items.assign(truth=items["pair_id"].map(truth))


def fill_adjudication(args: argparse.Namespace) -> None:
    """Fill in the sheets of the disputed items, without errors.

    Raises:
        InputError: there are none.
    """
    path = args.run / "validation" / "notes.json"
    note = json.loads(path.read_text(encoding="utf-8"))["adjudication"] if path.is_file() else ""
    if not note:
        raise InputError(f"{path}: names no adjudication sheets; name returned sheets in the config and run snakemake")
    folder = args.run / note
    key = artifacts.read(folder.parents[1] / sheets.KEY_FILE, "sheet_key")
    truth = rehearsal.truths(key, _rates(args), args.seed)
    entered = {"comment": SIMULATED, "annotator": f"{SIMULATED}-{adjudication.ADJUDICATOR}"}
    cells = {
        adjudication.adjudication_id(row.item_id): {"answer": truth[row.pair_id], **entered} for row in rows_of(key)
    }
    formats = _turns(args.formats)
    for sheet in sorted(folder.glob("*.csv")):
        filled.fill(sheet.with_suffix(""), args.out / f"{SIMULATED}-{sheet.stem}", _SHEET, cells, next(formats))
    print(f"{args.out}: made-up answers of an adjudicator; add this folder to those of the annotators")


def fill_ratings(folder: Path, args: argparse.Namespace) -> pd.DataFrame:
    """Fill in the survey; returns lang, group, low and true mean of every combination."""
    key = artifacts.read(folder / ratings_sheets.KEY_FILE, "ratings_key")
    formats = _turns(args.formats)
    for (lang, name), rows in key.groupby(["lang", "annotator"], sort=True):
        careless = rehearsal.uniform(args.seed, "careless", lang, name) < args.careless
        given = rehearsal.ratings(
            rows_of(rows.sort_values("position")), rehearsal.Rater(args.noise, careless), args.seed
        )
        cells = {item_id: {"answer": value} for item_id, value in given.items()}
        source = folder / ratings_sheets.FOLDER / str(lang) / str(name)
        target = args.out / "ratings" / str(lang) / f"{SIMULATED}-{name}"
        filled.fill(source, target, ratings_text.COLUMNS, cells, next(formats))
    asked = key.loc[key["kind"] == RATING, ["lang", "group", "low", "high"]].drop_duplicates()
    means = [rehearsal.true_mean(args.seed, row.lang, row.group, row.low) for row in rows_of(asked)]
    return asked.assign(mean=means).sort_values(["lang", "group", "low"])


def run(args: argparse.Namespace) -> None:
    """Fill in whatever the run has handed out.

    Raises:
        InputError: there is neither, or the folder to write to is not empty.
    """
    if args.out.exists() and any(args.out.iterdir()):
        raise InputError(f"{args.out}: is not empty; name a new folder, so that no answers are mixed")
    if args.adjudicator:
        fill_adjudication(args)
        return
    parts = {"sheets": ("truth.csv", fill_sheets), "ratings": ("ratings_truth.csv", fill_ratings)}
    there = {name: args.run / f"{name}.json" for name in parts if (args.run / f"{name}.json").is_file()}
    if not there:
        raise InputError(f"{args.run}: holds neither sheets.json nor ratings.json; run `snakemake sheets` or `ratings`")
    for name, note in there.items():
        file, filling = parts[name]
        truth = filling(args.run / json.loads(note.read_text(encoding="utf-8"))["folder"], args)
        artifacts.write_atomically(args.out / file, to_csv(truth).encode("utf-8-sig"))
        print(f"{args.out / name}: made-up answers; name this folder in the config of a rehearsal only")


def _rates(args: argparse.Namespace) -> rehearsal.Rates:
    return {kind: tuple(getattr(args, kind)) for kind in KINDS}


def _turns(formats: Sequence[str]) -> Iterator[str]:
    """The formats one after another, over and over."""
    while True:
        yield from formats


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="results folder of a run")
    parser.add_argument("--out", required=True, type=Path, help="a new folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--formats", nargs="+", choices=filled.FORMATS, default=["xlsx"], help="taken in turns, by file"
    )
    parser.add_argument("--errors", nargs="+", type=float, default=[0.0], help="error rate of each annotator")
    for kind in KINDS:
        parser.add_argument(
            f"--{kind.replace('_', '-')}", nargs=3, type=float, default=rehearsal.DEFAULT_RATES[kind],
            metavar=("ACCEPT", "REJECT", "NOT_FLUENT"), help=f"true answers of {kind} pairs (shares)",
        )  # fmt: skip
    parser.add_argument(
        "--adjudicator", action="store_true", help="fill in the adjudication sheets instead, with the truth"
    )
    parser.add_argument("--noise", type=float, default=10.0, help="of a rating, in points (standard deviation)")
    parser.add_argument("--careless", type=float, default=0.0, help="share of survey annotators who click at random")
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    """Parse the command line; bad input ends with status 2 and one message."""
    try:
        run(arguments().parse_args(argv))
    except ValueError as error:
        print(f"rehearse: {error}", file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
