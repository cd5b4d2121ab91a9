"""A scored text as it is stored: token ids and their log-probabilities, from which all sums are computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair.scoring.engine import Failure
from dualpair.scoring.tokenisation import Encoded, encode_requests

if TYPE_CHECKING:
    from dualpair.scoring.engine import Engine

Payload = dict[str, Any]


class Sums(NamedTuple):
    """Sums over the continuation and over the prefix; log-probabilities in nats."""

    logprob_sum: float
    n_tokens: int
    prefix_logprob_sum: float
    prefix_n_tokens: int
    n_chars: int
    n_bytes: int


class ScoredRow(NamedTuple):
    """A scored text: token ids, and the log-probability (nats) of every token after the first.

    ids are BOS (n_bos), context (n_context), prefix and continuation; n_prefix counts all before the continuation. ends
    has one entry for each token of prefix and continuation: the character offset in `prefix + continuation` at which it
    ends, non-decreasing. n_chars and n_bytes are the continuation's length in code points and in UTF-8 bytes.
    """

    ids: tuple[int, ...]
    n_prefix: int
    n_bos: int
    logprobs: tuple[float, ...]
    n_chars: int
    n_bytes: int
    boundary_merge: bool
    bos_policy: str
    n_context: int
    ends: tuple[int, ...]

    @property
    def first_scored(self) -> int:
        """Index in ids of the first token after BOS and context that has a log-probability."""
        return max(self.n_bos + self.n_context, 1)

    def sums(self) -> Sums:
        """Sums over the continuation and over the scored tokens of the prefix: not BOS, not the context.

        Where nothing stands before the prefix its first token has no log-probability and is left out.
        """
        split = self.n_prefix - 1
        prefix = self.logprobs[self.first_scored - 1 : split]
        tail = self.logprobs[split:]
        return Sums(
            logprob_sum=float(sum(tail)),
            n_tokens=len(tail),
            prefix_logprob_sum=float(sum(prefix)),
            prefix_n_tokens=len(prefix),
            n_chars=self.n_chars,
            n_bytes=self.n_bytes,
        )

    def unscored_chars(self) -> int:
        """Characters of the prefix whose tokens have no log-probability: 0, or those of the text's first token."""
        if self.first_scored == self.n_bos + self.n_context:
            return 0
        # A character that several tokens share counts as scored when one of them is.
        return self.ends[0] if self.ends[0] < self.ends[1] else 0

    def payload(self) -> Payload:
        """The row as JSON-ready values, for the store; `from_payload` is the inverse."""
        return {
            **self._asdict(),
            "ids": list(self.ids),
            "logprobs": list(self.logprobs),
            "ends": list(self.ends),
        }


def from_payload(payload: Mapping[str, Any]) -> ScoredRow:
    """A row from what `ScoredRow.payload` gave."""
    lists = {name: tuple(payload[name]) for name in ("ids", "logprobs", "ends")}
    return ScoredRow(**{**payload, **lists})


def row_of(encoded: Encoded, logprobs: Sequence[float]) -> ScoredRow:
    """A row from an encoded text and what an engine gave for it.

    Args:
        encoded: the text as the engine was given it.
        logprobs: log-probability (nats) of every token after the first.

    Raises:
        ValueError: not one value for each token after the first, or a value that is not finite.
    """
    values = tuple(float(value) for value in logprobs)
    if len(values) != len(encoded.ids) - 1:
        raise ValueError(
            f"the engine gave {len(values)} log-probabilities for {len(encoded.ids)} tokens; expected one for each "
            "token after the first"
        )
    odd = next((i for i, value in enumerate(values) if not math.isfinite(value)), None)
    if odd is not None:
        raise ValueError(f"token {odd + 1} of {len(encoded.ids)} has the log-probability {values[odd]}: not finite")
    return ScoredRow(
        ids=encoded.ids,
        n_prefix=encoded.n_prefix,
        n_bos=encoded.n_bos,
        logprobs=values,
        n_chars=encoded.n_chars,
        n_bytes=encoded.n_bytes,
        boundary_merge=encoded.boundary_merge,
        bos_policy=encoded.bos_policy,
        n_context=encoded.n_context,
        ends=encoded.ends,
    )


def rows_of(engine: Engine, encoded: Sequence[Encoded | Failure]) -> list[ScoredRow | Failure]:
    """Score what could be encoded; a failure to encode, or of the engine, stays in its place with its reason."""
    found: list[ScoredRow | Failure] = [e if isinstance(e, Failure) else Failure("") for e in encoded]
    todo = [(place, e) for place, e in enumerate(encoded) if not isinstance(e, Failure)]
    for (place, one), scored in zip(todo, engine.score([e for _, e in todo]) if todo else [], strict=True):
        try:
            found[place] = scored if isinstance(scored, Failure) else row_of(one, scored)
        except ValueError as error:
            found[place] = Failure(str(error))
    return found


def answers(engine: Engine, contents: Sequence[Mapping[str, Any]]) -> list[Payload]:
    """What the store keeps for each request of the stage `score`: the row, or its `error`.

    Args:
        engine: a loaded engine.
        contents: each with prefix, continuation and, unless it is raw text, context.

    Raises:
        InputError: the contents ask for a chat template and the model has none.
    """
    encoded = encode_requests(engine.tokenizer, contents, engine.bos, engine.label.name)
    return [{"error": row.reason} if isinstance(row, Failure) else row.payload() for row in rows_of(engine, encoded)]


def score_columns(row: ScoredRow | None, prefix: str, continuation: str, tokens: bool) -> dict[str, object]:
    """The columns of the `scores` table that come from a row; None stands for a text that could not be scored.

    Args:
        row: the scored text.
        prefix: what it was made from.
        continuation: likewise.
        tokens: whether to fill the token columns; they are empty lists otherwise.
    """
    sums = row.sums() if row else Sums(math.nan, 0, math.nan, 0, len(continuation), _n_bytes(continuation))
    unscored = row.unscored_chars() if row else 0
    scored_prefix = prefix[unscored:]
    shown = row if tokens else None
    return {
        **sums._asdict(),
        "prefix_n_chars": len(scored_prefix),
        "prefix_n_bytes": _n_bytes(scored_prefix),
        "boundary_merge": row is not None and row.boundary_merge,
        "bos_policy": row.bos_policy if row else "",
        "n_bos": row.n_bos if row else 0,
        "n_context": row.n_context if row else 0,
        "token_ids": list(shown.ids) if shown else [],
        "token_logprobs": list(shown.logprobs) if shown else [],
        "token_ends": list(shown.ends) if shown else [],
    }


def _n_bytes(text: str) -> int:
    """Length in UTF-8; half a character, which makes a text unusable, counts as the three bytes it would take."""
    return len(text.encode("utf-8", "surrogatepass"))
