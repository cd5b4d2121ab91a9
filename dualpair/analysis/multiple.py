"""Correction for multiple tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dualpair.analysis.resampling import Floats


def holm(p_values: npt.ArrayLike) -> Floats:
    """Holm's (1979) step-down correction of the p-values of one family.

    The k-th smallest of K is multiplied by K - k + 1, made no smaller than those before it, and at most 1.

    Args:
        p_values: (N,) p-values, 0 to 1; NaN where a test could not be made.

    Returns:
        (N,) corrected p-values in input order. Missing ones stay missing and do not count in K.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]
    corrected = np.full(p.shape, np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(order.size, 0, -1)), 1.0)
    return corrected
