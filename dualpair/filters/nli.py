"""Natural language inference: P(entailment), P(neutral), P(contradiction) of directed sentence pairs.

Two engines behind one protocol: a sequence classifier (the paper's XLM-R XNLI, arXiv 2610.08747, section 3.4), and an
instruct model as calibrated judge. Selection applies the thresholds: a paraphrase is kept iff the larger
P(contradiction) of both directions is at most 0.8, an alternate iff the smaller one is above 0.8.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from dualpair import paths
from dualpair.models import fingerprint
from dualpair.models.registry import Calibration, ModelEntry

if TYPE_CHECKING:
    from dualpair.scoring.engine import PrefixEngine

LABELS = ("entailment", "neutral", "contradiction")
Probabilities = npt.NDArray[np.float64]
Pair = tuple[str, str]


class NliModel(Protocol):
    """Anything that judges directed (premise, hypothesis) pairs."""

    def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """float64 of shape (n, 3), columns as LABELS, rows summing to 1, in input order."""
        ...


def load(
    entry: ModelEntry, dtype: str = "auto", device: str = "auto", token_budget: int = 4096, offline: bool = True
) -> NliModel:
    """The NLI model of a registry entry: kind nli_classifier, or an instruct causal model as judge.

    Raises:
        ValueError: another kind, a base model as judge, a judge without calibration for its dtype and prompt, or
            nameless labels.
    """
    if entry.kind == "nli_classifier":
        place = fingerprint.location(entry.source, entry.revision)
        return Classifier(place, entry.revision, device, entry.labels, token_budget, offline)
    if entry.kind != "causal" or entry.tuning != "instruct":
        raise ValueError(
            f"{entry.source} (kind {entry.kind}, tuning {entry.tuning}) cannot judge inference: use an "
            "nli_classifier, or a causal model with `tuning: instruct` and a calibration"
        )
    from dualpair.models.causal_lm import load_entry
    from dualpair.models.device import resolve_device, resolve_dtype
    from dualpair.scoring.causal import CausalEngine

    resolved = resolve_dtype(dtype, resolve_device(device))
    calibration = calibration_for(entry, resolved)  # before the weights: an uncalibrated judge fails at once
    lm = load_entry(entry, entry.source, resolved, device, offline)
    return Judge(CausalEngine(lm, token_budget), calibration, judge_prompt())


class JudgePrompt(NamedTuple):
    """The judge's prompt: content hash, system message, and user message with {premise} and {hypothesis}."""

    id: str
    system: str
    user: str

    def messages(self, premise: str, hypothesis: str) -> list[dict[str, str]]:
        """Chat messages for one directed pair; the pair comes last, so that all prompts begin alike."""
        given = {"{premise}": premise, "{hypothesis}": hypothesis}
        # in one pass: a text that itself holds a placeholder's name must stay as it is
        text = re.sub(r"\{(?:premise|hypothesis)\}", lambda found: given[found.group()], self.user)
        return [{"role": "system", "content": self.system}, {"role": "user", "content": text}]


@cache
def judge_prompt() -> JudgePrompt:
    """The prompt of `resources/prompts/nli/judge.txt`: system message, a line `---`, user message.

    Raises:
        ValueError: the file has another form.
    """
    path = paths.resource("prompts", "nli", "judge.txt")
    text = path.read_text(encoding="utf-8").strip()
    system, mark, user = text.partition("\n---\n")
    if not mark or user.count("{premise}") != 1 or user.count("{hypothesis}") != 1:
        raise ValueError(
            f"{path}: expected a system message, a line '---' and a user message with {{premise}} and {{hypothesis}}"
        )
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    return JudgePrompt(digest, system.strip(), user.strip())


def calibration_for(entry: ModelEntry, dtype: str) -> Calibration:
    """The judge's calibration for a resolved dtype and the present prompt. Needs no torch.

    Raises:
        ValueError: there is none; the message names the command that makes one.
    """
    prompt = judge_prompt().id
    for calibration in entry.calibration:
        if calibration.dtype == dtype and calibration.prompt == prompt:
            return calibration
    have = ", ".join(f"{c.dtype} with prompt {c.prompt}" for c in entry.calibration) or "none"
    raise ValueError(
        f"{entry.source} is no calibrated judge for dtype {dtype} and prompt {prompt} (calibrations: {have}); run "
        f"`python scripts/calibrate_judge.py --model NAME --dtype {dtype}` and put its lines into the model's entry"
    )


class Judge:
    """An instruct model as judge, by the first token of its answer.

    raw = log P(contradiction) - log(P(entailment) + P(neutral)).

    P(contradiction) = 1 / (1 + exp(-(scale * raw + bias))); the rest is split between entailment and neutral in
    proportion to the model's probabilities for them.
    """

    def __init__(self, engine: PrefixEngine, calibration: Calibration, prompt: JudgePrompt) -> None:
        name, _, dtype, _ = engine.label
        if (calibration.dtype, calibration.prompt) != (dtype, prompt.id):
            raise ValueError(
                f"{name}: calibration for {calibration.dtype} and prompt {calibration.prompt}, but it runs in "
                f"{dtype} with prompt {prompt.id}; run `python scripts/calibrate_judge.py --dtype {dtype}`"
            )
        self.engine, self.calibration, self.prompt = engine, calibration, prompt

    def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """float64 of shape (n, 3), columns as LABELS, in input order."""
        logprobs = answer_logprobs(self.engine, self.prompt, pairs)
        return calibrated(logprobs, self.calibration.scale, self.calibration.bias)


def answer_logprobs(engine: PrefixEngine, prompt: JudgePrompt, pairs: Sequence[Pair]) -> Probabilities:
    """Log-probabilities (nats) of the first token of each label as the answer: float64 (n, 3), columns as LABELS.

    Raises:
        ValueError: the tokenizer has no chat template, or two labels begin with the same token.
    """
    tokenizer, name = engine.tokenizer, engine.label.name
    if not getattr(tokenizer, "chat_template", None):
        raise ValueError(f"{name} has no chat template: only an instruct model can be a judge")
    targets = [tokenizer(label, add_special_tokens=False).input_ids[0] for label in LABELS]
    if len(set(targets)) < len(LABELS):
        raise ValueError(f"{name}: two of {', '.join(LABELS)} begin with the same token: it cannot be the judge")
    texts = [
        tokenizer.apply_chat_template(prompt.messages(*pair), add_generation_prompt=True, tokenize=False)
        for pair in pairs
    ]
    # the template writes the special tokens out, BOS included, so none are added
    prompts = [tokenizer(text, add_special_tokens=False).input_ids for text in texts]
    return engine.next_token(prompts, targets)


def raw_contradiction(logprobs: Probabilities) -> npt.NDArray[np.float64]:
    """Raw score log P(contradiction) - log(P(entailment) + P(neutral)), in nats: (n, 3) to (n,)."""
    return np.asarray(logprobs[:, 2] - np.logaddexp(logprobs[:, 0], logprobs[:, 1]), dtype=np.float64)


def calibrated(logprobs: Probabilities, scale: float, bias: float) -> Probabilities:
    """Calibrated probabilities (n, 3) from the labels' log-probabilities (n, 3), columns as LABELS."""
    score = scale * raw_contradiction(logprobs) + bias
    # stable at both ends: exp of a non-positive number only
    tail = np.exp(-np.abs(score))
    contradiction = np.where(score >= 0, 1.0 / (1.0 + tail), tail / (1.0 + tail))
    rest = np.where(score >= 0, tail / (1.0 + tail), 1.0 / (1.0 + tail))
    entailment = np.exp(logprobs[:, 0] - np.logaddexp(logprobs[:, 0], logprobs[:, 1]))
    return np.stack([rest * entailment, rest * (1.0 - entailment), contradiction], axis=1)


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

    def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
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
            result[batch] = torch.softmax(logits, dim=1)[:, self.columns].cpu().numpy()

        batches.run(lengths, self.token_budget, call)
        return result

    def _check_lengths(self, pairs: Sequence[Pair], lengths: Sequence[int]) -> None:
        most = min(self.tokenizer.model_max_length, getattr(self.model.config, "max_position_embeddings", 1 << 30))
        worst = max(range(len(pairs)), key=lengths.__getitem__)
        if lengths[worst] > most:
            raise ValueError(
                f"pair {worst} has {lengths[worst]} tokens, the classifier takes {most}: "
                f"shorten {pairs[worst][0][:60]!r}"
            )
