"""`dualpair`: small helpers round the workflow."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence

from dualpair import __version__, compare
from dualpair.cli import calibrate_judge, fit_acceptance, installation, probe, runs, score, store
from dualpair.errors import InputError, PrerequisiteError

_COMMANDS = (installation, store, runs, compare, probe, score, calibrate_judge, fit_acceptance)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command; bad input ends with status 2 and one message."""
    words = list(sys.argv[1:] if argv is None else argv)
    args = parser().parse_args(words)
    args.words = words
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    command: Callable[[argparse.Namespace], None] = args.command
    try:
        command(args)
    except (InputError, PrerequisiteError, ValueError, OSError) as error:
        print(f"dualpair: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="dualpair", description=__doc__)
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(required=True, metavar="command")
    for module in _COMMANDS:
        module.add_parser(commands)
    return top
