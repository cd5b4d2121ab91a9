"""Generation with vLLM: token ids in, a seed per answer, lists under a JSON schema, sentences stopped where they end.

Unlike in scoring, keys and values of prompts are kept (prefix caching): instruction and examples are read once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from dualpair import languages
from dualpair.generation import answers, constraints, encoding
from dualpair.generation.encoding import Chat
from dualpair.generation.engines import Answer
from dualpair.generation.requests import GenerationRequest
from dualpair.models import checkpoint
from dualpair.models import quantisation as quantisations
from dualpair.models import vllm as runtime
from dualpair.models.registry import ModelEntry
from dualpair.models.vllm import Sampling, Written
from dualpair.models.vllm_restart import Restarting, Use
from dualpair.models.weights import check_gpus

_ROOM = 1024  # context to be ready for even when a unit's prompts are shorter, so that a longer one needs no new start
# What the scoring contract sets; generation leaves it to vLLM.
_OF_SCORING = ("skip_tokenizer_init", "enable_chunked_prefill", "logprobs_mode")


class Backend(Protocol):
    """A started engine that is ready for prompt and answer of up to ``max_tokens`` tokens."""

    max_tokens: int

    def generate(self, prompts: Sequence[Sequence[int]], wanted: Sequence[Sampling]) -> list[Written]:
        """An answer to each prompt, in order."""
        ...

    def stop(self) -> None:
        """Give its memory back."""
        ...


Start = Callable[[int, int], Backend]
"""From tokens of one step and the longest context to a started engine."""


class Facts(NamedTuple):
    """What is known of a model before its weights are loaded: longest context, ids that end an answer."""

    max_tokens: int
    end_tokens: tuple[int, ...]


@dataclass(slots=True)
class _Row:
    """One answer in the making."""

    request: GenerationRequest
    prompt: tuple[int, ...]
    tokens: list[int] = field(default_factory=list)
    finish_reason: str = ""
    error: str = ""

    @property
    def left(self) -> int:
        """Tokens that may still be written."""
        return int(self.request.sampling["max_new_tokens"]) - len(self.tokens)


def open_vllm(entry: ModelEntry, name: str, dtype: str, token_budget: int, offline: bool) -> VllmGenerator:
    """Check a registry entry's files and arguments; the weights are loaded with the first rows, whose length is known.

    Raises:
        InputError: a bad argument, no chat template, a quantisation that vLLM does not see, or what vLLM refuses.
        PrerequisiteError: vLLM, GPUs or files that are not there.
    """
    runtime.require()
    runtime.check_arguments(name, entry.vllm)
    found = runtime.files(entry, name, offline)
    runtime.prepare(offline)
    cpu = runtime.on_cpu()
    check_gpus(entry.gpus, "cpu" if cpu else "cuda")
    tokenizer = runtime.tokenizer(entry, found, offline)
    encoding.check_template(tokenizer, entry.chat, name)
    known = runtime.facts(found, dtype, entry.vllm)
    runtime.check_quantisation(name, quantisations.resolve(entry), known.quantisation)

    def start(tokens: int, max_tokens: int) -> Backend:
        scoring = runtime.engine_arguments(found, known, entry, dtype, tokens, max_tokens, cpu)
        return runtime.Running(found, engine_arguments(scoring, entry, tokenizer.name_or_path, cpu))

    budget = int(entry.vllm.get("max_num_batched_tokens", token_budget))
    most = min(known.max_tokens, int(entry.vllm.get("max_model_len", known.max_tokens)))
    ends = _end_tokens(found.weights / "generation_config.json", tokenizer)
    return VllmGenerator(name, tokenizer, entry.chat, start, budget, Facts(most, ends))


def engine_arguments(scoring: Mapping[str, Any], entry: ModelEntry, tokenizer: str, cpu: bool) -> dict[str, Any]:
    """Arguments of `vllm.LLM` for generation, from those for scoring; what the entry's ``vllm:`` names wins.

    vLLM needs the tokenizer to know where a sentence or a JSON document ends. On a GPU the compiled model is worth its
    start-up time, since answers have many steps.
    """
    arguments = {key: value for key, value in scoring.items() if key not in _OF_SCORING}
    arguments |= {"tokenizer": tokenizer, "enable_prefix_caching": True}
    if cpu:
        # A prompt read in pieces makes vLLM turn back the request's generator, which CPU generators cannot do.
        arguments["enable_chunked_prefill"] = False
    else:
        arguments |= {"enforce_eager": False, "gpu_memory_utilization": 0.9}
    return {**arguments, **{key: value for key, value in entry.vllm.items() if key != "max_num_batched_tokens"}}


class VllmGenerator:
    """Generates in vLLM; obeys `dualpair.generation.engines.Generator`. Made by `open_vllm`.

    Args:
        name: registry name, for messages.
        tokenizer: the model's.
        chat: arguments of the chat template, or ``none`` for plain text.
        start: starts an engine for a number of tokens a step and a longest context.
        token_budget: most tokens of one step; halved, with a new start, when memory runs out.
        facts: of the model.
    """

    def __init__(self, name: str, tokenizer: Any, chat: Chat, start: Start, token_budget: int, facts: Facts) -> None:
        self.name, self._tokenizer, self._chat = name, tokenizer, chat
        self._facts = facts
        self._runtime = Restarting(name, start, token_budget, _use(facts.max_tokens))

    def generate(self, requests: Sequence[GenerationRequest]) -> list[Answer]:
        """One answer per request, in input order, all in one batch; see the protocol."""
        return constraints.until_kept(self._answer, requests)

    def close(self) -> None:
        """Free the weights; calling it twice is harmless."""
        self._runtime.close()

    def _answer(self, requests: Sequence[GenerationRequest]) -> list[Answer]:
        rows = [
            _Row(request, tuple(encoding.encode_prompt(self._tokenizer, request, self._chat))) for request in requests
        ]
        for row in rows:
            if len(row.prompt) + row.left > self._facts.max_tokens:
                row.error = (
                    f"prompt and answer take {len(row.prompt) + row.left} tokens, the model reads "
                    f"{self._facts.max_tokens}"
                )
        pending = [row for row in rows if not row.error]
        while pending:
            self._write(pending)
            pending = [row for row in pending if not row.finish_reason and not row.error]
        return [self._made(row) for row in rows]

    def _write(self, rows: list[_Row]) -> None:
        """Go on with rows; a batch that vLLM refuses is halved until the row at fault stands alone."""
        try:
            found = self._run(rows)
        except (ValueError, TypeError) as error:
            if len(rows) == 1:
                rows[0].error = f"vLLM refuses the row: {' '.join(str(error).split())}"
                return
            half = len(rows) // 2
            self._write(rows[:half])
            self._write(rows[half:])
            return
        for row, written in zip(rows, found, strict=True):
            self._append(row, written)

    def _append(self, row: _Row, written: Written) -> None:
        """Add what was written, and say whether the row ends with it."""
        ends = set(self._facts.end_tokens)
        tokens = list(written.tokens)
        ended = bool(tokens) and tokens[-1] in ends
        row.tokens += tokens[:-1] if ended else tokens
        if written.finish_reason not in ("stop", "length"):
            row.error = f"vLLM ended the answer with {written.finish_reason!r}"
        elif ended or row.request.mode == "list":
            row.finish_reason = written.finish_reason
        elif _ends_a_sentence(self._text(row), row.request.lang):
            row.finish_reason = "stop"
        elif row.left <= 0 or written.finish_reason == "length":
            row.finish_reason = "length"
        elif not tokens:
            row.finish_reason = "stop"
        # else vLLM stopped at a mark that ends nothing, as in "1.5": the row goes on

    def _text(self, row: _Row) -> str:
        return encoding.answer_text(self._tokenizer, row.prompt, row.tokens)

    def _made(self, row: _Row) -> Answer:
        if row.error:
            return Answer("", "error", len(row.prompt), 0, row.error)
        return Answer(self._text(row), row.finish_reason, len(row.prompt), len(row.tokens))

    def _sampling(self, row: _Row) -> Sampling:
        given = row.request.sampling
        single = row.request.mode == "single"
        return Sampling(
            max_tokens=row.left,
            temperature=float(given["temperature"]),
            top_p=float(given["top_p"]),
            top_k=int(given["top_k"]),
            seed=(row.request.seed + len(row.tokens)) % (1 << 63),
            stop=(*languages.get(row.request.lang).final_marks, "\n") if single else (),
            end_tokens=self._facts.end_tokens,
            schema=row.request.schema,
        )

    def _run(self, rows: Sequence[_Row]) -> list[Written]:
        prompts = [[*row.prompt, *row.tokens] for row in rows]
        wanted = [self._sampling(row) for row in rows]
        longest = max(len(prompt) + one.max_tokens for prompt, one in zip(prompts, wanted, strict=True))
        return self._runtime.run(longest, lambda backend: backend.generate(prompts, wanted))


def _use(most: int) -> Use:
    """Any number of tokens a step will do: a step has room for the longest prompt at least."""
    return Use(
        verb="generated",
        longest="prompts and answers",
        advice="raise `gpus`, lower `gpu_memory_utilization` in `vllm:` of the model's entry",
        room=lambda longest, _: min(most, max(1 << (longest - 1).bit_length(), _ROOM)),
        least=lambda _: 1,
    )


def _end_tokens(config: Path, tokenizer: Any) -> tuple[int, ...]:
    """Ids that end an answer: the generation config's and the tokenizer's."""
    given = checkpoint.read_object(config).get("eos_token_id") if config.is_file() else None
    ids = {*(given if isinstance(given, list) else [given]), tokenizer.eos_token_id}
    return tuple(sorted(int(token) for token in ids if token is not None))


def _ends_a_sentence(text: str, lang: str) -> bool:
    language = languages.get(lang)
    return answers.sentence_end(text, language.final_marks, whole=False, language=language) >= 0
