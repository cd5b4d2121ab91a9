"""Lexicons of the treebank grammars: lists of words read from YAML, drawn from with an explicit generator."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dualpair import yaml_files
from dualpair.syntax.treebank.trees import Tree

# Every tenth entry of a long list is kept away from training, to measure the parsers on words they never saw.
_HELD_OUT_EVERY = 10
_LONG = 10
_KEPT_ENDINGS = 0.5
_SETTINGS = ("open", "onsets", "nuclei")


@dataclass(frozen=True)
class Lexicon:
    """Named lists of entries; an entry is ``lemma`` or ``lemma:form:form...``.

    Attributes:
        lists: entries by list name; ``open`` names the lists of content words, ``onsets`` and ``nuclei`` are what
            invented words are made of (without nuclei: of one or more onsets).
        rng: the generator that all draws use.
        invented: probability that a drawn content word gets an invented stem, so that a parser learns to read
            endings and positions instead of the lexicon. Range 0 to 1.
    """

    lists: Mapping[str, Sequence[str]]
    rng: random.Random
    invented: float = 0.0

    def draw(self, *names: str) -> tuple[str, ...]:
        """A random entry of one of the named lists, as the tuple of its parts."""
        name = self.rng.choice(names)
        parts = tuple(self.rng.choice(self.lists[name]).split(":"))
        if self.invented and name in self.lists["open"] and self.chance(self.invented):
            return self._invent(parts)
        return parts

    def word(self, upos: str, feats: str, *names: str, form: int = -1) -> Tree:
        """A random entry as a one-word tree; ``form`` is the part that gives the form (the last by default)."""
        parts = self.draw(*names)
        return Tree(parts[form], parts[0], upos, feats)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.rng.random() < probability

    def one_of(self, *options: str) -> str:
        """One of the options."""
        return self.rng.choice(options)

    def _invent(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The entry with another stem and the same endings; one-letter parts (a gender) stay as they are."""
        forms = [part for part in parts if len(part) > 1]
        stem = _common_start(forms)
        if len(stem) < 2:
            return parts
        if not self.lists["nuclei"]:
            new = "".join(self.rng.choices(self.lists["onsets"], k=self.rng.choice((len(stem), 2, 3))))
            # Chinese words end as their kind does: 工, 员, 家.
            new = new[:-1] + stem[-1] if self.chance(_KEPT_ENDINGS) else new
        else:
            size = self.rng.choice((1, 2, 2, 3))
            syllables = (
                self.rng.choice(self.lists["onsets"]) + self.rng.choice(self.lists["nuclei"]) for _ in range(size)
            )
            new = "".join(syllables) + stem[-2 if len(forms) == 1 else -1 :]
            new = new.capitalize() if stem[0].isupper() else new
        return tuple(new + part[len(stem) :] if len(part) > 1 else part for part in parts)


def read_lexicon(
    path: Path,
    rng: random.Random,
    held_out: bool = False,
    invented: float = 0.0,
    inflect: Callable[[str, str], str] | None = None,
) -> Lexicon:
    """Read a lexicon: a YAML mapping from list name to entries separated by white space.

    ``held_out`` selects the every-tenth entries of long lists instead of the others; short lists are the same in both.
    ``inflect`` makes a full entry of a list's name and an entry as written (adds its regular forms).

    Raises:
        ValueError: if the file is not YAML or not such a mapping, a list is empty, or a setting is missing.
    """
    document = yaml_files.document(path)
    if not isinstance(document, dict) or not all(isinstance(text, str) for text in document.values()):
        raise ValueError(f"{path}: expected a mapping from list name to a text of words")
    missing = [name for name in _SETTINGS if name not in document]
    empty = [name for name, text in document.items() if not text.split() and name != "nuclei"]
    if missing or empty:
        raise ValueError(f"{path}: missing lists {missing}, empty lists {empty}")
    lists = {
        name: text.split() if name in _SETTINGS else _part(text.split(), held_out) for name, text in document.items()
    }
    if inflect:
        lists |= {name: [inflect(name, entry) for entry in entries] for name, entries in lists.items()}
    return Lexicon(lists, rng, invented)


def _part(entries: list[str], held_out: bool) -> list[str]:
    if len(entries) < _LONG:
        return entries
    return [entry for i, entry in enumerate(entries) if (i % _HELD_OUT_EVERY == _HELD_OUT_EVERY - 1) == held_out]


def _common_start(forms: Sequence[str]) -> str:
    """The longest text that all forms begin with."""
    for length, letters in enumerate(zip(*forms, strict=False)):
        if len(set(letters)) > 1:
            return forms[0][:length]
    return min(forms, key=len, default="")
