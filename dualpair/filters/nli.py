"""Natural language inference: log-probabilities of entailment, neutral and contradiction of directed sentence pairs.

Two engines behind one protocol: a sequence classifier (the paper's XLM-R XNLI, arXiv 2610.08747, section 3.4), and an
instruct model as calibrated judge (`filters.judge`). Selection applies the thresholds: a paraphrase is kept iff the
larger P(contradiction) of both directions is at most 0.8, an alternate iff the smaller one is above 0.8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dualpair.errors import InputError
from dualpair.filters.judge import LABELS, Judge, Logprobs, Pair, calibrated, calibration_for, judge_prompt, unfit
from dualpair.models import fingerprint
from dualpair.models.registry import Calibration, ModelEntry


class NliModel(Protocol):
    """Anything that judges directed (premise, hypothesis) pairs."""

    def logprobs(self, pairs: Sequence[Pair]) -> Logprobs:
        """Natural log-probabilities, float64 of shape (n, 3), columns as LABELS, in input order."""
        ...


def load(
    entry: ModelEntry, dtype: str = "auto", device: str = "auto", token_budget: int = 4096, offline: bool = True
) -> NliModel:
    """The NLI model of a registry entry: kind nli_classifier, or an instruct causal model as judge.

    Raises:
        ValueError: another kind, a base model as judge, a judge with another engine than transformers, or nameless
            labels.
    """
    if entry.kind == "nli_classifier":
        place = fingerprint.location(entry.source, entry.revision)
        return Classifier(place, entry.revision, device, entry.labels, token_budget, offline)
    if why := unfit(entry):
        raise ValueError(f"{entry.source} cannot judge inference ({why}); or use an nli_classifier")
    from dualpair.models.causal_lm import load_entry
    from dualpair.models.device import resolve_device, resolve_dtype
    from dualpair.scoring.causal import CausalEngine

    resolved = resolve_dtype(dtype, resolve_device(device))
    lm = load_entry(entry, entry.source, resolved, device, offline)
    chat = {} if entry.chat == "none" else entry.chat  # none was refused above
    return Judge(CausalEngine(lm, token_budget), judge_prompt(), chat)


def calibration_of(entry: ModelEntry, dtype: str) -> Calibration | None:
    """What makes probabilities of an entry's log-probabilities: a judge's calibration, nothing for a classifier.

    Raises:
        InputError: a judge without a calibration for its dtype and prompt, or a classifier with one.
    """
    if entry.kind == "causal":
        return calibration_for(entry, dtype)
    if entry.calibration:
        raise InputError(
            f"{entry.source} is of kind {entry.kind} and has a `calibration`, which only a judge (kind causal) uses: "
            "take it out, and set `thresholds` instead"
        )
    return None


def probabilities(logprobs: Logprobs, calibration: Calibration | None) -> npt.NDArray[np.float64]:
    """Probabilities (n, 3), rows summing to 1, from log-probabilities (n, 3), columns as LABELS.

    Args:
        logprobs: what an `NliModel` gave.
        calibration: the judge's; None leaves a classifier's softmax as it is.
    """
    if calibration is None:
        return np.asarray(np.exp(logprobs), dtype=np.float64)
    return calibrated(logprobs, calibration.scale, calibration.bias)


def label_columns(id2label: Mapping[int, str], given: Sequence[str] | None = None) -> list[int]:
    """Where a classifier's outputs hold entailment, neutral and contradiction: by name, never by position.

    Args:
        id2label: the model's output names.
        given: the order of the outputs from the registry entry (`labels:`), for a model that does not name them.

    Returns:
        The output index of each of LABELS.

    Raises:
        ValueError: names that do not say which is which.
    """
    names = [id2label[key] for key in sorted(id2label)] if given is None else list(given)
    found: dict[str, int] = {}
    for index, name in enumerate(names):
        plain = str(name).strip().lower()
        label = next(
            (label for label in LABELS if plain in (label, label[:3], label[: len(plain)]) and len(plain) >= 3), None
        )
        if label is None or label in found:
            raise ValueError(
                f"classifier labels {names}: {name!r} is not one of {', '.join(LABELS)}; set `labels:` of the model's "
                "entry to their order"
            )
        found[label] = index
    if len(found) != len(LABELS) or len(names) != len(id2label):
        raise ValueError(
            f"classifier labels {names}: expected each of {', '.join(LABELS)} once, for {len(id2label)} outputs"
        )
    return [found[label] for label in LABELS]


class Classifier:
    """A sequence classifier trained on inference data, run in float32."""

    def __init__(
        self,
        source: str,
        revision: str = "",
        device: str = "auto",
        labels: Sequence[str] | None = None,
        token_budget: int = 4096,
        offline: bool = True,
    ) -> None:
        import torch
        from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

        from dualpair.models.causal_lm import check_device, load_arguments
        from dualpair.models.device import resolve_device

        where = load_arguments(source, revision, offline)
        self.columns = label_columns(AutoConfig.from_pretrained(**where).id2label, labels)  # before the weights
        self.device = resolve_device(device)
        check_device(self.device)
        self.tokenizer = AutoTokenizer.from_pretrained(**where)
        model: Any = AutoModelForSequenceClassification.from_pretrained(
            **where, dtype=torch.float32, use_safetensors=True
        )
        self.model = model.to(self.device).eval()
        self.token_budget = token_budget

    def logprobs(self, pairs: Sequence[Pair]) -> Logprobs:
        """float64 of shape (n, 3), columns as LABELS, in input order; a too long pair is an error, not cut."""
        result = np.empty((len(pairs), len(LABELS)), dtype=np.float64)
        if not pairs:
            return result
        import torch

        from dualpair.scoring import batches

        rows = [self.tokenizer(premise, hypothesis) for premise, hypothesis in pairs]
        lengths = [len(row["input_ids"]) for row in rows]
        self._check_lengths(pairs, lengths)

        def call(batch: list[int]) -> None:
            inputs = self.tokenizer.pad([rows[i] for i in batch], return_tensors="pt").to(self.device)
            with torch.inference_mode():
                logits = self.model(**inputs).logits.double()
            result[batch] = torch.log_softmax(logits, dim=1)[:, self.columns].cpu().numpy()

        batches.run(lengths, self.token_budget, call)
        return result

    def _check_lengths(self, pairs: Sequence[Pair], lengths: Sequence[int]) -> None:
        most = min(self.tokenizer.model_max_length, self._positions())
        worst = max(range(len(pairs)), key=lengths.__getitem__)
        if lengths[worst] > most:
            raise ValueError(
                f"pair {worst} has {lengths[worst]} tokens, the classifier takes {most}: "
                f"shorten {pairs[worst][0][:60]!r}"
            )

    def _positions(self) -> int:
        """Positions that a text may take: models of the RoBERTa family keep the first ones for padding."""
        most = int(getattr(self.model.config, "max_position_embeddings", 1 << 30))
        tables = [part for name, part in self.model.named_modules() if name.endswith(".position_embeddings")]
        padding = [part.padding_idx for part in tables if getattr(part, "padding_idx", None) is not None]
        return most - padding[0] - 1 if padding else most
