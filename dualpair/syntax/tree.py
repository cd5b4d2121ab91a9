"""Parsed words, and the dependency tree that they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SUBJECTS = ("nsubj", "dislocated")
OBJECTS = ("obj", "iobj")
# PART: Chinese treebanks tag the noun suffixes 家 and 者 so.
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "PART", "X", "SYM"})
VERBAL = frozenset({"VERB", "AUX"})


class Word(NamedTuple):
    """A parsed word: form, character span in the sentence, UPOS, 0-based head (-1 for the root), UD relation, features.

    ``feats`` is as in CoNLL-U (``Mood=Imp|VerbForm=Fin``); empty where a parser gives none.
    """

    form: str
    start: int
    end: int
    upos: str
    head: int
    deprel: str
    feats: str = ""


class Tree:
    """A dependency tree with exactly one root."""

    def __init__(self, words: Sequence[Word], root: int, text: str) -> None:
        self.words, self.root, self.text = words, root, text

    def relation(self, index: int) -> str:
        """The universal part of a word's relation."""
        return self.words[index].deprel.partition(":")[0]

    def children(self, index: int, *relations: str) -> list[int]:
        """Dependents with one of the relations; all if none is named."""
        own = [i for i, word in enumerate(self.words) if word.head == index]
        return [i for i in own if self.relation(i) in relations] if relations else own

    def dominates(self, ancestor: int, index: int) -> bool:
        """True if the word at ``index`` is in the subtree of ``ancestor``; a cycle counts as outside."""
        for _ in range(len(self.words) + 1):
            if index == ancestor:
                return True
            if index < 0:
                return False
            index = self.words[index].head
        return False

    def top(self, index: int, within: frozenset[int]) -> int:
        """The highest ancestor of a word that is reached through words of ``within`` alone."""
        for _ in self.words:
            head = self.words[index].head
            if head not in within:
                break
            index = head
        return index

    def real(self) -> list[int]:
        """Words other than punctuation."""
        return [i for i, word in enumerate(self.words) if word.upos != "PUNCT"]
