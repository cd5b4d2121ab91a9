"""Plan grammar engine lm for a task: which sentences of candidates and sources have no score in the store.

Reads: candidates/<task>.parquet and sources/<task>.parquet. Writes: plans/grammar-<task>/<model>.json.
"""

from __future__ import annotations

import argparse

from dualpair.runlog import main
from dualpair.stages import commands, grammar_lm, identity, score


def run(args: argparse.Namespace) -> None:
    """Write the plan."""
    model = identity.identity(args.entry, args.device, score.contract(args.entry))
    requests = grammar_lm.requests(grammar_lm.read(args), model)
    commands.write_plan(args, commands.open_stage(args, grammar_lm.KIND, model, requests))


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.plan_arguments(parser)
    grammar_lm.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
