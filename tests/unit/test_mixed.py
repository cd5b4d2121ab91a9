"""Mixed models in closed form against statsmodels' MixedLM, its ordinary fit at the boundary, and hand-worked values."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import mixedlm

from dualpair import schemas
from dualpair.analysis import anova, mixed
from dualpair.analysis.anova_design import Design, design
from tests.unit import measure_world as mw

WORLD = mw.World(models=("m1", "m2"), langs=("en", "es", "ru"), n_sets=24, mean={"m1": 0.4, "es": 0.3, "age": 0.3},
                 cluster_sd=0.5, cell_sd=0.4)  # fmt: skip


def uneven(world: mw.World) -> Design:
    """Complete sets with unequal numbers per bias type."""
    used = design(mw.additive(world))
    return used._replace(types=(np.arange(used.n_sets) % 3 == 0).astype(np.int64))


def plain(values: list[list[list[float]]]) -> Design:
    array = np.array(values)
    s, a, b = array.shape
    levels = (tuple(f"m{i}" for i in range(a)), tuple(f"l{i}" for i in range(b)), ("t",))
    return Design(levels, array, np.zeros(s, dtype=np.int64), np.array([f"c{i}" for i in range(s)]))


def variances(fit: mixed.Mixed, structure: str) -> dict[str, float]:
    frame = fit.variances[fit.variances["random"] == structure]
    return dict(zip(frame["component"], frame["variance"], strict=True))


def test_equals_statsmodels_restricted_maximum_likelihood() -> None:
    used = uneven(WORLD)
    ours = mixed.fit(used)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = mixedlm("I_GxA ~ C(model, Sum) * C(lang, Sum) * C(bias_type, Sum)", used.frame(), groups="set_id").fit(
            reml=True, method="powell"
        )
    found = variances(ours, "set")
    assert found["residual"] == pytest.approx(theirs.scale, rel=1e-4)
    assert found["set"] == pytest.approx(float(theirs.cov_re.iloc[0, 0]), rel=1e-3)
    # statsmodels tests sum contrasts one by one, i.e. Type III: its Wald chi-squared is df x F.
    tests = mixed.fit(used, typ=3).tests.set_index("effect")
    names = {"model": "C(model, Sum)", "language": "C(lang, Sum)", "bias_type": "C(bias_type, Sum)"}
    wald = theirs.wald_test_terms(scalar=True).table
    for effect in tests.index:
        term = ":".join(names[part] for part in effect.split(":"))
        assert tests.loc[effect, "df"] * tests.loc[effect, "F"] == pytest.approx(wald.loc[term, "statistic"], rel=2e-3)


def test_finer_structure_equals_statsmodels_variance_components() -> None:
    used = uneven(replace(WORLD, n_sets=30, seed=2))
    rng = np.random.default_rng(1)
    values = used.values + rng.normal(0, 0.5, (30, 1, 3)) + rng.normal(0, 0.4, (30, 2, 1))
    used = used._replace(values=values)
    components = {"language": "0 + C(lang)", "model": "0 + C(model)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = mixedlm("I_GxA ~ C(model) * C(lang) * C(bias_type)", used.frame(), groups="set_id", re_formula="1",
                         vc_formula=components).fit(reml=True, method="lbfgs")  # fmt: skip
    found = variances(mixed.fit(used), "set, set:language, set:model")
    assert found["residual"] == pytest.approx(theirs.scale, rel=1e-3)
    assert found["set"] == pytest.approx(float(theirs.cov_re.iloc[0, 0]), rel=1e-2)
    by_name = dict(zip(theirs.model.exog_vc.names, theirs.vcomp, strict=True))
    assert found["set:language"] == pytest.approx(by_name["language"], rel=1e-2)
    assert found["set:model"] == pytest.approx(by_name["model"], rel=1e-2)


def test_at_the_boundary_it_is_the_ordinary_analysis() -> None:
    rng = np.random.default_rng(0)
    used = uneven(WORLD)
    values = rng.normal(size=used.values.shape)
    values -= values.mean(axis=(1, 2), keepdims=True)  # sets do not differ at all
    used = used._replace(values=values)
    fit = mixed.fit(used)
    rows = fit.variances.set_index(["random", "component"])
    assert rows.loc[("set", "set"), "variance"] == 0 and rows.loc[("set", "set"), "at_boundary"]
    ordinary = anova.eta_squared(used.frame()).set_index("effect")
    tests = fit.tests.set_index("effect")
    assert tests["F"].to_numpy() == pytest.approx(ordinary["F"].drop("residual").to_numpy())
    assert set(tests["df_error"]) == {ordinary.loc["residual", "df"]}


def test_two_models_of_one_language_are_a_paired_t_test() -> None:
    values = np.random.default_rng(3).normal(0, 1, (12, 2, 1)) + np.random.default_rng(4).normal(0, 2, (12, 1, 1))
    fit = mixed.fit(plain(values.tolist()))
    t = stats.ttest_rel(values[:, 0, 0], values[:, 1, 0])
    row = fit.tests.iloc[0]
    assert fit.tests["effect"].tolist() == ["model"]
    assert row["F"] == pytest.approx(t.statistic**2) and row["p"] == pytest.approx(t.pvalue)
    assert (row["F_strata"], row["df_strata"]) == (pytest.approx(row["F"]), 11)
    assert set(fit.variances["random"]) == {"set"}


def test_finer_structure_tests_language_by_paired_means_over_models() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(0, 1, (10, 3, 2)) + rng.normal(0, 2, (10, 1, 1))
    row = mixed.fit(plain(values.tolist())).tests.set_index("effect").loc["language"]
    t = stats.ttest_rel(*values.mean(axis=1).T)
    assert row["F_strata"] == pytest.approx(t.statistic**2) and row["p_strata"] == pytest.approx(t.pvalue)
    assert (row["df_error"], row["df_strata"]) == (9 * 5, 9)


def test_variances_by_hand() -> None:
    # Two sets under two models. Set means 0 and 4: mean square 2 x (2^2 + 2^2) / 1 = 16. Models' effects are -0.5 and
    # 0.5, which leaves four deviations of 0.5 within the sets: mean square 4 x 0.25 / 1 = 1.
    fit = mixed.fit(plain([[[-1.0], [1.0]], [[4.0], [4.0]]]))
    found = variances(fit, "set")
    assert found == pytest.approx({"set": (16 - 1) / 2, "residual": 1.0})
    share = fit.variances.set_index("component").loc["set", "share"]
    assert share == pytest.approx(7.5 / 8.5)


def test_tables_fit_their_schema_and_are_empty_without_repeated_sets() -> None:
    full = mixed.fit(uneven(WORLD))
    single = mixed.fit(design(mw.additive(replace(WORLD, models=("m1",), langs=("en",)))))
    lonely = uneven(replace(WORLD, n_sets=2))
    for fit in (full, single, mixed.fit(lonely._replace(types=np.array([0, 1])))):
        assert list(fit.tests.columns) == schemas.table("anova_mixed").names
        assert list(fit.variances.columns) == schemas.table("anova_variances").names
    assert single.tests.empty and single.variances.empty
    assert isinstance(full.tests, pd.DataFrame) and len(full.tests) == 7
    for structure in mixed.STRUCTURES:
        assert full.variances.loc[full.variances["random"] == structure, "share"].sum() == pytest.approx(1.0)
