"""Split every sentence into group and attribute, and join a set's sentences into one row.

Reads: stereotypes.parquet. Writes: sets.parquet, e.g. the row
lang=en, set_id=starter-01, groups=[Women, Men], attribute="talk a lot", final_mark=".", kept=True.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import pandas as pd

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.runlog import Progress, main
from dualpair.syntax import repair, sets

log = logging.getLogger("dualpair")
UNREMARKABLE = ("beyond_max_sets", "type_not_selected")
SHOWN = 1000  # rejected sets that the log tells one by one


def run(args: argparse.Namespace) -> None:
    """Parse and write; the counts by reason go to the log."""
    stereotypes = artifacts.read(args.stereotypes, "stereotypes")
    frame = sets.build_sets(stereotypes, args.engines, args.models, args.repair, _Progress())
    if args.repair != repair.NONE:
        log.info("%d sets cut with repair %s", frame["parse"].str.startswith(repair.NOTE).sum(), args.repair)
    for (lang, reason), rows in frame.groupby(["lang", "reason"]):
        names = "" if not reason or reason in UNREMARKABLE else f" ({', '.join(rows['set_id'][:5])}...)"
        log.log(
            logging.WARNING if names else logging.INFO, "%s: %d sets %s%s", lang, len(rows), reason or "kept", names
        )
    provenance = {"engines": args.engines, "parsers": args.fingerprint, "repair": args.repair}
    artifacts.write(frame, args.out, "sets", provenance)
    report_unusable(frame, args.stereotypes)


def report_unusable(frame: pd.DataFrame, stereotypes: str) -> None:
    """Warn of each language without a usable set; without any at all, log what was made of each set, and stop.

    The workflow deletes the table of a job that fails, so that the log is where its rows can be looked at.

    Raises:
        InputError: no language has a usable set.
    """
    messages = []
    for lang, rows in frame.groupby("lang"):
        if not rows["kept"].any():
            counts = ", ".join(f"{n} {reason}" for reason, n in rows["reason"].value_counts().items())
            messages.append(
                f"{stereotypes}: language {lang!r}: none of the {len(rows)} sets can be used ({counts}; first: "
                f"{rows['set_id'].iloc[0]!r}); a set needs one stereotyped and at least one contrast sentence that "
                f"leave the identical attribute: correct the source, or take the language out of `languages`"
            )
    if not frame["kept"].any():
        for row in frame.head(SHOWN).itertuples():
            log.info("%s %s: %s: %r (%s)", row.lang, row.set_id, row.reason, row.original, row.parse)
        if len(frame) > SHOWN:
            log.info("... and %d more sets", len(frame) - SHOWN)
        raise InputError("; ".join(messages) or f"{stereotypes}: holds no sentence")
    for message in messages:
        log.warning("%s", message)


class _Progress:
    """A progress bar for each language."""

    def __init__(self) -> None:
        self._bars: dict[str, tuple[Progress, int]] = {}

    def __call__(self, lang: str, done: int, total: int) -> None:
        bar, before = self._bars.get(lang) or (Progress(total, f"parse {lang}"), 0)
        bar.advance(done - before)
        self._bars[lang] = (bar, done)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stereotypes", required=True)
    parser.add_argument("--engines", required=True, type=json.loads, help="engine per language, as JSON")
    parser.add_argument("--models", type=Path, help="folder of the stanza models; not given: the embedded ones")
    parser.add_argument("--repair", choices=repair.MODES, default=repair.NONE, help="cut a set's sentences alike")
    parser.add_argument("--fingerprint", required=True, type=json.loads, help="of each language's parser, as JSON")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
