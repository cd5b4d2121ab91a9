"""Sentence -> (group, attribute).

``split`` cuts stereotype sentences with a parser; :mod:`dualpair.syntax.sets` makes the sets table of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dualpair import languages
from dualpair.syntax import engines, pipeline, reasons, spacy_pipeline
from dualpair.syntax.errors import NoParserError, ParserNotInstalledError
from dualpair.syntax.splitting import Rejection, Split, Word, precheck, split_words

__all__ = ["NoParserError", "ParserNotInstalledError", "Rejection", "Split", "fingerprint", "split"]


def split(
    sentences: Sequence[str],
    lang: str,
    engine: str = engines.STANZA,
    parser_dir: Path | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[Split | Rejection]:
    """Cut sentences into group and attribute, the final mark stripped.

    Equal sentences are parsed once; of the parses only one batch is held in memory.

    Args:
        sentences: one sentence each; normalised here (NFC, single spaces).
        lang: BCP-47 code.
        engine: ``stanza``, or ``spacy:`` and the name or folder of a spaCy pipeline.
        parser_dir: stanza folder with the models; the shipped one (``resources/parsers``) by default.
        report: called now and then with the numbers of sentences parsed so far and to parse in all.

    Returns:
        One :class:`Split` or :class:`Rejection` per sentence, in order.

    Raises:
        ValueError: if the engine or the language is unknown, or there is no such parser (NoParserError).
        ParserNotInstalledError: if a package that the engine needs is not installed (an ImportError).
    """
    if engines.checked(engine) == engines.PRESPLIT:
        raise ValueError("the engine 'presplit' takes group and attribute from the source and splits no sentences")
    texts = [languages.normalise(sentence) for sentence in sentences]
    found: dict[str, Split | Rejection] = {}
    pending = []
    for text in dict.fromkeys(texts):
        rejection = precheck(text, lang)
        if rejection is None:
            pending.append(text)
        else:
            found[text] = rejection
    if pending:
        parses = _stream(pending, lang, engine, parser_dir)
        for done, (text, words) in enumerate(parses, start=1):
            if isinstance(words, str):
                found[text] = Rejection(reasons.PARSER_FAILED, words)
            else:
                found[text] = split_words(text, words, lang)
            if report and (done % pipeline.BATCH == 0 or done == len(pending)):
                report(done, len(pending))
    return [found[text] for text in texts]


def fingerprint(lang: str, engine: str = engines.STANZA, parser_dir: Path | None = None) -> str:
    """Hash of the parser that an engine uses for a language, as provenance of its splits; empty for ``presplit``.

    Raises:
        ValueError: as :func:`split`.
    """
    if engines.checked(engine) == engines.PRESPLIT:
        return ""
    name = engines.spacy_pipeline(engine)
    return spacy_pipeline.fingerprint(name) if name else pipeline.fingerprint(lang, parser_dir)


def _stream(
    texts: Sequence[str], lang: str, engine: str, parser_dir: Path | None
) -> Iterator[tuple[str, list[Word] | str]]:
    name = engines.spacy_pipeline(engine)
    return spacy_pipeline.stream(texts, name) if name else pipeline.stream(texts, lang, parser_dir)
