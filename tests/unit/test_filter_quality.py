"""Quality of the filters: the measures by hand, and what the filters make of the held-out pairs of ours."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from dualpair import paths
from dualpair.filters import calibration, nli, quality, similarity
from dualpair.models.registry import ModelEntry, builtin_models

JUDGE = "qwen2.5-coder-1.5b-instruct"


def entry(name: str) -> ModelEntry:
    return ModelEntry.model_validate(builtin_models()[name])


# ---- measures


def test_inference_table_by_hand() -> None:
    frame = pd.DataFrame(
        {"lang": ["en"] * 5, "label": ["opposite", "opposite", "paraphrase", "paraphrase", "unrelated"]}
    )
    both = np.array([[0.9, 0.95], [0.99, 0.7], [0.1, 0.2], [0.1, 0.9], [0.85, 0.9]])
    row = quality.inference_table(frame, both, quality.Cuts()).iloc[0]
    assert row.auc == pytest.approx(5 / 6)  # of 2 x 3 comparisons only 0.7 against 0.85 is the wrong way round
    assert row.brier == pytest.approx((0.1**2 + 0.3**2 + 0.1**2 + 0.1**2 + 0.85**2) / 5)
    assert row.alternate_precision == pytest.approx(1 / 2)  # accepted: the first opposite and the unrelated one
    assert row.alternate_recall == pytest.approx(1 / 2)
    assert row.paraphrase_recall == pytest.approx(1 / 2)
    assert row.paraphrase_precision == pytest.approx(1 / 1)  # the opposites' larger P is above the threshold


def test_thresholds_per_language() -> None:
    frame = pd.DataFrame({"lang": ["en", "ru", "ru"], "label": ["opposite", "opposite", "paraphrase"]})
    both = np.array([[0.85, 0.85], [0.85, 0.85], [0.1, 0.1]])
    found = quality.inference_table(frame, both, quality.Cuts({"default": 0.8, "ru": 0.9})).set_index("lang")
    assert list(found.index) == ["en", "ru", "all"]
    assert found.alternate_recall.to_dict() == {"en": 1.0, "ru": 0.0, "all": 0.5}
    assert np.isnan(found.auc["en"])  # one class only


def test_similarity_table_and_shares_by_hand() -> None:
    frame = pd.DataFrame({"lang": ["en"] * 4, "label": ["paraphrase", "paraphrase", "different", "unrelated"]})
    cosine = np.array([0.9, 0.5, 0.6, 0.4])
    row = quality.similarity_table(frame, cosine, 0.6).iloc[0]
    assert row.auc_unrelated == 1.0
    assert row.auc == pytest.approx(3 / 4)
    assert (row.precision, row.recall) == (0.5, 0.5)  # a value equal to the threshold is kept
    shares = quality.accepted_table(frame, {"kept": cosine >= 0.6}).iloc[0]
    assert (shares.paraphrase, shares.different, shares.unrelated) == (0.5, 1.0, 0.0)


# ---- the held-out pairs


@pytest.fixture(scope="module")
def ours() -> pd.DataFrame:
    return calibration.read_pairs(paths.resource("judge", "test.csv"))


def kept(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Share kept by an encoder at its own threshold, by language and label."""
    encoder = similarity.load(entry(name), "cpu", 1)
    cosine = similarity.cosine(encoder.encode(list(frame.premise)), encoder.encode(list(frame.hypothesis)))
    threshold = entry(name).thresholds.similarity
    return quality.accepted_table(frame, {"kept": cosine >= threshold}).set_index("lang")


def test_use_on_pairs_it_was_not_tuned_on(ours: pd.DataFrame) -> None:
    """At 0.65 it drops unrelated sentences; it keeps two thirds of the paraphrases, and does not see what differs."""
    literal = kept(ours[ours.idiom == ""].reset_index(drop=True), "use-multilingual-v3")
    whole = kept(ours, "use-multilingual-v3")
    assert whole.paraphrase["all"] >= 0.6
    assert whole.unrelated["all"] <= 0.1
    assert literal.paraphrase["all"] > whole.paraphrase["all"]  # an idiom and its meaning share no word
    assert whole.opposite["all"] > 0.5  # which is why the judge must look too


def test_minilm_on_english_pairs(ours: pd.DataFrame) -> None:
    found = kept(ours[ours.lang == "en"].reset_index(drop=True), "all-minilm-l6-v2")
    assert found.paraphrase["en"] >= 0.8
    assert found.unrelated["en"] <= 0.07


def scored() -> pd.DataFrame:
    """The held-out pairs with the float32 judge's log-probabilities; `dualpair calibrate-judge --scores` made them."""
    frame = calibration.read_pairs(paths.resource("judge", "scores", "test.float32.csv"))
    return frame.astype(dict.fromkeys(calibration.LOGPROBS, "float64"))


def test_judge_on_pairs_it_was_not_fitted_on() -> None:
    """A false alternate is rare, a missed one is not: above all where an idiom has to be understood."""
    frame = scored()
    probability = calibration.contradiction(frame, nli.calibration_of(entry(JUDGE), "float32"))
    found = quality.inference_table(frame, probability, quality.Cuts()).set_index("lang").loc["all"]
    assert found.auc >= 0.85
    assert found.alternate_precision >= 0.9
    assert found.paraphrase_recall >= 0.85
    accepted = quality.accepted_table(frame, {"alternate": probability.min(axis=1) > 0.8}).set_index("lang").loc["all"]
    assert accepted.unrelated <= 0.05
    assert accepted.paraphrase <= 0.05
    recalls = [
        quality.inference_table(frame[rows], probability[rows], quality.Cuts()).alternate_recall.iloc[-1]
        for rows in ((frame.idiom == "").to_numpy(), (frame.idiom == "yes").to_numpy())
    ]
    assert recalls[0] > recalls[1]


@pytest.mark.model
def test_stored_log_probabilities_are_the_models() -> None:
    """Some pairs of each language anew: what is stored is what the judge says in float32 on this machine too."""
    frame = scored().groupby("lang").sample(2, random_state=3).reset_index(drop=True)
    model = nli.load(entry(JUDGE), "float32", "cpu", 1024)
    again, _ = calibration.scored(frame[["lang", "premise", "hypothesis", "label"]], model, {})
    np.testing.assert_allclose(calibration.logprobs(again), calibration.logprobs(frame), atol=5e-3)


# ---- the evaluation script


@pytest.fixture(scope="module")
def evaluate() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("evaluate_filters", paths.home() / "scripts" / "evaluate_filters.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_public_pairs_are_read(evaluate: ModuleType, shared_data: Path) -> None:
    sts = evaluate.read_sts(shared_data / "sts_multi")
    assert set(sts.lang) == {"en", "es", "ru", "zh"}
    english = sts[sts.lang == "en"]
    assert len(english) == 1500  # no two texts are equal there; translation makes some so
    assert (english.label == "paraphrase").sum() == (english.score >= 4).sum() > 200
    inference = evaluate.read_nli(shared_data / "nli")
    counts = inference.groupby(["lang", "label"]).size()
    assert counts["es"].to_dict() == {"opposite": 830, "paraphrase": 830, "unrelated": 830}
    assert counts["zh"].to_dict() == {"opposite": 900, "paraphrase": 947, "unrelated": 1103}
    assert counts["ru"].sum() > 350


def test_samples_are_drawn_by_seed(evaluate: ModuleType) -> None:
    frame = pd.DataFrame(
        [("en", f"p{i}" * (1 + i % 3), f"h{i}", ("opposite", "paraphrase")[i % 2]) for i in range(60)],
        columns=["lang", "premise", "hypothesis", "label"],
    )
    one, again, other = (evaluate.sample(frame, 5, seed, 8) for seed in (0, 0, 1))
    assert one.equals(again)
    assert not one.equals(other)
    assert one.groupby("label").size().to_dict() == {"opposite": 5, "paraphrase": 5}
    assert (one.premise.str.len() + one.hypothesis.str.len() <= 8).all()


def test_markdown_has_a_cell_for_everything(evaluate: ModuleType) -> None:
    text = evaluate.markdown(pd.DataFrame({"a_b": ["x", "y"], "n": [1, 2], "c": [0.123, float("nan")]}))
    assert text.splitlines() == ["| a b | n | c |", "| --- | --- | --- |", "| x | 1 | 0.12 |", "| y | 2 | – |"]
