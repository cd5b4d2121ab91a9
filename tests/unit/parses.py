"""Hand-written parses for tests of the splitting rule."""

from __future__ import annotations

import re

from dualpair.syntax.splitting import Word


def parsed(text: str, analysis: str) -> list[Word]:
    """Words of ``text`` from items of ``form/upos/head/deprel`` or ``form/upos/head/deprel/feats``.

    Heads are 1-based, 0 for the root.
    """
    words, position = [], 0
    for item in analysis.split():
        found = re.fullmatch(r"(.+)/([A-Z]+)/(\d+)/([\w:-]+)(?:/(\S+))?", item)
        assert found, item
        form, upos, head, deprel, feats = found.groups(default="")
        start = text.index(form, position)
        position = start + len(form)
        words.append(Word(form, start, position, upos, int(head) - 1, deprel, feats))
    return words
