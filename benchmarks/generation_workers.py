"""What `benchmarks.generation` times, under the interpreter of each engine.

    python benchmarks/generation_workers.py ENGINE MODEL_FOLDER ROWS OUT THREADS

Reads the requests as a JSON list; writes {"timings": {workload: {method: {answers, tokens, wall, cpu}}}}.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.generation import encoding
from dualpair.generation.requests import GenerationRequest, GenerationSettings, requests

MARKS = [".", "!", "?", "…", "\n"]
ROUNDS = 2
Write = Callable[[Sequence[GenerationRequest]], list[int]]
"""Answers requests; gives the number of tokens of each answer."""


class Lm(NamedTuple):
    """A loaded model, as the engine wants it."""

    model: Any
    tokenizer: Any


def sources(count: int) -> Any:
    """The first sentences of the starter set, as a table of sources."""
    import pandas as pd

    from dualpair.paths import resource

    frame = pd.read_csv(resource("stereotypes") / "en.csv")
    frame = frame[frame["role"] == "stereotyped"].head(count)
    made = frame[["set_id", "attribute"]].assign(lang="en", variant_id="v0", final_mark=".")
    made["groups"] = pd.Series([[group] for group in frame["group"]], index=made.index)
    return made


def rows(count: int, samples: int) -> list[GenerationRequest]:
    """Requests for paraphrases, as the demo makes them."""
    return requests("paraphrase", sources(count), GenerationSettings(samples=samples), 1)


def calls(count: int, samples: int) -> dict[str, dict[str, int]]:
    """Model calls of the stage on those sources: needed (distinct requests), made, and made by a second run."""
    from dualpair import plan
    from dualpair.stages import generation
    from dualpair.store import Store

    found = {}
    for name, temperature in (("paraphrases", 0.6), ("greedy", 0.0)):
        settings, identity = GenerationSettings(samples=samples, temperature=temperature), {"engine": "transformers"}
        asks = generation.ask("paraphrase", sources(count), settings, 1, identity)
        wanted = [one.request for one in asks]
        made: list[int] = []

        def call(batch: list[plan.Request], made: list[int] = made) -> list[dict[str, Any]]:
            made.append(len(batch))
            return [{"text": " x.", "error": ""} for _ in batch]

        with tempfile.TemporaryDirectory() as folder:
            space = Store(folder).space("generation", "m", identity)
            for _ in range(2):
                planned = plan.build("paraphrase", "m", "generation", identity, wanted, space, 900)
                plan.run(planned, wanted, space, call)
                made.append(-1)
        first, second = made[: made.index(-1)], [one for one in made[made.index(-1) :] if one > 0]
        distinct = count if temperature == 0.0 else count * samples
        found[name] = {"needed": distinct, "made": sum(first), "again": sum(second)}
    return found


def transformers_methods(folder: str) -> dict[str, dict[str, Write]]:
    """Per workload: the engine, and plain `generate` in the same batches, left-padded."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from dualpair.generation.transformers_engine import MAX_ROWS, TransformersGenerator

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    tokenizer.padding_side = "left"
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    model.eval()

    def ours(asked: Sequence[GenerationRequest]) -> list[int]:
        engine = TransformersGenerator(Lm(model, tokenizer), asked, {})
        return [answer.answer_tokens for answer in engine.generate(asked)]

    def plain(asked: Sequence[GenerationRequest]) -> list[int]:
        found: list[int] = []
        for start in range(0, len(asked), MAX_ROWS):
            batch = asked[start : start + MAX_ROWS]
            ids = [encoding.encode_prompt(tokenizer, row, {}) for row in batch]
            inputs = tokenizer.pad({"input_ids": ids}, return_tensors="pt")
            given = batch[0].sampling
            stops = {"stop_strings": MARKS, "tokenizer": tokenizer} if batch[0].mode == "single" else {}
            with torch.inference_mode():
                out = model.generate(
                    **inputs,
                    do_sample=True,
                    temperature=given["temperature"],
                    top_p=given["top_p"],
                    top_k=given["top_k"],
                    max_new_tokens=given["max_new_tokens"],
                    pad_token_id=tokenizer.pad_token_id,
                    **stops,
                )
            found += [_written(row, tokenizer) for row in out[:, inputs["input_ids"].shape[1] :].tolist()]
        return found

    return {name: {"dualpair": ours, "plain generate": plain} for name in ("whole answers", "sentences")}


def vllm_methods(folder: str, method: str) -> tuple[Write, Callable[[], None]]:
    """The engine or plain `LLM.generate`, and what closes it."""
    from dualpair.generation.vllm_engine import open_vllm
    from dualpair.models import vllm as runtime
    from dualpair.models.registry import ModelEntry

    entry = ModelEntry.model_validate({"kind": "causal", "source": f"path:{folder}", "engine": "vllm"})
    if method == "dualpair":
        engine = open_vllm(entry, "m", "float32", 2048, True)

        def ours(asked: Sequence[GenerationRequest]) -> list[int]:
            return [answer.answer_tokens for answer in engine.generate(asked)]

        return ours, engine.close
    runtime.prepare(True)
    from vllm import LLM, SamplingParams, TokensPrompt

    llm = LLM(
        model=folder, dtype="float32", max_model_len=1024, enforce_eager=True, kv_cache_memory_bytes=1 << 30, seed=0,
        enable_chunked_prefill=False,  # with it, a CPU cannot seed answers to prompts that are read in pieces
    )  # fmt: skip
    tokenizer = llm.get_tokenizer()

    def plain(asked: Sequence[GenerationRequest]) -> list[int]:
        prompts = [TokensPrompt(prompt_token_ids=encoding.encode_prompt(tokenizer, row, {})) for row in asked]
        wanted = [
            SamplingParams(
                max_tokens=row.sampling["max_new_tokens"],
                temperature=row.sampling["temperature"],
                top_p=row.sampling["top_p"],
                top_k=row.sampling["top_k"],
                seed=row.seed,
                stop=MARKS if row.mode == "single" else None,
            )
            for row in asked
        ]
        return [len(one.outputs[0].token_ids) for one in llm.generate(prompts, wanted, use_tqdm=False)]

    def close() -> None:
        llm.llm_engine.engine_core.shutdown()

    return plain, close


def main() -> None:
    """Time one engine."""
    engine, folder, given, out, threads = sys.argv[1:6]
    single = [_row(one) for one in json.loads(Path(given).read_text(encoding="utf-8"))]
    works = {"whole answers": [row._replace(mode="list", avoid=(), differ_from="") for row in single]}
    works["sentences"] = [row._replace(avoid=(), differ_from="") for row in single]
    timings: dict[str, dict[str, Any]] = {name: {} for name in works}
    if engine == "transformers":
        import torch

        torch.set_num_threads(int(threads))
        methods = transformers_methods(folder)
        for number in range(ROUNDS):
            for name, asked in works.items():
                for method, write in methods[name].items():
                    timings[name][method] = _timed(write, asked, number)
    else:
        for method in ("dualpair", "plain LLM.generate"):
            write, close = vllm_methods(folder, method)
            for number in range(ROUNDS):
                for name, asked in works.items():
                    timings[name][method] = _timed(write, asked, number)
            close()
    Path(out).write_text(json.dumps({"timings": timings}), encoding="utf-8")


def _timed(write: Write, asked: Sequence[GenerationRequest], number: int) -> dict[str, float]:
    """One call. Each round has prompts of its own: a cache of prompts must not serve a later round."""
    fresh = [row._replace(prompt=f"{row.prompt[:-1]}{'.' * (number + 1)}") for row in asked]
    wall, cpu = time.perf_counter(), time.process_time()
    tokens = write(fresh)
    return {
        "answers": len(tokens),
        "tokens": sum(tokens),
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
    }


def _row(given: dict[str, Any]) -> GenerationRequest:
    made = {**given, "context": tuple(map(tuple, given["context"])), "avoid": tuple(given["avoid"])}
    return GenerationRequest(**made)


def _written(tokens: list[int], tokenizer: Any) -> int:
    """Tokens of an answer, without padding and end token."""
    ends = {tokenizer.eos_token_id, tokenizer.pad_token_id}
    return next((place for place, token in enumerate(tokens) if token in ends), len(tokens))


if __name__ == "__main__":
    main()
