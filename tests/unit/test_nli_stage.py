"""The NLI stage: what is asked, what the store keeps, and how a calibration is laid over it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dualpair import artifacts, plan
from dualpair.filters import judge, selection
from dualpair.models.registry import Calibration, ModelEntry
from dualpair.stages import nli, nli_inputs

IDENTITY: dict[str, Any] = {"weights": "w"}
KEY = {"set_id": "s", "cluster_id": "s", "lang": "en", "bias_type": "x"}
LOGS = (-2.0, -1.0, -0.5)


def sources(*variants: tuple[str, str]) -> pd.DataFrame:
    facts = {**KEY, "groups": ["Cats", "Dogs"], "final_mark": "."}
    return pd.DataFrame([{**facts, "variant_id": name, "attribute": text} for name, text in variants])


def candidates(*rows: tuple[str, str, str]) -> pd.DataFrame:
    more = {**KEY, "task": "alternate-1", "generators": ["m"], "n_answers": 1, "adds_negation": False, "kept": True}
    return pd.DataFrame(
        [
            {**more, "candidate_id": i, "variant_id": variant, "attribute": text, "reason": ""}
            for i, variant, text in rows
        ]
    )


ORIGINALS = pd.DataFrame([{"lang": "en", "set_id": "s", "attribute": "sleep a lot"}])
SOURCES = sources(("v0", "sleep a lot"), ("p1", "doze all day"))
CANDIDATES = candidates(("a", "v0", "stay awake"), ("b", "p1", "never rest"))


def answered(asked: list[plan.Request]) -> dict[str, dict[str, Any]]:
    """Log-probabilities that tell the pairs apart: the contradiction's falls with the premise's length."""
    return {r.key: dict(zip(nli.FIELDS, (*LOGS[:2], -len(r.content["premise"]) / 10), strict=True)) for r in asked}


def test_requests_are_both_directions_of_the_first_groups_sentences() -> None:
    asked = nli.requests(CANDIDATES, SOURCES, IDENTITY)
    assert [(r.content["premise"], r.content["hypothesis"]) for r in asked] == [
        ("Cats sleep a lot.", "Cats stay awake."), ("Cats stay awake.", "Cats sleep a lot."),
        ("Cats doze all day.", "Cats never rest."), ("Cats never rest.", "Cats doze all day."),
    ]  # fmt: skip


def test_v0_is_asked_for_beside_the_own_variant_and_only_recorded() -> None:
    asked = nli.requests(CANDIDATES, SOURCES, IDENTITY, ORIGINALS)
    pairs = [(r.content["premise"], r.content["hypothesis"]) for r in asked]
    assert len(pairs) == 6  # v0's own alternate needs no further call
    assert pairs[4:] == [("Cats sleep a lot.", "Cats never rest."), ("Cats never rest.", "Cats sleep a lot.")]
    found = nli.table(CANDIDATES, SOURCES, asked, answered(asked), "m", None, ORIGINALS).set_index("candidate_id")
    for side in ("forward", "backward"):
        assert found.loc["a", f"contradiction_{side}_v0"] == found.loc["a", f"contradiction_{side}"]
    assert found.loc["b", "contradiction_forward"] == pytest.approx(math.exp(-1.8))  # "Cats doze all day." is 18 long
    assert found.loc["b", "contradiction_forward_v0"] == pytest.approx(math.exp(-1.7))
    assert found.loc["b", "contradiction_backward"] == found.loc["b", "contradiction_backward_v0"]
    without = nli.requests(CANDIDATES, SOURCES, IDENTITY)
    plain = nli.table(CANDIDATES, SOURCES, without, answered(without), "m").set_index("candidate_id")
    assert plain[["contradiction_forward_v0", "contradiction_backward_v0"]].isna().all(axis=None)
    own = ["contradiction_forward", "contradiction_backward", "entailment_forward", "entailment_backward"]
    pd.testing.assert_frame_equal(plain[own], found[own])


def test_numbers_against_v0_reach_the_alternates_and_decide_nothing() -> None:
    asked = nli.requests(CANDIDATES, SOURCES, IDENTITY, ORIGINALS)
    recorded = nli.table(CANDIDATES, SOURCES, asked, answered(asked), "m", None, ORIGINALS)
    empty = artifacts.empty("judgements")
    variants = SOURCES.assign(kept=True)
    chosen = []
    for numbers in (recorded, recorded.assign(contradiction_forward_v0=np.nan, contradiction_backward_v0=0.0)):
        judged = selection.Judged(CANDIDATES, empty, numbers, empty)
        found = selection.select_alternates(variants, [judged], selection.Thresholds(0.7, 0.8, 0.17))
        chosen.append(found[["variant_id", "kept", "reason"]].to_dict("records"))
        if numbers is recorded:
            own = recorded.set_index("candidate_id")["contradiction_forward_v0"]
            assert found.set_index("candidate_id")["contradiction_forward_v0"].to_dict() == own.to_dict()
    assert chosen[0] == chosen[1]
    # p1's own smaller P is exp(-1.8) = 0.165; that against v0, exp(-1.7) = 0.183, would have been enough
    assert {row["variant_id"]: row["kept"] for row in chosen[0]} == {"p1": False, "v0": True}


def test_a_calibration_is_laid_over_stored_answers() -> None:
    asked = nli.requests(CANDIDATES, SOURCES, IDENTITY)
    answers = answered(asked)
    for scale, bias in ((1.0, 0.0), (1.5, -2.0)):
        fit = Calibration(dtype="float32", prompt="p", scale=scale, bias=bias)
        found = nli.table(CANDIDATES, SOURCES, asked, answers, "m", fit).set_index("candidate_id")
        raw = -1.8 - math.log(math.exp(-2) + math.exp(-1))
        assert found.loc["b", "contradiction_forward"] == pytest.approx(1 / (1 + math.exp(-(scale * raw + bias))))
        assert np.isfinite(found["entailment_backward"]).all()


def test_an_error_leaves_no_number_and_says_why() -> None:
    asked = nli.requests(CANDIDATES, SOURCES, IDENTITY)
    answers = answered(asked)
    answers[asked[3].key] = {"error": "too long"}
    found = nli.table(CANDIDATES, SOURCES, asked, answers, "m").set_index("candidate_id")
    assert list(found["error"]) == ["", "too long"]
    assert list(found["contradiction_backward"].isna()) == [False, True]
    assert not found["contradiction_forward"].isna().any()


def entry(tmp_path: Any, **more: Any) -> ModelEntry:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    base = {"kind": "causal", "source": f"path:{tmp_path}", "engine": "transformers", "tuning": "instruct"}
    return ModelEntry.model_validate({**base, "dtype": "float32", **more})


def test_a_new_calibration_leaves_the_stores_key_and_a_new_prompt_does_not(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = {"dtype": "float32", "prompt": judge.judge_prompt().id, "scale": 1.0, "bias": 0.0}
    plain = nli_inputs.identity(entry(tmp_path), "cpu")
    assert nli_inputs.identity(entry(tmp_path, calibration=[fit]), "cpu") == plain
    assert nli_inputs.identity(entry(tmp_path, thresholds={"nli_paraphrase": 0.5}), "cpu") == plain
    assert nli_inputs.identity(entry(tmp_path, chat={"enable_thinking": False}), "cpu") != plain
    changed = judge.judge_prompt()._replace(id="another")
    monkeypatch.setattr(nli_inputs, "judge_prompt", lambda: changed)
    assert nli_inputs.identity(entry(tmp_path), "cpu") != plain
    labels = [
        nli_inputs.identity(entry(tmp_path, kind="nli_classifier", labels=order), "cpu")
        for order in (["entailment", "neutral", "contradiction"], ["contradiction", "neutral", "entailment"])
    ]
    assert labels[0] != labels[1]
    half = nli_inputs.identity(entry(tmp_path, kind="nli_classifier", dtype="bfloat16"), "cpu")
    assert half["dtype"] == "float32"  # which is what a classifier runs in
