"""Generation when things go wrong: garbage, refusals, a server that dies, a job that is killed; nothing is lost."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dualpair.errors import InputError, PrerequisiteError
from dualpair.generation import reasons
from dualpair.models.server import Backoff
from tests.engines.generation_stub import Stub, entry, fields, is_probe, serving, strings
from tests.rules.conftest import ROOT, Folder
from tests.unit import tiny_models

ANIMALS = ("Cats", "Dogs", "Owls", "Foxes", "Bees", "Ants")
SINGLE = {"prompt": "native", "mode": "single", "samples": 2, "temperature": 0.7, "top_p": 0.9, "top_k": 8, "max_new_tokens": 9}  # fmt: skip
LIST = {**SINGLE, "prompt": "paper-en", "mode": "list", "samples": 1, "max_new_tokens": 200}


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Stage(Folder):
    """The stage's commands on six sources, one unit each."""

    settings: dict[str, Any] = SINGLE
    task = "paraphrase"
    failed = 0.5

    def words(self, made: dict[str, Any], tag: str) -> list[str]:
        words = [*self.model(self.task, "m", made), "--task", self.task, "--sources", "sources.parquet"]
        words += ["--settings", self.settings, "--seed", 5]
        out = f"{tag}.json" if tag.startswith("plan") else tag
        words += ["--unit-tokens", 30, "--out", out] if tag.startswith("plan") else self.running("plan.json", out)
        return [json.dumps(word) if isinstance(word, dict) else str(word) for word in words]

    def call(self, name: str, words: list[str]) -> None:
        module = script(name)
        args = module.arguments().parse_args(words)
        if name == "generate":
            args.max_failed_share = self.failed
        os.chdir(self.path)
        module.run(args)

    def plan(self, made: dict[str, Any]) -> dict[str, Any]:
        self.call("plan_generate", self.words(made, "plan"))
        return json.loads((self.path / "plan.json").read_text(encoding="utf-8"))

    def generate(self, made: dict[str, Any], out: str = "g.parquet") -> Any:
        self.call("generate", self.words(made, out))
        return self.read(out, "generations")

    def collect(self) -> Any:
        given = {"mode": self.settings["mode"], "allow_negation": True, "min_answers": 1}
        words = ["--task", self.task, "--sources", "sources.parquet", "--sets", "sets.parquet"]
        self.call(
            "collect_candidates",
            [*words, "--generations", "g.parquet", "--settings", json.dumps(given), "--out", "c.parquet"],
        )
        return self.read("c.parquet", "candidates")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Backoff, "delay", lambda self, failures, retry_after=None: 0.0)
    made = Stage(tmp_path)
    key = [
        {"set_id": f"s{i}", "cluster_id": f"c{i}", "lang": "en", "bias_type": "other", "groups": [animal, "Robots"],
         "attribute": "sleep a lot", "final_mark": "."}
        for i, animal in enumerate(ANIMALS)
    ]  # fmt: skip
    made.write("sources.parquet", "sources", [{**one, "variant_id": "v0"} for one in key])
    more = {"dataset": "d", "original": "x", "parse": "presplit", "kept": True, "reason": ""}
    made.write("sets.parquet", "sets", [{**one, **more} for one in key])
    return made


def asked_about(stub: Stub) -> Counter[str]:
    return Counter(next(animal for animal in ANIMALS if animal in fields(one).split("\n")[-1]) for one in stub.asked)


def test_calls_made_are_calls_needed_and_a_second_run_makes_none(stage: Stage) -> None:
    with serving(Stub(answer=lambda payload: " nap all day.")) as stub:
        made = entry(stub)
        planned = stage.plan(made)
        rows = stage.generate(made)
        assert planned["n_missing"] == len(stub.asked) == len(rows) == 12
        assert asked_about(stub) == dict.fromkeys(ANIMALS, 2)
        assert set(rows["finish_reason"]) == {"stop"} and set(rows["rejected"]) == {0} and rows["seed"].is_unique
        stub.seen.clear()
        assert stage.plan(made)["n_missing"] == 0
        assert stage.generate(made).equals(rows) and not stub.seen


@pytest.mark.parametrize(
    ("answer", "allowed"),
    [
        (" I'm sorry, but I can't help with that.", set(reasons.REASONS)),
        ("\ufffd\x07 $$ <div>", {reasons.CONTROL_CHARACTERS, reasons.GROUP_LOST, reasons.EMPTY}),
        ("", {reasons.EMPTY, reasons.GROUP_LOST}),
    ],
)
def test_a_model_that_refuses_everything_or_writes_garbage_leaves_no_candidate_and_a_reason_for_each(
    stage: Stage, answer: str, allowed: set[str]
) -> None:
    with serving(Stub(answer=lambda payload: answer)) as stub:
        stage.plan(entry(stub))
        rows = stage.generate(entry(stub))
    assert len(rows) == 12 and set(rows["text"]) == {answer}
    found = stage.collect()
    assert not found["kept"].any()
    assert found["n_answers"].sum() == 12  # every answer is accounted for
    assert set(found["reason"]) <= allowed


def test_garbage_where_a_list_was_asked_is_unparsable(stage: Stage) -> None:
    stage.settings = LIST

    def answer(payload: dict[str, Any]) -> Any:
        return (
            "no list"
            if "Cats" in fields(payload)
            else ('["Dogs', "length")
            if "Dogs" in fields(payload)
            else json.dumps(strings(payload, 3))
        )

    with serving(Stub(answer=answer)) as stub:
        stage.plan(entry(stub))
        stage.generate(entry(stub))
    found = stage.collect().set_index("set_id")
    assert found.loc["s0", "reason"] == reasons.UNPARSABLE
    assert found.loc["s1", "reason"] == reasons.CUT_BY_LIMIT
    assert sorted(found.loc["s2", "attribute"]) == ["doze", "nap", "rest"] and found.loc["s2", "kept"].all()


def test_a_server_that_dies_costs_one_unit_and_the_next_run_asks_for_the_rest_only(stage: Stage) -> None:
    alive = 5

    def before(stub: Stub, payload: dict[str, Any]) -> Any:
        return None if len(stub.asked) > alive else ...

    with serving(Stub(answer=lambda payload: " nap all day.", before=before)) as stub:
        made, port = entry(stub), int(stub.endpoint.split(":")[2].split("/")[0])
        stage.plan(made)
        with pytest.raises(PrerequisiteError, match=r"127\.0\.0\.1.*after 8 attempts"):
            stage.generate(made)
        assert not (stage.path / "g.parquet").exists()
    with serving(Stub(answer=lambda payload: " nap all day."), port) as stub:
        rows = stage.generate(made)  # the same plan: whole units are skipped
        assert len(rows) == 12 and set(rows["error"]) == {""}
        assert asked_about(stub) == dict.fromkeys(ANIMALS[2:], 2)


def test_rows_that_fail_are_recorded_and_tried_again(stage: Stage) -> None:
    def before(stub: Stub, payload: dict[str, Any]) -> Any:
        return (400, {"error": {"message": "too long"}}) if "Owls" in fields(payload).split("\n")[-1] else ...

    with serving(Stub(answer=lambda payload: " nap all day.", before=before)) as stub:
        made = entry(stub)
        stage.plan(made)
        stage.failed = 0.1
        with pytest.raises(InputError, match=r"2 of 12 rows failed.*too long"):
            stage.generate(made)
        stage.failed = 0.5
        stub.seen.clear()
        rows = stage.generate(made)
        assert asked_about(stub) == {"Owls": 2}
        assert rows.loc[rows["set_id"] == "s2", "error"].str.contains("too long").all()
        found = stage.collect()
        assert set(found.loc[found["set_id"] == "s2", "reason"]) == {reasons.GENERATION_FAILED}
        stub.before, stub.seen = lambda stub, payload: ..., []
        assert stage.plan(made)["n_missing"] == 2
        assert set(stage.generate(made)["error"]) == {""} and len(stub.asked) == 2


def test_a_killed_job_goes_on_where_it_was(stage: Stage) -> None:
    with serving(Stub(answer=lambda payload: f" nap {payload['seed'] % 97} times.")) as stub:
        made = entry(stub)
        stage.plan(made)
        whole = stage.generate({**made}, "whole.parquet")
        for path in (stage.path / "store").rglob("*.parquet"):
            path.unlink()
        stub.seen.clear()
        reached = 7
        stub.before = lambda stub, payload: (
            time.sleep(60) if len(stub.asked) >= reached and not is_probe(payload) else ...
        )
        command = [sys.executable, str(ROOT / "scripts" / "generate.py"), *stage.words(made, "g.parquet")]
        process = subprocess.Popen(command, cwd=stage.path, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while len(stub.asked) < reached and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert len(stub.asked) == reached and not (stage.path / "g.parquet").exists()
        stub.before, stub.seen = lambda stub, payload: ..., []
        rows = stage.generate(made)
        assert asked_about(stub) == dict.fromkeys(ANIMALS[3:], 2)  # three whole units were kept
        assert rows.equals(whole)


def test_a_model_without_chat_template_is_refused_by_the_plan(stage: Stage) -> None:
    lm = tiny_models.loaded("qwen2")
    lm.tokenizer.chat_template = None
    lm.model.save_pretrained(stage.path / "base")
    lm.tokenizer.save_pretrained(stage.path / "base")
    made = {"kind": "causal", "source": f"path:{stage.path / 'base'}", "engine": "transformers", "dtype": "float32"}
    with pytest.raises(InputError, match="model 'm' has no chat template: for a base model set `chat: none`"):
        stage.plan(made)
    assert not (stage.path / "plan.json").exists()
    lm.model.config.max_position_embeddings = 4096
    lm.model.save_pretrained(stage.path / "base")
    stage.plan({**made, "chat": "none"})
    rows = stage.generate({**made, "chat": "none"})
    assert len(rows) == 12 and set(rows["error"]) == {""} and rows["answer_tokens"].max() > 0
