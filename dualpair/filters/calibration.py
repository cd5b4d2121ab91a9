"""Fit an instruct model's calibration as NLI judge on labelled pairs, or measure a classifier on them.

A judge's P(contradiction) is logistic(scale * raw + bias) of its raw score (`filters.judge`). Scale and bias are fitted
by logistic regression of "is an opposite" on the smaller raw score of both directions, because an alternate must
contradict in both: a fit on single directions puts the threshold too high for it (measured on the shipped pairs in
bfloat16: recall 0.61 instead of 0.76 at the same precision).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dualpair import csv_files, languages
from dualpair.errors import InputError
from dualpair.filters import judge, nli, quality
from dualpair.filters.quality import LABELS, OPPOSITE, PARAPHRASE, Array, Cuts, Mask
from dualpair.models.registry import Calibration, ModelEntry

PENALTY = 1.0  # C of the logistic regression: weak, but keeps the fit finite when the classes separate
FOLDS = 5
SEED = 0
LEAST = 10  # opposites and others without which nothing is fitted
TARGET = 0.95  # precision that a suggested threshold reaches
NEEDED = ("lang", "premise", "hypothesis", "label")
DIRECTIONS = ("forward", "backward")
SCORED_BY = ("model", "dtype", "prompt")
LOGPROBS = tuple(f"log_{label}_{direction}" for direction in DIRECTIONS for label in judge.LABELS)


class Fit(NamedTuple):
    """P(contradiction) = logistic(scale * raw + bias)."""

    scale: float
    bias: float

    def probability(self, raw: Array) -> Array:
        """P(contradiction) of raw scores, any shape."""
        score = self.scale * raw + self.bias
        tail = np.exp(-np.abs(score))  # stable at both ends
        return np.asarray(np.where(score >= 0, 1.0, tail) / (1.0 + tail))


class Suggestion(NamedTuple):
    """A threshold on P(contradiction), and what it gives on labelled pairs; None: none reaches the target."""

    threshold: float | None
    precision: float
    recall: float


def read_pairs(path: Path) -> pd.DataFrame:
    """Labelled pairs, as text: lang, premise, hypothesis, label; further columns are kept.

    Raises:
        InputError: no such file, no UTF-8 CSV, a missing column, an unknown language or label, an empty text, twice the
            same text in a pair, or a pair given twice.
    """
    frame = csv_files.texts(path, NEEDED)
    seen: dict[tuple[str, str, str], int] = {}
    known = set(languages.known())
    for line, row in enumerate(frame[list(NEEDED)].itertuples(index=False, name=None), start=2):
        lang, premise, hypothesis, label = (cell.strip() for cell in row)
        where = f"{path}, row {line}"
        if lang not in known:
            raise InputError(f"{where}: lang {lang!r} is unknown (allowed: {', '.join(sorted(known))})")
        if label not in LABELS:
            raise InputError(f"{where}: label {label!r} is unknown (allowed: {', '.join(LABELS)})")
        if not premise or not hypothesis or premise == hypothesis:
            raise InputError(f"{where}: premise {premise!r}, hypothesis {hypothesis!r}: give two different texts")
        if (first := seen.setdefault((lang, premise, hypothesis), line)) != line:
            raise InputError(f"{where}: the same pair as in row {first}; leave one of them out")
    return frame


def check_enough(frame: pd.DataFrame, path: Path) -> None:
    """Refuse what no fit can be made or judged on.

    Raises:
        InputError: too few opposites, paraphrases or premises.
    """
    counts = Counter(frame["label"])
    premises = len(set(zip(frame["lang"], frame["premise"], strict=True)))
    if min(counts[OPPOSITE], counts[PARAPHRASE]) < LEAST or premises < FOLDS:
        raise InputError(
            f"{path}: {counts[OPPOSITE]} opposites and {counts[PARAPHRASE]} paraphrases on {premises} premises; at "
            f"least {LEAST} of each label, on {FOLDS} premises, are needed: add pairs"
        )


def scored(frame: pd.DataFrame, model: nli.NliModel, scored_by: Mapping[str, str]) -> tuple[pd.DataFrame, float]:
    """The pairs with the log-probabilities of both directions (columns LOGPROBS), and directed pairs per second.

    Args:
        frame: labelled pairs.
        model: the judge or classifier.
        scored_by: values of SCORED_BY, which say what the log-probabilities hold for.
    """
    forward = list(zip(frame["premise"], frame["hypothesis"], strict=True))
    start = time.perf_counter()
    found = model.logprobs([*forward, *(pair[::-1] for pair in forward)])
    speed = len(found) / (time.perf_counter() - start)
    both = np.concatenate([found[: len(forward)], found[len(forward) :]], axis=1)
    numbers = pd.DataFrame(both, columns=list(LOGPROBS), index=frame.index)
    return pd.concat([frame, numbers], axis=1).assign(**scored_by), speed


def logprobs(frame: pd.DataFrame) -> Array:
    """Log-probabilities of scored pairs: float64 (n, 2, 3), directions as DIRECTIONS, labels as judge.LABELS."""
    return frame[list(LOGPROBS)].to_numpy(dtype=np.float64).reshape(len(frame), len(DIRECTIONS), len(judge.LABELS))


def raw_scores(frame: pd.DataFrame) -> Array:
    """Raw scores of scored pairs, nats: float64 (n, 2)."""
    return np.stack([judge.raw_contradiction(logprobs(frame)[:, side]) for side in range(2)], axis=1)


def contradiction(frame: pd.DataFrame, calibration: Calibration | None) -> Array:
    """P(contradiction) of scored pairs, both directions: float64 (n, 2)."""
    return _probability(frame, calibration, "contradiction")


def _probability(frame: pd.DataFrame, calibration: Calibration | None, label: str) -> Array:
    numbers, column = logprobs(frame), judge.LABELS.index(label)
    return np.stack([nli.probabilities(numbers[:, side], calibration)[:, column] for side in range(2)], axis=1)


def fit(raw: Array, opposite: Mask) -> Fit:
    """Logistic regression of ``opposite`` (n,) on the smaller raw score of both directions (n, 2)."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=PENALTY).fit(raw.min(axis=1, keepdims=True), opposite)
    return Fit(float(model.coef_[0, 0]), float(model.intercept_[0]))


def folds(frame: pd.DataFrame) -> list[tuple[Any, Any]]:
    """Rows to fit and rows to report, FOLDS times; a premise's pairs stay together, opposites are spread evenly."""
    from sklearn.model_selection import StratifiedGroupKFold

    groups = frame["lang"] + "\x1f" + frame["premise"]
    cutter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=SEED)
    return list(cutter.split(frame, frame["label"] == OPPOSITE, groups))


def cross_validated(frame: pd.DataFrame, raw: Array) -> Array:
    """P(contradiction) (n, 2), each pair's by the fit on the folds that do not hold its premise."""
    opposite = (frame["label"] == OPPOSITE).to_numpy()
    found = np.full(raw.shape, np.nan)
    for train, test in folds(frame):
        found[test] = fit(raw[train], opposite[train]).probability(raw[test])
    return found


def suggest(frame: pd.DataFrame, probability: Array, target: float = TARGET) -> dict[str, Suggestion]:
    """Thresholds that reach a precision with the highest recall, on a grid of hundredths.

    Args:
        frame: labelled pairs.
        probability: P(contradiction) of both directions (n, 2), such as `cross_validated` gives.
        target: precision to reach.

    Returns:
        `nli_alternate`, the lowest threshold, and `nli_paraphrase`, the highest one.
    """
    label = frame["label"].to_numpy()
    opposite, paraphrase = label == OPPOSITE, label == PARAPHRASE
    smaller, larger = probability.min(axis=1), probability.max(axis=1)
    grid = np.arange(1, 100) / 100
    found = {"nli_alternate": Suggestion(None, np.nan, np.nan), "nli_paraphrase": Suggestion(None, np.nan, np.nan)}
    for threshold in grid[::-1]:
        accepted = smaller > threshold
        if accepted.any() and (precision := quality.share(opposite, accepted)) >= target:
            found["nli_alternate"] = Suggestion(float(threshold), precision, quality.share(accepted, opposite))
    for threshold in grid:
        accepted = (larger <= threshold) & (opposite | paraphrase)
        if accepted.any() and (precision := quality.share(paraphrase, accepted)) >= target:
            found["nli_paraphrase"] = Suggestion(float(threshold), precision, quality.share(accepted, paraphrase))
    return found


def cuts_of(entry: ModelEntry) -> Cuts:
    """An entry's own thresholds; the paper's where it has none."""
    own = entry.thresholds
    return Cuts(
        Cuts().alternate if own.nli_alternate is None else own.nli_alternate,
        Cuts().paraphrase if own.nli_paraphrase is None else own.nli_paraphrase,
    )
