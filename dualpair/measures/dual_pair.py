"""Measures of one dual pair: an attribute and its alternate, each with every group of a stereotype.

Sources: dual minimal pairs (arXiv 2610.08747), sections 3 and 5.1. With group 0 the stereotyped group, the others
contrasts, x the mean log-probability per token of the attribute and y that of the alternate::

    B_G(j)     = x_0 - x_j                  B_G_alt(j) = y_0 - y_j
    B_GxA(j)   = B_G(j) - B_G_alt(j)        = logit q_0 - logit q_j
    q_g        = 1 / (1 + exp(y_g - x_g))   p_A = mean_g q_g
    I_GxA      = mean_g KL(Bern(q_g) || Bern(p_A))      in bits
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, rel_entr

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

# Below this relative difference log1p keeps digits that the plain logarithm of a ratio loses.
_NEAR = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class DualPair:
    """Measures of one dual pair with K groups; arrays are read-only.

    Attributes:
        q: (K,) P(attribute rather than alternate | group), 0 to 1; neutral 0.5.
        p_A: mean of q, 0 to 1; 0.5 where attribute and alternate are as likely.
        I_GxA: mutual information of group and attribute choice, in bits, 0 to min(1, log2 K); neutral 0.
        B_G: (K-1,) x of the stereotyped group minus x of each contrast, in nats; neutral 0.
        B_G_alt: (K-1,) the same for y, in nats; neutral 0.
        B_GxA: (K-1,) B_G - B_G_alt, in nats; neutral 0.
        B_signed_mean: mean of B_GxA over the contrasts, in nats, any sign; neutral 0.
        absB_avg: mean of |B_GxA| over the contrasts, in nats, at least |B_signed_mean|; neutral 0.
        absB_max: maximum of |B_GxA| over the contrasts, in nats, at least absB_avg; neutral 0.
        contradiction: B_G and B_G_alt of the first contrast have the same sign, neither is a tie.
        flip: B_GxA and B_G of the first contrast have opposite signs, neither is a tie; implies contradiction.
        tie: B_G or B_G_alt of the first contrast is a tie.
    """

    q: Floats
    p_A: float  # noqa: N815
    I_GxA: float
    B_G: Floats
    B_G_alt: Floats
    B_GxA: Floats
    B_signed_mean: float
    absB_avg: float  # noqa: N815
    absB_max: float  # noqa: N815
    contradiction: bool
    flip: bool
    tie: bool


class Outcomes(NamedTuple):
    """Elementwise outcome of comparing B_G with B_G_alt; the three arrays have the inputs' shape."""

    contradiction: Bools
    flip: Bools
    tie: Bools


def dual_pair(x: npt.ArrayLike, y: npt.ArrayLike, tie: float = 0.0) -> DualPair:
    """Measures of one dual pair (arXiv 2610.08747, sections 3 and 5.1).

    Args:
        x: (K,) mean log-probability per token of the attribute after each group, in nats; group 0 is stereotyped.
        y: (K,) the same for the alternate.
        tie: differences of at most this size (nats) have no sign; 0 means that only exact equality is a tie.

    Raises:
        ValueError: if x and y are not one-dimensional, differ in length, have fewer than 2 groups, hold a value that is
            not finite, or if tie is negative or not finite.
    """
    x, y = _checked(x, "x"), _checked(y, "y")
    if x.shape != y.shape:
        raise ValueError(f"x and y must have one value per group each: x has {x.size}, y has {y.size}")
    with np.errstate(under="ignore"):
        q, other = expit(x - y), expit(y - x)
    b_g, b_alt = x[0] - x[1:], y[0] - y[1:]
    b_gxa = b_g - b_alt
    first = outcomes(b_g[:1], b_alt[:1], tie)
    return DualPair(
        q=_frozen(q),
        p_A=float(q.mean()),
        I_GxA=_information(q, other),
        B_G=_frozen(b_g),
        B_G_alt=_frozen(b_alt),
        B_GxA=_frozen(b_gxa),
        B_signed_mean=float(b_gxa.mean()),
        absB_avg=float(np.abs(b_gxa).mean()),
        absB_max=float(np.abs(b_gxa).max()),
        contradiction=bool(first.contradiction[0]),
        flip=bool(first.flip[0]),
        tie=bool(first.tie[0]),
    )


def outcomes(b_g: npt.ArrayLike, b_g_alt: npt.ArrayLike, tie: float = 0.0) -> Outcomes:
    """Contradictions, flips and ties, element by element (arXiv 2610.08747, introduction and figure 3).

    A contradiction prefers the same group for the attribute and for its alternate; a flip is a contradiction whose
    alternate outweighs the attribute, so that B_GxA = B_G - B_G_alt points the other way than B_G.

    Args:
        b_g: differences between the stereotyped group and a contrast on the attribute, in nats, any shape.
        b_g_alt: the same on the alternate, same shape.
        tie: differences of at most this size (nats) have no sign.

    Raises:
        ValueError: if the shapes differ or tie is negative or not finite.
    """
    if not (math.isfinite(tie) and tie >= 0):
        raise ValueError(f"tie must be a finite number of nats, at least 0; found {tie!r}")
    g, alt = np.asarray(b_g, dtype=np.float64), np.asarray(b_g_alt, dtype=np.float64)
    if g.shape != alt.shape:
        raise ValueError(f"B_G and B_G_alt must have the same shape: found {g.shape} and {alt.shape}")
    sign_g, sign_alt, sign_gxa = _sign(g, tie), _sign(alt, tie), _sign(g - alt, tie)
    return Outcomes(
        contradiction=sign_g * sign_alt > 0,
        flip=sign_g * sign_gxa < 0,
        tie=(sign_g == 0) | (sign_alt == 0),
    )


def _sign(values: Floats, tie: float) -> Floats:
    return np.where(np.abs(values) <= tie, 0.0, np.sign(values))


def _information(q: Floats, other: Floats) -> float:
    """Mean over the groups of KL(Bern(q) || Bern(mean q)) in bits; ``other`` is 1 - q without its rounding."""
    p, s = float(q.mean()), float(other.mean())
    # Equal groups share exactly nothing; the mean of equal numbers may be off by a rounding.
    if p == 0.0 or s == 0.0 or ((q == q[0]).all() and (other == other[0]).all()):
        return 0.0
    # The difference is taken on the smaller side, where both terms keep their digits.
    delta = q - p if p <= s else s - other
    nats = _relative_entropy(q, p, delta) + _relative_entropy(other, s, -delta)
    return float(np.clip(nats.mean() / math.log(2), 0.0, 1.0))


def _relative_entropy(a: Floats, b: float, delta: Floats) -> Floats:
    """Elementwise a * ln(a / b) with a = b + delta, and 0 where a is 0."""
    near = np.abs(delta) < _NEAR * b
    with np.errstate(under="ignore"):
        return np.where(near, a * np.log1p(np.where(near, delta, 0.0) / b), rel_entr(a, b))


def _checked(values: npt.ArrayLike, name: str) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, one value per group; found shape {array.shape}")
    if array.size < 2:
        raise ValueError(f"{name} needs at least 2 groups, the stereotyped one and a contrast; found {array.size}")
    if not np.isfinite(array).all():
        index = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite; group {index} has {array[index]}")
    return array


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
