"""Our own concepts with opposite features: `resources/norms/facts.yaml` in the words of each language."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Self

from pydantic import model_validator

from dualpair.norms import documents, words
from dualpair.norms.concepts import Concept
from dualpair.paths import resource
from dualpair.sections import Section


class Side(Section):
    """A feature and the concepts that have it."""

    feature: str
    concepts: list[str]


class Pair(Section):
    """Two opposite features."""

    first: Side
    second: Side

    @model_validator(mode="after")
    def _fits(self) -> Self:
        listed = [*self.first.concepts, *self.second.concepts]
        repeated = sorted({one for one in listed if listed.count(one) > 1})
        if repeated or len(self.first.concepts) != len(self.second.concepts):
            raise ValueError(
                f"concepts that are listed twice: {repeated}; {len(self.first.concepts)} concepts of the first "
                f"feature, {len(self.second.concepts)} of the second; list as many of each, and each once"
            )
        return self


class Facts(Section):
    """All pairs, by name."""

    pairs: dict[str, Pair]


@functools.cache
def facts() -> Facts:
    """The pairs and their concepts, the same in every language.

    Raises:
        InputError: the file does not fit.
    """
    return documents.read(resource("norms", "facts.yaml"), Facts)


def concepts(lang: str) -> Iterator[tuple[str, str, Sequence[Concept]]]:
    """Language, pair and its concepts, the first feature's before the second's.

    Raises:
        InputError: the language has no words.
        KeyError: it lacks a concept or a feature.
    """
    chosen = words.load(lang)
    for pair_id, pair in facts().pairs.items():
        features = (chosen.features[pair.first.feature], chosen.features[pair.second.feature])
        members = []
        for concept, has_first in [
            (one, side is pair.first) for side in (pair.first, pair.second) for one in side.concepts
        ]:
            agreement, noun = chosen.noun(concept)
            first, second = (chosen.predicate(forms, agreement) for forms in features)
            members.append(Concept(concept, chosen.prefix(noun, agreement), first, second, has_first, not has_first))
        yield lang, pair_id, members
