"""How well a filter's numbers part labelled pairs: AUC, Brier score, and precision and recall of its decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

OPPOSITE, PARAPHRASE, UNRELATED, DIFFERENT = "opposite", "paraphrase", "unrelated", "different"
LABELS = (OPPOSITE, PARAPHRASE, UNRELATED, DIFFERENT)
ALL = "all"

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Cuts(NamedTuple):
    """Thresholds on P(contradiction) of the two decisions; the paper's by default (arXiv 2610.08747, section 3.4)."""

    alternate: float | Mapping[str, float] = 0.8
    paraphrase: float = 0.8

    def of(self, langs: Sequence[str]) -> Array:
        """The alternates' threshold of each language's row."""
        if isinstance(self.alternate, Mapping):
            return np.array([self.alternate.get(lang, self.alternate["default"]) for lang in langs], dtype=np.float64)
        return np.full(len(langs), self.alternate)


def auc(positive: Mask, score: Array) -> float:
    """Area under the ROC curve: P(a positive scores higher than another), ties count half; nan without both classes."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(positive, score)) if positive.any() and not positive.all() else float("nan")


def share(part: Mask, whole: Mask) -> float:
    """Share of ``whole`` that is ``part`` too; nan of nothing."""
    return float((part & whole).sum() / whole.sum()) if whole.any() else float("nan")


def inference_table(frame: pd.DataFrame, probability: Array, cuts: Cuts) -> pd.DataFrame:
    """Quality of an inference filter by language, and of all.

    Args:
        frame: columns lang and label, n rows.
        probability: P(contradiction) of both directions, shape (n, 2).
        cuts: thresholds.

    Returns:
        One row a language and one of all. `auc` and `brier` (mean squared error of the probability) part opposites from
        all others by the smaller P. An alternate is accepted when the smaller P is above its threshold: precision and
        recall among all pairs. A paraphrase is accepted when the larger P is at most its threshold: precision and
        recall among paraphrases and opposites, since topic is the similarity filter's to see.
    """
    smaller, larger = probability.min(axis=1), probability.max(axis=1)
    label = frame["label"].to_numpy()
    opposite, paraphrase = label == OPPOSITE, label == PARAPHRASE
    accepted = smaller > cuts.of(list(frame["lang"]))
    kept = (larger <= cuts.paraphrase) & (opposite | paraphrase)
    rows = []
    for lang, here in _languages(frame):
        rows.append(
            {
                "lang": lang,
                "pairs": int(here.sum()),
                "auc": auc(opposite[here], smaller[here]),
                "brier": float(np.mean((opposite[here] - smaller[here]) ** 2)),
                "alternate_precision": share(opposite[here], accepted[here]),
                "alternate_recall": share(accepted[here], opposite[here]),
                "paraphrase_precision": share(paraphrase[here], kept[here]),
                "paraphrase_recall": share(kept[here], paraphrase[here]),
            }
        )
    return pd.DataFrame(rows)


def accepted_table(frame: pd.DataFrame, decisions: Mapping[str, Mask]) -> pd.DataFrame:
    """Share of the pairs of each label that each decision accepts, by language and of all.

    Args:
        frame: columns lang and label, n rows.
        decisions: name and accepted (n,) of each decision.

    Returns:
        Columns decision, lang, and one for each label that occurs.
    """
    labels = [label for label in LABELS if (frame["label"] == label).any()]
    rows = []
    for name, accepted in decisions.items():
        for lang, here in _languages(frame):
            cells = {label: share(accepted, here & (frame["label"] == label).to_numpy()) for label in labels}
            rows.append({"decision": name, "lang": lang, **cells})
    return pd.DataFrame(rows)


def similarity_table(frame: pd.DataFrame, cosine: Array, threshold: float) -> pd.DataFrame:
    """Quality of a similarity filter by language, and of all.

    Args:
        frame: columns lang and label, n rows; label paraphrase, unrelated, or anything else.
        cosine: shape (n,).
        threshold: a pair is kept at or above it.

    Returns:
        Columns lang, pairs, auc_unrelated (paraphrases against unrelated pairs), auc (against all others), precision
        and recall of paraphrases among the kept.
    """
    label = frame["label"].to_numpy()
    paraphrase, kept = label == PARAPHRASE, cosine >= threshold
    rows = []
    for lang, here in _languages(frame):
        ends = here & (paraphrase | (label == UNRELATED))
        rows.append(
            {
                "lang": lang,
                "pairs": int(here.sum()),
                "auc_unrelated": auc(paraphrase[ends], cosine[ends]),
                "auc": auc(paraphrase[here], cosine[here]),
                "precision": share(paraphrase[here], kept[here]),
                "recall": share(kept[here], paraphrase[here]),
            }
        )
    return pd.DataFrame(rows)


def _languages(frame: pd.DataFrame) -> list[tuple[str, Mask]]:
    """Rows of each language, sorted, then of all when there are several."""
    langs = sorted(set(frame["lang"]))
    found = [(lang, (frame["lang"] == lang).to_numpy()) for lang in langs]
    return [*found, (ALL, np.ones(len(frame), dtype=bool))] if len(langs) > 1 else found
