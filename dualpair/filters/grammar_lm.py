"""Grammar by a language model: how much less usual a candidate's attribute is than its source's.

A text's log-probability falls with its length, and its spread grows with the square root of it, as that of a sum of as
many terms. The level of a text is therefore its log-probability divided by the square root of its number of tokens. The
source's level, which holds how rare the topic and the group's habits of speech are, is taken off by half: that is the
slope of the regression of correct rewordings on their sources (docs/grammar_scores.md, which also compares the mean per
token and other statistics).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

SOURCE_WEIGHT = 0.5


def level(logprob_sum: float, n_tokens: int) -> float:
    """Log-probability (nats) of an attribute given its group, divided by the square root of its number of tokens.

    Raises:
        ValueError: no token.
    """
    if n_tokens < 1:
        raise ValueError(f"an attribute of {n_tokens} tokens has no level; expected at least one token")
    return logprob_sum / math.sqrt(n_tokens)


def score(candidate: tuple[float, int], source: tuple[float, int]) -> float:
    """The candidate's level minus half its source's, in nats per square root of tokens; the lower, the odder.

    Args:
        candidate: log-probability sum and number of tokens of its attribute with final mark, given the group.
        source: the same of the source's attribute with the same group.
    """
    return level(*candidate) - SOURCE_WEIGHT * level(*source)


def threshold(correct: Sequence[float], lost: float) -> float:
    """The score below which a share of at most ``lost`` of the correct candidates lies, rounded down to two decimals.

    Args:
        correct: scores of candidates known to be correct.
        lost: share that may be lost, 0 to below 1.

    Raises:
        ValueError: no scores, or a share out of range.
    """
    if not correct or not 0 <= lost < 1:
        raise ValueError(
            f"{len(correct)} scores, share {lost}: expected at least one score and a share of 0 to below 1"
        )
    ordered = sorted(correct)
    return math.floor(100 * ordered[math.floor(lost * len(ordered))]) / 100
