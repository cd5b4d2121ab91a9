"""The dash that separates a group from its predicate."""

from __future__ import annotations

import re

from dualpair.syntax.boundaries import quoted
from dualpair.syntax.tree import NOMINAL, SUBJECTS, VERBAL, Tree

_DASH = re.compile(r"\s+(?:[–—―-]|--)\s+(?=\S)")
_UNSPACED_DASH = re.compile(r"\s*(?:[–—―]+|--)\s*(?=\S)")


def before_dash(body: str, tree: Tree, spaced: bool) -> int | None:
    """Where the group ends if a dash separates it from the predicate, else None."""
    dashes = [match.span() for match in _dashes(body, spaced)]
    if not dashes:
        return None
    start, end = dashes[0]
    if not _is_group(tree, start, end):
        return None
    if len(dashes) == 1 or tree.words[tree.root].start < dashes[1][1]:
        return start
    # Two dashes before the predicate enclose an insertion. The second also stands for a missing copula, or it only
    # closes the insertion when a verb follows.
    start, end = dashes[1]
    verbs = [tree.root, *tree.children(tree.root, "aux", "cop")]
    closes = spaced and any(tree.words[i].upos in VERBAL for i in verbs)
    return len(body[:end].rstrip()) if closes else start


def _dashes(body: str, spaced: bool) -> list[re.Match[str]]:
    """Dashes between words, except those of a range of numbers (18 - 25) and inside quotation marks or brackets."""
    inside = quoted(body)
    return [
        match
        for match in (_DASH if spaced else _UNSPACED_DASH).finditer(body)
        if match.start() > 0
        and not inside[match.start()]
        and not (body[match.start() - 1].isdigit() and body[match.end()].isdigit())
    ]


def _is_group(tree: Tree, start: int, end: int) -> bool:
    """Whether the words before a dash are a noun phrase without its predicate."""
    words = tree.words
    before = [i for i in tree.real() if words[i].end <= start]
    if not before:
        return False
    head = tree.top(before[0], frozenset(before))
    nominal = words[head].upos in NOMINAL or tree.relation(head) == "nsubj"
    if not nominal or tree.relation(head) in ("csubj", "advcl", "ccomp", "advmod") or tree.children(head, "case"):
        return False
    if words[tree.root].start < end:
        return head == tree.root and not tree.children(head, *SUBJECTS, "csubj", "cop", "aux")
    others = (i for i in before if words[i].head not in before and i != head)
    return not any(words[i].upos in VERBAL for i in others)
