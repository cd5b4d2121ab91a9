"""An instruct model as judge of natural language inference: prompt, calibration, answers.

The judge is asked for one word; what counts is the first token of its answer. Calibration (`calibrated`) is applied to
stored log-probabilities, so that a new one costs no call.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dualpair import paths
from dualpair.errors import InputError
from dualpair.models.registry import Calibration, ModelEntry

if TYPE_CHECKING:
    from dualpair.scoring.engine import PrefixEngine

LABELS = ("entailment", "neutral", "contradiction")
Logprobs = npt.NDArray[np.float64]
Pair = tuple[str, str]


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


def unfit(entry: ModelEntry) -> str:
    """Why an entry's model cannot be asked as judge, or nothing."""
    if entry.kind != "causal" or entry.tuning != "instruct" or entry.chat == "none":
        return (
            f"kind {entry.kind}, tuning {entry.tuning}{', chat none' if entry.chat == 'none' else ''}: a judge is a "
            "causal model with `tuning: instruct` and a chat template"
        )
    if entry.engine != "transformers":
        return f"engine {entry.engine}: a judge runs with engine transformers"
    return ""


def problem(entry: ModelEntry) -> str:
    """Why a causal model cannot judge inference, as far as its entry tells, or nothing.

    Of dtype auto any calibration will do here; :func:`calibration_for` looks again once the dtype is known.
    """
    if why := unfit(entry):
        return f"{why}; or use an nli_classifier"
    wanted = judge_prompt().id
    if not any(one.prompt == wanted and entry.dtype in ("auto", one.dtype) for one in entry.calibration):
        return f"no `calibration` for dtype {entry.dtype} and prompt {wanted}: run `dualpair calibrate-judge`"
    return ""


def calibration_for(entry: ModelEntry, dtype: str) -> Calibration:
    """The judge's calibration for a resolved dtype and the present prompt. Needs no torch.

    Raises:
        InputError: there is none; the message names the command that makes one.
    """
    prompt = judge_prompt().id
    for calibration in entry.calibration:
        if calibration.dtype == dtype and calibration.prompt == prompt:
            return calibration
    have = ", ".join(f"{c.dtype} with prompt {c.prompt}" for c in entry.calibration) or "none"
    raise InputError(
        f"{entry.source} is no calibrated judge for dtype {dtype} and prompt {prompt} (calibrations: {have}); run "
        f"`dualpair calibrate-judge --model NAME --dtype {dtype}` and put its lines into the model's entry"
    )


class Judge:
    """An instruct model as judge, by the first token of its answer.

    Args:
        engine: the loaded model.
        prompt: what it is asked.
        chat: further arguments of its chat template.
    """

    def __init__(self, engine: PrefixEngine, prompt: JudgePrompt, chat: dict[str, Any] | None = None) -> None:
        self.engine, self.prompt, self.chat = engine, prompt, chat or {}

    def logprobs(self, pairs: Sequence[Pair]) -> Logprobs:
        """Log-probabilities (nats) of each label's first token as the answer: float64 (n, 3), columns as LABELS.

        They are those of the whole vocabulary, so a row's probabilities sum to less than 1.

        Raises:
            ValueError: the tokenizer has no chat template, or two labels begin with the same token.
        """
        tokenizer, name = self.engine.tokenizer, self.engine.label.name
        if not getattr(tokenizer, "chat_template", None):
            raise ValueError(f"{name} has no chat template: only an instruct model can be a judge")
        targets = [tokenizer(label, add_special_tokens=False).input_ids[0] for label in LABELS]
        if len(set(targets)) < len(LABELS):
            raise ValueError(f"{name}: two of {', '.join(LABELS)} begin with the same token: it cannot be the judge")
        texts = [
            tokenizer.apply_chat_template(
                self.prompt.messages(*pair), add_generation_prompt=True, tokenize=False, **self.chat
            )
            for pair in pairs
        ]
        # the template writes the special tokens out, BOS included, so none are added
        prompts = [tokenizer(text, add_special_tokens=False).input_ids for text in texts]
        return self.engine.next_token(prompts, targets)


def raw_contradiction(logprobs: Logprobs) -> npt.NDArray[np.float64]:
    """Raw score log P(contradiction) - log(P(entailment) + P(neutral)), in nats: (n, 3) to (n,)."""
    return np.asarray(logprobs[:, 2] - np.logaddexp(logprobs[:, 0], logprobs[:, 1]), dtype=np.float64)


def calibrated(logprobs: Logprobs, scale: float, bias: float) -> npt.NDArray[np.float64]:
    """Calibrated probabilities (n, 3) from the labels' log-probabilities (n, 3), columns as LABELS.

    P(contradiction) = 1 / (1 + exp(-(scale * raw + bias))) with raw of :func:`raw_contradiction`; the rest is split
    between entailment and neutral in proportion to the model's probabilities for them.
    """
    score = scale * raw_contradiction(logprobs) + bias
    # stable at both ends: exp of a non-positive number only
    tail = np.exp(-np.abs(score))
    contradiction = np.where(score >= 0, 1.0 / (1.0 + tail), tail / (1.0 + tail))
    rest = np.where(score >= 0, tail / (1.0 + tail), 1.0 / (1.0 + tail))
    entailment = np.exp(logprobs[:, 0] - np.logaddexp(logprobs[:, 0], logprobs[:, 1]))
    return np.stack([rest * entailment, rest * (1.0 - entailment), contradiction], axis=1)
