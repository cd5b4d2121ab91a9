"""The report's section on the analysis of variance and the mixed models beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair.analysis.anova import RESIDUAL
from dualpair.analysis.anova_design import FACTORS
from dualpair.analysis.mixed import INTERCEPT, SET
from dualpair.analysis.resampling import FEW_CLUSTERS
from dualpair.languages import language_name
from dualpair.report.numbers import not_enough, percent
from dualpair.report.plots import anova as plots
from dualpair.report.section import MORE_PAIRS, Facts, Section
from dualpair.report.sections import anova_tables as tables
from dualpair.report.sections.languages import LEVEL

TABLES = ("anova", "anova_levels", "anova_mixed", "anova_variances")
_TITLE = "What the variance comes from"
_ID = "anova"
_QUESTION = "How much of the spread of I_G×A goes with the model, the language and the bias type?"
_OPTIMISTIC = f"Such tests are too optimistic on few sets (fewer than {FEW_CLUSTERS})."
_PLURAL = {"model": "models", "language": "languages", "bias_type": "bias types"}


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; where complete sets or factors lack, which."""
    anova, levels, mixed, variances = (frames[name] for name in TABLES)
    short = shortfall(anova, levels)
    shown = (
        tables.effects_table(anova),
        tables.mixed_table(mixed, few_sets(anova)),
        tables.variances_table(variances),
        tables.levels_table(levels),
    )
    drawings = (plots.drawing(anova, short),)
    if short:
        return Section(_ID, _TITLE, (_QUESTION,), drawings, shown, shortfall=short, remedy=_remedy(anova, levels))
    lead = (f"{_QUESTION} {_rows(anova, levels)}", _found(anova, facts), _found_mixed(anova, mixed, variances, facts))
    return Section(
        _ID,
        _TITLE,
        tuple(text for text in lead if text),
        drawings,
        shown,
        _cautions(anova, levels, variances, facts),
        _methods(anova, mixed, facts),
    )


def shortfall(anova: pd.DataFrame, levels: pd.DataFrame) -> str:
    """What the analysis lacks; empty where there is something to show."""
    if len(anova):
        return "" if anova["eta_sq"].notna().any() else "not enough data: all values of I_G×A are equal"
    complete = _complete(levels)
    if complete and not levels["used"].any():
        return "not enough data: one model, one language and one bias type leave nothing to compare"
    have = levels[levels["factor"] == "language"]
    counts = ", ".join(f"{language_name(str(row.level))} {row.n_any}" for row in have.itertuples())
    each = f"; sets per language: {counts}" if len(have) > 1 else ""
    return not_enough(complete, 3, "sets that every model has in every language, two of them of one bias type") + each


def few_sets(anova: pd.DataFrame) -> str:
    """On how many sets the mixed models' tests rest and, of few, what that does; begins with a space."""
    if anova.empty:
        return ""
    n_sets, n_clusters = int(anova["n_sets"].iloc[0]), int(anova["n_clusters"].iloc[0])
    apart = "" if n_clusters == n_sets else f" ({n_clusters} clusters)"
    text = f" The tests rest on {n_sets} sets{apart}."
    return f"{text} {_OPTIMISTIC}" if n_clusters < FEW_CLUSTERS else text


def _remedy(anova: pd.DataFrame, levels: pd.DataFrame) -> str:
    """What gives the analysis something to compare."""
    if len(anova):
        return "Look at the tables of scores: models that score every sentence alike cannot be told apart."
    if _complete(levels) and not levels["used"].any():
        return "Name a second model under `roles: score` or a second language under `languages`."
    return (
        f"{MORE_PAIRS} A language in which few sets have a pair leaves few complete ones: it may be taken out of "
        "`languages`."
    )


def _complete(levels: pd.DataFrame) -> int:
    """Sets that every model has in every language."""
    return int(levels.loc[levels["factor"] == "model", "n_complete"].max()) if len(levels) else 0


def _rows(anova: pd.DataFrame, levels: pd.DataFrame) -> str:
    row = anova.iloc[0]
    sizes = {factor: int(levels.loc[levels["factor"] == factor, "n_complete"].gt(0).sum()) for factor in FACTORS}
    used = set(levels.loc[levels["used"], "factor"])
    told = " × ".join(f"{sizes[factor]} {_PLURAL[factor]}" for factor in ("language", "model") if factor in used)
    text = (
        f"Rows are sets under a model in a language: {row.n_sets} sets that every model has in every language"
        f"{f' × {told}' if told else ''} = {row.n_rows} rows."
    )
    out = [factor for factor in FACTORS if factor not in used]
    if out:
        names = " and ".join(factor.replace("_", " ") for factor in out)
        text += f" Left out, having one level: {names}."
    return text


def _found(anova: pd.DataFrame, facts: Facts) -> str:
    rows = plots.ordered(anova)
    effects = rows[rows["effect"] != RESIDUAL].sort_values("eta_sq", ascending=False, kind="stable")
    largest = effects.iloc[0]
    rest = float(rows.loc[rows["effect"] == RESIDUAL, "eta_sq"].iloc[0])
    text = (
        f"The largest share is that of {plots.label(str(largest['effect']))}, {percent(largest['eta_sq'])}; the "
        f"residual (differences between sets of one type, and what is particular to a set under a model in a language) "
        f"is {percent(rest)}."
    )
    known = effects.dropna(subset=["eta_sq_low"])
    if known.empty:
        return f"{text} {_no_intervals(largest, facts)}"
    clear = [plots.label(str(name)) for name in known.loc[known["eta_sq_low"] > 0, "effect"]]
    unclear = [plots.label(str(name)) for name in known.loc[known["eta_sq_low"] <= 0, "effect"]]
    told = f"The interval of the share less chance excludes 0 for {', '.join(clear) or 'no effect'}"
    told += f"; it includes 0 for {', '.join(unclear)}" if unclear else ""
    withheld = withheld_effects(anova, facts)
    return f"{text} {told}" + (f"; it is withheld for {', '.join(withheld)}." if withheld else ".")


def _no_intervals(largest: pd.Series[Any], facts: Facts) -> str:
    """Why no effect has an interval, and what chance alone would give the largest."""
    if not facts.analysis["anova"]["resamples"]:
        return "There are no intervals."
    df, clusters = int(largest["df"]), int(largest["n_clusters"])
    chance = percent(df / (int(largest["n_rows"]) - 1))
    why = (
        f"With {clusters} clusters, fewer than {FEW_CLUSTERS}, the bootstrap cannot tell chance from effect"
        if clusters < FEW_CLUSTERS
        else "The bootstrap could not tell chance from effect"
    )
    return (
        f"{why}: shares less chance and their intervals are withheld, and no share is a finding by itself. By "
        f"chance alone, the largest’s {df} degrees of freedom would take about {chance} of the spread of independent "
        "rows."
    )


def withheld_effects(anova: pd.DataFrame, facts: Facts) -> list[str]:
    """Labels of the effects whose share less chance is withheld, as the bootstrap cannot tell chance from effect."""
    if not facts.analysis["anova"]["resamples"]:
        return []
    rows = plots.ordered(anova)
    lacking = rows[(rows["effect"] != RESIDUAL) & rows["eta_sq"].notna() & rows["eta_sq_corrected"].isna()]
    return [plots.label(str(name)) for name in lacking["effect"]]


def _found_mixed(anova: pd.DataFrame, mixed: pd.DataFrame, variances: pd.DataFrame, facts: Facts) -> str:
    if not facts.analysis["anova"]["mixed_model"]:
        return ""
    if mixed.empty:
        return "There is no mixed model: with one model and one language no set is repeated."
    rows = plots.ordered(mixed)
    clear = [plots.label(str(name)) for name in rows.loc[rows["p_strata"] < LEVEL, "effect"]]
    share = variances[(variances["random"] == INTERCEPT) & (variances["component"] == SET)].iloc[0]
    told = (
        f"With the set as random effect, sets make up {percent(share['share'])} of the variance that the fixed effects "
        "leave (intraclass correlation)."
    )
    if share["at_boundary"]:
        told = (
            "With the set as random effect, the variance of sets is estimated as 0, the boundary: the model is that of "
            "independent rows."
        )
    return (
        f"{told} When sets may also differ by language and by model, F tests reject at {LEVEL:g} for "
        f"{', '.join(clear) or 'no effect'} ({len(rows)} tests, not corrected).{few_sets(anova)}"
    )


def _cautions(anova: pd.DataFrame, levels: pd.DataFrame, variances: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    row = anova.iloc[0]
    repeats = row.n_rows // row.n_sets
    texts = []
    beside = " or the intervals beside them" if anova["eta_sq_low"].notna().any() else ""
    if repeats > 1:
        texts.append(
            f"Repeated measures: every set is in {repeats} rows. The p-values that take rows as independent are far "
            "too small for the bias type, of which there are only as many observations as sets, and can be wrong "
            f"either way for the other effects. Quote the mixed model’s tests{beside}, with their number of sets."
        )
    if row.n_clusters < row.n_sets:
        texts.append(
            f"{row.n_sets} sets come from {row.n_clusters} clusters. The intervals draw clusters; the mixed models "
            "take sets as independent, so that their test of the bias type is too lenient."
        )
    withheld = withheld_effects(anova, facts)
    if withheld:
        effects = int((anova["effect"] != RESIDUAL).sum())
        why = (
            f"there are {row.n_clusters} clusters, and it needs {FEW_CLUSTERS}: with so few, the bootstrap cannot tell "
            "chance from effect"
            if row.n_clusters < FEW_CLUSTERS
            else "the correction came out above η² itself, although chance only adds to an effect’s share"
        )
        texts.append(f"η² less chance is withheld for {len(withheld)} of {effects} effects: {why}.")
    if anova["eta_sq_low"].notna().any():
        texts.append(
            "The intervals of η² are approximate: with 40 sets they covered the true share in 87 to 95 % of simulated "
            "worlds."
        )
    texts.append(
        "Sums of squares are of I_G×A, which is skewed and cannot be negative: a few sets with large values can carry "
        "an effect. The tests of more than two languages or models also assume that all their differences spread alike."
    )
    if len(variances) and variances["at_boundary"].any():
        texts.append("A variance of the mixed models is estimated at its boundary, 0; see the table.")
    mixed = int(levels["n_mixed"].max())
    if mixed:
        texts.append(f"{mixed} sets are left out because their bias type differs between languages or models.")
    return tuple(texts)


def _methods(anova: pd.DataFrame, mixed: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    settings = facts.analysis["anova"]
    kind = {2: "Type II", 3: "Type III (sum contrasts)"}[int(settings["type"])]
    texts = [
        f"Analysis of variance of I_G×A on {anova.iloc[0].n_sets} sets that every model has in every language, {kind} "
        "sums of squares, η² = share of the total sum of squares.",
    ]
    if anova["eta_sq_low"].notna().any():
        texts.append(
            f"η² was corrected for chance and given basic bootstrap intervals over clusters ({settings['resamples']} "
            "resamples)."
        )
    if len(mixed):
        texts.append(
            "Mixed models with the set (and set:language, set:model) as random effects, restricted maximum likelihood "
            f"in closed form on the balanced design, F tests (exact for normal effects) on {anova.iloc[0].n_sets} sets."
        )
    return tuple(texts)
