"""The report's section on split-half reliability (table 3 of arXiv 2610.08747)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair.analysis.reliability import METRICS, MIN_PARAPHRASES, MIN_SETS
from dualpair.analysis.resampling import MIN_CLUSTERS
from dualpair.analysis.split_half import ALL, SPLITS_PER_DRAW
from dualpair.languages import language_name
from dualpair.report.figures import marked
from dualpair.report.numbers import MINUS
from dualpair.report.plots.reliability import split_half_figure
from dualpair.report.section import MORE_PARAPHRASES, Facts, Section, ShownTable

TABLES = ("split_half", "split_half_languages")
ID, TITLE = "reliability", "Reliability over halves of the paraphrases"
NAMES = {"I_GxA": "I_G×A", "absB_avg": "|B| avg", "absB_max": "|B| max"}
_QUESTION = (
    "Would other paraphrases rank the stereotypes alike? Each set’s paraphrases are halved at random, again and again, "
    "and the two halves’ means are correlated over sets. 1 says that the measure is one of the stereotype, whatever "
    "its wording; 0, the neutral value, that it is all wording and noise."
)


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; its shortfall where no model has enough sets with enough paraphrases in any language."""
    cells, means = frames["split_half"], frames["split_half_languages"]
    drawing = split_half_figure(cells, facts.models)
    tables = (languages_table(means), cells_table(cells, facts))
    methods = _methods(facts)
    if drawing.shortfall:
        return Section(ID, TITLE, (_QUESTION,), (drawing,), tables, (), methods, drawing.shortfall, MORE_PARAPHRASES)
    return Section(ID, TITLE, (_QUESTION, _found(cells, means)), (drawing,), tables, _cautions(cells), methods)


def languages_table(means: pd.DataFrame) -> ShownTable:
    """One row per language, and one over all: each metric's mean, interval, range and Spearman-Brown value."""
    rows = []
    for lang in [*sorted(set(means["lang"]) - {ALL}), *([ALL] if ALL in set(means["lang"]) else [])]:
        own = means.loc[means["lang"] == lang].set_index("metric")
        models = f"{own['n_cells'].max()}" + (f" ({own['n_missing'].max()} without)" if own["n_missing"].max() else "")
        row = {"Language": "All" if lang == ALL else language_name(lang), "Models": models}
        for metric in METRICS:
            one = own.loc[metric]
            row[NAMES[metric]] = _cell(one["mean"], one["low"], one["high"])
            row[f"{NAMES[metric]} range"] = fixed_interval(one["min"], one["max"])
            row[f"{NAMES[metric]} SB"] = fixed(one["spearman_brown"])
        rows.append(row)
    numeric = tuple(f"{NAMES[metric]}{suffix}" for metric in METRICS for suffix in ("", " range", " SB"))
    caption = (
        "Mean over models of the mean Spearman correlation between halves. Behind it its 95 % interval (bootstrap over "
        "clusters), the range over all repetitions and models, and the Spearman-Brown value (SB; ours), the expected "
        "correlation of all paraphrases with as many others. Neutral value 0. All: each model and language counts once."
    )
    view = pd.DataFrame(rows, columns=["Language", "Models", *numeric])
    return ShownTable("split_half_languages", caption, view, ("Models", *numeric))


def cells_table(cells: pd.DataFrame, facts: Facts) -> ShownTable:
    """One row per model and language."""
    rows = []
    for (model, lang), own in cells.groupby(["model", "lang"], sort=True):
        one = {str(value["metric"]): value for value in own.to_dict("records")}
        row = {
            "Model": marked(str(model), facts.models), "Language": language_name(str(lang)),
            "Sets": str(own["n_sets"].iloc[0]),
            "Left out": str(own["n_left_out"].iloc[0]), "Clusters": str(own["n_clusters"].iloc[0]),
        }  # fmt: skip
        for metric in METRICS:
            value = one[metric]
            row[NAMES[metric]] = _cell(value["mean"], value["low"], value["high"])
            row[f"{NAMES[metric]} range"] = fixed_interval(value["min"], value["max"])
        row["Undefined"] = str(own["n_undefined"].max())
        rows.append(row)
    measured = tuple(f"{NAMES[metric]}{suffix}" for metric in METRICS for suffix in ("", " range"))
    numeric = ("Sets", "Left out", "Clusters", *measured, "Undefined")
    caption = (
        "Every model and language: mean correlation, 95 % interval, range over the repetitions. Left out: measured "
        f"sets with fewer than {MIN_PARAPHRASES} paraphrases. Undefined: repetitions without a correlation, because "
        "all sets are equal in a half. Every digit: analysis/split_half.csv."
    )
    return ShownTable("split_half", caption, pd.DataFrame(rows, columns=["Model", "Language", *numeric]), numeric, True)


def _found(cells: pd.DataFrame, means: pd.DataFrame) -> str:
    parts = []
    for metric in METRICS:
        known = cells.loc[cells["metric"] == metric].dropna(subset=["mean"])
        if known.empty:
            continue
        lang = ALL if ALL in set(means["lang"]) else means["lang"].iloc[0]
        (one,) = means.loc[(means["lang"] == lang) & (means["metric"] == metric)].to_dict("records")
        parts.append(f"{NAMES[metric]} {_cell(one['mean'], one['low'], one['high'])}")
    known = cells.loc[cells["metric"] == METRICS[0]].dropna(subset=["mean"])
    first = f"Mean correlation over {len(known)} combination{'s' * (len(known) != 1)} of model and language: "
    text = first + ", ".join(parts) + "."
    if known.empty:
        return text
    ends = known.dropna(subset=["low"])
    ordered = known.sort_values("mean", kind="stable").to_dict("records")
    least, most = ordered[0], ordered[-1]
    if len(known) > 1:
        text += (
            f" {NAMES[METRICS[0]]} ranges from {fixed(least['mean'])} ({_named(least)}) to {fixed(most['mean'])} "
            f"({_named(most)})."
        )
    if ends.empty:
        return f"{text} None has an interval: that needs {MIN_CLUSTERS} clusters."
    apart = int(((ends["low"] > 0) | (ends["high"] < 0)).sum())
    return f"{text} The interval of {NAMES[METRICS[0]]} excludes 0 in {apart} of {len(ends)}."


def _named(row: Mapping[Any, Any]) -> str:
    return f"{row['model']}, {language_name(str(row['lang']))}"


def _cautions(cells: pd.DataFrame) -> tuple[str, ...]:
    texts = [
        "Reliability is not validity: a measure can repeat itself and still not measure bias. Halves have half of the "
        "paraphrases each, so that the correlations understate the reliability of all of them.",
        "The range is over random halvings of the same data; the interval says how far other stereotypes could lead.",
    ]
    lost = cells.groupby(["model", "lang"])["n_left_out"].first()
    if lost.sum():
        texts.append(f"Up to {int(lost.max())} sets of a model and language have too few paraphrases and are left out.")
    short = cells.loc[cells["metric"] == METRICS[0]]
    short = short.loc[short["n_sets"] < MIN_SETS]
    if len(short):
        texts.append(
            f"{len(short)} combinations of model and language have fewer than {MIN_SETS} sets: no correlation."
        )
    return tuple(texts)


def _methods(facts: Facts) -> tuple[str, ...]:
    settings = facts.analysis["split_half"]
    v0 = "with the original attribute among them" if settings["include_v0"] else "without the original attribute"
    return (
        "Split-half reliability follows arXiv 2610.08747, section 5.1: sets with at least "
        f"{MIN_PARAPHRASES} paraphrases, halved at random {settings['resamples']} times {v0}, the same split for every "
        "metric; Spearman correlation over sets between the means of both halves. Seeds derive from the run’s seed, "
        "model, language and repetition.",
        f"Its 95 % intervals are percentile bootstrap intervals ({facts.analysis['bootstrap']} resamples of clusters, "
        f"each ranking its sets anew under {min(SPLITS_PER_DRAW, settings['resamples'])} of the splits), centred on "
        "the estimate.",
    )


def fixed(value: float) -> str:
    """A correlation with three decimals; empty when missing."""
    text = "" if pd.isna(value) else f"{value:.3f}"
    return text.lstrip("-") if text == "-0.000" else text.replace("-", MINUS)


def fixed_interval(low: float, high: float) -> str:
    """``[low, high]`` with three decimals; empty when either end is missing."""
    return "" if pd.isna(low) or pd.isna(high) else f"[{fixed(low)}, {fixed(high)}]"


def _cell(mean: float, low: float, high: float) -> str:
    return f"{fixed(mean)} {fixed_interval(low, high)}".strip()
