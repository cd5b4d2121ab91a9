"""Compare grammar engines on planted errors, and fit engine lm's thresholds.

Reads resources/grammar/planted/<lang>.csv, the paraphrases and opposites of resources/judge/pairs.csv (all correct)
and, with --ud, <lang>_*-ud-dev.conllu of a folder. Prints and writes Markdown: detection and false alarms of each
engine by language and by kind of error, and which statistic of a model's log-probabilities tells errors best. The
first lines printed are the thresholds for the models' registry entries:

    python scripts/evaluate_grammar.py --models gemma-3-270m --languagetool --ud DATA/ud --out docs/grammar_scores.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np

from dualpair import paths
from dualpair.errors import InputError
from dualpair.filters import grammar, grammar_compare, grammar_lm, planted
from dualpair.filters.grammar_compare import Engine, Find, Rows, adopted, by_side
from dualpair.filters.planted import SIDES, Item, Pair, Text
from dualpair.scoring.engine import Failure
from dualpair.scoring.rows import ScoredRow

LOST = (0.05, 0.10)  # shares of correct candidates that a threshold may lose; the last is adopted
LANGUAGES = ("en", "es", "ru", "zh")
MEMORY_MB, TIMEOUT_S, REQUEST = 1500, 300, 50  # LanguageTool: heap, time limit and sentences of a request

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
sentence again). These sentences have no source and no group, so that the thresholds of `lm` do not apply to them: its
AUC of telling a sentence from the swapped one is given, for the first model.
"""

# ---- engine lm


def scored(name: str, texts: Iterable[Text], budget: int, dtype: str) -> dict[Text, ScoredRow]:
    """Every distinct text under a built-in model.

    Raises:
        InputError: a text that the model cannot score.
    """
    from dualpair.scoring.table import builtin_entry, opened, score_each

    wanted = sorted(set(texts))
    with opened(builtin_entry(name).model_copy(update={"dtype": dtype}), name, budget) as engine:
        rows = score_each(engine, wanted)
    found = {}
    for text, row in zip(wanted, rows, strict=True):
        if isinstance(row, Failure):
            raise InputError(f"model {name}: {text.whole!r} was not scored: {row.reason}")
        found[text] = row
    return found


# ---- engines that find something


@contextmanager
def languagetool(version: str) -> Iterator[Find]:
    """A local LanguageTool server."""
    from dualpair.filters import languagetool as tools
    from dualpair.filters import languagetool_server as servers

    with servers.Server(servers.find_java(), servers.find_copy(version, True), MEMORY_MB) as server:
        checker = tools.Checker(server.url, version, False, TIMEOUT_S, True)

        def find(lang: str, texts: Sequence[Text]) -> list[list[str]]:
            rules, found = tools.counted(lang), []
            for start in range(0, len(texts), REQUEST):
                part = [text.whole for text in texts[start : start + REQUEST]]
                found += [rules.ids(one) for one in checker.check(part, rules.code, rules.never)]
            return found

        yield find


# ---- tables


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


def elsewhere_languagetool(name: str, pairs: Sequence[Pair], bank: Sequence[Item], find: Find) -> list[list[str]]:
    """The same of LanguageTool."""
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


# ---- command


def run(args: argparse.Namespace) -> str:
    """Judge, fit, and lay out; returns the page and prints the thresholds."""
    items = planted.planted_items(LANGUAGES)
    pairs = planted.correct_pairs(paths.resource("judge", "pairs.csv"))
    bank = planted.treebank_items(args.ud, LANGUAGES, args.sentences) if args.ud else []
    models: dict[str, dict[Text, ScoredRow]] = {}
    for given in args.models:
        name, _, only = given.partition(":")
        langs = only.split(",") if only else LANGUAGES
        own = [*items, *([] if models else bank)]  # the treebank is the costly part: the first model's only
        texts = [t for i in own if i.lang in langs for t in (i.source, i.correct, i.faulty)]
        texts += [text for p in pairs if p.lang in langs for text in (p.source, p.candidate)]
        models[name] = scored(name, texts, args.token_budget, args.dtype)
    shown, other, slopes = [], [], []
    for name, rows in models.items():
        own = [item for item in items if item.source in rows]
        engine = grammar_compare.lm_engine(name, own, rows, LOST[-1])
        fitted = grammar_compare.thresholds(engine.scores, LOST[-1])
        print(f"# {name}, {args.dtype}: {{grammar: {{{', '.join(f'{k}: {v:.2f}' for k, v in fitted.items())}}}}}")
        shown.append(engine)
        other += elsewhere_lm(name, pairs, bank, rows, fitted)
        found = grammar_compare.slopes(own, rows)
        slopes.append(
            f"{min(found):.2f} to {max(found):.2f} ({name})" if len(found) > 1 else f"{found[0]:.2f} ({name})"
        )
    with languagetool(args.version) if args.languagetool else nullcontext() as find:
        if find is not None:
            name = f"languagetool {args.version}"
            tool = grammar_compare.finding_engine(name, items, find)
            other += elsewhere_languagetool(name, pairs, bank, find)
            shown += [tool, *(grammar_compare.combined(f"{one.name} or {name}", [one, tool]) for one in list(shown))]
    names = ["engine", "language", "pairs", "treebank", "words swapped", "AUC of the swap"]
    parts = [HEAD.format(rows=_counts(items), lost=100 * LOST[-1]), overview(shown, items), CAUTION]
    parts += [KINDS_HEAD, by_kind([one for one in shown if one.scores], items)]
    parts += [STATISTICS_HEAD.format(lost=100 * LOST[-1], slopes=", ".join(slopes)), statistics(items, models)]
    parts += [THRESHOLDS_HEAD.format(lost=100 * LOST[-1]), fits(items, models)]
    parts += [
        OTHER_HEAD.format(pairs=_counts(pairs), words=planted.WORDS, number=args.sentences),
        markdown(names, other),
    ]
    return "\n".join(parts)


def _counts(rows: Sequence[Item | Pair]) -> str:
    return ", ".join(f"{sum(row.lang == lang for row in rows)} in {lang}" for lang in LANGUAGES)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", required=True, help="causal models; name:en,es for some languages only")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--token-budget", type=int, default=4096)
    parser.add_argument("--languagetool", action="store_true", help="a local copy, found by LTP_PATH")
    parser.add_argument("--version", default="6.8", help="of LanguageTool")
    parser.add_argument("--ud", type=Path, help="folder of treebanks; of several models the first sees them")
    parser.add_argument("--sentences", type=int, default=100, help="treebank sentences of each language")
    parser.add_argument("--out", type=Path, help="Markdown file to write")
    args = parser.parse_args(argv)
    try:
        text = run(args)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(text)
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
