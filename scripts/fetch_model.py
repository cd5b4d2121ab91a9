"""Make one model ready before any stage needs it, and write down what it is: weights, tokenizer and adapter.

Embedded models are downloaded by hash and assembled once, into the user's cache. A local folder is checked and
fingerprinted. An `hf:` source must name a revision; it is fetched into the local hub cache with `--hub on`, and must be
there already otherwise. Writes: models/<model>.json.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from dualpair import artifacts
from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import adapter, checkpoint, fingerprint, quantisation, registry
from dualpair.runlog import main
from dualpair.stages import identity

log = logging.getLogger("dualpair")


def run(args: argparse.Namespace) -> None:
    """Fetch, check and note the fingerprints; errors name the model's entry."""
    try:
        fetch(args)
    except (ValueError, FileNotFoundError) as error:
        raise InputError(f"key `models.{args.model}`: {error}") from error
    except PrerequisiteError as error:
        raise PrerequisiteError(f"key `models.{args.model}`: {error}") from error


def fetch(args: argparse.Namespace) -> None:
    """Make weights, tokenizer and adapter ready, check them, and write the note."""
    entry, online = args.entry, args.hub == "on"
    prepare_weights(entry, online)
    if entry.tokenizer is not None:
        prepare_tokenizer(entry.tokenizer, entry.tokenizer_revision, "", online)
    if entry.adapter is not None:
        place = fingerprint.location(entry.adapter, entry.adapter_revision)
        found = adapter.read(place, entry.adapter_revision, offline=not online)
        if entry.engine == "transformers":
            adapter.check_peft(place)
            adapter.check_base(found, fingerprint.hub_names(entry.source, entry.hf_equivalent))
    note = {
        "model": args.model,
        "source": entry.source,
        "fingerprint": fingerprint.fingerprint(entry.source, entry.revision, subfolder=entry.subfolder),
        "quantisation": quantisation.resolve(entry),
        **identity.beside_the_weights(entry),
    }
    log.info("%s: %s, quantisation %s", args.model, note["fingerprint"], note["quantisation"])
    artifacts.write_atomically(Path(args.out), (artifacts.canonical_json(note) + "\n").encode())


def prepare_weights(entry: registry.ModelEntry, online: bool) -> None:
    """Build, fetch or find the weights; a server has its own, so of its model only the tokenizer is needed here."""
    if entry.source.startswith("package:"):
        return
    if entry.engine == "server":
        if entry.tokenizer is None:
            prepare_tokenizer(entry.source, entry.revision, entry.subfolder, online)
        return
    nested = entry.kind == "sentence_encoder"  # its modules have folders of their own
    patterns = (*checkpoint.TEXT_PATTERNS, *checkpoint.WEIGHT_PATTERNS)
    folder = local(entry.source, entry.revision, entry.subfolder, patterns, online, nested)
    if entry.engine == "transformers":
        checkpoint.check(folder, tokenizer=entry.tokenizer is None)


def prepare_tokenizer(source: str, revision: str, subfolder: str, online: bool) -> None:
    """Fetch or find a tokenizer."""
    checkpoint.check_tokenizer(local(source, revision, subfolder, checkpoint.TEXT_PATTERNS, online))


def local(
    source: str, revision: str, subfolder: str, patterns: tuple[str, ...], online: bool, nested: bool = False
) -> Path:
    """Folder of a source on this machine, built or fetched first where that is needed and allowed."""
    place = fingerprint.location(source, revision)
    if source.startswith("hf:") and online:
        return checkpoint.within(checkpoint.download(place, revision, patterns, subfolder, nested), subfolder)
    folder = checkpoint.local(place, revision, subfolder)
    if folder is None:
        raise PrerequisiteError(checkpoint.absent(place, revision))
    return folder


def arguments() -> argparse.ArgumentParser:
    """Command line of the rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="registry name of the model")
    parser.add_argument("--entry", required=True, type=registry.from_json, help="registry entry, as JSON")
    parser.add_argument("--hub", choices=["off", "on"], default="off", help="whether a model hub may be reached")
    parser.add_argument("--out", required=True)
    return parser


if __name__ == "__main__":
    main(run, arguments())
