"""Score the sentences of one shard of a plan, all languages inside.

Reads: sentences.parquet and the plan. Writes: plans/score/<model>.shards/<i>-of-<n>.json: which units are done, and the
rows that failed. The scores go to the store, where the job that merges the shards finds them.
"""

from __future__ import annotations

import argparse
import json

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, identity, score


def run(args: argparse.Namespace) -> None:
    """Carry the shard out and note it."""
    model = identity.identity(args.entry, args.device, score.contract(args.entry))
    contexts = score.contexts(args.context, args.entry, args.model)
    requests = score.requests(artifacts.read(args.sentences, "sentences"), model, contexts)

    def load() -> commands.Caller:
        from dualpair.stages import score_model

        return score_model.caller(
            args.entry, args.model, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on"
        )

    commands.run_shard(args, commands.open_stage(args, score.KIND, model, requests), load)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.shard_arguments(parser)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--context", type=json.loads, default={}, help="language to context, as JSON; {}: raw text")
    return parser


if __name__ == "__main__":
    main(run, arguments())
