"""The report's section that compares every pair of models on the same sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dualpair.analysis.comparison import LEVEL, METRICS, POOLED
from dualpair.report.numbers import few_clusters, not_enough, p_value, round_percent
from dualpair.report.plots.comparison import comparison_drawings, scope_name
from dualpair.report.section import MORE_PAIRS, Facts, Section, ShownTable
from dualpair.report.sections.differences import NAMES, printed, printed_interval, summaries

TABLES = ("comparison", "comparison_detectable")
_QUESTION = (
    "Do two models differ on the same stereotypes? Each difference is a mean over the sets that both have measured; an "
    "interval that includes 0 leaves open which of the two has the larger value."
)
_MOST_OPEN = 24  # longer tables are shown closed


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; with one model, what it lacks."""
    frame, planned = frames["comparison"], frames["comparison_detectable"]
    tables = (comparison_table(frame, facts.unit), detectable_table(planned, facts))
    drawings = tuple(comparison_drawings(frame, facts.models, facts.unit))
    title = "Comparing models"
    methods = methods_text(facts, "every pair of models")
    if frame.empty:
        alone = len(facts.models) < 2
        short = not_enough(len(facts.models), 2, "models") if alone else not_enough(0, 1, "set that two models share")
        remedy = "Name two models or more under `roles: score`." if alone else MORE_PAIRS
        return Section("comparison", title, (_QUESTION,), drawings, tables, (), methods, short, remedy)
    told = cautions(frame, facts, "the table of smallest differences" if len(planned) else "")
    return Section("comparison", title, _lead(frame, facts), drawings, tables, told, methods)


def comparison_table(frame: pd.DataFrame, unit: str) -> ShownTable:
    """Printed differences of the ``comparison`` table, one line per pair and language, pooled first."""
    view = paired_view(frame, ["model_a", "model_b"], ["Model", "Minus model"], unit)
    caption = (
        "Differences of two models on the sets that both have measured, with 95 % intervals (bootstrap over clusters) "
        "and p of the sign-flip test after Holm’s correction. Neutral value 0; contradictions in percent of the "
        "stereotypes. Every digit, with unadjusted p and McNemar’s test: analysis/comparison.csv."
    )
    return ShownTable("comparison", caption, view, tuple(view.columns[3:]), len(view) > _MOST_OPEN)


def detectable_table(frame: pd.DataFrame, facts: Facts) -> ShownTable:
    """Printed smallest differences: one line per language and number of sets."""
    pivoted = frame.assign(
        text=[
            f"{_smallest(metric, one)} ({_smallest(metric, other)})"
            if one == one and other == other
            else _smallest(metric, one)
            for metric, one, other in zip(
                frame["metric"], frame["detectable"], frame["detectable_corrected"], strict=True
            )
        ]
    )
    rows = []
    by_scope = pivoted.assign(single=pivoted["lang"] != POOLED).groupby(["single", "lang", "n_sets"], sort=True)
    for (_, lang, n_sets), cells in by_scope:
        texts = dict(zip(cells["metric"], cells["text"], strict=True))
        own = " (this run)" if cells["own"].any() else ""
        rows.append([scope_name(str(lang)), f"{n_sets}{own}", *(texts.get(metric, "") for metric in METRICS)])
    header = ["Language", "Sets", *_metric_headers(facts.unit)]
    share = round_percent(facts.analysis["comparison"]["power"])
    caption = (
        f"Smallest true difference between two models that so many sets show. It is found with a chance of {share} "
        "at level 0.05; in brackets after correction for all comparisons of the metric; none: not even the largest "
        "that there can be. From the spread between clusters of the median pair of models; it falls with the square "
        "root of the number of sets."
    )
    view = pd.DataFrame(rows, columns=header)
    return ShownTable("comparison_detectable", caption, view, tuple(header[1:]), True)


def paired_view(frame: pd.DataFrame, key: Sequence[str], header: Sequence[str], unit: str) -> pd.DataFrame:
    """Printed paired differences, one line per ``key`` and language, pooled first, one column per metric.

    Args:
        frame: a table with the columns of a paired comparison.
        key: its columns that name the two models.
        header: how they are headed.
        unit: what every B is measured in.
    """
    rows = []
    pooled_first = frame.assign(order=frame["lang"] != POOLED).groupby(["order", *key, "lang"], sort=True)
    for names, cells in pooled_first:
        by = {row["metric"]: row for row in cells.to_dict("records")}
        sizes = by.get("I_GxA") or next(iter(by.values()))
        texts = [_cell(metric, by[metric]) if metric in by else "" for metric in METRICS]
        rows.append(
            [
                *map(str, list(names)[1:-1]),
                scope_name(str(names[-1])),
                str(sizes["n_sets"]),
                str(sizes["n_clusters"]),
                *texts,
            ]
        )
    return pd.DataFrame(rows, columns=[*header, "Language", "Sets", "Clusters", *_metric_headers(unit)])


def cautions(
    frame: pd.DataFrame, facts: Facts, smallest: str = "the column `detectable` of the table’s file"
) -> tuple[str, ...]:
    """What a reader must know before quoting paired differences.

    Args:
        frame: paired comparisons.
        facts: of the run.
        smallest: where the smallest differences that can be found stand; empty where they do nowhere.
    """
    texts = [
        "Two tokenizers cut a text into different tokens. B and I rest on mean log-probabilities per token, so that "
        "models with different tokenizers differ in more than their bias."
        if facts.unit == "nats per token"
        else f"B is in {facts.unit} here, and I follows from the same numbers; values of other runs may not compare.",
    ]
    if smallest and frame["detectable"].notna().any():
        texts.append(
            f"The smallest difference that so many sets can show, at a chance of "
            f"{round_percent(facts.analysis['comparison']['power'])}, stands in {smallest}; a smaller one may be there "
            "unseen."
        )
    random = frame[~frame["exact"].astype(bool) & frame["p"].notna()]
    least = 1.0 / (facts.analysis["comparison"]["permutations"] + 1)
    if len(random) and least * int(random["n_family"].max()) >= LEVEL:
        texts.append(
            f"With {facts.analysis['comparison']['permutations']} permutations no p can be below {least:.2g}, which "
            f"is not below 0.05 after correction for {int(random['n_family'].max())} comparisons: raise "
            "analysis.comparison.permutations."
        )
    lost = int(frame.loc[(frame["metric"] == "I_GxA") & (frame["lang"] != POOLED), "n_missing"].max())
    if lost:
        texts.append(f"Sets that only one of two models has measured are left out of their comparison: up to {lost}.")
    narrow = few_clusters(frame.loc[frame["difference_low"].notna(), "n_clusters"])
    if narrow:
        texts.append(narrow)
    return tuple(texts)


def methods_text(facts: Facts, what: str) -> tuple[str, ...]:
    """Sentences for a paper's methods."""
    settings = facts.analysis["comparison"]
    return (
        f"Means of {what} were compared on the sets that both had measured. 95 % intervals are percentile bootstrap "
        f"intervals over clusters of sets ({facts.analysis['bootstrap']} resamples).",
        "p-values are of two-sided permutation tests in which all differences of a cluster change sign together "
        f"(every assignment of signs where there are at most {settings['permutations']}, else as many at random), "
        "corrected by Holm’s method over all comparisons of a metric; differences pooled over languages are a family "
        "of their own, a set counting once per language.",
    )


def _lead(frame: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    return (_QUESTION, *summaries(frame, facts.unit, "comparisons of two models"))


def _metric_headers(unit: str) -> list[str]:
    units = {"I_GxA": "bits", "absB_avg": unit, "B_GxA": unit, "contradiction": "percentage points"}
    return [f"{NAMES[metric]} ({units[metric]})" for metric in METRICS]


def _cell(metric: str, row: Mapping[Any, Any]) -> str:
    parts = [
        printed(metric, row["difference"]),
        printed_interval(metric, row["difference_low"], row["difference_high"]),
    ]
    told = p_value(float(row["p_holm"]))
    return " ".join(filter(None, parts)) + (f", p {told if told.startswith('<') else f'= {told}'}" if told else "")


def _smallest(metric: str, value: float) -> str:
    """A smallest difference that can be found; none where it is larger than two rates can differ."""
    return "none" if metric == "contradiction" and value > 1.0 else printed(metric, value)
