"""Words of the prompt in an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dualpair import languages
from dualpair.generation import wording

# A run of the prompt's words (or characters, where a language writes no spaces) that no answer has by chance.
_RUN_WORDS = 5
_RUN_CHARACTERS = 10
# Placeholders of a template, and the labels that chat transcripts and worked examples are written with.
_LABELS = re.compile(
    r"\{(?:sentence|group|attribute)\}"
    r"|(?<!\w)(?:user|assistant|system|input|output|answer|question|note|sentence|paraphrase|opposite)\s*[:：]"
)


def echoes(text: str, prompt: str, parts: Sequence[str], lang: str) -> bool:
    """Whether a text repeats its prompt: a placeholder, a label such as "Answer:", or a run of the instruction's words.

    Args:
        text: an attribute.
        prompt: the message that was sent; empty when that is not known.
        parts: the texts that were filled in for the placeholders, which an answer may repeat.
        lang: language code.
    """
    if _LABELS.search(wording.folded(text)):
        return True
    pieces = [wording.folded(prompt)]
    for part in sorted((wording.folded(part) for part in parts if part), key=len, reverse=True):
        pieces = [rest for piece in pieces for rest in piece.split(part)]
    ours = _runs(text, lang)
    return any(ours & _runs(piece, lang) for piece in pieces)


def _runs(text: str, lang: str) -> set[tuple[str, ...]]:
    spaced = bool(languages.get(lang).joiner)
    units = wording.words(text) if spaced else list(wording.comparable(text))
    length = _RUN_WORDS if spaced else _RUN_CHARACTERS
    return {tuple(units[start : start + length]) for start in range(len(units) - length + 1)}
