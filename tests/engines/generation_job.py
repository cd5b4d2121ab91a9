"""Run under vLLM's interpreter: carries out several commands of scripts/generate.py with one started engine.

Usage: python generation_job.py COMMANDS, a JSON list of argument lists. The commands are the rules' own; only the engine
is kept between them, since each start takes half a minute.
"""

import importlib.util
import json
import sys
from pathlib import Path

from dualpair.generation import engines

OPENED = {}
OPEN = engines.open_generator


def open_once(entry, *rest):
    key = entry.model_dump_json()
    if key not in OPENED:
        OPENED[key] = OPEN(entry, *rest)
    return OPENED[key]


def main():
    engines.open_generator = open_once
    place = Path(__file__).resolve().parents[2] / "scripts" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", place)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for words in json.loads(sys.argv[1]):
        script.run(script.arguments().parse_args(words))
    assert len(OPENED) == 1


if __name__ == "__main__":
    main()
