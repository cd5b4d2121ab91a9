"""Take over dual pairs that are ready, in place of parsing, generation, judging and selection.

Reads: one source file per language. Writes: the tables that scoring and the report need (stereotypes, sets, candidates
of paraphrases and alternates, variants, alternates, augmented, sentences).
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from dualpair import artifacts, sentences
from dualpair.errors import InputError
from dualpair.filters import selection
from dualpair.runlog import main
from dualpair.sources import augmented, reading
from dualpair.sources.augmented import Contents
from dualpair.sources.settings import AugmentedSource
from dualpair.stages import imported

log = logging.getLogger("dualpair")
OUTPUTS = ("stereotypes", "sets", "paraphrases", "opposites", "variants", "alternates")


def run(args: argparse.Namespace) -> None:
    """Read, check and write all tables."""
    source = AugmentedSource.model_validate(args.settings)
    contents = []
    for lang, file in zip(args.languages, args.files, strict=True):
        content = augmented.read(file, lang, source)
        report(file, lang, content)
        contents.append((lang, content))
    made = imported.tables(contents)
    pairs = selection.augment(made.sets, made.variants, made.alternates)
    for lang, file in zip(args.languages, args.files, strict=True):
        if lang not in set(pairs["lang"]):
            raise InputError(
                f"{file}: language {lang!r}: no variant has a usable alternate, so there is nothing to score; every "
                f"attribute needs an alternate that differs from it"
            )
    checksums = {lang: reading.checksum(file) for lang, file in zip(args.languages, args.files, strict=True)}
    provenance = {"settings": args.settings, "sha256": checksums}
    for name in OUTPUTS:
        table = "candidates" if name in ("paraphrases", "opposites") else name
        artifacts.write(getattr(made, name), getattr(args, f"out_{name}"), table, provenance)
    artifacts.write(pairs, args.out_augmented, "augmented", provenance)
    artifacts.write(sentences.build(pairs), args.out_sentences, "sentences")


def report(file: Path, lang: str, content: Contents) -> None:
    """Log what was read and rejected.

    Raises:
        InputError: no set of the language can be used.
    """
    kept = [entry for entry in content.entries if not entry.reason]
    log.info("%s: %d sets read, %d kept", lang, len(content.entries), len(kept))
    counts: dict[str, int] = {}
    for entry in content.entries:
        faults = [entry.reason] if entry.reason else [r for v in entry.variants for r in (v.reason, v.alternate_reason)]
        for reason in filter(None, faults):
            counts[reason] = counts.get(reason, 0) + 1
    for reason, count in sorted(counts.items()):
        log.info("%s: %d rejected: %s", lang, count, reason)
    if not kept:
        raise InputError(
            f"{file}: language {lang!r}: none of the {len(content.entries)} sets can be used ({counts}; first: "
            f"{content.entries[0].set_id!r}); a set needs two different groups, an attribute and an alternate"
        )


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", required=True, type=json.loads, help="the config's `source`, as JSON")
    parser.add_argument("--languages", nargs="+", required=True)
    parser.add_argument("--files", nargs="+", required=True, type=Path, help="one per language, same order")
    for name in (*OUTPUTS, "augmented", "sentences"):
        parser.add_argument(f"--out-{name}", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
