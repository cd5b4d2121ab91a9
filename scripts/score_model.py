"""Score every distinct sentence with one model, all languages inside.

Reads: sentences.parquet and the plan. Writes: scores/<model>.parquet: log-probability sums in nats and token counts of
continuation and prefix. The per-token values stay in the store.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, identity, score


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the scores."""
    model = identity.identity(args.entry, args.device, score.contract(args.entry))
    sentences = artifacts.read(args.sentences, "sentences")
    requests = score.requests(sentences, model)

    def load() -> commands.Caller:
        from dualpair.stages import score_model

        return score_model.caller(
            args.entry, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on"
        )

    answers = commands.run_stage(args, commands.open_stage(args, score.KIND, model, requests), load)
    frame = score.table(sentences, requests, answers, args.model, args.entry, model)
    provenance = {"model": model, "libraries": identity.libraries("torch", "transformers", "tokenizers")}
    artifacts.write(frame, args.out, "scores", provenance)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    parser.add_argument("--sentences", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
