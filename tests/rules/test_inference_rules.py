"""The command of the analyses across languages and of variance: its files, and what it says where data lack."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts
from dualpair.report.figures import Drawing
from dualpair.report.section import Facts
from dualpair.report.sections import anova, languages
from tests.rules.conftest import Folder
from tests.unit import measure_world as mw

WORLD = mw.World(langs=("en", "es", "zh"), n_sets=24, n_variants=2, strength={"zh": 0.8})
TABLES = ("across_languages", "across_languages_types", "anova", "anova_levels", "anova_mixed", "anova_variances")
FIGURES = ("across_languages", "across_languages_types", "anova")


def facts(world: mw.World, **changes: Any) -> dict[str, Any]:
    settings = {
        "bootstrap": 100,
        "anchor": "en",
        "anova": {"type": 2, "resamples": 100, "mixed_model": True},
        "comparison": {"permutations": 199, "power": 0.8},
    }
    return {
        "unit": "nats per token",
        "tie": 0.0,
        "seed": 3,
        "analysis": {**settings, **changes},
        "models": {name: {"family": None, "size": None, "tuning": None} for name in world.models},
        "languages": list(world.langs),
    }


def command(folder: Folder, world: mw.World, given: dict[str, Any]) -> None:
    measured = mw.make(world).set_measures
    files = []
    for model, rows in measured.groupby("model"):
        files.append(f"set_measures/{model}.parquet")
        artifacts.write(rows, folder.path / files[-1], "set_measures")
    folder.run("inference", "--set-measures", files, "--facts", given, "--folder", ".")


def shown(folder: Folder, given: dict[str, Any]) -> list[Any]:
    told = Facts.from_json(given)
    return [
        module.section({name: folder.read(f"analysis/{name}.parquet", name) for name in module.TABLES}, told)
        for module in (languages, anova)
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    made = Folder(tmp_path_factory.mktemp("inference"))
    command(made, WORLD, facts(WORLD))
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for name in ("analysis", "figures")
            for path in sorted((folder / name).iterdir())}  # fmt: skip


def test_writes_every_table_and_figure_that_the_rule_names(whole: Folder) -> None:
    expected = {f"analysis/{name}.{kind}" for name in TABLES for kind in ("parquet", "csv", "tex")}
    expected |= {f"figures/{name}.{kind}" for name in FIGURES for kind in ("svg", "png", "csv")}
    assert set(contents(whole.path)) == expected
    rules = (Path(__file__).parents[2] / "rules" / "inference.smk").read_text(encoding="utf-8")
    assert all(f'"{name}"' in rules for name in (*TABLES, *FIGURES))
    assert len(pd.read_csv(whole.path / "analysis/anova.csv")) == 8


def test_report_reads_the_tables_and_shows_the_same_figures(whole: Folder) -> None:
    for section in shown(whole, facts(WORLD)):
        assert section.shortfall == "" and section.lead
        for drawing in section.drawings:
            assert isinstance(drawing, Drawing)
            assert (whole.path / f"figures/{drawing.name}.svg").read_text(encoding="utf-8") == drawing.svg


def test_same_input_gives_the_same_bytes(whole: Folder, tmp_path: Path) -> None:
    again = Folder(tmp_path)
    command(again, WORLD, facts(WORLD))
    assert contents(again.path) == contents(whole.path)


def test_no_anchor_and_languages_that_share_too_few_sets(tmp_path: Path) -> None:
    world = replace(WORLD, langs=("en", "zh"), has={"zh": 0.1})
    given = facts(world, anchor=None)
    made = Folder(tmp_path)
    command(made, world, given)
    across, variance = shown(made, given)
    assert "null" in across.shortfall
    assert variance.shortfall.startswith("not enough data (n = 2, needs 3 sets") and "Chinese 2" in variance.shortfall
    assert made.read("analysis/across_languages.parquet", "across_languages").empty
    assert made.read("analysis/anova_levels.parquet", "anova_levels")["n_complete"].max() == 2
    for name in FIGURES:
        assert "<svg" in (made.path / f"figures/{name}.svg").read_text(encoding="utf-8")
