"""Parallel sentences of a set that the parser cut at different places, cut alike.

The paper keeps a set only if its sentences leave the identical attribute as they are parsed. A parser that stumbles
over one of them costs the set. ``suffix`` takes the attribute that the parser found in most of the set's sentences for
all of them, if all end with it. It is off by default: the paper's rule is strict, and a mistake that the parser makes
more often than not would be spread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dualpair import languages
from dualpair.syntax import reasons
from dualpair.syntax.splitting import NOMINAL, Rejection, Split

NONE, SUFFIX = "none", "suffix"
MODES = (NONE, SUFFIX)
NOTE = "repaired: "
"""Begins the ``parse`` of every split of a repaired set."""


def by_suffix(sentences: Sequence[str], found: Sequence[Split | Rejection], lang: str) -> list[Split] | None:
    """The sentences of one set, all cut before the same attribute, or None if that cannot be done.

    An attribute qualifies if the parser found it in at least one of the sentences, every sentence ends with it, at a
    word boundary and before the same final mark, and what stands before it is a noun phrase in each sentence's own
    parse (:func:`is_noun_phrase`). Of those that qualify one must have been found more often than any other. Nothing is
    repaired where a cell holds several sentences.

    Args:
        sentences: the set's sentences; normalised here.
        found: what the parser made of each.
        lang: BCP-47 code.
    """
    if any(isinstance(one, Rejection) and one.reason == reasons.SEVERAL_SENTENCES for one in found):
        return None
    bodies = [languages.split_final_mark(languages.normalise(sentence), lang) for sentence in sentences]
    votes = Counter((one.attribute, one.final_mark) for one in found if isinstance(one, Split))
    fitting: list[tuple[int, list[Split]]] = []
    for (attribute, mark), count in votes.items():
        ending = languages.get(lang).joiner + attribute
        if all(own == mark and body.endswith(ending) and body != ending for body, own in bodies):
            groups = [body[: len(body) - len(ending)].rstrip() for body, _ in bodies]
            if all(is_noun_phrase(group, one.parse) for group, one in zip(groups, found, strict=True)):
                pairs = zip(groups, found, strict=True)
                fitting.append((count, [Split(group, attribute, mark, NOTE + one.parse) for group, one in pairs]))
    most = max((count for count, _ in fitting), default=0)
    best = [splits for count, splits in fitting if count == most]
    return best[0] if len(best) == 1 else None


def is_noun_phrase(group: str, parse: str) -> bool:
    """Whether the words that a group consists of can be one noun phrase in the sentence's parse.

    They can if the first of them that hangs on a word outside (or is the root) is a noun or stands for one, and every
    further one is a modifier that the parser hung too high: a relative clause, an apposition, another noun with a
    preposition or a conjunction. An auxiliary, a negation or an adverb of the predicate is none.

    Args:
        group: the group as in the sentence.
        parse: as :func:`dualpair.syntax.splitting.describe` writes it.
    """
    words = [item.rsplit("/", 3) for item in parse.split()]
    rest, count = "".join(group.split()), 0
    while rest and count < len(words) and rest.startswith(words[count][0]):
        rest, count = rest.removeprefix(words[count][0]), count + 1
    heads = [int(head) for _, _, head, _ in words]
    outside = [i for i in range(count) if not 0 < heads[i] <= count and words[i][1] != "PUNCT"]
    if rest or not outside or words[outside[0]][1] not in NOMINAL:
        return False
    return all(_hung_too_high(words, i + 1) for i in outside[1:])


def _hung_too_high(words: Sequence[Sequence[str]], number: int) -> bool:
    """Whether the word with this 1-based number is the head of a modifier of a noun."""
    _, upos, _, label = words[number - 1]
    if label.partition(":")[0] in ("acl", "appos", "flat", "nummod"):
        return True
    joined = any(
        int(head) == number and own.partition(":")[0] in ("case", "cc") and i < number
        for i, (_, _, head, own) in enumerate(words, start=1)
    )
    return upos in NOMINAL and joined
