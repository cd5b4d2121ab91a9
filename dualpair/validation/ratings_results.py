"""All results of the survey from the files that came back, and what a reader should be told in words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from dualpair.validation import ratings_checks, ratings_returned, ratings_table
from dualpair.validation.ratings_design import RATING, rows_of
from dualpair.validation.returned_paths import File

NAMES = ("human_ratings", "human_ratings_means", "ratings_annotators", "ratings_problems")

_NAMED = 10  # annotators in a remark


def compute(files: Sequence[File], key: pd.DataFrame, rule: ratings_checks.Rule) -> dict[str, pd.DataFrame]:
    """Every table of the survey, by its name in :mod:`dualpair.schemas`.

    Args:
        files: what came back.
        key: `ratings_key` frame.
        rule: when an annotator is left out.

    Raises:
        InputError: files that cannot be used at all.
    """
    found = ratings_returned.read(files, key)
    annotators = ratings_checks.annotators(key, found.rows, rule)
    rated = ratings_table.ratings(key, found.rows, annotators)
    averaged = ratings_table.means(rated, key[key["kind"] == RATING])
    return dict(zip(NAMES, (rated, averaged, annotators, found.problems), strict=True))


def remarks(tables: dict[str, pd.DataFrame], key: pd.DataFrame) -> list[str]:
    """Sentences on what has not come back, on annotators that are left out, and on rows that are not as handed out."""
    rated, averaged, annotators, problems = (tables[name] for name in NAMES)
    handed_out = len(key[["lang", "annotator"]].drop_duplicates())
    texts = []
    if len(annotators) < handed_out:
        texts.append(f"Trait ratings: {len(annotators)} of {handed_out} surveys have come back.")
    out = annotators[annotators["excluded"].astype(bool)]
    if len(out):
        named = [f"{row.lang} {row.annotator} ({', '.join(row.failed)})" for row in rows_of(out)]
        more = f"; and {len(named) - _NAMED} more, see ratings_annotators.csv" if len(named) > _NAMED else ""
        names = "; ".join(named[:_NAMED]) + more
        texts.append(f"Trait ratings: {len(out)} of {len(annotators)} annotators are left out: {names}.")
    kept = int(rated["kept"].sum())
    least, most = averaged["n"].min(), averaged["n"].max()
    texts.append(
        f"Trait ratings: {kept} of {len(rated)} ratings are used, {least:.0f} to {most:.0f} for a group and trait pair."
    )
    counts = problems["problem"].value_counts()
    odd = [f"{counts[name]} {name.replace('_', ' ')}" for name in ratings_returned.PROBLEMS if name in counts]
    if odd:
        texts.append(f"Trait ratings, not as handed out: {', '.join(odd)}; see ratings_problems.csv.")
    return texts
