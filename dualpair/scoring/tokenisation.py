"""From (prefix, continuation) to token ids: one tokenisation of the whole text, the boundaries found by offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from dualpair.errors import InputError
from dualpair.scoring import context as contexts
from dualpair.scoring.context import NO_CONTEXT, Context
from dualpair.scoring.engine import Failure

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

    ids: BOS, context, prefix and continuation. n_prefix: how many of them stand before the continuation. n_bos,
    n_context: how many are BOS and context. boundary_merge: a token straddles prefix and continuation (it counts as
    continuation). n_chars, n_bytes: the continuation's length in code points and UTF-8 bytes. ends: for each token of
    prefix and continuation the character offset in `prefix + continuation` at which it ends, non-decreasing.
    """

    ids: tuple[int, ...]
    n_prefix: int
    boundary_merge: bool
    bos_policy: str
    n_bos: int
    n_chars: int
    n_bytes: int
    n_context: int
    ends: tuple[int, ...]


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


def encode(
    tokenizer: Any, prefix: str, continuation: str, bos: str | Bos = AUTO, context: Context = NO_CONTEXT
) -> Encoded:
    """Encode one (prefix, continuation); see `encode_pairs`."""
    return encode_pairs(tokenizer, [(prefix, continuation)], bos, context)[0]


def encode_pairs(
    tokenizer: Any, pairs: Sequence[tuple[str, str]], bos: str | Bos = AUTO, context: Context = NO_CONTEXT
) -> list[Encoded]:
    """Encode texts as the scoring contract says: whole, once, BOS once, boundaries by character offsets.

    The continuation begins at the first token whose end lies beyond the prefix (arXiv 2610.08747 scores the attribute's
    tokens given the group), the prefix at the first whose end lies beyond the context. A byte-level tokenizer may give
    several tokens the offsets of one character; they all end at that character's end, so a character is never split.

    Args:
        tokenizer: a fast tokenizer of transformers.
        pairs: (prefix, continuation); the word-boundary space, if the language has one, begins the continuation.
        bos: a policy (auto, none, a token) or a resolved one.
        context: what stands in front of every text.

    Raises:
        ValueError: a lone surrogate, a special token that is written in the text, an empty continuation, one without
            tokens, or one whose first token nothing stands before (empty prefix, no context and no BOS): it would have
            no probability.
        InputError: the context needs a chat template that the tokenizer does not have.
    """
    found = []
    for row, one in enumerate(encode_each(tokenizer, pairs, bos, context)):
        if isinstance(one, Failure):
            raise ValueError(f"row {row}: {one.reason}")
        found.append(one)
    return found


def encode_each(
    tokenizer: Any,
    pairs: Sequence[tuple[str, str]],
    bos: str | Bos = AUTO,
    context: Context = NO_CONTEXT,
    model: str = "",
) -> list[Encoded | Failure]:
    """As `encode_pairs`, but a text that cannot be scored is a `Failure` in its place.

    Raises:
        InputError: the context is no valid Unicode, or needs a chat template that the tokenizer does not have; `model`
            is what it calls the model.
    """
    resolved = bos if isinstance(bos, Bos) else resolve_bos(tokenizer, bos)
    front = contexts.render(tokenizer, context, model)
    if surrogate(front):
        raise InputError(f"the context holds {surrogate(front)}")
    damage = [surrogate(prefix + continuation) for prefix, continuation in pairs]
    whole = [pair for pair, problem in zip(pairs, damage, strict=True) if not problem]
    if not whole:
        return [Failure(f"the text holds {problem}") for problem in damage]
    texts = [front + prefix + continuation for prefix, continuation in whole]
    # verbose warns of texts longer than the tokenizer's own limit; the engine refuses those with the model's.
    found = tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    encodings = zip(whole, found["input_ids"], found["offset_mapping"], strict=True)
    special = _special_tokens(tokenizer)
    made: list[Encoded | Failure] = []
    for problem in damage:
        if problem:
            made.append(Failure(f"the text holds {problem}"))
            continue
        pair, ids, offsets = next(encodings)
        try:
            if not special.keys().isdisjoint(ids):
                _check_special(front + "".join(pair), ids, offsets, resolved, len(front), special)
            made.append(_encoded(pair, tuple(ids), offsets, resolved, len(front)))
        except ValueError as error:
            made.append(Failure(str(error)))
    return made


def surrogate(text: str) -> str:
    """What is wrong with a text that is no valid Unicode, in words that follow "holds"; empty for all others."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        return (
            f"half a character (the lone surrogate U+{code:04X}, character {error.start + 1}), which no file in UTF-8 "
            "can hold: write the whole character"
        )
    return ""


def encode_requests(
    tokenizer: Any, contents: Sequence[Mapping[str, Any]], bos: str | Bos = AUTO, model: str = ""
) -> list[Encoded | Failure]:
    """Encode the contents of requests of the stage `score`: prefix, continuation and, unless it is raw text, context.

    Args:
        tokenizer: a fast tokenizer of transformers.
        contents: requests, in any mixture of contexts; each context is rendered once.
        bos: a policy or a resolved one.
        model: what messages call the model.

    Returns:
        In input order; a text that cannot be scored is a `Failure`.

    Raises:
        InputError: a context needs a chat template that the tokenizer does not have.
    """
    groups: dict[Context, list[int]] = {}
    for place, content in enumerate(contents):
        groups.setdefault(contexts.of(content), []).append(place)
    found: dict[int, Encoded | Failure] = {}
    for context, places in groups.items():
        pairs = [(str(contents[place]["prefix"]), str(contents[place]["continuation"])) for place in places]
        found.update(zip(places, encode_each(tokenizer, pairs, bos, context, model), strict=True))
    return [found[place] for place in range(len(contents))]


def _encoded(
    pair: tuple[str, str], ids: tuple[int, ...], offsets: Sequence[tuple[int, int]], bos: Bos, shift: int
) -> Encoded:
    """One text's rows of ids; `shift` is the length of the context in front of it, in characters."""
    prefix, continuation = pair
    if not continuation.strip():
        raise ValueError(f"the continuation {continuation!r} after {prefix!r} is empty: nothing to score")
    boundary = shift + len(prefix)
    written_out = bool(bos.ids) and ids[: len(bos.ids)] == bos.ids  # by the text or the chat template: once is enough
    skip = len(bos.ids) if written_out else 0
    begin = max(_first_beyond(offsets, shift), skip) if shift else skip
    first = max(_first_beyond(offsets, boundary), begin)
    if first == len(ids):
        raise ValueError(
            f"the continuation {continuation!r} after {prefix!r} has no token of its own: nothing to score"
        )
    # Some byte-level tokenizers leave the space out of a token's offsets, so a swallowed space shows only as a gap.
    covered = max((end for _, end in offsets[:first]), default=0)
    front = () if written_out else bos.ids
    n_prefix = len(front) + first
    if n_prefix == 0:
        raise ValueError(
            f"nothing stands before the continuation {continuation!r}: with an empty prefix and no BOS its first token "
            "has no probability; give a prefix or set `bos:` of the model to a token"
        )
    length = len(prefix) + len(continuation)
    ends = accumulate((min(max(end - shift, 0), length) for _, end in offsets[begin:]), max)
    return Encoded(
        ids=front + ids,
        n_prefix=n_prefix,
        boundary_merge=offsets[first][0] < boundary or covered < boundary,
        bos_policy=bos.policy,
        n_bos=len(bos.ids),
        n_chars=len(continuation),
        n_bytes=len(continuation.encode("utf-8")),
        n_context=begin - skip,
        ends=tuple(ends),
    )


def _special_tokens(tokenizer: Any) -> dict[int, str]:
    """Special tokens by id; not the unknown token, which stands for words, unless it is BOS or EOS too."""
    found = {token: text.content for token, text in tokenizer.added_tokens_decoder.items() if text.special}
    found |= dict(zip(tokenizer.all_special_ids, tokenizer.all_special_tokens, strict=True))
    if tokenizer.unk_token_id not in (tokenizer.bos_token_id, tokenizer.eos_token_id):
        found.pop(tokenizer.unk_token_id, None)
    return found


def _check_special(
    text: str,
    ids: Sequence[int],
    offsets: Sequence[tuple[int, int]],
    bos: Bos,
    shift: int,
    special: Mapping[int, str],
) -> None:
    """Refuse a special token that prefix or continuation spell out: the model would take it for a command.

    BOS at the very beginning may be written out. `shift` is the length of the context, in characters.

    Raises:
        ValueError: naming the token.
    """
    allowed = len(bos.ids) if tuple(ids[: len(bos.ids)]) == bos.ids else 0
    for place, (token, (start, end)) in enumerate(zip(ids, offsets, strict=True)):
        if place < allowed or start < shift or token not in special:
            continue
        if text[start:end].strip().casefold() == special[token].strip().casefold():
            raise ValueError(
                f"the text holds the special token {special[token]!r} (character {start - shift + 1}), which the model "
                "would read as a command and not as text: remove it (turns of a chat are written by context "
                "chat_template, or stand in a text context)"
            )


def _first_beyond(offsets: Sequence[tuple[int, int]], place: int) -> int:
    """Index of the first token that ends beyond a character offset; the number of tokens when none does."""
    return next((i for i, (_, end) in enumerate(offsets) if end > place), len(offsets))
