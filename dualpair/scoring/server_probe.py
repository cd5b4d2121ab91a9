"""Opening a server: what it serves, how it gives log-probabilities of a prompt, and whether they can be relied on."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Sequence
from typing import Any

from dualpair.models.server import NO_SUCH_PATH, OPENING_ATTEMPTS, Client, RejectedError, UnavailableError
from dualpair.scoring.engine import Failure, Scored
from dualpair.scoring.server_answers import (
    MODES,
    AnswerError,
    Ids,
    Mode,
    TokenNames,
    choices_of,
    most_probability,
    other_token,
    read,
)
from dualpair.scoring.tokenisation import Bos, encode_pairs

log = logging.getLogger(__name__)

PROBE = (("The weather", " is nice today."), ("Most people like", " bread and cheese."))
# Largest change of a token's log-probability (nats) between two equal requests: above it the server is broken (a prefix
# cache that loses positions), below it half precision depends on what else was in the batch.
REPEAT_TOLERANCE = {"float32": 1e-3}
HALF_TOLERANCE = 0.25
_NORMALISED = 1e-3  # a sum of probabilities may exceed 1 by this
_CHAT = re.compile(r"chat (model|completion|endpoint)|chat/completion", re.IGNORECASE)


def probe(client: Client, tokenizer: Any, bos: Bos, dtype: str) -> Mode:
    """How this server can be used, found with a few short prompts.

    Raises:
        ServerError: it cannot; the message says why and what to change.
    """
    names = TokenNames(tokenizer)
    first, second = (row.ids for row in encode_pairs(tokenizer, PROBE, bos))
    mode, answer = _find_mode(client, first)
    values = _first_values(client, answer, first, mode, names)
    repeated = _ask(client, mode, [first])
    again = read(choices_of(repeated, 1)[0], first, mode, names).scored
    _check_repeats(client, values, again, dtype)
    return mode._replace(lists=_takes_lists(client, mode, (first, second), values, names, dtype))


def _find_mode(client: Client, ids: Ids) -> tuple[Mode, dict[str, Any]]:
    """The first mode that gives log-probabilities of a prompt, and its answer."""
    refusals = []
    for mode in MODES:
        try:
            answer = _ask(client, mode, [ids], others=1)
            choice = choices_of(answer, 1)[0]
        except UnavailableError as error:
            if error.status != 500:  # some servers fail on a field that they do not know
                raise
            refusals.append(f"{mode.name}: {error.problem}")
        except RejectedError as error:
            if error.status in (401, 403):
                raise
            if error.status in NO_SUCH_PATH or _CHAT.search(error.problem):
                raise _no_completions(client, error) from error
            refusals.append(f"{mode.name}: {error.problem}")
        except AnswerError as error:
            refusals.append(f"{mode.name}: {error}")
        else:
            if mode.answered(choice):
                return mode, answer
            refusals.append(f"{mode.name} with max_tokens {mode.max_tokens}: none in the answer")
    raise RejectedError(
        f"{client.endpoint} returns no log-probabilities of the prompt for {client.served_as!r}, so it cannot score "
        f"({'; '.join(refusals)}). vLLM's server does, and servers that support `echo` together with `logprobs`"
    )


def _no_completions(client: Client, error: RejectedError) -> RejectedError:
    return RejectedError(
        f"{client.endpoint} answers no text completions ({error.problem}): either `endpoint:` lacks its /v1, or the "
        "server is for chat only, and chat answers hold no log-probabilities of the prompt, so that it cannot score",
        error.status,
    )


def _first_values(client: Client, answer: dict[str, Any], ids: Ids, mode: Mode, names: TokenNames) -> Scored:
    """The probe's values, if the server runs the tokens that were sent and says so."""
    choice = choices_of(answer, 1)[0]
    found = read(choice, ids, mode, names)
    if isinstance(found.scored, Failure):
        raise RejectedError(f"{client.endpoint}, {client.served_as!r}: {found.scored.reason}")
    total = most_probability(choice, mode)
    if total > 1.0 + _NORMALISED:
        raise RejectedError(
            f"{client.endpoint}, {client.served_as!r}: the probabilities of two tokens sum to {total:.4g}: these are "
            "no log-probabilities (vLLM: start it with --logprobs-mode raw_logprobs)"
        )
    for place, (token, name) in enumerate(zip(ids, found.names, strict=True)):
        if not names.same(token, name):
            raise RejectedError(f"{client.endpoint}, {client.served_as!r}: {other_token(place, token, name, names)}")
    if mode.name == "echo" and mode.max_tokens and not any(found.names):
        counted = (answer.get("usage") or {}).get("prompt_tokens")
        if counted != len(ids):
            # one position more may be the generated token or a second BOS
            raise RejectedError(
                f"{client.endpoint}, {client.served_as!r}: the server counts {counted} tokens where {len(ids)} were "
                "sent, and names none of them: a BOS of its own cannot be ruled out"
            )
    return found.scored


def _check_repeats(client: Client, values: Scored, again: Scored, dtype: str) -> None:
    change = _largest_change(values, again)
    if change > REPEAT_TOLERANCE.get(dtype, HALF_TOLERANCE):
        raise RejectedError(
            f"{client.endpoint}, {client.served_as!r}: two equal requests differ by {change:.3g} nats at a token; a "
            "prefix cache that loses log-probabilities does this (vLLM: --no-enable-prefix-caching)"
        )
    if change > 0.0:
        log.warning("%s: two equal requests differ by %.2g nats at a token", client.endpoint, change)


def _takes_lists(
    client: Client, mode: Mode, prompts: tuple[Ids, Ids], alone: Scored, names: TokenNames, dtype: str
) -> bool:
    """Whether a request may hold several prompts and answers each as if it were alone."""
    several = mode._replace(lists=True)
    try:
        choices = choices_of(_ask(client, several, prompts), 2)
        found = [read(choice, ids, several, names).scored for choice, ids in zip(choices, prompts, strict=True)]
        reason = next((each.reason for each in found if isinstance(each, Failure)), "")
    except (RejectedError, UnavailableError) as error:
        reason, found = error.problem, []
    except AnswerError as error:
        reason, found = str(error), []
    if not reason:
        change = _largest_change(alone, found[0])
        if change <= REPEAT_TOLERANCE.get(dtype, HALF_TOLERANCE):
            return True
        reason = f"beside another prompt a token changes by {change:.3g} nats"
    log.warning("%s: one prompt a request (slower): %s", client.endpoint, reason)
    return False


def _largest_change(one: Scored, other: Scored) -> float:
    """Largest difference in nats; infinite when one of them failed."""
    if isinstance(one, Failure) or isinstance(other, Failure):
        return math.inf
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _ask(client: Client, mode: Mode, prompts: Sequence[Ids], others: int = 0) -> dict[str, Any]:
    return client.completions(mode.payload(prompts, others), OPENING_ATTEMPTS)
