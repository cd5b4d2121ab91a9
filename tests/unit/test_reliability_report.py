"""The sections and figures on reliability and wording: what is printed, and what stands there without enough data."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

from dualpair import schemas
from dualpair.analysis import diversity, split_half, wording
from dualpair.report import outputs
from dualpair.report.section import Facts
from dualpair.report.sections import reliability as reliability_section
from dualpair.report.sections import wording as wording_section
from tests.unit.test_diversity import augmented
from tests.unit.test_reliability import measures
from tests.unit.test_wording import measured, similarities

FACTS = Facts(
    "nats per token",
    0.0,
    1,
    {
        "bootstrap": 200,
        "split_half": {"resamples": 20, "include_v0": False},
        "wording": {"bertscore": None},
    },
    {"m1": {"tuning": "base"}, "m2": {"tuning": "instruct"}},
    ("en", "zh"),
)


def halves(data: pd.DataFrame) -> dict[str, pd.DataFrame]:
    found = split_half.reliability_tables(data, 1, 20, False, 200)
    return {"split_half": found.cells, "split_half_languages": found.languages}


def wordings(pairs: pd.DataFrame, data: pd.DataFrame, texts: pd.DataFrame) -> dict[str, pd.DataFrame]:
    table = wording.correlations(pairs, data, 1, 200)
    return {
        "wording": table,
        "wording_summary": wording.summary(table),
        "self_bleu": diversity.diversity(texts, 1, 200).languages,
    }


@pytest.fixture(scope="module")
def reliable():
    return halves(measures(n_sets=12))


@pytest.fixture(scope="module")
def worded():
    pairs = pd.concat([similarities(8, 4), similarities(8, 4, 1, "zh")], ignore_index=True).assign(bertscore=np.nan)
    change = np.random.default_rng(0).random(len(pairs))
    data = pd.concat([measured(pairs, change, "m1"), measured(pairs, change**2, "m2")])
    texts = augmented(
        {("en", f"s{i}"): ["like naps", "like warm naps"] for i in range(3)} | {("zh", "s0"): ["睡", "觉"]}
    )
    return wordings(pairs, data, texts)


def test_tables_read_are_the_ones_declared(reliable, worded):
    assert set(reliability_section.TABLES) == set(reliable) and set(wording_section.TABLES) == set(worded)
    for name, frame in (reliable | worded).items():
        assert list(frame.columns) == schemas.table(name).names


def test_reliability_section_says_the_numbers_of_its_tables(reliable):
    made = reliability_section.section(reliable, FACTS)
    assert made.shortfall == "" and made.id == "reliability"
    means = reliable["split_half_languages"].set_index(["lang", "metric"])
    one = means.loc[("all", "I_GxA")]
    assert (
        f"4 combinations of model and language: I_G×A {one['mean']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"
        in made.lead[1]
    )
    assert re.search(r"The interval of I_G×A excludes 0 in \d of 4\.$", made.lead[1])
    languages, cells = made.tables
    assert languages.view["Language"].tolist() == ["English", "Chinese", "All"]
    assert languages.view["Models"].tolist() == ["2", "2", "4"]
    assert cells.view["Model"].tolist() == ["m1", "m1", "m2 †", "m2 †"] and cells.folded
    assert set(cells.numeric) < set(cells.view.columns)
    assert "halved at random 20 times without the original attribute" in made.methods[0]


def test_the_switch_for_the_original_is_in_the_methods(reliable):
    facts = FACTS._replace(analysis={**FACTS.analysis, "split_half": {"resamples": 3, "include_v0": True}})
    methods = reliability_section.section(reliable, facts).methods
    assert "3 times with the original attribute among them" in methods[0] and "under 3 of the splits" in methods[1]


def test_few_sets_give_a_shortfall_and_no_empty_figure():
    made = reliability_section.section(halves(measures(n_sets=2)), FACTS)
    assert made.shortfall == "not enough data (n = 2, needs 3 sets with at least 4 paraphrases)"
    assert made.shortfall in made.drawings[0].svg
    empty = reliability_section.section(halves(measures().iloc[:0]), FACTS)
    assert "n = 0" in empty.shortfall and all(table.view.empty for table in empty.tables)


def test_one_model_one_language_and_two_clusters(reliable):
    data = measures(models=("m1",), langs=("en",), n_sets=4)
    made = reliability_section.section(halves(data), FACTS)
    assert made.shortfall == "" and "over 1 combination of model" in made.lead[1]
    assert "None has an interval: that needs 3 clusters." in made.lead[1]
    assert made.tables[0].view["Language"].tolist() == ["English"]


def test_left_out_sets_and_cells_are_said():
    data = measures(n_sets=12)
    short = (data["model"] == "m2") & (data["lang"] == "en") & (data["set_id"] > "s001") & (data["variant_id"] > "p3")
    made = reliability_section.section(halves(data[~short]), FACTS)
    text = " ".join(made.cautions)
    assert "Up to 10 sets of a model and language have too few paraphrases" in text
    assert "1 combinations of model and language have fewer than 3 sets" in text
    assert made.tables[0].view["Models"].tolist() == ["1 (1 without)", "2", "3 (1 without)"]


def test_wording_section_says_the_numbers_of_its_tables(worded):
    made = wording_section.section(worded, FACTS)
    total = worded["wording_summary"].set_index("similarity")
    assert made.lead[1].startswith(
        f"Median tau-b over 4 configurations of 32 pairs: BLEU {wording_section.fixed(total.loc['bleu', 'median'])}, chrF++"
    )
    apart, n = int(total["n_exclude_zero"].sum()), int(total["n_intervals"].sum())
    assert n == 20 and f"{apart} of {n} intervals exclude 0" in made.lead[1]
    assert made.lead[2] == "Mean Self-BLEU of a set’s wordings: English 38.8 [38.8, 38.8], Chinese 0."
    summary, bleu, full = made.tables
    assert summary.view["Similarity"].tolist() == [
        "BLEU",
        "chrF++",
        "ROUGE-L",
        "Jaccard",
        "Embedding cosine",
    ]
    assert summary.view["Undefined"].tolist() == ["0"] * 5
    assert summary.view["Pairs"].tolist() == ["32"] * 5
    assert "are undefined" not in " ".join(made.cautions)
    assert "BERTScore" not in full.view.columns and len(full.view) == 4
    assert bleu.view["Sets"].tolist() == ["3", "1"]
    assert any(text.startswith("BERTScore is not computed") for text in made.cautions)


def test_missing_cosines_and_a_bertscore_model_are_said(worded):
    pairs = similarities(4, 3).assign(embedding=np.nan)
    data = measured(pairs, np.arange(12) / 100, "m1")
    frames = wordings(pairs, data, augmented({("en", "a"): ["x"]}))
    facts = FACTS._replace(analysis={**FACTS.analysis, "wording": {"bertscore": "mbert"}})
    made = wording_section.section(frames, facts)
    text = " ".join(made.cautions)
    assert "12 of 12 measured paraphrases have no embedding similarity" in text
    assert "BERTScore is not computed" not in text and "BERTScore (F1, mbert" in made.methods[0]
    assert (
        made.drawings[0].shortfall == "" and "needs 1 set with at least 2 usable wordings" in made.drawings[1].shortfall
    )


def test_no_median_is_made_of_configurations_with_few_pairs(worded):
    table = worded["wording"].copy()
    few = (table["model"] == "m1") & (table["lang"] == "zh")
    table.loc[few & (table["n_pairs"] > 0), ["n_pairs", "tau"]] = [9, 1.0]
    table.loc[(table["model"] == "m1") & (table["lang"] == "en") & (table["n_pairs"] > 0), "n_pairs"] = 10
    alone = table["similarity"] == "embedding"
    table.loc[alone & (table["model"] == "m2") & (table["lang"] == "zh"), ["tau", "tau_low", "tau_high"]] = math.nan
    made = wording_section.section(worded | {"wording": table}, FACTS)
    assert made.lead[1].startswith("Median tau-b over 3 configurations of 10–32 pairs: BLEU")
    assert (
        "1 configuration has fewer than 10 pairs, and is left out." in made.lead[1] and "and 1.000" not in made.lead[1]
    )
    view = made.tables[0].view.set_index("Similarity")
    assert view.loc["BLEU", ["Configurations", "Pairs", "Under 10 pairs", "Undefined"]].tolist() == [
        "3",
        "10–32",
        "1",
        "0",
    ]
    bleu = table[(table["similarity"] == "bleu") & ~few]
    assert view.loc["BLEU", "Median"] == wording_section.fixed(bleu["tau"].median())
    undefined = view["Undefined"].astype(int).sum()
    assert undefined == 1 and f"{undefined} of 20 tau-b are undefined" in " ".join(made.cautions)


def test_few_pairs_everywhere_give_the_number_needed_and_no_median():
    pairs = similarities(3, 3)
    frames = wordings(pairs, measured(pairs, np.arange(9) / 10, "m1"), augmented({("en", "a"): ["x y", "y z"]}))
    made = wording_section.section(frames, FACTS)
    assert "not enough data (n = 9, needs 10 pairs of an original and a paraphrase)" in made.lead[1]
    assert "Median" not in made.lead[1] and set(made.tables[0].view["Median"]) == {""}
    assert made.drawings[0].shortfall == "not enough data (n = 9, needs 10 pairs of an original and a paraphrase)"
    assert made.shortfall == "" and made.drawings[0].data["tau"].notna().sum() == 0


def test_nothing_to_compare_is_a_shortfall():
    pairs = similarities(3, 2)
    empty = measured(pairs, np.arange(6) / 10, "m1")
    frames = wordings(pairs.iloc[:0], empty, augmented({("en", "a"): ["x"]}))
    made = wording_section.section(frames, FACTS)
    assert (
        made.shortfall.startswith("not enough data (n = 0, needs 10 pairs") and made.shortfall in made.drawings[0].svg
    )
    assert len(made.lead) == 1 and "?" in made.lead[0] and "`generation: paraphrase: samples`" in made.remedy


def test_figures_are_vector_drawings_with_their_data(reliable, worded):
    drawings = [
        *reliability_section.section(reliable, FACTS).drawings, *wording_section.section(worded, FACTS).drawings
    ]  # fmt: skip
    assert [drawing.name for drawing in drawings] == ["split_half", "wording_tau", "self_bleu"]
    for drawing in drawings:
        assert "<image" not in drawing.svg and len(drawing.svg) < 150_000 and len(drawing.alt) > 40
    assert len(drawings[0].data) == 12 and "m2 †" in drawings[0].svg
    assert drawings[1].data["tau"].notna().sum() == 20
    again = reliability_section.section(reliable, FACTS).drawings[0]
    assert (again.svg, again.png) == (drawings[0].svg, drawings[0].png)


def test_a_full_size_figure_stays_small():
    models, langs = [f"m{i}" for i in range(9)], ["en", "es", "ru", "zh"]
    rng = np.random.default_rng(0)
    rows = [
        {"model": model, "lang": lang, "metric": metric, "n_sets": 170, "n_clusters": 170, "n_left_out": 0,
         "n_variants": 1530, "mean": mean, "min": mean - 0.1, "max": mean + 0.1, "spearman_brown": mean, "low": mean - 0.05,
         "high": mean + 0.05, "n_undefined": 0}
        for model in models for lang in langs for metric in ("I_GxA", "absB_avg", "absB_max")
        for mean in [rng.uniform(-0.2, 0.8)]
    ]  # fmt: skip
    frames = {"split_half": pd.DataFrame(rows), "split_half_languages": halves(measures())["split_half_languages"]}
    (drawing,) = reliability_section.section(frames, FACTS).drawings
    assert len(drawing.svg) < 150_000 and len(drawing.data) == 108


def test_values_are_printed_with_three_decimals_and_a_real_minus():
    assert [reliability_section.fixed(v) for v in (0.1234, -0.5, -0.0001, math.nan)] == ["0.123", "−0.500", "0.000", ""]
    assert reliability_section.fixed_interval(-1, math.nan) == ""


def test_files_of_the_sections(tmp_path, reliable, worded):
    for module, frames in ((reliability_section, reliable), (wording_section, worded)):
        outputs.write_section(tmp_path, module.section(frames, FACTS), frames, {"seed": 1})
    assert sorted(path.name for path in (tmp_path / "analysis").glob("*.tex")) == [
        "self_bleu.tex", "split_half.tex", "split_half_languages.tex", "wording.tex", "wording_summary.tex",
    ]  # fmt: skip
    assert len(list((tmp_path / "figures").iterdir())) == 9
