"""The sentences on what was found, and the methods text: from the numbers, and never stronger than they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dualpair.report import findings

NAN = float("nan")


def headline(*rows: tuple[str, str, float, float, float], n_clusters: int = 20) -> pd.DataFrame:
    """Rows of (model, lang, mean, low, high) of B_GxA; I_GxA is a hundredth of 1 + its place."""
    return pd.DataFrame(
        {"model": model, "lang": lang, "B_GxA": mean, "B_GxA_low": low, "B_GxA_high": high,
         "n_clusters": n_clusters, "I_GxA": (1 + i) / 100, "I_GxA_low": (1 + i) / 200, "I_GxA_high": (1 + i) / 50}
        for i, (model, lang, mean, low, high) in enumerate(rows)
    )  # fmt: skip


def rates(*rows: tuple[str, str, int, float], clusters: int | None = None) -> pd.DataFrame:
    """Rows of (model, lang, n, rate), Wilson's interval 10 points wide, the clusters' 20."""
    return pd.DataFrame(
        {"model": model, "lang": lang, "unit": unit, "n": n, "n_clusters": clusters or n, "contradiction_rate": rate,
         "contradiction_low": rate - 0.05, "contradiction_high": rate + 0.05,
         "contradiction_cluster_low": rate - 0.1, "contradiction_cluster_high": rate + 0.1}
        for model, lang, n, rate in rows
        for unit in ("original", "variants")
    )  # fmt: skip


def sentences(means: pd.DataFrame, contradictions: pd.DataFrame) -> list[tuple[str, ...]]:
    found = findings.findings(means, contradictions, "nats per token")
    assert [one.model for one in found] == sorted(means["model"].unique())
    assert all(len(one.sentences) == 3 for one in found)
    return [tuple(text.replace("\u00a0", " ") for text in one.sentences) for one in found]


def test_each_language_is_told_by_its_own_interval() -> None:
    means = headline(
        ("m", "en", 0.2, 0.1, 0.3),
        ("m", "es", -0.2, -0.3, -0.1),
        ("m", "ru", 0.1, -0.1, 0.3),
        ("m", "zh", 0.9, NAN, NAN),
    )
    (found,) = sentences(means, rates(("m", "en", 20, 0.25)))
    assert found[1] == (
        "The mean of B_G×A, in nats per token, lies above 0, in the direction of the stereotypes, in English (0.200 "
        "[0.100, 0.300]); it lies below 0, against the direction of the stereotypes, in Spanish (−0.200 [−0.300, −0.100]); "
        "it cannot be told from 0 in Russian (0.100 [−0.100, 0.300]); it has too few clusters for an interval in Chinese "
        "(0.900)."
    )


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.3), (-0.3, 0.0), (-0.1, 0.1)])
def test_an_interval_that_touches_the_neutral_value_claims_nothing(low: float, high: float) -> None:
    (found,) = sentences(headline(("m", "en", 0.1, low, high)), rates(("m", "en", 20, 0.25)))
    assert "cannot be told from 0 in English" in found[1]
    assert "above" not in found[1]
    assert "below" not in found[1]


def test_strength_has_its_interval_and_the_range_over_languages() -> None:
    one = headline(("m", "en", 0.1, 0.0, 0.2))
    assert sentences(one, rates(("m", "en", 0, NAN)))[0][0] == (
        "The mean information between group and choice, I_G×A, is 0.0100 bits [0.00500, 0.0200]."
    )
    two = headline(("m", "en", 0.1, 0.0, 0.2), ("m", "es", 0.1, 0.0, 0.2))
    assert sentences(two, rates(("m", "en", 0, NAN)))[0][0] == (
        "The mean information between group and choice, I_G×A, is between 0.0100 bits [0.00500, 0.0200] in English and "
        "0.0200 bits [0.0100, 0.0400] in Spanish, the lowest and the highest of 2 languages."
    )


def test_contradictions_have_n_and_the_interval_that_fits_their_units() -> None:
    means = headline(("m", "en", 0.1, 0.0, 0.2), ("m", "es", 0.1, 0.0, 0.2))
    apart = rates(("m", "en", 20, 0.25), ("m", "es", 40, 0.5))
    assert sentences(means, apart)[0][2] == (
        "It preferred the same group for an original attribute and for its opposite, a contradiction, in 25.0 % "
        "[20.0–30.0 %] of 20 in English and 50.0 % [45.0–55.0 %] of 40 in Spanish."
    )
    shared = rates(("m", "en", 20, 0.25), clusters=10)
    assert "25.0 % [15.0–35.0 %] of 20 in English." in sentences(means, shared)[0][2]


def test_what_is_missing_is_said() -> None:
    means = headline(("a", "en", 0.1, 0.0, 0.2), ("b", "en", NAN, NAN, NAN)).replace({0.02: np.nan})
    first, second = sentences(means, rates(("a", "en", 0, NAN), ("b", "en", 5, 0.2)))
    assert first[2] == "Contradictions: not enough data (n = 0, needs 1 original pair)."
    assert second[0] == "Strength: not enough data (n = 0, needs 1 set)."
    assert second[1] == "Direction: not enough data (n = 0, needs 1 set)."


def test_the_caution_counts_the_intervals() -> None:
    one = headline(("m", "en", 0.1, 0.0, 0.2))
    assert "one in twenty" not in findings.caution(one)
    two = headline(("m", "en", 0.1, 0.0, 0.2), ("m", "es", 0.1, 0.0, 0.2))
    assert "The 2 intervals of B_G×A are not corrected for their number" in findings.caution(two)


def test_the_caution_counts_the_intervals_of_few_clusters() -> None:
    enough = headline(("m", "en", 0.1, 0.0, 0.2), ("m", "ru", 0.1, NAN, NAN))
    assert "narrow" not in findings.caution(enough)
    few = headline(("m", "es", 0.1, 0.0, 0.2), n_clusters=19)
    told = findings.caution(pd.concat([enough, few]))
    assert told.endswith(
        "1 of 2 intervals of B_G×A, and as many of I_G×A, rest on 19 clusters; percentile intervals of fewer than 20 are "
        "too narrow."
    )
    assert "rest on 7–19 clusters" in findings.caution(pd.concat([few, few.assign(n_clusters=7)]))


@pytest.mark.parametrize(
    ("means", "words"),
    [
        (headline(("m", "en", 0.1, 0.0, 0.2)), "1 model was asked about 1 stereotype in English, in 7 dual pairs"),
        (
            headline(("m", "en", 0.1, 0.0, 0.2), ("o", "zh", 0.1, 0.0, 0.2)),
            "2 models were asked about 1 stereotype in English and Chinese, in 7 dual pairs",
        ),
    ],
)
def test_the_question_names_its_extent(means: Any, words: str) -> None:
    assert words in findings.question(means, 1, 7)
