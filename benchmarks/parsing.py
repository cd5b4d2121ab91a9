"""Throughput and memory of the embedded parsers, on generated sentences that are all different.

    python -m benchmarks.parsing --sentences 3000              # sentences a second, each language
    python -m benchmarks.parsing --lang en --sentences 100000  # and what memory that takes

Prints a row a language: sentences, words a sentence, sentences a second of CPU time (one core) and of wall time,
seconds to load the models, and the highest memory of the process while it splits.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import machine
from benchmarks.report import table
from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax import split
from dualpair.syntax.treebank.generate import GRAMMARS, generate
from dualpair.syntax.treebank.trees import linearise, surface

HEAD = ["language", "sentences", "words a sentence", "a second of CPU", "a second", "loading, s", "peak memory, GB"]


def main() -> None:
    """Parse the command line, measure each language, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lang", nargs="+", choices=sorted(GRAMMARS), default=sorted(GRAMMARS))
    parser.add_argument("--sentences", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=77)
    args = parser.parse_args()
    rows = []
    for lang in args.lang:
        rows.append(measure(lang, args.sentences, args.seed))
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    print(table(HEAD, rows))


def measure(lang: str, n: int, seed: int) -> list[str]:
    """One language's row."""
    trees = generate(lang, resource("parsers", "lexicon"), n, 1, seed).train
    joiner = languages.get(lang).joiner
    words = sum(len(linearise(tree)) for tree in trees) / n
    texts = [surface(tree, joiner) for tree in trees]
    del trees
    machine.reset_peak_memory()
    with machine.timed() as loading:
        split(texts[:1], lang)
    with machine.timed() as work:
        split(texts, lang)
    cpu, wall = (n / seconds for seconds in (work.seconds.cpu, work.seconds.wall))
    return [
        lang,
        str(n),
        f"{words:.1f}",
        f"{cpu:.0f}",
        f"{wall:.0f}",
        f"{loading.seconds.wall:.1f}",
        f"{machine.peak_memory() / 1e9:.2f}",
    ]


if __name__ == "__main__":
    main()
