"""Logging of a rule's command: to its log file and to the terminal, errors included."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from dualpair.errors import InputError, PrerequisiteError

log = logging.getLogger("dualpair")


def configure(path: Path | str | None) -> None:
    """Send log lines to ``path`` (made anew) and to the terminal."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if path is not None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(path, mode="w", encoding="utf-8"))
    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        datefmt="%H:%M:%S",
        handlers=handlers,
        force=True,
    )
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    for noisy in ("transformers", "stanza", "matplotlib", "fontTools", "urllib3", "sentence_transformers"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def main(run: Callable[[argparse.Namespace], None], parser: argparse.ArgumentParser) -> None:
    """Parse arguments (with ``--log``), run, and turn errors into an exit status.

    Bad input and missing prerequisites print one message and end with status 2; anything else prints its traceback
    and ends with status 1.
    """
    parser.add_argument("--log", help="log file")
    args = parser.parse_args()
    configure(args.log)
    try:
        run(args)
    except (InputError, PrerequisiteError) as error:
        log.error("%s", error)
        raise SystemExit(2) from None
    except Exception:
        log.error("%s", traceback.format_exc().rstrip())
        raise SystemExit(1) from None


class Progress:
    """A progress bar on a terminal; plain lines in a log file otherwise."""

    def __init__(self, total: int, what: str) -> None:
        from tqdm import tqdm

        self._what, self._total, self._done = what, total, 0
        self._bar = tqdm(total=total, desc=what, disable=not sys.stderr.isatty())

    def advance(self, done: int = 1) -> None:
        """Count ``done`` more."""
        self._done += done
        self._bar.update(done)
        if self._bar.disable:
            log.info("%s: %d of %d", self._what, self._done, self._total)
        if self._done >= self._total:
            self._bar.close()
