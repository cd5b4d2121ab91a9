"""Check a task's sentences with LanguageTool, each candidate and its source with every group.

Reads: candidates/<task>.parquet, sources/<task>.parquet. Writes: judgements/<task>/grammar/languagetool.parquet: the
findings that a candidate's sentence has and its source's has not. No server is started when the store has all answers.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from typing import Any

from dualpair import artifacts
from dualpair.filters import languagetool, languagetool_job
from dualpair.runlog import main
from dualpair.stages import grammar, grammar_languagetool
from dualpair.store import Store

STAGE = "grammar-languagetool"


def run(args: argparse.Namespace) -> None:
    """Check what is missing and write the findings."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends with the job
    settings: dict[str, Any] = args.settings
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    pairs = grammar.group_pairs(candidates, sources, args.languages)
    identity = grammar_languagetool.identity(**settings)
    asked = grammar_languagetool.requests(pairs, identity)
    space = Store(args.store).space(grammar_languagetool.KIND, identity["weights"], identity)
    space.mark_used()
    answers = grammar_languagetool.run(
        list(asked.values()),
        space,
        identity,
        lambda: languagetool_job.opened(
            **settings, memory_mb=args.memory_mb, timeout_s=args.timeout_s, offline=args.hub == "off"
        ),
        STAGE,
        args.max_failed_share,
    )
    counted = {lang: languagetool.counted(lang)._asdict() for lang in args.languages}
    for facts in counted.values():
        facts.update({name: sorted(facts[name]) for name in ("categories", "rules", "without", "never")})
    frame = grammar_languagetool.table(pairs, asked, answers, settings["version"])
    artifacts.write(frame, args.out, "judgements", {"model": identity, "counted": counted})


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--settings", required=True, type=json.loads, help="server, version and picky, as JSON")
    parser.add_argument("--languages", nargs="+", required=True, help="languages that the engine looks at")
    parser.add_argument("--store", required=True, help="folder of the store")
    parser.add_argument("--max-failed-share", type=float, required=True, help="fail when more sentences failed")
    parser.add_argument("--memory-mb", type=int, required=True, help="most memory of the local server's Java")
    parser.add_argument("--timeout-s", type=float, required=True, help="seconds that a request may take")
    parser.add_argument("--hub", choices=["off", "on"], required=True, help="off: nothing is downloaded")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
