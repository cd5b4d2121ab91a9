"""Mappings from language to a value: which keys they may have.

One rule for all of them: a key is a language of the run, or another that ``resources/languages.yaml`` knows. A language
that is known and not in this run is allowed, so that `languages` alone narrows a run; a code that is neither is a
mistake, which would silently decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dualpair import languages
from dualpair.config.messages import nearest
from dualpair.config.sections import Config
from dualpair.generation import prompts


def problems(config: Config) -> list[str]:
    """Keys of per-language mappings that are no language, one message each.

    `validation.ratings` is looked at by its own section.
    """
    known = list(languages.known())
    others = [code for code in known if code not in config.languages]
    problems = []
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
    return problems


def _nearest_language(code: str, run: list[str], allowed: list[str]) -> str:
    """A hint: the run's language of that primary subtag (`zh-CN`, `EN`), or else the nearest key."""
    primary = code.replace("_", "-").split("-")[0].casefold()
    return f"; did you mean {primary!r}?" if primary in run else nearest(code, allowed)


def _mappings(config: Config) -> dict[str, tuple[Mapping[str, Any], bool]]:
    """Dotted key to the mapping that stands there, and whether it may have `default`; single values are left out."""
    source = config.source
    found: dict[str, tuple[Any, bool]] = {
        "source.files": (source.files, False),
        "source.scaffolds": (getattr(source, "scaffolds", None), False),
        "source.reading.sheet": (getattr(getattr(source, "reading", None), "sheet", None), False),
        "parse.engine": (config.parse.engine, False),
        "filters.agreement": (config.filters.agreement, False),
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
        found[f"{where}.nli_entailment"] = thresholds.nli_entailment, False
        found[f"{where}.nli_alternate"] = thresholds.nli_alternate, True
        found[f"{where}.grammar"] = thresholds.grammar, True
    return {where: (given, default) for where, (given, default) in found.items() if isinstance(given, Mapping)}
