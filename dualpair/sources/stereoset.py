"""StereoSet (Nadeem et al., ACL 2021): the original JSON, or a CSV whose lists are as NumPy prints them.

Original: `data.intrasentence[]` and `data.intersentence[]` with id, bias_type, target, context and sentences[]
(sentence, gold_label); a bare list of such items is read too. CSV: prompt, choices (stereotype, anti-stereotype,
unrelated), bias_type, target; the set id is the record's number.

An item says two things about one group: its stereotype and its anti-stereotype differ in the attribute. That is no set
of groups with one attribute, so nearly every item is rejected, with its reason. What fits are the few intrasentence
items whose BLANK is the whole subject, so that the two fill-ins are two groups with the same attribute (`BLANK is a
nurse.` with `She` and `He`); the parse stage then decides about their sentences as about any others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dualpair.errors import InputError
from dualpair.sources import common, encodings, lists, reading, records
from dualpair.sources.cleaning import shown
from dualpair.sources.settings import StereoSetSource

BLANK = "BLANK"
_LABELS = ("stereotype", "anti-stereotype", "unrelated")
_DETERMINERS = "the|a|an|my|your|his|her|our|their|this|that|these|those|some|most|many|all"
_SUBJECT = re.compile(rf"(?:(?i:{_DETERMINERS})\s+)?{BLANK}\s+(?P<rest>.+)", flags=re.DOTALL)
# The data set is English. A finite verb between blank and target shows that the target is not in the subject; the list
# is short, so that what is kept is right rather than complete.
_FINITE = frozenset({
    "am", "is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "has", "have", "had", "hasn't",
    "haven't", "hadn't", "does", "do", "did", "doesn't", "don't", "didn't", "can", "can't", "cannot", "could",
    "couldn't", "will", "won't", "would", "wouldn't", "shall", "should", "shouldn't", "may", "might", "must",
    "become", "becomes", "became", "come", "comes", "came", "go", "goes", "went", "get", "gets", "got", "make",
    "makes", "made", "take", "takes", "took", "say", "says", "said", "think", "thinks", "thought", "know",
    "knows", "knew", "believe", "believes", "believed", "live", "lives", "lived", "love", "loves", "loved",
    "like", "likes", "liked", "hate", "hates", "hated", "want", "wants", "wanted", "need", "needs", "needed",
    "seem", "seems", "seemed",
})  # fmt: skip


class _Entry(NamedTuple):
    """One item: its place, its context and the sentences of the two labels."""

    line: int
    set_id: str
    bias_type: str
    target: str
    context: str
    stereotype: str
    anti: str
    intrasentence: bool
    reason: str = ""


def read(path: Path, lang: str, source: StereoSetSource) -> pd.DataFrame:
    """The `stereotypes` frame; an item that does not fit is one rejected row, the sentence of its stereotype.

    Raises:
        InputError: another layout than the two described above.
    """
    if path.suffix.casefold() == ".json":
        table, entries = _from_json(path, lang, source)
    else:
        table, entries = _from_csv(path, lang, source)
    items: list[common.Item] = []
    seen: dict[str, int] = {}
    for entry in entries:
        set_id = common.own_id(entry.set_id, seen)
        reason = common.REPEATED_ID if set_id != entry.set_id else entry.reason or misfit(entry)
        pair = [entry.stereotype] if reason else [entry.stereotype, entry.anti]
        items += [
            common.Item(
                set_id=set_id,
                cluster_id=set_id,
                bias_type=entry.bias_type.strip() or common.UNSPECIFIED,
                role=role,
                sentence=sentence,
                group="",
                attribute="",
                line=entry.line,
                part=part,
                reason=reason,
            )
            for part, (role, sentence) in enumerate(zip(common.ROLES, pair, strict=False))
        ]
    return common.frame(items, dataset=source.dataset, lang=lang, table=table, max_sets=source.max_sets)


def misfit(entry: _Entry) -> str:
    """Why an item has no two groups with one attribute; empty if it may have."""
    if not entry.intrasentence:
        return common.NO_CONTRAST_GROUP
    if len(re.findall(rf"\b{BLANK}\b", entry.context)) != 1:
        return common.NOT_ONE_BLANK
    found = _SUBJECT.fullmatch(entry.context.strip())
    if found is None:
        return common.NO_CONTRAST_GROUP
    return "" if _target_follows_verb(found["rest"], entry.target) else common.BLANK_NOT_SUBJECT


def _target_follows_verb(rest: str, target: str) -> bool:
    """True if the text after the blank has a finite verb before the target's first word."""
    words = re.findall(r"[\w'’-]+", rest.casefold().replace("’", "'"))
    first = (re.findall(r"[\w'’-]+", target.casefold()) or [""])[0]
    place = next((i for i, word in enumerate(words) if first and word.startswith(first)), None)
    return place is not None and any(word in _FINITE for word in words[:place])


def _from_csv(path: Path, lang: str, source: StereoSetSource) -> tuple[reading.Table, list[_Entry]]:
    columns = ["prompt", "choices", "bias_type", "target"]
    table = reading.read_table(path, columns, source.reading, lang, lists=["choices"])
    entries = []
    for number, row in enumerate(table.rows, start=1):
        try:
            choices = lists.parse(row.cells["choices"])
        except ValueError as error:
            raise InputError(f"{table.where(row, 'choices')}: {error}; expected three texts in quotes") from None
        if len(choices) != len(_LABELS):
            raise InputError(
                f"{table.where(row, 'choices')}: {len(choices)} texts, expected {len(_LABELS)} ({', '.join(_LABELS)})"
            )
        prompt = row.cells["prompt"]
        intra = re.search(rf"\b{BLANK}\b", prompt) is not None
        stereotype, anti = (_filled(prompt, text) if intra else text for text in choices[:2])
        bias_type, target = row.cells["bias_type"], row.cells["target"]
        entries.append(_Entry(row.line, str(number), bias_type, target, prompt, stereotype, anti, intra))
    return table, entries


def _filled(prompt: str, text: str) -> str:
    return re.sub(rf"\b{BLANK}\b", lambda _: text, prompt)


def _from_json(path: Path, lang: str, source: StereoSetSource) -> tuple[reading.Table, list[_Entry]]:
    text = encodings.decode(reading.read_bytes(path), path, source.reading.encoding, lang)
    data = records.load(text, str(path))
    entries = [
        _entry(item, number, f"{path}: record {number}", intra)
        for number, (item, intra) in enumerate(_items(data, path), start=1)
    ]
    if not entries:
        raise InputError(f"{path}: no item; expected data.intrasentence[] and data.intersentence[]")
    return reading.Table(path, path.name, reading.RECORD, []), entries


def _items(data: Any, path: Path) -> Iterator[tuple[Any, bool]]:
    """The items and whether each is an intrasentence one, in file order."""
    if isinstance(data, list):
        for item in data:
            yield item, isinstance(item, dict) and BLANK in str(item.get("context", ""))
        return
    parts = data.get("data", data) if isinstance(data, dict) else None
    if not isinstance(parts, dict) or not {"intrasentence", "intersentence"} & set(parts):
        raise InputError(f"{path}: has no data.intrasentence or data.intersentence; give StereoSet's own JSON file")
    for name in ("intrasentence", "intersentence"):
        part = parts.get(name, [])
        if not isinstance(part, list):
            raise InputError(f"{path}: key data.{name}: holds {type(part).__name__}, expected a list of items")
        for item in part:
            yield item, name == "intrasentence"


def _entry(item: Any, number: int, where: str, intra: bool) -> _Entry:
    if not isinstance(item, dict):
        raise InputError(f"{where}: {shown(item)} is no object; expected an item with id, context and sentences")
    texts = {}
    for key in ("id", "bias_type", "target", "context"):
        value = item.get(key)
        if not isinstance(value, str):
            raise InputError(f"{where}: key {key!r}: value {shown(value)}; expected a text")
        texts[key] = value
    by_label = _by_label(item.get("sentences"), where)
    missing = [label for label in _LABELS[:2] if label not in by_label]
    return _Entry(
        number,
        texts["id"],
        texts["bias_type"],
        texts["target"],
        texts["context"],
        by_label.get(_LABELS[0], texts["context"]),
        by_label.get(_LABELS[1], ""),
        intra,
        common.LABELS_MISSING if missing else "",
    )


def _by_label(sentences: Any, where: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if not isinstance(sentences, Sequence) or isinstance(sentences, str) or not sentences:
        raise InputError(f"{where}: key 'sentences': value {shown(sentences)}; expected a list of labelled sentences")
    for sentence in sentences:
        text = sentence.get("sentence") if isinstance(sentence, dict) else None
        label = sentence.get("gold_label") if isinstance(sentence, dict) else None
        if not isinstance(text, str) or label not in _LABELS:
            raise InputError(
                f"{where}: key 'sentences': {shown(sentence)}; expected sentence (text) and gold_label (allowed: "
                f"{', '.join(_LABELS)})"
            )
        found.setdefault(str(label), text)
    return found
