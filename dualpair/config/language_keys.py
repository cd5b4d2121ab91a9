"""Mappings from language to a value: which keys they may have.

One rule for all of them: a key is a language of the run, or another that ``resources/languages.yaml`` knows. A language
that is known and not in this run is allowed, so that `languages` alone narrows a run. Two keys would silently decide
nothing and are mistakes: a code that is neither, and a relative (`pt` for `pt-BR`) of a language of the run that has no
key of its own there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dualpair import languages
from dualpair.config.messages import nearest
from dualpair.config.sections import Config
from dualpair.generation import prompts
from dualpair.models.registry import builtin_models


def problems(config: Config) -> list[str]:
    """Keys of per-language mappings that are no language or a relative of the language meant, one message each.

    `validation.ratings` is looked at by its own section.
    """
    known = list(languages.known())
    others = [code for code in known if code not in config.languages]
    problems = []
    shipped = _shipped()
    for where, (mapping, has_default) in _mappings(config).items():
        default = [prompts.DEFAULT] if has_default else []
        allowed = [*config.languages, *others, *default]
        problems += [
            f"key `{where}.{code}` is unknown{_nearest_language(code, config.languages, allowed)} (languages of this "
            f"run: {', '.join(config.languages)}; others: {', '.join([*others, *default])}); "
            "correct the code, or delete the key; a further language is an entry in resources/languages.yaml"
            for code in mapping
            if code not in allowed
        ]
        builtin = shipped.get(where, {})
        written = [code for code in mapping if code in others and builtin.get(code) != mapping[code]]
        problems += _relatives(where, written, [lang for lang in config.languages if lang not in mapping], config)
    return problems


def _relatives(where: str, written: list[str], keyless: list[str], config: Config) -> list[str]:
    """Keys that share the primary subtag of a language of the run that has no key itself.

    Args:
        where: dotted key of the mapping.
        written: its keys of languages not in this run.
        keyless: languages of the run that are no keys of it.
        config: the config.
    """
    meant = {code: [lang for lang in keyless if _primary(lang) == _primary(code)] for code in written}
    return [
        f"key `{where}.{code}` has no effect: {code!r} is not in this run, and {found[0]!r}, which is, has no key "
        f"there (languages of this run: {', '.join(config.languages)}); write `{where}.{found[0]}`, or delete the key"
        for code, found in meant.items()
        if found
    ]


def _shipped() -> dict[str, Mapping[str, Any]]:
    """Dotted key to what a built-in model's entry says there by language: nobody can delete that from a config."""
    return {
        f"models.{name}.thresholds.{threshold}": value
        for name, entry in builtin_models().items()
        for threshold, value in entry.get("thresholds", {}).items()
        if isinstance(value, Mapping)
    }


def _nearest_language(code: str, run: list[str], allowed: list[str]) -> str:
    """A hint: the run's language of that primary subtag (`zh-CN`, `EN`), or else the nearest key."""
    primary = _primary(code)
    return f"; did you mean {primary!r}?" if primary in run else nearest(code, allowed)


def _primary(code: str) -> str:
    """The primary subtag of a language code, folded: `zh` of `zh-Hant` and of `ZH_CN`."""
    return code.replace("_", "-").split("-")[0].casefold()


def _mappings(config: Config) -> dict[str, tuple[Mapping[str, Any], bool]]:
    """Dotted key to the mapping that stands there, and whether it may have `default`; single values are left out."""
    source = config.source
    found: dict[str, tuple[Any, bool]] = {
        "source.files": (source.files, False),
        "source.scaffolds": (getattr(source, "scaffolds", None), False),
        "source.reading.sheet": (getattr(getattr(source, "reading", None), "sheet", None), False),
        "parse.engine": (config.parse.engine, False),
        "filters.grammar.engines": (config.filters.grammar.engines, False),
        "scoring.context": (config.scoring.context, False),
        "scoring.chat_message": (config.scoring.chat_message, False),
        "validation.instructions": (config.validation.instructions, True),
    }
    for task in ("paraphrase", "alternate"):
        settings = getattr(config.generation, task)
        found[f"generation.{task}.prompt"] = settings.prompt, True
        found[f"generation.{task}.min_answers"] = settings.min_answers, True
    for name, entry in config.models.items():
        where, thresholds = f"models.{name}.thresholds", entry.thresholds
        found[f"{where}.nli_alternate"] = thresholds.nli_alternate, True
        found[f"{where}.grammar"] = thresholds.grammar, True
    return {where: (given, default) for where, (given, default) in found.items() if isinstance(given, Mapping)}
