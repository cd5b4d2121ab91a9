"""What was made: counts per set, by language and bias type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts
from dualpair.analysis.made import ALL_TYPES, made
from dualpair.report.section import Facts
from dualpair.report.sections import made as section

FACTS = Facts("nats per token", 0.0, 1, {"bootstrap": 200}, {"m": {}}, ("en", "es", "ru"))


def rows(*given: tuple[str, str, str], **columns: Any) -> list[dict[str, Any]]:
    return [
        {"lang": lang, "set_id": set_id, "bias_type": bias, "kept": True, **columns} for lang, set_id, bias in given
    ]


A, B, C, D = ("en", "a", "age"), ("en", "b", "age"), ("en", "c", "gender"), ("es", "a", "age")


def tables() -> dict[str, pd.DataFrame]:
    """en: a has 3 groups and 2 paraphrases, b 2 groups and nothing made, c no split; es: a with its original only."""
    sets = [
        *rows(A, groups=["1", "2", "3"]), *rows(B, D, groups=["1", "2"]), *rows(C, groups=[], kept=False),
    ]  # fmt: skip
    variants = [
        *rows(A, B, D, is_original=True), *rows(A, A, is_original=False), *rows(A, B, is_original=False, kept=False),
    ]  # fmt: skip
    alternates = [*rows(A, A, A, A, D), *rows(A, D, kept=False)]
    return {
        "stereotypes": pd.DataFrame([*rows(A, A, A, B, B, C, D, D)]),
        "sets": pd.DataFrame(sets),
        "variants": pd.DataFrame(variants),
        "alternates": pd.DataFrame(alternates),
        "augmented": pd.DataFrame(rows(A, A, A, D)),
    }


def test_counts_by_hand(tmp_path: Path) -> None:
    found = made(**tables())
    assert found[["lang", "bias_type"]].values.tolist() == [
        ["en", ALL_TYPES], ["en", "age"], ["en", "gender"], ["es", ALL_TYPES], ["es", "age"],
    ]  # fmt: skip
    everything = found.iloc[0]
    assert (everything["n_stereotypes"], everything["n_sets"], everything["n_paired"]) == (3, 2, 1)
    values = {
        name: (everything[f"n_{name}"], *(everything[f"{name}_{part}"] for part in ("mean", "median", "max")))
        for name in ("groups", "paraphrases", "alternates", "pairs")
    }
    assert values == {
        "groups": (5, 2.5, 2.5, 3.0), "paraphrases": (2, 1.0, 1.0, 2.0), "alternates": (4, 2.0, 2.0, 4.0),
        "pairs": (3, 1.5, 1.5, 3.0),
    }  # fmt: skip
    spanish = found.iloc[3]
    assert (spanish["n_paraphrases"], spanish["pairs_mean"], spanish["groups_max"]) == (0, 1.0, 2.0)
    artifacts.write(found, tmp_path / "made.parquet", "made")


def test_a_type_without_a_kept_set_has_counts_and_no_means() -> None:
    row = made(**tables()).iloc[2]
    assert (row["n_stereotypes"], row["n_sets"], row["n_groups"]) == (1, 0, 0)
    assert row[["groups_mean", "pairs_median", "alternates_max"]].isna().all()


def test_sums_over_types_are_the_row_of_all_types() -> None:
    found = made(**tables())
    for lang, part in found.groupby("lang"):
        own = part[part["bias_type"] != ALL_TYPES]
        whole = part[part["bias_type"] == ALL_TYPES].iloc[0]
        for name in [name for name in found.columns if name.startswith("n_")]:
            assert own[name].sum() == whole[name], (lang, name)


def test_a_type_with_the_reserved_name_is_refused() -> None:
    with pytest.raises(ValueError, match="stands for all of them"):
        made(**{name: frame.assign(bias_type=ALL_TYPES) for name, frame in tables().items()})


def test_the_section_says_what_each_language_has() -> None:
    made_of = section.section({"made": made(**tables())}, FACTS)
    assert (
        "English: 2 of 3 stereotypes became sets, 1 of them with at least one pair; per set 1.00 paraphrases"
        in made_of.lead[1]
    )
    assert made_of.cautions == ("No pair was made in: Russian.",)
    assert made_of.tables[0].view.iloc[0].tolist()[-4:] == [
        "2.50 / 2.5 / 3", "1.00 / 1 / 2", "2.00 / 2 / 4", "1.50 / 1.5 / 3",
    ]  # fmt: skip
    assert made_of.tables[0].view.iloc[2].tolist()[-4:] == [""] * 4
    assert not made_of.shortfall


def test_nothing_made_is_said() -> None:
    empty = {name: frame.assign(kept=False) for name, frame in tables().items()}
    made_of = section.section({"made": made(**empty | {"augmented": tables()["augmented"].head(0)})}, FACTS)
    assert made_of.shortfall == "not enough data (n = 0, needs 1 kept set)"
    assert made_of.lead == (section._QUESTION,)
