"""The page that sets grammar engines side by side: its texts and tables (`scripts/evaluate_grammar.py` writes it)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dualpair.filters import grammar, grammar_compare, grammar_lm, planted
from dualpair.filters.grammar_compare import Engine, Find, Rows, adopted, by_side
from dualpair.filters.planted import SIDES, Item, Pair

LOST = (0.05, 0.10)  # shares of correct candidates that a threshold may lose; the last is adopted
LANGUAGES = ("en", "es", "ru", "zh")

HEAD = """# Grammar engines side by side

Written by `scripts/evaluate_grammar.py`. Planted errors (`resources/grammar/planted/README.md`): {rows}. *Detection*:
share of the faulty candidates that an engine flags. *False alarm*: share of the correct ones. *AUC*: the chance that a
faulty candidate looks worse to the engine than a correct one; with 90 of each its standard error is about 0.02 at 0.9
and 0.03 at 0.8. Engine `lm` flags by a threshold that loses at most {lost:.0f} % of the correct candidates, fitted in
each of ten folds on the other nine, so that no row is judged by a threshold that it helped to fit.
"""
CAUTION = """Engine `lm` measures how usual a text is to a model, which is more than its grammar: of the correct
candidates it drops the unusual statements, in some languages opposites more often than paraphrases. What is kept is
therefore, on average, what the model expects. Where that matters, take a model that is not itself measured, a lower
threshold, or another engine. The thresholds are for one sentence; in the pipeline a candidate must pass with every
group of its set.
"""
KINDS_HEAD = """## Detection by kind of error

Flagged of all, by engine and language.
"""
STATISTICS_HEAD = """## Which statistic

What can be made of a model's log-probabilities of candidate and source: mean over the languages of the AUC and, in
brackets, of the detection at {lost:.0f} % lost. The last row is what engine `lm` uses. A sum over n tokens spreads with
the square root of n, so that dividing by it makes candidates of different lengths comparable; the mean per token
overdoes it and favours long ones. Half of the source's is taken off, since that is what a correct candidate shares with
it: by language, the slope of its level on the source's is {slopes}.
"""
THRESHOLDS_HEAD = """## Thresholds

Fitted on all rows of a language: the highest threshold that loses at most the given share of the correct candidates.
Detection and false alarm by ten folds, as above. {lost:.0f} % is adopted: a lost candidate costs one answer of several,
while an error that is missed stays in the data.
"""
OTHER_HEAD = """## Correct sentences from elsewhere

*Pairs*: false alarms on the paraphrases and opposites of `resources/judge/pairs.csv`, written for another purpose, as
candidates of their premises ({pairs}; thresholds as fitted on all planted errors). *Treebank*: {number} sentences a
language of Universal Dependencies development files, with {words[0]} to {words[1]} words: false alarms of LanguageTool,
and its detection when two neighbouring words are swapped, at a place chosen by hash (a few swaps give a correct
sentence again). These sentences have no source and no group, so that `agreement` cannot judge them and the
thresholds of `lm` do not apply: its AUC of telling a sentence from the swapped one is given, for the first model.
"""


def lay_out(
    items: Sequence[Item],
    pairs: Sequence[Pair],
    models: Mapping[str, Rows],
    engines: Sequence[Engine],
    other: Iterable[Sequence[str]],
    sentences: int,
) -> str:
    """The page.

    Args:
        items: planted errors.
        pairs: correct pairs from elsewhere.
        models: of engine lm, each with the scored texts.
        engines: what each engine says of the planted errors.
        other: rows of :func:`elsewhere_lm` and :func:`elsewhere_finding`.
        sentences: treebank sentences of each language.
    """
    lost = 100 * LOST[-1]
    parts = [HEAD.format(rows=_counts(items), lost=lost), overview(engines, items), CAUTION]
    parts += [KINDS_HEAD, by_kind([one for one in engines if one.scores], items)]
    parts += [STATISTICS_HEAD.format(lost=lost, slopes=_slopes(items, models)), statistics(items, models)]
    parts += [THRESHOLDS_HEAD.format(lost=lost), fits(items, models)]
    parts += [OTHER_HEAD.format(pairs=_counts(pairs), words=planted.WORDS, number=sentences)]
    names = ["engine", "language", "pairs", "treebank", "words swapped", "AUC of the swap"]
    return "\n".join([*parts, markdown(names, other)])


def _counts(rows: Sequence[Item | Pair]) -> str:
    return ", ".join(f"{sum(row.lang == lang for row in rows)} in {lang}" for lang in LANGUAGES)


def _slopes(items: Sequence[Item], models: Mapping[str, Rows]) -> str:
    shown = []
    for name, rows in models.items():
        found = grammar_compare.slopes([item for item in items if item.source in rows], rows)
        spread = f"{min(found):.2f} to {max(found):.2f}" if len(found) > 1 else f"{found[0]:.2f}"
        shown.append(f"{spread} ({name})")
    return ", ".join(shown)


def markdown(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def percent(flags: Sequence[bool]) -> str:
    """Share of true flags."""
    return f"{100 * sum(flags) / len(flags):.0f} %"


def overview(engines: Sequence[Engine], items: Sequence[Item]) -> str:
    """One row an engine and language."""
    rows = []
    for engine in engines:
        for lang, flags in engine.flags.items():
            scores = engine.scores.get(lang)
            auc = f"{planted.auc(scores['correct'], scores['faulty']):.2f}" if scores else "–"
            tasks = [item.task for item in items if item.lang == lang]
            parts = [
                [f for f, own in zip(flags["correct"], tasks, strict=True) if own == task] for task in planted.TASKS
            ]
            rows.append(
                [engine.name, lang, auc, percent(flags["faulty"]), percent(flags["correct"]), *map(percent, parts)]
            )
    return markdown(["engine", "language", "AUC", "detection", "false alarm", "of paraphrases", "of alternates"], rows)


def by_kind(engines: Sequence[Engine], items: Sequence[Item]) -> str:
    """One table an engine, one row a kind of error, one column a language: flagged / all."""
    tables = []
    for engine in engines:
        rows = []
        for kind in planted.KINDS:
            cells = []
            for lang, flags in engine.flags.items():
                kinds = [item.kind for item in items if item.lang == lang]
                hits = [flag for flag, own in zip(flags["faulty"], kinds, strict=True) if own == kind]
                cells.append(f"{sum(hits)} / {len(hits)}" if hits else "–")
            rows.append([kind, *cells])
        tables.append(markdown([engine.name, *engine.flags], rows))
    return "\n".join(tables)


def statistics(items: Sequence[Item], models: Mapping[str, Rows]) -> str:
    """One row a statistic, one column a model."""
    table = []
    for name in grammar_compare.STATISTICS:
        cells = []
        for rows in models.values():
            values = grammar_compare.values(name, [item for item in items if item.source in rows], rows).values()
            auc = np.mean([planted.auc(sides["correct"], sides["faulty"]) for sides in values])
            cuts = [grammar_lm.threshold(sides["correct"], LOST[-1]) for sides in values]
            found = np.mean([np.mean(np.less(v["faulty"], cut)) for v, cut in zip(values, cuts, strict=True)])
            cells.append(f"{auc:.3f} ({100 * found:.0f} %)")
        table.append([name, *cells])
    return markdown(["statistic", *models], table)


def fits(items: Sequence[Item], models: Mapping[str, Rows]) -> str:
    """One row a model and language: thresholds and what they do out of fold."""
    names = ["model", "language"]
    for lost in LOST:
        names += [f"threshold, {100 * lost:.0f} % lost", "detection", "false alarm"]
    table = []
    for name, rows in models.items():
        own = [item for item in items if item.source in rows]
        engines = [(lost, grammar_compare.lm_engine(name, own, rows, lost)) for lost in LOST]
        for lang in engines[0][1].flags:
            cells = []
            for lost, engine in engines:
                cut = grammar_compare.thresholds(engine.scores, lost)[lang]
                cells += [f"{cut:.2f}", *(percent(engine.flags[lang][side]) for side in ("faulty", "correct"))]
            table.append([name, lang, *cells])
    return markdown(names, table)


def elsewhere_lm(
    name: str, pairs: Sequence[Pair], bank: Sequence[Item], rows: Rows, fitted: Mapping[str, float]
) -> list[list[str]]:
    """One row a language: what engine lm says of correct sentences from other places."""
    swaps = by_side([i for i in bank if i.source in rows], lambda item, text: adopted(rows[text], rows[item.source]))
    table = []
    for lang in [lang for lang in LANGUAGES if lang in fitted]:
        own = [adopted(rows[p.candidate], rows[p.source]) < fitted[lang] for p in pairs if p.lang == lang]
        sides = swaps.get(lang)
        auc = f"{planted.auc(sides['correct'], sides['faulty']):.2f}" if sides else "–"
        table.append([f"lm: {name}", lang, percent(own), "–", "–", auc])
    return table


def elsewhere_finding(name: str, pairs: Sequence[Pair], bank: Sequence[Item], find: Find) -> list[list[str]]:
    """The same of an engine that names its findings."""
    table = []
    for lang in LANGUAGES:
        sources, candidates = (
            find(lang, [getattr(p, side) for p in pairs if p.lang == lang]) for side in ("source", "candidate")
        )
        own = [bool(grammar.added(b, a)) for a, b in zip(sources, candidates, strict=True)]
        found = [find(lang, [getattr(i, side) for i in bank if i.lang == lang]) for side in SIDES]
        cells = [percent([bool(ids) for ids in one]) if one else "–" for one in found]
        table.append([name, lang, percent(own), *cells, "–"])
    return table
