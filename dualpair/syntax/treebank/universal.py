"""Reading Universal Dependencies files for training: sentences split by hash, words as our tokenizer makes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

# One sentence in five is held out.
_FOLDS = 5
_LONGEST = 40
_TAGGED = {
    "NOUN": ("Case", "Number"),
    "PROPN": ("Case", "Number"),
    "PRON": ("PronType", "Case", "Number"),
    "ADJ": ("Case", "Number", "Variant", "Degree"),
    "DET": ("PronType", "Case"),
    "NUM": ("Case",),
    "VERB": ("VerbForm", "Mood", "Number", "Case", "Variant"),
    "AUX": ("VerbForm", "Mood", "Number"),
}
_UNMARKED = ("Pos", "Ind", "Sub", "Cnd")
# What the splitting rule reads; each further feature costs the tagger a classifier.
_KEPT = ("Mood", "VerbForm")


@dataclass(frozen=True, slots=True)
class Token:
    """One word: CoNLL-U columns, the head 1-based (0 for the root), and whether a space follows it."""

    form: str
    lemma: str
    upos: str
    feats: str
    head: int
    deprel: str
    space: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's text and words."""

    text: str
    tokens: tuple[Token, ...]


def read_treebank(path: Path, longest: int = _LONGEST) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences of a CoNLL-U file, as (four fifths for training, one fifth held out), by the hash of their text.

    Words that are written without a space between them and that our tokenizer keeps together are joined: contracted
    words (Spanish ``del``, ``verlo``), and words with a hyphen. Longer sentences are left out of the training part.

    Raises:
        ValueError: if the file holds no sentences.
    """
    train, held = [], []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        sentence = _sentence(block.splitlines())
        if sentence is None:
            continue
        if int(hashlib.sha256(sentence.text.encode()).hexdigest(), 16) % _FOLDS == 0:
            held.append(sentence)
        elif len(sentence.tokens) <= longest:
            train.append(sentence)
    if not train or not held:
        raise ValueError(f"{path}: no sentences to train on and to hold out")
    return train, held


def conllu(sentence: Sentence, name: str) -> str:
    """CoNLL-U block for stanza's trainers: the compact tag in the XPOS column, few features, no lemmas."""
    lines = [f"# sent_id = {name}", f"# text = {sentence.text}"]
    for i, token in enumerate(sentence.tokens, start=1):
        misc = "_" if token.space else "SpaceAfter=No"
        tag = compact_tag(token.upos, token.feats)
        columns = (i, token.form, "_", token.upos, tag, _features(token.feats), token.head, token.deprel, "_", misc)
        lines.append("\t".join(map(str, columns)))
    return "\n".join(lines) + "\n\n"


def _features(feats: str) -> str:
    """The form of verbs, and the mood of commands."""
    items = [item for item in feats.split("|") if item.partition("=")[0] in _KEPT]
    return "|".join(item for item in items if item.partition("=")[2] not in _UNMARKED) or "_"


def compact_tag(upos: str, feats: str) -> str:
    """The word class with the few features that tell a subject from a predicate, e.g. ``NOUNGenPlur``."""
    values = dict(item.split("=", 1) for item in feats.split("|") if "=" in item)
    wanted = (values.get(name, "").partition(",")[0] for name in _TAGGED.get(upos, ()))
    return "".join([upos, *(value for value in wanted if value and value not in _UNMARKED)])


def tokens_of(block: str) -> tuple[Token, ...]:
    """Words of a CoNLL-U block without contracted words."""
    rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
    return tuple(Token(r[1], r[2], r[3], r[5], int(r[6]), r[7], "SpaceAfter=No" not in r[9]) for r in rows)


def _sentence(lines: list[str]) -> Sentence | None:
    text = next((line[9:] for line in lines if line.startswith("# text = ")), "")
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    plain = [row for row in rows if row[0].isdigit()]
    if not text or not plain:
        return None
    tokens = [Token(r[1], r[2], r[3], r[5], int(r[6]), r[7], "SpaceAfter=No" not in r[9]) for r in plain]
    joined: list[tuple[int, int, str, bool]] = []
    for row in rows:
        if "-" in row[0]:
            first, last = (int(part) for part in row[0].split("-"))
            space = "SpaceAfter=No" not in row[9]
            if "".join(token.form for token in tokens[first - 1 : last]) != row[1]:
                joined.append((first, last, row[1], space))
            else:
                for i in range(first - 1, last):
                    tokens[i] = replace(tokens[i], space=space and i == last - 1)
    joined += [span for span in _hyphens(tokens) if not any(a <= span[1] and span[0] <= b for a, b, _, _ in joined)]
    merged = _merge(tokens, sorted(joined))
    surface = "".join(token.form + " " * token.space for token in merged).rstrip()
    return Sentence(text, tuple(merged)) if surface == text.rstrip() else None


def _hyphens(tokens: list[Token]) -> Iterator[tuple[int, int, str, bool]]:
    """Spans (1-based, inclusive) of words joined by hyphens, of "cannot", and of Chinese nouns with a suffix."""
    start = 0
    while start < len(tokens):
        end = start
        while end + 2 < len(tokens) and _links(tokens[end : end + 3]):
            end += 2
        if end == start and [token.form.casefold() for token in tokens[start : start + 2]] == ["can", "not"]:
            end = start + 1 if not tokens[start].space else start
        if end == start and _suffixed(tokens, start):
            end = start + 1
        if end > start:
            form = "".join(token.form for token in tokens[start : end + 1])
            yield start + 1, end + 1, form, tokens[end].space
        start = end + 1


def _suffixed(tokens: list[Token], at: int) -> bool:
    """True for a Chinese noun whose suffix the treebank writes as a word of its own."""
    if at + 1 >= len(tokens) or tokens[at].space or tokens[at].deprel != "compound":
        return False
    suffix = tokens[at + 1]
    return tokens[at].head == at + 2 and suffix.upos == "PART" and len(suffix.form) == 1


def _links(three: list[Token]) -> bool:
    left, hyphen, right = three
    tight = not left.space and not hyphen.space and hyphen.form == "-"
    return tight and left.form[-1].isalnum() and right.form[0].isalpha()


def _merge(tokens: list[Token], spans: list[tuple[int, int, str, bool]]) -> list[Token]:
    """Each span becomes one word, that of its word whose head lies outside (the last such)."""
    place = list(range(len(tokens) + 1))
    merged: list[Token] = []
    covered = {i: span for span in spans for i in range(span[0], span[1] + 1)}
    i = 1
    while i <= len(tokens):
        first, last, form, space = covered.get(i, (i, i, tokens[i - 1].form, tokens[i - 1].space))
        outside = [k for k in range(first, last + 1) if not first <= tokens[k - 1].head <= last]
        top = tokens[(outside[0] if len(outside) > 1 and tokens[outside[0] - 1].upos == "ADP" else outside[-1]) - 1]
        upos = "NOUN" if last > first and top.upos == "PART" else top.upos
        merged.append(replace(top, form=form, space=space, upos=upos))
        for k in range(first, last + 1):
            place[k] = len(merged)
        i = last + 1
    return [replace(token, head=place[token.head]) for token in merged]
