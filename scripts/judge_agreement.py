"""Hold the predicate of a task's candidates against the head of every group, in the candidate's and its source's parse.

Reads: candidates/<task>.parquet, sources/<task>.parquet. Writes: judgements/<task>/grammar/agreement.parquet: the
disagreements in number and gender that a candidate's sentence has and its source's has not.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from dualpair import artifacts
from dualpair.runlog import main
from dualpair.stages import grammar_agreement


def run(args: argparse.Namespace) -> None:
    """Parse and write the findings."""
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    parsers = grammar_agreement.Parsers(args.engines, args.models)
    frame = grammar_agreement.judge(candidates, sources, args.languages, parsers)
    used = {"engines": {lang: args.engines[lang] for lang in args.languages}, "parsers": args.fingerprint}
    artifacts.write(frame, args.out, "judgements", used)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--languages", nargs="+", required=True, help="languages that the engine looks at")
    parser.add_argument("--engines", required=True, type=json.loads, help="parsing engine per language, as JSON")
    parser.add_argument("--models", type=Path, help="folder of the stanza models; not given: the embedded ones")
    parser.add_argument("--fingerprint", required=True, type=json.loads, help="of each language's parser, as JSON")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
