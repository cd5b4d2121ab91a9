"""Scoring: one request per distinct sentence, and the stored per-token rows as the `scores` table."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair import languages, plan, schemas, scoring
from dualpair.errors import InputError
from dualpair.models.registry import ModelEntry
from dualpair.scoring import context
from dualpair.scoring.context import NO_CONTEXT, Context
from dualpair.scoring.rows import from_payload, score_columns
from dualpair.scoring.table import SCORING_FAILED
from dualpair.stages.identity import tokenizer_folders
from dualpair.store import Payload

log = logging.getLogger("dualpair")

KIND = "score"


def contract(entry: ModelEntry) -> dict[str, Any]:
    """What the scores depend on beside weights, dtype and text."""
    found = {"contract": f"{KIND}/{scoring.CONTRACT_VERSION}", "bos": entry.bos}
    return {**found, "pll": entry.pll} if entry.kind == "masked" else found


def contexts(given: Mapping[str, Mapping[str, str]], entry: ModelEntry, model: str) -> dict[str, Context]:
    """Each language's context under one model; a language that is not named has none.

    Args:
        given: language to {"text": ...} or {"chat_message": ...}, as the rule passes it.
        entry: the model's registry entry; its `chat` goes to the chat template.
        model: its name, for messages.

    Raises:
        InputError: the model's files have no chat template where one is needed.
    """
    template = entry.chat
    if template == "none":
        if any("chat_message" in words for words in given.values()):
            raise InputError(
                f"model {model!r} has `chat: none` in its entry, and context chat_template needs a template: leave "
                "it out of `roles.score`, or set `scoring.context` to none or a text"
            )
        template = {}
    found = {
        lang: context.chat(words["chat_message"], template) if "chat_message" in words else context.text(words["text"])
        for lang, words in given.items()
    }
    if any(one.kind == "chat_template" for one in found.values()) and entry.engine != "server":
        context.check_files(tokenizer_folders(entry), model)
    for lang, one in found.items():
        if one.kind == "text" and languages.get(lang).joiner and not one.text[-1].isspace():
            log.warning("the context of %s does not end in a space, and none is added: %r", lang, one.text)
    return found


def requests(
    sentences: pd.DataFrame, identity: dict[str, Any], contexts: Mapping[str, Context] | None = None
) -> list[plan.Request]:
    """One request per distinct sentence.

    The expected tokens are those of the sentence: a context is the same for all sentences of a unit.

    Raises:
        InputError: one sentence occurs in two languages that have different contexts (the table has one row for it).
    """
    _check_contexts(sentences, contexts or {})
    made = []
    for row in sentences.drop_duplicates("sentence_id").itertuples():
        front = (contexts or {}).get(str(row.lang), NO_CONTEXT).content()
        content = {"prefix": row.prefix, "continuation": row.continuation, **front}
        tokens = math.ceil((len(str(row.prefix)) + len(str(row.continuation))) / 3) + 1
        made.append(plan.make_request(identity, str(row.lang), str(row.set_id), content, tokens))
    return made


def table(
    sentences: pd.DataFrame,
    asked: list[plan.Request],
    answers: Mapping[str, Payload],
    model: str,
    identity: dict[str, Any],
    tokens: bool = False,
) -> pd.DataFrame:
    """The `scores` frame: sums of the stored per-token log-probabilities, in nats; `tokens` fills the token columns."""
    rows = []
    for row, request in zip(sentences.drop_duplicates("sentence_id").itertuples(), asked, strict=True):
        answer = answers[request.key]
        error = str(answer.get("error") or "")
        scored = None if error else from_payload(answer)
        rows.append(
            {
                "sentence_id": row.sentence_id,
                "prefix": row.prefix,
                "continuation": row.continuation,
                "model": model,
                **score_columns(scored, str(row.prefix), str(row.continuation), tokens),
                "model_revision": identity["weights"],
                "dtype": identity["dtype"],
                "quantisation": identity["quantisation"],
                "engine": identity["engine"],
                "kept": not error,
                "reason": SCORING_FAILED if error else "",
            }
        )
    return pd.DataFrame(rows, columns=schemas.table("scores").names)


def _check_contexts(sentences: pd.DataFrame, contexts: Mapping[str, Context]) -> None:
    if len(set(contexts.values())) < 2 and set(contexts) in (set(), set(sentences["lang"])):
        return
    seen: dict[str, str] = {}
    for row in sentences.itertuples():
        lang = seen.setdefault(str(row.sentence_id), str(row.lang))
        if contexts.get(lang, NO_CONTEXT) != contexts.get(str(row.lang), NO_CONTEXT):
            raise InputError(
                f"the sentence {f'{row.prefix}{row.continuation}'!r} is in languages {lang} and {row.lang}, which have "
                "different contexts (`scoring.context`, `scoring.chat_message`), but it has one row in the scores: "
                "give the two languages the same context, or score them in two runs"
            )
