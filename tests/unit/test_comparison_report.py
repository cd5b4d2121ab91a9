"""The report's sections on comparing models, on tuning and on trends."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dualpair import schemas
from dualpair.analysis import comparison, families, trends
from dualpair.analysis.comparison import POOLED, Resampling
from dualpair.languages import language_name
from dualpair.report.outputs import write_section
from dualpair.report.section import Facts
from dualpair.report.sections import comparison as comparison_section
from dualpair.report.sections import differences
from dualpair.report.sections import trends as trends_section
from dualpair.report.sections import tuning as tuning_section
from tests.unit import measure_world

SETTINGS = {"bootstrap": 100, "comparison": {"permutations": 999, "power": 0.8}}
MODELS = {f"m{place}": {"family": "f", "size": 10.0 ** (7 + place), "tuning": "base"} for place in range(3)} | {
    "m0-it": {"family": "f", "size": 1e7, "tuning": "instruct"}
}
SECTIONS = (comparison_section, tuning_section, trends_section)


def facts(models=MODELS, langs=("en", "es"), **changes):
    return Facts("nats per token", 0.0, 1, SETTINGS | changes, models, tuple(langs))


def tables(set_measures, given):
    resampling = Resampling.of(given.seed, given.analysis)
    pairs = comparison.comparison(set_measures, resampling)
    return {
        "comparison": pairs,
        "comparison_detectable": comparison.detectable_by_sets(pairs, 0.8),
        "tuning": families.tuning(set_measures, given.models, resampling),
        "trends": trends.trends(set_measures, given.models, resampling),
    }


def world(models, langs=("en", "es"), **effects):
    made = measure_world.World(models=tuple(models), langs=langs, n_sets=40, n_variants=1, mean=effects, cluster_size=2)
    return measure_world.additive(made)


@pytest.fixture(scope="module")
def made():
    """m1 is 0.5 above m0, and m2 another 0.5; the instruct model is 1.0 below its base."""
    given = facts()
    frames = tables(world(MODELS, m1=0.5, m2=1.0, **{"m0-it": -1.0}), given)
    return given, frames, {m.TABLES[0]: m.section({n: frames[n] for n in m.TABLES}, given) for m in SECTIONS}


def test_the_lead_says_what_the_numbers_say(made):
    _, frames, sections = made
    lead = sections["comparison"].lead
    assert "B_G×A (signed): 12 of 12 comparisons of two models within a language differ" in lead[3]
    assert "6 of 6 with all languages together" in lead[3]
    own = frames["comparison"]
    own = own[(own["metric"] == "B_GxA") & (own["lang"] != POOLED)]
    largest = own.loc[own["difference"].abs().idxmax()]
    assert f"({largest['model_a']} minus {largest['model_b']}, {language_name(largest['lang'])})" in lead[3]
    assert "Contradictions: 0 of 12" in lead[4] and "no evidence that they are equal" in lead[4]
    assert "B_G×A (signed): 2 of 2 comparisons of instruct and base" in sections["tuning"].lead[3]
    assert "2 of 2 series within a language have a trend" in sections["trends"].lead[3]
    assert "per tenfold (f base, " in sections["trends"].lead[3]


def test_a_difference_of_the_pooled_languages_alone_is_named():
    rows = [
        {"metric": "I_GxA", "lang": lang, "p_holm": p, "detectable": 0.1, "difference": 0.2, "difference_low": 0.1,
         "difference_high": 0.3, "model_a": "a", "model_b": "b"}
        for lang, p in (("en", 0.2), ("es", 0.1), (POOLED, 0.01))
    ]  # fmt: skip
    said = differences.summary(pd.DataFrame(rows), "I_GxA", "nats", "comparisons")
    assert said == (
        "I_G×A: 0 of 2 comparisons within a language differ after Holm’s correction, and 1 of 1 with all languages "
        "together; the largest difference is 0.200 bits [0.100, 0.300] (a minus b, all "
        "languages)."
    )


def test_no_difference_by_any_metric_is_said_once():
    rows = [
        {"metric": metric, "lang": lang, "p_holm": 0.2, "detectable": value}
        for lang in ("en", "es", POOLED)
        for metric, value in (("I_GxA", 0.1), ("absB_avg", 0.2), ("B_GxA", 0.3), ("contradiction", 1.04))
    ]
    frame = pd.DataFrame(rows)
    (said,) = differences.summaries(frame, "nats", "comparisons")
    assert said == (
        "By none of the 4 metrics do two models differ after Holm’s correction: 0 of 2 comparisons within a language, and "
        "0 of 1 with all languages together. That is no evidence that they are equal, for so few sets would often miss "
        "(I_G×A: differences below about 0.100 bits; |B_G×A|: differences below about 0.200 nats; B_G×A (signed): "
        "differences below about 0.300 nats; Contradictions: even the largest difference that two rates can have)."
    )
    for changed in (frame.assign(p_holm=[np.nan, *[0.2] * 11]), frame.assign(p_holm=[0.2] * 9 + [np.nan] * 3)):
        assert len(differences.summaries(changed, "nats", "comparisons")) == 4


def test_a_rate_that_cannot_differ_so_much_has_no_smallest_difference(made):
    given, frames, _ = made
    planned = frames["comparison_detectable"]
    rates = planned["metric"] == "contradiction"
    changed = planned.assign(detectable_corrected=planned["detectable_corrected"].where(~rates, 1.2))
    view = comparison_section.detectable_table(changed, given).view
    assert view["Contradictions (percentage points)"].str.endswith(" (none)").all()
    assert not view["I_G×A (bits)"].str.contains("none").any() and view["Language"].iloc[0] == "all languages"


def test_every_table_and_figure_is_written(made, tmp_path):
    given, frames, sections = made
    for module in SECTIONS:
        own = {name: frames[name] for name in module.TABLES}
        write_section(tmp_path, sections[module.TABLES[0]], own, {"seed": given.seed})
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    assert len([path for path in written if path.startswith("analysis/")]) == 12
    assert len([path for path in written if path.startswith("figures/")]) == 36


def test_printed_tables_are_text_and_pooled_comes_first(made):
    _, frames, sections = made
    for section in sections.values():
        for shown in section.tables:
            assert set(shown.numeric) <= set(shown.view.columns)
            assert all(isinstance(cell, str) for row in shown.view.values.tolist() for cell in row)
    view = sections["comparison"].tables[0].view
    assert view["Language"].tolist()[:6] == ["all languages"] * 6
    assert len(view) == 18
    one = frames["comparison"].query("metric == 'B_GxA' and lang == 'pooled' and model_a == 'm0' and model_b == 'm2'")
    assert f"{one['difference'].iloc[0]:.2f}".replace("-", "\u2212") in view.iloc[2, 7]


def test_one_model_has_a_shortfall_everywhere():
    given = facts({"m0": MODELS["m0"]})
    frames = tables(world(["m0"]), given)
    texts = []
    for module in SECTIONS:
        section = module.section({name: frames[name] for name in module.TABLES}, given)
        assert section.shortfall.startswith("not enough data (n = ")
        assert "?" in section.lead[0] and section.remedy
        assert all(drawing.shortfall for drawing in section.drawings)
        assert all(shown.view.empty for shown in section.tables)
        texts.append(section.shortfall)
    assert texts[0] == "not enough data (n = 1, needs 2 models)"
    assert texts[2] == "not enough data (n = 1, needs 3 sizes or checkpoints of one family)"


def test_two_models_of_one_language_are_drawn_as_a_forest():
    given = facts({name: MODELS[name] for name in ("m0", "m1")}, ["en"])
    frames = tables(world(["m0", "m1"], ("en",)), given)
    section = comparison_section.section({name: frames[name] for name in comparison_section.TABLES}, given)
    assert [drawing.name for drawing in section.drawings] == [f"comparison_{metric}" for metric in comparison.METRICS]
    contradictions = section.drawings[-1]
    assert not contradictions.shortfall
    assert "Forest plot" in section.drawings[0].alt
    assert POOLED not in set(section.drawings[0].data["lang"])


def test_figures_of_nine_models_are_small_vectors_that_name_every_model():
    rng = np.random.default_rng(0)
    pairs = [(f"model-{i}", f"model-{j}") for i in range(9) for j in range(i + 1, 9)]
    rows = [
        {"model_a": a, "model_b": b, "lang": lang, "metric": metric, "n_sets": 170, "n_clusters": 170,
         "difference": rng.normal(), "difference_low": -1.0, "difference_high": 1.0, "p_holm": 0.01}
        for a, b in pairs for lang in ("en", "es", "ru", "zh", POOLED) for metric in ("I_GxA", "contradiction")
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    models = {"model-3": {"tuning": "instruct"}}
    drawings = comparison_section.comparison_drawings(frame, models, "nats per token")
    shown = [drawing for drawing in drawings if not drawing.shortfall]
    assert len(shown) == 2
    for drawing in shown:
        assert len(drawing.svg) < 150_000 and "<image" not in drawing.svg
        assert all(f"model-{place}" in drawing.svg for place in range(9))
        assert len(drawing.data) == 36 and set(drawing.data["lang"]) == {POOLED}
        assert "model-3 †" in drawing.svg and "† tuned" in drawing.svg and "*" in drawing.svg
    again = comparison_section.comparison_drawings(frame, models, "nats per token")
    assert again[0].svg == drawings[0].svg and again[0].png == drawings[0].png


def test_too_few_permutations_for_the_family_are_named():
    given = facts(comparison={"permutations": 199, "power": 0.8})
    frame = pd.DataFrame(
        {"exact": [False], "p": [0.005], "n_family": [144], "metric": ["I_GxA"], "lang": ["en"], "n_missing": [0],
         "n_clusters": [50], "difference_low": [0.1], "detectable": [0.2]}
    )  # fmt: skip
    assert any("raise analysis.comparison.permutations" in text for text in comparison_section.cautions(frame, given))
    fine = frame.assign(n_family=4)
    assert not any("raise analysis" in text for text in comparison_section.cautions(fine, given))


def test_cautions_speak_of_intervals_and_tables_that_are_there(made):
    _, frames, sections = made
    said = " ".join(sections["comparison"].cautions)
    assert "stands in the table of smallest differences" in said
    assert "stands in the column `detectable` of the table’s file" in " ".join(sections["tuning"].cautions)
    assert "narrow" not in said
    few = frames["comparison"].assign(n_clusters=[7, *[20] * (len(frames["comparison"]) - 1)])
    told = comparison_section.cautions(few, facts())
    assert (
        f"1 of {len(few)} intervals rest on 7 clusters; percentile intervals of fewer than 20 are too narrow." in told
    )


def test_two_clusters_have_no_caution_about_intervals_or_smallest_differences():
    given = facts({name: MODELS[name] for name in ("m0", "m1")}, ["en"])
    two = measure_world.World(models=("m0", "m1"), langs=("en",), n_sets=2, n_variants=1)
    frames = tables(measure_world.additive(two), given)
    assert frames["comparison"]["difference_low"].isna().all() and frames["comparison_detectable"].empty
    section = comparison_section.section({name: frames[name] for name in comparison_section.TABLES}, given)
    assert section.cautions and not any("narrow" in text or "stands in" in text for text in section.cautions)


def test_every_number_of_the_tables_has_a_unit_or_range_in_its_sentence():
    words = ("unit", "0 to", "above 0", "neutral", "bits", "interval", "level", "Holm", "deviation", "-1 to 1", "Clusters",
             "Parameters")  # fmt: skip
    for name in ("comparison", "comparison_detectable", "tuning", "trends", "run_comparison"):
        for column in schemas.table(name).columns:
            if column.type == schemas.NUM:
                assert any(word in column.doc for word in words), (name, column.name, column.doc)
