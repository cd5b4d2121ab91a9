"""The real commands of the rules on reliability, wording and BERTScore."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from dualpair import artifacts, schemas
from dualpair.analysis import diversity, reliability
from tests.unit.measure_world import World, make

WORLD = World(models=("m-a", "m-b"), langs=("en", "zh"), n_sets=6, n_variants=6, cluster_size=1, lost_v0=0.2, seed=3)
FACTS = {
    "unit": "nats per token",
    "tie": 0.0,
    "seed": 9,
    "analysis": {
        "bootstrap": 100,
        "split_half": {"resamples": 7, "include_v0": False},
        "wording": {"bertscore": None},
    },
    "models": {"m-a": {"tuning": "base"}, "m-b": {"tuning": "instruct"}},
    "languages": ["en", "zh"],
}
WORDS = ["cats", "like", "naps", "warm", "sun"]


@pytest.fixture(scope="module")
def world(folder):
    frames = make(WORLD)
    texts = [
        " ".join(WORDS[i % 5 :] + WORDS[: i % 3]) if lang == "en" else "猫喜欢睡觉"[i % 4 :] + "暖阳"[: i % 3]
        for i, lang in enumerate(frames.augmented["lang"])
    ]
    augmented = frames.augmented.assign(attribute=texts)
    artifacts.write(augmented, folder.path / "augmented.parquet", "augmented")
    rows = augmented.assign(
        candidate_id=augmented["lang"] + augmented["set_id"] + augmented["variant_id"],
        is_original=augmented["variant_id"] == "v0", n_answers=1, grammar_finding_ids="", kept=True, reason="",
        similarity=np.where(augmented["variant_id"] == "v0", np.nan, np.linspace(0.7, 1.0, len(augmented))),
    )  # fmt: skip
    rows["generators"] = [["g"]] * len(rows)
    artifacts.write(
        rows.reindex(columns=schemas.table("variants").names), folder.path / "all_variants.parquet", "variants"
    )
    for model, own in frames.measures.groupby("model"):
        artifacts.write(own, folder.path / f"{model}.parquet", "measures")
    return frames._replace(augmented=augmented)


def run(folder, out: str, *more, facts=FACTS) -> None:
    inputs = ["--augmented", "augmented.parquet", "--variants", "all_variants.parquet"]
    measured = ["--measures", "m-a.parquet", "m-b.parquet"]
    folder.run("reliability", inputs, measured, *more, "--facts", json.dumps(facts), "--folder", out)


def digests(folder, out: str) -> dict[str, str]:
    return {
        str(path.relative_to(folder.path / out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder.path / out).rglob("*"))
        if path.is_file()
    }


def test_reliability_writes_the_same_bytes_twice_and_what_the_library_says(folder, world):
    run(folder, "run1")
    run(folder, "run2")
    first = digests(folder, "run1")
    assert first == digests(folder, "run2")
    tables = ["self_bleu", "split_half", "split_half_languages", "wording", "wording_summary"]
    data, figures = ["self_bleu_sets", "wording_pairs"], ["self_bleu", "split_half", "wording_tau"]
    assert sorted(first) == sorted([
        *(f"analysis/{name}.{kind}" for name in tables for kind in ("parquet", "csv", "tex")),
        *(f"analysis/{name}.{kind}" for name in data for kind in ("parquet", "csv")),
        *(f"figures/{name}.{kind}" for name in figures for kind in ("svg", "png", "csv")),
    ])  # fmt: skip
    cells = folder.read("run1/analysis/split_half.parquet", "split_half").set_index(["model", "lang", "metric"])
    own = world.measures.query("model == 'm-b' and lang == 'zh'")
    columns = ["set_id", "variant_id", *reliability.METRICS]
    expected = reliability.split_half(own[columns], 7, 9, names=("m-b", "zh")).set_index("metric")
    for metric in reliability.METRICS:
        assert cells.loc[("m-b", "zh", metric), "mean"] == expected.loc[metric, "mean"]
    sets = folder.read("run1/analysis/self_bleu_sets.parquet", "self_bleu_sets")
    for row in sets.to_dict("records"):
        texts = world.augmented.query("lang == @row['lang'] and set_id == @row['set_id']")["attribute"]
        assert row["self_bleu"] == pytest.approx(diversity.self_bleu(list(texts), row["lang"]))
    bertscores = folder.read("run1/analysis/wording.parquet", "wording").query("similarity == 'bertscore'")
    assert bertscores["tau"].isna().all() and (bertscores["n_missing"] > 0).all()


def test_bertscore_then_reliability(folder, world):
    from tests.unit import tiny_masked

    model = tiny_masked.loaded("bert")
    for part in (model.model, model.tokenizer):
        part.save_pretrained(folder.path / "masked")
    entry = {"kind": "masked", "source": "path:masked", "engine": "transformers"}
    base = [
        "--augmented",
        "augmented.parquet",
        "--model",
        "masked",
        "--entry",
        entry,
        "--device",
        "cpu",
        "--threads",
        1,
    ]
    folder.run("bertscore", base, "--hub", "off", "--out", "b1.parquet")
    found = folder.read("b1.parquet", "bertscores")
    originals = world.augmented.query("variant_id == 'v0'")[["lang", "set_id"]]
    assert len(found) == len(world.augmented.merge(originals, on=["lang", "set_id"])) - len(originals)
    assert found["bertscore"].between(-1, 1 + 1e-6).all()
    assert artifacts.provenance(folder.path / "b1.parquet")["provenance"]["layer"] == 2
    facts = {**FACTS, "analysis": {**FACTS["analysis"], "wording": {"bertscore": "masked"}}}
    run(folder, "run3", "--bertscores", "b1.parquet", facts=facts)
    table = folder.read("run3/analysis/wording.parquet", "wording").query("similarity == 'bertscore'")
    assert (table["n_missing"] == 0).all() and table["tau"].notna().all()


def test_a_model_of_another_kind_is_refused(folder, world):
    entry = {"kind": "causal", "source": "path:masked", "engine": "transformers"}
    base = ["--augmented", "augmented.parquet", "--model", "other", "--entry", entry, "--device", "cpu"]
    printed = folder.run("bertscore", base, "--out", "no.parquet", status=2)
    assert "kind causal is no masked model" in printed and "Traceback" not in printed


def test_nothing_measured_gives_shortfalls_and_every_file(folder, world):
    artifacts.write(artifacts.empty("measures"), folder.path / "none.parquet", "measures")
    inputs = ["--augmented", "augmented.parquet", "--variants", "all_variants.parquet", "--measures", "none.parquet"]
    folder.run("reliability", inputs, "--facts", json.dumps(FACTS), "--folder", "none")
    assert set(digests(folder, "none")) == set(digests(folder, "run1"))
    assert "not enough data" in (folder.path / "none/figures/split_half.svg").read_text(encoding="utf-8")
