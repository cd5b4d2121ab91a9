"""Embed a task's sentences and write each candidate's cosine with its source.

Reads: candidates/<task>.parquet, sources/<task>.parquet and the plan. Writes: judgements/<task>/similarity.parquet.
"""

from __future__ import annotations

import argparse

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import commands, identity, similarity


def run(args: argparse.Namespace) -> None:
    """Carry the plan out and write the cosines."""
    model = identity.identity(args.entry, args.device, similarity.contract())
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    requests = similarity.requests(candidates, sources, model)

    def load() -> commands.Caller:
        from dualpair.stages import similarity_model

        return similarity_model.caller(args.entry, args.device, args.threads, args.hub == "on")

    answers = commands.run_stage(args, commands.open_stage(args, similarity.KIND, model, requests), load)
    frame = similarity.table(candidates, sources, requests, answers, args.model)
    artifacts.write(frame, args.out, "judgements", {"model": model})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands.run_arguments(parser)
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
