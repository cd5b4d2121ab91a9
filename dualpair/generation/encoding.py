"""A request as a model reads it: chat messages, plain text or token ids; and token ids as the text of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from dualpair.errors import InputError
from dualpair.generation.requests import GenerationRequest

Chat = Mapping[str, Any] | Literal["none"]
"""What an entry's ``chat`` says: arguments of the chat template, or ``none`` for a base model."""

# Read by the templates of models that think before they answer, and ignored by others.
_NO_THINKING = {"enable_thinking": False}
# Tokens of the prompt's end that are decoded together with the answer, so that its first token keeps its space.
_TAIL = 8


def template_arguments(chat: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of the chat template: thinking is off unless the entry says otherwise."""
    return {**_NO_THINKING, **chat}


def messages(request: GenerationRequest) -> list[dict[str, str]]:
    """The chat up to the user's last message."""
    made = [{"role": role, "content": content} for role, content in request.context]
    return [*made, {"role": "user", "content": request.prompt}]


def no_template(model: str) -> str:
    """What to tell the user of a model without chat template."""
    return (
        f"model {model!r} has no chat template: for a base model set `chat: none` in its entry (it then generates from "
        "the prompt's examples in plain text); else name a tokenizer with a template in `tokenizer:` of the entry"
    )


def check_template(tokenizer: Any, chat: Chat, model: str) -> None:
    """Refuse a tokenizer without chat template, unless the entry says ``chat: none``.

    Raises:
        InputError: with what to write into the entry.
    """
    if chat != "none" and not getattr(tokenizer, "chat_template", None):
        raise InputError(no_template(model))


def encode_prompt(tokenizer: Any, request: GenerationRequest, chat: Chat = "none") -> list[int]:
    """Token ids of the whole prompt, ending with the forced prefix.

    Text and prefix are encoded together, as the prefix would stand in a whole answer. A chat template writes the
    model's own special tokens, and none is added to them; before plain text the tokenizer puts its own (BOS, once).

    Raises:
        InputError: the template refuses the messages, the prompt has no examples for a base model, or two BOS tokens
            begin the prompt.
    """
    if chat == "none":
        ids = tokenizer(plain_prompt(request))["input_ids"]
    else:
        try:
            text = tokenizer.apply_chat_template(
                messages(request), tokenize=False, add_generation_prompt=True, **template_arguments(chat)
            )
        except Exception as error:  # jinja's own, or whatever the template raises
            raise InputError(
                f"the chat template refuses the messages of the {request.task} prompt for language {request.lang!r}: "
                f"{str(error).strip()}; write the prompt without what it refuses (often the system message), or name "
                "another tokenizer in `tokenizer:` of the model's entry"
            ) from error
        ids = tokenizer(text + request.forced_prefix, add_special_tokens=False)["input_ids"]
    bos = tokenizer.bos_token_id
    if bos is not None and list(ids[:2]) == [bos, bos]:
        raise InputError("the prompt begins with two BOS tokens: the chat template and the tokenizer both add one")
    return list(ids)


def plain_prompt(request: GenerationRequest) -> str:
    """The prompt as plain text for a base model: instruction, then each example as a message and its answer.

    Raises:
        InputError: there is no example, which alone tells a base model what to do.
    """
    roles = [role for role, _ in request.context]
    if "assistant" not in roles:
        raise InputError(
            f"the {request.task} prompt for language {request.lang!r} (id {request.prompt_id}) has no examples, which "
            "alone tell a base model (`chat: none`) what to do; use an instruct model or a prompt with few_shot"
        )
    parts = [content + ("\n" if role == "user" else "\n\n") for role, content in request.context]
    return "".join([*parts, request.prompt, "\n", request.forced_prefix])


def answer_text(tokenizer: Any, prompt_ids: Sequence[int], tokens: Sequence[int]) -> str:
    """The answer's text after the prompt; decoded with the prompt's end, since a first token alone loses its space."""
    tail = list(prompt_ids[-_TAIL:])
    before = tokenizer.decode(tail, clean_up_tokenization_spaces=False)
    whole = tokenizer.decode([*tail, *tokens], clean_up_tokenization_spaces=False)
    return str(whole[len(before) :])
