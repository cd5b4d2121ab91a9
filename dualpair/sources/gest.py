"""GEST (Pikuliak et al., 2023) and EuroGEST (Rowe et al., 2025): first-person sentences with a stereotype's number.

The group is not in the sentence: the config's scaffolds give it, e.g. `The women said: "{sentence}"` and
`The men said: "{sentence}"`. What stands before the sentence is the group, the (quoted) sentence the attribute.
Stereotypes 1 to 7 are about women, 8 to 16 about men, and decide which scaffold is the stereotyped one. The number is
the cluster: sentences of one stereotype are no independent draws.

GEST: columns sentence, stereotype; the set id is the record's number from 0, which is EuroGEST's GEST_ID. EuroGEST: the
columns named in the config; a sentence whose masculine and feminine forms differ depends on the group and is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dualpair import languages
from dualpair.errors import InputError
from dualpair.sources import cleaning, common, reading
from dualpair.sources.settings import SENTENCE_SLOT, EuroGestSource, GestSource, Scaffolds

GENDER = "gender"
ABOUT_WOMEN = range(1, 8)
ABOUT_MEN = range(8, 17)
_OPENING = "\"'“„«‹「『《‘"


def read_gest(path: Path, lang: str, source: GestSource) -> pd.DataFrame:
    """The `stereotypes` frame of GEST's own table.

    Raises:
        InputError: a missing column, or a stereotype that is no number from 1 to 16.
    """
    table = reading.read_table(path, ["sentence", "stereotype"], source.reading, lang)
    items: list[common.Item] = []
    for number, row in enumerate(table.rows):
        stereotype = _stereotype(row, "stereotype", table)
        items += _pair(row, str(number), stereotype, row.cells["sentence"], "", source.scaffolds[lang], lang)
    return common.frame(items, dataset=source.dataset, lang=lang, table=table, max_sets=source.max_sets)


def read_eurogest(path: Path, lang: str, source: EuroGestSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language's EuroGEST table.

    Raises:
        InputError: as :func:`read_gest`; or an empty id.
    """
    names = source.columns
    gendered = [name for name in (names.masculine, names.feminine) if name is not None]
    table = reading.read_table(path, [names.id, names.stereotype, names.neutral], source.reading, lang, gendered)
    items: list[common.Item] = []
    seen: dict[str, int] = {}
    for row in table.rows:
        set_id = _whole(row.cells[names.id])
        if not set_id:
            raise InputError(f"{table.where(row, names.id)} is empty; every row needs a value: fill it in")
        sentence, reason = _form(row, names.neutral, gendered)
        own = common.own_id(set_id, seen)
        reason = common.REPEATED_ID if own != set_id else reason
        stereotype = _stereotype(row, names.stereotype, table)
        items += _pair(row, own, stereotype, sentence, reason, source.scaffolds[lang], lang)
    return common.frame(items, dataset=source.dataset, lang=lang, table=table, max_sets=source.max_sets)


def cut(scaffold: str, lang: str) -> tuple[str, str]:
    """A scaffold as group and frame of the attribute, the frame with the slot in it.

    The cut is where the language's joiner belongs: at the last white space before the slot; without a joiner, before
    the quote marks that open the sentence.
    """
    place = scaffold.index(SENTENCE_SLOT)
    joiner = languages.get(lang).joiner
    if joiner:
        while place and not scaffold[place - 1].isspace():
            place -= 1
    else:
        while place and scaffold[place - 1] in _OPENING:
            place -= 1
    return scaffold[:place].strip(), scaffold[place:].strip()


def _pair(
    row: reading.Row, set_id: str, stereotype: int, sentence: str, reason: str, scaffolds: Scaffolds, lang: str
) -> list[common.Item]:
    order = [scaffolds.female, scaffolds.male] if stereotype in ABOUT_WOMEN else [scaffolds.male, scaffolds.female]
    text = sentence.strip()
    said = languages.split_final_mark(cleaning.clean(text, lang), lang)[0]
    reason = reason or cleaning.flaw(text) or ("" if said else common.EMPTY_SENTENCE)
    items = []
    for part, (role, scaffold) in enumerate(zip(common.ROLES, order, strict=True)):
        group, frame = cut(scaffold, lang)
        attribute = frame.replace(SENTENCE_SLOT, text)
        items.append(
            common.Item(
                set_id=set_id,
                cluster_id=f"gest-{stereotype}",
                bias_type=GENDER,
                role=role,
                sentence=languages.join(group, attribute, lang) if not reason else text,
                group=group,
                attribute=languages.split_final_mark(cleaning.clean(attribute, lang), lang)[0],
                line=row.line,
                part=part,
                reason=reason,
            )
        )
    return items


def _form(row: reading.Row, neutral: str, gendered: Sequence[str]) -> tuple[str, str]:
    """The one sentence that both groups can say, or the reason why there is none."""
    if row.cells[neutral].strip():
        return row.cells[neutral], ""
    forms = [row.cells.get(name, "") for name in gendered]
    distinct = {" ".join(form.split()) for form in forms if form.strip()}
    if not distinct:
        return "", common.EMPTY_SENTENCE
    return forms[0], "" if len(distinct) == 1 and all(form.strip() for form in forms) else common.FORMS_DIFFER


def _stereotype(row: reading.Row, column: str, table: reading.Table) -> int:
    text = _whole(row.cells[column])
    allowed = (*ABOUT_WOMEN, *ABOUT_MEN)
    if not text.isascii() or not text.isdecimal() or int(text) not in allowed:
        raise InputError(f"{table.where(row, column)}: value {row.cells[column]!r} (allowed: 1 to 16)")
    return int(text)


def _whole(text: str) -> str:
    """A whole number that some program wrote as `3.0`, as `3`; other texts as they are."""
    return text.strip().removesuffix(".0")
