"""Scoring through an OpenAI-compatible completions end point that returns the prompt's log-probabilities.

Prompts are sent as token ids: the server neither tokenises nor adds a BOS.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dualpair.errors import InputError
from dualpair.models.server import Client, RejectedError, ServerError, UnavailableError, check_served
from dualpair.scoring.engine import Failure, Label, Scored
from dualpair.scoring.server_answers import AnswerError, Ids, Mode, TokenNames, choices_of, read
from dualpair.scoring.server_probe import PROBE, probe
from dualpair.scoring.tokenisation import Bos, encode_pairs, resolve_bos

if TYPE_CHECKING:
    from dualpair.models.registry import ModelEntry
    from dualpair.scoring.tokenisation import Encoded

log = logging.getLogger(__name__)

MOST_ROWS = 64  # prompts of a request, whatever their length
_ROW_STATUS = (400, 413, 422)  # the request is at fault: too long, too many prompts, an unknown token id
_BUSY_STATUS = (429, 503)  # says nothing about the rows of the request


def open_server(
    entry: ModelEntry, name: str, dtype: str, token_budget: int, offline: bool, quantisation: str
) -> ServerEngine:
    """Connect to a registry entry's server, and find out with a few short prompts how it can be used.

    Args:
        entry: of engine server: endpoint, served_as, api_key_env, concurrency; `source` says which weights the server
            claims to run, and where the tokenizer is taken from unless `tokenizer:` names another.
        name: registry name.
        dtype: as declared; nothing tells what the server computes in.
        token_budget: most tokens of a request.
        offline: never contact a hub for the tokenizer; the end point itself is the user's explicit choice.
        quantisation: as declared.

    Raises:
        InputError: a bad endpoint or token budget.
        PrerequisiteError: the tokenizer is not there.
        ServerError: no server, no such model there, a chat-only server, no log-probabilities of prompts, a refused
            key, or answers that are not repeatable.
    """
    if entry.endpoint is None:
        raise InputError(f"{name}: engine server needs `endpoint:` (http://host:port/v1)")
    if token_budget < 1:
        raise InputError(f"token budget {token_budget}: expected at least 1")
    served_as = entry.served_as or entry.source.partition(":")[2]
    client = Client(entry.endpoint, served_as, entry.api_key_env, entry.concurrency)
    try:
        check_served(client)  # before the tokenizer, which takes seconds
        tokenizer = _tokenizer(entry, offline)
        bos = resolve_bos(tokenizer, entry.bos)
        mode = probe(client, tokenizer, bos, dtype)
    except BaseException:
        client.close()
        raise
    log.info("%s: %s at %s scores by %s", name, served_as, client.endpoint, mode.name)
    return ServerEngine(client, tokenizer, bos, Label(name, "server", dtype, quantisation), mode, token_budget)


class ServerEngine:
    """Scores texts at a server; obeys `dualpair.scoring.engine.Engine`. Made by `open_server`."""

    def __init__(self, client: Client, tokenizer: Any, bos: Bos, label: Label, mode: Mode, token_budget: int) -> None:
        self.client, self.tokenizer, self.bos, self.label = client, tokenizer, bos, label
        self.mode, self.token_budget = mode, token_budget
        self._names = TokenNames(tokenizer)
        self._check = encode_pairs(tokenizer, PROBE[:1], bos)[0].ids

    def score(self, rows: Sequence[Encoded]) -> list[Scored]:
        """Log-probability (nats) of every token after the first; see the protocol.

        A row that the server rejects, or that makes it fail while it goes on answering others, becomes a `Failure`.

        Raises:
            ServerError: the server is gone or overloaded after all attempts, or refuses the key or the model.
        """
        distinct = sorted({row.ids for row in rows})
        values: dict[Ids, Scored] = {ids: () for ids in distinct if len(ids) < 2}
        batches = list(self._batches([ids for ids in distinct if len(ids) >= 2]))
        for batch, found in zip(batches, self.client.each(self._run, batches), strict=True):
            values.update(zip(batch, found, strict=True))
        return [values[row.ids] for row in rows]

    def close(self) -> None:
        """Close the connections; calling it twice is harmless."""
        self.client.close()

    def _batches(self, texts: Sequence[Ids]) -> Iterator[list[Ids]]:
        """Requests within the token budget, and small enough to keep all connections busy."""
        most = min(MOST_ROWS, math.ceil(len(texts) / self.client.concurrency)) if self.mode.lists else 1
        batch: list[Ids] = []
        for ids in texts:
            if batch and (len(batch) == most or sum(map(len, batch)) + len(ids) > self.token_budget):
                yield batch
                batch = []
            batch.append(ids)
        if batch:
            yield batch

    def _run(self, batch: list[Ids]) -> list[Scored]:
        """Score a batch; one that fails as a whole is halved until the row at fault stands alone."""
        try:
            return self._ask(batch)
        except RejectedError as error:
            if error.status not in _ROW_STATUS:
                raise
            problem = error.problem
        except UnavailableError as error:
            if error.status in _BUSY_STATUS or not self._alive():
                raise
            problem = error.problem
            if len(batch) == 1:  # if the server was restarted meanwhile, the row is not to blame
                return [self._last_try(batch[0])]
        except AnswerError as error:
            problem = str(error)
        if len(batch) == 1:
            return [Failure(f"the server could not score this row: {problem}")]
        half = len(batch) // 2
        return self._run(batch[:half]) + self._run(batch[half:])

    def _ask(self, batch: list[Ids], attempts: int | None = None) -> list[Scored]:
        """One request.

        Raises:
            RejectedError, UnavailableError: as `Client.post`.
            AnswerError: the answer is not one choice for each prompt.
        """
        answer = self.client.completions(self.mode.payload(batch), attempts)
        choices = choices_of(answer, len(batch))
        return [read(choice, ids, self.mode, self._names).scored for choice, ids in zip(choices, batch, strict=True)]

    def _last_try(self, ids: Ids) -> Scored:
        """A row after which the server failed although it is well: once more, then a `Failure`."""
        try:
            return self._ask([ids], attempts=1)[0]
        except (RejectedError, UnavailableError) as error:
            return Failure(f"the server could not score this row: {error.problem}")
        except AnswerError as error:
            return Failure(f"the server could not score this row: {error}")

    def _alive(self) -> bool:
        """Whether the server still answers a short prompt."""
        try:
            self.client.completions(self.mode.payload([self._check]), attempts=1)
        except ServerError:
            return False
        return True


def _tokenizer(entry: ModelEntry, offline: bool) -> Any:
    """The tokenizer of `tokenizer:`, else of `source:`.

    Raises:
        PrerequisiteError: it is not there.
        ValueError: a hub id without a revision.
    """
    from dualpair.models.causal_lm import load_arguments, load_tokenizer
    from dualpair.models.fingerprint import location

    if entry.tokenizer is not None:
        source, revision, subfolder = entry.tokenizer, entry.tokenizer_revision, ""
    else:
        source, revision, subfolder = entry.source, entry.revision, entry.subfolder
    return load_tokenizer(load_arguments(location(source, revision), revision, offline, subfolder))
