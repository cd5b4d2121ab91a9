"""The report's section on I_GxA against |B_GxA|."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from dualpair.analysis.quadratic import TOLERANCE
from dualpair.languages import language_names
from dualpair.report.numbers import interval, not_enough, percent, percent_interval, significant
from dualpair.report.plots.quadratic import quadratic_plot
from dualpair.report.section import MORE_PAIRS, Facts, Section, ShownTable

ID, TITLE = "quadratic", "I against B"
TABLES = ("quadratic", "quadratic_bins")


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section of the ``quadratic`` and ``quadratic_bins`` tables."""
    frame, bins = frames["quadratic"], frames["quadratic_bins"]
    return Section(
        ID,
        TITLE,
        _lead(frame, bins, facts),
        (quadratic_plot(bins, facts.unit, facts.models),),
        (
            ShownTable("quadratic", _caption(facts), quadratic_view(frame, facts.unit), _numeric(frame, facts)),
            ShownTable("quadratic_bins", _BINS, bins_view(bins, facts.unit), ("n",), folded=True),
        ),
        _cautions(frame),
        _METHODS,
        "" if len(bins) else not_enough(0, 1, "variant that differs between groups"),
        MORE_PAIRS,
    )


def quadratic_view(frame: pd.DataFrame, unit: str) -> pd.DataFrame:
    """The ``quadratic`` table as printed text."""
    within = zip(frame["within_share"], frame["within_low"], frame["within_high"], strict=True)
    return pd.DataFrame(
        {
            "Model": frame["model"].astype(str).tolist(),
            "Language": language_names(frame["lang"]),
            "Variants": frame["n"].astype(str).tolist(),
            "Over two groups": frame["n_more_groups"].astype(str).tolist(),
            "Left out": frame["n_equal"].astype(str).tolist(),
            f"Median |B_G×A| ({unit})": [significant(value) for value in frame["strength_median"]],
            "Median I_G×A (bits)": [significant(value) for value in frame["I_median"]],
            "Median I / law": [significant(value) for value in frame["ratio_median"]],
            "Within 10 %": [
                percent(share) + (f" [{ends}]" if (ends := percent_interval(low, high)) else "")
                for share, low, high in within
            ],
        }
    )


def bins_view(frame: pd.DataFrame, unit: str) -> pd.DataFrame:
    """The ``quadratic_bins`` table as printed text."""
    edges = zip(frame["bin_low"], frame["bin_high"], strict=True)
    middle = zip(frame["I_q10"], frame["I_q90"], strict=True)
    return pd.DataFrame(
        {
            "Model": frame["model"].astype(str).tolist(),
            "Language": language_names(frame["lang"]),
            f"|B_G×A| ({unit})": [f"{low:g} to under {high:g}".replace("under inf", "more") for low, high in edges],
            "n": frame["n"].astype(str).tolist(),
            "Mean I_G×A (bits)": [significant(value) for value in frame["I_mean"]],
            "10 % to 90 %": [interval(low, high, 3) for low, high in middle],
            "Mean of the law (bits)": [significant(value) for value in frame["law_mean"]],
            "I / law": [significant(value) for value in frame["ratio"]],
            "Within 10 %": [percent(value) for value in frame["within_share"]],
        }
    )


def _numeric(frame: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    return tuple(quadratic_view(frame, facts.unit).columns[2:-1])


def _lead(frame: pd.DataFrame, bins: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    asked = (
        "Does I_G×A tell anything that |B_G×A| does not? It measures the same in another currency. For small "
        "differences it follows a square, I ≈ B² p (1 − p) / (8 ln 2) bits with p = p_A; for large ones it levels off "
        "below 1 bit. Halving a small bias therefore quarters I."
    )
    if bins.empty:
        return (asked,)
    known = frame.dropna(subset=["within_share"])
    low, high = percent(known["within_share"].min()), percent(known["within_share"].max())
    span = low if low == high else f"{low} to {high}"
    found = f"The law is within {_WITHIN} for {span} of the variants of a model and language. "
    totals = bins.assign(I=bins["I_mean"] * bins["n"], law=bins["law_mean"] * bins["n"]).groupby("bin_low", sort=True)
    ratios = totals["I"].sum() / totals["law"].sum()
    off = ratios[(ratios - 1.0).abs() > TOLERANCE]
    found += (
        f"Over all models and languages it is off by more than that from |B_G×A| = {off.index[0]:g} {facts.unit} on."
        if len(off)
        else "Over all models and languages no bin of |B_G×A| is off by more than that."
    )
    return asked, found


def _caption(facts: Facts) -> str:
    return (
        f"Every variant with its alternate counts once. |B_G×A| in {facts.unit}, I_G×A in bits; 0 is no bias for "
        "both, and a ratio of 1 means that the law is exact. Left out: variants for which the law gives 0. Within 10 "
        "%: share of variants whose I is 0.9 to 1.1 times the law, with its 95 % bootstrap interval over clusters."
    )


_WITHIN = f"{100 * TOLERANCE:g} %"
_BINS = (
    "The same by bin of |B_G×A|. Mean of I, its 10 % and 90 % points, and mean of the law, in bits (0 is no bias); "
    "their ratio (1: the law is exact)."
)
_METHODS = (
    "I is compared with its second-order approximation in the log odds L of the groups, Var(L) p (1 − p) / (2 ln 2), "
    "which for two groups is B² p (1 − p) / (8 ln 2).",
)


def _cautions(frame: pd.DataFrame) -> tuple[str, ...]:
    texts = []
    more, total = int(frame["n_more_groups"].sum()), int(frame["n"].sum())
    if more:
        texts.append(
            f"{more} of {total} variants have more than two groups: in place of |B_G×A| stands twice the standard "
            "deviation of the groups’ log odds, which is |B_G×A| for two groups."
        )
    equal = int(frame["n_equal"].sum())
    if equal:
        texts.append(f"{equal} variants for which the law gives 0 are left out.")
    return tuple(texts)
