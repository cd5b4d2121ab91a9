"""Sentence -> (group, attribute).

``split`` cuts stereotype sentences with a parser; :mod:`dualpair.syntax.sets` makes the sets table of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dualpair import languages
from dualpair.syntax import reasons
from dualpair.syntax.pipeline import NoParserError, ParserNotInstalledError, parse
from dualpair.syntax.splitting import Rejection, Split, precheck, split_words

ENGINES = ("stanza",)

__all__ = ["ENGINES", "NoParserError", "ParserNotInstalledError", "Rejection", "Split", "split"]


def split(
    sentences: Sequence[str], lang: str, engine: str = "stanza", parser_dir: Path | None = None
) -> list[Split | Rejection]:
    """Cut sentences into group and attribute, the final mark stripped.

    Args:
        sentences: one sentence each; normalised here (NFC, single spaces).
        lang: BCP-47 code.
        engine: ``stanza``, the only one that parses.
        parser_dir: stanza folder with the models; the shipped one (``resources/parsers``) by default.

    Returns:
        One :class:`Split` or :class:`Rejection` per sentence, in order.

    Raises:
        ValueError: if the engine or the language is unknown, or the folder has no parser for it (NoParserError).
        ParserNotInstalledError: if stanza or spacy-stanza is not installed (an ImportError).
    """
    if engine not in ENGINES:
        raise ValueError(f"unknown parsing engine {engine!r}: allowed are {', '.join(ENGINES)}")
    texts = [languages.normalise(sentence) for sentence in sentences]
    results: list[Split | Rejection | None] = [precheck(text, lang) for text in texts]
    pending = [i for i, result in enumerate(results) if result is None]
    if not pending:
        return [result for result in results if result is not None]
    for i, words in zip(pending, parse([texts[i] for i in pending], lang, parser_dir), strict=True):
        if isinstance(words, str):
            results[i] = Rejection(reasons.PARSER_FAILED, words)
        else:
            results[i] = split_words(texts[i], words, lang)
    return [result for result in results if result is not None]
