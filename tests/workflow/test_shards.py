"""Scoring in several jobs and through kills, on a tiny random model: always the bytes of one undisturbed job."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import psutil
import pytest
import yaml

from dualpair import artifacts, plan, schemas
from dualpair.store import Store
from tests.unit import tiny_models
from tests.workflow.conftest import ROOT, Checkout, Run

pytestmark = pytest.mark.workflow

SETS, PER_SET = 40, 20  # a set is a unit
SCORES = "results/wf/scores/tiny.parquet"
RULES = ["fetch_model", "plan_score", "score_shard", "score_model"]


def write_sentences(folder: Path) -> None:
    """Sentences whose sets are units; one of them cannot be scored."""
    rows = []
    for number in range(SETS):
        for index in range(PER_SET):
            prefix, continuation = f"Cats number {number}", f" sleep {index} hours a day."
            if (number, index) == (5, 0):
                continuation = "  "
            row = {
                "set_id": f"s{number:02}",
                "lang": "en",
                "variant_id": "v0",
                "group_index": index,
                "side": "attribute",
            }
            rows.append(
                {"sentence_id": f"{number:02}-{index:02}", **row, "prefix": prefix, "continuation": continuation}
            )
    frame = pd.DataFrame(rows, columns=schemas.table("sentences").names)
    artifacts.write(frame, folder / "results" / "wf" / "sentences.parquet", "sentences")


def checkout(folder: Path, model: Path, shards: int = 1) -> Checkout:
    """A checkout with an empty store in which only scoring is left to do."""
    made = Checkout.new(folder / "checkout", folder / "store")
    write_config(made, model, shards=shards)
    write_sentences(made.folder)
    return made


def write_config(made: Checkout, model: Path, token_budget: int = 4096, **entry: object) -> None:
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    tiny = {"kind": "causal", "source": f"path:{model}", "engine": "transformers", "dtype": "float32", **entry}
    units = data["execution"]["unit_tokens"] | {"score": 1}
    execution = data["execution"] | {"threads": 1, "unit_tokens": units, "token_budget": token_budget}
    made.write_config(models={"tiny": tiny}, roles=data["roles"] | {"score": ["tiny"]}, execution=execution)


def score(made: Checkout, *targets: str) -> Run:
    return made.snakemake(*(targets or [SCORES]), "--allowed-rules", *RULES)


def keys(made: Checkout) -> set[str]:
    return set().union(*(space.keys() for space in Store(made.store).spaces()))


def still_to_run(made: Checkout) -> int:
    """Requests of the units that neither the store holds whole nor a finished shard's note names.

    The unit of the sentence that fails is never stored whole, but its shard may have finished before the kill.
    """
    stored = keys(made)
    folder = made.results / "plans" / "score"
    noted = {unit for note in folder.glob("tiny.shards/*.json") for unit in json.loads(note.read_text())["units"]}
    units = plan.read(folder / "tiny.json").units
    return sum(len(unit.keys) for unit in units if not stored.issuperset(unit.keys) and unit.unit_id not in noted)


def calls(run: Run) -> int:
    return sum(map(int, re.findall(r"INFO score for tiny: (\d+) model calls made", run.output)))


def interrupt(made: Checkout, segments: int, end: Callable[[subprocess.Popen[bytes]], None]) -> None:
    """Start scoring and, once the store has so many segments, end it by ``end``."""
    with open(made.folder / "interrupted.txt", "wb") as output:
        process = subprocess.Popen(
            made.command(SCORES, "--allowed-rules", *RULES), cwd=made.folder, env=made.environment(),
            start_new_session=True, stdout=output, stderr=output,
        )  # fmt: skip
        deadline = time.monotonic() + 300
        while len(list(made.store.glob("score/*/*.parquet"))) < segments:
            said = (made.folder / "interrupted.txt").read_text(encoding="utf-8")
            assert process.poll() is None, f"ended before {segments} segments: {said[-3000:]}"
            assert time.monotonic() < deadline
            time.sleep(0.002)
        end(process)
    assert not (made.folder / SCORES).exists()
    unlock = [sys.executable, "-m", "dualpair.cli", "unlock"]
    subprocess.run(unlock, cwd=made.folder, env=made.environment(), check=True, stdout=subprocess.DEVNULL)


def kill_everything(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def kill_one_shard(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to one job only; snakemake reports it and ends after the other running job."""
    jobs = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if any(word.endswith("score_shard.py") for word in child.cmdline()[:3]):
                jobs.append(child)
    jobs[0].kill()
    assert process.wait(timeout=300) != 0


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model, large enough that a unit takes some time."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    folder = tmp_path_factory.mktemp("tiny") / "model"
    torch.manual_seed(0)
    tokenizer = tiny_models.byte_level()
    config = Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=256, intermediate_size=1024, num_hidden_layers=4, num_attention_heads=4,
        num_key_value_heads=4, max_position_embeddings=256, eos_token_id=0, bos_token_id=None,
    )  # fmt: skip
    Qwen2ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, model: Path) -> bytes:
    """The scores of one job from an empty store."""
    made = checkout(tmp_path_factory.mktemp("undisturbed"), model)
    run = score(made)
    assert run.status == 0, run.output[-4000:]
    assert calls(run) == SETS * PER_SET
    rows = artifacts.read(made.folder / SCORES, "scores")
    assert len(rows) == SETS * PER_SET
    assert rows.loc[~rows["kept"], "reason"].tolist() == ["scoring_failed"]
    return (made.folder / SCORES).read_bytes()


def test_a_job_killed_three_times_while_scoring_ends_with_the_same_bytes(tmp_path, model, undisturbed):
    made = checkout(tmp_path, model)
    dice = random.Random(20)
    for share in (0.15, 0.4, 0.6):
        interrupt(made, round(SETS * (share + dice.uniform(-0.1, 0.1))), kill_everything)
        assert 0 < still_to_run(made) < SETS * PER_SET
    left = still_to_run(made)
    run = score(made)
    assert run.status == 0, run.output[-4000:]
    assert calls(run) == left
    assert (made.folder / SCORES).read_bytes() == undisturbed


def test_four_shards_one_of_them_killed_end_with_the_bytes_of_one_job(tmp_path, model, undisturbed):
    made = checkout(tmp_path, model, shards=4)
    interrupt(made, random.Random(21).randrange(3, 7), kill_one_shard)
    stored, left = keys(made), still_to_run(made)
    assert 0 < left < SETS * PER_SET
    run = score(made)
    assert run.status == 0, run.output[-4000:]
    assert calls(run) == left
    assert (made.folder / SCORES).read_bytes() == undisturbed
    assert len(stored) < len(keys(made)) == SETS * PER_SET - 1
    assert "loading" not in (made.results / "logs" / "score_model" / "tiny.log").read_text(encoding="utf-8")

    # A shard beyond the last unit has nothing to do; every shard has its benchmark.
    nothing = "results/wf/plans/score/tiny.shards/41-of-41.json"
    run = score(made, nothing)
    assert run.status == 0, run.output[-4000:]
    assert (run.loaded(), calls(run)) == ([], 0)
    assert len(list((made.results / "benchmarks" / "score_shard" / "tiny").glob("*.tsv"))) == 5

    # How the work is run decides no result.
    write_config(made, model, token_budget=2048, shards=4, concurrency=3, size=5e8)
    assert score(made).jobs() == []

    # Another plan (grown data): the shards run again, for what is new only.
    rows = artifacts.read(made.results / "sentences.parquet", "sentences")
    more = rows.tail(1).assign(sentence_id="new", set_id="t", continuation=" hide.")
    artifacts.write(pd.concat([rows, more]), made.results / "sentences.parquet", "sentences")
    run = score(made)
    assert run.status == 0, run.output[-4000:]
    assert calls(run) == 2  # the new one, and the one that failed
    assert len(artifacts.read(made.folder / SCORES, "scores")) == SETS * PER_SET + 1
