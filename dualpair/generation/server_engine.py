"""Generation through an OpenAI-compatible server: chat completions, or text completions for a base model.

What the requests need of the server is tried with a few short questions before anything is generated: servers ignore
fields that they do not know, and an answer tells nothing of it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dualpair import languages
from dualpair.errors import InputError
from dualpair.generation import answers, constraints, encoding
from dualpair.generation.encoding import Chat
from dualpair.generation.engines import Answer
from dualpair.generation.requests import GenerationRequest
from dualpair.generation.server_probe import NEUTRAL, Abilities, probe, schema_format
from dualpair.models.server import Client, RejectedError, ServerError, UnavailableError, check_served

if TYPE_CHECKING:
    from dualpair.models.registry import ModelEntry

log = logging.getLogger(__name__)

_ROW_STATUS = (400, 413, 422)  # the request is at fault: too long, say
_BUSY_STATUS = (429, 503)  # says nothing about the row


class AnswerError(ValueError):
    """An answer of the server that cannot be used."""


def open_server(entry: ModelEntry, name: str, requests: Iterable[GenerationRequest]) -> ServerGenerator:
    """Connect to a registry entry's server, and find out whether it can do what the requests need.

    Args:
        entry: of engine server: endpoint, served_as, api_key_env, concurrency, chat.
        name: registry name.
        requests: all that may be asked.

    Raises:
        InputError: a bad endpoint, or something that the server cannot do.
        ServerError: no server, no such model there, or a refused key.
    """
    if entry.endpoint is None:
        raise InputError(f"{name}: engine server needs `endpoint:` (http://host:port/v1)")
    served_as = entry.served_as or entry.source.partition(":")[2]
    client = Client(entry.endpoint, served_as, entry.api_key_env, entry.concurrency)
    try:
        check_served(client)
        able = probe(client, entry.chat, name, requests)
    except BaseException:
        client.close()
        raise
    return ServerGenerator(client, entry.chat, able)


class ServerGenerator:
    """Generates at a server; obeys `dualpair.generation.engines.Generator`. Made by `open_server`."""

    def __init__(self, client: Client, chat: Chat, able: Abilities) -> None:
        self.client, self._chat, self._able = client, chat, able

    def generate(self, requests: Sequence[GenerationRequest]) -> list[Answer]:
        """One answer per request, in input order; see the protocol.

        A row that the server rejects, or that makes it fail while it goes on answering others, is an error of its own.

        Raises:
            ServerError: the server is gone or overloaded after all attempts, or refuses the key or the model.
        """
        return self.client.each(lambda request: constraints.until_kept(self._one, [request])[0], requests)

    def close(self) -> None:
        """Close the connections; calling it twice is harmless."""
        self.client.close()

    def payload(self, request: GenerationRequest) -> dict[str, Any]:
        """Body of the request."""
        given = request.sampling
        body: dict[str, Any] = {
            "max_tokens": int(given["max_new_tokens"]),
            "temperature": float(given["temperature"]),
            "top_p": float(given["top_p"]),
            "seed": request.seed,
        }
        if self._able.neutral:
            body |= NEUTRAL
        if given["top_k"] and given["temperature"]:
            body["top_k"] = int(given["top_k"])
        if request.mode == "single":
            body["stop"] = ["\n"]
        if request.schema:
            body["response_format"] = schema_format(request.schema)
        if self._chat == "none":
            return {"prompt": encoding.plain_prompt(request), **body}
        made = encoding.messages(request)
        if request.forced_prefix:
            made.append({"role": "assistant", "content": request.forced_prefix})
            body |= {"continue_final_message": True, "add_generation_prompt": False}
        if self._able.template_arguments:
            body["chat_template_kwargs"] = encoding.template_arguments(self._chat)
        return {"messages": made, **body}

    def _one(self, requests: Sequence[GenerationRequest]) -> list[Answer]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: GenerationRequest) -> Answer:
        path = "/completions" if self._chat == "none" else "/chat/completions"
        body = self.payload(request)
        try:
            return read(self.client.post(path, body), request)
        except RejectedError as error:
            if error.status not in _ROW_STATUS:
                raise
            problem = error.problem
        except UnavailableError as error:
            if error.status in _BUSY_STATUS or not self._alive(path, body):
                raise
            problem = error.problem
        except AnswerError as error:
            problem = str(error)
        return Answer("", "error", 0, 0, f"the server could not answer this row: {problem}")

    def _alive(self, path: str, body: dict[str, Any]) -> bool:
        """Whether the server still answers something short."""
        kept = {key: body[key] for key in ("chat_template_kwargs",) if key in body}
        short = (
            {"prompt": "Hello"} if "prompt" in body else {"messages": [{"role": "user", "content": "Hello"}], **kept}
        )
        try:
            self.client.post(path, {**short, "max_tokens": 1}, attempts=1)
        except ServerError:
            return False
        return True


def read(found: dict[str, Any], request: GenerationRequest) -> Answer:
    """The answer in what the server sent.

    Raises:
        AnswerError: it holds no choice with a text, or was withheld.
    """
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    holder = message if isinstance(message, dict) else choice
    text = holder.get("content") if isinstance(message, dict) else choice.get("text")
    refusal = holder.get("refusal")  # where a server names a refusal, it sends no content
    if text is None and isinstance(refusal, str):
        text = refusal
    reason = choice.get("finish_reason")
    if reason == "content_filter":
        raise AnswerError("it withheld the answer (finish_reason content_filter)")
    if text is None and reason == "length":
        text = ""  # all tokens went into thinking
    if not isinstance(text, str) or reason not in ("stop", "length"):
        raise AnswerError(f"its answer holds no choice with a text (finish_reason {reason!r})")
    counts = found.get("usage")
    usage: dict[str, Any] = counts if isinstance(counts, dict) else {}
    if request.mode == "single":
        body = text if request.forced_prefix else text.lstrip()
        language = languages.get(request.lang)
        if answers.sentence_end(body, language.final_marks, whole=True, language=language) >= 0:
            reason = "stop"
    return Answer(text, reason, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: dict[str, Any], key: str) -> int:
    """A number of tokens, 0 where the server does not say."""
    value = usage.get(key)
    return value if isinstance(value, int) else 0
