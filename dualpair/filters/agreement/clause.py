"""A parsed sentence with a known group: where its head, its finite verb and the words of its predicate are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from dualpair.syntax.splitting import Word

SING, PLUR = "sing", "plur"
MASC, FEM = "masc", "fem"
NUMBER, GENDER = "number", "gender"

_VERBAL = ("VERB", "AUX")
_SUBJECTS = ("nsubj", "csubj")
_CLOSED = ("ADP", "ADV", "CCONJ", "SCONJ", "PUNCT", "PART", "VERB", "AUX", "PRON", "SYM")


class Features(NamedTuple):
    """Number (sing, plur) and gender (masc, fem) of a word or phrase; empty where they are not sure."""

    number: str = ""
    gender: str = ""


class Clause(NamedTuple):
    """One parsed sentence.

    Attributes:
        words: its words in order.
        forms: their forms, in lower case and with a straight apostrophe.
        n_group: the first so many words are the group.
        root: index of the root, which lies behind the group.
        head: index of the group's head, the one word of it that depends on a word behind it; -1 where it is not sure.
    """

    words: Sequence[Word]
    forms: Sequence[str]
    n_group: int
    root: int
    head: int

    @property
    def group(self) -> Sequence[str]:
        """Forms of the group's words."""
        return self.forms[: self.n_group]

    def relation(self, index: int) -> str:
        """A word's relation without subtype."""
        return self.words[index].deprel.partition(":")[0]

    def tag(self, index: int) -> str:
        """A word's part of speech; empty behind the end."""
        return self.words[index].upos if index < len(self.words) else ""

    def form(self, index: int) -> str:
        """A word's form in lower case; empty behind the end."""
        return self.forms[index] if index < len(self.forms) else ""

    def between(self, start: int, end: int) -> range:
        """Indices from the later of ``start`` and the group's end to before ``end``."""
        return range(max(start, self.n_group), end)


def clause_of(words: Sequence[Word], group: str) -> Clause | None:
    """The clause of a sentence that begins with a group; nothing where the parse does not fit the group.

    Args:
        words: the parsed sentence.
        group: the group phrase as it stands at the sentence's start.
    """
    n_group = sum(word.start < len(group) for word in words)
    roots = [index for index, word in enumerate(words) if word.head < 0]
    if not 0 < n_group < len(words) or words[n_group - 1].end > len(group) or len(roots) != 1 or roots[0] < n_group:
        return None
    heads = [i for i, word in enumerate(words[:n_group]) if word.head >= n_group and word.upos != "PUNCT"]
    forms = [word.form.casefold().replace("’", "'") for word in words]
    return Clause(words, forms, n_group, roots[0], heads[0] if len(heads) == 1 else -1)


def finite_verb(parsed: Clause) -> int:
    """Index of the verb that must agree with the group: the first of the root and its auxiliaries; -1 if not sure.

    It is not sure if another verb, a conjunction or another subject stands before it.
    """
    own = [
        i
        for i in parsed.between(0, len(parsed.words))
        if parsed.tag(i) in _VERBAL
        and (i == parsed.root or (parsed.words[i].head == parsed.root and parsed.relation(i) in ("aux", "cop")))
    ]
    if not own:
        return -1
    before = parsed.between(0, own[0])
    if any(parsed.tag(i) in (*_VERBAL, "SCONJ") or parsed.relation(i) in _SUBJECTS for i in before):
        return -1
    return own[0]


def stands_alone(parsed: Clause, index: int) -> bool:
    """Whether no noun or adjective follows a word directly, which it could belong to."""
    return index + 1 >= len(parsed.words) or parsed.tag(index + 1) in _CLOSED


def skip(parsed: Clause, index: int, adverbs: Collection[str]) -> int:
    """The first index from ``index`` on that is no adverb."""
    while index < len(parsed.words) and (parsed.form(index) in adverbs or parsed.tag(index) == "ADV"):
        index += 1
    return index


def differ(head: Features, word: Features) -> list[str]:
    """What a word that must agree with the head does not share with it: number, or else gender."""
    if head.number and word.number and head.number != word.number:
        return [NUMBER]
    if head.gender and word.gender and head.gender != word.gender:
        return [GENDER]
    return []
