"""Sentences of a concept with two opposite features: article and agreement of a language, from `resources/norms`.

A sentence is prefix + continuation: ``The ice`` + `` is cold.``; the continuation begins with the language's joiner and
ends with its final mark, as in the scoring contract. Nothing here knows a language by name.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Self

from pydantic import model_validator

from dualpair.errors import InputError
from dualpair.norms import documents
from dualpair.paths import resource
from dualpair.sections import Section

_NOT_WORDS = ("facts", "pairs")


class Agreement(Section):
    """What a class of nouns asks of the words around it.

    Attributes:
        article: what stands before the noun, with its space; may be empty.
        copula: what stands before the feature, with its space; may be empty.
        agrees: class whose form the feature takes; None: this class's own.
    """

    article: str
    copula: str
    agrees: str | None = None


class Words(Section):
    """Words of a language.

    Attributes:
        classes: name of an agreement class to what it asks for.
        features: feature of facts.yaml to its form, one for every class or one per class.
        concepts: class to its concepts, each with the noun.
    """

    classes: dict[str, Agreement]
    features: dict[str, str | dict[str, str]]
    concepts: dict[str, dict[str, str]]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        forms = {one.agrees or name for name, one in self.classes.items()}
        if not forms <= set(self.classes):
            raise ValueError(f"classes: agrees names {sorted(forms - set(self.classes))} (there are {[*self.classes]})")
        for feature, given in self.features.items():
            if isinstance(given, dict) and set(given) != forms:
                raise ValueError(f"features: {feature} has the forms {sorted(given)}, needs {sorted(forms)}")
        listed = [concept for nouns in self.concepts.values() for concept in nouns]
        repeated = sorted({concept for concept in listed if listed.count(concept) > 1})
        unknown = sorted(set(self.concepts) - set(self.classes))
        if unknown or repeated:
            raise ValueError(f"concepts: unknown classes {unknown}, concepts that are listed twice {repeated}")
        return self

    def noun(self, concept: str) -> tuple[str, str]:
        """A concept's class and noun.

        Raises:
            KeyError: no such concept.
        """
        for name, nouns in self.concepts.items():
            if concept in nouns:
                return name, nouns[concept]
        raise KeyError(concept)

    def prefix(self, noun: str, agreement: str) -> str:
        """Article and noun as a sentence begins: with a capital, where the script has them."""
        text = f"{self.classes[agreement].article}{noun}"
        return text[:1].upper() + text[1:]

    def predicate(self, forms: str | Mapping[str, str], agreement: str) -> str:
        """Copula and the feature's form for a noun of this class, without joiner and final mark."""
        chosen = self.classes[agreement]
        form = forms if isinstance(forms, str) else forms[chosen.agrees or agreement]
        return f"{chosen.copula}{form}"


def languages() -> list[str]:
    """Codes of the languages that have words, sorted."""
    return sorted(path.stem for path in resource("norms").glob("*.yaml") if path.stem not in _NOT_WORDS)


@functools.cache
def load(lang: str) -> Words:
    """The words of a language.

    Raises:
        InputError: there are none, or the file does not fit.
    """
    if lang not in languages():
        raise InputError(f"no feature norms in language {lang!r} (allowed: {', '.join(languages())})")
    return documents.read(resource("norms", f"{lang}.yaml"), Words)
