"""Generation by vLLM in process and by its server, with a real base model: one protocol, one store, one table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts, schemas
from dualpair.errors import InputError
from dualpair.generation import answers
from dualpair.generation.requests import GenerationSettings, requests
from dualpair.generation.server_engine import open_server
from dualpair.generation.transformers_engine import open_transformers
from dualpair.models.registry import ModelEntry
from dualpair.stages import generation
from tests.conftest import ROOT
from tests.engines.test_server_vllm import free_port, stop, wait_until_up

MODEL = "gemma-3-270m"
PYTHON = ROOT / ".venv-vllm" / "bin" / "python"
KEY_VARIABLE, KEY = "TEST_VLLM_KEY", "a-key-for-loopback"
LONGEST = 1024
# What gemma's instruct models use, for a base model that has none: enough to try the chat end point.
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>assistant\n{% endif %}"
)
BASE = {"temperature": 0.7, "top_p": 0.95, "top_k": 32, "min_answers": 1}
LIST = {**BASE, "prompt": "paper-en", "mode": "list", "samples": 1, "max_new_tokens": 220}
SINGLE = {**BASE, "prompt": "native", "mode": "single", "samples": 3, "max_new_tokens": 16}
GREEDY = {**SINGLE, "temperature": 0.0, "samples": 1}
# name of a run: its task and settings
RUNS = {
    "paraphrases": ("paraphrase", LIST),
    "alternates": ("alternate-1", LIST),
    "sentences": ("paraphrase", SINGLE),
    "greedy": ("paraphrase", GREEDY),
}
SOURCES = [
    ("s1", "en", ["Cats", "Dogs"], "sleep all day", "."),
    ("s2", "en", ["Old cars", "New cars"], "are noisy", "."),
    ("s3", "zh", ["猫", "狗"], "整天睡觉", "。"),
]

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.model,
    pytest.mark.skipif(
        not (ROOT / ".venv-vllm" / ".installed").exists() and not os.environ.get("DUALPAIR_VLLM"),
        reason=".venv-vllm is not there (`make vllm` makes it)",
    ),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sources."""
    from dualpair.models import embedded

    embedded.ensure(MODEL)
    made = tmp_path_factory.mktemp("generation")
    rows = [
        {"set_id": i, "cluster_id": i, "lang": lang, "bias_type": "other", "variant_id": "v0", "groups": groups,
         "attribute": attribute, "final_mark": mark}
        for i, lang, groups, attribute, mark in SOURCES
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=schemas.table("sources").names)
    artifacts.write(frame, made / "sources.parquet", "sources")
    sets = frame.assign(dataset="d", original="x", parse="presplit", kept=True, reason="")
    artifacts.write(sets[schemas.table("sets").names], made / "sets.parquet", "sets")
    return made


def entry(engine: str, **more: Any) -> dict[str, Any]:
    return {"kind": "causal", "source": f"embedded:{MODEL}", "engine": engine, "dtype": "float32", "chat": "none",
            "quantisation": "q4_k_m-dequantised", **more}  # fmt: skip


def words(run: str, made: dict[str, Any], tag: str, planning: bool) -> list[str]:
    task, settings = RUNS[run]
    shared = ["--stage", task, "--task", task, "--model", "gemma", "--entry", json.dumps(made), "--store", "store"]
    shared += ["--sources", "sources.parquet", "--settings", json.dumps(settings), "--seed", "5"]
    plan = f"{tag}-{run}.json"
    if planning:
        return [*shared, "--unit-tokens", "100000", "--out", plan]
    running = ["--plan", plan, "--threads", "2", "--token-budget", "2048", "--max-failed-share", "0", "--hub", "off"]
    return [*shared, *running, "--out", f"{tag}-{run}.parquet"]


def plan(place: Path, run: str, made: dict[str, Any], tag: str) -> int:
    command = [sys.executable, ROOT / "scripts" / "plan_generate.py", *words(run, made, tag, True)]
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    return int(json.loads((place / f"{tag}-{run}.json").read_text(encoding="utf-8"))["n_missing"])


Tables = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def in_process(place: Path) -> Tables:
    """The tables that vLLM's own interpreter wrote, on plans that the main one made."""
    made = entry("vllm")
    assert [plan(place, run, made, "vllm") for run in RUNS] == [3, 3, 9, 3]
    commands = [words(run, made, "vllm", False) for run in RUNS]
    command = [PYTHON, ROOT / "tests" / "engines" / "generation_job.py", json.dumps(commands)]
    environment = {**os.environ, "TMPDIR": str(place), "OMP_WAIT_POLICY": "PASSIVE"}
    done = subprocess.run(command, cwd=place, text=True, capture_output=True, check=False, env=environment, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not list(place.glob("dualpair-vllm-*")), "the job's cache folder was left behind"
    return {run: artifacts.read(place / f"vllm-{run}.parquet", "generations") for run in RUNS}


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from dualpair.models import embedded

    folder, port = tmp_path_factory.mktemp("server"), free_port()
    (folder / "chat.jinja").write_text(TEMPLATE, encoding="utf-8")
    arguments = {
        "--model": str(embedded.ensure(MODEL)), "--served-model-name": MODEL, "--host": "127.0.0.1", "--port": str(port),
        "--dtype": "float32", "--max-model-len": str(LONGEST), "--chat-template": str(folder / "chat.jinja"),
    }  # fmt: skip
    command = [str(PYTHON), "-m", "vllm.entrypoints.openai.api_server", "--enforce-eager"]
    command += [part for pair in arguments.items() for part in pair]
    environment = {
        **os.environ, "VLLM_API_KEY": KEY, "VLLM_CACHE_ROOT": str(folder), "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1", "OMP_WAIT_POLICY": "PASSIVE",
    }  # fmt: skip
    log = folder / "server.log"
    with open(log, "w") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file, start_new_session=True)
    try:
        wait_until_up(port, process, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        stop(process)


def served(endpoint: str, **more: Any) -> dict[str, Any]:
    return entry("server", endpoint=endpoint, served_as=MODEL, api_key_env=KEY_VARIABLE, concurrency=8, **more)


@pytest.fixture(scope="module")
def by_server(place: Path, endpoint: str) -> Tables:
    """The tables that the ordinary command wrote through the server."""
    made = served(endpoint)
    for run in RUNS:
        assert plan(place, run, made, "server") == (9 if run == "sentences" else 3)
        command = [sys.executable, ROOT / "scripts" / "generate.py", *words(run, made, "server", False)]
        environment = {**os.environ, KEY_VARIABLE: KEY}
        done = subprocess.run(command, cwd=place, text=True, capture_output=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr[-3000:]
        assert KEY not in done.stderr
    return {run: artifacts.read(place / f"server-{run}.parquet", "generations") for run in RUNS}


@pytest.fixture(params=["in_process", "by_server"])
def tables(request: pytest.FixtureRequest) -> Tables:
    found: Tables = request.getfixturevalue(request.param)
    return found


def test_lists_follow_their_schema_and_every_string_begins_with_the_group(tables: Tables) -> None:
    for run, count in (("paraphrases", 10), ("alternates", 1)):
        rows = tables[run]
        assert len(rows) == 3 and set(rows["error"]) == {""} and set(rows["forced_prefix"]) == {""}
        for row in rows.to_dict("records"):
            group = {i: groups[0] for i, _, groups, _, _ in SOURCES}[row["set_id"]]
            if row["finish_reason"] == "length":
                continue
            document = json.loads(row["text"])
            said = document if run == "paraphrases" else [document["opposite"]]
            assert len(said) == count
            parsed = answers.parse(row["text"], "list", "", group, row["lang"], row["finish_reason"])
            assert [one.reason for one in parsed] == [""] * count
        assert (rows["finish_reason"] == "stop").sum() >= 2


def test_sentences_go_on_from_the_group_and_end_where_the_sentence_does(tables: Tables) -> None:
    rows = tables["sentences"]
    assert len(rows) == 9 and set(rows["error"]) == {""}
    assert (rows["forced_prefix"] == [g[0] for _, _, g, _, _ in SOURCES for _ in range(3)]).all()
    for row in rows.to_dict("records"):
        end = answers.sentence_end(row["text"], (".", "!", "?", "…", "。", "！", "？"), whole=True)
        assert (row["finish_reason"] == "stop") == (end >= 0 or row["answer_tokens"] < 16), row["text"]
    assert rows.groupby("set_id")["text"].nunique().max() > 1  # every sample has a seed of its own


def test_greedy_answers_are_those_of_transformers(in_process: Tables, by_server: Tables, place: Path) -> None:
    sources = artifacts.read(place / "sources.parquet", "sources")
    settings = generation.settings_from_json(json.dumps(GREEDY))
    rows = requests("paraphrase", sources, settings, 5)
    plain = [row._replace(avoid=(), differ_from="") for row in rows]
    engine = open_transformers(ModelEntry.model_validate(entry("transformers")), "m", "float32", "cpu", True, plain)
    wanted = engine.generate(plain)
    for found in (in_process["greedy"], by_server["greedy"]):
        assert found["prompt_tokens"].tolist() == [one.prompt_tokens for one in wanted]  # BOS exactly once
        for text, one in zip(found["text"], wanted, strict=True):
            # The server does not stop at the mark; what comes after it is cut by the parser.
            assert text[: len(one.text)] == one.text


def test_both_engines_give_the_same_store_and_the_same_tables(
    in_process: Tables, by_server: Tables, place: Path
) -> None:
    for run in RUNS:
        one, other = in_process[run], by_server[run]
        for column in (
            "set_id",
            "lang",
            "variant_id",
            "task",
            "sample_index",
            "seed",
            "prompt_id",
            "prompt",
            "sampling",
        ):
            assert one[column].equals(other[column]), column
        assert not set(one["request_key"]) & set(
            other["request_key"]
        )  # the engine is part of what an answer depends on
    spaces = sorted((place / "store" / "generation").iterdir())
    assert [json.loads((space / "identity.json").read_text())["identity"]["engine"] for space in spaces].count(
        "vllm"
    ) == 1
    for space in spaces:
        label = json.loads((space / "identity.json").read_text(encoding="utf-8"))["identity"]
        assert label["constraints"] == "rejection-4" and label["chat"] == "none"
        assert len(list(space.glob("*.parquet"))) >= 1
    for tag in ("vllm", "server"):  # a second plan finds every answer
        # Any address will do for the plan: it is no part of an answer's key.
        made = entry("vllm") if tag == "vllm" else served("http://127.0.0.1:1/v1")
        assert plan(place, "paraphrases", made, f"again-{tag}") == 0


@pytest.mark.parametrize("run", ["paraphrases", "alternates", "sentences"])
def test_candidates_are_collected_alike(in_process: Tables, by_server: Tables, place: Path, run: str) -> None:
    task, settings = RUNS[run]
    given = json.dumps({"mode": settings["mode"], "allow_negation": True, "min_answers": 1})
    for tag, rows in (("vllm", in_process[run]), ("server", by_server[run])):
        out = f"candidates-{tag}-{run}.parquet"
        arguments = ["--task", task, "--sources", "sources.parquet", "--sets", "sets.parquet", "--settings", given]
        command = [sys.executable, ROOT / "scripts" / "collect_candidates.py", *arguments]
        command += ["--generations", f"{tag}-{run}.parquet", "--out", out]
        done = subprocess.run(command, cwd=place, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        found = artifacts.read(place / out, "candidates")
        parsed = sum(
            len(answers.parse(r["text"], settings["mode"], r["forced_prefix"], g, r["lang"], r["finish_reason"]))
            for r in rows.to_dict("records")
            for i, _, (g, _), _, _ in SOURCES
            if i == r["set_id"]
        )
        assert found["n_answers"].sum() == parsed  # no answer is lost
        assert (found["kept"] == (found["reason"] == "")).all()


@pytest.fixture
def chat(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setenv(KEY_VARIABLE, KEY)

    def opened(settings: dict[str, Any], place: Path) -> Any:
        asks = generation.ask(
            "paraphrase", artifacts.read(place / "sources.parquet", "sources"),
            GenerationSettings(**{k: v for k, v in settings.items() if k in GenerationSettings._fields}), 5,
            {"engine": "server"},
        )  # fmt: skip
        rows = [ask.row for ask in asks]
        made = ModelEntry.model_validate(served(endpoint, chat={"enable_thinking": False}))
        return open_server(made, "m", rows), rows

    return opened


@pytest.mark.parametrize("settings", [SINGLE, LIST], ids=["sentences", "lists"])
def test_the_chat_end_point_knows_what_is_tried_and_continues_what_is_begun(
    chat: Callable[..., Any], place: Path, settings: dict[str, Any]
) -> None:
    engine, rows = chat(settings, place)
    found = engine.generate(rows[:2])
    engine.close()
    assert [one.error for one in found] == ["", ""]
    for row, one in zip(rows, found, strict=False):
        if settings is LIST and one.finish_reason == "stop":
            assert all(item.startswith("Cats " if row.set_id == "s1" else "Old cars ") for item in json.loads(one.text))
        if settings is SINGLE:
            assert not one.text.lstrip().startswith(row.forced_prefix)


def test_a_model_without_chat_template_is_refused_in_process() -> None:
    with pytest.raises(InputError, match="`chat: none`"):
        generation.check_chat(ModelEntry.model_validate({**entry("vllm"), "chat": {}}), "gemma")
