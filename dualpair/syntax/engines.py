"""Names of the parsing engines, as they stand in the config."""

from __future__ import annotations

import difflib

STANZA, PRESPLIT, SPACY = "stanza", "presplit", "spacy:"
ALLOWED = "'stanza', 'presplit', or 'spacy:' followed by a pipeline's name or folder"


def checked(engine: str) -> str:
    """The engine itself.

    Raises:
        ValueError: if there is no such engine; names what is allowed and the nearest name.
    """
    if engine in (STANZA, PRESPLIT) or spacy_pipeline(engine):
        return engine
    if engine.rstrip(":") == "spacy":
        raise ValueError("'spacy' needs a pipeline: write spacy:NAME (such as spacy:es_core_news_sm) or spacy:FOLDER")
    near = difflib.get_close_matches(engine, [STANZA, PRESPLIT, SPACY], n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"no such parsing engine{hint} (allowed: {ALLOWED})")


def spacy_pipeline(engine: str) -> str:
    """Name or folder of the spaCy pipeline of an engine ``spacy:NAME``; empty for another engine."""
    return engine.removeprefix(SPACY).strip() if engine.startswith(SPACY) else ""
