"""Sections and figures across languages and of variance: sentences made from the numbers, shortfalls, drawings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dualpair import artifacts
from dualpair.analysis import across_languages, anova, anova_design, mixed
from dualpair.analysis.across_languages import MEAN
from dualpair.report import figures
from dualpair.report.plots import anova as anova_plot
from dualpair.report.plots import languages as languages_plot
from dualpair.report.section import Facts, Section
from dualpair.report.sections import anova as anova_section
from dualpair.report.sections import languages as languages_section
from tests.unit import measure_world as mw

WORLD = mw.World(langs=("en", "es", "zh"), n_sets=40, mean={"zh": 0.6, "model-b": 0.05}, cell_sd=0.1, noise_sd=0.1)


def facts(langs: tuple[str, ...] = ("en", "es", "zh"), **changes: Any) -> Facts:
    settings: dict[str, Any] = {
        "bootstrap": 200,
        "anchor": "en",
        "anova": {"type": 2, "resamples": 200, "mixed_model": True},
        "comparison": {"permutations": 999, "power": 0.8},
    }
    models = {"model-a": {"tuning": "base"}, "model-b": {"tuning": "instruct"}}
    return Facts("nats per token", 0.0, 1, {**settings, **changes}, models, langs)


def languages_frames(sets: pd.DataFrame, anchor: str = "en") -> dict[str, pd.DataFrame]:
    return across_languages.across_languages(sets, anchor, across_languages.Settings(1, 200, 999))


def anova_frames(sets: pd.DataFrame, resamples: int = 200) -> dict[str, pd.DataFrame]:
    used = anova_design.design(sets)
    frames = {name: artifacts.empty(name) for name in anova_section.TABLES}
    frames["anova_levels"] = anova_design.levels_table(sets, used)
    if used.analysable:
        fitted = mixed.fit(used)
        frames |= {"anova": anova.with_intervals(used, 2, 1, resamples), "anova_mixed": fitted.tests}
        frames["anova_variances"] = fitted.variances
    return frames


def all_text(section: Section) -> str:
    return " ".join([*section.lead, *section.cautions, *section.methods])


@pytest.fixture(scope="module")
def sets() -> pd.DataFrame:
    return mw.additive(WORLD)


@pytest.fixture(scope="module")
def across(sets: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return languages_frames(sets)


@pytest.fixture(scope="module")
def variance(sets: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return anova_frames(sets)


def test_languages_lead_says_what_the_table_says(across: Mapping[str, pd.DataFrame]) -> None:
    section = languages_section.section(across, facts())
    table = across["across_languages"]
    own = table[(table["metric"] == "I_GxA") & (table["model"] != MEAN)]
    changed = own[own["permutation_holm"] < 0.05]
    assert set(changed["lang"]) == {"zh"} and (changed["change"] > 0).all()
    assert "in 2 of 4 combinations" in section.lead[1] and "2 higher, 0 lower" in section.lead[1]
    assert re.search(
        r"Spanish \S+ \[[^\]]+\], which includes 0; Chinese 0\.\d+ \[[^\]]+\], p = 0.002 \(bits", section.lead[1]
    )
    assert "none passes" not in section.lead[1]
    assert not section.shortfall and [one.name for one in section.tables] == list(languages_section.TABLES)


def test_an_interval_without_0_has_the_p_of_the_test_beside_it(across: Mapping[str, pd.DataFrame]) -> None:
    table = across["across_languages"].copy()
    rows = (table["metric"] == "I_GxA") & (table["lang"] == "zh")
    table.loc[rows, "permutation_holm"] = 0.0625
    section = languages_section.section({**across, "across_languages": table}, facts())
    assert re.search(r"Chinese 0\.\d+ \[[^\]]+\], p = 0\.06[23] \(bits", section.lead[1])
    assert "Of the 1 that exclude 0 none passes the sign-flip test after correction" in section.lead[1]


def test_intervals_of_few_clusters_are_counted_across_languages(across: Mapping[str, pd.DataFrame]) -> None:
    n = sum(int(across[name]["low"].notna().sum()) for name in languages_section.TABLES)
    many = {name: frame.assign(n_clusters=20) for name, frame in across.items()}
    assert not any("narrow" in text for text in languages_section.section(many, facts()).cautions)
    few = many["across_languages_types"].copy()
    few.loc[few["lang"] == "zh", "n_clusters"] = 12
    section = languages_section.section({**many, "across_languages_types": few}, facts())
    expected = f"{(few['lang'] == 'zh').sum()} of {n} intervals of a change rest on 12 clusters; percentile intervals"
    assert sum(text.startswith(expected) for text in section.cautions) == 1


def test_languages_lead_claims_nothing_without_a_change() -> None:
    section = languages_section.section(languages_frames(mw.additive(replace(WORLD, mean={}))), facts())
    assert "in 0 of 4 combinations" in section.lead[1] and "in 0 of 8 combinations" in section.lead[2]


def test_cells_that_cannot_become_significant_are_named() -> None:
    many = replace(WORLD, n_sets=30, bias_types=tuple(f"t{i}" for i in range(10)))
    section = languages_section.section(languages_frames(mw.additive(many)), facts())
    # 10 types x 2 languages x 2 models = 40 cells of 3 clusters; 1 + log2(40 / 0.05) = 10.6.
    assert any("40 of 40 combinations have fewer than 11 clusters" in text for text in section.cautions)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (facts(anchor=None), "`analysis: anchor` is null"),
        (facts(anchor="fr"), "French (`analysis: anchor`) is none of the run’s languages"),
        (facts(langs=("en",)), "not enough data (n = 1, needs 2 languages)"),
    ],
)
def test_languages_say_what_they_lack(told: Facts, expected: str) -> None:
    frames = {name: artifacts.empty(name) for name in languages_section.TABLES}
    section = languages_section.section(frames, told)
    assert expected in section.shortfall and "Name two languages or more under `languages`" in section.remedy
    assert [text.split("?")[0] for text in section.lead] == [
        "How does the measure change when the same stereotype is put in another language"
    ]
    assert all(drawing.shortfall for drawing in section.drawings) and len(section.tables) == 2


def test_two_shared_clusters_are_too_few() -> None:
    frames = languages_frames(mw.additive(mw.World(n_sets=20, has={"es": 0.1})))
    section = languages_section.section(frames, facts(langs=("en", "es")))
    assert section.shortfall == "not enough data (n = 2, needs 3 clusters that English and another language have)"
    assert "one `set_id` in both languages" in section.remedy


def test_anova_lead_says_what_the_table_says(variance: Mapping[str, pd.DataFrame]) -> None:
    section = anova_section.section(variance, facts())
    rows = variance["anova"].set_index("effect")
    assert "40 sets that every model has in every language × 3 languages × 2 models = 240 rows" in section.lead[0]
    largest = rows["eta_sq"].drop("residual").idxmax()
    assert largest == "language" and f"that of language, {100 * rows.loc['language', 'eta_sq']:.1f}" in section.lead[1]
    excludes = section.lead[1].split("excludes 0 for ")[1].split(";")[0].rstrip(".").split(", ")
    assert [name.replace(" × ", ":").replace(" ", "_") for name in excludes] == list(
        rows.drop("residual").query("eta_sq_low > 0").sort_values("eta_sq", ascending=False).index
    )
    assert "Repeated measures: every set is in 6 rows" in section.cautions[0]
    share = variance["anova_variances"].query("random == 'set' and component == 'set'")["share"].iloc[0]
    assert f"{100 * share:.1f}" in section.lead[2]


def test_anova_withholds_what_few_clusters_cannot_tell() -> None:
    small = anova_frames(mw.additive(replace(WORLD, n_sets=12)))
    section = anova_section.section(small, facts())
    assert "With 12 clusters, fewer than 20, the bootstrap cannot tell chance from effect" in section.lead[1]
    assert "excludes 0" not in section.lead[1] and "bootstrap" not in " ".join(section.methods)
    n = len(small["anova"]) - 1
    assert any(
        f"withheld for {n} of {n} effects: there are 12 clusters, and it needs 20" in t for t in section.cautions
    )
    assert set(section.tables[0].view["η² less chance"]) == {""}
    largest = small["anova"].iloc[:-1].sort_values("eta_sq").iloc[-1]
    assert f"about {100 * largest['df'] / (largest['n_rows'] - 1):.1f}\u00a0% of the spread" in section.lead[1]


def test_anova_counts_the_effects_whose_correction_is_above_the_share(variance: Mapping[str, pd.DataFrame]) -> None:
    columns = ["eta_sq_corrected", "eta_sq_low", "eta_sq_high"]
    table = variance["anova"].copy()
    table.loc[table["effect"] == "model", columns] = np.nan
    before = int(variance["anova"]["eta_sq_corrected"].isna().sum())
    model_there = bool(variance["anova"].set_index("effect")["eta_sq_corrected"].notna()["model"])
    section = anova_section.section({**variance, "anova": table}, facts())
    assert any(f"withheld for {before + model_there} of 7 effects: the correction came" in t for t in section.cautions)
    assert re.search(r"it is withheld for model[,.]", section.lead[1])


def test_anova_table_prints_shares_as_the_paper_does(variance: Mapping[str, pd.DataFrame]) -> None:
    view = anova_section.section(variance, facts()).tables[0].view
    assert view["Effect"].tolist() == ["model", "language", "bias type", "model × language", "model × bias type",
                                       "language × bias type", "model × language × bias type", "residual"]  # fmt: skip
    printed = [float(text.split("\u00a0")[0]) for text in view["η²"]]
    assert sum(printed) == pytest.approx(100.0, abs=0.05)
    assert view["p (rows independent)"].iloc[-1] == "" and view["p (rows independent)"].iloc[1] == "< 0.001"


def test_factors_with_one_level_and_clusters_of_several_sets_are_named() -> None:
    world = replace(WORLD, models=("model-a",), cluster_size=2)
    section = anova_section.section(anova_frames(mw.additive(world)), facts())
    assert "Left out, having one level: model." in section.lead[0]
    assert any("40 sets come from 20 clusters" in text for text in section.cautions)
    assert "× 3 languages = 120 rows" in section.lead[0]


def test_no_mixed_model_and_no_resamples_are_said_and_not_shown(sets: pd.DataFrame) -> None:
    frames = {**anova_frames(sets, resamples=0), "anova_mixed": artifacts.empty("anova_mixed"),
              "anova_variances": artifacts.empty("anova_variances")}  # fmt: skip
    told = facts(anova={"type": 2, "resamples": 0, "mixed_model": False})
    section = anova_section.section(frames, told)
    assert "There are no intervals." in section.lead[1] and len(section.lead) == 2
    assert "Mixed" not in all_text(section) and "bootstrap" not in all_text(section)


@pytest.mark.parametrize(
    ("world", "expected"),
    [
        (mw.World(n_sets=20, has={"es": 0.1}), "n = 2, needs 3 sets"),
        (mw.World(models=("m",), langs=("en",), n_sets=9, bias_types=("age",)), "nothing to compare"),
    ],
)
def test_anova_says_what_it_lacks(world: mw.World, expected: str) -> None:
    section = anova_section.section(anova_frames(mw.additive(world)), facts())
    assert expected in section.shortfall and section.drawings[0].shortfall == section.shortfall
    assert section.lead[0].startswith("How much of the spread") and "`languages`" in section.remedy
    assert sorted(one.name for one in section.tables) == sorted(anova_section.TABLES)


def test_equal_values_are_a_shortfall_not_a_zero(sets: pd.DataFrame) -> None:
    section = anova_section.section(anova_frames(sets.assign(I_GxA=0.1)), facts())
    assert "equal" in section.shortfall and section.lead[0].endswith("?") and section.remedy


def test_tests_of_few_sets_are_called_too_optimistic_beside_their_number(variance: Mapping[str, pd.DataFrame]) -> None:
    many = anova_section.section(variance, facts())
    small = anova_section.section(anova_frames(mw.additive(replace(WORLD, n_sets=12))), facts())
    shared = anova_section.section(anova_frames(mw.additive(replace(WORLD, cluster_size=4))), facts())
    warned = "Such tests are too optimistic on few sets (fewer than 20)."
    for section, n, few in (
        (many, "40 sets", False),
        (small, "12 sets", True),
        (shared, "40 sets (10 clusters)", True),
    ):
        (caption,) = (one.caption for one in section.tables if one.name == "anova_mixed")
        for text in (section.lead[2], caption):
            assert f"The tests rest on {n}." in text and (warned in text) == few


def test_levels_of_the_language_are_names(variance: Mapping[str, pd.DataFrame]) -> None:
    (levels,) = (one.view for one in anova_section.section(variance, facts()).tables if one.name == "anova_levels")
    assert levels.loc[levels["Factor"] == "language", "Level"].tolist() == ["English", "Spanish", "Chinese"]


def test_figures_are_small_readable_in_dark_and_name_instruct_models() -> None:
    types = tuple(f"type-{i}" for i in range(10))
    full = mw.additive(replace(mw.FULL, n_sets=60, bias_types=types))
    frames = across_languages.across_languages(full, "en", across_languages.Settings(1, 100, 199))
    drawings = [*languages_plot.drawings(*frames.values(), "English", {"model-1": {"tuning": "instruct"}}),
                anova_plot.drawing(anova_frames(full, 100)["anova"])]  # fmt: skip
    for drawing in drawings:
        assert len(drawing.svg) < 150_000 and "<image" not in drawing.svg
        assert figures.INK not in figures.inline(drawing) and "currentColor" in figures.inline(drawing)
    assert figures.INSTRUCT_MARK in drawings[0].svg and languages_plot.MEAN_LABEL in drawings[0].svg
    assert len(drawings[1].data) == 10 * 3 * 10
    assert np.isfinite(drawings[1].data["change"]).all()


def test_one_model_is_drawn_itself() -> None:
    frames = languages_frames(mw.additive(replace(WORLD, models=("model-a",))))
    one, by_type = languages_plot.drawings(*frames.values(), "English", {})
    assert MEAN not in set(one.data["model"]) and not by_type.shortfall
    assert languages_plot.MEAN_LABEL not in by_type.svg
