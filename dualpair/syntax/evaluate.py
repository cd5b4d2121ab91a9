"""Scores of a parser on trees of known analysis, and on sentences of known split."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dualpair import languages
from dualpair.syntax import reasons, split
from dualpair.syntax.pipeline import parse
from dualpair.syntax.splitting import Rejection, Split, Word, split_words
from dualpair.syntax.treebank.trees import Tree, linearise, surface


def evaluate(trees: Sequence[Tree], lang: str, parser_dir: Path | None = None) -> dict[str, float]:
    """Compare the parser with the trees.

    Returns:
        ``sentences``; ``tokenised``, the share of sentences whose words are all right; ``upos``, ``uas``, ``las``, the
        shares of right tags, heads, and heads with relations over the words of those; ``split``, the share of all
        sentences with the right group and attribute (or a rejection where the tree gives one). All shares 0 to 1.

    Raises:
        ValueError: if there are no trees.
    """
    if not trees:
        raise ValueError("no trees to evaluate on")
    joiner = languages.get(lang).joiner
    texts = [surface(tree, joiner) for tree in trees]
    tokenised = split_right = words_seen = upos = uas = las = 0
    for tree, text, words in zip(trees, texts, parse(texts, lang, parser_dir), strict=True):
        gold = gold_words(tree, text)
        if isinstance(words, str):
            continue
        split_right += _same_split(split_words(text, gold, lang), split_words(text, words, lang))
        if [word.form for word in gold] != [word.form for word in words]:
            continue
        tokenised += 1
        words_seen += len(gold)
        pairs = list(zip(gold, words, strict=True))
        upos += sum(a.upos == b.upos for a, b in pairs)
        uas += sum(a.head == b.head for a, b in pairs)
        las += sum((a.head, a.deprel) == (b.head, b.deprel) for a, b in pairs)
    n, total = len(trees), max(words_seen, 1)
    shares = {"tokenised": tokenised / n, "upos": upos / total, "uas": uas / total, "las": las / total}
    return {"sentences": n, **{key: round(value, 4) for key, value in (shares | {"split": split_right / n}).items()}}


def gold_words(tree: Tree, text: str) -> list[Word]:
    """The tree's words with their character spans in its surface text."""
    words, position = [], 0
    for node, head, relation in linearise(tree):
        start = text.casefold().index(node.form.casefold(), position)
        position = start + len(node.form)
        words.append(Word(text[start:position], start, position, node.upos, head - 1, relation))
    return words


def _same_split(gold: object, found: object) -> bool:
    if isinstance(gold, Split) and isinstance(found, Split):
        return (gold.group, gold.attribute) == (found.group, found.attribute)
    return not isinstance(gold, Split) and not isinstance(found, Split)


# --- the gold file of splits ------------------------------------------------------------------------------------------

GOLD_COLUMNS = ("id", "sentence", "group", "attribute", "final_mark", "reason", "construction", "note")
RIGHT, CUT_ELSEWHERE, REJECTED, NOT_REJECTED = "right", "cut_elsewhere", "rejected", "not_rejected"
VERDICTS = (RIGHT, CUT_ELSEWHERE, REJECTED, NOT_REJECTED)


class Judged(NamedTuple):
    """A gold row, what the parser made of its sentence, and whether that is right."""

    gold: Mapping[str, str]
    found: Split | Rejection
    verdict: str


def read_gold(path: Path) -> list[dict[str, str]]:
    """Rows of a gold file of splits (``docs/parsing.md`` says what they mean).

    Raises:
        ValueError: if the columns are not GOLD_COLUMNS, an id appears twice, or a row is neither split nor rejected;
            names file and row.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows = list(reader)
    if tuple(reader.fieldnames or ()) != GOLD_COLUMNS:
        raise ValueError(f"{path}: the columns are {reader.fieldnames}, expected {list(GOLD_COLUMNS)}")
    seen: set[str] = set()
    for row in rows:
        parts = [bool(row["group"]), bool(row["attribute"]), not row["reason"]]
        if len(set(parts)) > 1 or (row["reason"] and row["reason"] not in reasons.SPLIT_REASONS):
            raise ValueError(f"{path}, {row['id']}: give group and attribute, or a reason of {reasons.SPLIT_REASONS}")
        if row["id"] in seen:
            raise ValueError(f"{path}: the id {row['id']} appears twice")
        seen.add(row["id"])
    return rows


def judge_splits(
    rows: Sequence[Mapping[str, str]], lang: str, engine: str = "stanza", parser_dir: Path | None = None
) -> list[Judged]:
    """Split the gold sentences and compare: group, attribute and final mark must be the same, or both reject."""
    found = split([row["sentence"] for row in rows], lang, engine, parser_dir)
    return [Judged(row, one, _verdict(row, one)) for row, one in zip(rows, found, strict=True)]


def _verdict(row: Mapping[str, str], found: Split | Rejection) -> str:
    if isinstance(found, Rejection):
        return RIGHT if row["reason"] else REJECTED
    if row["reason"]:
        return NOT_REJECTED
    same = (found.group, found.attribute, found.final_mark) == (row["group"], row["attribute"], row["final_mark"])
    return RIGHT if same else CUT_ELSEWHERE


def summary(judged: Sequence[Judged]) -> dict[str, float]:
    """Shares of a language, 0 to 1, NaN where there are no rows.

    Returns:
        ``rows``; ``exact``: right over all rows; ``split``: right over the rows that can be split; ``rejections``:
        right over the rows that must be rejected; ``reasons``: of these rejections, those with the gold reason.
    """
    to_split = [one for one in judged if not one.gold["reason"]]
    to_reject = [one for one in judged if one.gold["reason"]]
    rejected = [one for one in to_reject if one.verdict == RIGHT]
    return {
        "rows": len(judged),
        "exact": _share(judged),
        "split": _share(to_split),
        "rejections": _share(to_reject),
        "reasons": _ratio(sum(getattr(one.found, "reason", "") == one.gold["reason"] for one in rejected), rejected),
    }


def by_construction(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    """How often each verdict falls on each construction, constructions and verdicts in a fixed order."""
    counts = Counter((one.gold["construction"], one.verdict) for one in judged)
    names = sorted({one.gold["construction"] for one in judged}, key=lambda name: (name.startswith("reject"), name))
    return {name: {verdict: counts[name, verdict] for verdict in VERDICTS} for name in names}


def _share(judged: Sequence[Judged]) -> float:
    return _ratio(sum(one.verdict == RIGHT for one in judged), judged)


def _ratio(count: int, of: Sequence[object]) -> float:
    return count / len(of) if of else math.nan
