"""The config's section `filters.grammar`: which engines look at a language's sentences, and how they are run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from dualpair import languages, paths
from dualpair.filters.grammar_engines import ENGINES, LANGUAGETOOL, LM
from dualpair.models.registry import MODEL_NAME, ModelEntry, endpoint
from dualpair.sections import Section

NONE, LOCAL = "none", "local"
EngineName = Literal["languagetool", "lm", "agreement"]


def _engines(value: Any) -> Any:
    if value == NONE:
        return NONE
    allowed = f"{NONE} (no filter), or a list of {', '.join(ENGINES)}"
    if isinstance(value, str):
        hint = f"; write [{value}]" if value in ENGINES else ""
        raise ValueError(f"expected {allowed}{hint}")
    if not isinstance(value, Sequence) or any(name not in ENGINES for name in value):
        raise ValueError(f"expected {allowed}")
    if not value:
        raise ValueError(f"an empty list names no engine: write {NONE} for no grammar filter, or a list of engines")
    if len(set(value)) < len(value):
        raise ValueError("names an engine twice; name each once")
    return list(value)


def _engines_or_mapping(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return _engines(value)
    if not value:
        raise ValueError(f"an empty mapping names no language: write {NONE} for no grammar filter")
    checked = {}
    for lang, given in value.items():
        try:
            checked[lang] = _engines(given)
        except ValueError as error:
            raise ValueError(f"language {lang!r}, value {given!r}: {error}") from None
    return checked


def _version(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError('write the version in quotes, such as "6.8": without them 6.10 would be the number 6.1')
    return value


def _server(value: str) -> str:
    return value if value == LOCAL else endpoint(value)


Names = list[EngineName] | Literal["none"]


class LanguageTool(Section):
    """How the engine languagetool is reached."""

    server: Annotated[str, AfterValidator(_server)] = Field(
        description="local: Java and a copy of LanguageTool below LTP_PATH; or the URL of a server, http://host:8081."
    )
    version: Annotated[str, BeforeValidator(_version), StringConstraints(pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$")] = (
        Field(description="Version of LanguageTool that the server must have.")
    )
    picky: bool = Field(description="Also rules that LanguageTool counts as picky.")
    memory_mb: Annotated[int, Field(ge=256)] = Field(description="Most memory of the local server's Java, in MB.")
    timeout_s: Annotated[int, Field(ge=1)] = Field(description="Seconds that a request may take.")


class Grammar(Section):
    """Grammar filter."""

    engines: Annotated[Names | dict[str, Names], BeforeValidator(_engines_or_mapping)] = Field(
        description="none (an explicit choice: no filter), a list of languagetool, lm, agreement, or one such value "
        "per language. A candidate must pass all engines of its language."
    )
    languagetool: LanguageTool
    lm_model: Annotated[str, StringConstraints(pattern=rf"^{MODEL_NAME}$")] | None = Field(
        description="Registry name of the causal model of engine lm; null where no language has it."
    )


def engines_of(grammar: Grammar, lang: str) -> tuple[str, ...]:
    """Engines that look at a language's sentences; none: empty."""
    given = grammar.engines.get(lang, NONE) if isinstance(grammar.engines, Mapping) else grammar.engines
    return () if given == NONE else tuple(given)


def by_language(grammar: Grammar, langs: Iterable[str]) -> dict[str, list[str]]:
    """Engines of each language that has any."""
    found = {lang: list(engines_of(grammar, lang)) for lang in langs}
    return {lang: engines for lang, engines in found.items() if engines}


def languages_of(grammar: Grammar, engine: str, langs: Iterable[str]) -> list[str]:
    """Those of the languages that an engine looks at."""
    return [lang for lang in langs if engine in engines_of(grammar, lang)]


def used(grammar: Grammar, langs: Iterable[str]) -> list[str]:
    """Engines that any of the languages has, in the order of :data:`ENGINES`."""
    langs = list(langs)
    return [engine for engine in ENGINES if languages_of(grammar, engine, langs)]


def problems(grammar: Grammar, langs: Sequence[str], models: Mapping[str, ModelEntry]) -> list[str]:
    """What is wrong with the section beside its single values, one message each."""
    found = []
    if isinstance(grammar.engines, Mapping):
        found += [
            f"key `filters.grammar.engines.{lang}` is missing: language {lang!r} is listed in `languages`; give its "
            f"engines, or {NONE}"
            for lang in langs
            if lang not in grammar.engines
        ]
    found += _languagetool_problems(languages_of(grammar, LANGUAGETOOL, langs))
    return found + _lm_problems(grammar, languages_of(grammar, LM, langs), models)


def categories_file(lang: str) -> Path:
    """Path of the data file that says which of LanguageTool's findings count in a language."""
    return paths.resource("grammar") / f"{lang}.yaml"


def _languagetool_problems(langs: Sequence[str]) -> list[str]:
    found = []
    for lang in langs:
        if lang in languages.known() and not languages.get(lang).languagetool:
            found.append(
                f"key `filters.grammar.engines`: LanguageTool does not know language {lang!r}; take engine {LM}, or "
                f"{NONE}, for it (or give its code in resources/languages.yaml)"
            )
        elif lang in languages.known() and not categories_file(lang).is_file():
            found.append(
                f"key `filters.grammar.engines`: language {lang!r} has no file resources/grammar/{lang}.yaml that says "
                f"which of LanguageTool's findings count; add one (docs/grammar.md), or take engine {LM}, or {NONE}"
            )
    return found


def _lm_problems(grammar: Grammar, langs: Sequence[str], models: Mapping[str, ModelEntry]) -> list[str]:
    name = grammar.lm_model
    if not langs:
        return []  # a model that no language uses is neither fetched nor loaded
    if name is None:
        return [f"key `filters.grammar.lm_model`: value null: engine {LM} is used for {', '.join(langs)}; name a model"]
    entry = models.get(name)
    if entry is None:
        return [f"key `filters.grammar.lm_model`: model {name!r} is not in the registry (add it under `models`)"]
    if entry.kind != "causal":
        return [f"key `filters.grammar.lm_model`: model {name!r} is of kind {entry.kind!r} (allowed: causal)"]
    where = f"key `models.{name}.thresholds.grammar`"
    threshold = entry.thresholds.grammar
    if threshold is None:
        return [f"{where} is missing: the model is engine {LM}'s; a threshold belongs to the model, give its own"]
    if isinstance(threshold, Mapping) and "default" not in threshold:
        return [f"{where}: value {dict(threshold)} has none for {lang!r}, and no `default`; add one of them"
                for lang in langs if lang not in threshold]  # fmt: skip
    return []
