"""The vLLM engine of generation over a made-up backend: prompts, stops, seeds, memory, rows at fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from dualpair.errors import InputError, PrerequisiteError
from dualpair.generation import constraints, encoding
from dualpair.generation.requests import GenerationRequest
from dualpair.generation.vllm_engine import Facts, VllmGenerator, engine_arguments
from dualpair.models import vllm as runtime
from dualpair.models.registry import ModelEntry
from dualpair.models.vllm import Sampling, Written
from tests.unit.test_transformers_engine import tiny_tokenizer

EOS = 1
SAMPLING = {"temperature": 0.6, "top_p": 0.9, "top_k": 32, "max_new_tokens": 40}
SCHEMA = '{"items": {"type": "string"}, "maxItems": 2, "minItems": 2, "type": "array"}'


class EngineDeadError(Exception):
    """Named as vLLM's: the engine's process is gone."""


def ask(seed: int = 0, **changes: Any) -> GenerationRequest:
    base = GenerationRequest(
        set_id="s", lang="en", variant_id="v0", task="paraphrase", sample_index=seed, seed=seed, prompt_id="p",
        prompt="Cats sleep.", forced_prefix="Cats", sampling=dict(SAMPLING), group="Cats",
        context=(("system", "Say it."), ("user", "Old cars are loud."), ("assistant", "Old cars make noise.")),
    )  # fmt: skip
    return constraints.fitted(base._replace(**changes), "vllm")


class FakeBackend:
    """Writes what ``says`` gives for a prompt's text, token by token, and stops as vLLM does: at any stop string."""

    def __init__(self, fake: Fake, tokens: int, max_tokens: int) -> None:
        self.fake, self.tokens, self.max_tokens = fake, tokens, max_tokens
        self.stopped = 0

    def generate(self, prompts: Sequence[Sequence[int]], wanted: Sequence[Sampling]) -> list[Written]:
        if self.tokens > self.fake.fits:
            raise self.fake.error("CUDA out of memory" if self.fake.error is RuntimeError else "gone")
        decoded = [self.fake.tokenizer.decode(list(prompt)) for prompt in prompts]
        if any("poison" in text for text in decoded):
            raise ValueError("the grammar does not compile")
        self.fake.runs.append(list(zip(decoded, wanted, strict=True)))
        assert all(len(p) + w.max_tokens <= self.max_tokens for p, w in zip(prompts, wanted, strict=True))
        return [self.written(text, one) for text, one in zip(decoded, wanted, strict=True)]

    def written(self, text: str, wanted: Sampling) -> Written:
        ids = self.fake.tokenizer(self.fake.says(text, wanted), add_special_tokens=False)["input_ids"]
        found: list[int] = []
        for token in ids[: wanted.max_tokens]:
            found.append(token)
            piece = self.fake.tokenizer.decode([token])
            if any(mark in piece for mark in wanted.stop):
                return Written(tuple(found), "stop")
        return Written(tuple(found), "length") if len(ids) > wanted.max_tokens else Written((*found, EOS), "stop")

    def stop(self) -> None:
        self.stopped += 1


class Fake:
    """An engine over fake backends."""

    def __init__(
        self, says: Callable[[str, Sampling], str], fits: int = 10**6, error: type[Exception] = MemoryError,
        budget: int = 512, most: int = 2048, chat: Any = None,
    ) -> None:  # fmt: skip
        self.says, self.fits, self.error = says, fits, error
        self.tokenizer = tiny_tokenizer()
        self.started: list[FakeBackend] = []
        self.runs: list[list[tuple[str, Sampling]]] = []
        self.engine = VllmGenerator(
            "m", self.tokenizer, {} if chat is None else chat, self.start, budget, Facts(most, (EOS,))
        )

    def start(self, tokens: int, max_tokens: int) -> FakeBackend:
        self.started.append(FakeBackend(self, tokens, max_tokens))
        return self.started[-1]


def test_prompts_are_token_ids_with_one_bos_and_all_rows_run_together() -> None:
    fake = Fake(lambda text, wanted: " make noise. Dogs bark.")
    found = fake.engine.generate([ask(seed) for seed in range(5)])
    assert [(a.text, a.finish_reason) for a in found] == [(" make noise.", "stop")] * 5
    (run,) = fake.runs
    text, wanted = run[3]
    assert text.count("<s>") == 1 and text.endswith("[assistant]Cats")
    assert wanted == Sampling(40, 0.6, 0.9, 32, 3, (".", "!", "?", "…", "\n"), (EOS,), "")
    assert found[0].prompt_tokens == len(encoding.encode_prompt(fake.tokenizer, ask(), {}))


def test_a_mark_between_digits_does_not_end_a_sentence() -> None:
    def says(text: str, wanted: Sampling) -> str:
        return "5 kilos. More" if text.endswith("1.") else " weigh 1.5 kilos. More"

    fake = Fake(says)
    answer, other = fake.engine.generate([ask(), ask(1)])
    assert answer.text == other.text == " weigh 1.5 kilos."
    assert answer.finish_reason == "stop"
    assert len(fake.runs) == 2
    first, second = (run[0][1] for run in fake.runs)
    said = len(fake.tokenizer(" weigh 1.", add_special_tokens=False)["input_ids"])
    assert (first.max_tokens, second.max_tokens) == (40, 40 - said)


def test_the_end_of_an_answer_without_a_mark_and_the_limit() -> None:
    fake = Fake(lambda text, wanted: " sleep")
    assert fake.engine.generate([ask()])[0][:2] == (" sleep", "stop")
    short = ask(sampling={**SAMPLING, "max_new_tokens": 2})
    found = Fake(lambda text, wanted: " sleep all day long").engine.generate([short])[0]
    assert found.finish_reason == "length" and found.answer_tokens == 2


def test_lists_are_written_under_their_schema_and_have_no_stop() -> None:
    fake = Fake(lambda text, wanted: '["Cats doze.", "Cats nap."]')
    row = ask(mode="list", schema=SCHEMA, forced_prefix='["Cats')
    (found,) = fake.engine.generate([row])
    assert found.text == '["Cats doze.", "Cats nap."]' and found.finish_reason == "stop"
    text, wanted = fake.runs[0][0]
    assert text.endswith("[assistant]") and wanted.stop == () and '"pattern": "^Cats [^' in wanted.schema


def test_a_base_model_reads_plain_text() -> None:
    fake = Fake(lambda text, wanted: " doze.", chat="none")
    assert fake.engine.generate([ask()])[0].text == " doze."
    assert fake.runs[0][0][0] == "<s>Say it.\n\nOld cars are loud.\nOld cars make noise.\n\nCats sleep.\nCats"
    with pytest.raises(InputError, match="has no examples"):
        fake.engine.generate([ask(context=())])


def test_what_breaks_a_constraint_is_asked_again_with_other_seeds() -> None:
    fake = Fake(lambda text, wanted: " often doze." if wanted.seed < 10 else " doze.")
    found = fake.engine.generate([ask(1, avoid=("often",)), ask(2)])
    assert [(a.text, a.rejected) for a in found] == [(" doze.", 1), (" often doze.", 0)]
    assert [len(run) for run in fake.runs] == [2, 1]


def test_rows_at_fault_fail_alone() -> None:
    fake = Fake(lambda text, wanted: " doze.", most=200)
    rows = [ask(0), ask(1, prompt="poison"), ask(2, prompt="Cats sleep. " * 80), ask(3)]
    found = fake.engine.generate(rows)
    assert [a.finish_reason for a in found] == ["stop", "error", "error", "stop"]
    assert "the grammar does not compile" in found[1].error and "the model reads 200" in found[2].error


@pytest.mark.parametrize("error", [MemoryError, RuntimeError, EngineDeadError])
def test_when_memory_runs_out_the_engine_is_started_again_with_half_the_tokens(error: type[Exception]) -> None:
    fake = Fake(lambda text, wanted: " doze.", fits=128, error=error)
    assert fake.engine.generate([ask()])[0].text == " doze."
    assert [backend.tokens for backend in fake.started] == [512, 256, 128]
    assert [backend.stopped for backend in fake.started] == [1, 1, 0]


@pytest.mark.parametrize(("error", "starts"), [(MemoryError, 7), (EngineDeadError, 4)])
def test_memory_that_never_suffices_ends_with_advice(error: type[Exception], starts: int) -> None:
    fake = Fake(lambda text, wanted: "", fits=0, error=error, budget=64)
    with pytest.raises(PrerequisiteError, match="raise `gpus`"):
        fake.engine.generate([ask()])
    assert len(fake.started) == starts and all(backend.stopped == 1 for backend in fake.started)


def test_an_error_of_vllm_itself_is_one_message() -> None:
    class KernelError(RuntimeError):
        pass

    fake = Fake(lambda text, wanted: "", fits=0, error=KernelError)
    with pytest.raises(PrerequisiteError, match="vLLM failed while it generated: gone"):
        fake.engine.generate([ask()])


def test_a_longer_prompt_starts_the_engine_again_and_a_shorter_one_does_not() -> None:
    fake = Fake(lambda text, wanted: " doze.")
    for words in (1, 500, 1):
        fake.engine.generate([ask(prompt="Cats sleep. " * words)])
    assert [backend.max_tokens for backend in fake.started] == [1024, 2048]
    assert [backend.stopped for backend in fake.started] == [1, 0]
    fake.engine.close()
    fake.engine.close()
    assert fake.started[-1].stopped == 1


def test_the_arguments_of_generation_differ_from_those_of_scoring_where_they_must() -> None:
    made = ModelEntry.model_validate(
        {"kind": "causal", "source": "path:m", "engine": "vllm", "gpus": 2, "vllm": {"max_num_seqs": 7}}
    )
    known = runtime.Facts(4096, 100, None, 1000)
    found = runtime.Checkpoint("m", Path("m"), None)
    scoring = runtime.engine_arguments(found, known, made, "bfloat16", 2048, 512, cpu=False)
    arguments = engine_arguments(scoring, made, "tok", cpu=False)
    assert arguments["enable_prefix_caching"] is True and scoring["enable_prefix_caching"] is False
    assert not {"skip_tokenizer_init", "logprobs_mode"} & set(arguments)
    assert (arguments["tokenizer"], arguments["tensor_parallel_size"], arguments["max_num_seqs"]) == ("tok", 2, 7)
    assert arguments["enforce_eager"] is False
    assert engine_arguments(scoring, made, "tok", cpu=True)["enforce_eager"] is True
    assert "enable_chunked_prefill" not in arguments
    assert engine_arguments(scoring, made, "tok", cpu=True)["enable_chunked_prefill"] is False  # else seeds fail there
