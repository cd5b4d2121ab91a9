"""`scoring.context` and `scoring.chat_message`: what stands in front of the scored sentences."""

from __future__ import annotations

import difflib

from dualpair.config.sections import Config

NO_CONTEXT, CHAT_TEMPLATE = "none", "chat_template"


def contexts(config: Config) -> dict[str, dict[str, str]]:
    """What stands in front of the scored sentences of each language, in the words of a scoring request.

    Returns:
        Language to {"text": ...} or {"chat_message": ...}; a language without context is left out.
    """
    found = {}
    for lang in config.languages:
        context = _of_language(config.scoring.context, lang)
        if context == CHAT_TEMPLATE:
            found[lang] = {"chat_message": _of_language(config.scoring.chat_message or "", lang)}
        elif context != NO_CONTEXT:
            found[lang] = {"text": context}
    return found


def context_problem(context: str) -> str:
    """What is wrong with a context: empty, or a misspelt keyword, which would be put in front as a text; else empty."""
    allowed = f"(allowed: {NO_CONTEXT}, {CHAT_TEMPLATE}, or a text)"
    if not context:
        return f"value '' is empty {allowed}"
    word = context.strip().casefold().replace("-", "_").replace(" ", "_")
    near = difflib.get_close_matches(word, [NO_CONTEXT, CHAT_TEMPLATE], n=1, cutoff=0.85)
    if near and context not in (NO_CONTEXT, CHAT_TEMPLATE):
        return f"value {context!r}; did you mean {near[0]!r}? {allowed}"
    return ""


def problems(config: Config) -> list[str]:
    """Languages that a mapping leaves out, empty texts, and misspelt keywords, which would be scored as texts."""
    problems = []
    for key in ("context", "chat_message"):
        given = getattr(config.scoring, key)
        problems += [
            f"key `scoring.{key}.{lang}` is missing: language {lang!r} is listed in `languages`; add its text"
            for lang in config.languages
            if isinstance(given, dict) and lang not in given
        ]
    if problems:
        return problems
    for lang in config.languages:
        context = _of_language(config.scoring.context, lang)
        where = f"scoring.context.{lang}" if isinstance(config.scoring.context, dict) else "scoring.context"
        message = _of_language(config.scoring.chat_message or "", lang)
        wrong = context_problem(context)
        if wrong:
            problems.append(f"key `{where}`: {wrong}")
        elif context == CHAT_TEMPLATE and not message.strip():
            problems.append(
                f"key `scoring.chat_message`: value {config.scoring.chat_message!r}: context chat_template needs what "
                f"the user says in language {lang!r}; give a text, or one per language"
            )
    return list(dict.fromkeys(problems))


def _of_language(value: str | dict[str, str], lang: str) -> str:
    return value if isinstance(value, str) else value.get(lang, "")
