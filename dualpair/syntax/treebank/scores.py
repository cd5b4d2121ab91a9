"""Scores of the shipped parsers on held-out treebank sentences and on the development sentences written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dualpair import languages
from dualpair.syntax import split
from dualpair.syntax.pipeline import parse
from dualpair.syntax.splitting import Split, Word, precheck, split_words
from dualpair.syntax.treebank.universal import Sentence

_SHORT = 20


class Example(NamedTuple):
    """A development sentence: its construction, its text, and its group (None if it must be rejected)."""

    construction: str
    sentence: str
    group: str | None


def read_examples(path: Path, lang: str) -> list[Example]:
    """Read ``construction: group | attribute`` and ``construction: ! sentence`` lines; ``#`` begins a comment.

    Raises:
        ValueError: if a line is neither; names file and line.
    """
    examples = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        construction, _, rest = line.partition(": ")
        group, bar, attribute = rest.partition(" | ")
        if rest.startswith("! "):
            examples.append(Example(construction, rest[2:], None))
        elif bar:
            examples.append(Example(construction, languages.join(group, attribute, lang), group))
        else:
            raise ValueError(f"{path}, line {number}: expected 'construction: group | attribute' or '! sentence'")
    return examples


def development(path: Path, lang: str, parser_dir: Path | None = None) -> dict[str, float]:
    """``sentences`` of a file of examples and the share ``right``: the same group, or both reject. Range 0 to 1."""
    examples = read_examples(path, lang)
    found = split([example.sentence for example in examples], lang, parser_dir=parser_dir)
    groups = [result.group if isinstance(result, Split) else None for result in found]
    right = sum(example.group == group for example, group in zip(examples, groups, strict=True))
    return {"sentences": len(examples), "right": round(right / len(examples), 4)}


def treebank(sentences: Sequence[Sentence], lang: str, parser_dir: Path | None = None) -> dict[str, float]:
    """Compare the parser with gold trees, word by word.

    Returns:
        ``sentences``; ``words``, the F1 of the words found; ``upos``, ``uas``, ``las`` (universal relations), as F1
        over words; ``split``, of the ``short`` sentences (up to 20 words) that the gold tree cuts, the share cut at the
        same place. Shares are 0 to 1.
    """
    counts = dict.fromkeys(("both", "upos", "uas", "las"), 0)
    gold_words = found_words = short = right = 0
    parses = parse([sentence.text for sentence in sentences], lang, parser_dir)
    for sentence, found in zip(sentences, parses, strict=True):
        gold = words_of(sentence)
        gold_words += len(gold)
        if isinstance(found, str):
            continue
        found_words += len(found)
        for key, value in _agreement(gold, found).items():
            counts[key] += value
        cut = split_words(sentence.text, gold, lang)
        if isinstance(cut, Split) and len(gold) <= _SHORT and precheck(sentence.text, lang) is None:
            short += 1
            other = split_words(sentence.text, found, lang)
            right += isinstance(other, Split) and other.group == cut.group
    total = max(gold_words + found_words, 1)
    shares = {key: 2 * value / total for key, value in counts.items()}
    shares = {"words": shares.pop("both"), **shares, "split": right / max(short, 1)}
    return {"sentences": len(sentences), "short": short, **{key: round(value, 4) for key, value in shares.items()}}


def words_of(sentence: Sentence) -> list[Word]:
    """The sentence's words with their character spans in its text."""
    words, position = [], 0
    for token in sentence.tokens:
        start = sentence.text.index(token.form, position)
        position = start + len(token.form)
        words.append(Word(token.form, start, position, token.upos, token.head - 1, token.deprel))
    return words


def _agreement(gold: Sequence[Word], found: Sequence[Word]) -> dict[str, int]:
    places = {(word.start, word.end): word for word in found}
    pairs = [(word, places[word.start, word.end]) for word in gold if (word.start, word.end) in places]
    heads = [(one, other, _head(gold, one) == _head(found, other)) for one, other in pairs]
    same = [one.deprel.partition(":")[0] == other.deprel.partition(":")[0] for one, other in pairs]
    return {
        "both": len(pairs),
        "upos": sum(one.upos == other.upos for one, other in pairs),
        "uas": sum(head for _, _, head in heads),
        "las": sum(head and label for (_, _, head), label in zip(heads, same, strict=True)),
    }


def _head(words: Sequence[Word], word: Word) -> tuple[int, int]:
    return (words[word.head].start, words[word.head].end) if word.head >= 0 else (-1, -1)
