"""What is asked of a generating model: one request per source and sample, with a seed of its own."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dualpair import languages
from dualpair.generation import prompts

if TYPE_CHECKING:
    import pandas as pd

SOURCE_COLUMNS = ("set_id", "lang", "variant_id", "groups", "attribute", "final_mark")


class GenerationSettings(NamedTuple):
    """How a task is generated.

    Attributes:
        mode: ``single`` (one sentence an answer) or ``list`` (a JSON list of sentences an answer).
        prompt: ``native`` (the prompt in the source's language), the name of a prompt file, or one of these per
            language with a ``default``.
        prompts: the user's own folder of prompts, laid over the shipped ones; None for none.
        samples: answers per source.
        temperature: 0 for greedy decoding.
        top_p: probability mass kept, in (0, 1].
        top_k: number of tokens kept; 0 for all.
        max_new_tokens: limit of tokens of an answer.
    """

    mode: str = "single"
    prompt: str | Mapping[str, str] = prompts.NATIVE
    prompts: str | None = None
    samples: int = 6
    temperature: float = 0.6
    top_p: float = 0.9
    top_k: int = 32
    max_new_tokens: int = 24


class GenerationRequest(NamedTuple):
    """One answer to generate.

    Attributes:
        task: the table's task: ``paraphrase``, ``alternate-1``, ...
        seed: of this row's sampling; depends on run seed, task, ids and sample index only.
        prompt_id: content hash of the prompt file, which with the language stands for ``context`` too.
        prompt: the user message as sent.
        forced_prefix: text that the answer begins with.
        sampling: temperature, top_p, top_k, max_new_tokens.
        mode: ``single`` (decoding stops at the end of the sentence) or ``list`` (at the end of the answer).
        context: (role, content) of the messages before ``prompt``: system and examples.
        avoid: words that decoding keeps out of the answer: the prompt file's, but for those that the source has.
        differ_from: the source attribute, which decoding keeps the answer from repeating; empty for no such rule.
        group: the group's words.
        schema: JSON schema of a ``list`` answer (canonical JSON), for engines that constrain decoding; empty for none.

    What determines the answer is everything from ``seed`` on: a store's key has to name all of it (``prompt_id`` and
    ``lang`` may stand for mode, context and avoid).
    """

    set_id: str
    lang: str
    variant_id: str
    task: str
    sample_index: int
    seed: int
    prompt_id: str
    prompt: str
    forced_prefix: str
    sampling: dict[str, float | int]
    mode: str = "single"
    context: tuple[tuple[str, str], ...] = ()
    avoid: tuple[str, ...] = ()
    differ_from: str = ""
    group: str = ""
    schema: str = ""


def prompt_task(task: str) -> str:
    """``paraphrase`` or ``alternate``: the prompt folder of a task such as ``alternate-2``.

    Raises:
        ValueError: for another task.
    """
    if not re.fullmatch(r"paraphrase|alternate-[1-9][0-9]*", task):
        raise ValueError(f"unknown task {task!r}; allowed are paraphrase, alternate-1, alternate-2, ...")
    return task.split("-")[0]


def row_seed(run_seed: int, task: str, lang: str, set_id: str, variant_id: str, sample_index: int) -> int:
    """Seed of one sample, 0 to 2**63 - 1: a SHA-256 of everything that names the sample."""
    name = json.dumps([run_seed, task, lang, set_id, variant_id, sample_index], ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 1


def requests(task: str, sources: pd.DataFrame, settings: GenerationSettings, run_seed: int) -> list[GenerationRequest]:
    """The requests of a task, sorted by (lang, set_id, variant_id, sample_index).

    Args:
        task: ``paraphrase``, ``alternate-1``, ``alternate-2``, ...
        sources: one row per variant to work from, with the columns set_id, lang, variant_id, groups (the first is
            the one the sentence is about), attribute (without final mark), final_mark.
        settings: how to generate.
        run_seed: the run's seed.

    Raises:
        ValueError: if a column is missing, a source comes twice, a setting is out of range, or a prompt file is
            missing or made for the other mode.
    """
    _check_settings(settings)
    missing = sorted(set(SOURCE_COLUMNS) - set(sources.columns))
    if missing:
        raise ValueError(f"sources of {task} lack the columns {missing}; needed are {list(SOURCE_COLUMNS)}")
    twice = sources.duplicated(["lang", "set_id", "variant_id"])
    if twice.any():
        row = sources[twice].iloc[0]
        raise ValueError(f"sources of {task} have {row['lang']}/{row['set_id']}/{row['variant_id']} more than once")
    made = []
    ordered = sources.sort_values(["lang", "set_id", "variant_id"])
    for values in zip(*(ordered[name] for name in SOURCE_COLUMNS), strict=True):
        made.extend(_of_source(task, dict(zip(SOURCE_COLUMNS, values, strict=True)), settings, run_seed))
    return made


def _of_source(
    task: str, row: Mapping[str, Any], settings: GenerationSettings, run_seed: int
) -> list[GenerationRequest]:
    set_id, lang, variant_id = str(row["set_id"]), str(row["lang"]), str(row["variant_id"])
    attribute, final_mark, group = str(row["attribute"]), str(row["final_mark"]), str(row["groups"][0])
    prompt = prompts.load(prompt_task(task), prompts.name_for(settings.prompt, lang), settings.prompts)
    if prompt.mode != settings.mode:
        raise ValueError(
            f"prompt {prompt_task(task)}/{prompt.name} is made for mode {prompt.mode!r}, the settings of {task} say "
            f"{settings.mode!r}; choose another prompt or mode"
        )
    sentence = languages.join(group, attribute, lang) + final_mark
    rendered = prompt.render(sentence, group, attribute, languages.get(lang).name)
    sampling: dict[str, float | int] = {
        "temperature": float(settings.temperature),
        "top_p": float(settings.top_p),
        "top_k": int(settings.top_k),
        "max_new_tokens": int(settings.max_new_tokens),
    }
    own = f" {attribute.casefold()} "
    # A prompt that serves another language than its own names words to avoid that mean something else there.
    listed = () if prompt.name in languages.known() and prompt.name != lang else prompt.avoid
    avoid = tuple(word for word in listed if word.casefold() not in own)
    return [
        GenerationRequest(
            set_id=set_id,
            lang=lang,
            variant_id=variant_id,
            task=task,
            sample_index=index,
            seed=row_seed(run_seed, task, lang, set_id, variant_id, index),
            prompt_id=prompt.id,
            prompt=rendered.user,
            forced_prefix=rendered.forced_prefix,
            sampling=dict(sampling),
            mode=prompt.mode,
            context=rendered.context,
            avoid=avoid,
            differ_from=attribute,
            group=group,
            schema=prompt.schema,
        )
        for index in range(settings.samples)
    ]


def _check_settings(settings: GenerationSettings) -> None:
    checks = (
        (settings.mode in prompts.MODES, f"mode is {settings.mode!r}, allowed are {', '.join(prompts.MODES)}"),
        (settings.samples >= 1, f"samples is {settings.samples}, must be at least 1"),
        (settings.temperature >= 0, f"temperature is {settings.temperature}, must be 0 (greedy) or more"),
        (0 < settings.top_p <= 1, f"top_p is {settings.top_p}, must lie in (0, 1]"),
        (settings.top_k >= 0, f"top_k is {settings.top_k}, must be 0 (all tokens) or more"),
        (settings.max_new_tokens >= 1, f"max_new_tokens is {settings.max_new_tokens}, must be at least 1"),
    )
    for fine, message in checks:
        if not fine:
            raise ValueError(f"generation settings: {message}")
