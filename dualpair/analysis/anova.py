"""Analysis of variance of I_GxA by model, language and bias type (arXiv 2610.08747, table 5).

Eta squared is an effect's share of the total sum of squares. It is never negative, so that chance alone raises it: of
independent rows, df degrees of freedom without an effect explain about df / (N - 1), and more where whole sets differ.
A bootstrap over clusters says how much, and how sure the rest is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dualpair import schemas
from dualpair.analysis import anova_cells
from dualpair.analysis.anova_cells import EFFECTS, Effect, Squares
from dualpair.analysis.anova_design import FACTORS, METRIC, Design
from dualpair.analysis.resampling import (
    FEW_CLUSTERS,
    Floats,
    Ints,
    cluster_draws,
    generator,
    partition,
    percentile_interval,
)

COLUMNS = ("model", "lang", "bias_type")
RESIDUAL = "residual"
TYPES = (2, 3)
# Beyond so many columns a fit takes minutes; the sums of squares then come from cell means.
MAX_COLUMNS = 2_000
_BLOCK = 200


def name_of(effect: Effect) -> str:
    """An effect's name, e.g. ``model:language``."""
    return ":".join(FACTORS[axis] for axis in effect)


NAMES = tuple(name_of(effect) for effect in EFFECTS)


def eta_squared(frame: pd.DataFrame, typ: int = 2) -> pd.DataFrame:
    """Sums of squares and eta squared of the three factors and their products.

    Fitted by statsmodels (``anova_lm``; Type III with sum contrasts) up to 2,000 design columns; beyond, and where
    cells are empty, from cell means (:mod:`dualpair.analysis.anova_cells`): the same numbers. Factors with one level
    are left out.
    The p-values take rows as independent: where a set occurs under several models or languages they are too small.

    Args:
        frame: one row per set, language and model, with the columns I_GxA (bits), model, lang and bias_type; of several
            labels of a set the first.
        typ: type of the sums of squares, 2 or 3.

    Returns:
        One row per effect and ``residual``, in the order of the paper: effect, df, sum_sq (bits squared), eta_sq (0 to
        1; the shares add up to 1 under Type II where models and languages are balanced inside each bias type), F, p
        (missing for the residual, and where no degree of freedom is left).

    Raises:
        ValueError: unknown type, missing columns or values, no factor with two levels, or Type III with an empty cell.
    """
    codes, shape, values = _coded(frame, typ)
    cells = anova_cells.tabulate(codes, shape, values)
    if typ == 3 and (cells.counts == 0).any():
        anova_cells.general(cells, typ)
    df_residual = len(values) - int((cells.counts > 0).sum())
    squares = _fitted(codes, shape, values, typ) if np.prod(shape) <= MAX_COLUMNS and (cells.counts > 0).all() else None
    squares = squares or anova_cells.sums_of_squares(cells, typ)
    return table_of(squares, Squares(max(cells.within, 0.0), df_residual), cells.total)


def with_intervals(design: Design, typ: int, seed: int, n_resamples: int) -> pd.DataFrame:
    """The ``anova`` table: :func:`eta_squared` beside a cluster bootstrap of it.

    Resampling sets adds chance to shares that chance has raised already, by about as much again. The interval is
    therefore the basic one, reflected at the estimate e: [2 e - q(0.975), 2 e - q(0.025)] with the resampled shares'
    quantiles q, cut to 0..1; and ``eta_sq_corrected`` is 2 e less the resamples' mean (Davison and Hinkley 1997,
    sections 2.1.3 and 5.2.1).

    Both are withheld (NaN) where the bootstrap cannot tell chance from effect: under 20 clusters, and for an effect
    whose corrected share exceeds the estimate, since chance only adds to an effect's share. It takes from that of the
    residual, whose corrected share is larger.

    Args:
        design: complete sets.
        typ: type of the sums of squares, 2 or 3.
        seed: the run's seed.
        n_resamples: resamples of clusters; 0 leaves the intervals missing, as do fewer than 20 clusters.

    Raises:
        ValueError: as :func:`eta_squared`.
    """
    frame = eta_squared(design.frame(), typ)
    missing = np.full(len(frame), np.nan)
    corrected, low, high = missing, missing, missing
    if n_resamples and design.n_clusters >= FEW_CLUSTERS and frame["eta_sq"].notna().all():
        resampled = resampled_shares(design, typ, generator(seed, "anova"), n_resamples)
        ends = percentile_interval(resampled)
        estimate = frame["eta_sq"].to_numpy(dtype=np.float64)
        corrected = np.clip(2 * estimate - np.nanmean(resampled, axis=0), 0.0, 1.0)
        withheld = (corrected > estimate) & (frame["effect"] != RESIDUAL).to_numpy()
        corrected, low, high = (
            np.where(withheld, np.nan, values)
            for values in (corrected, *(np.clip(2 * estimate - end, 0.0, 1.0) for end in (ends.high, ends.low)))
        )
    frame = frame.assign(
        eta_sq_corrected=corrected,
        eta_sq_low=low,
        eta_sq_high=high,
        n_rows=design.values.size,
        n_sets=design.n_sets,
        n_clusters=design.n_clusters,
    )
    return frame[schemas.table("anova").names]


def resampled_shares(design: Design, typ: int, rng: np.random.Generator, n_resamples: int) -> Floats:
    """(R, E + 1) eta squared of resamples of whole clusters, in the order of :func:`eta_squared`.

    Every resample keeps models and languages balanced inside each bias type, so that its sums of squares come from
    sums over cells. A type that is not drawn is out of that resample. A resample without any variance gives NaN.
    """
    part = partition(design.clusters)
    n_types, inner = len(design.levels[2]), design.values.shape[1:]
    values = (design.values - design.values.mean()).reshape(design.n_sets, -1)
    totals = np.zeros((part.n_clusters, n_types, values.shape[1]))
    counts = np.zeros((part.n_clusters, n_types))
    np.add.at(totals, (part.index, design.types), values)
    np.add.at(counts, (part.index, design.types), 1.0)
    squares = part.sums((values**2).sum(axis=1))
    blocks = []
    draws = cluster_draws(part.n_clusters, n_resamples, rng)
    for start in range(0, n_resamples, _BLOCK):
        block = draws[start : start + _BLOCK]
        n = block @ counts
        sums = (block @ totals.reshape(part.n_clusters, -1)).reshape(len(block), n_types, *inner).transpose(0, 2, 3, 1)
        blocks.append(_shares(sums, n, block @ squares, typ))
    return np.concatenate(blocks)


def _shares(sums: Floats, counts: Floats, squares: Floats, typ: int) -> Floats:
    """(R, E + 1) shares of the total, from (R, A, B, C) sums, (R, C) counts and (R,) sums of squares."""
    weights = counts[:, None, None, :]
    means = np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)
    found = anova_cells.balanced(means, counts, typ)
    between = (weights * means**2).sum(axis=(1, 2, 3))
    n_rows = counts.sum(axis=1) * sums.shape[1] * sums.shape[2]
    total = squares - sums.sum(axis=(1, 2, 3)) ** 2 / n_rows
    parts = [found[effect] for effect in anova_cells.effects_of(sums.shape[1:])]
    shares = np.stack([*parts, np.maximum(squares - between, 0.0)], axis=1)
    some = total > 1e-12 * squares
    result: Floats = np.divide(shares, total[:, None], out=np.full_like(shares, np.nan), where=some[:, None])
    return result


def _coded(frame: pd.DataFrame, typ: int) -> tuple[tuple[Ints, Ints, Ints], tuple[int, int, int], Floats]:
    missing = [name for name in (METRIC, *COLUMNS) if name not in frame.columns]
    if missing or typ not in TYPES:
        raise ValueError(
            f"missing columns {missing}; needed are {[METRIC, *COLUMNS]}" if missing else f"typ: {typ!r}; allowed: 2, 3"
        )
    values = frame[METRIC].to_numpy(dtype=np.float64)
    if not np.isfinite(values).all() or frame[list(COLUMNS)].isna().any(axis=None):
        raise ValueError(f"{METRIC} must be finite and model, lang and bias_type given; leave out rows without a value")
    coded = [np.unique(frame[name].to_numpy(dtype=str), return_inverse=True) for name in COLUMNS]
    shape = tuple(len(names) for names, _ in coded)
    if all(levels < 2 for levels in shape):
        raise ValueError("an analysis of variance needs a factor with two levels; model, lang and bias_type have one")
    model, lang, bias = (index.astype(np.int64) for _, index in coded)
    return (model, lang, bias), (shape[0], shape[1], shape[2]), values


def _fitted(
    codes: tuple[Ints, Ints, Ints], shape: tuple[int, int, int], values: Floats, typ: int
) -> dict[Effect, Squares]:
    """Sums of squares by statsmodels."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    axes = [axis for axis in range(3) if shape[axis] > 1]
    terms = {axis: f"C(f{axis}, Sum)" if typ == 3 else f"C(f{axis})" for axis in axes}
    data = pd.DataFrame({**{f"f{axis}": codes[axis] for axis in axes}, "y": values - values.mean()})
    table = anova_lm(ols("y ~ " + " * ".join(terms.values()), data).fit(), typ=typ)
    names = {":".join(terms[axis] for axis in effect): effect for effect in anova_cells.effects_of(shape)}
    return {
        effect: Squares(float(table.loc[name, "sum_sq"]), round(float(table.loc[name, "df"])))
        for name, effect in names.items()
    }


def table_of(squares: Mapping[Effect, Squares], residual: Squares, total: float) -> pd.DataFrame:
    """Shares, F and p of sums of squares: eta^2 = SS / total, F = (SS / df) / (SS_residual / df_residual).

    Args:
        squares: each effect's sum of squares and degrees of freedom; any unit.
        residual: those of the residual.
        total: total sum of squares, in the same unit.

    Returns:
        The frame of :func:`eta_squared`.
    """
    from scipy.stats import f as f_distribution

    mean_square = residual.sum_sq / residual.df if residual.df > 0 else float("nan")
    rows: list[dict[str, Any]] = []
    for name, one in (*((name_of(effect), one) for effect, one in squares.items()), (RESIDUAL, residual)):
        tested = name != RESIDUAL and one.df > 0 and mean_square > 0
        ratio = one.sum_sq / one.df / mean_square if tested else float("nan")
        p = float(f_distribution.sf(ratio, one.df, residual.df)) if tested else float("nan")
        share = one.sum_sq / total if total > 0 else float("nan")
        rows.append({"effect": name, "df": one.df, "sum_sq": one.sum_sq, "eta_sq": share, "F": ratio, "p": p})
    return pd.DataFrame(rows)
