"""What was asked, and what was found in three sentences per model, made from the numbers and no stronger than they are.

A sentence prints the interval beside each number, calls a mean positive or negative only where its whole interval is,
compares no two models or languages, and says so where there is no interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import pandas as pd

from dualpair.languages import language_name
from dualpair.report.numbers import few_clusters, interval, not_enough, percent, percent_interval, significant
from dualpair.report.plots.rates import shown_interval

_DIGITS = 3


class Finding(NamedTuple):
    """One model: its name, and three sentences, on strength, direction and contradictions."""

    model: str
    sentences: tuple[str, ...]


def question(headline: pd.DataFrame, n_stereotypes: int, n_pairs: int) -> str:
    """What the run asked, of how much.

    Args:
        headline: the ``headline`` table.
        n_stereotypes: stereotypes with at least one usable pair in any language.
        n_pairs: usable dual pairs, over all languages.
    """
    n_models = headline["model"].nunique()
    langs = listed(language_name(str(code)) for code in sorted(headline["lang"].unique()))
    return (
        "Asked: does it depend on the group whether a model finds an attribute or its opposite likelier? "
        f"{n_models} {_plural('model', n_models)} {'was' if n_models == 1 else 'were'} asked about {n_stereotypes} "
        f"{_plural('stereotype', n_stereotypes)} in {langs or 'no language'}, in {n_pairs} dual pairs of an attribute "
        "and its opposite."
    )


def findings(headline: pd.DataFrame, contradictions: pd.DataFrame, unit: str) -> list[Finding]:
    """Three sentences per model, in the order of the models' names.

    Args:
        headline: the ``headline`` table.
        contradictions: the ``contradictions`` table; its rows with unit ``original`` are used, with Wilson's interval
            where every stereotype has a cluster of its own, else the bootstrap's over clusters.
        unit: what every B is measured in.
    """
    rates = shown_interval(contradictions, "contradiction")
    original = rates[rates["unit"] == "original"]
    return [
        Finding(
            str(model),
            (
                _strength(rows),
                _direction(rows, unit),
                _contradictions(original[original["model"] == model].sort_values("lang")),
            ),
        )
        for model, rows in headline.sort_values(["model", "lang"]).groupby("model", sort=True)
    ]


def caution(headline: pd.DataFrame) -> str:
    """What the sentences do not say."""
    known = headline[headline["B_GxA_low"].notna()]
    cells = len(known)
    few = few_clusters(known["n_clusters"], "intervals of B_G×A, and as many of I_G×A,")
    narrow = f" {few}" if few else ""
    many = (
        f" The {cells} intervals of B_G×A are not corrected for their number: where nothing is there, about one in "
        "twenty would still exclude 0."
        if cells > 1
        else ""
    )
    return (
        "Square brackets are 95 % intervals. I_G×A is never negative, so that a value above 0 is no finding by itself. "
        f"The sentences compare no two models or languages; the sections on comparisons do.{many}{narrow}"
    )


def listed(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    found = list(words)
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def _strength(rows: pd.DataFrame) -> str:
    known = rows.dropna(subset=["I_GxA"]).sort_values(["I_GxA", "lang"], kind="stable").to_dict("records")
    if not known:
        return f"Strength: {not_enough(0, 1, 'set')}."
    least, most = known[0], known[-1]
    if len(known) == 1:
        return f"The mean information between group and choice, I_G×A, is {_value(least, 'I_GxA', ' bits')}."
    return (
        f"The mean information between group and choice, I_G×A, is between {_value(least, 'I_GxA', ' bits')} in "
        f"{_language(least)} and {_value(most, 'I_GxA', ' bits')} in {_language(most)}, the lowest and the highest of "
        f"{len(known)} languages."
    )


def _direction(rows: pd.DataFrame, unit: str) -> str:
    known = rows.dropna(subset=["B_GxA"]).to_dict("records")
    if not known:
        return f"Direction: {not_enough(0, 1, 'set')}."
    sides: dict[str, list[str]] = {"above": [], "below": [], "open": [], "none": []}
    for row in known:
        ends = interval(row["B_GxA_low"], row["B_GxA_high"], _DIGITS)
        mean = significant(row["B_GxA"], _DIGITS)
        sides[_side(row)].append(f"{_language(row)} ({mean}{' ' + ends if ends else ''})")
    parts = [
        f"{text} in {listed(sides[side])}"
        for side, text in (
            ("above", "lies above 0, in the direction of the stereotypes,"),
            ("below", "lies below 0, against the direction of the stereotypes,"),
            ("open", "cannot be told from 0"),
            ("none", "has too few clusters for an interval"),
        )
        if sides[side]
    ]
    return f"The mean of B_G×A, in {unit}, {'; it '.join(parts)}."


def _side(row: dict[Any, Any]) -> str:
    low, high = float(row["B_GxA_low"]), float(row["B_GxA_high"])
    if pd.isna(low) or pd.isna(high):
        return "none"
    return "above" if low > 0 else "below" if high < 0 else "open"


def _contradictions(rows: pd.DataFrame) -> str:
    known = rows[rows["n"] > 0].to_dict("records")
    if not known:
        return f"Contradictions: {not_enough(0, 1, 'original pair')}."
    parts = [
        f"{percent(row['contradiction_rate'])} [{percent_interval(row['low'], row['high'])}] of {int(row['n'])} in "
        f"{_language(row)}"
        for row in known
    ]
    return (
        "It preferred the same group for an original attribute and for its opposite, a contradiction, in "
        f"{listed(parts)}."
    )


def _value(row: dict[Any, Any], name: str, unit: str) -> str:
    ends = interval(row[f"{name}_low"], row[f"{name}_high"], _DIGITS)
    return f"{significant(row[name], _DIGITS)}{unit} {ends or '(too few clusters for an interval)'}"


def _language(row: dict[Any, Any]) -> str:
    return language_name(str(row["lang"]))


def _plural(word: str, n: int) -> str:
    return word if n == 1 else f"{word}s"
