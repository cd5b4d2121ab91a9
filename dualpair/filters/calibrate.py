"""The command `dualpair calibrate-judge`: judge labelled pairs, fit, report, and write the registry entry's lines."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from dualpair import paths
from dualpair.artifacts import write_atomically
from dualpair.errors import InputError
from dualpair.filters import calibration, judge, nli, quality
from dualpair.filters.calibration import LOGPROBS, SCORED_BY
from dualpair.models.registry import Calibration, ModelEntry

log = logging.getLogger(__name__)


class Options(NamedTuple):
    """What the command was asked."""

    model: str
    pairs: Path | None
    dtype: str = "auto"
    device: str = "auto"
    token_budget: int = 2048
    offline: bool = True
    out: Path | None = None
    scores: Path | None = None


def run(models: Mapping[str, ModelEntry], origin: str, options: Options) -> str:
    """Carry the command out.

    Args:
        models: the registry.
        origin: where it was read, for messages.
        options: the command's.

    Returns:
        The report.

    Raises:
        InputError: a model that cannot judge, bad pairs, log-probabilities that another model gave, or a file that
            cannot be written.
    """
    entry = entry_of(models, origin, options.model)
    for path in (options.out, options.scores):
        if path is not None and (path.is_dir() or not path.resolve().parent.is_dir()):
            raise InputError(f"{path}: cannot be written there (no such folder, or a folder itself)")
    path = options.pairs or paths.resource("judge", "pairs.csv")
    frame = calibration.read_pairs(path)
    calibration.check_enough(frame, path)
    dtype = _dtype(entry, options)
    by = {"model": options.model, "dtype": dtype, "prompt": judge.judge_prompt().id if entry.kind == "causal" else ""}
    frame, how = _scored(frame, entry, by, path, options)
    if options.scores is not None:
        table = frame.to_csv(index=False, lineterminator="\n", float_format="%.6f")
        write_atomically(options.scores, table.encode())
    head = f"{options.model}, {dtype}: {len(frame)} pairs of {path.name}, {how}"
    text, lines = _judge(entry, frame, by) if entry.kind == "causal" else _classifier(entry, frame)
    snippet = yaml.safe_dump({"models": {options.model: lines}}, sort_keys=False, default_flow_style=None, width=120)
    if options.out is not None:
        write_atomically(options.out, snippet.encode())
    return f"{head}\n{text}\n\nFor the registry entry (`models:` of a config, or resources/models.yaml):\n\n{snippet}"


def entry_of(models: Mapping[str, ModelEntry], origin: str, name: str) -> ModelEntry:
    """A model of the registry that can judge inference.

    Raises:
        InputError: no such model, or one that cannot judge.
    """
    usable = sorted(key for key, entry in models.items() if entry.kind == "nli_classifier" or not judge.unfit(entry))
    if name not in models:
        raise InputError(f"model {name!r} is not in {origin} (can judge: {', '.join(usable)})")
    entry = models[name]
    if name not in usable:
        raise InputError(f"model {name!r} of {origin}: {judge.unfit(entry)} (can judge: {', '.join(usable)})")
    return entry


def _dtype(entry: ModelEntry, options: Options) -> str:
    from dualpair.models.device import resolve_device, resolve_dtype

    if entry.kind == "nli_classifier":
        if options.dtype not in ("auto", "float32"):
            raise InputError(f"--dtype {options.dtype}: a classifier runs in float32; leave the option out")
        return "float32"
    wanted = entry.dtype if options.dtype == "auto" else options.dtype
    return str(resolve_dtype(wanted, resolve_device(options.device)))


def _scored(
    frame: pd.DataFrame, entry: ModelEntry, by: Mapping[str, str], path: Path, options: Options
) -> tuple[pd.DataFrame, str]:
    """The pairs with log-probabilities: those of the file when it has them, else the model's."""
    there = [name for name in (*LOGPROBS, *SCORED_BY) if name in frame.columns]
    if not there:
        model = nli.load(entry, by["dtype"], options.device, options.token_budget, options.offline)
        done, speed = calibration.scored(frame, model, by)
        return done, f"{speed:.1f} directed pairs a second"
    missing = [name for name in (*LOGPROBS, *SCORED_BY) if name not in there]
    if missing:
        raise InputError(f"{path}: has {', '.join(there)}, but not {', '.join(missing)}; leave all out, or give all")
    for name, value in by.items():
        if other := sorted(set(frame[name]) - {value}):
            raise InputError(
                f"{path}: column {name} says {other[0]!r}, but this is {value!r}; the log-probabilities of one are no "
                "use for the other: take those columns out to call the model"
            )
    try:
        return frame.astype(dict.fromkeys(LOGPROBS, "float64")), "log-probabilities of that file, no call made"
    except ValueError as error:
        raise InputError(f"{path}: a log-probability is no number ({error}); take those columns out") from None


def _judge(entry: ModelEntry, frame: pd.DataFrame, by: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Report of a fit, and the entry's lines."""
    raw, opposite = calibration.raw_scores(frame), (frame["label"] == quality.OPPOSITE).to_numpy()
    found = calibration.fit(raw, opposite)
    if found.scale <= 0:
        raise InputError(
            f"model {by['model']!r} cannot judge these pairs: its opposites score no higher than the others (scale "
            f"{found.scale:.4f}; allowed: above 0); look at the pairs' labels, or take a larger model"
        )
    probability = calibration.cross_validated(frame, raw)
    text = [
        f"scale {found.scale:.4f}, bias {found.bias:.4f}, fitted on all pairs. The tables are cross-validated: "
        f"{calibration.FOLDS} folds, the pairs of a premise together.",
        _report(frame, probability, entry),
    ]
    for have in entry.calibration:
        if (have.dtype, have.prompt) == (by["dtype"], by["prompt"]):
            # its own pairs may be among these: then it looks better here than it is
            text += [
                f"\nThe entry's present fit, scale {have.scale}, bias {have.bias}, on the same pairs:",
                _table(
                    quality.inference_table(frame, calibration.contradiction(frame, have), calibration.cuts_of(entry))
                ),
            ]
    new = Calibration.model_validate(
        {"dtype": by["dtype"], "prompt": by["prompt"], "scale": round(found.scale, 4), "bias": round(found.bias, 4)}
    )
    others = [one for one in entry.calibration if (one.dtype, one.prompt) != (new.dtype, new.prompt)]
    lines: dict[str, Any] = {"calibration": [one.model_dump() for one in [*others, new]]}
    wanted = _thresholds(entry, frame, probability)
    if missing := {name: value for name, value in wanted.items() if getattr(entry.thresholds, name) is None}:
        lines["thresholds"] = missing
    return "\n".join(text), lines


def _thresholds(entry: ModelEntry, frame: pd.DataFrame, probability: quality.Array) -> dict[str, Any]:
    """The thresholds to write: those suggested; where none is, as the report says, the entry's own or the paper's."""
    own = calibration.cuts_of(entry)
    kept = {"nli_paraphrase": own.paraphrase, "nli_alternate": own.alternate}
    return {
        name: kept[name] if one.threshold is None else one.threshold
        for name, one in calibration.suggest(frame, probability).items()
    }


def _classifier(entry: ModelEntry, frame: pd.DataFrame) -> tuple[str, dict[str, Any]]:
    """Report of a classifier, and the entry's lines: the thresholds that are suggested, else its own."""
    probability = calibration.contradiction(frame, None)
    return _report(frame, probability, entry), {"thresholds": _thresholds(entry, frame, probability)}


def _report(frame: pd.DataFrame, probability: quality.Array, entry: ModelEntry) -> str:
    paper, own = quality.Cuts(), calibration.cuts_of(entry)
    text = [f"At the paper's thresholds, {paper.paraphrase} and {paper.alternate}:"]
    text.append(_table(quality.inference_table(frame, probability, paper)))
    if own != paper:
        text.append(f"\nAt the entry's, nli_paraphrase {own.paraphrase} and nli_alternate {own.alternate}:")
        text.append(_table(quality.inference_table(frame, probability, own)))
    text.append(f"\nThresholds that reach a precision of {calibration.TARGET} on these pairs:")
    for name, one in calibration.suggest(frame, probability).items():
        text.append(
            f"  {name}: none does; below stands the entry's own, or else the paper's, which does not reach it"
            if one.threshold is None
            else f"  {name}: {one.threshold:.2f} (precision {one.precision:.3f}, recall {one.recall:.3f})"
        )
    return "\n".join(text)


def _table(frame: pd.DataFrame) -> str:
    return str(frame.to_string(index=False, float_format="%.3f", na_rep="-"))
