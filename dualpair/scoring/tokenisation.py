"""From (prefix, continuation) to token ids: one tokenisation of the whole text, the boundary found by offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

AUTO = "auto"
NONE = "none"
_SEPARATOR = "<|endoftext|>"


class Bos(NamedTuple):
    """Resolved BOS policy: what is recorded in every row, and the token ids put in front of the text (often one)."""

    policy: str
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Encoded:
    """One text ready to be scored.

    ids: BOS, prefix and continuation. n_prefix: how many of them are BOS or prefix. n_bos: how many are BOS.
    boundary_merge: a token straddles the boundary (it counts as continuation). n_chars, n_bytes: the continuation's
    length in code points and UTF-8 bytes.
    """

    ids: tuple[int, ...]
    n_prefix: int
    boundary_merge: bool
    bos_policy: str
    n_bos: int
    n_chars: int
    n_bytes: int


def resolve_bos(tokenizer: Any, policy: str = AUTO) -> Bos:
    """Turn a model's BOS policy into token ids.

    `auto` is what the tokenizer itself puts in front; if it puts nothing, the document separator `<|endoftext|>` if the
    vocabulary has it, else the tokenizer's BOS token, else its EOS token, else nothing. `none` is nothing. Anything
    else is a token of the vocabulary.

    Args:
        tokenizer: a fast tokenizer of transformers.
        policy: auto, none or a token.

    Returns:
        The policy as recorded: the token(s) in front of the text, or "none".

    Raises:
        ValueError: the token is not in the vocabulary, or the tokenizer gives no character offsets.
    """
    if not getattr(tokenizer, "is_fast", False):
        raise ValueError(f"{type(tokenizer).__name__} gives no character offsets: scoring needs a fast tokenizer")
    if policy == NONE:
        return Bos(NONE, ())
    if policy != AUTO:
        return Bos(policy, (_token_id(tokenizer, policy),))
    ids = _added_in_front(tokenizer)
    if not ids:
        for token in (_SEPARATOR, tokenizer.bos_token, tokenizer.eos_token):
            found = None if token is None else _lookup(tokenizer, token)
            if found is not None:
                ids = (found,)
                break
    return Bos("".join(tokenizer.convert_ids_to_tokens(list(ids))) or NONE, ids)


def _token_id(tokenizer: Any, token: str) -> int:
    found = _lookup(tokenizer, token)
    if found is None:
        raise ValueError(
            f"bos: {token!r} is no token of this vocabulary (allowed: auto, none, or a token of the model)"
        )
    return found


def _lookup(tokenizer: Any, token: str) -> int | None:
    """Id of a token, or None; an unknown token must not become the unknown token's id."""
    found = tokenizer.convert_tokens_to_ids(token)
    if found is None or tokenizer.convert_ids_to_tokens(found) != token:
        return None
    return int(found)


def _added_in_front(tokenizer: Any) -> tuple[int, ...]:
    """Ids that the tokenizer puts before a text."""
    plain = tokenizer("a", add_special_tokens=False).input_ids
    full = tokenizer("a", add_special_tokens=True).input_ids
    for start in range(len(full) - len(plain) + 1):
        if full[start : start + len(plain)] == plain:
            return tuple(full[:start])
    return ()


def encode(tokenizer: Any, prefix: str, continuation: str, bos: str | Bos = AUTO) -> Encoded:
    """Encode one (prefix, continuation); see `encode_pairs`."""
    return encode_pairs(tokenizer, [(prefix, continuation)], bos)[0]


def encode_pairs(tokenizer: Any, pairs: Sequence[tuple[str, str]], bos: str | Bos = AUTO) -> list[Encoded]:
    """Encode texts as the scoring contract says: whole, once, BOS once, boundary by character offsets.

    The continuation begins at the first token whose end lies beyond the prefix (arXiv 2610.08747 scores the attribute's
    tokens given the group). A byte-level tokenizer may give several tokens the offsets of one character; they all end
    at that character's end, so a character is never split between prefix and continuation.

    Args:
        tokenizer: a fast tokenizer of transformers.
        pairs: (prefix, continuation); the word-boundary space, if the language has one, begins the continuation.
        bos: a policy (auto, none, a token) or a resolved one.

    Raises:
        ValueError: an empty continuation, one without tokens, or one whose first token nothing stands before (empty
            prefix and no BOS): it would have no probability.
    """
    resolved = bos if isinstance(bos, Bos) else resolve_bos(tokenizer, bos)
    for row, (prefix, continuation) in enumerate(pairs):
        if not continuation.strip():
            raise ValueError(
                f"row {row}: the continuation {continuation!r} after {prefix!r} is empty: nothing to score"
            )
    if not pairs:
        return []
    texts = [prefix + continuation for prefix, continuation in pairs]
    found = tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
    return [
        _encoded(pair, tuple(ids), offsets, resolved)
        for pair, ids, offsets in zip(pairs, found["input_ids"], found["offset_mapping"], strict=True)
    ]


def _encoded(pair: tuple[str, str], ids: tuple[int, ...], offsets: Sequence[tuple[int, int]], bos: Bos) -> Encoded:
    prefix, continuation = pair
    boundary = len(prefix)
    first = next((i for i, (_, end) in enumerate(offsets) if end > boundary), len(ids))
    if first == len(ids):
        raise ValueError(
            f"the continuation {continuation!r} after {prefix!r} has no token of its own: nothing to score"
        )
    # Some byte-level tokenizers leave the space out of a token's offsets, so a swallowed space shows only as a gap.
    covered = max((end for _, end in offsets[:first]), default=0)
    merged = offsets[first][0] < boundary or covered < boundary
    written_out = ids[: len(bos.ids)] == bos.ids  # a chat template may already begin with BOS: once is enough
    front = () if written_out else bos.ids
    n_prefix = len(front) + first
    if n_prefix == 0:
        raise ValueError(
            f"nothing stands before the continuation {continuation!r}: with an empty prefix and no BOS its first token "
            "has no probability; give a prefix or set `bos:` of the model to a token"
        )
    return Encoded(
        ids=front + ids,
        n_prefix=n_prefix,
        boundary_merge=merged,
        bos_policy=bos.policy,
        n_bos=len(bos.ids),
        n_chars=len(continuation),
        n_bytes=len(continuation.encode("utf-8")),
    )
