"""Whether a server can do what generation needs of it, found with a few short questions."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from dualpair.errors import InputError
from dualpair.generation.encoding import Chat, template_arguments
from dualpair.generation.requests import GenerationRequest
from dualpair.models.server import NO_SUCH_PATH, OPENING_ATTEMPTS, Client, RejectedError

log = logging.getLogger(__name__)

_FIELD_STATUS = (400, 422)  # a field that the server does not know or does not allow
_QUESTION = "Name some animals."
_BEGINNING = "Some animals are"
# An answer that no model gives by itself.
_PATTERN = "^Zebras are [a-z]{3,9}$"
_BEGUN = re.compile(r'\s*\[\s*("Zebras are |$)')  # a small model may fill an answer with the spaces that JSON allows
_SCHEMA = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string", "pattern": _PATTERN}}


# vLLM and others sample by the model's generation config where a request says nothing; top_k -1 is all tokens.
NEUTRAL: dict[str, Any] = {"top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}


class Abilities(NamedTuple):
    """What a server takes beside the usual.

    template_arguments: arguments of the chat template. neutral: fields that keep the server's own defaults (often those
    of the model's generation config) out of the sampling.
    """

    template_arguments: bool
    neutral: bool = False


class _Needs(NamedTuple):
    forced: bool
    schema: bool
    top_k: bool


def schema_format(schema: str) -> dict[str, Any]:
    """`response_format` of a JSON schema."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": json.loads(schema)}}


def probe(client: Client, chat: Chat, model: str, requests: Iterable[GenerationRequest]) -> Abilities:
    """Try what the requests need.

    Raises:
        InputError: the server cannot do it; the message says what to change.
        ServerError: it does not answer, or refuses the key.
    """
    needs = _needs(requests)
    ask = _Asker(client, chat, model)
    able = ask.open()
    if needs.forced and chat != "none":
        ask.check_beginning()
    if needs.schema:
        ask.check_schema()
    if needs.top_k:
        ask.check_top_k()
    return able._replace(neutral=ask.takes(NEUTRAL))


def _needs(requests: Iterable[GenerationRequest]) -> _Needs:
    forced = schema = top_k = False
    for request in requests:
        forced |= bool(request.forced_prefix)
        schema |= bool(request.schema)
        top_k |= bool(request.sampling["top_k"] and request.sampling["temperature"])
    return _Needs(forced, schema, top_k)


class _Asker:
    """Asks a server short questions, in the way that the model will be asked."""

    def __init__(self, client: Client, chat: Chat, model: str) -> None:
        self._client, self._chat, self._model = client, chat, model
        self._arguments: dict[str, Any] = {}

    def open(self) -> Abilities:
        """A first answer, with the arguments of the chat template where the server takes them."""
        if self._chat == "none":
            self._ask()
            return Abilities(False)
        self._arguments = {"chat_template_kwargs": template_arguments(self._chat)}
        try:
            self._ask()
        except RejectedError as error:
            if error.status not in _FIELD_STATUS:
                raise
            self._arguments = {}
            self._ask()  # raises what is wrong beside
            if self._chat:
                raise InputError(
                    f"model {self._model!r}: {self._client.endpoint} takes no arguments of the chat template "
                    f"({error.problem}): remove `chat:` from the model's entry"
                ) from error
            log.warning(
                "%s takes no arguments of the chat template: a model that thinks before it answers cannot be told not "
                "to, and its answers are dropped", self._client.endpoint,
            )  # fmt: skip
        return Abilities(bool(self._arguments))

    def takes(self, fields: dict[str, Any]) -> bool:
        """Whether the server takes fields, or at least ignores them."""
        try:
            self._ask(fields)
        except RejectedError as error:
            if error.status not in _FIELD_STATUS:
                raise
            return False
        return True

    def check_beginning(self) -> None:
        """The server must go on with a message that is begun: its prompt is shorter then than with that message ended.

        Raises:
            InputError: it does not, or does not say how long its prompt is.
        """
        begun = {"messages": [*_messages(), {"role": "assistant", "content": _BEGINNING}]}
        flags = {"continue_final_message": True, "add_generation_prompt": False}
        problem = "it ignores `continue_final_message`"
        try:
            lengths = [self._prompt_tokens(self._ask({**begun, **more})) for more in (flags, {})]
        except RejectedError as error:
            if error.status not in _FIELD_STATUS:
                raise
            problem, lengths = error.problem, [0, 0]
        if not 0 < lengths[0] < lengths[1]:
            raise InputError(
                f"model {self._model!r}: {self._client.endpoint} cannot be made to begin an answer with given words "
                f"({problem}), which the prompt's `forced_prefix` asks for: use a prompt of mode list with a `schema:` "
                "or one with an empty forced_prefix, or a server that can (vLLM, SGLang)"
            )

    def check_schema(self) -> None:
        """The server must follow a JSON schema with patterns.

        Raises:
            InputError: it refuses or ignores it.
        """
        try:
            schema = {"response_format": schema_format(json.dumps(_SCHEMA)), "temperature": 0.0}
            said = self._said(self._ask({**schema, "max_tokens": 24}))
        except RejectedError as error:
            if error.status not in _FIELD_STATUS:
                raise
            raise InputError(self._no_schema(error.problem)) from error
        if not _BEGUN.match(said):
            raise InputError(self._no_schema("it ignores the schema"))

    def check_top_k(self) -> None:
        """With top_k 1 a hot answer must be the same whatever the seed.

        Raises:
            InputError: the server refuses or ignores `top_k`.
        """
        hot = {"top_k": 1, "temperature": 2.0, "max_tokens": 12}
        try:
            said = {self._said(self._ask({**hot, "seed": seed})) for seed in (1, 2, 3)}
            problem = "it ignores the field" if len(said) > 1 else ""
        except RejectedError as error:
            if error.status not in _FIELD_STATUS:
                raise
            problem = error.problem
        if problem:
            raise InputError(
                f"model {self._model!r}: {self._client.endpoint} does not apply `top_k` ({problem}): set "
                "`generation.paraphrase.top_k` and `generation.alternate.top_k` to 0 (all tokens), or use a server "
                "that does (vLLM, SGLang)"
            )

    def _no_schema(self, problem: str) -> str:
        return (
            f"model {self._model!r}: {self._client.endpoint} does not follow a JSON schema ({problem}), which a prompt "
            "of mode list needs: use a prompt of mode single, or a server that does (vLLM, SGLang)"
        )

    def _ask(self, more: dict[str, Any] | None = None) -> dict[str, Any]:
        """One short answer.

        Raises:
            RejectedError: as `Client.post`; a server without this way of asking is named as such.
        """
        base = self._chat == "none"
        body = {"prompt": f"{_QUESTION}\n"} if base else {"messages": _messages(), **self._arguments}
        path = "/completions" if base else "/chat/completions"
        try:
            return self._client.post(path, {**body, "max_tokens": 1, **(more or {})}, OPENING_ATTEMPTS)
        except RejectedError as error:
            if error.status not in NO_SUCH_PATH:
                raise
            other = "remove `chat: none` from" if base else "for a base model set `chat: none` in"
            raise RejectedError(
                f"{self._client.endpoint} has no {path}: either `endpoint:` lacks its /v1, or {other} the entry",
                error.status,
            ) from error

    def _said(self, answer: dict[str, Any]) -> str:
        choice = (answer.get("choices") or [{}])[0]
        return str(choice.get("text") if self._chat == "none" else (choice.get("message") or {}).get("content"))

    @staticmethod
    def _prompt_tokens(answer: dict[str, Any]) -> int:
        return int((answer.get("usage") or {}).get("prompt_tokens") or 0)


def _messages() -> list[dict[str, str]]:
    return [{"role": "user", "content": _QUESTION}]
