"""The sentences that are timed, and how much of them is shared. All are deterministic and made without a model.

`dual_pairs` imitates what augmentation yields: sets of two to four groups, ten attributes and ten alternates on the
same frames, groups that recur (14 lists of groups over 36 English sets). `little_sharing` is the opposite: every
sentence has a group of its own. `demo` holds the sentences of the demo's own tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import languages

WORDS = Path(__file__).with_name("words.yaml")
PATTERN = ("en", "en", "es", "en", "en", "ru", "en", "en", "zh")  # languages of consecutive sets
BLOCK = 54  # sets that take their groups from one place; 36 of them English
LISTS_PER_SET = 14 / 36
FULL_SIZE = 3040  # a whole block
LITTLE_SHARING_SIZE = 520

Pair = tuple[str, str]


class Workload(NamedTuple):
    """Distinct (prefix, continuation) pairs with a name, and in one sentence where they come from."""

    name: str
    origin: str
    pairs: tuple[Pair, ...]


class Counts(NamedTuple):
    """What of a workload must be computed.

    tokens: with BOS. nodes: distinct prefixes, the full texts among them. internal: distinct prefixes with a successor:
    the positions that must be run (the last token of a text never is). keys: positions that those attend to, summed.
    padded: positions of batches of 32 in the given order.
    """

    sentences: int
    tokens: int
    nodes: int
    internal: int
    keys: int
    padded: int


def dual_pairs(size: int = FULL_SIZE) -> Workload:
    """Whole synthetic sets until there are at least `size` distinct sentences.

    A larger workload has more sets, with groups from another place in every block of 54; a smaller one has fewer lists
    of groups. So groups recur equally often at every size.

    Raises:
        ValueError: a size below 1, or one for which the places do not suffice (about 110,000).
    """
    if size < 1:
        raise ValueError(f"size {size}: expected at least 1")
    words = _words()["dual_pairs"]
    places = min(len(table["places"]) for table in words.values())
    per_block = len(set(_block(words, BLOCK, None)))
    pairs: dict[Pair, None] = {}
    for block in range(places + 1):
        place = None if block == 0 else block - 1
        missing = size - len(pairs)
        sets = BLOCK if missing >= per_block else _sets_for(words, missing, place)
        pairs.update(dict.fromkeys(_block(words, sets, place)))
        if len(pairs) >= size:
            return Workload("dual_pairs", "synthetic: dual pairs of two to four groups, groups recur", tuple(pairs))
    raise ValueError(f"size {size}: at most {len(pairs)} sentences can be made, there are only {places} places")


def little_sharing(size: int = LITTLE_SHARING_SIZE) -> Workload:
    """`size` sentences, every one with a group of its own; no two begin with the same word.

    Raises:
        ValueError: more sentences than there are groups.
    """
    found = list(_little(_words()["little_sharing"]))
    if not 1 <= size <= len(found):
        raise ValueError(f"size {size}: expected 1 to {len(found)}, the number of groups in {WORDS.name}")
    step = len(found) / size  # all languages at every size
    chosen = tuple(found[int(i * step)] for i in range(size))
    return Workload("little_sharing", "synthetic: every sentence has a group of its own", chosen)


def demo(root: Path) -> Workload:
    """The distinct sentences of the demo's tables, else of the quick run's, else of the starter set as it is.

    Args:
        root: the checkout; `results/` is below it.
    """
    for run, command in (("demo", "make demo"), ("test", "make quick")):
        path = root / "results" / run / "sentences.parquet"
        if path.is_file():
            return Workload("demo", f"results/{run}/sentences.parquet, made by `{command}`", _from_table(path))
    return Workload("demo", "the starter set without paraphrases: `make demo` has not been run", _starter(root))


def count(rows: Iterable[Sequence[int]], batch: int = 32) -> Counts:
    """Count tokens and distinct prefixes of encoded texts.

    Args:
        rows: token ids with BOS, each of at least one token.
        batch: size of the padded batches that are compared with.
    """
    given = [tuple(row) for row in rows]
    whole, inner = sorted(given), sorted(row[:-1] for row in given)
    internal = keys = 0
    for before, row in zip([(), *inner], inner, strict=False):
        shared = _common(before, row)
        internal += len(row) - shared
        keys += (len(row) * (len(row) + 1) - shared * (shared + 1)) // 2
    return Counts(
        sentences=len(given),
        tokens=sum(map(len, given)),
        nodes=sum(len(row) - _common(before, row) for before, row in zip([(), *whole], whole, strict=False)),
        internal=internal,
        keys=keys,
        padded=sum(
            len(part) * max(map(len, part)) for part in (given[i : i + batch] for i in range(0, len(given), batch))
        ),
    )


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Length of the common prefix."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _words() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(WORDS.read_text(encoding="utf-8"))
    return table


def _block(words: dict[str, Any], sets: int, place: int | None) -> Iterator[Pair]:
    """The sentences of `sets` consecutive sets whose groups come from one place."""
    drawn = dict.fromkeys(words, 0)
    totals = {lang: sum(PATTERN[i % len(PATTERN)] == lang for i in range(sets)) for lang in words}
    for number in range(sets):
        lang = PATTERN[number % len(PATTERN)]
        table, turn = words[lang], drawn[lang]
        drawn[lang] += 1
        lists = min(math.ceil(totals[lang] * LISTS_PER_SET), len(table["groups"]))
        groups = table["groups"][turn % lists]
        if place is not None:
            groups = [table["native"].format(group=group, place=table["places"][place]) for group in groups]
        yield from _set(groups, table["topics"][turn % len(table["topics"])], table["frames"], lang)


def _set(groups: Sequence[str], topic: Sequence[str], frames: Sequence[str], lang: str) -> Iterator[Pair]:
    facts = languages.get(lang)
    for frame in frames:
        for word in topic:  # attribute, then alternate
            for group in groups:
                yield group, f"{facts.joiner}{frame.format(word=word)}{facts.final_mark}"


def _sets_for(words: dict[str, Any], size: int, place: int | None) -> int:
    """Fewest sets of a block that hold at least `size` distinct sentences; the whole block if it has no more."""
    for sets in range(1, BLOCK):
        if len(set(_block(words, sets, place))) >= size:
            return sets
    return BLOCK


def _little(words: dict[str, Any]) -> Iterator[Pair]:
    for lang, table in words.items():
        facts = languages.get(lang)
        for number, group in enumerate(table["groups"]):
            predicate = table["predicates"][number % len(table["predicates"])]
            yield group, f"{facts.joiner}{predicate}{facts.final_mark}"


def _from_table(path: Path) -> tuple[Pair, ...]:
    from dualpair import artifacts

    frame = artifacts.read(path, "sentences")
    return tuple(dict.fromkeys(zip(frame["prefix"], frame["continuation"], strict=True)))


def _starter(root: Path) -> tuple[Pair, ...]:
    import pandas as pd

    pairs: dict[Pair, None] = {}
    for path in sorted((root / "resources" / "stereotypes").glob("*.csv")):
        facts = languages.get(path.stem)
        for row in pd.read_csv(path, keep_default_na=False).to_dict("records"):
            pairs[str(row["group"]), f"{facts.joiner}{row['attribute']}{facts.final_mark}"] = None
    return tuple(pairs)
