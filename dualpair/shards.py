"""Shards: several jobs that carry out one plan, and the note that each leaves for the job that merges them.

Units are fixed by the plan, and shard i of n takes the units i, i + n, i + 2n, ...; so the store ends with the same
answers however many jobs there are. Rows that failed are no part of the store: a shard's note carries them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dualpair.artifacts import write_atomically
from dualpair.errors import InputError
from dualpair.plan import Plan, Unit
from dualpair.store import Payload

NOTE_VERSION = 1


class Shard(NamedTuple):
    """Job ``number`` (from 1) of ``total``."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}-of-{self.total}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """A shard from its name, such as ``2-of-4``.

        Raises:
            InputError: not such a name, or a number that is not among 1 .. total.
        """
        found = re.fullmatch(r"([1-9][0-9]*)-of-([1-9][0-9]*)", text)
        if found is None or int(found[1]) > int(found[2]):
            raise InputError(f"shard {text!r}: give i-of-n with 1 <= i <= n, such as 2-of-4")
        return cls(int(found[1]), int(found[2]))


def units(plan: Plan, shard: Shard) -> tuple[Unit, ...]:
    """The plan's units that this shard carries out; none where the plan has fewer units than there are shards."""
    return plan.units[shard.number - 1 :: shard.total]


def digest(plan: Path | str) -> str:
    """SHA-256 (64 hex) of a plan's file, by which a note says which plan it belongs to."""
    return hashlib.sha256(Path(plan).read_bytes()).hexdigest()


def write_note(path: Path | str, plan_digest: str, plan: Plan, shard: Shard, errors: Mapping[str, Payload]) -> None:
    """Note that a shard's units are done, and which of its rows failed; atomic, the same with a kill before it."""
    note = {
        "version": NOTE_VERSION,
        "plan": plan_digest,
        "stage": plan.stage,
        "model": plan.model,
        "shard": str(shard),
        "units": [unit.unit_id for unit in units(plan, shard)],
        "errors": dict(errors),
    }
    write_atomically(Path(path), (json.dumps(note, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode())


def read_notes(paths: Sequence[Path | str], plan_digest: str) -> dict[Path, dict[str, Payload]]:
    """The failed rows of every shard, by its note.

    Raises:
        InputError: not a note, one of another plan, or not all shards of one count, each once.
    """
    notes: dict[Path, dict[str, Payload]] = {}
    shards = []
    for path in map(Path, paths):
        try:
            note = json.loads(path.read_text(encoding="utf-8"))
            version, of, shard, errors = (note[name] for name in ("version", "plan", "shard", "errors"))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}: not the note of a shard ({error!r}); delete it and run snakemake again"
            ) from None
        if (version, of) != (NOTE_VERSION, plan_digest):
            raise InputError(
                f"{path}: version {version}, plan {of[:12]}, but the plan to merge is {plan_digest[:12]} (version "
                f"{NOTE_VERSION}): the shard carried out an older plan; delete the note and run snakemake again"
            )
        shards.append(Shard.parse(shard))
        notes[path] = errors
    count = len(shards)
    if sorted(shards) != [Shard(number, count) for number in range(1, count + 1)]:
        raise InputError(
            f"shards {', '.join(map(str, sorted(shards)))}: all of one count are needed, each once; give the notes of "
            f"every shard of this plan"
        )
    return notes
