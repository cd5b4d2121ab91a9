"""Judge a task's candidates by natural language inference, both directions.

Reads: candidates/<task>.parquet, sources/<task>.parquet, the plan and, for paraphrases, the similarities.
Writes: judgements/<task>/nli.parquet with P(contradiction) forward (source as premise) and backward.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, nli, nli_inputs


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the probabilities."""
    model = nli_inputs.identity(args.entry, args.device)
    admitted, sources = nli_inputs.read(args)
    requests = nli.requests(admitted, sources, model)

    def load() -> commands.Caller:
        from dualpair.stages import nli_model

        return nli_model.caller(
            args.entry, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on"
        )

    answers = commands.run_stage(args, commands.open_stage(args, nli.KIND, model, requests), load)
    frame = nli.table(admitted, sources, requests, answers, args.model)
    artifacts.write(frame, args.out, "judgements", {"model": model, "threshold": args.threshold})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    nli_inputs.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
