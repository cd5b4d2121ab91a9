"""Mixed models of I_GxA with the set as random effect, solved exactly (beside arXiv 2610.08747, table 5).

A set occurs once per model and language, so that rows are no independent observations. On complete sets the design is
balanced, and restricted maximum likelihood has a closed form in the mean squares (Searle, Casella and McCulloch 1992,
chapter 4): nothing iterates, nothing can fail to converge. Two structures stand side by side:

* ``set``: y = fixed effects + set + residual. Every set is higher or lower alike everywhere.
* ``set, set:language, set:model``: a set may besides be higher in one language (under all models), or under one model
  (in all languages), as a clumsy translation would make it. Each effect is then tested in its own stratum.

The F of an effect is its Wald statistic divided by df, with the exact distribution under normal random effects.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis import anova_cells
from dualpair.analysis.anova import name_of
from dualpair.analysis.anova_cells import TYPE, Effect
from dualpair.analysis.anova_design import Design
from dualpair.analysis.resampling import Floats

SET, LANGUAGE, MODEL, RESIDUAL = COMPONENTS = ("set", "set:language", "set:model", "residual")
INTERCEPT, STRATA = STRUCTURES = ("set", "set, set:language, set:model")


class Stratum(NamedTuple):
    """Sum of squares of deviations in a stratum, and its degrees of freedom."""

    sum_sq: float
    df: int

    @property
    def mean_sq(self) -> float:
        """Mean square; NaN without degrees of freedom."""
        return self.sum_sq / self.df if self.df > 0 else float("nan")

    def __add__(self, other: object) -> Stratum:
        """Both strata pooled."""
        if not isinstance(other, Stratum):
            return NotImplemented
        return Stratum(self.sum_sq + other.sum_sq, self.df + other.df)


class Mixed(NamedTuple):
    """What the fits say: the ``anova_mixed`` and the ``anova_variances`` table, either may be empty."""

    tests: pd.DataFrame
    variances: pd.DataFrame


def fit(design: Design, typ: int = 2) -> Mixed:
    """Both structures fitted to complete sets, fixed effects model, language, bias type and their products.

    Args:
        design: complete sets.
        typ: type of the fixed effects' sums of squares, 2 or 3.

    Returns:
        Tests and variances (bits squared; ``share`` is a component's part of their sum, for ``set`` the intraclass
        correlation). A variance whose estimate would be negative is 0, ``at_boundary``. Both frames are empty with one
        model and one language, where no set is repeated, and where no bias type has two sets.
    """
    strata = _strata(design)
    if strata[RESIDUAL].df + strata[LANGUAGE].df + strata[MODEL].df == 0:
        return Mixed(*(pd.DataFrame(columns=schemas.table(name).names) for name in ("anova_mixed", "anova_variances")))
    within = strata[RESIDUAL] + strata[LANGUAGE] + strata[MODEL]
    boundary = strata[SET].mean_sq < within.mean_sq
    variances = _intercept(strata[SET], within, design.values[0].size, boundary) + _components(design, strata)
    pooled = strata[SET] + within
    rows = []
    for effect, (square, df) in _fixed(design, typ).items():
        error = pooled if boundary else strata[SET] if effect == (TYPE,) else within
        finer = strata[_stratum_of(effect)] if _stratum_of(effect) != RESIDUAL or strata[RESIDUAL].df else within
        rows.append(
            {"effect": name_of(effect), "df": df}
            | dict(zip(("F", "df_error", "p"), _test(square, df, error), strict=True))
            | dict(zip(("F_strata", "df_strata", "p_strata"), _test(square, df, finer), strict=True))
        )
    tests = pd.DataFrame(rows, columns=schemas.table("anova_mixed").names)
    return Mixed(tests, pd.DataFrame(variances, columns=schemas.table("anova_variances").names))


def _strata(design: Design) -> dict[str, Stratum]:
    """What is left of each stratum when the fixed effects (the cell means) are taken out."""
    n_models, n_langs = design.values.shape[1:]
    means = cell_means(design)
    residual = design.values - means.transpose(2, 0, 1)[design.types]
    sets = residual.mean(axis=(1, 2), keepdims=True)
    langs = residual.mean(axis=1, keepdims=True) - sets
    models = residual.mean(axis=2, keepdims=True) - sets
    rest = residual - sets - langs - models
    free = design.n_sets - len(np.unique(design.types))
    return {
        SET: Stratum(float((sets**2).sum()) * n_models * n_langs, free),
        LANGUAGE: Stratum(float((langs**2).sum()) * n_models, free * (n_langs - 1)),
        MODEL: Stratum(float((models**2).sum()) * n_langs, free * (n_models - 1)),
        RESIDUAL: Stratum(float((rest**2).sum()), free * (n_models - 1) * (n_langs - 1)),
    }


def cell_means(design: Design) -> Floats:
    """(A, B, C) means over the sets of each bias type."""
    sums = np.zeros((len(design.levels[TYPE]), *design.values.shape[1:]))
    np.add.at(sums, design.types, design.values)
    counts = np.bincount(design.types, minlength=len(sums))
    means: Floats = (sums / counts[:, None, None]).transpose(1, 2, 0)
    return means


def _fixed(design: Design, typ: int) -> dict[Effect, tuple[float, int]]:
    means = cell_means(design)
    counts = np.bincount(design.types, minlength=means.shape[TYPE]).astype(np.float64)
    found = anova_cells.balanced((means - design.values.mean())[None], counts[None], typ)
    return {
        effect: (float(found[effect][0]), int(np.prod([means.shape[axis] - 1 for axis in effect])))
        for effect in anova_cells.effects_of(means.shape)
    }


def _stratum_of(effect: Effect) -> str:
    """The stratum that an effect varies in, when sets may differ by language and by model."""
    return {(): SET, (0,): MODEL, (1,): LANGUAGE, (0, 1): RESIDUAL}[tuple(axis for axis in effect if axis != TYPE)]


def _test(square: float, df: int, error: Stratum) -> tuple[float, int, float]:
    from scipy.stats import f as f_distribution

    if not (error.df > 0 and error.mean_sq > 0):
        return float("nan"), error.df, float("nan")
    ratio = square / df / error.mean_sq
    return ratio, error.df, float(f_distribution.sf(ratio, df, error.df))


def _intercept(sets: Stratum, within: Stratum, repeats: int, boundary: bool) -> list[dict[str, Any]]:
    """Restricted maximum likelihood of the variances of set and residual; pooled where the first would be negative."""
    residual = (sets + within).mean_sq if boundary else within.mean_sq
    between = 0.0 if boundary else (sets.mean_sq - within.mean_sq) / repeats
    return _shares(INTERCEPT, {SET: between, RESIDUAL: residual})


def _components(design: Design, strata: dict[str, Stratum]) -> list[dict[str, Any]]:
    """Variances of the finer structure from mean squares; none where languages or models have one level."""
    if strata[RESIDUAL].df == 0:
        return []
    n_models, n_langs = design.values.shape[1:]
    sets, langs, models, rest = (strata[name].mean_sq for name in COMPONENTS)
    return _shares(
        STRATA,
        {
            SET: (sets - langs - models + rest) / (n_models * n_langs),
            LANGUAGE: (langs - rest) / n_models,
            MODEL: (models - rest) / n_langs,
            RESIDUAL: rest,
        },
    )


def _shares(structure: str, variances: dict[str, float]) -> list[dict[str, Any]]:
    cut = {name: max(value, 0.0) for name, value in variances.items()}
    total = sum(cut.values())
    return [
        {
            "random": structure,
            "component": name,
            "variance": value,
            "share": value / total if total > 0 else float("nan"),
            "at_boundary": name != RESIDUAL and variances[name] <= 0,
        }
        for name, value in cut.items()
    ]
