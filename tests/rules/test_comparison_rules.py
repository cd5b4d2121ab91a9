"""The real commands of the rules that compare models and that write a run's settings."""

from __future__ import annotations

import pytest

from dualpair import artifacts, run_config
from tests.unit import measure_world

METRICS = ("I_GxA", "absB_avg", "B_GxA", "contradiction")
FACTS = {
    "unit": "nats per token", "tie": 0.0, "seed": 4, "languages": ["en", "es"],
    "analysis": {"bootstrap": 100, "comparison": {"permutations": 199, "power": 0.8}},
    "models": {
        "a": {"family": "f", "size": 1e7, "tuning": "base"}, "b": {"family": "f", "size": 1e7, "tuning": "instruct"},
        "c": {"family": "f", "size": 1e8, "tuning": "base"}, "d": {"family": "f", "size": 1e9, "tuning": "base"},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def measured(folder):
    world = measure_world.World(models=tuple("abcd"), n_sets=20, n_variants=2, cluster_size=2)
    paths = []
    for model, rows in measure_world.make(world).set_measures.groupby("model"):
        paths.append(f"set_measures/{model}.parquet")
        artifacts.write(rows, folder.path / paths[-1], "set_measures")
    return paths


def test_tables_and_figures_are_written_twice_alike(folder, measured):
    arguments = ("--set-measures", measured, "--facts", FACTS, "--folder")
    said = folder.run("comparison", *arguments, "first")
    assert "72 comparisons, 12 of base and instruct, 12 trends" in said
    folder.run("comparison", *arguments, "second")
    names = {
        *(f"analysis/{name}.{kind}" for name in ("comparison", "comparison_detectable", "tuning", "trends")
          for kind in ("parquet", "csv", "tex")),
        *(f"figures/{name}_{metric}.{kind}" for name in ("comparison", "tuning", "trends") for metric in METRICS
          for kind in ("svg", "png", "csv")),
    }  # fmt: skip
    first = {path.relative_to(folder.path / "first").as_posix(): path for path in (folder.path / "first").rglob("*.*")}
    assert set(first) == names
    for name, path in first.items():
        assert path.read_bytes() == (folder.path / "second" / name).read_bytes(), name
    table = folder.read("first/analysis/comparison.parquet", "comparison")
    assert table["n_family"].max() == 12
    stored = artifacts.provenance(folder.path / "first/analysis/comparison.parquet")["provenance"]
    assert stored["seed"] == 4 and stored["settings"] == FACTS["analysis"]


def test_one_model_leaves_tables_without_rows_and_figures_that_say_so(folder, measured):
    one = FACTS | {"models": {"a": FACTS["models"]["a"]}}
    folder.run("comparison", "--set-measures", measured[:1], "--facts", one, "--folder", "alone")
    for name in ("comparison", "comparison_detectable", "tuning", "trends"):
        assert folder.read(f"alone/analysis/{name}.parquet", name).empty
    for name in ("comparison", "tuning", "trends"):
        figure = (folder.path / f"alone/figures/{name}_I_GxA.svg").read_text(encoding="utf-8")
        assert "not enough data (n = 0, needs 1" in figure


def test_the_settings_of_a_run_are_written_twice_alike(folder):
    settings = {
        "run": "r",
        "source": {"files": {"zh": "~/数据.csv"}},
        "scoring": {"context": "a {b} 'c' \\n"},
        "norms": None,
    }
    for name in ("first", "second"):
        folder.run("run_config", "--config", settings, "--out", f"{name}/config.yaml")
    assert run_config.read(folder.path / "first") == settings
    assert (folder.path / "first/config.yaml").read_bytes() == (folder.path / "second/config.yaml").read_bytes()
