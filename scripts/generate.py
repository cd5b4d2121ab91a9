"""Generate paraphrases or alternates with one model, all languages inside.

Reads: sources/<task>.parquet and its plan. Writes: generations/<task>/<model>.parquet, one row per answer.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, generation, identity


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the answers."""
    generation.check_chat(args.entry, args.model)
    model = identity.identity(args.entry, args.device, generation.contract(args.entry))
    asks = generation.ask(args.task, artifacts.read(args.sources, "sources"), args.settings, args.seed, model)
    stage = commands.open_stage(args, generation.KIND, model, [ask.request for ask in asks])
    rows = {ask.request.key: ask.row for ask in asks}

    def load() -> commands.Caller:
        from dualpair.stages import generation_model

        return generation_model.caller(
            args.entry, args.model, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on", rows
        )

    answers = commands.run_stage(args, stage, load)
    provenance = {"model": model, "settings": args.settings._asdict(), "seed": args.seed}
    provenance["libraries"] = identity.libraries("torch", "transformers", "tokenizers")
    artifacts.write(generation.table(asks, answers, args.model), args.out, "generations", provenance)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    generation.add_arguments(parser)
    return parser


if __name__ == "__main__":
    main(run, arguments())
