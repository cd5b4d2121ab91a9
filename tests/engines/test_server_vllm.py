"""The server engine against vLLM's own server, on loopback, with a real model."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dualpair.models.registry import ModelEntry
from dualpair.models.server import ServerError
from dualpair.scoring.engine import Failure
from dualpair.scoring.server import ServerEngine, open_server
from dualpair.scoring.server_answers import Mode
from dualpair.scoring.tokenisation import Encoded, encode_pairs
from tests.conftest import ROOT

MODEL = "gemma-3-270m"
ENVIRONMENT = ROOT / ".venv-vllm"
PYTHON = ENVIRONMENT / "bin" / "python"
LONGEST = 128
KEY_VARIABLE = "TEST_VLLM_KEY"
KEY = "a-key-for-loopback"
PAIRS = [
    (group, continuation)
    for group in ("Women", "Men who work", "Las mujeres", "睡着的孩子", "Спящие дети")
    for continuation in (" talk a lot.", " are good at maths.", " hablan mucho.", "最可爱。")
]
SENTENCE_TOLERANCE = 1e-3  # nats, float32: both sum a softmax over 262,144 entries, one of them in float32

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(
        not (ENVIRONMENT / ".installed").exists() and not os.environ.get("DUALPAIR_VLLM"),
        reason=f"{ENVIRONMENT} is not built (make vllm builds it)",
    ),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from dualpair.models import embedded

    folder = tmp_path_factory.mktemp("vllm")
    port = free_port()
    arguments = {
        "--model": str(embedded.ensure(MODEL)),
        "--served-model-name": MODEL,
        "--host": "127.0.0.1",
        "--port": str(port),
        "--dtype": "float32",
        "--max-model-len": str(LONGEST),
        "--max-num-seqs": "32",
    }
    command = [str(PYTHON), "-m", "vllm.entrypoints.openai.api_server", "--enforce-eager", "--no-enable-prefix-caching"]
    command += [part for pair in arguments.items() for part in pair]
    environment = {
        **os.environ,
        "VLLM_API_KEY": KEY,
        "VLLM_CACHE_ROOT": str(folder),
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        "HF_HUB_OFFLINE": "1",
        "OMP_WAIT_POLICY": "PASSIVE",
    }
    log = folder / "server.log"
    with open(log, "w") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file, start_new_session=True)
    try:
        wait_until_up(port, process, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and the processes that it started (they share a process group of their own)."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, number)
            process.wait(30)


def wait_until_up(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(1.0)
    pytest.fail(f"vLLM's server did not come up:\n{log.read_text()[-3000:]}")


def entry_of(endpoint: str, **more: Any) -> ModelEntry:
    return ModelEntry.model_validate(
        {
            "kind": "causal",
            "source": f"embedded:{MODEL}",
            "engine": "server",
            "dtype": "float32",
            "endpoint": endpoint,
            "served_as": MODEL,
            "api_key_env": KEY_VARIABLE,
            "concurrency": 3,
            **more,
        }
    )


@pytest.fixture(scope="module")
def engine(endpoint: str) -> Iterator[ServerEngine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, KEY)
        opened = open_server(entry_of(endpoint), MODEL, "float32", 256, True, "none")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def rows(engine: ServerEngine) -> list[Encoded]:
    return encode_pairs(engine.tokenizer, PAIRS, engine.bos)


@pytest.fixture(scope="module")
def one_at_a_time(rows: list[Encoded]) -> list[list[float]]:
    """The plain model of transformers, one text at a time, its own logits, float64 softmax."""
    import torch

    from dualpair.models import causal_lm, embedded

    lm = causal_lm.load(embedded.ensure(MODEL), dtype="float32", device="cpu", name=MODEL)
    found = []
    for row in rows:
        with torch.inference_mode():
            logits = lm.model(input_ids=torch.tensor([row.ids])).logits[0].double()
        found.append([float(logits[i].log_softmax(0)[token]) for i, token in enumerate(row.ids[1:])])
    return found


def worst(one: list[Any], other: list[Any]) -> float:
    """Largest difference of a sentence's sum, in nats."""
    return max(abs(math.fsum(a) - math.fsum(b)) for a, b in zip(one, other, strict=True))


def test_scores_equal_transformers_one_at_a_time(
    engine: ServerEngine, rows: list[Encoded], one_at_a_time: list[list[float]]
) -> None:
    assert engine.mode == Mode("prompt_logprobs", 1, True)
    found = engine.score(rows)
    assert [len(each) for each in found] == [len(row.ids) - 1 for row in rows]
    assert worst(found, one_at_a_time) < SENTENCE_TOLERANCE


def test_scores_do_not_depend_on_order_or_company(engine: ServerEngine, rows: list[Encoded]) -> None:
    together = engine.score(rows)
    assert worst(together, engine.score(rows[::-1])[::-1]) < SENTENCE_TOLERANCE
    assert worst(together[:3], [engine.score([row])[0] for row in rows[:3]]) < SENTENCE_TOLERANCE


@pytest.mark.parametrize("max_tokens", [0, 1])
def test_echo_gives_the_same_as_prompt_logprobs(engine: ServerEngine, rows: list[Encoded], max_tokens: int) -> None:
    echo = ServerEngine(engine.client, engine.tokenizer, engine.bos, engine.label, Mode("echo", max_tokens, True), 256)
    assert worst(engine.score(rows), echo.score(rows)) < SENTENCE_TOLERANCE


def test_a_text_beyond_the_context_fails_alone(engine: ServerEngine, rows: list[Encoded]) -> None:
    long = encode_pairs(engine.tokenizer, [("Women " * LONGEST, " talk.")], engine.bos)
    found = engine.score([*rows[:2], *long, *rows[2:4]])
    assert isinstance(found[2], Failure)
    assert str(LONGEST) in found[2].reason
    assert [len(found[i]) for i in (0, 1, 3, 4)] == [len(row.ids) - 1 for row in rows[:4]]


@pytest.mark.parametrize("key", ["", "another-key"])
def test_a_wrong_key_names_the_variable(endpoint: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with pytest.raises(ServerError, match=KEY_VARIABLE) as caught:
        open_server(entry_of(endpoint), MODEL, "float32", 256, True, "none")
    assert "another-key" not in str(caught.value)


def test_an_unknown_name_lists_what_is_served(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    with pytest.raises(ServerError, match=rf"there: {MODEL}"):
        open_server(entry_of(endpoint, served_as="gemma-nine"), MODEL, "float32", 256, True, "none")


def test_the_wrong_tokenizer_is_noticed(endpoint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tests.unit import tiny_models

    tiny_models.byte_level().save_pretrained(tmp_path)
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    with pytest.raises(ServerError, match="not what it serves"):
        open_server(entry_of(endpoint, tokenizer=f"path:{tmp_path}"), MODEL, "float32", 256, True, "none")
