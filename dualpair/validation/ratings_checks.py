"""The survey's three checks of an annotator: which group came last, which traits, and the repeated group."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair.schemas import table
from dualpair.validation.ratings_design import RATING, RECALL_GROUP, RECALL_TRAITS, rows_of
from dualpair.validation.ratings_returned import Row

PASSED, FAILED, NOT_ANSWERED = "passed", "failed", "not_answered"
ANNOTATORS = "ratings_annotators"


class Rule(NamedTuple):
    """When a repeated group counts as rated alike, and which failed checks leave an annotator out."""

    min_self_agreement: float
    agreement_points: int
    exclude: Collection[str]


class Agreement(NamedTuple):
    """Sliders that were answered at least once, and the share of them set alike both times (None: none of them)."""

    n: int
    share: float | None


def self_agreement(once: Mapping[str, int | None], again: Mapping[str, int | None], points: int) -> Agreement:
    """How alike a group's two ratings are.

    A slider agrees when both settings are there and differ by ``points`` at most; one left alone both times says
    nothing and does not count.

    Args:
        once: trait pair to the first answer; None: none.
        again: the same for the second time.
        points: most points between two settings that are alike.
    """
    compared = [(once[pair], again.get(pair)) for pair in once]
    counted = [(one, two) for one, two in compared if one is not None or two is not None]
    if not counted:
        return Agreement(0, None)
    alike = sum(one is not None and two is not None and abs(one - two) <= points for one, two in counted)
    return Agreement(len(counted), alike / len(counted))


def annotators(key: pd.DataFrame, rows: Mapping[str, Row], rule: Rule) -> pd.DataFrame:
    """The `ratings_annotators` frame: every annotator of whom something came back.

    Args:
        key: `ratings_key` frame.
        rows: what came back, by item id.
        rule: see :class:`Rule`.
    """
    found = []
    for (lang, name), own in key.groupby(["lang", "annotator"], sort=True):
        if any(item_id in rows for item_id in own["item_id"]):
            found.append({"lang": lang, "annotator": name, **_checks(list(rows_of(own)), rows, rule)})
    return pd.DataFrame(found, columns=table(ANNOTATORS).names)


def _checks(questions: list[Any], rows: Mapping[str, Row], rule: Rule) -> dict[str, Any]:
    values = {one.item_id: rows[one.item_id].value for one in questions}
    sliders = [one for one in questions if one.kind == RATING]
    again = {one.low: values[one.item_id] for one in sliders if one.repeated}
    group = next(one.group for one in sliders if one.repeated)
    once = {one.low: values[one.item_id] for one in sliders if one.group == group and not one.repeated}
    agreement = self_agreement(once, again, rule.agreement_points)
    status = {kind: _recall(questions, values, kind) for kind in (RECALL_GROUP, RECALL_TRAITS)}
    check = NOT_ANSWERED
    if agreement.share is not None and any(value is not None for value in again.values()):
        check = PASSED if agreement.share >= rule.min_self_agreement else FAILED
    failed = [name for name, result in {**status, "self_agreement": check}.items()
              if name in rule.exclude and result != PASSED]  # fmt: skip
    answered = sum(values[one.item_id] is not None for one in sliders)
    return {"n_asked": len(sliders), "n_answered": answered, **status, "n_compared": agreement.n,
            "self_agreement": agreement.share, "self_agreement_check": check, "excluded": bool(failed),
            "failed": failed}  # fmt: skip


def _recall(questions: list[Any], values: Mapping[str, int | None], kind: str) -> str:
    question = next(one for one in questions if one.kind == kind)
    given = values[question.item_id]
    if given is None:
        return NOT_ANSWERED
    return PASSED if given == question.right_answer else FAILED
