"""Make one model ready before any stage needs it, and write down what it is.

Embedded models are downloaded by hash and assembled once, into the user's cache. A local folder is fingerprinted; an
`hf:` source must name a revision. Writes: models/<model>.json.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.errors import InputError
from dualpair.models import fingerprint, registry
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Fetch and note the fingerprint; errors name the model's entry."""
    try:
        fetch(args)
    except (ValueError, FileNotFoundError) as error:
        raise InputError(f"key `models.{args.model}`: {error}") from error


def fetch(args: argparse.Namespace) -> None:
    """Build an embedded model if needed; write the note."""
    entry = args.entry
    if entry.source.startswith("embedded:"):
        fingerprint.location(entry.source, entry.revision)
    note = {
        "model": args.model,
        "source": entry.source,
        "fingerprint": fingerprint.fingerprint(entry.source, entry.revision),
    }
    log.info("%s: %s", args.model, note["fingerprint"])
    artifacts.write_atomically(Path(args.out), (artifacts.canonical_json(note) + "\n").encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="registry name of the model")
    parser.add_argument("--entry", required=True, type=registry.from_json, help="registry entry, as JSON")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
