"""Plan the similarity judge of a task: which sentences have no vector in the store.

Reads: candidates/<task>.parquet, sources/<task>.parquet. Writes: plans/similarity-<task>/<model>.json.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, identity, similarity


def run(args: argparse.Namespace) -> None:
    """Write the plan."""
    model = identity.identity(args.entry, args.device, similarity.contract())
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    requests = similarity.requests(candidates, sources, model)
    commands.write_plan(args, commands.open_stage(args, similarity.KIND, model, requests))


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.plan_arguments(parser)
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
