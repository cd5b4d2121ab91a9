"""Judge a task's candidates by natural language inference, both directions.

Reads: candidates/<task>.parquet, sources/<task>.parquet, the grammar judgements, the plan and, for paraphrases, the
similarities; for alternates sets.parquet too where v0 is to be recorded. Writes: judgements/<task>/nli.parquet with
P(contradiction) and P(entailment) forward (source as premise) and backward.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, nli, nli_inputs


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the probabilities."""
    model, calibration, admitted, sources, originals = nli_inputs.read(args)
    requests = nli.requests(admitted, sources, model, originals)

    def load() -> commands.Caller:
        from dualpair.stages import nli_model

        return nli_model.caller(
            args.entry, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on"
        )

    answers = commands.run_stage(args, commands.open_stage(args, nli.KIND, model, requests), load)
    frame = nli.table(admitted, sources, requests, answers, args.model, calibration, originals)
    fit = None if calibration is None else calibration.model_dump()
    artifacts.write(
        frame, args.out, "judgements", {"model": model, "calibration": fit, "similarity_threshold": args.threshold}
    )


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    nli_inputs.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
