"""Scores of a parser on trees of known analysis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dualpair import languages
from dualpair.syntax.pipeline import parse
from dualpair.syntax.splitting import Split, Word, split_words
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
