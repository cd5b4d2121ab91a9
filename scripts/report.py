"""Write the report: one self-contained page.

Reads: sets, augmented, scores, measures and the analyses' tables. Writes: report.html.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from dualpair import __version__, artifacts
from dualpair.report import html, order
from dualpair.report.data import ReportData
from dualpair.report.section import Facts, Section
from dualpair.report.sections import ratings
from dualpair.report.validation import ValidationData
from dualpair.runlog import main
from dualpair.stages.identity import libraries

log = logging.getLogger("dualpair")
LIBRARIES = ("pandas", "pyarrow", "scipy", "snakemake", "statsmodels", "torch", "transformers")


def run(args: argparse.Namespace) -> None:
    """Build the page."""
    measures = [artifacts.read(path, "measures") for path in args.measures]
    augmented = artifacts.read(args.augmented, "augmented")
    tables = {path.stem: artifacts.read(path, path.stem) for path in args.tables}
    answers = validation(args.validation, args.config) if args.validation else None
    texts = json.loads(Path(args.warnings).read_text(encoding="utf-8")) + unmeasured(augmented, measures)
    data = ReportData(
        run=args.config["run"],
        headline=tables["headline"],
        contradictions=tables["contradictions"],
        funnel=tables["funnel"],
        warnings=pd.DataFrame({"text": texts}, dtype=object),
        augmented=augmented,
        sets=artifacts.read(args.sets, "sets"),
        measures={str(frame["model"].iloc[0]): frame for frame in measures if len(frame)},
        config_yaml=yaml.safe_dump(args.config, sort_keys=False, allow_unicode=True),
        provenance=provenance([artifacts.read(path, "scores") for path in args.scores]),
        sections=order.sections(tables, args.facts),
        tables={**tables, **({"validation_rates": answers.rates} if answers else {})},
        validation=answers,
        ratings=None if args.ratings is None else trait_ratings(args.ratings),
    )
    page = html.build(data).encode()
    artifacts.write_atomically(Path(args.out), page)
    log.info("%s: %.1f MB, sections %s", args.out, len(page) / 1e6, ", ".join(one.id for one in data.sections))


def validation(folder: Path, config: dict[str, Any]) -> ValidationData:
    """What native speakers answered."""
    names = ("rates", "agreement", "annotators", "items", "curve", "thresholds", "problems", "rejected")
    frames = {name: artifacts.read(folder / f"{name}.parquet", f"validation_{name}") for name in names}
    notes = json.loads((folder / "notes.json").read_text(encoding="utf-8"))
    return ValidationData(**frames, notes=notes, applied=config["validation"]["apply"])


def trait_ratings(name: str) -> Section:
    """The section of the trait survey; without a folder, what to do to get answers."""
    if not name:
        return ratings.section(None, {})
    folder = Path(name)
    frames = {table: artifacts.read(folder / f"{table}.parquet", table) for table in ratings.TABLES}
    return ratings.section(frames, json.loads((folder / "notes.json").read_text(encoding="utf-8")))


def unmeasured(augmented: pd.DataFrame, measures: list[pd.DataFrame]) -> list[str]:
    """A sentence for each model that could not score every pair."""
    return [
        f"{frame['model'].iloc[0]}: {len(augmented) - len(frame)} of {len(augmented)} pairs were not measured, because "
        f"a sentence could not be scored; its scores table and the log of measure_model have the reasons."
        for frame in measures
        if 0 < len(frame) < len(augmented)
    ]


def provenance(scores: list[pd.DataFrame]) -> dict[str, str]:
    """Label to value: this package, each model as it was run, the libraries."""
    found = {"dualpair": __version__}
    for frame in scores:
        row = frame.iloc[0]
        found[f"model {row['model']}"] = (
            f"{row['model_revision']}, {row['dtype']}, quantisation {row['quantisation']}, engine {row['engine']}, "
            f"BOS {row['bos_policy']}"
        )
    return found | libraries(*LIBRARIES)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sets", "augmented", "warnings", "out"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("scores", "measures"):
        parser.add_argument(f"--{name}", nargs="+", required=True, type=Path)
    parser.add_argument(
        "--tables", nargs="+", required=True, type=Path, help="tables of the analyses; a file is named as its table"
    )
    parser.add_argument("--validation", type=Path, help="folder of the validation's tables, if answers came back")
    parser.add_argument(
        "--ratings", nargs="?", const="", help="the run has a trait survey: the folder of its tables, once answers came"
    )
    parser.add_argument("--facts", required=True, type=lambda text: Facts.from_json(json.loads(text)), help="JSON")
    parser.add_argument("--config", required=True, type=json.loads, help="the settings to print, as JSON")
    return parser


if __name__ == "__main__":
    main(run, arguments())
