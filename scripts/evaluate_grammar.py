"""Compare grammar engines on planted errors, and fit engine lm's thresholds.

Reads resources/grammar/planted/<lang>.csv, the paraphrases and opposites of resources/judge/pairs.csv (all correct)
and, with --ud, <lang>_*-ud-dev.conllu of a folder. Prints and writes Markdown: detection and false alarms of each
engine by language and by kind of error, and which statistic of a model's log-probabilities tells errors best. The
first lines printed are the thresholds for the models' registry entries:

    python scripts/evaluate_grammar.py --models gemma-3-270m --languagetool --agreement --ud DATA/ud --out scores.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from dualpair import paths
from dualpair.errors import InputError
from dualpair.filters import agreement_settings, grammar_compare, planted
from dualpair.filters import grammar_page as page
from dualpair.filters.grammar_compare import Find
from dualpair.filters.grammar_page import LANGUAGES, LOST
from dualpair.filters.planted import Item, Pair, Text
from dualpair.scoring.engine import Failure
from dualpair.scoring.rows import ScoredRow
from dualpair.stages import grammar_agreement
from dualpair.syntax import engines as parsing

MEMORY_MB, TIMEOUT_S, REQUEST = 1500, 300, 50  # LanguageTool: heap, time limit and sentences of a request

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


def agreement() -> Find:
    """Engine agreement with the embedded parsers; the text's prefix is its group."""
    parsers = grammar_agreement.Parsers(dict.fromkeys(agreement_settings.LANGUAGES, parsing.STANZA))

    def find(lang: str, texts: Sequence[Text]) -> list[list[str]]:
        sentences = [grammar_agreement.Sentence(text.prefix, text.whole) for text in texts]
        found = grammar_agreement.disagreements(sentences, lang, parsers)
        return [_parsed(found[sentence], sentence.text) for sentence in sentences]

    return find


def _parsed(found: list[str] | str, text: str) -> list[str]:
    if isinstance(found, str):
        raise InputError(f"engine agreement: {text!r} was not parsed: {found}")
    return found


# ---- command


def run(args: argparse.Namespace) -> str:
    """Judge, fit, and lay out; returns the page and prints the thresholds."""
    items = planted.planted_items(LANGUAGES)
    pairs = planted.correct_pairs(paths.resource("judge", "pairs.csv"))
    bank = planted.treebank_items(args.ud, LANGUAGES, args.sentences) if args.ud else []
    models = under_models(args, items, pairs, bank)
    shown, other = [], []
    for name, rows in models.items():
        engine = grammar_compare.lm_engine(name, [item for item in items if item.source in rows], rows, LOST[-1])
        fitted = grammar_compare.thresholds(engine.scores, LOST[-1])
        print(f"# {name}, {args.dtype}: {{grammar: {{{', '.join(f'{k}: {v:.2f}' for k, v in fitted.items())}}}}}")
        shown.append(engine)
        other += page.elsewhere_lm(name, pairs, bank, rows, fitted)
    tools = []
    with languagetool(args.version) if args.languagetool else nullcontext() as find:
        finders = [(f"languagetool {args.version}", find, bank)] if find else []
        # A treebank sentence has no group that its predicate could be held against.
        finders += [("agreement", agreement(), [])] if args.agreement else []
        for name, finder, sentences in finders:
            tools.append(grammar_compare.finding_engine(name, items, finder))
            other += page.elsewhere_finding(name, pairs, sentences, finder)
    both = [grammar_compare.combined(f"{one.name} or {tool.name}", [one, tool]) for tool in tools for one in shown]
    return page.lay_out(items, pairs, models, [*shown, *tools, *both], other, args.sentences)


def under_models(
    args: argparse.Namespace, items: Sequence[Item], pairs: Sequence[Pair], bank: Sequence[Item]
) -> dict[str, dict[Text, ScoredRow]]:
    """All texts under each model, in the languages that it is asked for."""
    models: dict[str, dict[Text, ScoredRow]] = {}
    for given in args.models:
        name, _, only = given.partition(":")
        langs = only.split(",") if only else LANGUAGES
        own = [*items, *([] if models else bank)]  # the treebank is the costly part: the first model's only
        texts = [t for i in own if i.lang in langs for t in (i.source, i.correct, i.faulty)]
        texts += [text for p in pairs if p.lang in langs for text in (p.source, p.candidate)]
        models[name] = scored(name, texts, args.token_budget, args.dtype)
    return models


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", required=True, help="causal models; name:en,es for some languages only")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--token-budget", type=int, default=4096)
    parser.add_argument("--languagetool", action="store_true", help="a local copy, found by LTP_PATH")
    parser.add_argument("--agreement", action="store_true", help="engine agreement, with the embedded parsers")
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
