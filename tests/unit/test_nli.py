"""Natural language inference: classifiers by label name, and the calibrated judge."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dualpair import config as configs
from dualpair import paths
from dualpair.filters import judge, nli
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
    found = nli.probabilities(nli.load(item, device="cpu").logprobs(PAIRS), None)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(found.sum(1), 1.0)
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForSequenceClassification.from_pretrained(folder)
    for row, (premise, hypothesis) in zip(found, PAIRS, strict=True):
        with torch.inference_mode():
            raw = model.eval()(**tokenizer(premise, hypothesis, return_tensors="pt")).logits[0].double().softmax(0)
        np.testing.assert_allclose(row, raw.numpy()[[2, 1, 0]], atol=1e-5)
    alone = nli.load(item, device="cpu", token_budget=1).logprobs(PAIRS)
    np.testing.assert_allclose(found, np.exp(alone), atol=1e-5)
    assert nli.load(item, device="cpu").logprobs([]).shape == (0, 3)


def test_nameless_classifier_is_refused_until_the_entry_names_it(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path / "b", None)
    item = entry(kind="nli_classifier", source=f"path:{folder}")
    with pytest.raises(ValueError, match="labels:"):
        nli.load(item, device="cpu")
    named = entry(kind="nli_classifier", source=f"path:{folder}", labels=["neutral", "contradiction", "entailment"])
    assert nli.load(named, device="cpu").logprobs(PAIRS[:1]).shape == (1, 3)


def test_pair_beyond_the_models_length_is_an_error(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path / "c", {0: "entailment", 1: "neutral", 2: "contradiction"})
    model = nli.load(entry(kind="nli_classifier", source=f"path:{folder}"), device="cpu")
    with pytest.raises(ValueError, match="pair 1 has"):
        model.logprobs([("Women talk.", "Women talk."), ("Women talk a lot. " * 20, "Women talk.")])


def test_positions_that_are_kept_for_padding_do_not_count(tmp_path: Path) -> None:
    """Models of the RoBERTa family (the paper's XLM-R) number positions from the padding id + 1 on."""
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    tokenizer = tiny_models.wordpiece_pairs()
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=18, type_vocab_size=2, pad_token_id=1, num_labels=3,
    )  # fmt: skip
    XLMRobertaForSequenceClassification(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    names = ["entailment", "neutral", "contradiction"]
    model = nli.load(entry(kind="nli_classifier", source=f"path:{tmp_path}", labels=names), device="cpu")
    words, longest = "Women talk a lot.", 0
    for count in range(1, 30):  # the longest pair that fits has 16 tokens, and runs
        pair = (words + " talk" * count, words)
        tokens = len(tokenizer(*pair).input_ids)
        if tokens > 16:
            with pytest.raises(ValueError, match="the classifier takes 16"):
                model.logprobs([pair])
            break
        longest = tokens
        assert np.isfinite(model.logprobs([pair])).all()
    assert longest == 16


def test_a_classifier_with_a_calibration_is_refused() -> None:
    fit = {"dtype": "float32", "prompt": "x", "scale": 1.0, "bias": 0.0}
    with pytest.raises(ValueError, match="only a judge"):
        nli.calibration_of(entry(kind="nli_classifier", source="path:/x", calibration=[fit]), "float32")
    assert nli.calibration_of(entry(kind="nli_classifier", source="path:/x"), "float32") is None


# ---- judge


def test_calibrated_by_hand() -> None:
    logprobs = np.log(np.array([[0.1, 0.3, 0.6], [0.25, 0.25, 0.5], [0.0625, 0.1875, 0.01]]))
    found = judge.calibrated(logprobs, 1.0, 0.0)  # scale 1, bias 0: the model's own probabilities, renormalised
    np.testing.assert_allclose(found[0], [0.1, 0.3, 0.6])
    np.testing.assert_allclose(found[1], [0.25, 0.25, 0.5])
    np.testing.assert_allclose(found[2, 1] / found[2, 0], 3.0)
    raw = math.log(0.6 / 0.4)
    assert judge.calibrated(logprobs, 2.0, -1.0)[0, 2] == pytest.approx(1 / (1 + math.exp(-(2 * raw - 1))))


@given(
    st.lists(st.tuples(*[st.floats(-200, -1e-3)] * 3), min_size=1, max_size=8), st.floats(0.05, 20), st.floats(-30, 30)
)
def test_calibrated_rows_are_probabilities(rows: list[tuple[float, float, float]], scale: float, bias: float) -> None:
    logprobs = np.array(rows)
    found = judge.calibrated(logprobs, scale, bias)
    assert np.all((found >= 0) & (found <= 1))
    np.testing.assert_allclose(found.sum(1), 1.0)
    order = np.argsort(judge.raw_contradiction(logprobs), kind="stable")
    assert np.all(np.diff(found[order, 2]) >= -1e-12)  # the calibration keeps the order of the raw scores


def test_uncalibrated_judge_names_the_command() -> None:
    prompt = judge.judge_prompt().id
    fit = {"dtype": "bfloat16", "prompt": prompt, "scale": 1.0, "bias": 0.0}
    item = entry(tuning="instruct", calibration=[fit])
    assert judge.calibration_for(item, "bfloat16") == Calibration.model_validate(fit)
    with pytest.raises(ValueError, match="dualpair calibrate-judge"):
        judge.calibration_for(item, "float32")
    with pytest.raises(ValueError, match="0ld"):
        judge.calibration_for(entry(tuning="instruct", calibration=[{**fit, "prompt": "0ld"}]), "bfloat16")
    assert judge.problem(item) == ""
    assert "dualpair calibrate-judge" in judge.problem(entry(tuning="instruct"))
    assert "dtype float32" in judge.problem(entry(tuning="instruct", calibration=[fit], dtype="float32"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"tuning": "base"}, "tuning: instruct"),
        ({"tuning": "instruct", "chat": "none"}, "chat template"),
        ({"tuning": "instruct", "engine": "vllm"}, "engine vllm"),
    ],
)
def test_what_cannot_judge_is_refused(more: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nli.load(entry(**more), "float32", "cpu")
    assert message in judge.problem(entry(**more))


def test_the_config_names_a_judge_that_cannot_judge() -> None:
    data = yaml.safe_load((paths.home() / "config" / "test.yaml").read_text(encoding="utf-8"))
    data["roles"]["nli"] = "gemma-3-270m"
    more = {"thresholds": {"nli_paraphrase": 0.8, "nli_alternate": 0.8}}
    data["models"] = {**(data.get("models") or {}), "gemma-3-270m": more}
    with pytest.raises(
        configs.ConfigError, match=r"key `roles\.nli`: model 'gemma-3-270m' cannot judge .* tuning base"
    ):
        configs.load(data)
    data["models"]["gemma-3-270m"] = {**more, "tuning": "instruct", "chat": {}}
    with pytest.raises(configs.ConfigError, match="no `calibration` for dtype auto and prompt"):
        configs.load(data)


def test_judge_equals_the_plain_computation() -> None:
    import torch

    lm = tiny_models.loaded("llama")
    prompt = judge.judge_prompt()
    found = judge.Judge(CausalEngine(lm, 256), prompt).logprobs([*PAIRS, PAIRS[0]])
    np.testing.assert_allclose(found[0], found[3], atol=1e-6)
    fit = Calibration(dtype="float32", prompt=prompt.id, scale=0.5, bias=-0.25)
    probabilities = nli.probabilities(found, fit)
    targets = [lm.tokenizer(label).input_ids[0] for label in judge.LABELS]
    for row, told, pair in zip(probabilities, found, PAIRS, strict=False):
        text = lm.tokenizer.apply_chat_template(prompt.messages(*pair), add_generation_prompt=True, tokenize=False)
        assert text.index(pair[0]) > text.index("contradiction")  # the instruction comes first and is shared
        with torch.inference_mode():
            logits = lm.model(input_ids=torch.tensor([lm.tokenizer(text).input_ids])).logits[0, -1].double()
        logs = logits.log_softmax(0)[targets]
        np.testing.assert_allclose(told, logs.numpy(), atol=1e-4)
        e, n, c = logs.exp().tolist()
        want = 1 / (1 + math.exp(-(0.5 * math.log(c / (e + n)) - 0.25)))
        assert row[2] == pytest.approx(want, abs=1e-4)
        assert row[0] == pytest.approx((1 - want) * e / (e + n), abs=1e-4)


def test_judge_hands_the_entrys_arguments_to_the_chat_template() -> None:
    lm = tiny_models.loaded("llama")
    seen: list[dict[str, object]] = []
    plain = lm.tokenizer.apply_chat_template

    def template(messages: object, **more: object) -> object:
        seen.append(more)
        return plain(messages, **more)

    lm.tokenizer.apply_chat_template = template
    judge.Judge(CausalEngine(lm, 256), judge.judge_prompt(), {"enable_thinking": False}).logprobs(PAIRS[:1])
    assert seen[-1]["enable_thinking"] is False


def test_judge_needs_a_chat_template() -> None:
    base = tiny_models.loaded("llama", tiny_models.sentencepiece())
    with pytest.raises(ValueError, match="chat template"):
        judge.Judge(CausalEngine(base), judge.judge_prompt()).logprobs(PAIRS)


def test_prompt_texts_are_inserted_verbatim() -> None:
    messages = judge.judge_prompt().messages("{hypothesis} \\1", "{premise} %s")
    assert "{hypothesis} \\1" in messages[-1]["content"]
    assert "{premise} %s" in messages[-1]["content"]


@pytest.mark.model
def test_shipped_judge_tells_opposites_from_paraphrases() -> None:
    from dualpair.models.device import resolve_dtype
    from dualpair.models.registry import builtin_models

    item = ModelEntry.model_validate(builtin_models()["qwen2.5-coder-1.5b-instruct"])
    dtype = resolve_dtype("auto", "cpu")
    model = nli.load(item, dtype, "cpu", 1024)
    opposite = ("Children are noisy.", "Children are quiet.")
    paraphrase = ("Children are noisy.", "Children make a lot of noise.")
    logprobs = model.logprobs([opposite, opposite[::-1], paraphrase, paraphrase[::-1]])
    found = nli.probabilities(logprobs, nli.calibration_of(item, dtype))[:, 2]
    assert min(found[:2]) > 0.8
    assert max(found[2:]) <= 0.8
