"""Contradiction and flip rates with Wilson intervals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts
from dualpair.analysis.contradictions import rates, wilson
from dualpair.measures.dual_pair import dual_pair
from dualpair.measures.tables import measure_sets

# (B_G, B_G_alt) per contrast. s1: contradiction and flip; s2: contradiction; s3: none; s4: tie; s5: no original.
DATA: dict[tuple[str, str], list[tuple[float, float]]] = {
    ("s1", "v0"): [(1.0, 2.0), (-1.0, -0.5)],
    ("s1", "p1"): [(-1.0, 4.0), (-1.0, 4.0)],
    ("s2", "v0"): [(-2.0, -1.0)],
    ("s3", "v0"): [(1.0, -1.0)],
    ("s4", "v0"): [(0.0, 1.0)],
    ("s5", "p1"): [(1.0, 3.0)],
}


def measures(tie: float = 0.0, model: str = "tiny", lang: str = "en") -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for (set_id, variant), biases in DATA.items():
        x, y = [0.0, *(-b for b, _ in biases)], [0.0, *(-b for _, b in biases)]
        result = dual_pair(x, y, tie)
        row: dict[str, Any] = {"model": model, "set_id": set_id, "cluster_id": set_id, "lang": lang, "bias_type": "age"}
        row |= {"variant_id": variant, "x": x, "y": y, "p_A": result.p_A, "I_GxA": result.I_GxA}
        row |= {name: getattr(result, name).tolist() for name in ("q", "B_G", "B_G_alt", "B_GxA")}
        row |= {name: getattr(result, name) for name in ("B_signed_mean", "absB_avg", "absB_max")}
        rows.append(row | {name: getattr(result, name) for name in ("contradiction", "flip", "tie")})
    return pd.DataFrame(rows)


def counts(frame: pd.DataFrame) -> dict[str, tuple[int, ...]]:
    columns = ["n", "n_ties", "n_contradictions", "n_flips"]
    return {row["unit"]: tuple(int(row[name]) for name in columns) for _, row in frame.iterrows()}


def test_the_four_units() -> None:
    # set means: s1 has B_G (1 - 1 - 1 - 1) / 4 = -0.5 and B_G_alt (2 - 0.5 + 4 + 4) / 4 > 0: no contradiction.
    table = measures()
    assert counts(rates(table, measure_sets(table))) == {
        "original": (4, 1, 2, 1),
        "contrasts": (5, 1, 3, 1),
        "variants": (6, 1, 3, 2),
        "set_means": (5, 1, 2, 1),
    }


def test_rates_are_shares_of_all_units() -> None:
    table = measures()
    row = rates(table, measure_sets(table)).set_index("unit").loc["original"]
    assert (row["contradiction_rate"], row["flip_rate"]) == (0.5, 0.25)
    assert 0 < row["contradiction_low"] < 0.5 < row["contradiction_high"] < 1


def test_a_tie_counts_as_neither() -> None:
    table = measures(tie=1.0)
    found = counts(rates(table, measure_sets(table), tie=1.0))
    assert found["original"] == (4, 4, 0, 0)
    # Every first contrast has a |B| of at most 1 on one of its two sides.
    assert found["variants"] == (6, 6, 0, 0)


def test_another_tie_than_the_measures_have_is_refused() -> None:
    table = measures()
    with pytest.raises(ValueError, match=r"other outcomes than tie = 1.0 gives, e.g. set s1, en, v0, tiny"):
        rates(table, measure_sets(table), tie=1.0)


def test_models_and_languages_are_counted_apart() -> None:
    table = pd.concat([measures(), measures(model="big"), measures(lang="ru").iloc[2:3]], ignore_index=True)
    found = rates(table, measure_sets(table))
    assert found[["model", "lang"]].drop_duplicates().values.tolist() == [["big", "en"], ["tiny", "en"], ["tiny", "ru"]]
    assert found.set_index(["model", "lang", "unit"]).loc[("tiny", "ru", "original"), "n"] == 1


def test_no_original_means_no_rate(tmp_path: Path) -> None:
    table = measures().query("set_id == 's5'").reset_index(drop=True)
    found = rates(table, measure_sets(table))
    row = found.set_index("unit").loc["original"]
    assert row["n"] == 0
    assert row[["contradiction_rate", "contradiction_low", "flip_high"]].isna().all()
    artifacts.write(found, tmp_path / "c.parquet", "contradictions")
    assert artifacts.read(tmp_path / "c.parquet", "contradictions")["contradiction_rate"].isna().sum() == 2


def test_tables_of_different_models_are_refused() -> None:
    table = measures()
    with pytest.raises(ValueError, match="cover different models and languages"):
        rates(table, measure_sets(measures(model="big")))


def test_wilson_by_hand() -> None:
    # 2 of 10: centre (0.2 + z^2/20) / (1 + z^2/10), half width z sqrt(0.2 * 0.8 / 10 + z^2/400) / (1 + z^2/10).
    z = 1.959963984540054
    centre = (0.2 + z * z / 20) / (1 + z * z / 10)
    half = z * math.sqrt(0.2 * 0.8 / 10 + z * z / 400) / (1 + z * z / 10)
    assert wilson(2, 10) == pytest.approx((0.2, centre - half, centre + half), abs=1e-12)
    assert wilson(0, 20)[1] == 0.0
    assert wilson(0, 20)[2] > 0.1
    assert all(math.isnan(value) for value in wilson(0, 0))


@pytest.mark.parametrize(("count", "n"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        wilson(count, n)


def test_empty_tables_give_an_empty_table() -> None:
    table = measures()
    assert rates(table.head(0), measure_sets(table).head(0)).empty
