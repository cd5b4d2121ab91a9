"""Where the shipped resources, the user's cache and a run's results are, independent of the working directory."""

from __future__ import annotations

import os
from pathlib import Path

_SHIPPED = ("Snakefile", "config.yaml", "config", "rules", "scripts", "envs", "profiles", "report", "resources")


def home() -> Path:
    """Folder that holds Snakefile, rules, scripts and resources: the repository, or the wheel's data folder.

    Raises:
        FileNotFoundError: if neither the repository layout nor the wheel's data folder is found.
    """
    package = Path(__file__).resolve().parent
    for root in (package / "_workflow", package.parent):
        if (root / "Snakefile").is_file() and (root / "resources").is_dir():
            return root
    raise FileNotFoundError(
        f"dualpair's workflow files ({', '.join(_SHIPPED)}) are neither in {package / '_workflow'} nor in "
        f"{package.parent}; reinstall the package or run from a full checkout"
    )


def resource(*parts: str) -> Path:
    """Path of a shipped resource, e.g. ``resource("languages.yaml")``.

    Raises:
        FileNotFoundError: if the resource does not exist.
    """
    path = home().joinpath("resources", *parts)
    if not path.exists():
        raise FileNotFoundError(f"resource {'/'.join(parts)} is missing: looked for {path}")
    return path


def cache() -> Path:
    """The user's cache: ``$XDG_CACHE_HOME/dualpair``, by default ``~/.cache/dualpair`` (not created here)."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base).expanduser() / "dualpair"


def default_store() -> Path:
    """Folder of the content-addressed store when the config says ``store: auto``."""
    return cache() / "store"
