"""Change across languages, and the analysis of variance with its mixed models.

Reads: set_measures/<model>.parquet.
Writes below the run's folder: analysis/across_languages.*, analysis/across_languages_types.*, analysis/anova.*,
analysis/anova_levels.*, analysis/anova_mixed.*, analysis/anova_variances.*, and their figures.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.analysis import across_languages, anova, anova_design, mixed
from dualpair.report.outputs import write_section
from dualpair.report.section import Facts
from dualpair.report.sections import anova as anova_section
from dualpair.report.sections import languages as languages_section
from dualpair.runlog import main

log = logging.getLogger("dualpair")
SECTIONS = (languages_section, anova_section)


def run(args: argparse.Namespace) -> None:
    """Compute and write everything."""
    measured = pd.concat([artifacts.read(path, "set_measures") for path in args.set_measures], ignore_index=True)
    frames = {**languages(measured, args.facts), **variance(measured, args.facts)}
    log.info("%d changes across languages, %d of a bias type, %d rows of the analysis of variance", *(
        len(frames[name]) for name in ("across_languages", "across_languages_types", "anova")
    ))  # fmt: skip
    provenance = {"settings": dict(args.facts.analysis), "seed": args.facts.seed}
    for module in SECTIONS:
        own = {name: frames[name] for name in module.TABLES}
        section = module.section(own, args.facts)
        if section.shortfall:
            log.warning("%s: %s", section.title, section.shortfall)
        write_section(args.folder, section, own, provenance)


def languages(set_measures: pd.DataFrame, facts: Facts) -> dict[str, pd.DataFrame]:
    """Tables of the change across languages; empty without an anchor."""
    anchor, settings = facts.analysis["anchor"], facts.analysis
    if anchor is None:
        return {name: artifacts.empty(name) for name in languages_section.TABLES}
    told = across_languages.Settings(facts.seed, settings["bootstrap"], settings["comparison"]["permutations"])
    return across_languages.across_languages(set_measures, anchor, told)


def variance(set_measures: pd.DataFrame, facts: Facts) -> dict[str, pd.DataFrame]:
    """Tables of the analysis of variance; empty where complete sets or factors lack."""
    settings = facts.analysis["anova"]
    design = anova_design.design(set_measures)
    frames = {name: artifacts.empty(name) for name in anova_section.TABLES}
    frames["anova_levels"] = anova_design.levels_table(set_measures, design)
    if design.analysable:
        frames["anova"] = anova.with_intervals(design, settings["type"], facts.seed, settings["resamples"])
        if settings["mixed_model"]:
            fitted = mixed.fit(design, settings["type"])
            frames |= {"anova_mixed": fitted.tests, "anova_variances": fitted.variances}
    return frames


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
