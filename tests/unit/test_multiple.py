"""Holm's correction: by hand, and as statsmodels makes it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from dualpair.analysis.multiple import holm

ROOT = Path(__file__).resolve().parents[2]
P_VALUES = st.floats(0.0, 1.0)


def test_by_hand() -> None:
    # Times 4, 3, 2 and 1 in rising order: 0.04, 0.09, 0.08 (raised to 0.09), 0.5.
    assert holm([0.03, 0.5, 0.01, 0.04]) == pytest.approx([0.09, 0.5, 0.04, 0.09])
    assert holm([0.6, 0.7]).tolist() == [1.0, 1.0]


@given(st.lists(P_VALUES, min_size=1, max_size=30))
def test_it_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values).tolist() == multipletests(p_values, method="holm")[1].tolist()


@given(st.lists(P_VALUES | st.none(), max_size=10))
def test_missing_values_stay_and_do_not_count(given_: list[float | None]) -> None:
    p = np.array(given_, dtype=np.float64)
    corrected, known = holm(p), ~np.isnan(p)
    assert np.isnan(corrected).tolist() == (~known).tolist()
    assert corrected[known].tolist() == holm(p[known]).tolist()


def test_no_other_module_corrects_by_itself() -> None:
    own = re.compile(r"multipletests|def holm\(|maximum\.accumulate")
    files = sorted((ROOT / "dualpair").rglob("*.py"))
    assert [path.name for path in files if own.search(path.read_text(encoding="utf-8"))] == ["multiple.py"]
