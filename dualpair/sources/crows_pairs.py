"""CrowS-Pairs (Nangia et al., EMNLP 2020), its English revision, and the French and Dutch versions.

Columns used, by name: sent_more and sent_less (the more and the less stereotypical sentence of a pair),
stereo_antistereo, bias_type, and as set id `id` or the first column if it has no name. Both sentences of a set come
from one row. Many pairs differ elsewhere than in the subject; they do not fit, and are rejected here when their ends
differ, else by the parse stage.

The more stereotypical sentence comes first, so that a positive difference always means agreement with the stereotype.
With ``stereotyped: by_direction`` it is the sentence about the disadvantaged group: in an `antistereo` row that is
sent_less, which contradicts the stereotype.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dualpair import languages
from dualpair.errors import InputError
from dualpair.sources import cleaning, common, reading
from dualpair.sources.settings import CrowsPairsSource

DIRECTIONS = ("stereo", "antistereo")


def read(path: Path, lang: str, source: CrowsPairsSource) -> pd.DataFrame:
    """The `stereotypes` frame of one language.

    Raises:
        InputError: a missing column, or a direction other than stereo and antistereo.
    """
    columns = ["sent_more", "sent_less", "stereo_antistereo", "bias_type"]
    table = reading.read_table(path, columns, source.reading, lang, optional=["id", ""])
    items: list[common.Item] = []
    seen: dict[str, int] = {}
    for number, row in enumerate(table.rows):
        set_id = row.cells.get("id", row.cells.get("", str(number))).strip() or str(number)
        own = common.own_id(set_id, seen)
        items += _pair(row, own, own != set_id, table, lang, source)
    return common.frame(items, dataset=source.dataset, lang=lang, table=table, max_sets=source.max_sets)


def _pair(
    row: reading.Row, set_id: str, repeated: bool, table: reading.Table, lang: str, source: CrowsPairsSource
) -> list[common.Item]:
    direction = row.cells["stereo_antistereo"].strip()
    if direction not in DIRECTIONS:
        raise InputError(
            f"{table.where(row, 'stereo_antistereo')}: value {direction!r} (allowed: {', '.join(DIRECTIONS)})"
        )
    pair = [row.cells["sent_more"], row.cells["sent_less"]]
    if direction == "antistereo" and source.stereotyped == "by_direction":
        pair.reverse()
    reason = common.REPEATED_ID if repeated else misfit(pair, lang)
    return [
        common.Item(
            set_id=set_id,
            cluster_id=set_id,
            bias_type=row.cells["bias_type"].strip() or common.UNSPECIFIED,
            role=role,
            sentence=sentence,
            group="",
            attribute="",
            line=row.line,
            part=part,
            reason=reason,
        )
        for part, (role, sentence) in enumerate(zip(common.ROLES, pair, strict=True))
    ]


def misfit(pair: list[str], lang: str) -> str:
    """Why the pair cannot have an identical attribute, as far as that shows without a parser."""
    for sentence in pair:
        flaw = cleaning.flaw(sentence)
        if flaw or not sentence.strip():
            return flaw or common.EMPTY_SENTENCE
    first, second = (languages.split_final_mark(cleaning.clean(sentence, lang), lang)[0] for sentence in pair)
    if first == second:
        return common.SAME_SENTENCES
    return "" if common_end(first, second, lang) else common.NO_COMMON_END


def common_end(first: str, second: str, lang: str) -> str:
    """The words (characters where the language joins without a space) with which both texts end."""
    joiner = languages.get(lang).joiner
    a, b = (text.split(joiner) if joiner else list(text) for text in (first, second))
    same = 0
    while same < min(len(a), len(b)) and a[-1 - same] == b[-1 - same]:
        same += 1
    return joiner.join(a[len(a) - same :])
