"""Plan a generating task under one model: which answers are missing from the store.

Reads: sources/<task>.parquet. Writes: plans/<task>/<model>.json.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, generation, identity


def run(args: argparse.Namespace) -> None:
    """Write the plan."""
    generation.check_chat(args.entry, args.model)
    model = identity.identity(args.entry, args.device, generation.contract(args.entry))
    asks = generation.ask(args.task, artifacts.read(args.sources, "sources"), args.settings, args.seed, model)
    stage = commands.open_stage(args, generation.KIND, model, [ask.request for ask in asks])
    commands.write_plan(args, stage)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.plan_arguments(parser)
    generation.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
