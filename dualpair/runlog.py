"""Logging of a rule's command: to its log file and to the terminal, errors included."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from dualpair.errors import PrerequisiteError

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
    # Threads that spin while they wait slow everything down as soon as a second job shares the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for noisy in ("transformers", "stanza", "matplotlib", "fontTools", "urllib3", "sentence_transformers"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def main(run: Callable[[argparse.Namespace], None], parser: argparse.ArgumentParser) -> None:
    """Parse arguments (with ``--log``), run, and turn errors into an exit status.

    What a user can mend (bad input, a missing file or installation) prints one message and ends with status 2, its
    traceback in the log file only; anything else prints its traceback and ends with status 1.
    """
    parser.add_argument("--log", help="log file")
    args = parser.parse_args()
    configure(args.log)
    try:
        run(args)
    except (ValueError, FileNotFoundError, ImportError, PrerequisiteError) as error:
        log.error("%s", error)
        _to_file(args.log, traceback.format_exc())
        raise SystemExit(2) from None
    except Exception:
        log.error("%s", traceback.format_exc().rstrip())
        raise SystemExit(1) from None


def _to_file(path: str | None, text: str) -> None:
    if path is not None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


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
