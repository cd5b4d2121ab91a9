"""Sums of squares of a three-way analysis of variance from cell means, for any number of design columns.

Axes are 0 model, 1 language, 2 bias type; an effect is a tuple of axes. Two ways that agree where both apply:

* :func:`balanced`: inside each bias type every (model, language) cell has the same number of rows. The cell weights are
  then a product of uniform weights (models, languages) and the types' shares, so that the effects are orthogonal: the
  decomposition of Hoeffding, Type I and Type II alike, and they add up to the total. Vectorised over resamples.
* :func:`general`: any counts. Type II from weighted least squares on the cell means, by comparing hierarchical models;
  Type III from contrasts of the cell means with equal weights (sum contrasts).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from dualpair.analysis.resampling import Floats, Ints

Effect = tuple[int, ...]
EFFECTS: tuple[Effect, ...] = tuple(chain.from_iterable(combinations(range(3), k) for k in (1, 2, 3)))
TYPE = 2
# Eigenvalues below this share of the largest are rounding, not a dimension of the design.
_RANK = 1e-9


class Cells(NamedTuple):
    """Rows of a three-way table by cell.

    Attributes:
        counts: (A, B, C) rows of each cell.
        means: (A, B, C) means less the grand mean; 0 where a cell is empty.
        total: sum of squares round the grand mean.
    """

    counts: Floats
    means: Floats
    total: float

    @property
    def within(self) -> float:
        """Sum of squares round the cell means."""
        return self.total - float((self.counts * self.means**2).sum())


class Squares(NamedTuple):
    """Sum of squares and degrees of freedom of one effect."""

    sum_sq: float
    df: int


def tabulate(codes: tuple[Ints, Ints, Ints], shape: tuple[int, int, int], values: Floats) -> Cells:
    """Cells of (N,) values with the given level numbers of the three factors."""
    flat = np.ravel_multi_index(codes, shape)
    size = int(np.prod(shape))
    # Equal values have no variance, whatever rounding makes of their mean.
    centred = values - values.mean() if np.ptp(values) > 0 else np.zeros(len(values))
    counts = np.bincount(flat, minlength=size).astype(np.float64)
    sums = np.bincount(flat, weights=centred, minlength=size)
    means = np.divide(sums, counts, out=np.zeros(size), where=counts > 0)
    return Cells(counts.reshape(shape), means.reshape(shape), float((centred**2).sum()))


def effects_of(shape: tuple[int, ...]) -> list[Effect]:
    """Effects of the factors that have two levels or more."""
    return [effect for effect in EFFECTS if all(shape[axis] > 1 for axis in effect)]


def is_balanced(counts: Floats) -> bool:
    """Whether every (model, language) cell of a bias type has the same number of rows, at least one."""
    return bool((counts > 0).all() and (counts == counts[:1, :1]).all())


def sums_of_squares(cells: Cells, typ: int = 2) -> dict[Effect, Squares]:
    """Every effect of factors with two levels or more, by :func:`balanced` where it applies, else :func:`general`.

    Raises:
        ValueError: if Type III is asked for and a cell is empty: its hypotheses are about the means of all cells.
    """
    if not is_balanced(cells.counts):
        return general(cells, typ)
    found = balanced(cells.means[None], cells.counts[:1, 0, :], typ)
    return {
        effect: Squares(float(found[effect][0]), int(np.prod([cells.counts.shape[axis] - 1 for axis in effect])))
        for effect in effects_of(cells.counts.shape)
    }


def balanced(means: Floats, counts: Floats, typ: int = 2) -> dict[Effect, Floats]:
    """Sums of squares of R tables at once whose models and languages are balanced inside each bias type.

    With weights w_t = n_t / n, marginal means m_S average over the axes outside S, and the effect of S is
    e_S = sum over T in S of (-1)^(|S| - |T|) m_T; its sum of squares adds n_t e_S^2 over all cells. Type III differs
    for effects without the bias type only: types weigh alike, and a (model, language) cell counts c^2 / sum_t(1 / n_t).

    Args:
        means: (R, A, B, C) cell means; any value where a type is empty.
        counts: (R, C) rows of each (model, language) cell of a type; a type with 0 is out of that table.
        typ: 2 or 3.

    Returns:
        Every effect of :data:`EFFECTS` to its (R,) sums of squares; 0 for factors with one level.
    """
    present = counts > 0
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = {effect: _weighted(means, shares, counts, effect) for effect in EFFECTS}
    if typ == 3:
        n_types = present.sum(axis=1, keepdims=True)
        inverse = np.divide(1.0, counts, out=np.zeros_like(counts), where=present).sum(axis=1, keepdims=True)
        alike = present * (n_types / inverse)
        for effect in ((0,), (1,), (0, 1)):
            found[effect] = _weighted(means, present / n_types, alike, effect)
    return found


def _weighted(means: Floats, shares: Floats, counts: Floats, effect: Effect) -> Floats:
    """Sum over cells of counts times the squared effect, when types are averaged with ``shares``."""
    weights = shares[:, None, None, :]
    value = np.zeros_like(means[:, :1, :1, :1])
    for size in range(len(effect) + 1):
        for kept in combinations(effect, size):
            margin = means if TYPE in kept else (means * weights).sum(axis=3, keepdims=True)
            out = tuple(axis + 1 for axis in (0, 1) if axis not in kept)
            value = value + (-1.0) ** (len(effect) - size) * (margin.mean(axis=out, keepdims=True) if out else margin)
    squares: Floats = (np.broadcast_to(value**2, means.shape) * counts[:, None, None, :]).sum(axis=(1, 2, 3))
    return squares


def general(cells: Cells, typ: int = 2) -> dict[Effect, Squares]:
    """Sums of squares for any counts, empty cells included (Type II only).

    Type II of an effect is what it adds to the model of all effects that do not contain it. A hierarchical model's
    explained sum of squares is c'(X'WX)^+ c with c = X'Wm of the cell means m, the counts W and the indicators X of its
    largest effects; degrees of freedom are differences of ranks, so that empty cells cost what they must.

    Raises:
        ValueError: if Type III is asked for and a cell is empty.
    """
    effects = effects_of(cells.counts.shape)
    if typ == 3:
        return {effect: _contrast(cells, effect) for effect in effects}
    found = {}
    for effect in effects:
        beside = [other for other in effects if not set(effect) <= set(other)]
        without, rank = _explained(cells, beside)
        whole, full = _explained(cells, [*beside, effect])
        found[effect] = Squares(max(whole - without, 0.0), full - rank)
    return found


def _explained(cells: Cells, effects: Iterable[Effect]) -> tuple[float, int]:
    """Sum of squares that a hierarchical model explains of the cell means, and its rank."""
    from scipy.sparse import csr_array, hstack

    terms = list(effects)
    largest = [one for one in terms if not any(set(one) < set(other) for other in terms)] or [()]
    index = np.indices(cells.counts.shape).reshape(3, -1)
    blocks = []
    for effect in largest:
        shape = tuple(cells.counts.shape[axis] for axis in effect)
        flat = np.ravel_multi_index(tuple(index[axis] for axis in effect), shape) if effect else index[0] * 0
        ones = (np.ones(flat.size), (np.arange(flat.size), flat))
        blocks.append(csr_array(ones, shape=(flat.size, int(np.prod(shape)))))
    weights = cells.counts.ravel()
    design = hstack(blocks, format="csr")
    gram = (design.T @ (design * weights[:, None])).toarray()
    right = design.T @ (weights * cells.means.ravel())
    values, vectors = np.linalg.eigh(gram)
    kept = values > _RANK * values[-1]
    projected = vectors[:, kept].T @ right
    return float((projected**2 / values[kept]).sum()), int(kept.sum())


def _contrast(cells: Cells, effect: Effect) -> Squares:
    """Type III: (Lm)'(L W^-1 L')^-1 (Lm), L contrasts of the effect's levels and means over the other factors'."""
    if (cells.counts == 0).any():
        raise ValueError(
            f"{int((cells.counts == 0).sum())} of {cells.counts.size} cells (model x language x bias type) are empty, "
            "and Type III sums of squares compare the means of all cells; use Type II"
        )
    rows: Floats = np.ones((1, 1))
    for axis, levels in enumerate(cells.counts.shape):
        one = np.eye(levels)[:-1] - np.eye(levels)[1:] if axis in effect else np.full((1, levels), 1.0 / levels)
        rows = np.kron(rows, one).astype(np.float64)
    difference = rows @ cells.means.ravel()
    spread = (rows / cells.counts.ravel()) @ rows.T
    return Squares(float(difference @ np.linalg.solve(spread, difference)), len(rows))
