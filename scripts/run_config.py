"""Write the settings of the run as one file.

Reads: nothing; the measures that the file speaks of are the rule's inputs. Writes: config.yaml.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts, run_config
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Write the file."""
    artifacts.write_atomically(args.out, run_config.text(args.config).encode())
    log.info("settings of the run: %s", args.out)


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True, type=json.loads, help="the resolved config, as JSON")
    parser.add_argument("--out", required=True, type=Path)
    return parser


if __name__ == "__main__":
    main(run, arguments())
