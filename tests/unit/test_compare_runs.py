"""`dualpair compare`: two runs side by side."""

from __future__ import annotations

import pandas as pd
import pytest

from dualpair import artifacts, cli, compare_runs, run_config
from tests.unit import measure_world

WORLD = measure_world.World(models=("m-a", "m-b"), langs=("en", "es"), n_sets=12, n_variants=2, cluster_size=2, seed=3)
SCORING = {"tie": 0.0, "normalisation": "mean", "scope": "attribute"}


def write_run(folder, frames, settings=SCORING, dtype="float32"):
    artifacts.write(frames.augmented, folder / "augmented.parquet", "augmented", {"settings": {"min": 1}})
    for model, own in frames.set_measures.groupby("model"):
        artifacts.write(own, folder / "set_measures" / f"{model}.parquet", "set_measures", {"settings": settings})
        scores = artifacts.empty("scores")
        provenance = {"model": {"dtype": dtype, "weights": f"sha-{model}"}}
        artifacts.write(scores, folder / "scores" / f"{model}.parquet", "scores", provenance)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """results/one, and results/two: less a set, another dtype, every B 0.5 more, one wording changed."""
    monkeypatch.chdir(tmp_path)
    frames = measure_world.make(WORLD)
    write_run(tmp_path / "results" / "one", frames)
    fewer = frames.set_measures[frames.set_measures["set_id"] != "s0003"]
    changed = frames.augmented.copy()
    first = changed.index[changed["set_id"] == "s0001"][0]
    changed.loc[first, "attribute"] = "are otherwise"
    moved = fewer.assign(B_GxA=fewer["B_GxA"] + 0.5)
    write_run(tmp_path / "results" / "two", frames._replace(augmented=changed, set_measures=moved), dtype="bfloat16")
    return tmp_path / "results"


def said(capsys, *words):
    cli.main(["compare", *words, "--bootstrap", "100", "--permutations", "100"])
    return capsys.readouterr().out


def refused(capsys, *words):
    with pytest.raises(SystemExit) as error:
        cli.main(["compare", *words])
    assert error.value.code == 2
    return capsys.readouterr().err


def test_two_runs_side_by_side(runs, capsys, tmp_path):
    text = said(capsys, "one", "two", "--out", str(tmp_path / "out"))
    assert 'model.dtype: "float32" -> "bfloat16"   (scores/m-a.parquet and 1 more)' in text
    assert "weights" not in text and "WARNING" not in text
    sets = artifacts.read(tmp_path / "out" / "run_sets.parquet", "run_sets").set_index("lang")
    assert sets.loc["en"].tolist() == [11, 1, 0, 10]
    assert sets.loc["es"].tolist() == [11, 1, 0, 11]
    table = artifacts.read(tmp_path / "out" / "run_comparison.parquet", "run_comparison")
    assert set(table["lang"]) == {"en", "es", "pooled"} and set(table["model_a"]) == {"m-a", "m-b"}
    by_metric = table.groupby("metric")["difference"]
    assert by_metric.min()["B_GxA"] == pytest.approx(0.5) and by_metric.max()["B_GxA"] == pytest.approx(0.5)
    assert (table.loc[table["metric"] == "I_GxA", "difference"] == 0).all()
    moved = table[(table["metric"] == "B_GxA") & (table["lang"] == "en")]
    assert (moved["p"] == 2 / 2**6).all()
    assert pd.read_csv(tmp_path / "out" / "run_settings.csv")["key"].tolist() == ["model.dtype"]
    for model in ("m-a", "m-b"):
        assert f"\n{model}\n" in text
    assert "nats per token" in text


def test_the_order_of_the_runs_turns_the_sign(runs, capsys, tmp_path):
    said(capsys, "two", str(runs / "one"), "--out", str(tmp_path / "out"))
    table = artifacts.read(tmp_path / "out" / "run_comparison.parquet", "run_comparison")
    assert table.loc[table["metric"] == "B_GxA", "difference"].tolist() == pytest.approx([-0.5] * 6)


def test_two_models_of_one_run(runs, capsys, tmp_path):
    text = said(capsys, "one", "one", "--models", "m-a", "m-b", "--out", str(tmp_path / "out"))
    assert 'model.weights: "sha-m-a" -> "sha-m-b"   (scores/m-a / m-b.parquet)' in text
    assert "m-b minus m-a" in text and "not compared, of the first run: m-b" in text
    table = artifacts.read(tmp_path / "out" / "run_comparison.parquet", "run_comparison")
    assert set(zip(table["model_a"], table["model_b"], strict=True)) == {("m-b", "m-a")}
    own = measure_world.make(WORLD).set_measures
    means = own[own["lang"] == "en"].groupby("model")["I_GxA"].mean()
    one = table[(table["lang"] == "en") & (table["metric"] == "I_GxA")].iloc[0]
    assert one["difference"] == pytest.approx(means["m-b"] - means["m-a"])


def test_a_run_does_not_differ_from_itself(runs, capsys):
    assert "No setting, version, fingerprint or dtype differs." in said(capsys, "one", "one")


def test_runs_that_measure_different_things_are_warned_about(runs, capsys, tmp_path):
    write_run(runs / "sums", measure_world.make(WORLD), {**SCORING, "normalisation": "sum"})
    text = said(capsys, "one", "sums")
    assert "WARNING: the runs measure different things (scoring.normalisation differs)" in text
    assert 'settings.normalisation: "mean" -> "sum"' in text


CONFIG = {
    "run": "one", "seed": 1, "languages": ["en", "es"], "filters": {"agreement": {"en": 6}, "max_paraphrases": 4},
    "models": {"m-a": {"dtype": "auto", "thresholds": {"grammar": None}}, "m-b": {"dtype": "float32"}},
}  # fmt: skip


def write_config(folder, **changes):
    (folder / "config.yaml").write_text(run_config.text(CONFIG | {"run": folder.name} | changes), encoding="utf-8")


def test_the_configs_are_compared_key_by_key(runs, capsys, tmp_path):
    write_config(runs / "one", models=CONFIG["models"] | {"gone": {"dtype": "auto"}})
    write_config(
        runs / "two", seed=2, languages=["en"], filters={"agreement": {"en": 6, "es": 3}, "max_paraphrases": 4},
        models={"m-a": {"dtype": "auto", "thresholds": {"grammar": {"es": 0.5}}}, "m-b": {"dtype": "float32"}},
    )  # fmt: skip
    text = said(capsys, "one", "two", "--out", str(tmp_path / "out"))
    assert "filters.agreement.es: (none) -> 3   (config.yaml)" in text and "NOTE" not in text
    table = artifacts.read(tmp_path / "out" / "run_settings.parquet", "run_settings")
    own = table[[places == ["config.yaml"] for places in table["artifacts"]]].set_index("key")[["first", "second"]]
    assert dict(zip(own.index, own.itertuples(index=False, name=None), strict=True)) == {
        "filters.agreement.es": ("(none)", "3"),
        "languages": ('["en", "es"]', '["en"]'),
        "models.gone": ('"there"', "(none)"),
        "models.m-a.thresholds.grammar": ("null", "(none)"),
        "models.m-a.thresholds.grammar.es": ("(none)", "0.5"),
        "seed": ("1", "2"),
    }
    assert set(table["key"]) == {*own.index, "model.dtype"}  # artifacts are looked at all the same


def test_a_difference_that_config_and_artifact_record_is_one_row(runs, capsys, tmp_path):
    frames = measure_world.make(WORLD)
    for name, seed in (("one", 1), ("two", 2)):
        write_config(runs / name, seed=seed)
        artifacts.write(frames.augmented, runs / name / "augmented.parquet", "augmented", {"seed": seed})
    said(capsys, "one", "two", "--out", str(tmp_path / "out"))
    table = artifacts.read(tmp_path / "out" / "run_settings.parquet", "run_settings").set_index("key")
    assert table.loc["seed", "artifacts"] == ["augmented.parquet", "config.yaml"]


def test_a_run_without_config_is_named_and_artifacts_alone_are_compared(runs, capsys):
    write_config(runs / "two", seed=9)
    text = said(capsys, "one", "two")
    assert "NOTE: results/one/config.yaml is not there: the configs cannot be compared" in text
    assert "results/two/config.yaml" not in text and "seed" not in text
    assert 'model.dtype: "float32" -> "bfloat16"' in text
    assert text.count("NOTE") == 1 and said(capsys, "one", "one").count("NOTE") == 1


def test_entries_of_two_models_of_one_run_are_set_side_by_side(runs, capsys):
    write_config(runs / "one")
    text = said(capsys, "one", "one", "--models", "m-a", "m-b")
    assert 'models.m-a / m-b.dtype: "auto" -> "float32"   (config.yaml)' in text
    assert text.count("(config.yaml)") == 2  # and the thresholds that only m-a's entry has


def test_a_damaged_config_is_named(runs, capsys):
    write_config(runs / "one")
    (runs / "two" / "config.yaml").write_text("- a\n", encoding="utf-8")
    assert "results/two/config.yaml: holds list, expected a mapping" in refused(capsys, "one", "two")


def test_no_such_run(runs, capsys):
    assert "there: no such run" in refused(capsys, "one", "there")
    assert "runs here: one, two" in refused(capsys, "there", "one")


def test_a_run_without_measures(runs, capsys):
    (runs / "new" / "models").mkdir(parents=True)
    assert "this run has no measures yet" in refused(capsys, "one", "new")


def test_runs_that_share_nothing(runs, capsys, tmp_path):
    frames = measure_world.make(WORLD)
    other = {"set_id": "x" + frames.set_measures["set_id"], "cluster_id": "x" + frames.set_measures["cluster_id"]}
    write_run(runs / "other", frames._replace(set_measures=frames.set_measures.assign(**other)))
    assert "share no set" in refused(capsys, "one", "other")
    renamed = frames.set_measures.assign(model="n-" + frames.set_measures["model"])
    write_run(runs / "renamed", frames._replace(set_measures=renamed))
    assert "no model is in both runs" in refused(capsys, "one", "renamed")
    assert "run two has not measured 'm-x'; it has: m-a, m-b" in refused(capsys, "one", "two", "--models", "m-a", "m-x")


def test_another_schema_version(runs, capsys, monkeypatch):
    monkeypatch.setattr(artifacts, "SCHEMA_VERSION", artifacts.SCHEMA_VERSION + 1)
    write_run(runs / "newer", measure_world.make(WORLD))
    monkeypatch.undo()
    monkeypatch.chdir(runs.parent)
    assert "schema version 3, this program reads 2" in refused(capsys, "one", "newer")


def test_options_out_of_range(runs, capsys):
    assert "--permutations 5: give 100 or more" in refused(capsys, "one", "two", "--permutations", "5")


def test_an_artifact_of_one_run_only_is_a_difference():
    table = compare_runs.differing({"x": {"k": "1"}, "y": {}}, {"x": {"k": "1", "new": "2"}})
    rows = table[["key", "first", "second"]].values.tolist()
    assert rows == [["artifact", "there", "(none)"], ["new", "(none)", "2"]]
    assert table["artifacts"].tolist() == [["y"], ["x"]]
