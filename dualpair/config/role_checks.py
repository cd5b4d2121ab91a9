"""Do the models that play the roles exist, and have they what the roles need?"""

from __future__ import annotations

from collections.abc import Sequence

from dualpair.config.derived import starts_at_scoring
from dualpair.config.messages import nearest
from dualpair.config.sections import Config
from dualpair.errors import InputError
from dualpair.filters import acceptance, judge

_ROLE_KINDS = {
    "paraphrase": ("causal",),
    "alternate": ("causal",),
    "score": ("causal", "masked"),
    "similarity": ("sentence_encoder",),
    "nli": ("nli_classifier", "causal"),
}
_THRESHOLDS = {"similarity": ("similarity",), "nli": ("nli_paraphrase", "nli_alternate")}


def problems(config: Config, calibrating: bool = False) -> list[str]:
    """Models that are missing, of another kind or named twice, lack a threshold or cannot judge, one message each.

    Args:
        config: the config.
        calibrating: a judge is being calibrated: the one that the config names need not have what that gives it.
    """
    if calibrating:
        return _role_problems(config, ("similarity",))
    return [*_role_problems(config), *_judge_problems(config), *_acceptance_problems(config)]


def _role_problems(config: Config, with_thresholds: Sequence[str] = ("similarity", "nli")) -> list[str]:
    problems = _missing_roles(config)
    if problems:
        return problems
    used = ["score"] if starts_at_scoring(config) else list(_ROLE_KINDS)
    for role in used:
        named, kinds = getattr(config.roles, role), _ROLE_KINDS[role]
        for name in [named] if isinstance(named, str) else named:
            entry = config.models.get(name)
            if entry is None:
                close = nearest(name, list(config.models))
                problems.append(
                    f"key `roles.{role}`: model {name!r} is not in the registry{close} (add it under `models`)"
                )
            elif entry.kind not in kinds:
                problems.append(
                    f"key `roles.{role}`: model {name!r} is of kind {entry.kind!r} (allowed: {', '.join(kinds)})"
                )
    for role in ("paraphrase", "score"):
        names = getattr(config.roles, role)
        if len(set(names)) < len(names):
            problems.append(f"key `roles.{role}`: {names} names a model twice; name each once")
    return problems if starts_at_scoring(config) else problems + _threshold_problems(config, with_thresholds)


def _missing_roles(config: Config) -> list[str]:
    """Roles without which the pairs cannot be made; a source that holds them needs none of these."""
    if starts_at_scoring(config):
        return []
    return [
        f"key `roles.{role}`: value {getattr(config.roles, role)!r}: name a model (only a source of kind augmented, "
        f"which holds the pairs, needs none)"
        for role in ("paraphrase", "alternate", "similarity", "nli")
        if not getattr(config.roles, role)
    ]


def _threshold_problems(config: Config, roles: Sequence[str]) -> list[str]:
    problems = []
    for role in roles:
        entry = config.models.get(getattr(config.roles, role))
        for which in _THRESHOLDS[role]:
            value = None if entry is None else getattr(entry.thresholds, which)
            if isinstance(value, dict) and "default" not in value:
                name = f"models.{getattr(config.roles, role)}.thresholds.{which}"
                problems.append(f"key `{name}`: value {value} has no `default`; add one")
            if entry is not None and value is None:
                problems.append(
                    f"key `models.{getattr(config.roles, role)}.thresholds.{which}` is missing: "
                    f"the model has role {role!r}; a threshold belongs to the model, give its own"
                )
    return problems


def _judge_problems(config: Config) -> list[str]:
    """A causal model in role nli that cannot be the judge: found here, since its stage comes after much work."""
    entry = config.models.get(config.roles.nli or "")
    if starts_at_scoring(config) or entry is None or entry.kind != "causal":
        return []
    why = judge.problem(entry)
    return [f"key `roles.nli`: model {config.roles.nli!r} cannot judge inference: {why}"] if why else []


def _acceptance_problems(config: Config) -> list[str]:
    """A fit of acceptance that is not there, or was made for other models or languages."""
    name = config.filters.acceptance
    if starts_at_scoring(config) or name is None:
        return []
    try:
        found = acceptance.problems(
            acceptance.load(name), config.roles.similarity, config.roles.nli, list(config.languages)
        )
    except InputError as error:
        return [f"key `filters.acceptance`: {error}"]
    return [f"key `filters.acceptance`: value {name!r}: {problem}" for problem in found]
