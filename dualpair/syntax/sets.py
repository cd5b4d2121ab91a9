"""The stereotypes table (a sentence a row) -> the sets table (a stereotype in a language a row).

A set is kept only if all its groups leave the identical attribute and the same final mark, as in the dual-pair paper;
``docs/parsing.md`` says what each reason means.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair import languages
from dualpair.syntax import Rejection, Split, engines, reasons, repair, split
from dualpair.syntax.engines import PRESPLIT

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "set_id",
    "cluster_id",
    "lang",
    "dataset",
    "bias_type",
    "groups",
    "attribute",
    "final_mark",
    "original",
    "parse",
    "kept",
    "reason",
)
_ROLES = ("stereotyped", "contrast")
# What may stand round a group's name in a sentence.
_EDGES = " \"'«»„“”‘’「」『』()[]（）¿¡,，"
Row = Mapping[str, Any]
Members = Sequence[tuple[Row, Split | Rejection]]


def build_sets(
    stereotypes: pd.DataFrame,
    engine_by_lang: Mapping[str, str],
    parser_dir: Path | None = None,
    repairing: str = repair.NONE,
    report: Callable[[str, int, int], None] | None = None,
) -> pd.DataFrame:
    """Split every sentence and put the sentences of a set together.

    Args:
        stereotypes: the stereotypes table; rows with ``kept`` false take no part, but a set that has only such rows
            appears with the first one's reason.
        engine_by_lang: for each language ``presplit`` (take the columns ``group`` and ``attribute``), ``stanza``, or
            ``spacy:`` and the name or folder of a pipeline.
        parser_dir: parser folder for ``stanza``; the shipped one by default.
        repairing: ``none``, or ``suffix`` (:mod:`dualpair.syntax.repair`).
        report: called now and then with language, sentences parsed so far and sentences to parse.

    Returns:
        One row per (lang, set_id), sorted by them, with the columns of the sets table; ``groups`` begins with the
        stereotyped group. A dropped set has ``kept`` false and a reason from the source or ``reasons.SET_REASONS``;
        the ``parse`` of a repaired set begins with ``repair.NOTE``.

    Raises:
        ValueError: if a language has no engine or an unknown one, a role is unknown, rows of one set disagree about
            cluster, data set or bias type, or a cell that ``presplit`` needs is empty.
    """
    import pandas as pd

    rows = []
    for lang, part in stereotypes.groupby("lang", sort=True):
        records: list[Row] = [{str(key): value for key, value in row.items()} for row in part.to_dict("records")]
        _check(records, str(lang), engine_by_lang)
        used = [row for row in records if row["kept"]]
        if engine_by_lang[str(lang)] == PRESPLIT:
            results: Sequence[Split | Rejection] = [_presplit(row) for row in used]
        else:
            sentences = [str(row["sentence"]) for row in used]
            telling = functools.partial(report, str(lang)) if report else None
            results = split(sentences, str(lang), engine_by_lang[str(lang)], parser_dir, telling)
        by_set: dict[str, list[tuple[Row, Split | Rejection]]] = {str(row["set_id"]): [] for row in records}
        for row, result in zip(used, results, strict=True):
            by_set[str(row["set_id"])].append((row, result))
        first = {str(row["set_id"]): row for row in reversed(records)}
        for set_id, members in sorted(by_set.items()):
            rows.append(_set_row(first[set_id], _repaired(members) if repairing == repair.SUFFIX else members))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _check(records: Sequence[Row], lang: str, engine_by_lang: Mapping[str, str]) -> None:
    languages.get(lang)
    if lang not in engine_by_lang:
        raise ValueError(
            f"language {lang!r} has no parsing engine: name one in the config (allowed: {engines.ALLOWED})"
        )
    try:
        engines.checked(engine_by_lang[lang])
    except ValueError as error:
        raise ValueError(f"language {lang!r}, parsing engine {engine_by_lang[lang]!r}: {error}") from None
    facts: dict[str, tuple[str, ...]] = {}
    for row in records:
        where = f"set {row['set_id']!r}, language {lang!r}"
        if row["role"] not in _ROLES:
            raise ValueError(f"{where}: role {row['role']!r} is not one of {', '.join(_ROLES)}")
        own = tuple(str(row[key]) for key in ("cluster_id", "dataset", "bias_type"))
        if facts.setdefault(str(row["set_id"]), own) != own:
            raise ValueError(
                f"{where}: rows disagree in (cluster_id, dataset, bias_type): {facts[row['set_id']]}, {own}"
            )


def _presplit(row: Row) -> Split:
    """Group and attribute as the source gives them; the mark comes from the sentence."""
    lang = str(row["lang"])
    group, attribute = (languages.normalise(str(row[key] or "")) for key in ("group", "attribute"))
    attribute, own_mark = languages.split_final_mark(attribute, lang)
    if not group or not attribute:
        empty = "group" if not group else "attribute"
        raise ValueError(
            f"set {row['set_id']!r}, language {lang!r}: the {empty} cell is empty ({row['source_file']}, line "
            f"{row['source_row']}); fill it or choose the engine stanza for this language"
        )
    body, mark = languages.split_final_mark(languages.normalise(str(row["sentence"])), lang)
    if body != languages.join(group, attribute, lang):
        raise ValueError(
            f"{row['source_file']}, line {row['source_row']}, set {row['set_id']!r}: the sentence {row['sentence']!r} "
            f"is not the group {group!r} followed by the attribute {attribute!r}; correct one of them, or choose the "
            f"engine stanza"
        )
    return Split(group, attribute, mark or own_mark, PRESPLIT)


def _set_row(first: Row, members: Members) -> dict[str, Any]:
    stereotyped = [result for row, result in members if row["role"] == "stereotyped"]
    ordered = stereotyped + [result for row, result in members if row["role"] != "stereotyped"]
    originals = [str(row["sentence"]) for row, _ in members if row["role"] == "stereotyped"]
    splits = [result for result in ordered if isinstance(result, Split)]
    lead = splits[0] if splits else Split("", "", "")
    reason = _reason(first, members, ordered, len(stereotyped))
    accounts = [_account(result) for result in ordered]
    return {
        **{key: str(first[key]) for key in ("set_id", "cluster_id", "lang", "dataset", "bias_type")},
        "groups": [result.group for result in splits],
        "attribute": lead.attribute,
        "final_mark": lead.final_mark,
        "original": originals[0] if originals else str(first["sentence"]),
        "parse": "; ".join(accounts) if reason else lead.parse,
        "kept": not reason,
        "reason": reason,
    }


def _account(result: Split | Rejection) -> str:
    """What was made of a sentence of a set that is dropped."""
    made = result.detail if isinstance(result, Rejection) else f"{result.group} | {result.attribute}"
    return f"{made}: {result.parse}" if result.parse else made


def _reason(
    first: Row,
    members: Sequence[tuple[Row, Split | Rejection]],
    ordered: Sequence[Split | Rejection],
    n_stereotyped: int,
) -> str:
    """Why the set is dropped, the first reason that holds; empty when it is kept."""
    if not members:
        return str(first["reason"])
    if n_stereotyped != 1:
        return reasons.NO_STEREOTYPED
    if len(members) < 2:
        return reasons.FEWER_THAN_TWO
    splits = [result for result in ordered if isinstance(result, Split)]
    rejected = [result.reason for result in ordered if isinstance(result, Rejection)]
    if rejected:
        # Some sentences of the set were split, this one not: the parser treats parallel sentences differently. That a
        # cell holds several sentences was found without the parser.
        several = reasons.SEVERAL_SENTENCES in rejected
        return reasons.SEVERAL_SENTENCES if several else reasons.PARSER_DISAGREES if splits else rejected[0]
    return _difference(splits, str(first["lang"]))


def _difference(splits: Sequence[Split], lang: str) -> str:
    """Why split sentences do not make a set; empty if they do."""
    groups = {result.group.casefold() for result in splits}
    attributes = {result.attribute for result in splits}
    if len(attributes) > 1:
        if _nested(attributes, lang):
            return reasons.PARSER_DISAGREES
        return reasons.SAME_GROUP if len(groups) == 1 else reasons.DEPENDS_ON_GROUP
    if len(groups) < len(splits):
        return reasons.DUPLICATE_GROUP
    if len({result.final_mark for result in splits}) > 1:
        return reasons.MARK_DIFFERS
    (attribute,) = attributes
    return reasons.GROUP_IN_ATTRIBUTE if any(_holds(attribute, group, lang) for group in groups) else ""


def _nested(attributes: set[str], lang: str) -> bool:
    """True if one attribute is the end of all: the same words, cut at different places."""
    shortest = min(attributes, key=len)
    joiner = languages.get(lang).joiner
    return all(attribute == shortest or attribute.endswith(joiner + shortest) for attribute in attributes)


def _holds(attribute: str, group: str, lang: str) -> bool:
    """Whether the attribute names the group: as whole words, or in a language without spaces as two signs or more."""
    name = group.strip(_EDGES)
    text = attribute.casefold()
    if not languages.get(lang).joiner:
        return len(name) > 1 and name in text
    places = [at for at in range(len(text)) if text.startswith(name, at)] if name else []
    return any(not _letter(text[at - 1 : at]) and not _letter(text[at + len(name) :][:1]) for at in places)


def _letter(char: str) -> bool:
    """Whether a character is part of a word: a letter, a vowel sign or another mark on one, a digit."""
    return bool(char) and unicodedata.category(char)[0] in "LMN"


def _repaired(members: Members) -> Members:
    """The members with their splits repaired, if a repair is called for and possible."""
    if not members or len({result.attribute if isinstance(result, Split) else None for _, result in members}) == 1:
        return members
    sentences = [str(row["sentence"]) for row, _ in members]
    splits = repair.by_suffix(sentences, [result for _, result in members], str(members[0][0]["lang"]))
    return [(row, split) for (row, _), split in zip(members, splits, strict=True)] if splits else members
