"""The config's section `norms`: whose concepts and features are scored, in which languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, model_validator

from dualpair import paths
from dualpair.errors import InputError
from dualpair.norms import mcrae, pairs, words
from dualpair.sections import Section

BUILTIN, MCRAE = "builtin", "mcrae"

Text = Annotated[str, StringConstraints(min_length=1)]


class Norms(Section):
    """Feature-norm validation (arXiv 2610.08747, figure 5)."""

    source: Literal["builtin", "mcrae"] = Field(
        description="builtin: our own concepts; mcrae: a copy of the norms of McRae et al. (2005), English."
    )
    file: Text | None = Field(description="mcrae: CONCS_FEATS_concstats_brm.txt, or the folder that holds it.")
    pairs: Text | None = Field(description="mcrae: a YAML file of opposite features; null: resources/norms/pairs.yaml.")
    languages: Annotated[list[str], Field(min_length=1)] | None = Field(
        description="Languages to score, among the run's; null: all those for which the source has sentences."
    )
    limit: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        description="Keep the first n concepts of each feature of a pair; null: all."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.source == MCRAE and self.file is None:
            raise ValueError(
                "source mcrae needs `file`, the path of your copy of CONCS_FEATS_concstats_brm.txt; the norms are not "
                "ours to ship (docs/norms.md says where they are)"
            )
        given = [name for name in ("file", "pairs") if getattr(self, name) is not None]
        if self.source == BUILTIN and given:
            raise ValueError(f"`{given[0]}` is used by source mcrae only; set it to null, or `source` to mcrae")
        return self


def languages_of(settings: Norms, run_languages: Sequence[str]) -> list[str]:
    """Languages that are scored, in the run's order; empty where the run has none that the source has sentences for."""
    available = words.languages() if settings.source == BUILTIN else [mcrae.LANGUAGE]
    wanted = settings.languages if settings.languages is not None else available
    return [lang for lang in run_languages if lang in wanted and lang in available]


def problems(settings: Norms | None, run_languages: Sequence[str]) -> list[str]:
    """What is wrong with the section's languages, one sentence each; :func:`files` looks at its files."""
    if settings is None:
        return []
    available = words.languages() if settings.source == BUILTIN else [mcrae.LANGUAGE]
    found = []
    for lang in settings.languages or []:
        if lang not in available:
            found.append(
                f"key `norms.languages`: value {lang!r}: source {settings.source} has no sentences in it (allowed: "
                f"{', '.join(available)})"
            )
        elif lang not in run_languages:
            found.append(f"key `norms.languages`: value {lang!r} is not in `languages`; add it there, or leave it out")
    if settings.languages and len(set(settings.languages)) < len(settings.languages):
        found.append(f"key `norms.languages`: {settings.languages} names a language twice; name each once")
    return found


class Files(NamedTuple):
    """What the sentences are made of: the norms and the list of opposites (source mcrae), and our own resources."""

    norms: Path | None
    pairs: Path | None
    resources: tuple[Path, ...]


def files(settings: Norms, langs: Sequence[str]) -> Files:
    """The files; a relative path is tried from the working directory, then from the shipped files.

    Args:
        settings: the section.
        langs: languages that are scored.

    Raises:
        InputError: one does not exist, or the list of opposites does not fit; names the config's key.
    """
    own = tuple(paths.resource("norms", f"{lang}.yaml") for lang in langs)
    if settings.source == BUILTIN:
        return Files(None, None, (paths.resource("norms", "facts.yaml"), *own))
    try:
        norms = mcrae.find(_path(str(settings.file), "file or folder"))
    except InputError as error:
        raise InputError(f"key `norms.file`: {error}") from None
    try:
        listed = pairs.default_file() if settings.pairs is None else _path(settings.pairs, "file")
        pairs.load(listed)
    except InputError as error:
        raise InputError(f"key `norms.pairs`: {error}") from None
    return Files(norms, listed, own)


def _path(name: str, what: str) -> Path:
    given = Path(name).expanduser()
    tried = [given] if given.is_absolute() else [given, paths.home() / given]
    for path in tried:
        if path.exists():
            return path
    places = " and ".join(dict.fromkeys(str(path.absolute()) for path in tried))
    raise InputError(f"{what} {name!r} does not exist (looked for {places}); correct the path")
