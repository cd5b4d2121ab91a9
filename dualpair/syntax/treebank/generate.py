"""Draw distinct sentences from a grammar, cut them into training, development and test parts."""

from __future__ import annotations

import importlib
import random
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from dualpair import languages
from dualpair.syntax.treebank.lexicon import Lexicon, read_lexicon
from dualpair.syntax.treebank.trees import Tree, conllu, surface

# Share of content words with an invented stem in the training part.
_INVENTED = 0.2

GRAMMARS = {"en": "english", "es": "spanish", "ru": "russian", "zh": "chinese"}


class Treebank(NamedTuple):
    """Trees of one language.

    ``train`` has invented words among the lexicon's, ``dev`` the same lexicon without them, ``test`` content words
    that are not in ``train``.
    """

    train: list[Tree]
    dev: list[Tree]
    test: list[Tree]


def generate(
    lang: str, lexicon_dir: Path, n_train: int, n_test: int = 100, seed: int = 1, exclude: Collection[str] = ()
) -> Treebank:
    """Generate a treebank of distinct sentences; dev and test have ``n_test`` sentences each.

    Args:
        lang: BCP-47 code of a language with a grammar.
        lexicon_dir: folder of the lexicons, ``<lang>.yaml``.
        n_train: training sentences.
        n_test: sentences of the development and of the test part, each.
        seed: of the generator of draws.
        exclude: sentences (as text) that must occur in no part, e.g. the starter set's.

    Raises:
        ValueError: if there is no grammar for the language, or the grammar cannot give so many distinct sentences.
    """
    if lang not in GRAMMARS:
        raise ValueError(f"no treebank grammar for language {lang!r}: there are {', '.join(sorted(GRAMMARS))}")
    seen = {_key(text) for text in exclude}
    path = lexicon_dir / f"{lang}.yaml"
    inflect = _grammar(lang).inflect

    def part(size: int, shift: int, **options: Any) -> list[Tree]:
        return _distinct(
            lang, path, size, read_lexicon(path, random.Random(seed + shift), inflect=inflect, **options), seen
        )

    return Treebank(part(n_train, 0, invented=_INVENTED), part(n_test, 1), part(n_test, 2, held_out=True))


def as_conllu(trees: list[Tree], lang: str, name: str) -> str:
    """CoNLL-U text of the trees, sentences named ``<lang>-<name>-<number>``."""
    joiner = languages.get(lang).joiner
    return "".join(conllu(tree, joiner, f"{lang}-{name}-{i}") for i, tree in enumerate(trees, start=1))


def as_text(trees: list[Tree], lang: str) -> str:
    """Raw text for the tokenizer, one sentence a paragraph."""
    joiner = languages.get(lang).joiner
    return "\n\n".join(surface(tree, joiner) for tree in trees) + "\n"


def _distinct(lang: str, path: Path, n: int, lex: Lexicon, seen: set[str]) -> list[Tree]:
    grammar = _grammar(lang)
    joiner = languages.get(lang).joiner
    trees: list[Tree] = []
    for _ in range(50 * n):
        if len(trees) == n:
            break
        tree: Tree = grammar.sentence(lex)
        key = _key(surface(tree, joiner))
        if key not in seen:
            seen.add(key)
            trees.append(tree)
    if len(trees) == n:
        return trees
    raise ValueError(f"{path}: the {lang} grammar gives only {len(trees)} distinct sentences, {n} were asked for")


def _grammar(lang: str) -> ModuleType:
    return importlib.import_module(f"dualpair.syntax.treebank.{GRAMMARS[lang]}")


def _key(text: str) -> str:
    return text.rstrip(".!。！").casefold()
