"""What an answer must not say and what form it must have, and how an engine sees to it.

transformers keeps the words of ``avoid`` and a repetition of the source out while an answer is being written. vLLM and
a server do not look into unfinished answers: what breaks a constraint is thrown away and asked again with another seed.
For a list of answers they follow a JSON schema; there a single bad sentence does not cost the list, and the rules of
hygiene drop it afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from dualpair import languages
from dualpair.errors import InputError
from dualpair.generation import answers
from dualpair.generation.engines import Answer
from dualpair.generation.requests import GenerationRequest

MOST_ANSWERS = 4  # to one request, the thrown away ones included
_SEED_STEP, _SEEDS = 0x9E3779B97F4A7C15, 1 << 63
# Inside a sentence: no quote, backslash or control character, so that text and its JSON are the same.
_INSIDE = r'[^"\\\x01-\x1f]+'
_SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\]")

# A beginning of an avoided word is refused when it is this long, in characters and as a share of the word: refusing
# only the word's last token would leave a stump that the model completes to a word that does not exist.
_MIN_PREFIX = 3
_MIN_SHARE = 0.6
# Words of a source whose last one is the predicate (adjective, adverb) rather than an object.
_SHORT = 2
_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"[^\W_]+$")


def writes_avoided(text: str, avoid: Sequence[str], spaced: bool) -> bool:
    """Whether ``text``, an answer so far, ends with an avoided word or phrase, or with most of an avoided word.

    Args:
        text: the answer so far, with the token in question.
        avoid: words and phrases.
        spaced: whether the language writes spaces between words; if not, a word is looked for without borders.
    """
    end = text.casefold().rstrip()
    match = _LAST_WORD.search(end)
    word = match[0] if match else ""
    for phrase in (item.casefold() for item in avoid):
        if end.endswith(phrase) and (not spaced or not end[: -len(phrase)][-1:].isalnum()):
            return True
        stump = len(word) >= max(_MIN_PREFIX, _MIN_SHARE * len(phrase))
        if spaced and stump and word != phrase and phrase.startswith(word):
            return True
    return False


def repeats(text: str, source: str) -> bool:
    """Whether ``text`` repeats a short ``source`` up to its last word, and has begun (or finished) that.

    Refusing the beginning of the last word, and not its end, leaves the model a whole other word to write. A source of
    more than two words never counts: its last word is often an object, which must stay ("know a lot about physics").
    """
    said, words = re.findall(r"\w+", text.casefold()), re.findall(r"\w+", source.casefold())
    if not 1 <= len(words) <= _SHORT:
        return False
    return len(said) == len(words) and said[:-1] == words[:-1] and words[-1].startswith(said[-1])


def contract(engine: str) -> dict[str, Any]:
    """How an engine sees to constraints, for the store's key; empty for transformers, whose contract came first."""
    return {} if engine == "transformers" else {"constraints": f"rejection-{MOST_ANSWERS}"}


def fitted(request: GenerationRequest, engine: str) -> GenerationRequest:
    """The request as an engine carries it out; what it cannot apply is no part of it any more.

    transformers has no schema. The others write a list from its first character under the prompt's schema, every string
    of which begins with the group's words; nothing is forced or avoided beside.

    Raises:
        InputError: a list is asked of an engine that needs a schema, and the prompt file has none.
    """
    if engine == "transformers" or request.mode == "single":
        return request._replace(schema="")
    if not request.schema:
        raise InputError(
            f"the {request.task} prompt for language {request.lang!r} (id {request.prompt_id}) is of mode list and has "
            f"no `schema:`, which engine {engine} needs: add the JSON schema of the answer to the prompt file, or use "
            "engine transformers"
        )
    return request._replace(schema=_with_group(request), forced_prefix="", avoid=(), differ_from="")


def broken(text: str, request: GenerationRequest) -> bool:
    """Whether a whole answer of mode single says a word to avoid, or repeats a short source attribute."""
    if request.mode != "single":
        return False
    language = languages.get(request.lang)
    end = answers.sentence_end(text, language.final_marks, whole=True, language=language)
    said = text if end < 0 else text[:end]
    if not language.joiner:
        return any(word.casefold() in said.casefold() for word in request.avoid)
    words = _spaced_words(said)
    return any(_spaced_words(word) in words for word in request.avoid) or repeats(said, request.differ_from)


def until_kept(
    ask: Callable[[Sequence[GenerationRequest]], list[Answer]], requests: Sequence[GenerationRequest]
) -> list[Answer]:
    """Answers to all requests, in order; one that breaks a constraint is thrown away and asked again, counted.

    The last of `MOST_ANSWERS` is kept whatever it says (the rules of hygiene then drop it), and so is a greedy one,
    since asking again would give the same.

    Args:
        ask: answers requests, in order.
        requests: each is asked with its own seed first, then with seeds derived from it.
    """
    found = ask(requests)
    for attempt in range(1, MOST_ANSWERS):
        bad = [
            place
            for place, (answer, request) in enumerate(zip(found, requests, strict=True))
            if answer.finish_reason != "error" and request.sampling["temperature"] and broken(answer.text, request)
        ]
        if not bad:
            break
        again = [requests[place]._replace(seed=_seed(requests[place].seed, attempt)) for place in bad]
        for place, answer in zip(bad, ask(again), strict=True):
            # An error of a later attempt costs the row nothing: the answer before it is kept.
            if answer.finish_reason != "error":
                found[place] = answer._replace(rejected=attempt)
    return found


def _spaced_words(text: str) -> str:
    """The words, each between spaces."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _seed(seed: int, attempt: int) -> int:
    return (seed + attempt * _SEED_STEP) % _SEEDS


def _with_group(request: GenerationRequest) -> str:
    """The schema, each string of which must begin with the group's words and hold no line break.

    A group with a quote or a backslash is left to the rules of hygiene: patterns are matched against JSON text.
    """
    document = json.loads(request.schema)
    if request.group and not set(request.group) & set('"\\'):
        joiner = languages.get(request.lang).joiner
        pattern = "^" + _SPECIAL.sub(lambda match: "\\" + match[0], request.group + joiner) + _INSIDE + "$"
        document = _patterned(document, pattern)
    return json.dumps(document, ensure_ascii=False, sort_keys=True)


def _patterned(part: Any, pattern: str) -> Any:
    if isinstance(part, list):
        return [_patterned(item, pattern) for item in part]
    if not isinstance(part, dict):
        return part
    made = {key: _patterned(value, pattern) for key, value in part.items()}
    return {"pattern": pattern, **made} if made.get("type") == "string" else made
