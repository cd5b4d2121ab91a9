"""Turn measures into the tables and figures of the analyses, and the funnel.

Reads: the tables from stereotypes to augmented, measures/<model>.parquet and set_measures/<model>.parquet.
Writes below the run's folder: analysis/headline.*, analysis/contradictions.*, analysis/funnel.parquet,
analysis/warnings.json, figures/*, funnel.csv.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.analysis import contradictions, funnel, headline
from dualpair.measures.spans import UNITS
from dualpair.report import figures, tables
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Compute and write everything."""
    write_funnel(args)
    measures = pd.concat([artifacts.read(path, "measures") for path in args.measures], ignore_index=True)
    set_measures = pd.concat([artifacts.read(path, "set_measures") for path in args.set_measures], ignore_index=True)
    rates = contradictions.rates(measures, set_measures, args.tie)
    means = headline.headline(set_measures, args.seed, args.settings["bootstrap"])
    unit = UNITS[args.normalisation]
    analyses = {
        "headline": (means, tables.headline_view(means, unit), "Means over sets with 95 % intervals."),
        "contradictions": (
            rates,
            tables.contradictions_view(rates),
            "Contradictions and flips, Wilson 95 % intervals.",
        ),
    }
    for name, (frame, view, caption) in analyses.items():
        base = args.folder / "analysis" / name
        provenance = {"settings": args.settings, "seed": args.seed, "tie": args.tie}
        artifacts.write(frame, base.with_suffix(".parquet"), name, provenance)
        artifacts.write_atomically(base.with_suffix(".csv"), tables.to_csv(frame).encode())
        artifacts.write_atomically(base.with_suffix(".tex"), tables.to_latex(view, caption, f"tab:{name}").encode())
    for drawing in figures.drawings(rates, means, unit):
        figures.write(drawing, args.folder / "figures")


def write_funnel(args: argparse.Namespace) -> None:
    """The funnel, whose counts must add up, and a warning for each group that loses significantly more rows."""
    candidates = pd.concat([artifacts.read(path, "candidates") for path in args.candidates], ignore_index=True)
    frame = funnel.funnel(
        artifacts.read(args.stereotypes, "stereotypes"),
        artifacts.read(args.sets, "sets"),
        candidates,
        artifacts.read(args.variants, "variants"),
        artifacts.read(args.alternates, "alternates"),
        artifacts.read(args.augmented, "augmented"),
        artifacts.read(args.rejected, "validation_rejected") if args.rejected else None,
    )
    funnel.check(frame)
    artifacts.write(frame, args.folder / "analysis" / "funnel.parquet", "funnel")
    artifacts.write_atomically(args.folder / "funnel.csv", tables.to_csv(frame).encode())
    warnings = [str(text) for text in funnel.uneven_losses(frame)["text"]]
    for text in warnings:
        log.warning("%s", text)
    text = json.dumps(warnings, indent=1, ensure_ascii=False) + "\n"
    artifacts.write_atomically(args.folder / "analysis" / "warnings.json", text.encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("stereotypes", "sets", "variants", "alternates", "augmented"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("candidates", "measures", "set-measures"):
        parser.add_argument(f"--{name}", nargs="+", required=True, type=Path)
    parser.add_argument("--settings", required=True, type=json.loads, help="the config's `analysis`, as JSON")
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--tie", required=True, type=float, help="nats")
    parser.add_argument("--normalisation", required=True, choices=sorted(UNITS), help="the config's `scoring`")
    parser.add_argument("--rejected", help="pairs that people reject, where they are left out")
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
