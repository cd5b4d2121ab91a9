"""Analysis of variance: hand-worked and library values, both ways to the sums of squares, resampling, printed figures."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from dualpair import schemas
from dualpair.analysis import anova, anova_cells
from dualpair.analysis.anova_cells import Squares
from dualpair.analysis.anova_design import Design, design, levels_table
from dualpair.analysis.resampling import cluster_draws, partition
from dualpair.errors import InputError
from tests.unit import measure_world as mw

# arXiv 2610.08747, table 5: percent of the total sum of squares, N = 3,528 = 98 sets x 4 languages x 9 models.
PRINTED = {
    "model": 4.37,
    "language": 6.12,
    "bias_type": 10.39,
    "model:language": 2.05,
    "model:bias_type": 1.98,
    "language:bias_type": 6.21,
    "model:language:bias_type": 4.28,
    "residual": 64.60,
}
NOT_SIGNIFICANT = {"model:bias_type", "model:language:bias_type"}


def rows(counts: np.ndarray, seed: int = 0) -> pd.DataFrame:
    """Rows with ``counts`` (A, B, C) observations of each cell, normal round cell means of their own."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0.0, 1.0, counts.shape)
    cells = [index for index in np.ndindex(counts.shape) for _ in range(counts[index])]
    a, b, c = np.array(cells).T
    return pd.DataFrame(
        {
            "I_GxA": 5 + means[a, b, c] + rng.normal(0.0, 1.0, len(cells)),
            "model": [f"m{i}" for i in a],
            "lang": [f"l{i}" for i in b],
            "bias_type": [f"t{i}" for i in c],
        }
    )


def unbalanced_types(shape: tuple[int, int, int], seed: int = 1) -> np.ndarray:
    """As many rows in every (model, language) cell of a type, other numbers in other types."""
    return np.broadcast_to(np.random.default_rng(seed).integers(1, 6, shape[2]), shape).copy()


def by_statsmodels(frame: pd.DataFrame, typ: int) -> pd.DataFrame:
    terms = [f"C({name}, Sum)" if typ == 3 else f"C({name})" for name in ("model", "lang", "bias_type")]
    kept = [term for term, name in zip(terms, ("model", "lang", "bias_type"), strict=True) if frame[name].nunique() > 1]
    table = anova_lm(ols("I_GxA ~ " + " * ".join(kept), frame).fit(), typ=typ).drop(index="Intercept", errors="ignore")
    return table.rename(columns={"PR(>F)": "p"}).reset_index(drop=True)


def codes(frame: pd.DataFrame) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], tuple[int, int, int]]:
    found = [np.unique(frame[name], return_inverse=True) for name in ("model", "lang", "bias_type")]
    a, b, c = (index for _, index in found)
    return (a, b, c), (len(found[0][0]), len(found[1][0]), len(found[2][0]))


def cells_of(frame: pd.DataFrame) -> anova_cells.Cells:
    index, shape = codes(frame)
    return anova_cells.tabulate(index, shape, frame["I_GxA"].to_numpy())


def small(seed: int = 0, **changes: object) -> Design:
    world = mw.World(models=("m1", "m2", "m3"), n_sets=24, bias_types=("age", "gender", "religion"), seed=seed)
    return design(mw.additive(replace(world, **changes)))  # type: ignore[arg-type]


def test_hand_worked_sums_of_squares() -> None:
    # model +-1, language +-2, bias type +-3, and two sets per type that deviate by +-0.5 everywhere: 16 rows.
    found = [
        {"I_GxA": 10 + m + 2 * g + 3 * t + 0.5 * s, "model": f"m{m}", "lang": f"l{g}", "bias_type": f"t{t}"}
        for m, g, t, s in product((-1, 1), repeat=4)
    ]
    table = anova.eta_squared(pd.DataFrame(found)).set_index("effect")
    assert list(table.index) == [*anova.NAMES, "residual"]
    assert table["sum_sq"].to_dict() == pytest.approx(
        {"model": 16, "language": 64, "bias_type": 144, "residual": 4, "model:language": 0, "model:bias_type": 0,
         "language:bias_type": 0, "model:language:bias_type": 0}, abs=1e-9
    )  # fmt: skip
    assert table.loc["model", "eta_sq"] == pytest.approx(16 / 228)
    assert table["df"].tolist() == [1, 1, 1, 1, 1, 1, 1, 8]
    assert table.loc["language", "F"] == pytest.approx(64 / (4 / 8))
    assert np.isnan(table.loc["residual", "F"]) and np.isnan(table.loc["residual", "p"])


def test_one_factor_by_hand_and_the_others_left_out() -> None:
    frame = pd.DataFrame({"I_GxA": [1.0, 3, 5, 7], "model": "m", "lang": "en", "bias_type": ["a", "a", "b", "b"]})
    table = anova.eta_squared(frame)
    assert table["effect"].tolist() == ["bias_type", "residual"]
    assert table["sum_sq"].tolist() == pytest.approx([16, 4])
    assert table["eta_sq"].tolist() == pytest.approx([0.8, 0.2])
    assert (table["F"][0], table["df"].tolist()) == (pytest.approx(8.0), [1, 2])


@pytest.mark.parametrize("typ", [2, 3])
@pytest.mark.parametrize("columns", [anova.MAX_COLUMNS, 0])
@pytest.mark.parametrize("kind", ["types", "any", "no_language"])
def test_both_ways_equal_statsmodels(typ: int, columns: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anova, "MAX_COLUMNS", columns)
    shape = (3, 1, 4) if kind == "no_language" else (3, 2, 4)
    any_counts = np.random.default_rng(4).integers(1, 5, shape)
    frame = rows(any_counts if kind == "any" else unbalanced_types(shape))
    ours, theirs = anova.eta_squared(frame, typ), by_statsmodels(frame, typ)
    np.testing.assert_allclose(ours["sum_sq"], theirs["sum_sq"], rtol=1e-9)
    np.testing.assert_allclose(ours["df"], theirs["df"], rtol=1e-12)
    np.testing.assert_allclose(ours[["F", "p"]], theirs[["F", "p"]], rtol=1e-8)
    total = ((frame["I_GxA"] - frame["I_GxA"].mean()) ** 2).sum()
    np.testing.assert_allclose(ours["eta_sq"], theirs["sum_sq"] / total, rtol=1e-9)


@pytest.mark.parametrize("typ", [2, 3])
def test_closed_form_and_least_squares_agree(typ: int) -> None:
    cells = cells_of(rows(unbalanced_types((4, 3, 5)), 7))
    assert anova_cells.is_balanced(cells.counts)
    closed, least = anova_cells.sums_of_squares(cells, typ), anova_cells.general(cells, typ)
    assert closed.keys() == least.keys()
    for effect in closed:
        assert closed[effect].df == least[effect].df
        assert closed[effect].sum_sq == pytest.approx(least[effect].sum_sq, rel=1e-9)


def test_more_than_2000_columns() -> None:
    shape = (13, 12, 14)
    counts = unbalanced_types(shape)
    table = anova.eta_squared(rows(counts, 5)).set_index("effect")
    assert table["eta_sq"].sum() == pytest.approx(1.0, abs=1e-12)
    counts[0, 0, 0] += 1  # one row more, and the closed form no longer applies
    nearly = anova.eta_squared(rows(counts, 5)).set_index("effect")
    assert nearly["df"].drop("residual").equals(table["df"].drop("residual"))
    assert 0.98 < nearly["eta_sq"].sum() < 1.02


def test_empty_cells_cost_their_degrees_of_freedom() -> None:
    counts = np.random.default_rng(2).integers(1, 4, (3, 2, 4))
    counts[0, 0, 0] = counts[2, 1, 3] = 0
    frame = rows(counts)
    table = anova.eta_squared(frame).set_index("effect")

    def residual(formula: str) -> tuple[float, int]:
        fit = ols(f"I_GxA ~ {formula}", frame).fit()  # by pseudo-inverse, so that redundant columns do no harm
        return float(fit.ssr), round(float(fit.df_resid))

    pairs = {"model": ("C(lang)*C(bias_type)", "C(lang)*C(bias_type) + C(model)"),
             "model:language": ("C(model)*C(bias_type) + C(lang)*C(bias_type)",
                                "C(model)*C(bias_type) + C(lang)*C(bias_type) + C(model)*C(lang)")}  # fmt: skip
    for effect, (without, whole) in pairs.items():
        (more, df_more), (less, df_less) = residual(without), residual(whole)
        assert table.loc[effect, "sum_sq"] == pytest.approx(more - less, rel=1e-9)
        assert table.loc[effect, "df"] == df_more - df_less
    assert table.loc["residual", "df"] == len(frame) - (counts > 0).sum()
    assert table.loc["model:language:bias_type", "df"] == 2 * 1 * 3 - 2
    with pytest.raises(ValueError, match="2 of 24 cells"):
        anova.eta_squared(frame, 3)


@given(st.integers(0, 2**32 - 1), st.floats(-50, 50), st.floats(0.01, 100))
@settings(max_examples=25, deadline=None)
def test_shares_add_up_and_know_no_unit(seed: int, shift: float, scale: float) -> None:
    frame = rows(unbalanced_types((3, 2, 3), seed % 97), seed)
    cells = cells_of(frame)
    moved = cells_of(frame.assign(I_GxA=shift + scale * frame["I_GxA"]).sample(frac=1, random_state=seed % 1000))
    one, other = anova_cells.sums_of_squares(cells), anova_cells.sums_of_squares(moved)
    assert sum(part.sum_sq for part in one.values()) + cells.within == pytest.approx(cells.total, rel=1e-9)
    for effect in one:
        assert one[effect].sum_sq / cells.total == pytest.approx(other[effect].sum_sq / moved.total, rel=1e-6, abs=1e-9)


def test_equal_values_have_no_shares() -> None:
    frame = rows(np.full((2, 2, 2), 3)).assign(I_GxA=0.1)
    table = anova.eta_squared(frame)
    assert table[["eta_sq", "F", "p"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("change", "typ", "message"),
    [
        ({"I_GxA": np.nan}, 2, "finite"),
        ({}, 1, "allowed: 2, 3"),
        ({"model": "m", "lang": "l", "bias_type": "t"}, 2, "two levels"),
    ],
)
def test_what_cannot_be_analysed_is_refused(change: dict[str, object], typ: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        anova.eta_squared(rows(np.full((2, 2, 2), 2)).assign(**change), typ)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="missing columns"):
        anova.eta_squared(pd.DataFrame({"I_GxA": [1.0]}))


def test_printed_shares_add_up_to_100_and_give_the_printed_significance() -> None:
    assert round(sum(PRINTED.values()), 2) == 100.00
    effects = dict(zip(anova.NAMES, anova_cells.EFFECTS, strict=True))
    matching = []
    for n_types in range(2, 25):  # the paper does not print how many bias types its 98 sets have
        levels = (9, 4, n_types)
        squares = {
            effect: Squares(PRINTED[name], int(np.prod([levels[axis] - 1 for axis in effect])))
            for name, effect in effects.items()
        }
        table = anova.table_of(squares, Squares(PRINTED["residual"], 3528 - 36 * n_types), 100.0).set_index("effect")
        assert table["eta_sq"].to_numpy() * 100 == pytest.approx(list(PRINTED.values()))
        if set(table.index[table["p"] >= 0.001]) - {"residual"} == NOT_SIGNIFICANT:
            matching.append(n_types)
    assert 10 in matching and matching == list(range(matching[0], matching[-1] + 1))


def test_the_papers_design_adds_up_under_type_2_and_not_under_type_3() -> None:
    types = tuple(f"t{i}" for i in range(10))
    sets = mw.additive(replace(mw.FULL, n_sets=98, bias_types=types, mean={"zh": 0.3, "t3": 0.4}, seed=3))
    sizes = np.random.default_rng(0).choice(10, 98, p=np.arange(1, 11) / 55)  # types of very different size
    ids = sorted(sets["set_id"].unique())
    sets["bias_type"] = sets["set_id"].map(dict(zip(ids, [f"t{i}" for i in sizes], strict=True)))
    frame = design(sets).frame()
    assert len(frame) == 3528
    cells = cells_of(frame)
    shares = [
        (sum(one.sum_sq for one in anova_cells.sums_of_squares(cells, typ).values()) + cells.within) / cells.total
        for typ in (2, 3)
    ]
    assert shares[0] == pytest.approx(1.0, abs=1e-12)
    assert abs(shares[1] - 1.0) > 0.005


@pytest.mark.parametrize("typ", [2, 3])
def test_resamples_are_those_of_rows_drawn_by_whole_clusters(typ: int) -> None:
    used = small(cluster_size=2, mean={"m1": 0.3, "age": 0.5})
    ours = anova.resampled_shares(used, typ, np.random.default_rng(9), 12)
    draws = cluster_draws(partition(used.clusters).n_clusters, 12, np.random.default_rng(9))
    frame = used.frame()
    for share, drawn in zip(ours, draws, strict=True):
        repeats = drawn[partition(used.clusters).index].astype(int)
        again = frame.loc[frame.index.repeat(repeats[frame["set_id"]])]
        cells = cells_of(again)
        parts = [part.sum_sq for part in anova_cells.general(cells, typ).values()]
        np.testing.assert_allclose(share, np.array([*parts, cells.within]) / cells.total, rtol=1e-8, atol=1e-12)


def test_a_type_that_is_not_drawn_is_out_of_the_resample() -> None:
    means = np.random.default_rng(0).normal(size=(1, 2, 2, 3))
    whole = anova_cells.balanced(means[..., :2], np.array([[3.0, 2.0]]), 3)
    gone = anova_cells.balanced(means, np.array([[3.0, 2.0, 0.0]]), 3)
    for effect in whole:
        assert gone[effect] == pytest.approx(whole[effect])


def test_table_has_intervals_round_the_corrected_share_and_none_where_clusters_lack() -> None:
    used = small(mean={"m1": 0.6, "es": -0.4})
    table = anova.with_intervals(used, 2, seed=1, n_resamples=300)
    assert list(table.columns) == schemas.table("anova").names
    known = table.dropna(subset=["eta_sq_corrected"])
    assert {"model", "language", "residual"} <= set(known["effect"])
    assert known["eta_sq_low"].le(known["eta_sq_corrected"]).all()
    assert known["eta_sq_corrected"].le(known["eta_sq_high"]).all()
    assert (known["eta_sq_corrected"][:-1] <= known["eta_sq"][:-1]).all()
    assert table.equals(anova.with_intervals(used, 2, seed=1, n_resamples=300))
    assert anova.with_intervals(used, 2, seed=1, n_resamples=0)["eta_sq_low"].isna().all()
    few = used._replace(clusters=np.array(["a", "b"] * 12))
    assert anova.with_intervals(few, 2, seed=1, n_resamples=300)["eta_sq_high"].isna().all()


@pytest.mark.parametrize(("n_clusters", "withheld"), [(19, True), (20, False)])
def test_under_20_clusters_nothing_is_corrected(n_clusters: int, withheld: bool) -> None:
    used = small(mean={"m1": 0.6})
    few = used._replace(clusters=np.array([f"c{i % n_clusters:02}" for i in range(24)]))
    table = anova.with_intervals(few, 2, seed=1, n_resamples=200).set_index("effect")
    assert table.loc["model", ["eta_sq_corrected", "eta_sq_low", "eta_sq_high"]].isna().tolist() == [withheld] * 3
    assert table["eta_sq"].notna().all() and (table["n_clusters"] == n_clusters).all()


def test_a_corrected_share_above_the_estimate_is_withheld_but_for_the_residual(monkeypatch: pytest.MonkeyPatch) -> None:
    used = small()
    estimate = anova.eta_squared(used.frame())["eta_sq"].to_numpy()
    moved = np.where(
        np.arange(8) % 2 == 0, 0.01, -0.01
    )  # chance seems to take from every second effect, and the residual
    monkeypatch.setattr(anova, "resampled_shares", lambda *_: np.tile(estimate + moved, (100, 1)))
    table = anova.with_intervals(used, 2, seed=1, n_resamples=100)
    missing = [False, True, False, True, False, True, False, False]
    for column in ("eta_sq_corrected", "eta_sq_low", "eta_sq_high"):
        assert table[column].isna().tolist() == missing
    assert table["eta_sq_corrected"].iloc[0] == pytest.approx(max(estimate[0] - 0.01, 0.0))
    assert table["eta_sq_corrected"].iloc[-1] == pytest.approx(estimate[-1] + 0.01)


def test_only_sets_that_every_model_has_in_every_language_are_used() -> None:
    world = mw.World(n_sets=20, has={"es": 0.5}, bias_types=("age", "gender"))
    sets = mw.additive(world)
    gone = str(sets.loc[(sets["lang"] == "es") & (sets["model"] == "model-a"), "set_id"].iloc[0])
    lacking = sets[~((sets["set_id"] == gone) & (sets["model"] == "model-a") & (sets["lang"] == "es"))]
    used = design(lacking)
    assert used.n_sets == 9 and used.values.shape == (9, 2, 2) and used.factors == ["model", "language", "bias_type"]
    levels = levels_table(lacking, used).set_index(["factor", "level"])
    assert levels.loc[("language", "en"), "n_any"] == 20 and levels.loc[("language", "es"), "n_any"] == 10
    assert levels.loc["bias_type", "n_complete"].sum() == 9
    value = sets[(sets["model"] == "model-b") & (sets["lang"] == "es")].set_index("set_id")["I_GxA"]
    ids = sorted(set(sets.loc[sets["lang"] == "es", "set_id"]) - {gone})
    np.testing.assert_allclose(used.values[:, 1, 1], value[ids])


def test_sets_with_several_types_are_left_out_and_counted_and_several_clusters_refused() -> None:
    sets = mw.additive(mw.World(n_sets=8))
    one = (sets["set_id"] == "s0003") & (sets["lang"] == "es")
    mixed = sets.assign(bias_type=sets["bias_type"].mask(one, "other"))
    used = design(mixed)
    assert used.n_sets == 7
    levels = levels_table(mixed, used)
    assert (levels["n_mixed"] == 1).all()
    assert not levels.loc[levels["level"] == "other", "used"].any()
    with pytest.raises(InputError, match="s0003"):
        design(sets.assign(cluster_id=sets["cluster_id"].mask(one, "c9")))


def test_one_level_and_no_set() -> None:
    sets = mw.additive(mw.World(models=("m",), langs=("en",), n_sets=6))
    assert design(sets).factors == ["bias_type"]
    none = mw.additive(mw.World(n_sets=4))
    apart = none[(none["lang"] == "en") == (none["set_id"] < "s0002")]
    used = design(apart)
    assert used.n_sets == 0 and used.n_clusters == 0
    assert (levels_table(apart, used)["n_complete"] == 0).all()
