"""What stands in front of every scored text: nothing, a text, or the beginning of a chat (scoring contract, 5)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

from dualpair.errors import InputError
from dualpair.models import checkpoint

# What templates that print today's date are given: a score must not depend on the day it is computed.
TODAY = date(2025, 1, 1)
_DATE = re.compile(r"""strftime_now\s*\(\s*(["'])(.*?)\1\s*\)""")


@dataclass(frozen=True)
class Context:
    """A context before it is put into words by a model's chat template.

    kind: none, text or chat_template. text: the text, verbatim, or the user's turn. arguments: what the chat template
    is given beside the messages, as canonical JSON.
    """

    kind: Literal["none", "text", "chat_template"]
    text: str = ""
    arguments: str = "{}"

    def content(self) -> dict[str, Any]:
        """The part of a request's content (and so of the store's key) that names this context; `of` is the inverse.

        Empty for no context, so that the rows of raw text have one key whatever the config calls its contexts.
        """
        if self.kind == "none":
            return {}
        if self.kind == "text":
            return {"context": {"text": self.text}}
        return {"context": {"chat_message": self.text, "chat": json.loads(self.arguments)}}


NO_CONTEXT = Context("none")


def text(words: str) -> Context:
    """A text that is put in front, verbatim.

    Raises:
        ValueError: an empty text.
    """
    if not words:
        raise ValueError("the context is an empty text; give a text, or none")
    return Context("text", words)


def chat(message: str, arguments: Mapping[str, Any] | None = None) -> Context:
    """A chat whose user says `message`; the scored text is the beginning of the assistant's answer.

    Args:
        message: the user's turn.
        arguments: what the chat template is given beside the messages (the registry entry's `chat`).

    Raises:
        ValueError: an empty message.
    """
    if not message.strip():
        raise ValueError("the chat message is empty: a chat template needs the user's turn; give a text")
    return Context("chat_template", message, json.dumps(dict(arguments or {}), sort_keys=True, ensure_ascii=False))


def of(content: Mapping[str, Any]) -> Context:
    """The context that a request's content names."""
    given = content.get("context")
    if not given:
        return NO_CONTEXT
    return text(given["text"]) if "text" in given else chat(given["chat_message"], given["chat"])


def render(tokenizer: Any, context: Context, model: str = "") -> str:
    """The text in front of the sentence: empty, the text, or the chat up to where the assistant begins.

    Args:
        tokenizer: a tokenizer of transformers.
        context: what to put in front.
        model: what messages call the model; by default the tokenizer's own name.

    Raises:
        InputError: the model has no chat template, or its template refuses the message or the arguments.
    """
    if context.kind != "chat_template":
        return context.text
    name = model or getattr(tokenizer, "name_or_path", "") or type(tokenizer).__name__
    if not getattr(tokenizer, "chat_template", None):
        raise InputError(_no_template(name))
    messages = [{"role": "user", "content": context.text}]
    arguments = {"add_generation_prompt": True, "tokenize": False, **json.loads(context.arguments)}
    try:
        template = _dated(tokenizer.get_chat_template())
        rendered = tokenizer.apply_chat_template(messages, chat_template=template, **arguments)
    except Exception as error:  # a template is a program of its own: it may raise anything
        raise InputError(
            f"model {name!r}: its chat template refuses the message {context.text!r} with the arguments "
            f"{context.arguments} ({error}); change the message (`scoring.chat_message`, --chat-message), or `chat:` "
            "of the model's entry"
        ) from error
    return str(rendered)


def _dated(template: str) -> str:
    """A template with its calls for today's date answered; a format that is computed cannot be."""
    found = _DATE.sub(lambda call: repr(TODAY.strftime(call[2])), template)
    if re.search(r"strftime_now\s*\(", found):
        raise ValueError("it prints today's date in a computed format, so that its scores would change with the day")
    return found


def check_files(folders: Sequence[Path], model: str) -> None:
    """Refuse a tokenizer without chat template, from its files alone (no tokenizer is loaded).

    Args:
        folders: where the tokenizer's files may be; when none of them exists (a hub id) the check is left to `render`.
        model: what the message calls the model.

    Raises:
        InputError: the model has no chat template.
    """
    there = [folder for folder in folders if folder.is_dir()]
    if there and not any(checkpoint.has_chat_template(folder) for folder in there):
        raise InputError(_no_template(model))


def _no_template(model: str) -> str:
    return (
        f"model {model!r} has no chat template, as context chat_template needs: leave the model out of `roles.score`, "
        "name another tokenizer in its entry (`tokenizer:`), or set the context (`scoring.context`, --context) to none "
        "or a text"
    )
