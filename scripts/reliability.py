"""How far the measures depend on the wording: split-half reliability, tau-b with surface similarity, Self-BLEU.

Reads: augmented.parquet, variants.parquet, measures/<model>.parquet and, where a model for it is named,
analysis/bertscores.parquet.
Writes below the run's folder: analysis/split_half.*, split_half_languages.*, wording.*, wording_summary.*, self_bleu.*,
wording_pairs.* and self_bleu_sets.* (Parquet and CSV), and the figures split_half, wording_tau and self_bleu.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from dualpair import artifacts
from dualpair.analysis import diversity, split_half, wording
from dualpair.report import tables
from dualpair.report.outputs import write_section
from dualpair.report.section import Facts
from dualpair.report.sections import reliability as reliability_section
from dualpair.report.sections import wording as wording_section
from dualpair.runlog import main

log = logging.getLogger("dualpair")
SECTIONS = (reliability_section, wording_section)
UNSHOWN = ("wording_pairs", "self_bleu_sets")


def run(args: argparse.Namespace) -> None:
    """Compute and write everything."""
    measures = pd.concat([artifacts.read(path, "measures") for path in args.measures], ignore_index=True)
    augmented, variants = artifacts.read(args.augmented, "augmented"), artifacts.read(args.variants, "variants")
    bertscores = artifacts.read(args.bertscores, "bertscores") if args.bertscores else None
    frames = compute(measures, augmented, variants, bertscores, args.facts)
    log.info(
        "%d of %d split-half correlations and %d of %d tau-b are defined",
        *(count for name in (("split_half", "mean"), ("wording", "tau")) for count in _defined(frames, *name)),
    )
    provenance: dict[str, Any] = {"settings": dict(args.facts.analysis), "seed": args.facts.seed}
    if args.bertscores:
        provenance["bertscore"] = artifacts.provenance(args.bertscores)["provenance"]
    for module in SECTIONS:
        own = {name: frames[name] for name in module.TABLES}
        write_section(args.folder, module.section(own, args.facts), own, provenance)
    for name in UNSHOWN:
        base = args.folder / "analysis" / name
        artifacts.write(frames[name], base.with_suffix(".parquet"), name, provenance)
        artifacts.write_atomically(base.with_suffix(".csv"), tables.to_csv(frames[name]).encode())


def compute(
    measures: pd.DataFrame,
    augmented: pd.DataFrame,
    variants: pd.DataFrame,
    bertscores: pd.DataFrame | None,
    facts: Facts,
) -> dict[str, pd.DataFrame]:
    """The seven tables, by name."""
    settings, bootstrap = facts.analysis["split_half"], facts.analysis["bootstrap"]
    halves = split_half.reliability_tables(
        measures, facts.seed, settings["resamples"], settings["include_v0"], bootstrap
    )
    pairs = wording.pairs(augmented, variants, bertscores)
    correlations = wording.correlations(pairs, measures, facts.seed, bootstrap)
    varied = diversity.diversity(augmented, facts.seed, bootstrap)
    return {
        "split_half": halves.cells,
        "split_half_languages": halves.languages,
        "wording": correlations,
        "wording_summary": wording.summary(correlations),
        "wording_pairs": pairs,
        "self_bleu": varied.languages,
        "self_bleu_sets": varied.sets,
    }


def _defined(frames: Mapping[str, pd.DataFrame], name: str, column: str) -> tuple[int, int]:
    return int(frames[name][column].notna().sum()), len(frames[name])


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--augmented", required=True)
    parser.add_argument("--variants", required=True)
    parser.add_argument("--measures", nargs="+", required=True, type=Path)
    parser.add_argument("--bertscores", help="where `analysis: wording: bertscore:` names a model")
    parser.add_argument(
        "--facts", required=True, type=lambda text: Facts.from_json(json.loads(text)), help="of the run, as JSON"
    )
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
