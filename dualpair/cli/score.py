"""`dualpair score`: score a table of prefixes and continuations."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair.cli import models
from dualpair.errors import InputError

if TYPE_CHECKING:
    from dualpair.sources.settings import Reading


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    score = commands.add_parser("score", help="score a table of prefix,continuation")
    models.add_options(score)
    score.add_argument(
        "--in", dest="source", type=Path, required=True,
        help="table with the columns prefix,continuation[,lang]: .csv, .tsv, .parquet or .jsonl",
    )  # fmt: skip
    score.add_argument("--out", type=Path, required=True, help="file to write: .parquet, .csv, .tsv or .jsonl")
    score.add_argument(
        "--join", action="store_true", help="put the joiner of the row's language before its continuation"
    )
    score.add_argument("--encoding", default="utf-8", help="encoding of a text file (default: utf-8)")
    score.add_argument("--delimiter", choices=("auto", "comma", "semicolon", "tab", "pipe"), default="auto")
    score.add_argument("--quotes", choices=("double", "none"), default="double", help="none: a quote mark is text")
    score.add_argument("--tokens", action="store_true", help="write token ids and log-probabilities (.parquet, .jsonl)")
    score.set_defaults(command=run)


def run(args: argparse.Namespace) -> None:
    """Score a table, verbatim or joined, and write the scores in its order."""
    from dualpair.scoring import pairs_file
    from dualpair.scoring.engine import Failure
    from dualpair.scoring.table import frame_of, score_each
    from dualpair.stages import identity, score

    pairs_file.check_out(args.out, args.tokens, args.source)
    pairs = pairs_file.read_pairs(args.source, args.join, _reading(args))
    chosen = models.chosen(args)
    models.warn_of_space(chosen.context, {pair.lang for pair in pairs})
    texts = [(pair.prefix, pair.continuation) for pair in pairs]
    with chosen.opened() as engine:
        model = identity.identity(chosen.entry, chosen.device, score.contract(chosen.entry))
        scored = score_each(engine, texts, chosen.context)
        label = engine.label
    frame = frame_of(label, texts, scored, args.tokens, model["weights"])
    frame.insert(0, "row", [pair.row for pair in pairs])
    frame.insert(1, "lang", [pair.lang for pair in pairs])
    frame["reason"] = [row.reason if isinstance(row, Failure) else "" for row in scored]
    for row, reason in frame.loc[~frame["kept"], ["row", "reason"]].itertuples(index=False):
        logging.warning("%s: row %d was not scored: %s", args.source, row, reason)
    pairs_file.write_scores(frame, args.out, args.tokens, {"model": model, **chosen.context.content()})
    print(f"{args.out}: {len(frame)} rows, {int(frame['kept'].sum())} scored")


def _reading(args: argparse.Namespace) -> Reading:
    """How the table is read."""
    from pydantic import ValidationError

    from dualpair.sources.settings import Reading

    try:
        return Reading(encoding=args.encoding, delimiter=args.delimiter, quotes=args.quotes)
    except ValidationError as error:
        problem = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise InputError(f"--encoding {args.encoding}: {problem}") from None
