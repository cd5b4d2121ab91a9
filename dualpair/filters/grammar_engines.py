"""Names of the grammar engines, as the config writes them and as judgements carry them."""

from __future__ import annotations

LANGUAGETOOL, LM, AGREEMENT = "languagetool", "lm", "agreement"
ENGINES = (LANGUAGETOOL, LM, AGREEMENT)
_STARTS = {LANGUAGETOOL: f"{LANGUAGETOOL}-", LM: f"{LM}:", AGREEMENT: f"{AGREEMENT}:"}


def judge_name(engine: str, what: str) -> str:
    """The `model` of a grammar judgement: `languagetool-<version>`, `lm:<registry name>` or `agreement:<parser>`."""
    return _STARTS[engine] + what


def engine_of(model: str) -> str:
    """The engine that a grammar judgement's `model` names.

    Raises:
        ValueError: no such name.
    """
    for engine, start in _STARTS.items():
        if model.startswith(start):
            return engine
    raise ValueError(
        f"grammar judgement of model {model!r}: expected languagetool-VERSION, lm:NAME or agreement:PARSER"
    )
