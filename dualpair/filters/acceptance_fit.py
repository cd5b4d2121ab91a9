"""Fit the acceptance of candidates (:mod:`dualpair.filters.acceptance`) on readings, and tell how good the fit is.

A logistic regression a task over all languages: features are scaled to unit variance, each language has an intercept of
its own that is drawn towards the common one, and an L2 penalty keeps the weights finite (scikit-learn's, C below).
Every number of the report comes from cross-validation that keeps the candidates of one set, in all languages, together.

A threshold is set by expected precision, per language: the lowest probability such that the candidates at or above it
have a mean of at least the target; where there is no such, the target itself. The mean is of cross-validated
probabilities that a second logistic regression, on their log-odds, has fitted to the language's answers, since weights
that all languages share are too timid for one and too bold for another. Unlike the threshold at which the observed
precision first reaches the target, this one does not pick the luckiest of many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from dualpair.analysis.contradictions import wilson
from dualpair.artifacts import write_atomically
from dualpair.errors import InputError
from dualpair.filters.acceptance import ALTERNATE, FEATURES, PARAPHRASE, Acceptance, Array, Models, TaskFit
from dualpair.filters.quality import Mask, auc
from dualpair.filters.readings import YES

PENALTY = 0.3  # C of the regression: some hundred readings and up to ten numbers want a firm hand
FOLDS = 6
REPEATS = 5  # cross-validations, each with other folds, whose probabilities are averaged
LEAST = 20  # accepted and rejected candidates of a task without which nothing is fitted
TARGETS: Mapping[str, float] = {PARAPHRASE: 0.9, ALTERNATE: 0.9}  # accepted share that the kept should have
DECIMALS = 4


class TaskResult(NamedTuple):
    """A task's fit, its readings, and their cross-validated P(accepted)."""

    fit: TaskFit
    frame: pd.DataFrame
    probability: Array


def fit(
    frame: pd.DataFrame, path: Path, targets: Mapping[str, float] = TARGETS
) -> tuple[Acceptance, dict[str, TaskResult]]:
    """Both tasks' fits.

    Args:
        frame: readings (:func:`dualpair.filters.readings.read`).
        path: their file, for messages.
        targets: of each task, the expected share of accepted candidates among those kept, above 0 and below 1.

    Raises:
        InputError: a target is out of range, or a task has too few readings.
    """
    results = {}
    for task, target in targets.items():
        if not 0 < target < 1:
            raise InputError(f"{task} target {target:g}: allowed is a number above 0 and below 1")
        mine = frame[frame["task"] == task].reset_index(drop=True)
        _check_enough(mine, task, path)
        results[task] = fit_task(mine, target)
    first = frame.iloc[0]
    models = Models(
        generators=str(first["generators"]).split(), similarity=first["similarity_model"], nli=first["nli_model"]
    )
    fits = {task: result.fit for task, result in results.items()}
    return Acceptance(models=models, paraphrase=fits[PARAPHRASE], alternate=fits[ALTERNATE]), results


def fit_task(frame: pd.DataFrame, target: float) -> TaskResult:
    """The fit of one task's readings, with numbers rounded as they are written."""
    langs = sorted(set(frame["lang"]))
    features, accepted = matrix(frame), (frame["answer"] == YES).to_numpy()
    weights, intercepts = _regression(features, frame["lang"], accepted, langs)
    probability = cross_validated(frame)
    thresholds = {}
    for lang in langs:
        here = (frame["lang"] == lang).to_numpy()
        found = threshold(probability[here], recalibrated(probability[here], accepted[here]), target)
        thresholds[lang] = math.floor(10**DECIMALS * found) / 10**DECIMALS  # rounded so that its own candidate passes
    rounded = {
        "weights": {name: round(float(value), DECIMALS) for name, value in zip(FEATURES, weights, strict=True)},
        "intercepts": {lang: round(float(value), DECIMALS) for lang, value in intercepts.items()},
        "thresholds": thresholds,
    }
    return TaskResult(TaskFit.model_validate(rounded), frame, probability)


def matrix(frame: pd.DataFrame) -> Array:
    """The features of readings: float64 (n, len(FEATURES))."""
    return np.column_stack([feature(frame) for feature in FEATURES.values()])


def threshold(probability: Array, expected: Array, target: float) -> float:
    """The lowest probability such that, of those at or above it, the expected share is at least the target.

    Args:
        probability: (n,).
        expected: (n,) what is expected of each, 0 to 1; rises with the probability.
        target: 0 to 1; also what is returned where nothing reaches it.
    """
    order = np.argsort(-probability, kind="stable")
    means = np.cumsum(expected[order]) / np.arange(1, len(order) + 1)
    last = np.append(np.diff(probability[order]) < 0, True)[: len(order)]  # of equal ones, all are kept or none
    reached = (means >= target) & last
    return float(probability[order][reached][-1]) if reached.any() else target


def recalibrated(probability: Array, accepted: Mask) -> Array:
    """Probabilities fitted to answers by a logistic regression on their log-odds; as they are where it would turn them.

    Args:
        probability: (n,), above 0 and below 1.
        accepted: (n,).
    """
    from sklearn.linear_model import LogisticRegression

    if accepted.all() or not accepted.any():
        return probability
    odds = np.log(probability) - np.log1p(-probability)
    model = LogisticRegression(C=1.0).fit(odds[:, None], accepted)
    return np.asarray(model.predict_proba(odds[:, None])[:, 1]) if model.coef_[0, 0] > 0 else probability


def cross_validated(frame: pd.DataFrame) -> Array:
    """P(accepted) of readings (n,), each by fits that saw no candidate of its set."""
    from sklearn.model_selection import GroupKFold

    langs = sorted(set(frame["lang"]))
    features, accepted = matrix(frame), (frame["answer"] == YES).to_numpy()
    total = np.zeros(len(frame))
    for seed in range(REPEATS):
        for train, test in GroupKFold(FOLDS, shuffle=True, random_state=seed).split(features, groups=frame["set_id"]):
            weights, intercepts = _regression(features[train], frame["lang"].iloc[train], accepted[train], langs)
            score = features[test] @ weights + frame["lang"].iloc[test].map(intercepts).to_numpy(dtype=float)
            total[test] += 1 / (1 + np.exp(-score))
    return total / REPEATS


def _regression(
    features: Array, lang: pd.Series, accepted: Any, langs: Sequence[str]
) -> tuple[Array, Mapping[str, float]]:
    """Weights (k,) on the features' own scales, and each language's intercept."""
    from sklearn.linear_model import LogisticRegression

    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    dummies = np.column_stack([(lang == one).to_numpy(dtype=float) for one in langs])
    model = LogisticRegression(C=PENALTY, max_iter=2000)
    model.fit(np.hstack([(features - mean) / spread, dummies]), accepted)
    scaled, shifts = model.coef_[0][: features.shape[1]], model.coef_[0][features.shape[1] :]
    weights = scaled / spread
    common = float(model.intercept_[0] - weights @ mean)
    return weights, {one: common + float(shift) for one, shift in zip(langs, shifts, strict=True)}


def report(results: Mapping[str, TaskResult]) -> pd.DataFrame:
    """Cross-validated quality by task and language, and of all.

    Returns:
        Columns task, lang, readings, accepted (by the reader), auc, brier, threshold, kept, precision (accepted share
        of the kept) with its 95 % Wilson interval low and high, and recall (kept share of the accepted). Thresholds are
        the fit's; each was set on the same probabilities, without the readers' answers.
    """
    rows = []
    for task, result in results.items():
        lang, probability = result.frame["lang"].to_numpy(), result.probability
        accepted = (result.frame["answer"] == YES).to_numpy()
        cut = np.array([result.fit.thresholds[one] for one in lang])
        kept = probability >= cut
        for name in [*sorted(set(lang)), "all"]:
            here = np.ones(len(lang), dtype=bool) if name == "all" else lang == name
            right = int((kept & accepted & here).sum())
            share, low, high = wilson(right, int((kept & here).sum()))
            rows.append(
                {
                    "task": task,
                    "lang": name,
                    "readings": int(here.sum()),
                    "accepted": int((accepted & here).sum()),
                    "auc": auc(accepted[here], probability[here]),
                    "brier": float(np.mean((accepted[here] - probability[here]) ** 2)),
                    "threshold": math.nan if name == "all" else result.fit.thresholds[name],
                    "kept": int((kept & here).sum()),
                    "precision": share,
                    "low": low,
                    "high": high,
                    "recall": right / max(1, int((accepted & here).sum())),
                }
            )
    return pd.DataFrame(rows)


def write(fit: Acceptance, path: Path, made_from: str) -> None:
    """Write a fit as YAML.

    Args:
        fit: the fit.
        path: the file, replaced whole; its folder is made.
        made_from: readings and targets, for the first line.
    """
    head = f"# Acceptance of candidates, fitted by `dualpair fit-acceptance` on {made_from}.\n"
    body = yaml.safe_dump(fit.model_dump(mode="json"), sort_keys=False, default_flow_style=None, width=120)
    write_atomically(path, (head + body).encode())


def _check_enough(frame: pd.DataFrame, task: str, path: Path) -> None:
    yes = int((frame["answer"] == YES).sum())
    if min(yes, len(frame) - yes) < LEAST or frame["set_id"].nunique() < FOLDS:
        raise InputError(
            f"{path}: {yes} accepted and {len(frame) - yes} rejected {task}s of {frame['set_id'].nunique()} sets; at "
            f"least {LEAST} of each, of {FOLDS} sets, are needed: judge more candidates"
        )
    most = math.ceil(frame["set_id"].nunique() / FOLDS)  # sets that one fold may hold out
    for answer, part in frame.groupby("answer"):
        if (sets := part["set_id"].nunique()) <= most:
            raise InputError(
                f"{path}: the {task}s answered {answer} are of {sets} sets; more than {most} are needed, so that some "
                "are left when sets are held out: judge candidates of more sets"
            )
