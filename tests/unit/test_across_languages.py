"""Change against an anchor language: hand-worked and library values, Holm's families, cells without data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from dualpair import schemas
from dualpair.analysis.across_languages import MEAN, Settings, across_languages, changes, wilcoxon
from dualpair.analysis.resampling import sign_flip_test
from dualpair.errors import InputError
from tests.unit import measure_world as mw

FEW = Settings(seed=1, resamples=200, permutations=999)


def sets(values: dict[tuple[str, str, str], float], types: dict[str, str] | None = None) -> pd.DataFrame:
    """Set measures from (model, lang, set_id) to I_GxA; the cluster is the id's first two letters."""
    rows = [
        {"model": model, "lang": lang, "set_id": name, "cluster_id": name[:2], "I_GxA": value, "absB_avg": 2 * value,
         "bias_type": (types or {}).get(name, "age")}
        for (model, lang, name), value in values.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_change_is_language_less_anchor_on_shared_sets() -> None:
    given_ = sets({
        ("m", "en", "a1"): 0.10, ("m", "es", "a1"): 0.30,
        ("m", "en", "b1"): 0.20, ("m", "es", "b1"): 0.10,
        ("m", "en", "c1"): 0.40, ("m", "es", "c1"): 0.60,
        ("m", "en", "d1"): 9.00, ("m", "es", "e1"): 9.00,
    })  # fmt: skip
    row = across_languages(given_, "en", FEW)["across_languages"].set_index("metric").loc["I_GxA"]
    assert (row["model"], row["lang"], row["n_sets"], row["n_clusters"]) == ("m", "es", 3, 3)
    assert row["change"] == pytest.approx((0.2 - 0.1 + 0.2) / 3)
    assert row["anchor_mean"] == pytest.approx(0.7 / 3)
    assert row["low"] <= row["change"] <= row["high"]
    # Signs of 0.2, -0.1, 0.2: the sums are +-0.5, +-0.3 (as observed) and four times +-0.1.
    assert row["permutation_p"] == pytest.approx(4 / 8)


def test_mean_over_models_uses_sets_that_every_model_has() -> None:
    given_ = sets({
        ("m", "en", "a1"): 0.1, ("m", "es", "a1"): 0.3, ("n", "en", "a1"): 0.1, ("n", "es", "a1"): 0.7,
        ("m", "en", "b1"): 0.1, ("m", "es", "b1"): 0.2,
    })  # fmt: skip
    pairs = changes(given_, "en")
    mean = pairs[pairs["model"] == MEAN]
    assert mean["set_id"].tolist() == ["a1"] and mean["I_GxA"].iloc[0] == pytest.approx(0.4)
    table = across_languages(given_, "en", FEW)["across_languages"]
    assert table["model"].tolist() == [MEAN, "m", "n"] * 2
    assert MEAN not in set(across_languages(given_[given_["model"] == "m"], "en", FEW)["across_languages"]["model"])


def test_types_apart_and_cells_without_sets_are_there() -> None:
    types = {"a1": "age", "b1": "gender"}
    given_ = sets(
        {("m", "en", "a1"): 0.1, ("m", "en", "b1"): 0.1, ("m", "es", "a1"): 0.3, ("n", "en", "a1"): 0.2}, types
    )
    found = across_languages(given_, "en", FEW)
    table = found["across_languages_types"].set_index(["metric", "model", "lang", "bias_type"])
    assert table.loc[("I_GxA", "m", "es", "age"), "change"] == pytest.approx(0.2)
    empty = table.loc[("absB_avg", "m", "es", "gender")]
    assert empty["n_sets"] == 0 and empty.drop(["n_sets", "n_clusters"]).isna().all()
    assert found["across_languages"].set_index(["metric", "model"]).loc[("I_GxA", "n"), "n_sets"] == 0
    assert np.isnan(table.loc[("I_GxA", "m", "es", "age"), "low"])  # one cluster


def test_tables_fit_their_schema_and_depend_on_nothing_else() -> None:
    world = mw.World(n_sets=30, langs=("en", "es", "zh"), has={"zh": 0.6})
    found = across_languages(mw.additive(world), "en", FEW)
    again = across_languages(mw.additive(world).sample(frac=1, random_state=3), "en", FEW)
    for name, frame in found.items():
        assert list(frame.columns) == schemas.table(name).names
        assert not frame.duplicated(list(schemas.table(name).key)).any()
        pd.testing.assert_frame_equal(frame, again[name], check_exact=False, rtol=1e-12)
    alone = across_languages(mw.additive(world)[lambda frame: frame["model"] == "model-a"], "en", FEW)[
        "across_languages"
    ]
    columns = ["metric", "lang", "change", "low", "high", "permutation_p"]
    own = found["across_languages"].query("model == 'model-a'")[columns].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone[columns], own, check_exact=False, rtol=1e-12)


def test_wilcoxon_and_holm_are_the_libraries() -> None:
    world = mw.World(n_sets=25, langs=("en", "es", "ru"), mean={"es": 0.3})
    frame = mw.additive(world)
    table = across_languages(frame, "en", FEW)["across_languages"]
    wide = frame.pivot(index="set_id", columns=["model", "lang"], values="absB_avg")
    cells = table[(table["metric"] == "absB_avg") & (table["model"] != MEAN)]
    for row in cells.itertuples():
        expected = stats.wilcoxon(wide[row.model, row.lang], wide[row.model, "en"]).pvalue
        assert row.wilcoxon_p == pytest.approx(expected)
    for test in ("wilcoxon", "permutation"):
        family = multipletests(cells[f"{test}_p"], method="holm")[1]
        assert cells[f"{test}_holm"].to_numpy() == pytest.approx(family)
        mean = table[(table["metric"] == "absB_avg") & (table["model"] == MEAN)]
        assert mean[f"{test}_holm"].to_numpy() == pytest.approx(multipletests(mean[f"{test}_p"], method="holm")[1])
    assert np.isnan(wilcoxon(np.zeros(5)))


@pytest.mark.parametrize("limit", [5000, 999])
def test_sign_flips_agree_with_scipy(limit: int) -> None:
    values = np.random.default_rng(1).normal(0.4, 1.0, (12, 2))
    ours = sign_flip_test(values, [f"c{i}" for i in range(12)], np.random.default_rng(0), limit)
    for column in range(2):
        theirs = stats.permutation_test(
            (values[:, column],), lambda x, axis: np.abs(x.mean(axis=axis)), permutation_type="samples",
            alternative="greater", vectorized=True, n_resamples=np.inf,
        )  # fmt: skip
        assert ours[column] == pytest.approx(theirs.pvalue, abs=1e-12 if limit == 5000 else 0.05)


def test_sign_flips_move_whole_clusters() -> None:
    # Three clusters whose wordings agree: 2 of 8 patterns reach the observed sum, however many wordings there are.
    values, clusters = np.ones((30, 1)), [f"c{i % 3}" for i in range(30)]
    assert sign_flip_test(values, clusters, np.random.default_rng(0))[0] == 0.25
    assert np.isnan(sign_flip_test(values, [f"c{i % 2}" for i in range(30)], np.random.default_rng(0))[0])
    with pytest.raises(ValueError, match="finite"):
        sign_flip_test(values * np.nan, clusters, np.random.default_rng(0))
    with pytest.raises(ValueError, match="found"):
        sign_flip_test(values, clusters[:4], np.random.default_rng(0))


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=9), st.floats(0.01, 100))
@settings(max_examples=50, deadline=None)
def test_sign_flips_know_neither_direction_nor_unit(values: list[float], scale: float) -> None:
    def p(array: np.ndarray) -> float:
        return float(sign_flip_test(array[:, None], range(len(array)), np.random.default_rng(0))[0])

    array = np.round(np.array(values), 3)
    assert p(array) == p(-array) == p(array * scale)
    assert 2.0 ** (1 - len(array)) <= p(array) <= 1.0


def test_exchanged_anchor_turns_the_sign() -> None:
    frame = mw.additive(mw.World(n_sets=15))
    there = across_languages(frame, "en", FEW)["across_languages"]
    back = across_languages(frame, "es", FEW)["across_languages"]
    assert there["change"].to_numpy() == pytest.approx(-back["change"].to_numpy())
    assert there["wilcoxon_p"].to_numpy() == pytest.approx(back["wilcoxon_p"].to_numpy())


def test_two_clusters_of_a_set_and_missing_values_are_refused() -> None:
    frame = mw.additive(mw.World(n_sets=6))
    one = (frame["set_id"] == "s0002") & (frame["lang"] == "es")
    with pytest.raises(InputError, match="s0002"):
        across_languages(frame.assign(cluster_id=frame["cluster_id"].mask(one, "c9")), "en", FEW)
    with pytest.raises(ValueError, match="finite"):
        across_languages(frame.assign(I_GxA=frame["I_GxA"].mask(one)), "en", FEW)


def test_an_anchor_that_no_set_has_gives_empty_cells() -> None:
    table = across_languages(mw.additive(mw.World(n_sets=6)), "fr", FEW)["across_languages"]
    assert (table["n_sets"] == 0).all() and set(table["lang"]) == {"en", "es"}
