"""What a completions end point answers about a prompt: which log-probabilities, of which tokens.

Two ways are known. `prompt_logprobs` (vLLM) gives, per position, a mapping from token id to log-probability, so that
our own token is looked up. `echo` (the older OpenAI API, SGLang and others) gives one number per token of the repeated
prompt; token ids do not come back, so the number of positions and, where given, the tokens' texts are compared with
what was sent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from dualpair.scoring.engine import Failure, Scored

Ids = tuple[int, ...]

_ROUNDING = 1e-6
_MINUS_INFINITY = -9999.0  # JSON has no infinity; vLLM writes this


class Mode(NamedTuple):
    """How prompts are sent and log-probabilities come back; lists: a request may hold several prompts."""

    name: Literal["prompt_logprobs", "echo"]
    max_tokens: int
    lists: bool = False

    def payload(self, prompts: Sequence[Ids], others: int = 0) -> dict[str, Any]:
        """Body of a request for one prompt, or for several where `lists` is set.

        others: how many likely tokens are asked for at each position beside our own (echo always gives one).
        """
        prompt: Any = [list(ids) for ids in prompts] if self.lists else list(prompts[0])
        asked = {"prompt_logprobs": others} if self.name == "prompt_logprobs" else {"echo": True, "logprobs": 1}
        return {"prompt": prompt, "max_tokens": self.max_tokens, "temperature": 1, **asked}

    def answered(self, choice: dict[str, Any]) -> bool:
        """Whether an answer holds what this mode asks for."""
        return len(_positions(choice, self.name)) > 1


# vLLM demands a generated token; with echo some servers allow none, others demand one
MODES = (Mode("prompt_logprobs", 1), Mode("echo", 0), Mode("echo", 1))


class AnswerError(ValueError):
    """An answer that is not one choice for each prompt."""


class Answer(NamedTuple):
    """One row of an answer; names: what the server calls each token, None where it does not say."""

    scored: Scored
    names: tuple[str | None, ...]


class TokenNames:
    """Compares what a server calls a token with what our tokenizer calls it."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self._known: dict[tuple[int, str], bool] = {}

    def same(self, token: int, name: str | None) -> bool:
        """False only for names that cannot be the token's: servers write pieces or decoded text, spaces or not.

        A token that is a part of a character has no text of its own, so it is not compared.
        """
        if not name or name.startswith("bytes:") or "\ufffd" in name:
            return True
        if (token, name) not in self._known:
            self._known[token, name] = self._compare(token, name)
        return self._known[token, name]

    def _compare(self, token: int, name: str) -> bool:
        if name.startswith("token_id:"):
            return name == f"token_id:{token}"
        text, piece = self.ours(token), self.tokenizer.convert_ids_to_tokens(token)
        if "\ufffd" in text or piece is None:
            return True
        return _plain(name) in (_plain(text), _plain(piece))

    def ours(self, token: int) -> str:
        """The token's text by our tokenizer."""
        return str(self.tokenizer.decode([token], clean_up_tokenization_spaces=False))


def read(choice: dict[str, Any], ids: Ids, mode: Mode, names: TokenNames) -> Answer:
    """Log-probabilities (nats) of every token after the first, from one choice of an answer.

    Args:
        choice: as the server sent it.
        ids: the prompt that was sent.
        mode: how it was sent.
        names: of our tokenizer; with echo each token's name is compared, because ids do not come back.

    Returns:
        ``len(ids) - 1`` values, or a `Failure` that says which position is missing, not finite or positive.
    """
    positions = _positions(choice, mode.name)
    extra = mode.max_tokens if mode.name == "echo" else 0
    if not len(ids) <= len(positions) <= len(ids) + extra:
        return Answer(Failure(_COUNT.format(found=len(positions), sent=len(ids))), ())
    if mode.name == "prompt_logprobs":
        found = [_looked_up(position, token) for position, token in zip(positions, ids, strict=True)]
        values, called = [value for value, _ in found], [name for _, name in found]
    else:
        values = list(positions[: len(ids)])
        called = _echoed_names(choice, len(ids))
        for place, (token, name) in enumerate(zip(ids, called, strict=True)):
            if not names.same(token, name):
                return Answer(Failure(other_token(place, token, name, names)), tuple(called))
    return Answer(_checked(values, ids), tuple(called))


_COUNT = (
    "the server returned {found} positions for {sent} tokens: it adds tokens (a BOS of its own), cuts the prompt, or "
    "gives log-probabilities of generated tokens only"
)


def _positions(choice: dict[str, Any], mode: str) -> list[Any]:
    """Per position what the server said, or an empty list where it said nothing."""
    found: Any = choice.get("prompt_logprobs")
    if mode == "echo":
        block = choice.get("logprobs")
        found = block.get("token_logprobs") if isinstance(block, dict) else None
    return found if isinstance(found, list) else []


def _looked_up(position: Any, token: int) -> tuple[Any, str | None]:
    """Value and name of our own token; other tokens may stand beside it, never to be taken for it."""
    found = position.get(str(token)) if isinstance(position, dict) else None
    if not isinstance(found, dict):
        return found, None
    name = found.get("decoded_token")
    return found.get("logprob"), name if isinstance(name, str) else None


def _echoed_names(choice: dict[str, Any], count: int) -> list[str | None]:
    found = choice["logprobs"].get("tokens")
    if not isinstance(found, list) or len(found) < count:
        return [None] * count
    return [name if isinstance(name, str) else None for name in found[:count]]


def _checked(values: Sequence[Any], ids: Ids) -> Scored:
    """The values after the first, or why they are no log-probabilities."""
    if values[0] not in (None, 0.0):
        return Failure(
            f"the server gave {values[0]} to the first token, before which nothing was sent: it adds a BOS of its own"
        )
    for place, value in list(enumerate(values))[1:]:
        where = f"position {place} (token {ids[place]})"
        if isinstance(value, bool) or not isinstance(value, int | float):
            return Failure(f"the server gave no log-probability at {where}")
        if not math.isfinite(value) or value <= _MINUS_INFINITY:
            return Failure(f"the server gave {value} at {where}: not finite")
        if value > _ROUNDING:
            return Failure(f"the server gave {value} at {where}: a log-probability is never positive")
    return tuple(min(float(value), 0.0) for value in values[1:])


def other_token(place: int, token: int, name: str | None, names: TokenNames) -> str:
    """What to say when the server scored another token than the one sent."""
    return (
        f"position {place}: the server calls the token {name!r}, the tokenizer of this entry calls it "
        f"{names.ours(token)!r} (id {token}); either the server adds a token of its own (a second BOS), or `source:` "
        "or `tokenizer:` of the entry is not what it serves"
    )


def most_probability(choice: dict[str, Any], mode: Mode) -> float:
    """Largest sum of exp(value) over the different tokens that an answer gives at one position.

    At most 1 for log-probabilities; a server that gives logits, or something not normalised, soon exceeds it.
    """
    if mode.name == "prompt_logprobs":
        tables = [
            [found.get("logprob") if isinstance(found, dict) else found for found in position.values()]
            for position in _positions(choice, mode.name)
            if isinstance(position, dict)
        ]
    else:
        tops = choice["logprobs"].get("top_logprobs")
        tables = [list(top.values()) for top in tops if isinstance(top, dict)] if isinstance(tops, list) else []
    sums = [sum(math.exp(min(v, 700.0)) for v in table if isinstance(v, int | float)) for table in tables]
    return max(sums, default=0.0)


def choices_of(answer: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The choices in the order of the prompts.

    Raises:
        AnswerError: not exactly one for each prompt.
    """
    found = answer.get("choices")
    choices = [choice for choice in found if isinstance(choice, dict)] if isinstance(found, list) else []
    order = [choice.get("index", place) for place, choice in enumerate(choices)]
    if sorted(order, key=str) != sorted(range(count), key=str):
        raise AnswerError(f"the answer holds {len(choices)} choices (index {order}) for {count} prompts")
    return [choice for _, choice in sorted(zip(order, choices, strict=True), key=lambda pair: pair[0])]


def _plain(text: str) -> str:
    return text.replace("▁", " ").replace("Ġ", " ").strip()
