"""Who rates what: groups to annotators, the order of pages and traits, which pole stands left, and the check questions.

Every choice ranks by a hash of the seed and of what is chosen, so that a design depends on its settings alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from dualpair.schemas import table
from dualpair.traits import Pair
from dualpair.validation.digests import digest
from dualpair.validation.ratings_text import Texts

RATING, RECALL_GROUP, RECALL_TRAITS = KINDS = ("rating", "recall_group", "recall_traits")
KEY = "ratings_key"
_OPTIONS = 4  # answers of a recall question, where there are as many
NO_RIGHT_ANSWER = 0
_JOINED = " – "


class Survey(NamedTuple):
    """What a language's annotators are asked: (group, its name there) and the texts."""

    groups: Sequence[tuple[str, str]]
    texts: Texts


class Page(NamedTuple):
    """One page: sliders for a group, or a recall question about the page before."""

    kind: str
    group: str
    repeated: bool = False


def annotators_needed(n_groups: int, per_group: int, distinct: int) -> int:
    """The fewest annotators with ``distinct`` different groups each that give every group ``per_group`` ratings."""
    return -(-n_groups * per_group // distinct)


def assign(groups: Sequence[str], per_group: int, distinct: int, seed: int, lang: str) -> list[list[str]]:
    """Each annotator's different groups, in the order of the pages.

    Annotators take the groups that were given out least, ties by hash, so that numbers of ratings differ by 1 at most.

    Args:
        groups: at least ``distinct`` different groups.
        per_group: least ratings of each.
        distinct: groups of an annotator.
        seed: the run's seed.
        lang: language of the survey.
    """
    given = dict.fromkeys(groups, 0)
    found = []
    for number in range(annotators_needed(len(groups), per_group, distinct)):
        ranked = sorted(groups, key=lambda group: (given[group], digest("ratings", seed, lang, number, group)))
        chosen = ranked[:distinct]
        for group in chosen:
            given[group] += 1
        found.append(_shuffled(chosen, "pages", seed, lang, number))
    return found


def pages(chosen: Sequence[str], *salt: object) -> list[Page]:
    """An annotator's pages: the groups, one of all but the last again at the end, and a recall question after two."""
    repeated = _shuffled(chosen[:-1], "repeated", *salt)[0]
    asked = _shuffled(chosen, "recall", *salt)[:2]
    found = []
    for group in chosen:
        found.append(Page(RATING, group))
        for kind, after in zip((RECALL_GROUP, RECALL_TRAITS), asked, strict=True):
            if group == after:
                found.append(Page(kind, group))
    return [*found, Page(RATING, repeated, True)]


def design(surveys: Sequence[Survey], pairs: Sequence[Pair], per_group: int, n_pages: int, seed: int) -> pd.DataFrame:
    """The `ratings_key` frame: every question to every annotator.

    Annotators are numbered anew in each language. What an annotator is asked does not depend on ``per_group``, so that
    a survey which is extended later keeps the answers that it has.

    Args:
        surveys: one per language.
        pairs: trait pairs, all of which are asked about each group.
        per_group: least ratings of each group and language.
        n_pages: pages of sliders of an annotator, the last of which repeats a group.
        seed: the run's seed.
    """
    rows: list[dict[str, Any]] = []
    for survey in surveys:
        assigned = assign([group for group, _ in survey.groups], per_group, n_pages - 1, seed, survey.texts.lang)
        for number, chosen in enumerate(assigned, start=1):
            rows += _annotator(f"annotator-{number}", chosen, survey, pairs, seed)
    return pd.DataFrame(rows, columns=table(KEY).names)


def _annotator(
    annotator: str, chosen: Sequence[str], survey: Survey, pairs: Sequence[Pair], seed: int
) -> list[dict[str, Any]]:
    salt = (seed, survey.texts.lang, annotator)
    ordered = _shuffled(pairs, "traits", *salt)
    rows: list[dict[str, Any]] = []
    for page_number, page in enumerate(pages(chosen, *salt), start=1):
        if page.kind == RATING:
            new = [_rating(page, pair, survey, salt) for pair in ordered]
        else:
            new = [_recall(page, survey, pairs, salt)]
        for row in new:
            what = (row["kind"], row["group"], row["low"], row["low_left"], row["right_answer"])
            item_id = "r" + digest("ratings_item", *salt, page_number, *what)[:15]
            rows.append({"lang": survey.texts.lang, "annotator": annotator, "position": len(rows) + 1,
                         "item_id": item_id, "page": page_number, **row})  # fmt: skip
    return rows


def _rating(page: Page, pair: Pair, survey: Survey, salt: tuple[object, ...]) -> dict[str, Any]:
    low_left = int(digest("side", *salt, pair.name)[:8], 16) % 2 == 0
    poles = [survey.texts.poles[name] for name in (pair.low, pair.high)]
    left, right = poles if low_left else poles[::-1]
    return {"kind": RATING, "repeated": page.repeated, "group": page.group, "low": pair.low, "high": pair.high,
            "dimension": pair.dimension, "low_left": low_left, "question": dict(survey.groups)[page.group],
            "left": left, "right": right, "options": [], "right_answer": NO_RIGHT_ANSWER}  # fmt: skip


def _recall(page: Page, survey: Survey, pairs: Sequence[Pair], salt: tuple[object, ...]) -> dict[str, Any]:
    """A question with one right answer; a sheet shows its numbered answers in the two columns of the poles."""
    if page.kind == RECALL_GROUP:
        right = dict(survey.groups)[page.group]
        wrong = [name for _, name in survey.groups if name != right]
        question = survey.texts.recall_group
    else:
        pair = _shuffled(pairs, "asked", *salt)[0]
        right = _JOINED.join(survey.texts.poles[name] for name in (pair.low, pair.high))
        wrong = [_JOINED.join(foil) for foil in survey.texts.foils]
        question = survey.texts.recall_traits
    options = _shuffled([right, *_shuffled(wrong, "foils", *salt)[: _OPTIONS - 1]], "options", page.kind, *salt)
    half = -(-len(options) // 2)
    numbered = [f"{number} = {option}" for number, option in enumerate(options, start=1)]
    return {"kind": page.kind, "repeated": False, "group": page.group, "low": "", "high": "", "dimension": "",
            "low_left": True, "question": question, "left": "; ".join(numbered[:half]),
            "right": "; ".join(numbered[half:]), "options": options,
            "right_answer": options.index(right) + 1}  # fmt: skip


def rows_of(frame: pd.DataFrame) -> Iterable[Any]:
    """The frame's rows; the columns' types are those of the table's schema, which pandas cannot know."""
    return frame.itertuples()


def _shuffled(values: Sequence[Any], *salt: object) -> list[Any]:
    """The values in the order of their hashes."""
    return sorted(values, key=lambda value: digest(*salt, value))
