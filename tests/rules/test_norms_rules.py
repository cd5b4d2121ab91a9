"""The rules of the feature norms on a tiny random model: sentences, plan, scores, q and AUC; the second run calls none."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from scipy.special import expit

from dualpair import artifacts
from tests.unit import tiny_models

LANGUAGES = ["en", "zh"]
FACTS = {
    "unit": "nats per token", "tie": 0.0, "seed": 1, "analysis": {"bootstrap": 100}, "languages": LANGUAGES,
    "models": {"tiny": {"family": "f", "size": 1.0, "tuning": "base"}},
}  # fmt: skip
CONCEPTS, SENTENCES = "norms/concepts.parquet", "norms/sentences.parquet"


@pytest.fixture(scope="module")
def entry(folder):
    """A tiny random model on disk."""
    lm = tiny_models.loaded("qwen2")
    lm.model.config.max_position_embeddings = 512
    lm.model.save_pretrained(folder.path / "model")
    lm.tokenizer.save_pretrained(folder.path / "model")
    return {"kind": "causal", "source": f"path:{folder.path / 'model'}", "engine": "transformers", "dtype": "float32"}


def write_sentences(folder, *arguments):
    return folder.run("norms_sentences", *arguments, "--out-concepts", CONCEPTS, "--out-sentences", SENTENCES)


def score(folder, entry, plan, out):
    """Plan and score; the number of sentences that were missing."""
    model = folder.model("norms", "tiny", entry)
    folder.run("plan_score", model, "--unit-tokens", 400, "--out", plan, "--sentences", SENTENCES)
    printed = folder.run("score_model", model, folder.running(plan, out), "--sentences", SENTENCES)
    missing = json.loads((folder.path / plan).read_text(encoding="utf-8"))["n_missing"]
    assert ("loading tiny" in printed) == (missing > 0)
    return missing


def test_from_concepts_to_auc(folder, entry):
    printed = write_sentences(folder, "--source", "builtin", "--languages", json.dumps(LANGUAGES), "--limit", 1)
    assert "en hot-cold: 2 concepts kept, left out: 10 limit" in printed
    sentences = folder.read(SENTENCES, "sentences")
    pairs = folder.read(CONCEPTS, "norms_concepts")["pair_id"].nunique()
    assert len(sentences) == pairs * 2 * 2 * len(LANGUAGES)
    # All are scored once; a wider limit asks for the new ones only; nothing is asked twice.
    assert score(folder, entry, "plans/1.json", "norms/scores/tiny.parquet") == len(sentences)
    write_sentences(folder, "--source", "builtin", "--languages", json.dumps(LANGUAGES), "--limit", 2)
    assert score(folder, entry, "plans/2.json", "norms/scores/tiny.parquet") == len(sentences)
    assert score(folder, entry, "plans/3.json", "norms/scores/tiny.parquet") == 0

    inputs = ["--concepts", CONCEPTS, "--sentences", SENTENCES, "--scores", "norms/scores/tiny.parquet"]
    settings = ["--normalisation", "mean", "--scope", "attribute", "--facts", FACTS]
    folder.run("norms", inputs, settings, "--folder", ".")
    items = folder.read("norms/items.parquet", "norms_items")
    assert len(items) == len(sentences)  # twice as many items of two sentences each
    scores = folder.read("norms/scores/tiny.parquet", "scores").set_index("sentence_id")
    scores["mean"] = scores["logprob_sum"] / scores["n_tokens"]
    placed = folder.read(SENTENCES, "sentences").set_index(["lang", "set_id", "side"])["sentence_id"]
    for row in items.itertuples():
        x, y = (
            scores["mean"][placed[row.lang, f"{row.pair_id}/{row.concept_id}", s]] for s in ("attribute", "alternate")
        )
        assert row.q == pytest.approx(expit(x - y))
    found = folder.read("norms/auc.parquet", "norms_auc")
    assert found.equals(folder.read("analysis/norms_auc.parquet", "norms_auc"))
    assert len(found) == len(LANGUAGES) * (pairs + 2)
    macro = found.loc[(found["lang"] == "zh") & (found["scope"] == "macro"), "auc"].item()
    assert macro == pytest.approx(found.loc[(found["lang"] == "zh") & (found["scope"] == "pair"), "auc"].mean())
    for name in ("norms_auc", "norms_q", "norms_tuning"):
        assert (folder.path / "analysis" / f"{name}.tex").read_text(encoding="utf-8").startswith(r"\begin{table}")
    for name in ("norms_q", "norms_auc"):
        assert {path.suffix for path in (folder.path / "figures").glob(f"{name}.*")} == {".svg", ".png", ".csv"}
    assert artifacts.provenance(folder.path / "norms" / "auc.parquet")["provenance"]["seed"] == 1


def test_a_users_copy_of_the_norms(folder):
    rows = [("Concept", "Feature"), ("ice", "is_cold"), ("oven", "is_hot"), ("tea", "is_hot"), ("tea", "is_cold")]
    (folder.path / "norms.txt").write_text("".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    (folder.path / "pairs.yaml").write_text("pairs: [[is_hot, is_cold]]\nplural: []\nsingular: []\n", encoding="utf-8")
    own = ["--source", "mcrae", "--languages", '["en"]', "--file", "norms.txt", "--pairs", "pairs.yaml"]
    assert "en hot-cold: 2 concepts kept, left out: 1 both_features" in write_sentences(folder, own)
    found = folder.read(SENTENCES, "sentences")
    assert set(found["prefix"] + found["continuation"]) == {
        "The ice is hot.", "The ice is cold.", "The oven is hot.", "The oven is cold.",
    }  # fmt: skip


def test_another_file_in_its_place(folder):
    (folder.path / "wrong.txt").write_text("Concept\tFamiliarity\nice\t3\n", encoding="utf-8")
    (folder.path / "pairs.yaml").write_text("pairs: [[is_hot, is_cold]]\nplural: []\nsingular: []\n", encoding="utf-8")
    own = ["--source", "mcrae", "--languages", '["en"]', "--file", "wrong.txt", "--pairs", "pairs.yaml"]
    out = ["--out-concepts", "a.parquet", "--out-sentences", "b.parquet"]
    printed = folder.run("norms_sentences", own, out, status=2)
    assert "seems to be CONCS_brm.txt" in printed
    assert not Path(folder.path / "a.parquet").exists()


def test_no_language_with_norms(folder):
    assert "no language of the run has feature norms" in write_sentences(
        folder, "--source", "builtin", "--languages", "[]"
    )
    assert folder.read(SENTENCES, "sentences").empty
    assert isinstance(folder.read(CONCEPTS, "norms_concepts"), pd.DataFrame)
