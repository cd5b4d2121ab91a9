"""Turn measures into the headline's tables and figures: means, contradictions, I against B, what was made, the funnel.

Reads: the tables from stereotypes to augmented, measures/<model>.parquet and set_measures/<model>.parquet.
Writes below the run's folder: analysis/*.parquet, *.csv and *.tex of the sections headline, contradictions, quadratic
and made, their figures, analysis/funnel.parquet, analysis/warnings.json, funnel.csv.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.analysis import contradictions, funnel, headline, made, quadratic
from dualpair.report import tables
from dualpair.report.outputs import write_section
from dualpair.report.section import Facts
from dualpair.report.sections import contradictions as contradictions_section
from dualpair.report.sections import headline as headline_section
from dualpair.report.sections import made as made_section
from dualpair.report.sections import quadratic as quadratic_section
from dualpair.runlog import main

log = logging.getLogger("dualpair")
SECTIONS = (headline_section, contradictions_section, quadratic_section, made_section)


def run(args: argparse.Namespace) -> None:
    """Compute and write everything."""
    facts = Facts.from_json(args.facts)
    write_funnel(args)
    frames = analyses(args, facts)
    provenance = {"analysis": dict(facts.analysis), "seed": facts.seed, "tie": facts.tie, "unit": facts.unit}
    for one in SECTIONS:
        own = {name: frames[name] for name in one.TABLES}
        section = one.section(own, facts)
        write_section(args.folder, section, own, provenance)
        log.info("%s: %s", section.id, section.shortfall or f"{len(own)} tables, {len(section.drawings)} figures")


def analyses(args: argparse.Namespace, facts: Facts) -> dict[str, pd.DataFrame]:
    """Table name to table, all but the funnel."""
    measures = pd.concat([artifacts.read(path, "measures") for path in args.measures], ignore_index=True)
    sets = pd.concat([artifacts.read(path, "set_measures") for path in args.set_measures], ignore_index=True)
    resamples = facts.analysis["bootstrap"]
    return {
        "headline": headline.headline(sets, facts.seed, resamples),
        "contradictions": contradictions.rates(measures, sets, facts.seed, facts.tie, resamples),
        "contradictions_mean": contradictions.mean_rates(measures, sets, facts.seed, facts.tie, resamples),
        "quadratic": quadratic.quadratic(measures, facts.seed, resamples),
        "quadratic_bins": quadratic.bins(measures),
        "made": made.made(*(artifacts.read(getattr(args, name), name) for name in made.INPUTS)),
    }


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
    parser.add_argument("--facts", required=True, type=json.loads, help="what sections may say of the run, as JSON")
    parser.add_argument("--rejected", help="pairs that people reject, where they are left out")
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
