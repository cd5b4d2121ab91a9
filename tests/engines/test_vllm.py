"""The vLLM engine: its rules with a made-up backend, its numbers with vLLM itself (in the environment of `make vllm`)."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import artifacts, schemas
from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import vllm as runtime
from dualpair.models.registry import ModelEntry
from dualpair.models.vllm import check_quantisation
from dualpair.scoring.engine import Failure, Label
from dualpair.scoring.tokenisation import Bos, Encoded, encode_pairs
from dualpair.scoring.vllm import VllmEngine, read
from tests.conftest import ROOT
from tests.engines import models

PYTHON = ROOT / ".venv-vllm" / "bin" / "python"
VOCABULARY = 50
SENTENCES = [
    ("Women", " talk a lot."), ("Men", " talk a lot."), ("Men", " talk a little."), ("Boys", " are good at maths."),
    ("Girls", " are good at maths."), ("Girls", " are bad at maths."), ("Old people", " love their gardens."),
    ("Las mujeres", " hablan mucho."), ("Los hombres", " hablan mucho."), ("Los niños", " son buenos en matemáticas."),
    ("Спящие дети", " прекрасны."), ("Женщины", " много говорят."), ("Мужчины", " мало говорят."),
    ("女人", "话很多。"), ("男人", "话很多。"), ("睡着的孩子", "最可爱。"), ("Rich people who live in the city", " drive too fast."),
]  # fmt: skip

needs_vllm = [
    pytest.mark.vllm,
    pytest.mark.skipif(
        not (ROOT / ".venv-vllm" / ".installed").exists() and not os.environ.get("DUALPAIR_VLLM"),
        reason=".venv-vllm is not there (`make vllm` makes it)",
    ),
]


class EngineDeadError(Exception):
    """Named as vLLM's: the engine's process is gone."""


def value(ids: tuple[int, ...], place: int) -> float:
    return -(ids[place] + 0.5 * ids[place - 1] + 0.25 * len(ids))


class FakeBackend:
    """Answers at once; fails when more than ``fits`` tokens are run in a step."""

    def __init__(self, tokens: int, max_tokens: int, fits: int, error: type[Exception]) -> None:
        self.tokens, self.max_tokens, self.fits, self.error = tokens, max_tokens, fits, error
        self.runs: list[list[tuple[int, ...]]] = []
        self.stopped = 0

    def prompt_logprobs(self, texts):
        self.runs.append(list(texts))
        if self.tokens > self.fits:
            raise self.error("CUDA out of memory" if self.error is RuntimeError else "gone")
        assert all(len(text) < self.max_tokens for text in texts)
        # The most likely token stands beside the text's own: only a look-up by id finds the right one.
        return [[None, *({VOCABULARY: 0.0, ids[i]: value(ids, i)} for i in range(1, len(ids)))] for ids in texts]

    def stop(self):
        self.stopped += 1


class Fake:
    """An engine over fake backends, and what it started."""

    def __init__(self, budget: int = 512, fits: int = 10**6, error: type[Exception] = MemoryError, most: int = 2048):
        self.started: list[FakeBackend] = []

        def start(tokens: int, max_tokens: int) -> FakeBackend:
            self.started.append(FakeBackend(tokens, max_tokens, fits, error))
            return self.started[-1]

        label = Label("m", "vllm", "float32", "none")
        self.engine = VllmEngine(label, None, Bos("none", ()), start, budget, most, VOCABULARY)


def encoded(ids: tuple[int, ...]) -> Encoded:
    return Encoded(ids, 1, False, "none", 0, 1, 1, n_context=0, ends=tuple(range(1, len(ids) + 1)))


def expected(ids: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(value(ids, place) for place in range(1, len(ids)))


texts = st.lists(st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=6).map(tuple), max_size=8)


@given(texts)
def test_answers_come_in_input_order_and_equal_texts_are_run_once_in_an_order_of_their_own(rows):
    fake, again = Fake(), Fake()
    assert fake.engine.score([encoded(ids) for ids in rows]) == [expected(ids) for ids in rows]
    assert again.engine.score([encoded(ids) for ids in reversed(rows)]) == [expected(ids) for ids in reversed(rows)]
    runs = [run for backend in fake.started for run in backend.runs]
    assert runs == [run for backend in again.started for run in backend.runs]
    assert runs == ([sorted({ids for ids in rows if len(ids) > 1})] if any(len(ids) > 1 for ids in rows) else [])


@pytest.mark.parametrize("error", [MemoryError, RuntimeError, EngineDeadError])
def test_when_memory_runs_out_the_engine_is_started_again_with_half_the_tokens(error):
    fake = Fake(budget=512, fits=128, error=error)
    rows = [(1, 2, 3), (4, 5)]
    assert fake.engine.score([encoded(ids) for ids in rows]) == [expected(ids) for ids in rows]
    assert [backend.tokens for backend in fake.started] == [512, 256, 128]
    assert [backend.stopped for backend in fake.started] == [1, 1, 0]
    assert fake.engine.score([encoded((7, 8))]) == [expected((7, 8))]
    assert len(fake.started) == 3


class KernelError(RuntimeError):
    """What a kernel raises."""


def test_an_error_of_vllm_itself_is_one_message():
    fake = Fake(budget=64, fits=0, error=KernelError)
    with pytest.raises(PrerequisiteError, match=r"^m: vLLM failed while it scored: gone; set the environment variable"):
        fake.engine.score([encoded((1, 2, 3))])
    assert len(fake.started) == 1


def test_memory_that_never_suffices_ends_with_advice():
    fake = Fake(budget=64, fits=0)
    with pytest.raises(
        PrerequisiteError, match=r"ran out of memory with 4 tokens a step and a longest context of 4 tokens"
    ):
        fake.engine.score([encoded((1, 2, 3)), encoded((4, 5))])
    assert [backend.tokens for backend in fake.started] == [64, 32, 16, 8, 4]
    assert all(backend.stopped == 1 for backend in fake.started)


def test_an_engine_that_dies_again_and_again_is_given_up():
    fake = Fake(budget=4096, fits=0, error=EngineDeadError)
    with pytest.raises(PrerequisiteError, match="engine died"):
        fake.engine.score([encoded((1, 2, 3))])
    assert len(fake.started) == 4


def test_an_error_that_is_not_about_memory_is_passed_on():
    fake = Fake(fits=0, error=KeyError)
    with pytest.raises(KeyError):
        fake.engine.score([encoded((1, 2, 3))])
    assert len(fake.started) == 1


def test_a_longer_text_than_the_engine_is_ready_for_starts_it_again_and_a_shorter_one_does_not():
    fake = Fake(budget=4096)
    for length in (5, 500, 900, 5, 1000):
        ids = tuple(number % VOCABULARY for number in range(length))
        assert fake.engine.score([encoded(ids)]) == [expected(ids)]
    assert [backend.max_tokens for backend in fake.started] == [512, 1024]
    assert [backend.stopped for backend in fake.started] == [1, 0]


def test_unfit_rows_fail_alone():
    fake = Fake(most=8)
    rows = [(1, 2), tuple(range(8)), (3, VOCABULARY), (4,), tuple(range(7))]
    good, long, foreign, single, fits = fake.engine.score([encoded(ids) for ids in rows])
    assert (good, single, fits) == (expected((1, 2)), (), expected(tuple(range(7))))
    assert isinstance(long, Failure) and "8 tokens, and vLLM takes at most 7" in long.reason
    assert isinstance(foreign, Failure) and "token id 50 is outside the vocabulary" in foreign.reason
    assert fake.started[0].runs == [[tuple(range(7)), (1, 2)]]


def test_close_stops_the_engine_once():
    fake = Fake()
    fake.engine.close()
    fake.engine.score([encoded((1, 2))])
    fake.engine.close()
    fake.engine.close()
    assert [backend.stopped for backend in fake.started] == [1]


def test_log_probabilities_are_looked_up_by_token_and_never_by_rank():
    assert read((5, 6, 7), [None, {9: -0.1, 6: -3.0}, {7: -0.2}]) == (-3.0, -0.2)


@pytest.mark.parametrize(
    ("positions", "reason"),
    [
        ([None, {9: -0.1}, {7: -0.2}], "no log-probability for token 6 at position 1"),
        ([None, None, {7: -0.2}], "no log-probability for token 6 at position 1"),
        ([None, {6: -0.1}, {7: math.nan}], "token 7 at position 2 is nan"),
        ([None, {6: -0.1}, {7: -math.inf}], "token 7 at position 2 is -inf"),
        ([None, {6: -0.1}], "2 positions for a text of 3 tokens"),
        ([{5: -0.1}, {6: -0.1}, {7: -0.2}], "first token"),
    ],
)
def test_an_answer_without_a_value_for_each_token_is_a_failure(positions, reason):
    found = read((5, 6, 7), positions)
    assert isinstance(found, Failure) and reason in found.reason


def entry(source: Path | str, **more: Any) -> dict[str, Any]:
    name = source if isinstance(source, str) else f"path:{source}"
    return {"kind": "causal", "source": name, "engine": "vllm", **more}


def test_the_arguments_keep_the_contract_whatever_the_entry_says():
    made = ModelEntry.model_validate(entry("path:m", gpus=4, vllm={"max_num_seqs": 7, "max_num_batched_tokens": 9}))
    known = runtime.Facts(4096, VOCABULARY, None, 1000)
    lora = runtime.Lora(Path("a"), 9, ("q_proj",))
    found = runtime.Checkpoint("m", Path("m"), lora)
    arguments = runtime.engine_arguments(found, known, made, "bfloat16", 2048, 512, cpu=False)
    assert arguments["enable_prefix_caching"] is False and arguments["logprobs_mode"] == "raw_logprobs"
    assert (arguments["tensor_parallel_size"], arguments["max_num_seqs"]) == (4, 7)
    assert (arguments["max_num_batched_tokens"], arguments["max_model_len"]) == (2048, 512)
    assert arguments["gpu_memory_utilization"] == 0.8
    assert (arguments["max_lora_rank"], arguments["lora_target_modules"]) == (16, ["q_proj"])
    for key in ("enable_prefix_caching", "logprobs_mode", "trust_remote_code", "dtype", "model"):
        with pytest.raises(InputError, match=rf"models\.m\.vllm\.{key}`: cannot be set here"):
            runtime.check_arguments("m", {key: 1})


def test_only_arguments_that_may_change_numbers_belong_to_the_key_of_stored_answers():
    given_arguments = {"max_num_seqs": 8, "quantization": "fp8", "gpu_memory_utilization": 0.5, "kv_cache_dtype": "fp8"}
    assert runtime.decisive(given_arguments) == {"kv_cache_dtype": "fp8", "quantization": "fp8"}


def test_the_token_budget_leaves_room_for_prompt_log_probabilities():
    assert runtime.fitting_budget(4096, 262_144, 16e9) == 4096
    assert runtime.fitting_budget(4096, 262_144, 1.6e9) == 1017  # 1.6e9 / (262144 * 6)
    assert runtime.fitting_budget(4096, 262_144, 10.0) == 1


def test_a_recorded_quantisation_must_be_what_runs():
    check_quantisation("m", "none", None)
    check_quantisation("m", "mxfp4-dequantised", None)
    check_quantisation("m", "compressed-tensors-w8a8", "compressed-tensors")
    with pytest.raises(InputError, match="recorded with quantisation 'none', but vLLM runs it with 'awq'"):
        check_quantisation("m", "none", "awq")
    with pytest.raises(InputError, match="recorded with quantisation 'mxfp4', but vLLM runs it with 'none'"):
        check_quantisation("m", "mxfp4", None)


def test_an_adapter_that_vllm_would_apply_in_part_is_refused(tmp_path):
    from safetensors.numpy import save_file

    models.llama(tmp_path / "base")
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": 4}))
    tensor = pd.Series([0.0] * 4).to_numpy(dtype="float32").reshape(4, 1)
    save_file({"base_model.model.lm_head.lora_A.weight": tensor}, adapter / "adapter_model.safetensors")
    made = ModelEntry.model_validate(entry(tmp_path / "base", adapter=f"path:{adapter}"))
    with pytest.raises(InputError, match="changes lm_head, which vLLM does not apply to prompt log-probabilities"):
        runtime.files(made, "m", offline=True)
    save_file(
        {"base_model.model.layers.0.self_attn.q_proj.lora_A.weight": tensor}, adapter / "adapter_model.safetensors"
    )
    assert runtime.files(made, "m", offline=True).adapter == runtime.Lora(adapter, 4, ("q_proj",))


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is in this environment")
def test_without_vllm_the_message_says_how_to_get_it():
    with pytest.raises(PrerequisiteError, match="make vllm"):
        runtime.require()


@pytest.mark.workflow
def test_a_vllm_model_runs_under_its_own_interpreter_and_the_others_do_not(tmp_path):
    import yaml

    config = yaml.safe_load((ROOT / "config" / "test.yaml").read_text(encoding="utf-8"))
    config["models"] = {"tiny": entry("hf:org/tiny", revision="0" * 40)}
    config["roles"]["score"] = ["tiny", "gemma-3-270m"]
    config["execution"]["vllm_python"] = "/opt/vllm/bin/python"
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    words = [
        "--configfile",
        tmp_path / "c.yaml",
        "--cores",
        "1",
        "--dry-run",
        "--printshellcmds",
        "--quiet",
        "progress",
    ]
    command = [sys.executable, "-m", "snakemake", "score", "--snakefile", ROOT / "Snakefile", *words]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "scripts/score_model.py" in line]
    tiny, other = (next(line for line in lines if f"--model {name} " in line) for name in ("tiny", "gemma-3-270m"))
    assert "[ -x /opt/vllm/bin/python ] && echo /opt/vllm/bin/python || echo" in tiny
    assert "vllm/bin" not in other and sys.executable in other


def job(name: str, source: Path | str, calls: list[Any], dtype: str = "float32", **more: Any) -> dict[str, Any]:
    quantised = more.pop("quantisation", "none")
    made = entry(source, **more)
    return {"name": name, "entry": made, "dtype": dtype, "budget": 256, "quantisation": quantised, "calls": calls}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Folders of tiny checkpoints, and the torch models that say what they should answer."""
    folder = tmp_path_factory.mktemp("models")
    made = {"plain": models.llama(folder / "plain"), "w8a8": models.w8a8(folder / "w8a8")}
    made["unrounded"] = models.llama(folder / "unrounded", seed=2)
    made["lora"] = models.lora(folder / "adapter", models.llama(folder / "copy"))
    return {"folder": folder, **made}


@pytest.fixture(scope="module")
def answers(tiny: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All that vLLM is asked in these tests, in one process."""
    from dualpair.models import embedded

    embedded.ensure("gemma-3-270m")
    folder = tiny["folder"]
    few, long = SENTENCES[:6], ("Women", " talk a lot." * 100)
    gemma = "embedded:gemma-3-270m"
    jobs = [
        job("plain", folder / "plain", [few, [*few[:2], long, ("Women", " talk a lot." * 400)]]),
        job("lora", folder / "copy", [few], adapter=f"path:{folder / 'adapter'}"),
        job("w8a8", folder / "w8a8", [few], quantisation="compressed-tensors-w8a8"),
        job("mislabelled", folder / "w8a8", [few]),
        job("unknown argument", folder / "plain", [few], vllm={"max_sequences": 3}),
        job("two GPUs", folder / "plain", [few], gpus=2),
        job("float32", gemma, [SENTENCES, SENTENCES[::-1], SENTENCES[3:7]]),
        job("bfloat16", gemma, [SENTENCES], dtype="bfloat16"),
    ]
    place = tmp_path_factory.mktemp("vllm")
    (place / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    command = [PYTHON, ROOT / "tests" / "engines" / "vllm_job.py", place / "jobs.json", place / "answers.json"]
    environment = {**os.environ, "TMPDIR": str(place), "OMP_WAIT_POLICY": "PASSIVE"}
    done = subprocess.run(command, text=True, capture_output=True, check=False, env=environment, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not list(place.glob("dualpair-vllm-*")), "the job's cache folder was left behind"
    return json.loads((place / "answers.json").read_text(encoding="utf-8"))


def deviations(rows: list[dict[str, Any]], model: Any) -> list[float]:
    """|difference| of whole-sentence sums, in nats, from the model run one text at a time with a float64 normaliser."""
    made = [(row["logprobs"], models.logprobs(model, row["ids"])) for row in rows]
    assert all(len(found) == len(wanted) for found, wanted in made)
    return [abs(sum(found) - sum(wanted)) for found, wanted in made]


class TestVllm:
    """Against vLLM itself."""

    pytestmark = needs_vllm

    def test_a_tiny_model_gives_the_reference_and_longer_texts_start_it_again(self, answers, tiny):
        first, second = answers["plain"]["calls"]
        assert max(deviations(first, tiny["plain"])) < 1e-4
        assert answers["plain"]["label"] == Label("plain", "vllm", "float32", "none")._asdict()
        assert len(second[2]["ids"]) > 512
        assert max(deviations(second[:3], tiny["plain"])) < 1e-4
        assert f"at most {models.POSITIONS - 1} for plain" in second[3]["reason"]

    def test_a_lora_adapter_is_applied_as_if_merged(self, answers, tiny):
        (rows,) = answers["lora"]["calls"]
        assert max(deviations(rows, tiny["lora"])) < 1e-4
        assert min(deviations(rows, tiny["plain"])) > 1e-2

    def test_eight_bit_weights_and_activations_are_computed_as_such(self, answers, tiny):
        (rows,) = answers["w8a8"]["calls"]
        rounded, unrounded = (sorted(deviations(rows, tiny[name])) for name in ("w8a8", "unrounded"))
        # An activation half-way between two steps may be rounded either way, which moves the few texts it occurs in.
        assert rounded[len(rows) // 2] < 1e-4 and rounded[-1] < 0.2
        assert unrounded[len(rows) // 2] > 1e-2
        assert answers["w8a8"]["label"]["quantisation"] == "compressed-tensors-w8a8"

    def test_what_cannot_be_run_is_refused_before_any_weights_are_loaded(self, answers):
        assert "recorded with quantisation 'none', but vLLM runs it with 'compressed" in answers["mislabelled"]["error"]
        assert "max_sequences" in answers["unknown argument"]["error"]
        assert "`gpus: 2` but this job" in answers["two GPUs"]["error"] or "calls" in answers["two GPUs"]

    @pytest.mark.model
    def test_a_real_model_agrees_with_transformers_and_does_not_depend_on_the_order(self, answers):
        import torch
        from transformers import AutoModelForCausalLM

        from dualpair.models import embedded

        place = embedded.ensure("gemma-3-270m")
        model = AutoModelForCausalLM.from_pretrained(place, dtype=torch.float32).eval()
        rows, back, part = answers["float32"]["calls"]
        found = deviations(rows, model)
        assert max(found) < 1e-3  # both of the order of 1e-4: vLLM sums 262,144 entries in float32
        assert back == rows[::-1]  # the same texts are run in the same order, so this is exact
        for one, other in zip(part, rows[3:7], strict=True):
            assert sum(one["logprobs"]) == pytest.approx(sum(other["logprobs"]), abs=1e-4)
        half = deviations(answers["bfloat16"]["calls"][0], model)
        assert max(half) < 1.2 and sum(half) / len(half) < 0.3  # bfloat16's own error, see docs/performance.md

    def test_the_stage_runs_under_vllm_on_a_plan_made_without_it(self, tiny, tmp_path):
        rows = [
            {"sentence_id": f"{n:032x}", "set_id": "s", "cluster_id": "c", "lang": "en", "bias_type": "other",
             "variant_id": "v0", "group_index": n, "side": "attribute", "prefix": prefix, "continuation": continuation}
            for n, (prefix, continuation) in enumerate(SENTENCES[:4])
        ]  # fmt: skip
        frame = pd.DataFrame(rows).reindex(columns=schemas.table("sentences").names)
        artifacts.write(frame, tmp_path / "sentences.parquet", "sentences")
        shared = ["--stage", "score", "--model", "tiny", "--store", "store", "--sentences", "sentences.parquet"]
        shared += ["--entry", json.dumps(entry(tiny["folder"] / "plain", dtype="float32"))]
        plan = ["--unit-tokens", "40", "--out", "plan.json"]
        running = ["--plan", "plan.json", "--threads", "2", "--token-budget", "512", "--max-failed-share", "0"]
        running += ["--hub", "off", "--out", "scores.parquet"]
        for python, script, words in ((sys.executable, "plan_score", plan), (PYTHON, "score_model", running)):
            command = [python, ROOT / "scripts" / f"{script}.py", *shared, *words]
            done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False, timeout=600)
            assert done.returncode == 0, done.stderr[-3000:]
        scores = artifacts.read(tmp_path / "scores.parquet", "scores")
        assert scores["kept"].all() and set(scores["engine"]) == {"vllm"} and set(scores["quantisation"]) == {"none"}
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(tiny["folder"] / "plain")
        for row in scores.itertuples():
            text = encode_pairs(tokenizer, [(row.prefix, row.continuation)])[0]
            wanted = models.logprobs(tiny["plain"], list(text.ids))[text.n_prefix - 1 :]
            assert row.logprob_sum == pytest.approx(sum(wanted), abs=1e-4)
            assert row.n_tokens == len(wanted)
