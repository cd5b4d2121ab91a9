"""Grammar engine lm: the score by hand, the requests it shares with scoring, and its two commands."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import artifacts, schemas
from dualpair import sentences as sentence_tables
from dualpair.filters import grammar_compare, grammar_lm
from dualpair.filters.planted import Item, Text
from dualpair.stages import grammar_lm as stage
from dualpair.stages import score
from tests.unit import tiny_models

ROOT = Path(__file__).resolve().parents[2]


# ---- the score


def test_score_by_hand() -> None:
    assert grammar_lm.level(-12.0, 4) == pytest.approx(-6.0)
    assert grammar_lm.score((-12.0, 4), (-15.0, 9)) == pytest.approx(-6.0 + 2.5)
    with pytest.raises(ValueError, match="0 tokens"):
        grammar_lm.level(0.0, 0)


def test_threshold_by_hand() -> None:
    correct = [-3.0, -1.0, -2.004, -5.0, -4.0, 0.0, 1.0, 2.0, 3.0, 4.0]
    assert grammar_lm.threshold(correct, 0.0) == -5.0
    assert grammar_lm.threshold(correct, 0.1) == -4.0
    assert grammar_lm.threshold(correct, 0.39) == -2.01  # rounded down, so that no more is lost
    with pytest.raises(ValueError, match="share 1"):
        grammar_lm.threshold(correct, 1)
    with pytest.raises(ValueError, match="0 scores"):
        grammar_lm.threshold([], 0.1)


@given(st.lists(st.floats(-30, 10), min_size=1, max_size=60), st.floats(0, 0.99))
def test_threshold_loses_no_more_than_allowed(correct: list[float], lost: float) -> None:
    found = grammar_lm.threshold(correct, lost)
    assert sum(score < found for score in correct) <= lost * len(correct)


# ---- requests and table


def frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """One set of two groups in English and one in Chinese, with three candidates, one of them dropped by hygiene."""
    where = {"cluster_id": "c", "bias_type": "other", "variant_id": "v0"}
    sources = pd.DataFrame(
        [
            {**where, "set_id": "s1", "lang": "en", "groups": ["Cats", "Dogs"], "attribute": "talk", "final_mark": "."},
            {**where, "set_id": "s1", "lang": "zh", "groups": ["猫", "狗"], "attribute": "爱睡", "final_mark": "。"},
        ],
        columns=schemas.table("sources").names,
    )
    own = {**where, "set_id": "s1", "task": "paraphrase", "generators": ["g"], "n_answers": 1, "adds_negation": False}
    candidates = pd.DataFrame(
        [
            {**own, "candidate_id": "a", "lang": "en", "attribute": "talk a lot", "kept": True, "reason": ""},
            {**own, "candidate_id": "b", "lang": "en", "attribute": "talk", "kept": False, "reason": "empty"},
            {**own, "candidate_id": "c", "lang": "zh", "attribute": "睡得多", "kept": True, "reason": ""},
        ],
        columns=schemas.table("candidates").names,
    )
    return candidates, sources


def test_pairs_are_every_kept_candidate_with_every_group() -> None:
    candidates, sources = frames()
    found = stage.pairs(candidates, sources, ["en", "zh"])
    columns = ["candidate_id", "group_index", "group", "candidate_continuation", "source_continuation"]
    assert sorted(found[columns].itertuples(index=False, name=None)) == [
        ("a", 0, "Cats", " talk a lot.", " talk."),
        ("a", 1, "Dogs", " talk a lot.", " talk."),
        ("c", 0, "猫", "睡得多。", "爱睡。"),
        ("c", 1, "狗", "睡得多。", "爱睡。"),
    ]
    assert set(stage.pairs(candidates, sources, ["zh"])["candidate_id"]) == {"c"}


def test_requests_have_the_keys_of_the_stage_score() -> None:
    candidates, sources = frames()
    asked = stage.requests(stage.pairs(candidates, sources, ["en", "zh"]), {"weights": "w"})
    assert len(asked) == 8
    augmented = sources.assign(alternate=["talk a lot", "睡得多"])
    scored = score.requests(sentence_tables.build(augmented), {"weights": "w"})
    assert {request.key for request in asked} == {request.key for request in scored}


def payload(logprobs: list[float]) -> dict[str, object]:
    """A stored row of one prefix token and as many continuation tokens as there are log-probabilities, after BOS."""
    ids = list(range(len(logprobs) + 2))
    return {"ids": ids, "n_prefix": 2, "n_bos": 1, "logprobs": [-1.0, *logprobs], "n_chars": 4, "n_bytes": 4,
            "boundary_merge": False, "bos_policy": "<s>", "n_context": 0, "ends": ids[1:]}  # fmt: skip


def test_table_compares_with_the_same_group_and_keeps_reasons() -> None:
    candidates, sources = frames()
    found = stage.pairs(candidates, sources, ["en", "zh"])
    asked = stage.requests(found, {})
    answers = {r.key: payload([-2.0]) for r in asked}
    by_text = {(r.content["prefix"], r.content["continuation"]): r.key for r in asked}
    answers[by_text["Cats", " talk a lot."]] = payload([-2.0, -3.0, -1.0, -2.0])
    answers[by_text["Cats", " talk."]] = payload([-5.0])
    answers[by_text["狗", "爱睡。"]] = {"error": "too long"}
    table = stage.table(found, asked, answers, "m").set_index(["candidate_id", "group_index"])
    assert set(table["model"]) == {"lm:m"}
    assert set(table["role"]) == {"grammar"}
    assert table.loc[("a", 0), "grammar_score"] == pytest.approx(-8 / 2 + 5 / 2)
    assert table.loc[("a", 1), "grammar_score"] == pytest.approx(-2 + 1)
    assert table.loc[("c", 1), "error"] == "too long"
    assert table["grammar_score"].isna().tolist() == [index == ("c", 1) for index in table.index]
    assert table.loc[("c", 0), "error"] == ""


# ---- comparison of engines


def test_finding_engine_counts_what_the_source_has_not() -> None:
    item = Item("en", "x", "agreement", "paraphrase", Text("Cats", " a."), Text("Cats", " b."), Text("Cats", " c."))
    ids = {"Cats a.": ["R1"], "Cats b.": ["R1"], "Cats c.": ["R1", "R1", "R2"]}
    engine = grammar_compare.finding_engine("e", [item], lambda _, texts: [ids[text.whole] for text in texts])
    assert engine.scores == {"en": {"correct": [0.0], "faulty": [-2.0]}}
    assert engine.flags == {"en": {"correct": [False], "faulty": [True]}}
    other = grammar_compare.Engine("o", {}, {"en": {"correct": [True], "faulty": [False]}})
    assert grammar_compare.combined("both", [engine, other]).flags == {"en": {"correct": [True], "faulty": [True]}}


def test_default_threshold_loses_least() -> None:
    scores = {"en": {"correct": [-1.0, 0.0], "faulty": []}, "ru": {"correct": [-4.0, 0.0], "faulty": []}}
    assert grammar_compare.thresholds(scores, 0.0) == {"default": -4.0, "en": -1.0, "ru": -4.0}


# ---- the commands


def run(folder: Path, script: str, *arguments: object) -> str:
    command = [sys.executable, str(ROOT / "scripts" / f"{script}.py"), *map(str, arguments), "--log", f"{script}.log"]
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of :func:`frames` and a tiny random model."""
    made = tmp_path_factory.mktemp("grammar_lm")
    lm = tiny_models.loaded("qwen2")
    lm.model.save_pretrained(made / "tiny")
    lm.tokenizer.save_pretrained(made / "tiny")
    candidates, sources = frames()
    artifacts.write(candidates, made / "candidates.parquet", "candidates")
    artifacts.write(sources, made / "sources.parquet", "sources")
    return made


def test_commands_agree_with_a_plain_forward_pass_and_share_the_store_with_scoring(folder: Path) -> None:
    import torch

    entry = {"kind": "causal", "source": f"path:{folder / 'tiny'}", "engine": "transformers", "dtype": "float32"}
    model = ["--stage", "grammar-paraphrase", "--model", "tiny", "--entry", json.dumps(entry), "--store", "store"]
    inputs = ["--candidates", "candidates.parquet", "--sources", "sources.parquet", "--languages", "en"]
    run(folder, "plan_grammar_lm", *model, "--unit-tokens", 5, "--out", "plan.json", *inputs)
    planned = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    assert planned["n_missing"] == 4
    limits = ["--threads", 1, "--token-budget", 64, "--max-failed-share", 0.0, "--hub", "off"]
    command: list[object] = [*model, "--plan", "plan.json", *limits, *inputs, "--out", "lm.parquet"]
    assert "loading tiny" in run(folder, "judge_grammar_lm", *command)
    first = (folder / "lm.parquet").read_bytes()
    assert "loading tiny" not in run(folder, "judge_grammar_lm", *command)
    assert (folder / "lm.parquet").read_bytes() == first

    table = artifacts.read(folder / "lm.parquet", "judgements").sort_values("group_index")
    lm = tiny_models.loaded("qwen2")

    def level(prefix: str, continuation: str) -> float:
        ids = lm.tokenizer(f"<|endoftext|>{prefix}{continuation}")["input_ids"]
        n = len(ids) - len(lm.tokenizer(f"<|endoftext|>{prefix}")["input_ids"])
        with torch.inference_mode():
            steps = torch.log_softmax(lm.model(torch.tensor([ids])).logits[0].double(), -1)
        values = [float(steps[i, ids[i + 1]]) for i in range(len(ids) - 1)]
        return float(np.sum(values[-n:])) / math.sqrt(n)

    wanted = [level(group, " talk a lot.") - 0.5 * level(group, " talk.") for group in ("Cats", "Dogs")]
    assert table["grammar_score"].tolist() == pytest.approx(wanted, abs=1e-3)
    assert table["model"].tolist() == ["lm:tiny"] * 2

    _, sources = frames()
    english = sources[sources["lang"] == "en"].assign(alternate="talk a lot")
    artifacts.write(sentence_tables.build(english), folder / "sentences.parquet", "sentences")
    run(folder, "plan_score", *model, "--unit-tokens", 5, "--out", "score.json", "--sentences", "sentences.parquet")
    assert json.loads((folder / "score.json").read_text(encoding="utf-8"))["n_missing"] == 0
