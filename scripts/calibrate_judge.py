"""Fit an instruct model's calibration as NLI judge on labelled pairs, and print the lines for its registry entry.

Reads: resources/judge/pairs.csv (lang, premise, hypothesis, label: opposite, paraphrase or unrelated). Both directions
of every pair are judged. Half of the premises, chosen by hash, fit P(contradiction) = logistic(scale * raw + bias) on
the smaller raw score of the two directions, with a weak quadratic penalty. The other half is reported: AUC, Brier
score, and precision and recall at the threshold of the two decisions (alternate: min over directions above it;
paraphrase: max over directions at most it).

    python scripts/calibrate_judge.py --model qwen2.5-coder-1.5b-instruct --dtype bfloat16
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from dualpair import paths
from dualpair.errors import InputError
from dualpair.filters import nli

LABELS = ("opposite", "paraphrase", "unrelated")
PENALTY = 1.0  # C of the logistic regression: weak, but keeps the fit finite when the classes separate
Array = npt.NDArray[np.float64]


class Fit(NamedTuple):
    """P(contradiction) = logistic(scale * raw + bias)."""

    scale: float
    bias: float

    def probability(self, raw: Array) -> Array:
        """P(contradiction) of raw scores, any shape."""
        return np.asarray(1.0 / (1.0 + np.exp(-(self.scale * raw + self.bias))))


def read_pairs(path: Path) -> pd.DataFrame:
    """The labelled pairs, as text.

    Raises:
        InputError: missing columns, an unknown label or an empty text.
    """
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    missing = sorted({"lang", "premise", "hypothesis", "label"} - set(frame.columns))
    if missing:
        raise InputError(f"{path}: columns {missing} are missing (found: {list(frame.columns)})")
    for row, (label, premise, hypothesis) in enumerate(
        zip(frame.label, frame.premise, frame.hypothesis, strict=True), 2
    ):
        if label not in LABELS or not premise.strip() or not hypothesis.strip():
            raise InputError(f"{path}, line {row}: label {label!r} (allowed: {', '.join(LABELS)}) and no empty text")
    return frame


def held_out(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """True for the half of the premises that is reported: an odd hash, so that a premise's pairs stay together."""
    keys = frame.lang + "\x1f" + frame.premise
    return np.array([hashlib.sha256(key.encode()).digest()[0] % 2 == 1 for key in keys])


def fit(raw: Array, opposite: npt.NDArray[np.bool_]) -> Fit:
    """Logistic regression of `opposite` (n,) on the smaller raw score of both directions (n, 2).

    The smaller one, because an alternate must contradict in both directions: a fit on single directions puts the
    threshold too high for it (measured: recall 0.61 instead of 0.76, at the same precision).
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=PENALTY).fit(raw.min(axis=1, keepdims=True), opposite)
    return Fit(float(model.coef_[0, 0]), float(model.intercept_[0]))


def report(frame: pd.DataFrame, probability: Array, threshold: float) -> pd.DataFrame:
    """Quality by language on rows with P(contradiction) of both directions (n, 2).

    `auc` and `brier` tell opposites from all others by the smaller P; the decisions are `alternate` (opposites
    accepted) and `paraphrase` (paraphrases accepted among paraphrases and opposites): precision and recall of each.
    """
    from sklearn.metrics import brier_score_loss, roc_auc_score

    rows = []
    for lang in [*sorted(set(frame.lang)), "all"]:
        here = np.ones(len(frame), dtype=bool) if lang == "all" else (frame.lang == lang).to_numpy()
        label, smaller, larger = frame.label[here], probability[here].min(1), probability[here].max(1)
        opposite, paraphrase = (label == "opposite").to_numpy(), (label == "paraphrase").to_numpy()
        accepted = smaller > threshold
        kept = (larger <= threshold) & (opposite | paraphrase)
        rows.append(
            {
                "lang": lang,
                "pairs": int(here.sum()),
                "auc": roc_auc_score(opposite, smaller),
                "brier": brier_score_loss(opposite, smaller),
                "alternate_precision": _share(opposite & accepted, accepted),
                "alternate_recall": _share(opposite & accepted, opposite),
                "paraphrase_precision": _share(paraphrase & kept, kept),
                "paraphrase_recall": _share(paraphrase & kept, paraphrase),
            }
        )
    return pd.DataFrame(rows)


def _share(part: npt.NDArray[np.bool_], whole: npt.NDArray[np.bool_]) -> float:
    return float(part.sum() / whole.sum()) if whole.any() else float("nan")


def judge(name: str, dtype: str, device: str, frame: pd.DataFrame, budget: int) -> tuple[Array, str, float]:
    """Raw scores (n, 2) of both directions, the resolved dtype, and directed pairs per second."""
    from dualpair.config import builtin_models
    from dualpair.models.causal_lm import load_entry
    from dualpair.models.registry import ModelEntry
    from dualpair.scoring.causal import CausalEngine

    models = builtin_models()
    if name not in models:
        raise InputError(f"model {name!r} is not in resources/models.yaml (allowed: {', '.join(sorted(models))})")
    entry = ModelEntry.model_validate(models[name])
    engine = CausalEngine(load_entry(entry, name, dtype, device, True), budget)
    forward = list(zip(frame.premise, frame.hypothesis, strict=True))
    start = time.perf_counter()
    logprobs = nli.answer_logprobs(engine, nli.judge_prompt(), [*forward, *(pair[::-1] for pair in forward)])
    speed = 2 * len(frame) / (time.perf_counter() - start)
    return nli.raw_contradiction(logprobs).reshape(2, -1).T, engine.label.dtype, speed


def run(args: argparse.Namespace) -> None:
    """Judge, fit, report, print."""
    frame = read_pairs(args.pairs)
    raw, dtype, speed = judge(args.model, args.dtype, args.device, frame, args.token_budget)
    if args.scores:
        frame.assign(forward=raw[:, 0], backward=raw[:, 1]).to_csv(args.scores, index=False)
    opposite, out = (frame.label == "opposite").to_numpy(), held_out(frame)
    half = fit(raw[~out], opposite[~out])
    print(f"# {args.model}, {dtype}, {len(frame)} pairs, {speed:.1f} directed pairs a second")
    print(f"# fitted on {int((~out).sum())} pairs, held out {int(out.sum())}; threshold {args.threshold}")
    table = report(frame[out].reset_index(drop=True), half.probability(raw[out]), args.threshold)
    print(table.to_string(index=False, float_format="%.3f"))
    whole = fit(raw, opposite)
    print(f"\n# half: scale {half.scale:.4f}, bias {half.bias:.4f}; all pairs, for the model's `calibration:`")
    print(f"- {{dtype: {dtype}, prompt: {nli.judge_prompt().id!r}, scale: {whole.scale:.4f}, bias: {whole.bias:.4f}}}")


def main(argv: list[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="an instruct model of resources/models.yaml")
    parser.add_argument("--dtype", default="auto", help="a calibration holds for one dtype")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--pairs", type=Path, default=None, help="labelled pairs (default: resources/judge/pairs.csv)")
    parser.add_argument("--scores", type=Path, default=None, help="write the raw scores of both directions here (CSV)")
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--token-budget", type=int, default=2048)
    args = parser.parse_args(argv)
    args.pairs = args.pairs or paths.resource("judge", "pairs.csv")
    try:
        run(args)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
