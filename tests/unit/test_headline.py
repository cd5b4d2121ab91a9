"""Means over sets with intervals that resample clusters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap

from dualpair import artifacts
from dualpair.analysis.headline import headline
from dualpair.analysis.resampling import cluster_bootstrap
from dualpair.languages import language_name
from dualpair.report.section import Facts
from dualpair.report.sections import headline as section
from tests.unit.measure_world import World, make


def sets(values: list[float], clusters: list[str], model: str = "tiny", lang: str = "en") -> pd.DataFrame:
    array = np.array(values)
    return pd.DataFrame(
        {
            "model": model,
            "set_id": [f"s{i:03}" for i in range(len(values))],
            "cluster_id": clusters,
            "lang": lang,
            "bias_type": "age",
            "n_variants": [i % 3 + 1 for i in range(len(values))],
            "n_instances": [i % 3 + 1 for i in range(len(values))],
            "B_G": array,
            "B_G_alt": array / 2,
            "B_GxA": array / 2,
            "absB_avg": np.abs(array),
            "absB_max": np.abs(array),
            "I_GxA": np.abs(array) / 100,
            "v0_is_original": True,
            "contradiction": False,
            "flip": False,
        }
    )


def draw(n: int, seed: int = 3) -> list[float]:
    return [float(value) for value in np.random.default_rng(seed).normal(0.3, 1.0, n)]


def test_means_are_plain_means_over_sets_and_counts_are_counts() -> None:
    row = headline(sets([1.0, 2.0, 6.0, -1.0], ["a", "b", "c", "c"]), seed=1, n_resamples=200).iloc[0]
    assert (row["n_sets"], row["n_clusters"], row["n_variants"]) == (4, 3, 1 + 2 + 3 + 1)
    assert (row["B_G"], row["B_GxA"], row["absB_avg"], row["I_GxA"]) == pytest.approx((2.0, 1.0, 2.5, 0.025))
    assert row["B_G_low"] <= row["B_G"] <= row["B_G_high"]


def test_interval_agrees_with_scipy_when_every_set_is_a_cluster() -> None:
    values = draw(60)
    ours = cluster_bootstrap(np.array(values)[:, None], [f"c{i}" for i in range(60)], np.random.default_rng(0), 20_000)
    theirs = bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1))
    assert ours.low[0] == pytest.approx(theirs.confidence_interval.low, abs=0.02)
    assert ours.high[0] == pytest.approx(theirs.confidence_interval.high, abs=0.02)


def test_wordings_of_one_stereotype_do_not_narrow_the_interval() -> None:
    # Each value repeated five times within its cluster carries no more information than once.
    values = draw(30)
    names = [f"c{i}" for i in range(30)]
    once = cluster_bootstrap(np.array(values)[:, None], names, np.random.default_rng(0), 5_000)
    many = cluster_bootstrap(np.repeat(values, 5)[:, None], np.repeat(names, 5), np.random.default_rng(0), 5_000)
    alone = cluster_bootstrap(np.repeat(values, 5)[:, None], range(150), np.random.default_rng(0), 5_000)
    assert (many.low[0], many.high[0]) == pytest.approx((once.low[0], once.high[0]), abs=1e-12)
    assert alone.high[0] - alone.low[0] < 0.6 * (once.high[0] - once.low[0])


def test_interval_covers_about_its_nominal_share() -> None:
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(300):
        ends = cluster_bootstrap(rng.normal(1.0, 1.0, (40, 1)), range(40), rng, 400)
        hits += bool(ends.low[0] <= 1.0 <= ends.high[0])
    assert 0.90 <= hits / 300 <= 0.98


def test_unequal_clusters_weigh_by_their_sets() -> None:
    # Cluster a has three sets of 0, b and c one of 1: the resample mean is a ratio of sums.
    ends = cluster_bootstrap([[0.0]] * 3 + [[1.0]] * 2, ["a", "a", "a", "b", "c"], np.random.default_rng(0), 4_000)
    assert (ends.low[0], ends.high[0]) == (0.0, 1.0)


def test_few_clusters_give_no_interval(tmp_path: Path) -> None:
    frame = headline(sets(draw(6), ["a", "a", "a", "b", "b", "b"]), seed=1, n_resamples=200)
    assert frame.filter(regex="_(low|high)$").isna().all(axis=None)
    assert frame["B_G"].notna().all()
    artifacts.write(frame, tmp_path / "h.parquet", "headline")
    assert artifacts.read(tmp_path / "h.parquet", "headline")["I_GxA_low"].isna().all()


def test_equal_seed_and_shuffled_rows_give_equal_intervals() -> None:
    one = sets(draw(12), [f"c{i % 5}" for i in range(12)])
    a = headline(one, seed=7, n_resamples=500)
    b = headline(one.sample(frac=1, random_state=0), seed=7, n_resamples=500)
    pd.testing.assert_frame_equal(a, b)
    assert headline(one, seed=8, n_resamples=500)["B_G_low"].iloc[0] != a["B_G_low"].iloc[0]


def test_a_models_interval_does_not_depend_on_the_other_models() -> None:
    one = sets(draw(12), [f"c{i}" for i in range(12)])
    both = pd.concat([sets(draw(12, 9), [f"c{i}" for i in range(12)], model="big"), one], ignore_index=True)
    alone = headline(one, seed=7, n_resamples=500)
    together = headline(both, seed=7, n_resamples=500)
    pd.testing.assert_frame_equal(together[together["model"] == "tiny"].reset_index(drop=True), alone)


def test_bad_input_is_refused() -> None:
    one = sets(draw(4), ["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="at least 100"):
        headline(one, seed=1, n_resamples=10)
    with pytest.raises(ValueError, match="no cluster_id"):
        headline(one.assign(cluster_id=["a", "", "c", "d"]), seed=1, n_resamples=100)
    with pytest.raises(ValueError, match="set s000 of tiny, en has a metric that is not finite"):
        headline(one.assign(I_GxA=np.nan), seed=1, n_resamples=100)
    with pytest.raises(ValueError, match="finite"):
        cluster_bootstrap([[np.nan]] * 3, ["a", "b", "c"], np.random.default_rng(0), 100)
    with pytest.raises(ValueError, match=r"\(N, M\)"):
        cluster_bootstrap([1.0, 2.0], ["a", "b"], np.random.default_rng(0), 100)


def test_an_empty_table_gives_an_empty_table() -> None:
    assert headline(sets(draw(3), ["a", "b", "c"]).head(0), seed=1).empty


FACTS = Facts("nats per token", 0.0, 1, {"bootstrap": 200}, {"model-a": {}, "model-b": {}}, ("en", "es", "ru"))


def test_the_section_counts_the_directions_that_its_intervals_show() -> None:
    planted = World(n_sets=60, mean={"model-a": 0.5, "model-b": -0.5})
    frame = headline(make(planted).set_measures, seed=1, n_resamples=500)
    made = section.section({"headline": frame}, FACTS)
    assert "lies above 0 (towards the stereotype as the source states it) in 2 of 4 rows, below 0 in 2" in made.lead[2]
    assert (
        "2 combinations of model and language have no usable pair: model-a, Russian; model-b, Russian."
        in made.cautions[0]
    )
    low, high = frame.loc[frame["I_GxA"].idxmin()], frame.loc[frame["I_GxA"].idxmax()]
    for row in (low, high):
        assert f"({row['model']}, {language_name(row['lang'])})" in made.lead[1]
    assert [drawing.name for drawing in made.drawings] == ["headline_I_GxA", "headline_absB_avg"]
    (table,) = made.tables
    assert len(table.view) == len(frame)
    assert "neutral 0" in table.caption and "95 % bootstrap intervals over clusters" in table.caption


def test_the_section_counts_the_rows_of_few_clusters() -> None:
    def narrow(n_sets: int) -> list[str]:
        frame = headline(make(World(n_sets=n_sets)).set_measures, seed=1, n_resamples=200)
        return [text for text in section.section({"headline": frame}, FACTS).cautions if "narrow" in text]

    assert narrow(19) == [
        "4 of 4 rows with intervals rest on 19 clusters; percentile intervals of fewer than 20 are too narrow."
    ]
    assert narrow(20) == [] and narrow(2) == []


def test_the_section_without_intervals_tells_no_direction() -> None:
    frame = headline(make(World(n_sets=2, models=("model-a",), langs=("en",))).set_measures, seed=1, n_resamples=200)
    made = section.section({"headline": frame}, FACTS)
    assert "so that no direction can be told" in made.lead[2]
    assert "1 row has under 3 clusters and so no interval." in made.cautions
    assert made.lead[1].startswith("Mean I_G×A of model-a, English is 0.")


def test_the_section_of_nothing_says_so() -> None:
    made = section.section({"headline": headline(sets(draw(3), ["a", "b", "c"]).head(0), seed=1)}, FACTS)
    assert made.shortfall == "not enough data (n = 0, needs 1 set with a usable pair)"
    assert all(drawing.shortfall for drawing in made.drawings)
    assert len(made.lead) == 1
