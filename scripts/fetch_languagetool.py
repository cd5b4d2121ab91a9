"""Make LanguageTool ready before anything is generated: look for the local copy and Java, or ask the remote server.

With `offline: false` a copy that is missing is downloaded. Writes: models/grammar/languagetool.json.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair.artifacts import canonical_json, write_atomically
from dualpair.errors import PrerequisiteError
from dualpair.filters import languagetool, languagetool_server
from dualpair.filters.grammar_settings import LOCAL
from dualpair.runlog import main

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Look, and note the version that is there."""
    settings = args.settings
    if settings["server"] == LOCAL:
        jar = languagetool_server.find_copy(settings["version"], offline=args.hub == "off")
        java = languagetool_server.find_java()
        log.info("LanguageTool %s: %s, run by %s", settings["version"], jar, java)
    else:
        url, version, picky = settings["server"], settings["version"], settings["picky"]
        checker = languagetool.Checker(url, version, picky, args.timeout_s, own=False)
        try:
            for lang in args.languages:
                checker.check(["."], languagetool.counted(lang).code, [])
        except languagetool.FailureError as error:
            raise PrerequisiteError(
                f"{url}: {error}; start the server, or correct `filters.grammar.languagetool.server`"
            ) from error
        log.info("%s: %s", settings["server"], checker.software)
    write_atomically(Path(args.out), (canonical_json({"version": settings["version"]}) + "\n").encode())


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", required=True, type=json.loads, help="server, version and picky, as JSON")
    parser.add_argument("--languages", nargs="+", required=True, help="languages that the engine looks at")
    parser.add_argument("--timeout-s", type=float, required=True, help="seconds that a request may take")
    parser.add_argument("--hub", choices=["off", "on"], required=True, help="off: nothing is downloaded")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
