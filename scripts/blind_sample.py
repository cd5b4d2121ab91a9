"""Draw accepted and rejected pairs of a run for somebody who judges them afresh, and score the answers.

Reads results/<run>/{sets,variants,alternates}.parquet. Writes a CSV to hand out (id, lang, source, candidate, question,
answer; shuffled, nothing in it tells the kind) and a key to keep. A reader fills in `answer`: yes or no.

    python scripts/blind_sample.py results/demo --task alternate --out blind.csv --key key.csv
    python scripts/blind_sample.py --score blind.csv --key key.csv
    python scripts/blind_sample.py results/demo --score blind.csv --key key.csv --readings readings.csv

The draw is the one of the human-validation sheets (`validation.sampling`), less its mismatched pairs; a rejected pair
is one that a threshold dropped. Right is a yes to an accepted pair and a no to a rejected one. With `--readings` the
answers are written with what the filters measured of the candidates, for `dualpair fit-acceptance`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dualpair import artifacts, csv_files
from dualpair.analysis.contradictions import wilson
from dualpair.errors import InputError
from dualpair.filters import readings
from dualpair.filters.selection import THRESHOLD_REASONS
from dualpair.validation import sampling

QUESTIONS = {
    "paraphrase": "Does the candidate claim the same about the same group as the source, no more and no less, in "
    "correct language? yes or no",
    "alternate": "Does the candidate claim the opposite of the source about the same group, in correct language? yes "
    "or no",
}
ACCEPTED, REJECTED = "accepted", "below_threshold"
KEY = ("item_id", "task", "lang", "kind", "candidate_id")


def draw(run: Path, task: str, accepted: int, rejected: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The sheet to hand out, and its key.

    Args:
        run: a run's results folder.
        task: paraphrase or alternate.
        accepted: accepted pairs of each language; with too few, all there are.
        rejected: pairs that a threshold dropped, likewise.
        seed: of the draw and the order.

    Raises:
        InputError: a table is missing, or there is nothing to draw.
    """
    tables = []
    for name in ("sets", "variants", "alternates"):
        path = run / f"{name}.parquet"
        if not path.is_file():
            raise InputError(f"{path}: no such file; give the results folder of a run that has finished its selection")
        tables.append(artifacts.read(path, name))
    sets, variants, alternates = tables
    settings = sampling.SampleSettings(accepted, 0, rejected)
    drawn, warnings = sampling.sample(sets, variants, alternates, settings, seed, THRESHOLD_REASONS)
    key = drawn[drawn["task"] == task].reset_index(drop=True)
    for warning in warnings:
        if warning.startswith(f"{task},"):
            print(f"note: {warning}", file=sys.stderr)
    if key.empty:
        raise InputError(f"{run}: no {task} was accepted or dropped by a threshold; there is nothing to judge")
    texts = zip(key["first"], key["second"], key["source_first"], strict=True)
    ordered = [(first, second) if source_first else (second, first) for first, second, source_first in texts]
    sheet = pd.DataFrame(ordered, columns=["source", "candidate"])
    sheet.insert(0, "id", key["item_id"])
    sheet.insert(1, "lang", key["lang"])
    return sheet.assign(question=QUESTIONS[task], answer=""), key[list(KEY)]


def score(answers: Path, key: Path) -> pd.DataFrame:
    """Share of right answers with its 95 % Wilson interval, by kind and language.

    Raises:
        InputError: ids that differ from the key's, or an answer that is neither yes nor no.
    """
    given, known = csv_files.texts(answers, ("id", "answer")), csv_files.texts(key, KEY)
    if sorted(given["id"]) != sorted(known["item_id"]):
        odd = sorted(set(given["id"]) ^ set(known["item_id"])) or ["one of them twice"]
        raise InputError(
            f"{answers}: its ids are not those of {key} (first: {odd[0]}); give the answers to this sample"
        )
    said = given["answer"].str.strip().str.lower()
    if (bad := ~said.isin(readings.ANSWERS)).any():
        first = given[bad].iloc[0]
        raise InputError(
            f"{answers}: {int(bad.sum())} answers are neither yes nor no, first: id {first['id']}, "
            f"{first['answer']!r}; fill them in"
        )
    merged = known.assign(answer=known["item_id"].map(dict(zip(given["id"], said, strict=True))))
    merged["right"] = (merged["answer"] == "yes") == (merged["kind"] == ACCEPTED)
    rows = []
    for kind in (ACCEPTED, REJECTED):
        of_kind = merged[merged["kind"] == kind]
        for lang in [*sorted(set(of_kind["lang"])), "all"]:
            right = of_kind.loc[of_kind["lang"].isin([lang] if lang != "all" else set(of_kind["lang"])), "right"]
            share, low, high = wilson(int(right.sum()), len(right))
            rows.append((kind, lang, len(right), int(right.sum()), share, low, high))
    return pd.DataFrame(rows, columns=["kind", "lang", "pairs", "right", "share", "low", "high"])


def write_readings(run: Path, answers: Path, key: Path, out: Path) -> None:
    """Write a scored sheet's answers with the judgements of their candidates."""
    known = csv_files.texts(key, KEY)
    frame = readings.of_run(run, known, csv_files.texts(answers, ("id", "source", "candidate", "answer")))
    _write(frame, out)
    left = len(known) - len(frame)
    note = f" ({left} that the judges have not measured whole are left out)" if left else ""
    print(f"{out}: {len(frame)} readings{note}")


def _write(frame: pd.DataFrame, path: Path) -> None:
    artifacts.write_atomically(path, frame.to_csv(index=False, lineterminator="\n").encode())


def main(argv: Sequence[str] | None = None) -> None:
    """Parse the command line; bad input ends with status 2 and one message."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, nargs="?", help="results/<run>")
    parser.add_argument("--task", choices=sorted(QUESTIONS), default="paraphrase")
    parser.add_argument("--accepted", type=int, default=40, help="of each language (default: 40)")
    parser.add_argument("--rejected", type=int, default=20, help="of each language (default: 20)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="sheet to write (CSV)")
    parser.add_argument("--key", type=Path, required=True, help="key: written with the sheet, read with --score")
    parser.add_argument("--score", type=Path, metavar="CSV", help="the sheet with its answers")
    parser.add_argument("--readings", type=Path, metavar="CSV", help="with --score and results/<run>: file to write")
    args = parser.parse_args(argv)
    wanted = (args.score is None, args.run is None, args.out is None, args.readings is None)
    if wanted not in ((True, False, False, True), (False, True, True, True), (False, False, True, False)):
        parser.error("give results/<run> and --out to draw; --score to score; results/<run>, --score and --readings")
    try:
        if args.score is not None:
            print(score(args.score, args.key).to_string(index=False, float_format="%.3f", na_rep="-"))
            if args.readings is not None:
                write_readings(args.run, args.score, args.key, args.readings)
            return
        sheet, key = draw(args.run, args.task, args.accepted, args.rejected, args.seed)
        _write(sheet, args.out)
        _write(key, args.key)
    except (ValueError, OSError) as error:
        print(f"blind_sample: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    print(f"{args.out}: {len(sheet)} pairs; the key is in {args.key}, keep it apart")


if __name__ == "__main__":
    main()
