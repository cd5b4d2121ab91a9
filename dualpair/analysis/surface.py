"""How alike two wordings are on the surface: BLEU, chrF++, ROUGE-L, Jaccard (arXiv 2610.08747, section 5.3).

A wording is the attribute, without group and final mark. Tokens of BLEU are sacrebleu's for the language; those of
ROUGE-L and Jaccard are lower-case runs of letters, accents and digits of any script, single characters where the
language is written without spaces. For English that is the default of rouge-score, which drops every other script.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import Any

from dualpair import languages

SURFACE = ("bleu", "chrf", "rouge_l", "jaccard")


def surface_similarities(source: str, paraphrase: str, lang: str) -> dict[str, float]:
    """All of them for one pair; the source is the reference.

    Args:
        source: the original attribute.
        paraphrase: another wording.
        lang: BCP-47 code.

    Returns:
        bleu and chrf, 0 to 100; rouge_l (F1) and jaccard, 0 to 1. Larger is more alike; 100 and 1 are equal texts.

    Raises:
        ValueError: unknown language.
    """
    return {
        "bleu": sentence_bleu(paraphrase, [source], lang),
        "chrf": min(float(_chrf().sentence_score(paraphrase, [source]).score), 100.0),
        "rouge_l": float(_rouge(lang).score(source, paraphrase)["rougeL"].fmeasure),
        "jaccard": jaccard(source, paraphrase, lang),
    }


def sentence_bleu(text: str, references: list[str], lang: str) -> float:
    """Sentence BLEU of a text against references, 0 to 100, of effective order (no n-grams longer than the text).

    Raises:
        ValueError: unknown language.
    """
    found = float(_bleu(languages.get(lang).sacrebleu).sentence_score(text, references).score)
    return min(found, 100.0)  # the library's geometric mean of ones can end above 1 by rounding


def jaccard(first: str, second: str, lang: str) -> float:
    """Shared distinct tokens over all distinct tokens, 0 to 1; NaN when neither text has a token.

    Raises:
        ValueError: unknown language.
    """
    a, b = set(tokens(first, lang)), set(tokens(second, lang))
    return len(a & b) / len(a | b) if a or b else float("nan")


def tokens(text: str, lang: str) -> list[str]:
    """Lower-case words; characters in a language that is written without spaces. Marks and symbols are left out.

    Raises:
        ValueError: unknown language.
    """
    spaced = languages.get(lang).joiner != ""
    kept = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in text.lower())
    return kept.split() if spaced else [char for char in kept if char != " "]


class _Tokenizer:
    """rouge-score's interface to :func:`tokens`."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def tokenize(self, text: str) -> list[str]:
        return tokens(text, self.lang)


@functools.cache
def _bleu(tokenizer: str) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True, tokenize=tokenizer)


@functools.cache
def _chrf() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=2)


@functools.cache
def _rouge(lang: str) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], tokenizer=_Tokenizer(lang))
