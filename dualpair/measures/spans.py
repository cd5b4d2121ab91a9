"""Scope and normalisation: from a scored row to the one number that a sentence gets (scoring contract, points 7 and 8).

Everything here is computed from the columns of the `scores` table; no model is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

Normalisation = Literal["mean", "sum", "char", "byte"]
Scope = Literal["attribute", "sentence", "divergent"]
NORMALISATIONS: tuple[str, ...] = get_args(Normalisation)
SCOPES: tuple[str, ...] = get_args(Scope)
# What x, y and every B are measured in.
UNITS = {"mean": "nats per token", "sum": "nats", "char": "nats per character", "byte": "nats per byte"}

_DIVISORS = {"mean": "n_tokens", "char": "n_chars", "byte": "n_bytes"}
_TOKEN_COLUMNS = ("token_ids", "token_logprobs", "token_ends", "n_bos", "n_context")


class Span(NamedTuple):
    """The scored part of one sentence: log-probability in nats, and its length."""

    logprob_sum: float
    n_tokens: int
    n_chars: int
    n_bytes: int


class TokenRow(NamedTuple):
    """The token columns of one row of the `scores` table, and its text (prefix + continuation)."""

    token_ids: Sequence[int]
    token_logprobs: Sequence[float]
    token_ends: Sequence[int]
    n_bos: int
    n_context: int
    text: str


def columns(scope: str, normalisation: str) -> list[str]:
    """Columns of the `scores` table that a scope with a normalisation is computed from.

    Raises:
        ValueError: an unknown scope or normalisation.
    """
    for value, allowed, name in ((scope, SCOPES, "scope"), (normalisation, NORMALISATIONS, "normalisation")):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(allowed)}; found {value!r}")
    if scope == "divergent":
        return ["prefix", "continuation", "logprob_sum", "n_tokens", *_TOKEN_COLUMNS]
    found = ["logprob_sum", "n_tokens"]
    if normalisation in ("char", "byte"):
        found.append(_DIVISORS[normalisation])
    return found if scope == "attribute" else [*found, *(f"prefix_{name}" for name in found)]


def values(scores: pd.DataFrame, scope: str, normalisation: str) -> npt.NDArray[np.float64]:
    """Normalised log-probability of each row, for the scopes that need no other sentence.

    attribute: sum over the continuation (arXiv 2610.08747). sentence: sum over the scored tokens of prefix and
    continuation (CrowS-Pairs). Divided by 1 (sum), by the scored tokens (mean), by the code points (char) or UTF-8
    bytes (byte) of the scored text.

    Args:
        scores: rows of the `scores` table, at least the `columns`.
        scope: attribute or sentence.
        normalisation: mean, sum, char or byte.

    Returns:
        float64 (rows,), in nats, nats per token, character or byte; NaN where a row has no score.

    Raises:
        ValueError: an unknown scope or normalisation, the scope divergent, or a column that is not there.
    """
    missing = sorted(set(columns(scope, normalisation)) - set(scores.columns))
    if scope == "divergent":
        raise ValueError("the scope divergent compares sentences: use divergent_spans")
    if missing:
        raise ValueError(f"scores lacks the columns {', '.join(missing)}; score again")
    parts = [""] if scope == "attribute" else ["", "prefix_"]

    def total(name: str) -> npt.NDArray[np.float64]:
        found = [scores[part + name].to_numpy(dtype=np.float64, na_value=np.nan) for part in parts]
        summed: npt.NDArray[np.float64] = np.sum(np.stack(found), axis=0)
        return summed

    divisor = _DIVISORS.get(normalisation)
    length = np.ones(len(scores)) if divisor is None else total(divisor)
    result: npt.NDArray[np.float64] = total("logprob_sum") / np.where(length > 0, length, np.nan)
    return result


def normalised(span: Span, normalisation: str) -> float:
    """A span's log-probability divided as the normalisation says.

    Raises:
        ValueError: an unknown normalisation.
    """
    if normalisation not in NORMALISATIONS:
        raise ValueError(f"normalisation must be one of {', '.join(NORMALISATIONS)}; found {normalisation!r}")
    divisor = _DIVISORS.get(normalisation)
    return span.logprob_sum if divisor is None else span.logprob_sum / float(getattr(span, divisor))


def common_prefix(rows: Sequence[Sequence[int]]) -> int:
    """Number of leading items that all rows share; 0 for no rows."""
    if not rows:
        return 0
    first, last = min(map(tuple, rows)), max(map(tuple, rows))  # equal up to where any two differ
    shared = 0
    for a, b in zip(first, last, strict=False):
        if a != b:
            break
        shared += 1
    return shared


def divergent_spans(rows: Sequence[TokenRow]) -> list[Span | None]:
    """The part of each sentence from the first token at which any two of them differ (SHADES, EuroGEST).

    Tokens are compared by id (definitions of those works compare log-probabilities, which differ by chance). Without
    BOS and context the first token has no log-probability: where the sentences differ from it on, it is left out.

    Args:
        rows: the compared sentences, at least two.

    Returns:
        For each its span, or None when it ends before the first difference (nothing of it can be scored).

    Raises:
        ValueError: fewer than two sentences, or a row without token columns.
    """
    if len(rows) < 2:
        raise ValueError(f"the scope divergent compares sentences: found {len(rows)}, needs at least 2")
    if any(len(row.token_ids) == 0 for row in rows):
        raise ValueError(
            "the scope divergent needs the token columns, which these scores lack: score again with "
            "`scoring.scope: divergent` or `scoring.token_columns: true` (no model is called again)"
        )
    shared = common_prefix([row.token_ids for row in rows])
    return [_suffix(row, shared) for row in rows]


def side_values(scores: pd.DataFrame, scope: str, normalisation: str) -> list[float | None]:
    """One number per group for the sentences of one (set, variant, side), all of them scored.

    Args:
        scores: their rows of the `scores` table in group order, at least the `columns`.
        scope: attribute, sentence or divergent.
        normalisation: mean, sum, char or byte.

    Returns:
        In the unit of `UNITS`; None for a sentence that ends before it differs from the others (divergent).

    Raises:
        ValueError: an unknown scope or normalisation, or (divergent) a row without token columns, or a single row.
    """
    if scope != "divergent":
        return list(values(scores, scope, normalisation).tolist())
    columns(scope, normalisation)
    found = divergent_spans([token_row(row) for row in scores.to_dict("records")])
    return [None if span is None else normalised(span, normalisation) for span in found]


def token_row(row: Mapping[Any, Any]) -> TokenRow:
    """The token columns of one row of the `scores` table."""
    text = f"{row['prefix']}{row['continuation']}"
    lists = (row["token_ids"], row["token_logprobs"], row["token_ends"])
    return TokenRow(*lists, int(row["n_bos"]), int(row["n_context"]), text)


def char_start(ends: Sequence[int], token: int) -> int:
    """Character at which the text of `ends`' token begins: where the tokens before it end.

    A byte-level tokenizer may spread a character over several tokens, which then have the same end; a token inside such
    a character begins where the character begins.
    """
    start = token
    while start > 0 and ends[start - 1] == ends[token]:
        start -= 1
    return ends[start - 1] if start else 0


def _suffix(row: TokenRow, shared: int) -> Span | None:
    own = row.n_bos + row.n_context
    start = max(shared, own, 1)
    if start >= len(row.token_ids):
        return None
    text = row.text[char_start(row.token_ends, start - own) :]
    logprobs = row.token_logprobs[start - 1 :]
    return Span(float(sum(logprobs)), len(logprobs), len(text), len(text.encode()))
