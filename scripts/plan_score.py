"""Plan the scoring of one model: which distinct sentences have no score in the store.

Reads: sentences.parquet. Writes: plans/score/<model>.json.
"""

from __future__ import annotations

import argparse
import json

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, identity, score


def run(args: argparse.Namespace) -> None:
    """Write the plan."""
    model = identity.identity(args.entry, args.device, score.contract(args.entry))
    contexts = score.contexts(args.context, args.entry, args.model)
    requests = score.requests(artifacts.read(args.sentences, "sentences"), model, contexts)
    commands.write_plan(args, commands.open_stage(args, score.KIND, model, requests))


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.plan_arguments(parser)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--context", type=json.loads, default={}, help="language to context, as JSON; {}: raw text")
    return parser


if __name__ == "__main__":
    main(run, arguments())
