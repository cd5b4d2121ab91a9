"""The settings of a run as one file, ``results/<run>/config.yaml``, which ``dualpair compare`` reads.

It is the resolved config, overrides and defaults included, with the registry entries of the models that the run uses,
less :data:`LEFT_OUT`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from dualpair import __version__, yaml_files

NAME = "config.yaml"
LEFT_OUT = ("execution", "offline", "store")
"""Keys that say how and where work is done: they decide no result, so that equal results come with equal files."""
_THERE = "there"


def text(settings: Mapping[str, Any]) -> str:
    """The file: keys sorted, paths as given, and in a comment what it is and which version of dualpair wrote it.

    Args:
        settings: the config as JSON values, with used models under ``models``; :data:`LEFT_OUT` is left out.
    """
    kept = {key: value for key, value in settings.items() if key not in LEFT_OUT}
    head = (
        f"# dualpair {__version__}\n"
        "# The settings under which the measures of this run were last made or found up to date.\n"
        f"# Left out, since they decide no result: {', '.join(LEFT_OUT)}.\n"
    )
    return head + yaml.safe_dump(kept, sort_keys=True, allow_unicode=True, width=120)


def read(folder: Path) -> dict[str, Any] | None:
    """The settings of the run in ``folder``; None where it has no such file.

    Raises:
        InputError: the file is damaged.
    """
    path = folder / NAME
    return yaml_files.mapping(path, ["run", "languages", "..."]) if path.is_file() else None


def comparable(
    first: Mapping[str, Any], second: Mapping[str, Any], renamed: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})
) -> tuple[dict[str, str], dict[str, str]]:
    """Both runs' settings as dotted key to JSON, without what differs between any two runs: name and execution.

    A registry entry that only one run has is one key with the value ``"there"``.

    Args:
        first: settings of a run, as :func:`read` gives them.
        second: those of the other run.
        renamed: for each run, compared model to the name that it has in both; other compared models are left out.
    """
    dropped = {*renamed[0], *renamed[1]}
    models = []
    for settings, names in zip((first, second), renamed, strict=True):
        entries = settings.get("models", {})
        rest = {name: entry for name, entry in entries.items() if name not in dropped}
        models.append(rest | {new: entries[old] for old, new in names.items() if old in entries})
    found = []
    for settings, own, other in ((first, *models), (second, *reversed(models))):
        plain = {key: value for key, value in settings.items() if key not in ("run", "models", *LEFT_OUT)}
        entries = {name: entry if name in other else _THERE for name, entry in own.items()}
        found.append(flat({**plain, "models": entries}))
    return found[0], found[1]


def flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested mappings as dotted keys with the JSON of what is not a mapping."""
    found: dict[str, str] = {}
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner:
            found |= flat(inner, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = json.dumps(inner, ensure_ascii=False, sort_keys=True)
    return found
