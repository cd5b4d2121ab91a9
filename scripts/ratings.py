"""Design the survey of trait ratings and write its pages and sheets, once, under sheets/<hash>/ratings/.

Reads: nothing but the config. Writes: ratings.json, which names the survey's folder. The files handed out are no output
of the rule: the workflow never replaces or deletes them.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts, traits
from dualpair.runlog import main
from dualpair.validation import ratings_design, ratings_sheets, ratings_text

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Design, export, and note where."""
    settings = args.settings
    surveys = [
        ratings_design.Survey([(group, name) for group, name in named], ratings_text.load(lang))
        for lang, named in settings["named"].items()
    ]
    key = ratings_design.design(
        surveys, traits.abc().pairs, settings["per_group"], settings["groups_per_annotator"], args.seed
    )
    folder, written = ratings_sheets.export(args.folder, key, {"settings": settings, "seed": args.seed})
    log.info("survey: %s%s", folder, "" if written else " (was there already; left as it is)")
    counts = {str(lang): int(n) for lang, n in key.groupby("lang")["annotator"].nunique().items()}
    note = {"folder": str(folder.relative_to(args.folder)), "annotators": counts}
    artifacts.write_atomically(Path(args.out), (json.dumps(note, indent=1, ensure_ascii=False) + "\n").encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", required=True, type=json.loads, help="the survey's settings, as JSON")
    parser.add_argument("--seed", required=True, type=int)
    parser.add_argument("--folder", required=True, type=Path, help="the run's results folder")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
