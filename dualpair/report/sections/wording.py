"""The report's section on wording: table 4 and figure 7 of arXiv 2610.08747."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from dualpair.analysis.wording import BERTSCORE, EMBEDDING, SIMILARITIES, summary
from dualpair.languages import language_name
from dualpair.report.figures import marked
from dualpair.report.numbers import DASH, MINUS, interval, not_enough, significant, span
from dualpair.report.plots.wording import LABELS, self_bleu_figure, tau_figure
from dualpair.report.section import MORE_PARAPHRASES, Facts, Section, ShownTable
from dualpair.report.sections.reliability import fixed, fixed_interval

TABLES = ("wording", "wording_summary", "self_bleu")
# tau-b of fewer pairs takes few values, far apart: of 4 pairs only thirds, of 2 always -1 or 1.
MIN_PAIRS = 10
ID, TITLE = "wording", "Robustness to wording"
_QUESTION = (
    "Does I_G×A follow the surface of a wording? For every paraphrase, its similarity to the original attribute is set "
    "against how far its I_G×A is from the original’s. Kendall’s tau-b is 0, the neutral value, where the two have "
    "nothing to do with each other, and negative where paraphrases that look different also score differently "
    f"({MINUS}1: always)."
)


def section(frames: Mapping[str, pd.DataFrame], facts: Facts) -> Section:
    """The section; its shortfall where there is neither a tau-b nor a Self-BLEU."""
    table, diversity = asked(frames["wording"], facts), frames["self_bleu"]
    drawings = (tau_figure(table, MIN_PAIRS), self_bleu_figure(diversity))
    tables = (summary_table(table), self_bleu_table(diversity), full_table(table, facts))
    short = drawings[0].shortfall if all(drawing.shortfall for drawing in drawings) else ""
    lead = (_QUESTION,) if short else (_QUESTION, *_found(table), *_diverse(diversity))
    told = _cautions(table, facts)
    return Section(ID, TITLE, lead, drawings, tables, told, _methods(facts), short, MORE_PARAPHRASES)


def asked(table: pd.DataFrame, facts: Facts) -> pd.DataFrame:
    """Rows of the ``wording`` table whose similarity the config asks for: those of BERTScore only with a model."""
    return table[(table["similarity"] != BERTSCORE) | (facts.analysis["wording"]["bertscore"] is not None)]


def enough(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the ``wording`` table with a tau-b of at least 10 pairs."""
    return table[table["tau"].notna() & (table["n_pairs"] >= MIN_PAIRS)]


def summary_table(table: pd.DataFrame) -> ShownTable:
    """One row per similarity, over the configurations with at least 10 pairs."""
    used, few = enough(table), f"Under {MIN_PAIRS} pairs"
    rows = []
    for one in summary(used).to_dict("records"):
        name = str(one["similarity"])
        own = table[table["similarity"] == name]
        if own.empty:
            continue
        pairs = used.loc[used["similarity"] == name, "n_pairs"]
        undefined = int(own["tau"].isna().sum())
        known = f"{one['n_exclude_zero']} of {one['n_intervals']}" if one["n_intervals"] else ""
        rows.append({
            "Similarity": LABELS[name], "Configurations": str(len(pairs)), "Pairs": span(pairs) if len(pairs) else "",
            few: str(len(own) - len(pairs) - undefined), "Undefined": str(undefined), "Min": fixed(one["min"]),
            "Median": fixed(one["median"]), "Max": fixed(one["max"]), "Intervals without 0": known,
        })  # fmt: skip
    numeric = ("Configurations", "Pairs", few, "Undefined", "Min", "Median", "Max", "Intervals without 0")
    caption = (
        f"tau-b over the configurations (a model in a language) with at least {MIN_PAIRS} pairs: smallest, median and "
        "largest; those with fewer and undefined ones are left out. Neutral value 0. Intervals (ours): 95 %, bootstrap "
        "over clusters, not corrected for their number. All, however few their pairs: analysis/wording_summary.csv."
    )
    return ShownTable("wording_summary", caption, pd.DataFrame(rows, columns=["Similarity", *numeric]), numeric)


def full_table(table: pd.DataFrame, facts: Facts) -> ShownTable:
    """One row per model and language, tau-b of each similarity that any of them has."""
    names = [name for name in SIMILARITIES if table.loc[table["similarity"] == name, "tau"].notna().any()]
    rows = []
    for (model, lang), own in table.groupby(["model", "lang"], sort=True):
        one = {str(value["similarity"]): value for value in own.to_dict("records")}
        row = {
            "Model": marked(str(model), facts.models),
            "Language": language_name(str(lang)),
            "Pairs": str(own["n_pairs"].max()),
        }
        for name in names:
            value = one[name]
            row[LABELS[name]] = f"{fixed(value['tau'])} {fixed_interval(value['tau_low'], value['tau_high'])}".strip()
        rows.append(row)
    numeric = ("Pairs", *(LABELS[name] for name in names))
    caption = (
        "tau-b of every configuration with its 95 % interval (bootstrap over clusters). Pairs: paraphrases that are "
        "measured, as is their original. Every digit: analysis/wording.csv; similarities: analysis/wording_pairs.csv."
    )
    return ShownTable("wording", caption, pd.DataFrame(rows, columns=["Model", "Language", *numeric]), numeric, True)


def self_bleu_table(diversity: pd.DataFrame) -> ShownTable:
    """One row per language."""
    rows = [
        {
            "Language": language_name(str(row["lang"])), "Sets": str(row["n_sets"]), "Left out": str(row["n_left_out"]),
            "Mean": significant(row["mean"]), "95 % interval": interval(row["low"], row["high"]),
            "Median": significant(row["median"]),
            "Quartiles": f"{significant(row['p25'], 3)}{DASH}{significant(row['p75'], 3)}" if row["n_sets"] else "",
        }
        for row in diversity.sort_values("lang").to_dict("records")
    ]  # fmt: skip
    numeric = ("Sets", "Left out", "Mean", "95 % interval", "Median", "Quartiles")
    caption = (
        "Self-BLEU of each set’s usable wordings, 0 to 100: the lower, the more the wordings differ; 100 are equal "
        "texts. Left out: sets with one wording. Sets: analysis/self_bleu_sets.csv."
    )
    return ShownTable("self_bleu", caption, pd.DataFrame(rows, columns=["Language", *numeric]), numeric)


def _found(table: pd.DataFrame) -> tuple[str, ...]:
    some, used = table.dropna(subset=["tau"]), enough(table)
    if some.empty:
        return (not_enough(0, 1, "tau-b: paraphrases whose original is measured, too, and that differ") + ".",)
    if used.empty:
        lack = not_enough(int(some["n_pairs"].max()), MIN_PAIRS, "pairs of an original and a paraphrase")
        return (f"No model has enough pairs in any language for a tau-b worth quoting: {lack}.",)
    known = summary(used).dropna(subset=["median"])
    least, most = known["min"].min(), known["max"].max()
    medians = ", ".join(f"{LABELS[str(row['similarity'])]} {fixed(row['median'])}" for row in known.to_dict("records"))
    many = int(known["n_configurations"].max())
    start = f"Median tau-b over {many} configurations" if many > 1 else "tau-b"
    text = (
        f"{start} of {span(used['n_pairs'])} pairs: {medians}; all values lie between {fixed(least)} and {fixed(most)}."
    )
    left = len(some[some["n_pairs"] < MIN_PAIRS][["model", "lang"]].drop_duplicates())
    if left:
        what = "configuration has" if left == 1 else "configurations have"
        text += f" {left} {what} fewer than {MIN_PAIRS} pairs, and {'is' if left == 1 else 'are'} left out."
    intervals, apart = int(known["n_intervals"].sum()), int(known["n_exclude_zero"].sum())
    if intervals:
        text += (
            f" {apart} of {intervals} intervals exclude 0; were there no relation at all, about one in twenty would. "
            "An interval that includes 0 does not show that there is none."
        )
    return (text,)


def _diverse(diversity: pd.DataFrame) -> tuple[str, ...]:
    known = diversity.dropna(subset=["mean"]).sort_values("lang")
    if known.empty:
        return ()
    parts = [
        f"{language_name(str(row['lang']))} {significant(row['mean'], 3)} {interval(row['low'], row['high'], 3)}"
        for row in known.to_dict("records")
    ]
    return (f"Mean Self-BLEU of a set’s wordings: {', '.join(part.strip() for part in parts)}.",)


def _cautions(table: pd.DataFrame, facts: Facts) -> tuple[str, ...]:
    texts = []
    if facts.analysis["wording"]["bertscore"] is None:
        texts.append("BERTScore is not computed: `analysis: wording: bertscore:` of the config names no model.")
    cosine = table.loc[table["similarity"] == EMBEDDING]
    missing, pairs = int(cosine["n_missing"].sum()), int((cosine["n_missing"] + cosine["n_pairs"]).sum())
    if missing:
        texts.append(
            f"{missing} of {pairs} measured paraphrases have no embedding similarity: imported sets come without one."
        )
    elif pairs:
        texts.append(
            "The embedding similarity of paraphrases is cut off at the filter’s threshold, which weakens its tau-b."
        )
    undefined = table[table["tau"].isna()]
    if len(undefined):
        lacking = int(((undefined["n_pairs"] == 0) & (undefined["n_missing"] > 0)).sum())
        texts.append(
            f"{len(undefined)} of {len(table)} tau-b are undefined: {lacking} for want of the similarity, "
            f"{len(undefined) - lacking} with fewer than two pairs, or all alike."
        )
    texts.append("Self-BLEU depends on the tokenizer: compare languages with care, and Chinese with none (characters).")
    return tuple(texts)


def _methods(facts: Facts) -> tuple[str, ...]:
    model = facts.analysis["wording"]["bertscore"]
    bertscore = f", BERTScore (F1, {model}, neither idf weights nor rescaling)" if model is not None else ""
    return (
        "Similarity of an original attribute and each of its paraphrases, without group and final mark: sentence BLEU "
        "(sacrebleu, effective order, the language’s tokenizer), chrF++, ROUGE-L (F1) and Jaccard (words; characters "
        f"in languages without spaces){bertscore}, and the similarity judge’s cosine of the whole sentences. tau-b "
        "against |I(original) − I(paraphrase)| over all pairs of a model and language (arXiv 2610.08747, table 4), "
        f"with 95 % percentile bootstrap intervals ({facts.analysis['bootstrap']} resamples of clusters).",
        "Self-BLEU is the mean over a set’s usable wordings of the sentence BLEU of each against all others.",
    )
