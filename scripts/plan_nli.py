"""Plan the NLI judge of a task: which directed pairs are not in the store.

Reads: candidates/<task>.parquet, sources/<task>.parquet, judgements/<task>/grammar.parquet and, where the similarity
threshold comes first (paraphrases), judgements/<task>/similarity.parquet. Writes: plans/nli-<task>/<model>.json.
"""

from __future__ import annotations

import argparse

from dualpair.runlog import main
from dualpair.stages import commands, nli, nli_inputs


def run(args: argparse.Namespace) -> None:
    """Write the plan."""
    given = nli_inputs.read(args)
    requests = nli.requests(given.admitted, given.sources, given.identity, given.originals)
    commands.write_plan(args, commands.open_stage(args, nli.KIND, given.identity, requests))


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.plan_arguments(parser)
    nli_inputs.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
