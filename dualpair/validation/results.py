"""All results of a validation from the answers: every table, and what a reader should be told in words."""

from __future__ import annotations

import pandas as pd

from dualpair import schemas
from dualpair.validation import agreement, curve, rates, rejected, verdicts
from dualpair.validation.returned import PROBLEMS, REASONS, Returned
from dualpair.validation.returned_problems import EMPTY
from dualpair.validation.returned_rows import ADJUDICATES


def compute(
    found: Returned,
    key: pd.DataFrame,
    sets: pd.DataFrame,
    variants: pd.DataFrame,
    alternates: pd.DataFrame,
    limit: int | None,
    target: float,
    seed: int,
    n_resamples: int,
) -> dict[str, pd.DataFrame]:
    """Every table of a validation, by its name in :mod:`dualpair.schemas`.

    Args:
        found: what came back.
        key: `sheet_key` frame of the current sample.
        sets: `sets` frame.
        variants: `variants` frame.
        alternates: `alternates` frame.
        limit: most mismatched pairs that an annotator may accept; None: nobody is left out.
        target: least accepted share of a suggested threshold.
        seed: the run's seed.
        n_resamples: resamples of the agreement's intervals.
    """
    items = verdicts.sample_items(key, sets)
    annotators = verdicts.attention(found.answers, items, limit)
    everyone = verdicts.votes(found.answers, items)
    given = verdicts.without_excluded(everyone, annotators)
    judged = verdicts.verdicts(items, given, verdicts.votes(found.answers, items, ADJUDICATES))
    questioned = judged.loc[judged["questioned"].astype(bool), schemas.table("validation_items").names]
    return {
        "answers": found.answers,
        "validation_problems": found.problems,
        "validation_annotators": annotators,
        "validation_rates": rates.rates(judged, everyone, items),
        "validation_agreement": agreement.agreement(given, items, seed, n_resamples),
        "validation_items": questioned.reset_index(drop=True),
        "validation_curve": curve.curve(judged),
        "validation_thresholds": curve.thresholds(judged, target),
        "validation_rejected": rejected.rejected(found.answers, annotators, sets, variants, alternates),
    }


def remarks(tables: dict[str, pd.DataFrame]) -> list[str]:
    """Sentences on rows that cannot be used, on other oddities, and on annotators that are left out."""
    problems = tables["validation_problems"]
    counts = problems["problem"].value_counts()
    texts = []
    empty = problems.loc[problems["problem"] == EMPTY, "file"]
    if len(empty):
        texts.append(f"Returned sheets, files without any answer: {', '.join(sorted(set(empty)))}.")
    lost = [f"{counts[name]} {name.replace('_', ' ')}" for name in REASONS if name in counts]
    if lost:
        texts.append(f"Returned sheets, rows that cannot be used: {', '.join(lost)}; see validation/problems.csv.")
    odd = [
        f"{counts[name]} {name.replace('_', ' ')}"
        for name in PROBLEMS
        if name in counts and name not in (*REASONS, EMPTY)
    ]
    if odd:
        texts.append(f"Returned sheets, other oddities: {', '.join(odd)}; see validation/problems.csv.")
    out = tables["validation_annotators"]
    for row in out[out["excluded"].astype(bool)].itertuples():
        texts.append(
            f"{row.annotator} is left out of {row.task}, {row.lang}: accepted {row.attention_failures} of "
            f"{row.n_mismatched} mismatched pairs, allowed are {row.limit}."
        )
    return texts
