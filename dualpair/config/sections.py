"""The config's sections: which keys there are and what values they take.

No key of a section has a default here; only a model's registry entry and a source (how its files are read) have
optional keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from dualpair.analysis.settings import Analysis
from dualpair.filters import grammar_settings
from dualpair.models.registry import MODEL_NAME, ModelEntry
from dualpair.norms.settings import Norms
from dualpair.sections import Section
from dualpair.sources.settings import Source
from dualpair.syntax import engines
from dualpair.validation.settings import Validation

RUN_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"

Name = Annotated[str, StringConstraints(pattern=rf"^{MODEL_NAME}$")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]
ParseEngine = Annotated[str, AfterValidator(engines.checked)]


class Parse(Section):
    """Sentence -> group and attribute."""

    engine: dict[str, ParseEngine] = Field(description=f"Engine per language: {engines.ALLOWED}.")
    models: str = Field(description="'embedded' (our small stanza models) or a stanza resources folder.")
    repair: Literal["none", "suffix"] = Field(
        description="suffix: where parses of a set's sentences differ, cut all as most are cut, if all end alike."
    )


def _text_or_mapping(value: Any) -> Any:
    texts = value.values() if isinstance(value, Mapping) else [value]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("expected a text, or a mapping from language to text")
    return value


PerLanguage = Annotated[str | dict[str, str], BeforeValidator(_text_or_mapping)]


def _with_default(value: int | dict[str, int]) -> int | dict[str, int]:
    if isinstance(value, dict) and "default" not in value:
        raise ValueError("needs `default`, for the languages that it does not name")
    return value


CountPerLanguage = Annotated[Positive | dict[str, Positive], AfterValidator(_with_default)]


class Generation(Section):
    """Prompt and sampling of one generating role."""

    prompt: PerLanguage = Field(
        description="'native' (the language's own prompt file), the name of one prompt file, or a mapping from "
        "language to one of these, with `default` for the others."
    )
    mode: Literal["single", "list"] = Field(description="single: a sentence per call; list: a JSON list per call.")
    samples: Positive = Field(description="Calls per source and model.")
    min_answers: CountPerLanguage = Field(
        description="Drop a candidate that fewer answers of a source gave; one number, or one per language and default."
    )
    temperature: Annotated[float, Field(ge=0.0, le=5.0)] = Field(description="0 is greedy.")
    top_p: Annotated[float, Field(gt=0.0, le=1.0)]
    top_k: Annotated[int, Field(ge=0)] = Field(description="Tokens kept at each step; 0 is all.")
    max_new_tokens: Positive
    allow_negation: bool = Field(
        description="Accept an alternate that is negated where its source is not, or the other way round."
    )


class GenerationSettings(Section):
    """Both generating roles."""

    prompts: str | None = Field(
        description="A folder laid over the shipped prompts and hygiene word lists (docs/prompts.md); null: none."
    )
    paraphrase: Generation
    alternate: Generation


class Roles(Section):
    """Which model does what."""

    paraphrase: list[Name] = Field(description="Each contributes paraphrases.")
    alternate: list[Name] = Field(description="A chain of rounds: round r tries what round r-1 left.")
    similarity: Name | None = Field(description="Sentence encoder; null with an augmented source.")
    nli: Name | None = Field(
        description="Classifier, or an instruct model as calibrated judge; null with an augmented source."
    )
    score: list[Name] = Field(min_length=1, description="Models to measure.")


class Filters(Section):
    """What selection does beyond the thresholds, which belong to the models' entries."""

    grammar: grammar_settings.Grammar
    acceptance: Annotated[str, StringConstraints(min_length=1)] | None = Field(
        description="A fit of how likely a reader accepts a candidate, by which candidates are dropped too: a shipped "
        "one by name, or a YAML file of `dualpair fit-acceptance`; null: none (the paper's filters)."
    )
    max_paraphrases: Positive | None = Field(description="Keep at most n accepted paraphrases a set; null: all.")
    record_against_v0: bool = Field(
        description="Judge each alternate against the set's v0 too, beside its own variant: recorded, decides nothing."
    )


class Scoring(Section):
    """Scoring contract's switches."""

    normalisation: Literal["mean", "sum", "char", "byte"] = Field(
        description="mean: per scored token (the paper's); sum; char, byte: per code point, UTF-8 byte of the text."
    )
    scope: Literal["attribute", "sentence", "divergent"] = Field(
        description="attribute: the continuation given the group (the paper's); sentence: prefix and continuation; "
        "divergent: from the first token at which the groups' sentences differ."
    )
    context: PerLanguage = Field(
        description="none: raw text (the paper's); chat_template: the beginning of an answer to `chat_message`; any "
        "other text is put in front verbatim. One for all languages, or a mapping."
    )
    chat_message: PerLanguage | None = Field(
        description="What the user says under context chat_template; one text, or one per language; null: none."
    )
    token_columns: bool = Field(description="Write token ids and log-probabilities into the scores tables.")
    tie: Annotated[float, Field(ge=0.0)] = Field(
        description="|difference| in nats, normalised, at or below which a sign is a tie."
    )


class UnitTokens(Section):
    """Tokens of one unit, by kind of stage: what a kill can lose."""

    generation: Positive
    similarity: Positive
    nli: Positive
    score: Positive = Field(description="For a model of 1e9 parameters; others by 1e9 / size, within 1/8 and 8.")


class Execution(Section):
    """How work is run; no part of any result's key."""

    device: Literal["auto", "cpu", "cuda", "mps"]
    threads: Positive = Field(description="Cores of a model job; capped by --cores.")
    unit_tokens: UnitTokens
    token_budget: Positive = Field(description="Tokens of one forward pass: bounds memory.")
    max_failed_share: Share = Field(description="A stage fails when more of its rows failed.")
    vllm_python: Annotated[str, StringConstraints(min_length=1)] = Field(
        description="Interpreter of the environment that has vLLM; auto: .venv-vllm/bin/python beside the Snakefile."
    )


class Config(Section):
    """The whole config."""

    run: Annotated[str, StringConstraints(pattern=rf"^{RUN_NAME}$")]
    seed: Annotated[int, Field(ge=0)]
    offline: bool
    store: str = Field(description="'auto' (in the user's cache) or a folder.")
    languages: list[str] = Field(min_length=1)
    source: Source
    parse: Parse
    models: dict[Name, ModelEntry]
    roles: Roles
    generation: GenerationSettings
    filters: Filters
    scoring: Scoring
    analysis: Analysis
    norms: Norms | None = Field(description="Feature-norm validation; null: left out.")
    validation: Validation
    execution: Execution
