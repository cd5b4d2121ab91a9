"""What follows from a config: where its files and its store are, and what its roles' thresholds are."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from dualpair import paths
from dualpair.config.messages import ConfigError
from dualpair.config.sections import Config
from dualpair.sources.settings import AugmentedSource, HfDatasetSource


def threshold(config: Config, role: Literal["similarity", "nli"], which: str) -> Any:
    """A role model's threshold, a number or one per language; loading the config has checked that it is there."""
    return getattr(config.models[getattr(config.roles, role)].thresholds, which)


def starts_at_scoring(config: Config) -> bool:
    """True when the source holds the dual pairs already, so that nothing is parsed, generated, judged or selected."""
    return isinstance(config.source, AugmentedSource)


def source_file(config: Config, lang: str) -> Path:
    """The source file of a language: relative paths are tried from the working directory, then from the shipped files.

    Returns:
        The file, or the folder of a saved data set.

    Raises:
        ConfigError: no such file or folder.
    """
    given = Path(config.source.files[lang]).expanduser()
    tried = [given] if given.is_absolute() else [Path.cwd() / given, paths.home() / given]
    folder = isinstance(config.source, HfDatasetSource)
    for path in tried:
        if path.is_dir() if folder else path.is_file():
            return path
    places = " and ".join(dict.fromkeys(str(path) for path in tried))
    what = "folder" if folder else "file"
    raise ConfigError(
        f"key `source.files.{lang}`: {what} {str(given)!r} does not exist (looked for {places}); correct the path"
    )


def prompts_folder(config: Config) -> str | None:
    """The folder of the user's prompts; relative: tried from the working directory, then from the shipped files.

    None where the config names none, or one that is not there (loading the config has refused that).
    """
    if config.generation.prompts is None:
        return None
    given = Path(config.generation.prompts).expanduser()
    tried = [given] if given.is_absolute() else [given, paths.home() / given]
    return next((str(path) for path in tried if path.is_dir()), None)


def store_root(config: Config) -> Path:
    """Folder of the store."""
    return paths.default_store() if config.store == "auto" else Path(config.store).expanduser()
