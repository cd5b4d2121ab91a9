"""The NLI stage's commands with an instruct model as judge: calibrated anew without a call, and v0 recorded."""

from __future__ import annotations

import json

import pytest

from dualpair import artifacts
from dualpair.filters.judge import judge_prompt
from tests.unit import tiny_models

NO_GRAMMAR = {"engines": {}, "threshold": None}


@pytest.fixture(scope="module")
def judge(folder):
    """A tiny random instruct model on disk, and its registry entry with a calibration."""
    lm = tiny_models.loaded("llama")
    lm.model.save_pretrained(folder.path / "judge")
    lm.tokenizer.save_pretrained(folder.path / "judge")
    artifacts.write(artifacts.empty("judgements"), folder.path / "grammar.parquet", "judgements")

    def entry(scale: float, bias: float, dtype: str = "float32"):
        fit = {"dtype": dtype, "prompt": judge_prompt().id, "scale": scale, "bias": bias}
        return {
            "kind": "causal", "source": f"path:{folder.path / 'judge'}", "engine": "transformers", "dtype": "float32",
            "tuning": "instruct", "calibration": [fit],
        }  # fmt: skip

    return entry


def plan_and_judge(folder, entry, inputs, turn):
    """Both commands; returns missing requests, and the table."""
    model = folder.model("nli-alternate-1", "tiny", entry)
    plan, out = f"plans/nli-{turn}.json", f"nli-{turn}.parquet"
    folder.run("plan_nli", model, "--unit-tokens", 400, "--out", plan, inputs)
    printed = folder.run("judge_nli", model, folder.running(plan, out), inputs)
    missing = json.loads((folder.path / plan).read_text(encoding="utf-8"))["n_missing"]
    assert ("loading tiny" in printed) == (missing > 0)
    return missing, folder.read(out, "judgements")


def test_a_new_calibration_calls_no_model_and_v0_is_recorded(folder, judge):
    key = {"set_id": "s1", "cluster_id": "c1", "lang": "en", "bias_type": "other"}
    facts = {**key, "groups": ["Cats", "Dogs"], "final_mark": "."}
    sources = folder.write("of_alternates.parquet", "sources", [
        {**facts, "variant_id": "v0", "attribute": "sleep a lot"}, {**facts, "variant_id": "p1", "attribute": "nap a lot"},
    ])  # fmt: skip
    candidate = {
        **key,
        "task": "alternate-1",
        "generators": ["m"],
        "n_answers": 1,
        "adds_negation": False,
        "kept": True,
    }
    alternates = folder.write("of_round.parquet", "candidates", [
        {**candidate, "candidate_id": "x", "variant_id": "v0", "attribute": "stay awake", "reason": ""},
        {**candidate, "candidate_id": "y", "variant_id": "p1", "attribute": "sleep little", "reason": ""},
    ])  # fmt: skip
    inputs = ["--candidates", alternates, "--sources", sources, "--grammar", "grammar.parquet", "--grammar-rules",
              NO_GRAMMAR]  # fmt: skip
    missing, first = plan_and_judge(folder, judge(1.0, 0.0), inputs, 1)
    assert missing == 4
    assert first["contradiction_forward_v0"].isna().all()
    missing, second = plan_and_judge(folder, judge(2.0, -1.0), inputs, 2)
    assert missing == 0
    assert (second["contradiction_forward"] != first["contradiction_forward"]).all()
    missing, third = plan_and_judge(folder, judge(2.0, -1.0), [*inputs, "--originals", "sets.parquet"], 3)
    assert missing == 2  # v0 against p1's alternate, both ways
    row = third.set_index("candidate_id")
    assert row.loc["x", "contradiction_forward_v0"] == row.loc["x", "contradiction_forward"]
    assert row.loc["y", "contradiction_forward_v0"] != row.loc["y", "contradiction_forward"]
    assert third["contradiction_forward"].tolist() == second["contradiction_forward"].tolist()


def test_a_judge_without_a_calibration_for_its_dtype_is_refused_before_the_plan(folder, judge):
    model = folder.model("nli-paraphrase", "tiny", judge(1.0, 0.0, dtype="bfloat16"))
    inputs = ["--candidates", "candidates.parquet", "--sources", "sources.parquet", "--grammar", "grammar.parquet",
              "--grammar-rules", NO_GRAMMAR]  # fmt: skip
    printed = folder.run("plan_nli", model, "--unit-tokens", 400, "--out", "plans/no.json", inputs, status=2)
    assert "dualpair calibrate-judge --model NAME --dtype float32" in printed
