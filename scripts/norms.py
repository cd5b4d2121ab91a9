"""Turn scores of the feature norms into q per concept, ROC-AUC with intervals, tables and figures.

Reads: norms/concepts.parquet, norms/sentences.parquet and norms/scores/<model>.parquet.
Writes below the run's folder: norms/items.parquet, norms/auc.parquet, analysis/norms_*.parquet|csv|tex and
figures/norms_*.svg|png|csv.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.norms import auc, items
from dualpair.report import outputs
from dualpair.report.section import Facts
from dualpair.report.sections import norms
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Compute and write everything."""
    facts = Facts.from_json(args.facts)
    concepts = artifacts.read(args.concepts, "norms_concepts")
    sentences = artifacts.read(args.sentences, "sentences")
    scored = [
        items.items(concepts, sentences, artifacts.read(path, "scores"), args.normalisation, args.scope)
        for path in args.scores
    ]
    found = pd.concat(scored, ignore_index=True)
    resamples = int(facts.analysis["bootstrap"])
    frames = {
        "norms_auc": auc.table(found, concepts, facts.seed, resamples),
        "norms_q": auc.distributions(found),
        "norms_tuning": auc.base_against_instruct(found, facts.models, facts.seed, resamples),
    }
    counts = found["kept"].astype(bool)
    log.info("%d of %d concepts of a pair have a q under their model", int(counts.sum()), len(counts))
    settings = {"normalisation": args.normalisation, "scope": items.scope_of(args.scope)}
    provenance = {"seed": facts.seed, "bootstrap": resamples, **settings}
    artifacts.write(found, args.folder / "norms" / "items.parquet", "norms_items", settings)
    artifacts.write(frames["norms_auc"], args.folder / "norms" / "auc.parquet", "norms_auc", provenance)
    outputs.write_section(args.folder, norms.section(frames, facts), frames, provenance)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--concepts", required=True)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--scores", nargs="+", required=True, type=Path, help="one file per model")
    parser.add_argument("--normalisation", required=True, help="the config's `scoring.normalisation`")
    parser.add_argument("--scope", required=True, help="the config's `scoring.scope`")
    parser.add_argument("--facts", required=True, type=json.loads, help="what the report knows of the run, as JSON")
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    return parser


if __name__ == "__main__":
    main(run, arguments())
