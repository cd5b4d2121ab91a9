"""The command of the grammar engine agreement, with the shipped parser, and its table among the engines' tables."""

from __future__ import annotations

import pytest

from dualpair import artifacts

pytestmark = pytest.mark.stanza

TABLES = ["--candidates", "agreeing.parquet", "--sources", "sources.parquet", "--languages", "en"]
FINGERPRINT = ["--fingerprint", {"en": "abc"}]


@pytest.fixture(scope="module")
def made(folder):
    key = {"set_id": "s1", "cluster_id": "c1", "lang": "en", "bias_type": "other", "variant_id": "v0", "task": "paraphrase",
           "generators": ["m"], "n_answers": 1, "adds_negation": False}  # fmt: skip
    folder.write("agreeing.parquet", "candidates", [
        {**key, "candidate_id": i, "attribute": text, "kept": kept, "reason": "" if kept else "empty"}
        for i, text, kept in (("a", "are very sleepy", True), ("b", "is very sleepy", True), ("d", "is sleepy", False))
    ])  # fmt: skip
    return folder


def test_judge_agreement_says_which_groups_disagree(made):
    engines = ["--engines", {"en": "stanza"}]
    made.run("judge_agreement", TABLES, engines, FINGERPRINT, "--out", "agreement.parquet")
    rows = made.read("agreement.parquet", "judgements")
    assert rows["candidate_id"].tolist() == ["a", "a", "b", "b"]
    assert rows["group_index"].tolist() == [0, 1] * 2
    assert rows["findings"].tolist() == [0, 0, 1, 1]
    assert rows["finding_ids"].tolist() == ["", "", "number", "number"]
    assert set(rows["model"]) == {"agreement:stanza-embedded"}
    assert artifacts.provenance(made.path / "agreement.parquet")["provenance"]["parsers"] == {"en": "abc"}
    merged = ["--judgements", "agreement.parquet", "--engines", {"en": ["agreement"]}, "--out", "merged.parquet"]
    made.run("judge_grammar", TABLES[:4], merged)
    assert made.read("merged.parquet", "judgements")["findings"].sum() == 2


def test_a_folder_without_a_parser_ends_with_status_2(made):
    missing = ["--engines", {"en": "stanza"}, "--models", "nowhere", *FINGERPRINT, "--out", "none.parquet"]
    printed = made.run("judge_agreement", TABLES, missing, status=2)
    assert "nowhere is no parser folder" in printed
    assert "Traceback" not in printed
    assert not (made.path / "none.parquet").exists()
