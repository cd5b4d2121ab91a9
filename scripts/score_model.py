"""Score every distinct sentence with one model, all languages inside.

Reads: sentences.parquet and the plan. Writes: scores/<model>.parquet: log-probability sums in nats and token counts of
continuation and prefix. The per-token values stay in the store, and are written into the table when asked for.
"""

from __future__ import annotations

import argparse
import json

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, identity, score


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the scores."""
    model = identity.identity(args.entry, args.device, score.contract(args.entry))
    sentences = artifacts.read(args.sentences, "sentences")
    requests = score.requests(sentences, model, score.contexts(args.context, args.entry, args.model))

    def load() -> commands.Caller:
        from dualpair.stages import score_model

        return score_model.caller(
            args.entry, args.model, model["dtype"], args.device, args.threads, args.token_budget, args.hub == "on"
        )

    answers = commands.run_stage(args, commands.open_stage(args, score.KIND, model, requests), load)
    frame = score.table(sentences, requests, answers, args.model, model, args.tokens == "on")
    libraries = identity.libraries("torch", "transformers", "tokenizers")
    provenance = {"model": model, "context": args.context, "libraries": libraries}
    artifacts.write(frame, args.out, "scores", provenance)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("--context", type=json.loads, default={}, help="language to context, as JSON; {}: raw text")
    parser.add_argument("--tokens", choices=["off", "on"], default="off", help="whether to fill the token columns")
    return parser


if __name__ == "__main__":
    main(run, arguments())
