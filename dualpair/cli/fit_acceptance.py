"""`dualpair fit-acceptance`: fit the probability that a reader accepts a candidate, on candidates that were judged."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    about = "fit the probability that a reader accepts a candidate, for `filters.acceptance`; calls no model"
    fit = commands.add_parser("fit-acceptance", help=about, description=about)
    fit.add_argument(
        "readings", type=Path, metavar="CSV",
        help="candidates with judgements and a reader's answers, as scripts/blind_sample.py --readings writes them",
    )  # fmt: skip
    for task in ("paraphrase", "alternate"):
        about = f"accepted share that the {task}s kept should have, 0 to 1 (default: 0.9)"
        fit.add_argument(f"--{task}-target", type=float, default=0.9, metavar="SHARE", help=about)
    fit.add_argument("--out", type=Path, metavar="YAML", help="write the fit, whose path `filters.acceptance` may name")
    fit.set_defaults(command=run)


def run(args: argparse.Namespace) -> None:
    """Print the cross-validated quality, and write the fit."""
    from dualpair.filters import acceptance_fit, readings

    frame = readings.read(args.readings)
    targets = {"paraphrase": args.paraphrase_target, "alternate": args.alternate_target}
    fit, results = acceptance_fit.fit(frame, args.readings, targets)
    print(acceptance_fit.report(results).to_string(index=False, float_format="%.2f", na_rep="-"))
    if args.out is not None:
        told = ", ".join(f"{task}s: {target:g}" for task, target in targets.items())
        acceptance_fit.write(fit, args.out, f"{args.readings.name} ({told})")
        print(f"{args.out}: name it in `filters.acceptance`")
