"""Read and validate a config."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dualpair import yaml_files
from dualpair.config import checks
from dualpair.config.messages import ConfigError, explain, refusal
from dualpair.config.sections import Config
from dualpair.errors import InputError
from dualpair.models.registry import builtin_models


def load(
    data: Mapping[str, Any],
    origin: str = "config.yaml",
    calibrating: bool = False,
    files: Iterable[Path | str] = (),
) -> Config:
    """Validate a config mapping and merge the built-in model registry below its `models`.

    Args:
        data: the parsed YAML.
        origin: file name(s) for messages.
        calibrating: a judge is being calibrated, which the config may name before it is.
        files: the files that another program, Snakemake, read the data from: no trace of a key that one of them names
            twice is left in the data.

    Raises:
        ConfigError: one message for all problems found; keys named twice come before all others.
    """
    _refuse_repeated(files, origin)
    merged = dict(data)
    given = merged.get("models") or {}
    if isinstance(given, Mapping):
        merged["models"] = _overlaid(builtin_models(), given)
    try:
        config = Config.model_validate(merged)
    except ValidationError as error:
        raise refusal(origin, [explain(item, merged) for item in error.errors()]) from None
    problems = checks.problems(config, calibrating)
    if problems:
        raise refusal(origin, problems)
    return config


def load_file(path: Path | str, calibrating: bool = False) -> Config:
    """Read and validate a config file; see :func:`load`.

    Raises:
        ConfigError: not readable as YAML, a key named twice, not a mapping, or invalid.
    """
    try:
        data = yaml_files.mapping(Path(path), Config.model_fields)
    except InputError as error:
        raise ConfigError(str(error)) from error
    return load(data, str(path), calibrating)


def _refuse_repeated(files: Iterable[Path | str], origin: str) -> None:
    try:
        twice = [f"{path}, {problem}" for path in files for problem in yaml_files.repeated_keys(Path(path))]
    except InputError as error:
        raise ConfigError(str(error)) from error
    if twice:
        raise refusal(origin, twice)


def _overlaid(builtin: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Built-in entries with the config's laid over them, key by key (thresholds likewise); other entries as given."""
    merged = dict(builtin)
    for name, entry in given.items():
        base = builtin.get(name)
        if not isinstance(base, Mapping) or not isinstance(entry, Mapping):
            merged[name] = entry
            continue
        merged[name] = {**base, **entry}
        if isinstance(entry.get("thresholds"), Mapping):
            merged[name]["thresholds"] = {**base.get("thresholds", {}), **entry["thresholds"]}
    return merged
