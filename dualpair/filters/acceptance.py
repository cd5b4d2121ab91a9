"""Acceptance: one number from all judgements of a candidate, the probability that a reader accepts it.

A filter of ours, for generators weaker than the paper's (arXiv 2610.08747, section 3.4, has thresholds on single
numbers only). What such a generator gets wrong often passes each threshold by itself. Here a reader has judged a sample
of the generator's own candidates, and a logistic regression weighs what the filters measured of them:

    P(accepted) = logistic(intercept of the language + sum over features of weight * feature)

`dualpair fit-acceptance` makes the fit (:mod:`dualpair.filters.acceptance_fit`); it holds for the models that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from dualpair import paths, yaml_files
from dualpair.errors import InputError

Array = npt.NDArray[np.float64]
PARAPHRASE, ALTERNATE = "paraphrase", "alternate"
SHIPPED = "acceptance"  # folder of the shipped fits, below resources/
CLIP = 1e-4  # probabilities nearer to 0 or 1 than this count as this near: a judge's last digits mean nothing


def _log_odds(frame: pd.DataFrame, label: str, larger: bool) -> Array:
    """Log-odds (nats) of the larger or smaller probability of both directions; NaN where one is missing."""
    both = frame[[f"{label}_forward", f"{label}_backward"]].to_numpy(dtype=float)
    chosen = np.clip(both.max(axis=1) if larger else both.min(axis=1), CLIP, 1 - CLIP)
    return np.asarray(np.log(chosen) - np.log1p(-chosen))


FEATURES: Mapping[str, Callable[[pd.DataFrame], Array]] = {
    "similarity": lambda frame: frame["similarity"].to_numpy(dtype=float),
    "larger_contradiction": lambda frame: _log_odds(frame, "contradiction", larger=True),
    "smaller_contradiction": lambda frame: _log_odds(frame, "contradiction", larger=False),
    "larger_entailment": lambda frame: _log_odds(frame, "entailment", larger=True),
    "smaller_entailment": lambda frame: _log_odds(frame, "entailment", larger=False),
    "log_answers": lambda frame: np.log(frame["n_answers"].to_numpy(dtype=float)),
}
"""What is weighed: cosine; log-odds of the judge's probabilities; natural logarithm of how many answers said it."""

MEASURED = (
    "similarity", "contradiction_forward", "contradiction_backward", "entailment_forward", "entailment_backward",
    "n_answers",
)  # fmt: skip
"""Columns that the features are made of."""

Probability = Annotated[float, Field(ge=0.0, le=1.0)]
FeatureName = Literal[
    "similarity", "larger_contradiction", "smaller_contradiction", "larger_entailment", "smaller_entailment",
    "log_answers",
]  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class TaskFit(_Strict):
    """The fit of a task.

    Attributes:
        weights: of each feature; a feature that is not named has none.
        intercepts: per language.
        thresholds: per language; a candidate is kept at or above it. Above 1: none is, as no threshold could be had.
    """

    weights: dict[FeatureName, float]
    intercepts: dict[str, float]
    thresholds: dict[str, Annotated[float, Field(ge=0.0)]]

    @model_validator(mode="after")
    def _same_languages(self) -> TaskFit:
        if set(self.intercepts) != set(self.thresholds):
            raise ValueError(
                f"intercepts are of {', '.join(sorted(self.intercepts))} and thresholds of "
                f"{', '.join(sorted(self.thresholds))}; name the same languages"
            )
        return self

    def probability(self, frame: pd.DataFrame) -> Array:
        """P(accepted) of candidates, 0 to 1; NaN where a judgement is missing or the language has no fit.

        Args:
            frame: rows with the columns lang and MEASURED.
        """
        total = np.asarray(frame["lang"].map(self.intercepts), dtype=np.float64)
        for name, weight in self.weights.items():
            total = total + weight * FEATURES[name](frame)
        return logistic(total)


class Models(_Strict):
    """The models that a fit holds for."""

    generators: list[str] = Field(description="What made the candidates; others are not refused.")
    similarity: str
    nli: str


class Acceptance(_Strict):
    """A fit, one per task, and the models it holds for."""

    models: Models
    paraphrase: TaskFit
    alternate: TaskFit

    def of(self, task: str) -> TaskFit:
        """The fit of a task: paraphrase or alternate."""
        return self.paraphrase if task == PARAPHRASE else self.alternate


def logistic(score: Array) -> Array:
    """Logistic function of log-odds in nats, any shape; exact at both ends, NaN stays."""
    tail = np.exp(-np.abs(score))
    return np.asarray(np.where(score >= 0, 1.0, tail) / (1.0 + tail))


def file_of(name: str) -> Path:
    """The file of a shipped fit (its name) or of one's own (its path, which ends in .yaml).

    Relative paths are tried from the working directory, then from the shipped files.

    Raises:
        InputError: there is none.
    """
    shipped = paths.resource(SHIPPED) / f"{name}.yaml"
    given = Path(name).expanduser()
    tried = [given, paths.home() / given] if given.suffix in (".yaml", ".yml") else [shipped]
    for path in tried:
        if path.is_file():
            return path
    names = sorted(path.stem for path in paths.resource(SHIPPED).glob("*.yaml"))
    raise InputError(
        f"acceptance {name!r}: no such fit (shipped: {', '.join(names)}; looked for "
        f"{' and '.join(str(path) for path in dict.fromkeys(tried))}); name a shipped one or a .yaml file of "
        "`dualpair fit-acceptance`, or null for none"
    )


def load(name: str) -> Acceptance:
    """A fit by name or path, see :func:`file_of`.

    Raises:
        InputError: no such file, or it is malformed; each problem with its key.
    """
    path = file_of(name)
    try:
        return Acceptance.model_validate(yaml_files.mapping(path, tuple(Acceptance.model_fields)))
    except ValidationError as error:
        found = [f"key `{'.'.join(map(str, one['loc']))}`: {one['msg']}{_value(one)}" for one in error.errors()]
        raise InputError(f"{path}: {'; '.join(found)}; make it with `dualpair fit-acceptance`") from None


def _value(error: ErrorDetails) -> str:
    """The value that was found, where it is one number or word."""
    value = error["input"]
    return f" (found {value!r})" if isinstance(value, str | int | float) else ""


def problems(fit: Acceptance, similarity: str | None, nli: str | None, langs: list[str]) -> list[str]:
    """What stands against a fit in a run with these role models and languages, one message each."""
    found = []
    for role, ours, theirs in (("similarity", fit.models.similarity, similarity), ("nli", fit.models.nli, nli)):
        if ours != theirs:
            found.append(
                f"it weighs what {ours} measured, and `roles.{role}` is {theirs}: fit one for that model with "
                "`dualpair fit-acceptance`, or take null"
            )
    for task in (PARAPHRASE, ALTERNATE):
        known = fit.of(task).intercepts
        if missing := [lang for lang in langs if lang not in known]:
            found.append(
                f"it has no fit of {task}s for {', '.join(missing)} (it has for {', '.join(sorted(known))}): fit one "
                "with `dualpair fit-acceptance`, or take null"
            )
    return found


def from_json(data: Any) -> Acceptance | None:
    """A fit from what a workflow rule passes to its script; null: none."""
    return None if data is None else Acceptance.model_validate(data)
