"""Judge the grammar of a task's candidates by a causal model: each candidate with each group, against its source.

Reads: candidates/<task>.parquet, sources/<task>.parquet and the plan. Writes: judgements/<task>/grammar/lm.parquet.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, grammar_lm, identity, score


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the scores."""
    model = identity.identity(args.entry, args.device, score.contract(args.entry))
    pairs = grammar_lm.read(args)
    requests = grammar_lm.requests(pairs, model)

    def load() -> commands.Caller:
        from dualpair.stages import score_model

        return score_model.caller(
            args.entry, args.model, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on"
        )

    answers = commands.run_stage(args, commands.open_stage(args, grammar_lm.KIND, model, requests), load)
    frame = grammar_lm.table(pairs, requests, answers, args.model)
    artifacts.write(frame, args.out, "judgements", {"model": model, "languages": args.languages})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    grammar_lm.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
