"""The printed tables of the analysis of variance and of the mixed models beside it."""

from __future__ import annotations

import pandas as pd

from dualpair.languages import language_name
from dualpair.report.numbers import p_value, percent, percent_interval, significant
from dualpair.report.plots import anova as plots
from dualpair.report.section import ShownTable


def effects_table(anova: pd.DataFrame) -> ShownTable:
    """One row per effect of the ``anova`` table: sum of squares, shares, F and p."""
    rows = plots.ordered(anova)
    columns = {
        "Effect": [plots.label(str(name)) for name in rows["effect"]],
        "df": rows["df"].astype(str).tolist(),
        "Sum of squares": [significant(value) for value in rows["sum_sq"]],
        "η²": [_share(value) for value in rows["eta_sq"]],
        "F": [significant(value) for value in rows["F"]],
        "p (rows independent)": [p_value(p) for p in rows["p"]],
        "η² less chance": [
            f"{percent(value)} [{percent_interval(low, high)}]" if percent(value) and percent(low) else ""
            for value, low, high in zip(rows["eta_sq_corrected"], rows["eta_sq_low"], rows["eta_sq_high"], strict=True)
        ],
    }
    caption = (
        "Analysis of variance of I_G×A (sums of squares in bits²). η² is a share of the total sum of squares, as in "
        "the paper’s table 5; chance alone makes it positive. Less chance: the bootstrap’s correction with its basic "
        "95 % interval over clusters; neutral 0; empty where it is withheld or was not asked for."
    )
    return ShownTable("anova", caption, pd.DataFrame(columns), tuple(columns)[1:])


def _share(value: float) -> str:
    """Percent with two decimals, as the paper prints eta squared; empty when missing."""
    return "" if pd.isna(value) else f"{100 * value:.2f}\u00a0%"


def mixed_table(mixed: pd.DataFrame, few: str) -> ShownTable:
    """One row per effect of the ``anova_mixed`` table: the F tests of both mixed models.

    Args:
        mixed: the table.
        few: what :func:`dualpair.report.sections.anova.few_sets` says of its tests.
    """
    rows = plots.ordered(mixed)
    columns = {"Effect": [plots.label(str(name)) for name in rows["effect"]], "df": rows["df"].astype(str).tolist()}
    for end, what in (("", ""), ("_strata", ", finer")):
        columns |= {
            f"F{what}": [significant(value) for value in rows[f"F{end}"]],
            f"Error df{what}": rows[f"df{end}" if end else "df_error"].astype(str).tolist(),
            f"p{what}": [p_value(p) for p in rows[f"p{end}"]],
        }
    caption = (
        "F tests of two mixed models of I_G×A: the set is a random effect or, finer, set, set:language and set:model "
        "are. Without an effect F is near 1. F is the Wald statistic divided by df."
        f"{few}"
    )
    return ShownTable("anova_mixed", caption, pd.DataFrame(columns), tuple(columns)[1:])


def variances_table(variances: pd.DataFrame) -> ShownTable:
    """One row per component of the ``anova_variances`` table."""
    columns = {
        "Random effects": variances["random"].astype(str).tolist(),
        "Component": variances["component"].astype(str).tolist(),
        "Variance (bits²)": [significant(value) for value in variances["variance"]],
        "Share": [percent(value) for value in variances["share"]],
        "": ["at the boundary: would be negative" if edge else "" for edge in variances["at_boundary"]],
    }
    columns["Note"] = columns.pop("")
    caption = (
        "Variances of the random effects. They are of restricted maximum likelihood; beside them each component’s "
        "share of their sum; that of set in the first model is the intraclass correlation."
    )
    return ShownTable("anova_variances", caption, pd.DataFrame(columns), ("Variance (bits²)", "Share"), folded=True)


def levels_table(levels: pd.DataFrame) -> ShownTable:
    """One row per factor and level of the ``anova_levels`` table."""
    columns = {
        "Factor": [str(factor).replace("_", " ") for factor in levels["factor"]],
        "Level": [
            language_name(str(level)) if factor == "language" else str(level)
            for factor, level in zip(levels["factor"], levels["level"], strict=True)
        ],
        "Sets": levels["n_any"].astype(str).tolist(),
        "Complete sets": levels["n_complete"].astype(str).tolist(),
        "Used": ["yes" if used else "no" for used in levels["used"]],
    }
    caption = "Levels of the factors: sets that a level has at all, and those that every model has in every language."
    return ShownTable("anova_levels", caption, pd.DataFrame(columns), ("Sets", "Complete sets"), folded=True)
