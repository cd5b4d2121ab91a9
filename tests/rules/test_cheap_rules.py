"""Commands that call no model."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from dualpair import artifacts
from tests.rules.conftest import NO_GRAMMAR, THRESHOLDS
from tests.unit.measure_world import World, make

SOURCE = {
    "kind": "table", "dataset": "d", "files": {}, "max_sets": None,
    "columns": {"set_id": "id", "cluster_id": None, "bias_type": None, "role": "role", "sentence": "text",
                "group": "group", "attribute": "attribute"},
}  # fmt: skip
CSV = "id,role,text,group,attribute\ns1,stereotyped,Cats nap.,Cats,nap\ns1,contrast,Dogs nap.,Dogs,nap\n"


def judgements(folder, name, role, numbers, task="paraphrase"):
    rows = [
        {"candidate_id": i, "set_id": "s1", "lang": "en", "variant_id": "v0", "task": task, "role": role, "model": "j",
         "group_index": 0, "similarity": n[0], "contradiction_forward": n[1], "contradiction_backward": n[2],
         "entailment_forward": None, "entailment_backward": None,
         "findings": None, "finding_ids": "", "error": ""}
        for i, n in numbers.items()
    ]  # fmt: skip
    return folder.write(name, "judgements", rows)


@pytest.fixture(scope="module")
def judged(folder):
    judgements(folder, "similarity.parquet", "similarity", {"a": (0.9, None, None), "b": (0.2, None, None)})
    judgements(folder, "nli.parquet", "nli", {"a": (None, 0.1, 0.2)})
    both = {"x": (None, 0.9, 0.95), "y": (None, 0.9, 0.3)}
    judgements(folder, "alt_similarity.parquet", "similarity", dict.fromkeys(both, (0.5, None, None)), "alternate-1")
    judgements(folder, "alt_nli.parquet", "nli", both, "alternate-1")
    judgements(folder, "grammar.parquet", "grammar", {})
    return folder


def test_stereotypes_then_parse(folder):
    (folder.path / "cats.csv").write_text(CSV, encoding="utf-8")
    out = ["--languages", "en", "--files", "cats.csv", "--out", "stereotypes.parquet"]
    folder.run("stereotypes", "--settings", SOURCE, out)
    engines = ["--engines", {"en": "presplit"}, "--fingerprint", {}, "--out", "parsed.parquet"]
    folder.run("parse", "--stereotypes", "stereotypes.parquet", engines)
    (row,) = folder.read("parsed.parquet", "sets").to_dict("records")
    assert (row["groups"], row["attribute"], row["final_mark"], row["kept"]) == (["Cats", "Dogs"], "nap", ".", True)


def test_bad_input_ends_with_status_2_and_one_message(folder):
    (folder.path / "bad.csv").write_text(CSV.replace("role", "rolle"), encoding="utf-8")
    out = ["--languages", "en", "--files", "bad.csv", "--out", "bad.parquet"]
    printed = folder.run("stereotypes", "--settings", SOURCE, out, status=2)
    assert "bad.csv: column 'role' is not there" in printed
    assert "Traceback" not in printed
    assert not (folder.path / "bad.parquet").exists()


def test_nothing_to_measure_is_said_by_the_parser(folder):
    out = ["--languages", "en", "--files", "one.csv", "--out", "one.parquet"]
    engines = ["--engines", {"en": "presplit"}, "--fingerprint", {}, "--out", "none.parquet"]
    (folder.path / "one.csv").write_text("\n".join(CSV.splitlines()[:2]) + "\n", encoding="utf-8")
    folder.run("stereotypes", "--settings", SOURCE, out)
    printed = folder.run("parse", "--stereotypes", "one.parquet", engines, status=2)
    assert "language 'en': none of the 1 sets can be used (1 fewer_than_two_groups; first: 's1')" in printed
    assert "Traceback" not in printed


def test_a_sentence_that_is_not_its_parts_is_refused(folder):
    (folder.path / "odd.csv").write_text(CSV.replace("Cats nap.", "Cats doze."), encoding="utf-8")
    out = ["--languages", "en", "--files", "odd.csv", "--out", "odd.parquet"]
    folder.run("stereotypes", "--settings", SOURCE, out)
    engines = ["--engines", {"en": "presplit"}, "--fingerprint", {}, "--out", "none.parquet"]
    printed = folder.run("parse", "--stereotypes", "odd.parquet", engines, status=2)
    assert "odd.csv, line 2, set 's1': the sentence 'Cats doze.' is not the group 'Cats' followed by" in printed


def test_list_sources_of_both_tasks(judged):
    judged.run("list_sources", "--sets", "sets.parquet", "--thresholds", {}, "--out", "p.parquet")
    assert judged.read("p.parquet", "sources")["variant_id"].tolist() == ["v0"]
    base = ["--sets", "sets.parquet", "--variants", "variants.parquet"]
    judged.run("list_sources", base, "--thresholds", THRESHOLDS, "--out", "a1.parquet")
    assert len(judged.read("a1.parquet", "sources")) == 1
    earlier = [
        "--candidates",
        "alternate.parquet",
        "--similarity",
        "alt_similarity.parquet",
        "--nli",
        "alt_nli.parquet",
        "--grammar",
        "grammar.parquet",
    ]
    for threshold, left in ((0.8, 0), (0.92, 1)):
        thresholds = {**THRESHOLDS, "nli_alternate": threshold}
        judged.run("list_sources", base, earlier, "--thresholds", thresholds, "--out", "a2.parquet")
        assert len(judged.read("a2.parquet", "sources")) == left


def test_select_variants_and_alternates_then_augment(judged):
    thresholds = [
        "--thresholds",
        {"similarity": 0.7, "nli_paraphrase": 0.8, "nli_alternate": 0.8, "grammar": NO_GRAMMAR},
    ]
    inputs = ["--sets", "sets.parquet", "--candidates", "candidates.parquet"]
    numbers = ["--similarity", "similarity.parquet", "--nli", "nli.parquet", "--grammar", "grammar.parquet"]
    judged.run("select_variants", inputs, numbers, thresholds, "--out", "v.parquet")
    found = judged.read("v.parquet", "variants")
    assert dict(zip(found["attribute"], found["reason"], strict=True)) == {
        "sleep a lot": "", "nap a lot": "", "sleep all day": "similarity_below_threshold", "": "empty",
    }  # fmt: skip
    inputs = ["--variants", "v.parquet", "--candidates", "alternate.parquet"]
    numbers = ["--similarity", "alt_similarity.parquet", "--nli", "alt_nli.parquet", "--grammar", "grammar.parquet"]
    judged.run("select_alternates", inputs, numbers, thresholds, "--out", "a.parquet")
    out = ["--out-augmented", "augmented.parquet", "--out-sentences", "sentences.parquet"]
    judged.run("augment", "--sets", "sets.parquet", "--variants", "v.parquet", "--alternates", "a.parquet", out)
    (row,) = judged.read("augmented.parquet", "augmented").to_dict("records")
    assert (row["attribute"], row["alternate"], row["v0_is_original"]) == ("sleep a lot", "stay awake", True)
    assert sorted(judged.read("sentences.parquet", "sentences")["continuation"]) == [
        " sleep a lot.", " sleep a lot.", " stay awake.", " stay awake.",
    ]  # fmt: skip


def test_nothing_usable_is_said_plainly(judged):
    strict = ["--thresholds", {"similarity": 0.7, "nli_paraphrase": 0.8, "nli_alternate": 1.0, "grammar": NO_GRAMMAR}]
    numbers = ["--similarity", "alt_similarity.parquet", "--nli", "alt_nli.parquet", "--grammar", "grammar.parquet"]
    inputs = ["--variants", "variants.parquet", "--candidates", "alternate.parquet"]
    judged.run("select_alternates", inputs, numbers, strict, "--out", "none.parquet")
    inputs = ["--sets", "sets.parquet", "--variants", "variants.parquet", "--alternates", "none.parquet"]
    out = ["--out-augmented", "x.parquet", "--out-sentences", "y.parquet"]
    printed = judged.run("augment", inputs, out, status=2)
    assert "no variant has an acceptable alternate" in printed
    assert not (judged.path / "x.parquet").exists()


def test_sheets_are_written_once(judged):
    judged.write("chosen.parquet", "alternates", [
        {"set_id": "s1", "cluster_id": "c1", "lang": "en", "bias_type": "other", "variant_id": "v0", "candidate_id": "x",
         "alternate": "stay awake", "generators": ["m"], "n_answers": 1, "round": 1, "adds_negation": False, "similarity": 0.5,
         "contradiction_forward": 0.9, "contradiction_backward": 0.9, "grammar_finding_ids": "", "chosen": True, "kept": True, "reason": ""},
    ])  # fmt: skip
    inputs = ["--sets", "sets.parquet", "--variants", "variants.parquet", "--alternates", "chosen.parquet"]
    sample = {"accepted": 3, "mismatched": 1, "below_threshold": 1, "balance": "bias_type", "annotators": 2}
    settings = ["--settings", sample, "--instructions", {"en": "en"}, "--seed", 1]
    printed = judged.run("sheets", inputs, settings, "--folder", ".", "--out", "sheets.json")
    note = json.loads((judged.path / "sheets.json").read_text(encoding="utf-8"))
    assert note["items"] == 1 and note["annotators"] == ["annotator-1", "annotator-2"]
    assert note["warnings"]
    assert note["warnings"][0] in printed
    written = sorted(
        path.relative_to(judged.path / note["folder"]).as_posix()
        for path in (judged.path / note["folder"]).rglob("*.*")
    )
    names = [f"annotator-{k}/alternate-en.{kind}" for k in (1, 2) for kind in ("csv", "html", "xlsx")]
    assert written == [*names, "key.parquet"]
    sheet = judged.path / note["folder"] / "annotator-1" / "alternate-en.csv"
    sheet.write_text("in an annotator's hands", encoding="utf-8")
    printed = judged.run("sheets", inputs, settings, "--folder", ".", "--out", "sheets.json")
    assert "was there already; left as it is" in printed and "written with instructions" not in printed
    assert sheet.read_text(encoding="utf-8") == "in an annotator's hands"
    settings[3] = {"en": "my/en.yaml"}
    printed = judged.run("sheets", inputs, settings, "--folder", ".", "--out", "sheets.json")
    assert "written with instructions in {'en': 'en'}, the config now says {'en': 'my/en.yaml'}" in printed
    assert sheet.read_text(encoding="utf-8") == "in an annotator's hands"


def test_candidates_from_answers(folder):
    row = {"set_id": "s1", "lang": "en", "variant_id": "v0", "task": "paraphrase", "model": "m", "prompt_id": "p",
           "prompt": "", "forced_prefix": "Cats", "sampling": "{}", "prompt_tokens": 1, "answer_tokens": 1, "rejected": 0, "error": ""}  # fmt: skip
    texts = [" nap a lot.", " nap a lot.", " sleep a lot.", ""]
    rows = [
        {**row, "request_key": str(i), "sample_index": i, "seed": i, "text": text, "finish_reason": "stop"}
        for i, text in enumerate(texts)
    ]
    folder.write("answers.parquet", "generations", rows)
    settings = [
        "--settings",
        {"mode": "single", "allow_negation": False, "min_answers": 1},
        "--out",
        "collected.parquet",
    ]
    inputs = ["--sources", "sources.parquet", "--sets", "sets.parquet", "--generations", "answers.parquet"]
    folder.run("collect_candidates", "--task", "paraphrase", inputs, settings)
    found = folder.read("collected.parquet", "candidates")
    assert found["n_answers"].sum() == 4
    assert found.loc[found["kept"], ["attribute", "n_answers"]].values.tolist() == [["nap a lot", 2]]
    assert set(found.loc[~found["kept"], "reason"]) == {"identical_to_source", "empty"}


def test_measures(judged):
    sentences = []
    scores = []
    values = {("attribute", 0): -2.0, ("attribute", 1): -4.0, ("alternate", 0): -3.0, ("alternate", 1): -3.5}
    for (side, index), value in values.items():
        identity = {"sentence_id": f"{side}{index}", "prefix": ["Cats", "Dogs"][index], "continuation": f" {side}."}
        sentences.append(
            {**identity, "set_id": "s1", "lang": "en", "variant_id": "v0", "group_index": index, "side": side}
        )
        scores.append({**identity, "model": "m", "logprob_sum": 2 * value, "n_tokens": 2, "prefix_logprob_sum": -1.0,
                       "prefix_n_tokens": 1, "n_chars": 8, "n_bytes": 8, "boundary_merge": False, "model_revision": "r",
                       "dtype": "float32", "quantisation": "none", "engine": "transformers", "bos_policy": "none",
                       "prefix_n_chars": 4, "prefix_n_bytes": 4, "n_bos": 1, "n_context": 0,
                       "token_ids": [0, index + 1, 7, 8], "token_logprobs": [-1.0, value, value], "token_ends": [4, 6, 15],
                       "kept": True, "reason": ""})  # fmt: skip
    judged.write("sc_sentences.parquet", "sentences", sentences)
    judged.write("sc.parquet", "scores", scores)
    judged.write("sc_augmented.parquet", "augmented", [
        {"set_id": "s1", "cluster_id": "c1", "lang": "en", "dataset": "d", "bias_type": "other", "variant_id": "v0",
         "groups": ["Cats", "Dogs"], "attribute": "attribute", "alternate": "alternate", "final_mark": ".",
         "v0_is_original": True},
    ])  # fmt: skip
    inputs = ["--augmented", "sc_augmented.parquet", "--sentences", "sc_sentences.parquet", "--scores", "sc.parquet"]
    out = ["--out-measures", "measures.parquet", "--out-set-measures", "set_measures.parquet"]
    judged.run("measure_model", inputs, "--settings", {"tie": 0.0}, out)
    (row,) = judged.read("measures.parquet", "measures").to_dict("records")
    assert row["x"] == [-2.0, -4.0]
    assert (row["B_G"], row["B_G_alt"], row["B_GxA"]) == ([2.0], [0.5], [1.5])
    assert (row["contradiction"], row["flip"]) == (True, False)
    settings = {"tie": 0.0, "normalisation": "sum", "scope": "divergent"}
    judged.run("measure_model", inputs, "--settings", settings, out)
    (row,) = judged.read("measures.parquet", "measures").to_dict("records")
    assert row["x"] == [-5.0, -9.0]


def test_pandas_reads_every_table_without_this_package(judged):
    frame = pd.read_parquet(judged.path / "sets.parquet")
    assert frame["groups"].iloc[0].tolist() == ["Cats", "Dogs"]


HEADLINE_TABLES = ("headline", "contradictions", "contradictions_mean", "quadratic", "quadratic_bins", "made")
HEADLINE_FIGURES = ("headline_I_GxA", "headline_absB_avg", "contradictions", "flips", "contradiction_units", "flip_units",
                    "quadratic")  # fmt: skip
FACTS = {
    "unit": "nats per token", "tie": 0.0, "seed": 1, "analysis": {"bootstrap": 100}, "languages": ["en", "es"],
    "models": {"model-a": {"family": "f", "size": 1e9, "tuning": "base"}, "model-b": {"family": "f", "size": 1e9, "tuning": "instruct"}},
}  # fmt: skip


def test_headline(folder):
    """Pairs that are imported, with measures of a made-up world: every file of the rule, and a second time the same."""
    world = World(n_sets=6, n_variants=2, groups=(2, 3), cluster_size=2)
    frames = make(world)
    artifacts.write(frames.augmented, folder.path / "source.parquet", "augmented")
    source = {"kind": "augmented", "dataset": None, "files": {}, "max_sets": None}
    inputs = ["--languages", "en", "es", "--files", "source.parquet", "source.parquet"]
    out = ("stereotypes", "sets", "paraphrases", "opposites", "variants", "alternates", "augmented", "sentences")
    made = [word for name in out for word in (f"--out-{name}", f"h_{name}.parquet")]
    folder.run("import_augmented", "--settings", source, inputs, made)
    for table in ("measures", "set_measures"):
        for model, rows in getattr(frames, table).groupby("model"):
            artifacts.write(rows, folder.path / f"{table}-{model}.parquet", table)
    tables = [word for name in (*out[:2], *out[4:7]) for word in (f"--{name}", f"h_{name}.parquet")]
    candidates = ["--candidates", "h_paraphrases.parquet", "h_opposites.parquet"]
    measured = ["--measures", *(f"measures-{model}.parquet" for model in world.models)]
    measured += ["--set-measures", *(f"set_measures-{model}.parquet" for model in world.models)]
    arguments = [tables, candidates, measured, "--facts", FACTS, "--folder"]
    files = {}
    for run in ("first", "second"):
        folder.run("headline", *arguments, run)
        files[run] = {
            path.relative_to(folder.path / run).as_posix(): path.read_bytes()
            for path in (folder.path / run).rglob("*.*")
        }
    assert set(files["first"]) == {
        *(f"analysis/{name}.{kind}" for name in HEADLINE_TABLES for kind in ("parquet", "csv", "tex")),
        *(f"figures/{name}.{kind}" for name in HEADLINE_FIGURES for kind in ("svg", "png", "csv")),
        "funnel.csv", "analysis/funnel.parquet", "analysis/warnings.json",
    }  # fmt: skip
    assert files["first"] == files["second"]
    headline = folder.read("first/analysis/headline.parquet", "headline")
    assert headline["n_sets"].tolist() == [6] * 4 and headline["n_clusters"].tolist() == [3] * 4
    assert folder.read("first/analysis/made.parquet", "made")["n_pairs"].iloc[0] == 12
    provenance = artifacts.provenance(folder.path / "first/analysis/quadratic.parquet")["provenance"]
    assert provenance == {"analysis": {"bootstrap": 100}, "seed": 1, "tie": 0.0, "unit": "nats per token"}
