"""Score a parsing engine on the gold samples of splits and write the tables.

Reads ``<gold>/<lang>.csv`` of each sample; prints and writes Markdown: the shares of each sample and language, then for
each construction, over all samples, how many sentences are cut right, cut elsewhere, wrongly rejected, or not rejected
though they must be:

    python scripts/evaluate_splits.py --out docs/parsing_scores.md
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from dualpair.paths import resource
from dualpair.syntax import Rejection, engines, evaluate
from dualpair.syntax.evaluate import Judged

HEAD = """# Splits on the gold samples

Written by `scripts/evaluate_splits.py`. Engine: {engine}; parsers: {parsers}. The gold samples
(`resources/gold/splits`) were written and checked without looking at any parser. Which constructions of the first one
were cut wrongly has since guided the embedded parsers' grammars and the rules at the edges of a subject; the second one
was written later, by someone who saw neither the parsers nor those results, and of it only the totals were looked at.
*Exact*: group, attribute and final mark are those of the gold file, or both reject. *Reason*: rightly rejected
sentences with the gold file's reason.
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Parse the command line, judge, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", nargs="+", type=Path, help="folders of samples (default: resources/gold/splits/*)")
    parser.add_argument("--lang", nargs="+", help="languages (default: those of the gold files)")
    parser.add_argument("--engine", default=engines.STANZA, help="stanza, or spacy: and a pipeline's name or folder")
    parser.add_argument("--models", type=Path, help="folder of stanza models (default: the embedded ones)")
    parser.add_argument("--out", type=Path, help="Markdown file to write")
    parser.add_argument("--errors", type=Path, help="CSV file for the sentences that are not right")
    args = parser.parse_args(argv)
    folders: Sequence[Path] = args.gold or sorted(resource("gold", "splits").iterdir())
    samples = {folder.name: judge(folder, args.lang, args.engine, args.models) for folder in folders}
    judged: dict[str, list[Judged]] = {}
    for sample in samples.values():
        for lang, rows in sample.items():
            judged.setdefault(lang, []).extend(rows)
    parsers = "the embedded ones" if args.models is None else args.models.name
    text = "\n".join([HEAD.format(engine=args.engine, parsers=parsers), shares(samples), constructions(judged)])
    print(text)
    if args.out:
        args.out.write_text(text, encoding="utf-8")
    if args.errors:
        write_errors(args.errors, judged)


def judge(folder: Path, langs: Sequence[str] | None, engine: str, models: Path | None) -> dict[str, list[Judged]]:
    """Each language of a sample."""
    return {
        lang: evaluate.judge_splits(evaluate.read_gold(folder / f"{lang}.csv"), lang, engine, models)
        for lang in langs or sorted(path.stem for path in folder.glob("*.csv"))
    }


def shares(samples: Mapping[str, Mapping[str, Sequence[Judged]]]) -> str:
    """One row a sample and language."""
    lines = [
        "| sample | language | sentences | exact | of those to split | of those to reject | reason |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, judged in samples.items():
        for lang, rows in judged.items():
            own = evaluate.summary(rows)
            cells = " | ".join(f"{100 * own[key]:.1f} %" for key in ("exact", "split", "rejections", "reasons"))
            lines.append(f"| {name} | {lang} | {own['rows']:.0f} | {cells} |")
    return "\n".join([*lines, ""])


def constructions(judged: Mapping[str, Sequence[Judged]]) -> str:
    """One row a construction; a language's cell holds right / all and, where there are any, the kinds of mistakes."""
    tables = {lang: evaluate.by_construction(rows) for lang, rows in judged.items()}
    names = list(dict.fromkeys(name for table in tables.values() for name in table))
    names.sort(key=lambda name: (name.startswith("reject"), name))
    lines = [
        "Right of all, by construction; in brackets the mistakes: c cut elsewhere, r rejected, n not rejected.",
        "",
        f"| construction | {' | '.join(tables)} |",
        "|---" * (len(tables) + 1) + "|",
    ]
    for name in names:
        lines.append(f"| {name} | {' | '.join(_cell(table.get(name)) for table in tables.values())} |")
    return "\n".join([*lines, ""])


def _cell(counts: Mapping[str, int] | None) -> str:
    if counts is None:
        return "–"
    signs = {evaluate.CUT_ELSEWHERE: "c", evaluate.REJECTED: "r", evaluate.NOT_REJECTED: "n"}
    wrong = ", ".join(f"{counts[verdict]} {sign}" for verdict, sign in signs.items() if counts[verdict])
    return f"{counts[evaluate.RIGHT]} / {sum(counts.values())}" + (f" ({wrong})" if wrong else "")


def write_errors(path: Path, judged: Mapping[str, Sequence[Judged]]) -> None:
    """The sentences that are not right, with what was found."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "construction", "verdict", "sentence", "gold_group", "found_group", "reason", "parse"])
        for rows in judged.values():
            for gold, found, verdict in rows:
                if verdict == evaluate.RIGHT:
                    continue
                rejected = isinstance(found, Rejection)
                result = ["", f"{found.reason}: {found.detail}"] if rejected else [found.group, ""]
                known = [gold[key] for key in ("id", "construction")], [gold[key] for key in ("sentence", "group")]
                writer.writerow([*known[0], verdict, *known[1], *result, found.parse])


if __name__ == "__main__":
    main()
