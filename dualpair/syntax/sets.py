"""The stereotypes table (a sentence a row) -> the sets table (a stereotype in a language a row).

A set is kept only if all its groups leave the identical attribute and the same final mark, as in the dual-pair paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dualpair import languages
from dualpair.syntax import ENGINES, Rejection, Split, reasons, split

if TYPE_CHECKING:
    import pandas as pd

PRESPLIT = "presplit"
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
Row = Mapping[str, Any]
Members = Sequence[tuple[Row, Split | Rejection]]


def build_sets(
    stereotypes: pd.DataFrame, engine_by_lang: Mapping[str, str], parser_dir: Path | None = None
) -> pd.DataFrame:
    """Split every sentence and put the sentences of a set together.

    Args:
        stereotypes: the stereotypes table; rows with ``kept`` false take no part, but a set that has only such rows
            appears with the first one's reason.
        engine_by_lang: for each language ``presplit`` (take the columns ``group`` and ``attribute``) or ``stanza``.
        parser_dir: parser folder for ``stanza``; the shipped one by default.

    Returns:
        One row per (lang, set_id), sorted by them, with the columns of the sets table; ``groups`` begins with the
        stereotyped group. A dropped set has ``kept`` false and a reason from the source or ``reasons.SET_REASONS``.

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
            results = split(sentences, str(lang), engine_by_lang[str(lang)], parser_dir)
        by_set: dict[str, list[tuple[Row, Split | Rejection]]] = {str(row["set_id"]): [] for row in records}
        for row, result in zip(used, results, strict=True):
            by_set[str(row["set_id"])].append((row, result))
        first = {str(row["set_id"]): row for row in reversed(records)}
        rows += [_set_row(first[set_id], members) for set_id, members in sorted(by_set.items())]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _check(records: Sequence[Row], lang: str, engine_by_lang: Mapping[str, str]) -> None:
    languages.get(lang)
    allowed = (PRESPLIT, *ENGINES)
    if engine_by_lang.get(lang) not in allowed:
        raise ValueError(
            f"language {lang!r}: parsing engine {engine_by_lang.get(lang)!r} is not one of {', '.join(allowed)}; "
            "set it in the config"
        )
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
    if not group or not attribute:
        empty = "group" if not group else "attribute"
        raise ValueError(
            f"set {row['set_id']!r}, language {lang!r}: the {empty} cell is empty ({row['source_file']}, line "
            f"{row['source_row']}); fill it or choose the engine stanza for this language"
        )
    attribute, own_mark = languages.split_final_mark(attribute, lang)
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
    return {
        **{key: str(first[key]) for key in ("set_id", "cluster_id", "lang", "dataset", "bias_type")},
        "groups": [result.group for result in splits],
        "attribute": lead.attribute,
        "final_mark": lead.final_mark,
        "original": originals[0] if originals else str(first["sentence"]),
        "parse": lead.parse,
        "kept": not reason,
        "reason": reason,
    }


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
    rejected = [result for result in ordered if isinstance(result, Rejection)]
    splits = [result for result in ordered if isinstance(result, Split)]
    if rejected:
        # Some sentences of the set were split, this one not: the parser treats parallel sentences differently.
        return reasons.PARSER_DISAGREES if splits else rejected[0].reason
    if len({result.group.casefold() for result in splits}) < len(splits):
        return reasons.DUPLICATE_GROUP
    attributes = {result.attribute for result in splits}
    if len(attributes) > 1:
        return reasons.PARSER_DISAGREES if _nested(attributes) else reasons.DEPENDS_ON_GROUP
    if len({result.final_mark for result in splits}) > 1:
        return reasons.DEPENDS_ON_GROUP
    return ""


def _nested(attributes: set[str]) -> bool:
    """True if one attribute is the end of another: the same words, cut at different places."""
    shortest = min(attributes, key=len)
    return all(attribute.endswith(shortest) for attribute in attributes)
