"""The trait pairs and groups of the Agency-Beliefs-Communion model: `resources/traits/abc.yaml`, read and checked."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.paths import resource

DIMENSIONS = ("agency", "beliefs", "communion")
LOW, HIGH = 0, 100  # ratings that stand for a pair's two poles


class Pair(NamedTuple):
    """Two opposite traits; a rating of 0 stands for ``low``, of 100 for ``high``."""

    low: str
    high: str
    dimension: str

    @property
    def name(self) -> str:
        """The pair as the published human ratings name it."""
        return f"{self.low} - {self.high}"


class Traits(NamedTuple):
    """Trait pairs in the model's order, groups in the survey's, those of them that are not compared with models."""

    pairs: tuple[Pair, ...]
    groups: tuple[str, ...]
    not_compared: tuple[str, ...]
    spellings: Mapping[str, str]

    def spelt(self, name: str) -> str:
        """This file's spelling of a group or trait."""
        return self.spellings.get(name, name)


@functools.cache
def abc() -> Traits:
    """The model's pairs and groups.

    Raises:
        InputError: the file was damaged: an unknown dimension, or a pair, group or spelling that does not fit.
    """
    path = resource("traits", "abc.yaml")
    document = yaml_files.document(path)
    pairs = tuple(Pair(**entry) for entry in document["pairs"])
    traits = Traits(pairs, tuple(document["groups"]), tuple(document["not_compared"]), dict(document["spellings"]))
    odd = [pair.dimension for pair in pairs if pair.dimension not in DIMENSIONS]
    if odd:
        raise InputError(f"{path}: pairs: found dimension {odd[0]!r} (allowed: {', '.join(DIMENSIONS)})")
    names = [*traits.groups, *(pole for pair in pairs for pole in (pair.low, pair.high))]
    repeated = sorted({name for name in names if names.count(name) > 1})
    unknown = [name for name in (*traits.not_compared, *traits.spellings.values()) if name not in names]
    if repeated or unknown:
        raise InputError(f"{path}: repeated names {repeated}, names of nothing {unknown}; each name once")
    return traits
