"""Natural language inference: classifiers by label name, and the calibrated judge."""

from __future__ import annotations

import csv
import importlib.util
import math
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import paths
from dualpair.filters import nli
from dualpair.models.registry import Calibration, ModelEntry
from dualpair.scoring.causal import CausalEngine
from tests.unit import tiny_models

PAIRS = [
    ("Women talk a lot.", "Women talk."),
    ("Boys are good at maths.", "Boys are good at maths. Women talk a lot."),
    ("Women talk.", "Women talk a lot."),
]


def entry(**more: object) -> ModelEntry:
    base = {"kind": "causal", "source": "embedded:qwen2.5-coder-1.5b-instruct", "engine": "transformers"}
    return ModelEntry.model_validate({**base, **more})


# ---- label names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({0: "entailment", 1: "neutral", 2: "contradiction"}, [0, 1, 2]),
        ({0: "contradiction", 1: "neutral", 2: "entailment"}, [2, 1, 0]),
        ({0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"}, [1, 2, 0]),
        ({2: "con", 0: "neu", 1: "ent"}, [1, 0, 2]),
    ],
)
def test_labels_are_read_by_name(names: dict[int, str], expected: list[int]) -> None:
    assert nli.label_columns(names) == expected


@pytest.mark.parametrize(
    "names",
    [
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "entailment", 1: "not_entailment"},
        {0: "entailment", 1: "entailment", 2: "contradiction"},
        {0: "entailment", 1: "contradiction"},
        {0: "e", 1: "n", 2: "c"},
    ],
)
def test_labels_that_say_nothing_are_refused(names: dict[int, str]) -> None:
    with pytest.raises(ValueError, match="classifier labels"):
        nli.label_columns(names)


def test_labels_of_the_registry_entry_name_a_nameless_model() -> None:
    nameless = {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    assert nli.label_columns(nameless, ["contradiction", "neutral", "entailment"]) == [2, 1, 0]
    with pytest.raises(ValueError, match="2 outputs"):
        nli.label_columns({0: "a", 1: "b"}, ["contradiction", "neutral", "entailment"])


# ---- classifier


def save_classifier(folder: Path, names: dict[int, str] | None) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = tiny_models.wordpiece_pairs()
    torch.manual_seed(1)
    labels = {"num_labels": 3} if names is None else {"id2label": names, "label2id": {v: k for k, v in names.items()}}
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=48,
        pad_token_id=0,
        **labels,
    )
    model = BertForSequenceClassification(config)
    torch.nn.init.normal_(model.classifier.weight, std=4.0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_classifier_gives_columns_by_name_in_any_batch(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path / "a", {0: "contradiction", 1: "neutral", 2: "entailment"})
    item = entry(kind="nli_classifier", source=f"path:{folder}")
    found = nli.load(item, device="cpu").probabilities(PAIRS)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(found.sum(1), 1.0)
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForSequenceClassification.from_pretrained(folder)
    for row, (premise, hypothesis) in zip(found, PAIRS, strict=True):
        with torch.inference_mode():
            raw = model.eval()(**tokenizer(premise, hypothesis, return_tensors="pt")).logits[0].double().softmax(0)
        np.testing.assert_allclose(row, raw.numpy()[[2, 1, 0]], atol=1e-5)
    alone = nli.load(item, device="cpu", token_budget=1).probabilities(PAIRS)
    np.testing.assert_allclose(found, alone, atol=1e-5)
    assert nli.load(item, device="cpu").probabilities([]).shape == (0, 3)


def test_nameless_classifier_is_refused_until_the_entry_names_it(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path / "b", None)
    item = entry(kind="nli_classifier", source=f"path:{folder}")
    with pytest.raises(ValueError, match="labels:"):
        nli.load(item, device="cpu")
    named = entry(kind="nli_classifier", source=f"path:{folder}", labels=["neutral", "contradiction", "entailment"])
    assert nli.load(named, device="cpu").probabilities(PAIRS[:1]).shape == (1, 3)


def test_pair_beyond_the_models_length_is_an_error(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path / "c", {0: "entailment", 1: "neutral", 2: "contradiction"})
    model = nli.load(entry(kind="nli_classifier", source=f"path:{folder}"), device="cpu")
    with pytest.raises(ValueError, match="pair 1 has"):
        model.probabilities([("Women talk.", "Women talk."), ("Women talk a lot. " * 20, "Women talk.")])


# ---- judge


def test_calibrated_by_hand() -> None:
    logprobs = np.log(np.array([[0.1, 0.3, 0.6], [0.25, 0.25, 0.5], [0.0625, 0.1875, 0.01]]))
    found = nli.calibrated(logprobs, 1.0, 0.0)  # scale 1, bias 0: the model's own probabilities, renormalised
    np.testing.assert_allclose(found[0], [0.1, 0.3, 0.6])
    np.testing.assert_allclose(found[1], [0.25, 0.25, 0.5])
    np.testing.assert_allclose(found[2, 1] / found[2, 0], 3.0)
    raw = math.log(0.6 / 0.4)
    assert nli.calibrated(logprobs, 2.0, -1.0)[0, 2] == pytest.approx(1 / (1 + math.exp(-(2 * raw - 1))))


@given(
    st.lists(st.tuples(*[st.floats(-200, -1e-3)] * 3), min_size=1, max_size=8), st.floats(0.05, 20), st.floats(-30, 30)
)
def test_calibrated_rows_are_probabilities(rows: list[tuple[float, float, float]], scale: float, bias: float) -> None:
    logprobs = np.array(rows)
    found = nli.calibrated(logprobs, scale, bias)
    assert np.all((found >= 0) & (found <= 1))
    np.testing.assert_allclose(found.sum(1), 1.0)
    order = np.argsort(nli.raw_contradiction(logprobs), kind="stable")
    assert np.all(np.diff(found[order, 2]) >= -1e-12)  # the calibration keeps the order of the raw scores


def test_uncalibrated_judge_names_the_command() -> None:
    prompt = nli.judge_prompt().id
    fit = {"dtype": "bfloat16", "prompt": prompt, "scale": 1.0, "bias": 0.0}
    item = entry(tuning="instruct", calibration=[fit])
    assert nli.calibration_for(item, "bfloat16") == Calibration.model_validate(fit)
    with pytest.raises(ValueError, match=r"calibrate_judge\.py"):
        nli.calibration_for(item, "float32")
    with pytest.raises(ValueError, match="0ld"):
        nli.calibration_for(entry(tuning="instruct", calibration=[{**fit, "prompt": "0ld"}]), "bfloat16")
    with pytest.raises(ValueError, match=r"calibrate_judge\.py"):
        nli.load(entry(tuning="instruct"), "float32", "cpu")


def test_base_model_cannot_judge() -> None:
    with pytest.raises(ValueError, match="tuning: instruct"):
        nli.load(entry(source="embedded:gemma-3-270m", tuning="base"), "float32", "cpu")


def test_judge_equals_the_plain_computation() -> None:
    import torch

    lm = tiny_models.loaded("llama")
    prompt = nli.judge_prompt()
    fit = Calibration(dtype="float32", prompt=prompt.id, scale=0.5, bias=-0.25)
    found = nli.Judge(CausalEngine(lm, 256), fit, prompt).probabilities([*PAIRS, PAIRS[0]])
    assert np.array_equal(found[0], found[3])
    targets = [lm.tokenizer(label).input_ids[0] for label in nli.LABELS]
    for row, pair in zip(found, PAIRS, strict=False):
        text = lm.tokenizer.apply_chat_template(prompt.messages(*pair), add_generation_prompt=True, tokenize=False)
        assert text.index(pair[0]) > text.index("contradiction")  # the instruction comes first and is shared
        with torch.inference_mode():
            logits = lm.model(input_ids=torch.tensor([lm.tokenizer(text).input_ids])).logits[0, -1].double()
        e, n, c = logits.log_softmax(0)[targets].exp().tolist()
        want = 1 / (1 + math.exp(-(0.5 * math.log(c / (e + n)) - 0.25)))
        assert row[2] == pytest.approx(want, abs=1e-4)
        assert row[0] == pytest.approx((1 - want) * e / (e + n), abs=1e-4)


def test_judge_refuses_another_dtype_and_a_model_without_template() -> None:
    lm = tiny_models.loaded("llama")
    prompt = nli.judge_prompt()
    with pytest.raises(ValueError, match="calibration for bfloat16"):
        nli.Judge(CausalEngine(lm), Calibration(dtype="bfloat16", prompt=prompt.id, scale=1.0, bias=0.0), prompt)
    base = tiny_models.loaded("llama", tiny_models.sentencepiece())
    with pytest.raises(ValueError, match="chat template"):
        nli.answer_logprobs(CausalEngine(base), prompt, PAIRS)


def test_prompt_texts_are_inserted_verbatim() -> None:
    messages = nli.judge_prompt().messages("{hypothesis} \\1", "{premise} %s")
    assert "{hypothesis} \\1" in messages[-1]["content"]
    assert "{premise} %s" in messages[-1]["content"]


def test_labelled_pairs_are_balanced() -> None:
    with open(paths.resource("judge", "pairs.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = Counter((row["lang"], row["label"]) for row in rows)
    assert {lang for lang, _ in counts} == {"en", "es", "ru", "zh"}
    assert {label for _, label in counts} == {"opposite", "paraphrase", "unrelated"}
    assert min(counts.values()) >= 15
    assert len({(row["premise"], row["hypothesis"]) for row in rows}) == len(rows)


# ---- calibration


@pytest.fixture(scope="module")
def calibrate() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("calibrate_judge", paths.home() / "scripts" / "calibrate_judge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_half_of_the_premises_is_held_out_whole(calibrate: ModuleType) -> None:
    frame = calibrate.read_pairs(paths.resource("judge", "pairs.csv"))
    out = calibrate.held_out(frame)
    assert 0.3 < out.mean() < 0.7
    assert frame[out].merge(frame[~out], on=["lang", "premise"]).empty
    for lang in ("en", "es", "ru", "zh"):
        assert {*frame.label[out & (frame.lang == lang)]} == {"opposite", "paraphrase", "unrelated"}


def test_fit_recovers_a_known_calibration(calibrate: ModuleType) -> None:
    rng = np.random.default_rng(5)
    raw = rng.normal(0.0, 3.0, 20_000)
    opposite = rng.random(20_000) < 1 / (1 + np.exp(-(0.8 * raw - 1.2)))
    found = calibrate.fit(np.stack([raw, raw + rng.exponential(4.0, 20_000)], axis=1), opposite)  # the smaller counts
    assert found.scale == pytest.approx(0.8, abs=0.03)
    assert found.bias == pytest.approx(-1.2, abs=0.05)
    assert found.probability(np.array([-found.bias / found.scale]))[0] == pytest.approx(0.5)


def test_report_by_hand(calibrate: ModuleType) -> None:
    frame = pd.DataFrame(
        {"lang": ["en"] * 5, "label": ["opposite", "opposite", "paraphrase", "paraphrase", "unrelated"]}
    )
    both = np.array([[0.9, 0.95], [0.99, 0.7], [0.1, 0.2], [0.1, 0.9], [0.85, 0.9]])
    row = calibrate.report(frame, both, 0.8).set_index("lang").loc["all"]
    assert row.auc == pytest.approx(5 / 6)  # of 2 x 3 comparisons only 0.7 against 0.85 is the wrong way round
    assert row.brier == pytest.approx((0.1**2 + 0.3**2 + 0.1**2 + 0.1**2 + 0.85**2) / 5)
    assert row.alternate_precision == pytest.approx(1 / 2)  # accepted: the first opposite and the unrelated one
    assert row.alternate_recall == pytest.approx(1 / 2)
    assert row.paraphrase_recall == pytest.approx(1 / 2)
    assert row.paraphrase_precision == pytest.approx(1 / 1)  # the opposites' larger P is above the threshold


def test_pairs_with_an_unknown_label_name_the_line(calibrate: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("lang,premise,hypothesis,label\nen,A.,B.,opposite\nen,A.,C.,other\n")
    with pytest.raises(ValueError, match="line 3: label 'other'"):
        calibrate.read_pairs(path)


@pytest.mark.model
def test_shipped_judge_tells_opposites_from_paraphrases() -> None:
    from dualpair.config import builtin_models
    from dualpair.models.device import resolve_dtype

    item = ModelEntry.model_validate(builtin_models()["qwen2.5-coder-1.5b-instruct"])
    judge = nli.load(item, resolve_dtype("auto", "cpu"), "cpu", 1024)
    opposite = ("Children are noisy.", "Children are quiet.")
    paraphrase = ("Children are noisy.", "Children make a lot of noise.")
    found = judge.probabilities([opposite, opposite[::-1], paraphrase, paraphrase[::-1]])[:, 2]
    assert min(found[:2]) > 0.8
    assert max(found[2:]) <= 0.8
