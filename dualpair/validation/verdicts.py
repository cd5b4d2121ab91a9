"""From answers to one verdict per item: who is left out, the majority, and what the adjudicator says."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from dualpair import schemas
from dualpair.validation.instructions import ANSWERS
from dualpair.validation.pairs import MISMATCHED
from dualpair.validation.returned_rows import ANNOTATES

ACCEPT, REJECT, NOT_FLUENT = ANSWERS
DISPUTED = "disputed"
SHEET = ["task", "lang"]
_ITEM = [*SHEET, "pair_id"]
_FACTS = [
    *_ITEM, "item_id", "kind", "set_id", "bias_type", "first", "second", "weight", "similarity",
    "contradiction_forward", "contradiction_backward", "acceptance",
]  # fmt: skip


def sample_items(key: pd.DataFrame, sets: pd.DataFrame) -> pd.DataFrame:
    """One row per item of a sample with its facts and its set's ``cluster_id``.

    Args:
        key: `sheet_key` frame of the current sample.
        sets: `sets` frame of the same run.

    Raises:
        ValueError: a set of the key is not in ``sets``.
    """
    items = key.drop_duplicates(_ITEM)[_FACTS]
    joined = items.merge(sets[["lang", "set_id", "cluster_id"]], on=["lang", "set_id"], how="left")
    lost = joined["cluster_id"].isna()
    if lost.any():
        row = joined.loc[lost].iloc[0]
        raise ValueError(
            f"sheet_key: set {row['set_id']!r} ({row['lang']}) is not in sets; run snakemake again, so that both are "
            f"of one run"
        )
    return joined.sort_values(_ITEM, ignore_index=True)


def votes(answers: pd.DataFrame, items: pd.DataFrame, role: str = ANNOTATES) -> pd.DataFrame:
    """Usable answers to the sample's items, whichever sample they were given in.

    Returns:
        Columns task, lang, pair_id, annotator, answer and kind.
    """
    used = answers.loc[answers["kept"].astype(bool) & (answers["role"] == role), [*_ITEM, "annotator", "answer"]]
    return used.merge(items[[*_ITEM, "kind"]], on=_ITEM).sort_values([*_ITEM, "annotator"], ignore_index=True)


def attention(answers: pd.DataFrame, items: pd.DataFrame, limit: int | None) -> pd.DataFrame:
    """The `validation_annotators` frame: per sheet, how many mismatched pairs its annotator accepted.

    An annotator is left out of a task and language when they accept more than ``limit`` of its mismatched pairs.

    Args:
        answers: `answers` frame.
        items: see :func:`sample_items`.
        limit: most mismatched pairs that may be accepted; None: nobody is left out.
    """
    rows = []
    given = votes(answers, items)
    for (task, lang, annotator), own in answers.loc[answers["role"] == ANNOTATES].groupby([*SHEET, "annotator"]):
        mine = given[(given["task"] == task) & (given["lang"] == lang) & (given["annotator"] == annotator)]
        checks = mine[mine["kind"] == MISMATCHED]
        failures = int((checks["answer"] == ACCEPT).sum())
        unusable = int((~own["kept"].astype(bool)).sum())
        rows.append({
            "task": task, "lang": lang, "annotator": annotator, "n_rows": len(own), "n_unusable": unusable,
            "n_answers": len(mine), "n_mismatched": len(checks), "attention_failures": failures, "limit": limit,
            "excluded": limit is not None and failures > limit,
        })  # fmt: skip
    return pd.DataFrame(rows, columns=schemas.table("validation_annotators").names)


def without_excluded(given: pd.DataFrame, annotators: pd.DataFrame) -> pd.DataFrame:
    """Votes less those of excluded annotators."""
    out = set(
        annotators.loc[annotators["excluded"].astype(bool), [*SHEET, "annotator"]].itertuples(index=False, name=None)
    )
    kept = [row not in out for row in given[[*SHEET, "annotator"]].itertuples(index=False, name=None)]
    return given[pd.Series(kept, given.index, dtype=bool)].reset_index(drop=True)


def majority(answers: Iterable[str]) -> str:
    """The answer that more than half gave, else ``disputed``."""
    given = list(answers)
    best = max(sorted(set(given)), key=given.count)
    return best if 2 * given.count(best) > len(given) else DISPUTED


def verdicts(items: pd.DataFrame, given: pd.DataFrame, adjudicated: pd.DataFrame) -> pd.DataFrame:
    """The judged items with their verdicts.

    Added columns: ``before`` (the annotators' majority), ``after`` (the adjudicator's answer in its place, where there
    is one), ``adjudicated`` (that answer, or empty), ``n_answers``, ``n_reject``, ``answers`` (who said what),
    ``differ`` (the annotators disagree) and ``questioned`` (they disagree, or one says ``not_fluent``).

    Args:
        items: see :func:`sample_items`.
        given: votes of the annotators that are not left out.
        adjudicated: votes of the adjudicators.
    """
    by_item = given.groupby(_ITEM)
    frame = pd.DataFrame({
        "before": by_item["answer"].agg(majority),
        "n_answers": by_item.size(),
        "n_reject": by_item["answer"].agg(lambda own: int((own == REJECT).sum())),
        "questioned": by_item["answer"].agg(lambda own: own.nunique() > 1 or NOT_FLUENT in set(own)),
        "differ": by_item["answer"].agg(lambda own: own.nunique() > 1),
    })  # fmt: skip
    said = given.assign(said=given["annotator"] + ": " + given["answer"])
    frame["answers"] = said.groupby(_ITEM)["said"].agg("; ".join)
    frame = items.merge(frame.reset_index(), on=_ITEM)
    final = adjudicated.groupby(_ITEM)["answer"].agg(majority).rename("adjudicated").reset_index()
    frame = frame.merge(final, on=_ITEM, how="left")
    frame["adjudicated"] = frame["adjudicated"].fillna("")
    settled = frame["adjudicated"].isin(ANSWERS)
    frame["after"] = frame["adjudicated"].where(settled, frame["before"])
    return frame
