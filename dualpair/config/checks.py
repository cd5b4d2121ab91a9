"""Rules across sections, looked at once every section is right by itself."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from dualpair import languages
from dualpair.config import generation_checks, language_keys, role_checks, scoring_context
from dualpair.config.derived import starts_at_scoring
from dualpair.config.messages import nearest
from dualpair.config.sections import Config
from dualpair.filters import agreement_settings, grammar_engines, grammar_settings
from dualpair.norms import settings as norms
from dualpair.sources import settings as sources
from dualpair.syntax import engines, pipeline


def problems(config: Config, calibrating: bool = False) -> list[str]:
    """What is wrong with a config across its sections, one message each.

    Args:
        config: the config.
        calibrating: see :func:`dualpair.config.role_checks.problems`.
    """
    checks = (
        _language_problems,
        _anchor_problems,
        _parser_problems,
        language_keys.problems,
        functools.partial(role_checks.problems, calibrating=calibrating),
        generation_checks.problems,
        scoring_context.problems,
        _grammar_problems,
        _norms_problems,
    )
    return [problem for check in checks for problem in check(config)]


def _language_problems(config: Config) -> list[str]:
    known = list(languages.known())
    problems = [
        f"key `languages`: value {code!r}{nearest(code, known)} (allowed: {', '.join(known)}; "
        f"add others in resources/languages.yaml)"
        for code in config.languages
        if code not in known
    ]
    if len(set(config.languages)) < len(config.languages):
        problems.append(f"key `languages`: {config.languages} names a language twice; name each once")
    needed: dict[str, Mapping[str, str]] = {"source.files": config.source.files}
    if not starts_at_scoring(config):
        needed["parse.engine"] = config.parse.engine
    for code in config.languages:
        for key, mapping in needed.items():
            if code not in mapping:
                problems.append(f"key `{key}.{code}` is missing: language {code!r} is listed in `languages`; add it")
    problems += sources.problems(config.source, config.languages, config.parse.engine)
    return problems


def _anchor_problems(config: Config) -> list[str]:
    """An anchor that is not measured; a run in one language compares nothing and may keep it."""
    anchor = config.analysis.anchor
    if anchor is None or anchor in config.languages or len(config.languages) == 1:
        return []
    return [
        f"key `analysis.anchor`: value {anchor!r}{nearest(anchor, config.languages)} (allowed: null, or one of "
        f"`languages`: {', '.join(config.languages)})"
    ]


def _parser_problems(config: Config) -> list[str]:
    """Languages that stanza is to parse and cannot; the user's own folder may be filled later."""
    if starts_at_scoring(config):
        return []
    embedded = config.parse.models == "embedded"
    problems = {
        code: pipeline.missing(code)
        for code in config.languages
        if code in languages.known()
        and config.parse.engine.get(code) == engines.STANZA
        and (embedded or not languages.get(code).stanza)
    }
    return [f"key `parse.engine.{code}`: value 'stanza': {text}" for code, text in problems.items() if text]


def _grammar_problems(config: Config) -> list[str]:
    if starts_at_scoring(config):
        return []
    grammar = config.filters.grammar
    agreeing = grammar_settings.languages_of(grammar, grammar_engines.AGREEMENT, config.languages)
    return [
        *grammar_settings.problems(grammar, config.languages, config.models),
        *agreement_settings.problems(agreeing, config.parse.engine),
    ]


def _norms_problems(config: Config) -> list[str]:
    return norms.problems(config.norms, config.languages)
