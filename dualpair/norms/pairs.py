"""Opposite features of the McRae norms: the pair list, ours or the user's own file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from dualpair.errors import InputError
from dualpair.norms import documents
from dualpair.paths import resource
from dualpair.sections import Section

_IS = "is_"

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


def _spelt_out(value: Any) -> Any:
    """A bare feature as {features, says}; what it says follows its is_."""
    if not isinstance(value, str):
        return value
    if not value.startswith(_IS) or value == _IS:
        raise ValueError(
            f"what is said of a concept cannot be read off this feature, which does not begin with {_IS!r}; write "
            f"{{features: [{value}], says: ...}} with the words that follow 'is'"
        )
    return {"features": [value], "says": value.removeprefix(_IS).replace("_", " ")}


class _Side(Section):
    """One side: features that mean the same, and the words that follow "is" or "are"."""

    features: Annotated[list[Text], Field(min_length=1)]
    says: Text


Side = Annotated[_Side, BeforeValidator(_spelt_out)]


def _two(value: Any) -> Any:
    if isinstance(value, list):
        if len(value) != 2:
            raise ValueError(f"a pair has two features; found {len(value)}")
        return {"first": value[0], "second": value[1]}
    return value


class _Pair(Section):
    """Two opposite sides."""

    first: Side
    second: Side

    @property
    def pair_id(self) -> str:
        """What the tables call the pair."""
        return f"{self.first.says}-{self.second.says}".replace(" ", "_")

    @model_validator(mode="after")
    def _opposite(self) -> Self:
        shared = sorted(set(self.first.features) & set(self.second.features))
        if shared or self.first.says == self.second.says:
            raise ValueError(f"both sides of a pair have {shared or self.first.says!r}; they are to be opposites")
        return self


Pair = Annotated[_Pair, BeforeValidator(_two)]


class Pairs(Section):
    """The list.

    Attributes:
        pairs: the pairs of opposites.
        plural: concepts that take "are", beside those that end in -s.
        singular: concepts that end in -s and take "is".
    """

    pairs: Annotated[list[Pair], Field(min_length=1)]
    plural: list[str]
    singular: list[str]

    @model_validator(mode="after")
    def _once(self) -> Self:
        names = [one.pair_id for one in self.pairs]
        repeated = sorted({name for name in names if names.count(name) > 1})
        both = sorted(set(self.plural) & set(self.singular))
        if repeated or both:
            raise ValueError(f"pairs that are listed twice: {repeated}; concepts both plural and singular: {both}")
        return self

    def is_plural(self, concept: str, noun: str) -> bool:
        """Whether a concept of the norms takes "are": by the lists, else by its ending."""
        if concept in self.plural or concept in self.singular:
            return concept in self.plural
        return noun.endswith("s") and not noun.endswith(("ss", "us"))


def default_file() -> Path:
    """Our list of twelve pairs."""
    return resource("norms", "pairs.yaml")


def load(path: Path) -> Pairs:
    """A pair list.

    Raises:
        InputError: the file cannot be read or does not fit; names file and key.
    """
    return documents.read(path, Pairs)


def known(given: Pairs, features: Mapping[str, set[str]], path: Path, norms: Path) -> None:
    """Refuse features that no concept of the norms has.

    Raises:
        InputError: names the pair list, the feature and the nearest one that the norms have.
    """
    for number, pair in enumerate(given.pairs, start=1):
        for feature in (*pair.first.features, *pair.second.features):
            if feature not in features:
                close = difflib.get_close_matches(feature, sorted(features), n=1, cutoff=0.6)
                hint = f"; did you mean {close[0]!r}?" if close else "."
                raise InputError(
                    f"{path}: pair {number} ({pair.pair_id}): no concept of {norms} has the feature {feature!r}{hint} "
                    "Correct it, or leave the pair out (features are spelt as in the norms, e.g. is_large)"
                )
