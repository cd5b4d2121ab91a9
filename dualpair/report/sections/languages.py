"""The report's section on change across languages."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from dualpair.analysis.across_languages import BY_TYPE, MEAN, NAMES, OVERALL
from dualpair.analysis.resampling import MIN_CLUSTERS
from dualpair.languages import language_name, language_names
from dualpair.report.numbers import few_clusters, interval, not_enough, p_value, significant
from dualpair.report.plots import languages as plots
from dualpair.report.section import MORE_PAIRS, Facts, Section, ShownTable

TABLES = NAMES
LEVEL = 0.05
_TITLE = "Across languages"
_ID = "languages"


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; without an anchor or a second language, what it lacks."""
    overall, by_type = frames[OVERALL], frames[BY_TYPE]
    anchor = facts.analysis["anchor"]
    name = language_name(anchor) if anchor else "a chosen one"
    drawings = tuple(plots.drawings(overall, by_type, name, facts.models))
    tables = (_table(OVERALL, overall, name, facts.unit), _table(BY_TYPE, by_type, name, facts.unit))
    short = shortfall(overall, facts)
    if short:
        return Section(_ID, _TITLE, (_question(name),), drawings, tables, shortfall=short, remedy=_remedy(facts))
    lead = (_question(name), _found(overall, name), _found_types(by_type))
    return Section(_ID, _TITLE, lead, drawings, tables, _cautions(frames, facts), _methods(name, facts))


def shortfall(overall: pd.DataFrame, facts: Facts) -> str:
    """What the analysis lacks; empty where there is something to show."""
    anchor = facts.analysis["anchor"]
    if anchor is None:
        return "not computed, because the config names no language to compare with (`analysis: anchor` is null)"
    if anchor not in facts.languages:
        return f"not computed, because {language_name(anchor)} (`analysis: anchor`) is none of the run’s languages"
    if len(facts.languages) < 2:
        return not_enough(len(facts.languages), 2, "languages")
    if overall["low"].notna().any():
        return ""
    most = int(overall["n_clusters"].max()) if len(overall) else 0
    return not_enough(most, MIN_CLUSTERS, f"clusters that {language_name(anchor)} and another language have")


def _remedy(facts: Facts) -> str:
    if facts.analysis["anchor"] in facts.languages and len(facts.languages) > 1:
        return f"It needs sets with one `set_id` in both languages, each with a usable pair. {MORE_PAIRS}"
    return (
        "Name two languages or more under `languages`, with their sentences under `source`, and one of them as "
        "`analysis: anchor`."
    )


def _question(anchor: str) -> str:
    return (
        f"How does the measure change when the same stereotype is put in another language? Change is the mean of a "
        f"language less {anchor}, over the sets that a model has in both; 0 is no change."
    )


def _found(overall: pd.DataFrame, anchor: str) -> str:
    own = overall[(overall["metric"] == plots.METRIC) & (overall["model"] != MEAN)]
    mean = overall[(overall["metric"] == plots.METRIC) & (overall["model"] == MEAN)]
    tested = own.dropna(subset=["permutation_holm"])
    changed = tested[tested["permutation_holm"] < LEVEL]
    up = int((changed["change"] > 0).sum())
    text = (
        f"I_G×A differs from {anchor} after Holm’s correction in {len(changed)} of {len(tested)} combinations of model "
        f"and language (sign-flip test over clusters, {LEVEL:g}): {up} higher, {len(changed) - up} lower."
    )
    shown = (mean if len(mean) else own).dropna(subset=["low"])
    parts = [f"{language_name(str(row.lang))} {_with_interval(row)}" for row in shown.itertuples()]
    if not parts:
        return text
    whose = "The mean over models changes by" if len(mean) else "It changes by"
    told = f"{text} {whose}: {'; '.join(parts)} (bits, 95 % interval; p: sign flips after Holm’s correction)."
    apart = shown[(shown["low"] > 0) | (shown["high"] < 0)]
    if len(apart) and not (apart["permutation_holm"] < LEVEL).any():
        told += f" Of the {len(apart)} that exclude 0 none passes the sign-flip test after correction: no finding."
    return told


def _with_interval(row: object) -> str:
    change, low, high, holm = (float(getattr(row, name)) for name in ("change", "low", "high", "permutation_holm"))
    told = f"{significant(change, 3)} {interval(low, high, 3)}"
    if low <= 0 <= high:
        return f"{told}, which includes 0"
    p = p_value(holm) or "missing"
    return f"{told}, p {p if p.startswith('<') else f'= {p}'}"


def _found_types(by_type: pd.DataFrame) -> str:
    own = by_type[(by_type["metric"] == plots.METRIC) & (by_type["model"] != MEAN)]
    tested = own.dropna(subset=["permutation_holm"])
    changed = tested[tested["permutation_holm"] < LEVEL]
    kinds = sorted(changed["bias_type"].unique())
    named = f" ({', '.join(kinds)})" if kinds else ""
    rest = len(own) - len(tested)
    if tested.empty:
        return f"By bias type there is no test: none of {rest} combinations has {MIN_CLUSTERS} clusters."
    few = f" {rest} more have fewer than {MIN_CLUSTERS} clusters." if rest else ""
    return (
        f"By bias type, I_G×A differs in {len(changed)} of {len(tested)} combinations of model, language and type "
        f"after correction over all of them{named}.{few}"
    )


def _table(name: str, frame: pd.DataFrame, anchor: str, unit: str) -> ShownTable:
    units = {"I_GxA": "I_G×A (bits)", "absB_avg": f"|B_G×A| ({unit})"}
    columns: dict[str, list[str]] = {
        "Metric": [units[str(metric)] for metric in frame["metric"]],
        "Model": [plots.MEAN_LABEL if model == MEAN else str(model) for model in frame["model"]],
        "Language": language_names(frame["lang"]),
    }
    if name == BY_TYPE:
        columns["Bias type"] = frame["bias_type"].astype(str).tolist()
    columns |= {
        "Sets": frame["n_sets"].astype(str).tolist(),
        "Clusters": frame["n_clusters"].astype(str).tolist(),
        f"Mean in {anchor}": [significant(value) for value in frame["anchor_mean"]],
        "Change": [
            f"{significant(change)} {interval(low, high)}".strip()
            for change, low, high in zip(frame["change"], frame["low"], frame["high"], strict=True)
        ],
        "p, sign flips": [p_value(p) for p in frame["permutation_p"]],
        "p, sign flips (Holm)": [p_value(p) for p in frame["permutation_holm"]],
        "p, Wilcoxon": [p_value(p) for p in frame["wilcoxon_p"]],
        "p, Wilcoxon (Holm)": [p_value(p) for p in frame["wilcoxon_holm"]],
    }
    by = "model, language and bias type" if name == BY_TYPE else "model and language"
    caption = (
        f"Change against {anchor} on shared sets by {by}. Mean difference with 95 % bootstrap interval over clusters; "
        "neutral 0; the intervals are not corrected. Holm’s correction runs over the rows of a metric, means over "
        "models apart."
    )
    key = 4 if name == BY_TYPE else 3
    return ShownTable(name, caption, pd.DataFrame(columns), tuple(columns)[key:], folded=name == BY_TYPE)


def _cautions(frames: Mapping[str, pd.DataFrame], facts: Facts) -> tuple[str, ...]:
    texts = [
        "A change is one of the measured sentences, not only of the stereotype: translations differ in wording, length "
        "and tokens, and models in how well they know a language.",
        "The Wilcoxon test takes sets as independent and rejects too often where wordings share a cluster; the "
        "sign-flip test does not.",
    ]
    known = pd.concat([frames[name].loc[frames[name]["low"].notna(), "n_clusters"] for name in TABLES])
    narrow = few_clusters(known, "intervals of a change")
    if narrow:
        texts.append(narrow)
    own = frames[BY_TYPE]
    own = own[(own["metric"] == plots.METRIC) & (own["model"] != MEAN) & own["permutation_p"].notna()]
    if len(own):
        needed = 1 + math.ceil(math.log2(len(own) / LEVEL))
        few = int((own["n_clusters"] < needed).sum())
        if few:
            texts.append(
                f"By bias type, {few} of {len(own)} combinations have fewer than {needed} clusters: no change however "
                "clear can pass the sign-flip test there after correction. Read their intervals."
            )
        smallest = 1 / (int(facts.analysis["comparison"]["permutations"]) + 1)
        if smallest * len(own) >= LEVEL:
            texts.append(
                f"With {len(own)} combinations by bias type, random sign flips cannot give a p that passes the "
                "correction; raise analysis.comparison.permutations."
            )
    return tuple(texts)


def _methods(anchor: str, facts: Facts) -> tuple[str, ...]:
    settings = facts.analysis
    return (
        f"Change across languages: mean over sets of the measure in a language less in {anchor}, on sets that a model "
        f"has in both, with percentile bootstrap intervals over clusters ({settings['bootstrap']} resamples).",
        f"Tests: two-sided sign flips of whole clusters ({settings['comparison']['permutations']} random patterns, "
        "exact where fewer exist) and Wilcoxon’s signed-rank test over sets; Holm’s correction over models and "
        "languages, and over models, languages and bias types.",
    )
