"""Compare models on the same sets: every pair, base against instruct, and trends over sizes or checkpoints.

Reads: set_measures/<model>.parquet.
Writes below the run's folder: analysis/comparison.*, analysis/comparison_detectable.*, analysis/tuning.*,
analysis/trends.*, and their figures.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.analysis import comparison, families, trends
from dualpair.report.outputs import write_section
from dualpair.report.section import Facts
from dualpair.report.sections import comparison as comparison_section
from dualpair.report.sections import trends as trends_section
from dualpair.report.sections import tuning as tuning_section
from dualpair.runlog import main

log = logging.getLogger("dualpair")
SECTIONS = (comparison_section, tuning_section, trends_section)


def run(args: argparse.Namespace) -> None:
    """Compute and write everything."""
    measured = pd.concat([artifacts.read(path, "set_measures") for path in args.set_measures], ignore_index=True)
    frames = compute(measured, args.facts)
    log.info("%d comparisons, %d of base and instruct, %d trends", *(
        len(frames[name]) for name in ("comparison", "tuning", "trends")
    ))  # fmt: skip
    provenance = {"settings": dict(args.facts.analysis), "seed": args.facts.seed, "models": dict(args.facts.models)}
    for module in SECTIONS:
        own = {name: frames[name] for name in module.TABLES}
        write_section(args.folder, module.section(own, args.facts), own, provenance)


def compute(set_measures: pd.DataFrame, facts: Facts) -> dict[str, pd.DataFrame]:
    """The four tables, by name."""
    resampling = comparison.Resampling.of(facts.seed, facts.analysis)
    pairs = comparison.comparison(set_measures, resampling)
    return {
        "comparison": pairs,
        "comparison_detectable": comparison.detectable_by_sets(pairs, resampling.power),
        "tuning": families.tuning(set_measures, facts.models, resampling._replace(name="tuning")),
        "trends": trends.trends(set_measures, facts.models, resampling._replace(name="trends")),
    }


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set-measures", nargs="+", required=True, type=Path)
    parser.add_argument(
        "--facts", required=True, type=lambda text: Facts.from_json(json.loads(text)), help="of the run, as JSON"
    )
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
