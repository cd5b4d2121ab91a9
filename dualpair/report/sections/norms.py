"""The report's section on feature norms: is q high where people give a concept a feature, low where its opposite?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dualpair.languages import language_name
from dualpair.norms.auc import MACRO, PAIR, POOLED
from dualpair.report.numbers import MINUS, interval, not_enough, significant
from dualpair.report.plots.norms import drawings
from dualpair.report.section import Facts, Section, ShownTable

TABLES = ("norms_auc", "norms_q", "norms_tuning")
TITLE = "Known facts: feature norms"
_SOURCES = {
    "builtin": "dualpair’s own list of concepts with plain facts",
    "mcrae": "the norms of McRae et al. (2005), a copy that the user holds",
}
_REMEDY = (
    "Name a language that the norms have under `languages`: those of `norms: source` `builtin` are in "
    "`resources/norms`, `mcrae` is English; and see that `norms: languages` is null or names it too."
)
_DIGITS = 3
_NEUTRAL = 0.5


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; without a concept in any of the run's languages, what it lacks."""
    auc, q, tuning = (frames[name] for name in TABLES)
    shown = (auc_table(auc), q_table(auc, q), tuning_table(tuning))
    figures = drawings(q, auc, facts.models)
    if auc.empty:
        needs = "language of the run with feature norms"
        return Section("norms", TITLE, (_question(auc),), figures, shown, (), (), not_enough(0, 1, needs), _REMEDY)
    lead = (_question(auc), *_findings(auc, facts), *_tuned(tuning))
    return Section("norms", TITLE, lead, figures, shown, _cautions(auc), _methods(auc, facts))


def auc_table(auc: pd.DataFrame) -> ShownTable:
    """One row per model and language: items, those left out, mean AUC over pairs and pooled AUC."""
    rows = []
    for (model, lang), own in auc.groupby(["model", "lang"], sort=True):
        by_scope = {row["scope"]: row for row in own.to_dict("records")}
        macro, pooled = by_scope[MACRO], by_scope[POOLED]
        rows.append({
            "Model": str(model), "Language": language_name(str(lang)), "Pairs": str(macro["n_pairs"]),
            "First / opposite": f"{macro['n_first']} / {macro['n_second']}", "Concepts": str(macro["n_concepts"]),
            "Both": str(macro["n_both"]), "Left out": str(macro["n_left_out"]), "Unscored": str(macro["n_unscored"]),
            "AUC, mean over pairs": _estimate(macro), "AUC, pooled": _estimate(pooled),
        })  # fmt: skip
    columns = ("Model", "Language", "Pairs", "First / opposite", "Concepts", "Both", "Left out", "Unscored",
               "AUC, mean over pairs", "AUC, pooled")  # fmt: skip
    caption = (
        "ROC-AUC of q: the chance that a concept with the first feature has a higher q than one with the opposite "
        "feature, 0 to 1, neutral value 0.5, with 95 % bootstrap intervals over concepts. Both: concepts left out of a "
        "pair because people list both features. Left out: forms written alike, and the limit in the settings. Per "
        "pair and with every digit: analysis/norms_auc.csv."
    )
    return ShownTable("norms_auc", caption, pd.DataFrame(rows, columns=list(columns)), columns[2:])


def q_table(auc: pd.DataFrame, q: pd.DataFrame) -> ShownTable:
    """One row per model, language and pair: median q of either side, and the pair's AUC."""
    key = ["model", "lang", "pair_id"]
    sides = {
        label: q.loc[(q["scope"] == PAIR) & (q["label"] == label)].set_index(key).to_dict("index")
        for label in ("first", "second")
    }
    rows = []
    for row in auc.loc[auc["scope"] == PAIR].sort_values(key).to_dict("records"):
        spread = [sides[label].get(tuple(row[name] for name in key), {}) for label in ("first", "second")]
        rows.append({
            "Model": row["model"], "Language": language_name(row["lang"]), "Pair": row["pair_id"],
            "First / opposite": f"{row['n_first']} / {row['n_second']}", "Both": str(row["n_both"]),
            "Median q, first": significant(spread[0].get("q_median"), _DIGITS),
            "Median q, opposite": significant(spread[1].get("q_median"), _DIGITS), "AUC": _estimate(row),
        })  # fmt: skip
    columns = ("Model", "Language", "Pair", "First / opposite", "Both", "Median q, first", "Median q, opposite", "AUC")
    caption = (
        "Each pair of opposite features. Median q (0 to 1, neutral 0.5) of the concepts with the first feature and "
        "with the opposite one, and AUC with its 95 % interval, none where a side has fewer than 3 concepts. "
        "Quartiles and extremes: analysis/norms_q.csv."
    )
    return ShownTable("norms_q", caption, pd.DataFrame(rows, columns=list(columns)), columns[3:], True)


def tuning_table(tuning: pd.DataFrame) -> ShownTable:
    """One row per pair of models, language and scope: AUC of the base and of the instruct model, and the difference."""
    rows = [
        {
            "Instruct": row["instruct"], "Base": row["base"], "Language": language_name(row["lang"]),
            "AUC": "mean over pairs" if row["scope"] == MACRO else "pooled", "Items": str(row["n_items"]),
            "Instruct model": significant(row["auc_instruct"], _DIGITS),
            "Base model": significant(row["auc_base"], _DIGITS),
            f"Instruct {MINUS} base": _estimate(row, "difference"),
        }
        for row in tuning.to_dict("records")
    ]  # fmt: skip
    columns = ("Instruct", "Base", "Language", "AUC", "Items", "Instruct model", "Base model", f"Instruct {MINUS} base")
    caption = (
        "AUC of the instruct model minus that of the base model of its family and size, on the same concepts; neutral "
        "value 0; 95 % bootstrap intervals over concepts."
        if rows
        else "No base model and instruct model of one family and size are among the models."
    )
    return ShownTable("norms_tuning", caption, pd.DataFrame(rows, columns=list(columns)), columns[4:])


def _question(auc: pd.DataFrame) -> str:
    whose = _SOURCES[str(auc["source"].iloc[0])] if len(auc) else "feature norms"
    return (
        "Does q find what people say of things? For concepts that have one of two opposite features by "
        f"{whose}, q should be high with the first feature and low with the opposite one. The AUC is the chance that "
        "it is higher for a concept of the first kind than for one of the second: 1 is perfect, 0.5 is chance."
    )


def _findings(auc: pd.DataFrame, facts: Facts) -> list[str]:
    """One sentence a language."""
    found = []
    for lang in [one for one in facts.languages if one in set(auc["lang"])]:
        rows = auc.loc[(auc["lang"] == lang) & (auc["scope"] == MACRO)].sort_values(["auc", "model"])
        known = rows.dropna(subset=["auc"])
        if known.empty:
            found.append(f"{language_name(lang)}: {not_enough(0, 1, 'pair with concepts of both features')}.")
            continue
        low, high = known.iloc[0], known.iloc[-1]
        pairs = f"{int(high['n_pairs'])} {'pair' if high['n_pairs'] == 1 else 'pairs'}"
        if len(known) == 1:
            values = f"{_estimate(high)} ({high['model']})"
        else:
            values = f"between {_estimate(low)} ({low['model']}) and {_estimate(high)} ({high['model']})"
        found.append(f"{language_name(lang)}: the mean AUC over {pairs} is {values}. {_against_chance(known)}")
    return found


def _against_chance(known: pd.DataFrame) -> str:
    bounded = known.dropna(subset=["auc_low"])
    if bounded.empty:
        return "There are too few concepts for an interval."
    above = int((bounded["auc_low"] > _NEUTRAL).sum())
    below = int((bounded["auc_high"] < _NEUTRAL).sum())
    of = "The interval lies" if len(bounded) == 1 else f"The intervals of {above} of {len(bounded)} models lie"
    if len(bounded) == 1 and not above:
        return f"The interval {'lies below' if below else 'includes'} 0.5{'.' if below else ', what chance gives.'}"
    text = f"{of} above 0.5, what chance gives."
    return f"{text} Those of {below} lie below it." if below else text


def _tuned(tuning: pd.DataFrame) -> list[str]:
    rows = tuning.loc[tuning["scope"] == MACRO].dropna(subset=["difference_low"])
    if rows.empty:
        return []
    up, down = int((rows["difference_low"] > 0).sum()), int((rows["difference_high"] < 0).sum())
    total = f"{len(rows)} {'comparison' if len(rows) == 1 else 'comparisons'} of an instruct model with its base model"
    return [
        f"In {total}, the mean AUC of the instruct model is higher in {up} and lower in {down}, by intervals that "
        f"exclude 0; in the other {len(rows) - up - down} the interval includes 0."
    ]


def _cautions(auc: pd.DataFrame) -> tuple[str, ...]:
    found = [
        "The pooled AUC also compares concepts of different pairs, whose levels of q differ because one word of a pair "
        "is rarer than the other; it depends on which feature is called the first. The mean over pairs does not.",
        "A high AUC says that q follows plain facts in plain sentences, not that it measures bias well.",
    ]
    few = auc.loc[(auc["scope"] == PAIR) & auc["auc"].notna() & auc["auc_low"].isna()]
    if len(few):
        found.append(
            f"{few['pair_id'].nunique()} of {auc.loc[auc['scope'] == PAIR, 'pair_id'].nunique()} pairs have fewer than "
            "3 concepts with one of the features: their AUC has no interval and says little."
        )
    if (auc["auc"] == 1.0).any():
        found.append(
            "Where q separates all concepts (AUC 1), every resample does so too, and the interval has no width: it "
            "understates what is not known."
        )
    return tuple(found)


def _methods(auc: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    source = _SOURCES[str(auc["source"].iloc[0])]
    first = auc.loc[auc["scope"] == MACRO].drop_duplicates("lang").sort_values("lang")
    counts = "; ".join(
        f"{language_name(row['lang'])}: {row['n_first'] + row['n_second'] + row['n_unscored']} items in "
        f"{row['n_pairs']} pairs, {row['n_both']} dropped because both features are listed"
        for row in first.to_dict("records")
    )
    return (
        "Feature norms: q of a concept is 1 / (1 + exp(y − x)), x and y the log-probabilities "
        f"({facts.unit}) of the sentence “The <concept> is <feature>” with a feature and with its opposite, in each "
        f"language’s own wording. Concepts and labels are from {source} ({counts}).",
        "ROC-AUC per pair and its mean over the pairs with both classes, and over all items pooled; 95 % percentile "
        f"bootstrap intervals over concepts ({facts.analysis['bootstrap']} resamples, seed {facts.seed}), the same "
        "resamples for every model.",
    )


def _estimate(row: Mapping[Any, Any] | pd.Series[Any], name: str = "auc") -> str:
    """A value and its interval."""
    ends = interval(row[f"{name}_low"], row[f"{name}_high"], _DIGITS)
    return f"{significant(row[name], _DIGITS)} {ends}".strip()
