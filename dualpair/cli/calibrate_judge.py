"""`dualpair calibrate-judge`: fit an instruct model as inference judge, or measure a classifier."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dualpair import config as configs


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    about = "fit an instruct model as inference judge on labelled pairs, or measure a classifier on them"
    judge = commands.add_parser("calibrate-judge", help=about, description=about)
    judge.add_argument("--model", required=True, help="name of a built-in model, or of one in --config")
    judge.add_argument("--config", type=Path, help="config file whose `models`, device and token budget are used")
    judge.add_argument(
        "--pairs", type=Path, metavar="CSV",
        help="labelled pairs: lang,premise,hypothesis,label (paraphrase, opposite, unrelated, different); those of "
        "--scores call no model; default: the shipped ones",
    )  # fmt: skip
    judge.add_argument(
        "--dtype", choices=("auto", "bfloat16", "float16", "float32"), default="auto", help="a fit holds for one dtype"
    )
    judge.add_argument("--out", type=Path, metavar="YAML", help="write the lines for the model's entry")
    judge.add_argument("--scores", type=Path, metavar="CSV", help="write the pairs with their log-probabilities")
    judge.set_defaults(command=run)


def run(args: argparse.Namespace) -> None:
    """Judge labelled pairs, and print quality, fit and the lines for the registry."""
    from dualpair.filters import calibrate
    from dualpair.models.registry import ModelEntry, builtin_models

    options = calibrate.Options(args.model, args.pairs, args.dtype, out=args.out, scores=args.scores)
    if args.config is None:
        models = {name: ModelEntry.model_validate(entry) for name, entry in builtin_models().items()}
        print(calibrate.run(models, "resources/models.yaml", options))
        return
    config = configs.load_file(args.config, calibrating=True)
    device, budget = config.execution.device, config.execution.token_budget
    options = options._replace(device=device, token_budget=budget, offline=config.offline)
    print(calibrate.run(config.models, str(args.config), options))
