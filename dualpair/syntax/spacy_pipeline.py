"""Any installed spaCy pipeline with a tagger and a dependency parser, by name or folder, as parsing engine."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dualpair.syntax.errors import NoParserError, ParserNotInstalledError
from dualpair.syntax.labels import universal, unknown
from dualpair.syntax.splitting import Word

BATCH = 1000
"""Sentences given to the pipeline at a time."""


def stream(sentences: Sequence[str], name: str) -> Iterator[tuple[str, list[Word] | str]]:
    """Parse distinct normalised sentences, one sentence a text, a batch of documents in memory at a time.

    Args:
        sentences: texts as :func:`dualpair.languages.normalise` leaves them, not empty.
        name: an installed pipeline package, or a folder that a pipeline was saved to.

    Yields:
        (sentence, words or why the parser failed).

    Raises:
        NoParserError: if there is no such pipeline, or it has no parser or one of an unknown label scheme.
        ParserNotInstalledError: if spaCy is not installed.
    """
    nlp = _load(name)
    unique = sorted(set(sentences), key=lambda text: (len(text), text))
    for text, document in zip(unique, nlp.pipe(_whole(nlp, unique), batch_size=BATCH), strict=True):
        yield text, words(document)


def words(document: Any) -> list[Word] | str:
    """The words of a parsed spaCy document, with UD relations; or why they cannot be used."""
    if not document.has_annotation("DEP"):
        return "the document has no dependency parse"
    try:
        return [
            Word(
                token.text,
                token.idx,
                token.idx + len(token),
                token.pos_,
                -1 if token.head.i == token.i else token.head.i,
                "root" if token.head.i == token.i else universal(token.dep_),
                str(token.morph),
            )
            for token in document
        ]
    except ValueError as error:
        return str(error)


def fingerprint(name: str) -> str:
    """SHA-256 over the pipeline's files (path and content), as provenance of a split.

    Raises:
        NoParserError: if there is no such pipeline.
    """
    folder = _folder(name)
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _folder(name: str) -> Path:
    if Path(name).is_dir():
        return Path(name)
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        found = None
    if found is None or not found.submodule_search_locations:
        raise NoParserError(
            f"there is no spaCy pipeline {name!r}: neither a folder nor an installed package; install it "
            f"(python -m spacy download {name}) or correct the name"
        )
    return Path(next(iter(found.submodule_search_locations)))


def _whole(nlp: Any, texts: Sequence[str]) -> Iterator[Any]:
    """Tokenised documents of one sentence each: the parser keeps sentence borders that are set beforehand."""
    for text in texts:
        document = nlp.make_doc(text)
        for token in document:
            token.is_sent_start = token.i == 0
        yield document


@functools.cache
def _load(name: str) -> Any:
    """The pipeline, loaded once, without the parts that are not needed."""
    try:
        import spacy
    except ImportError as error:
        raise ParserNotInstalledError("the engine spacy needs spaCy: pip install spacy") from error
    _folder(name)
    try:
        nlp = spacy.load(name, exclude=["ner", "lemmatizer", "senter", "sentencizer", "textcat"])
    except (OSError, ValueError, ImportError) as error:
        raise NoParserError(f"spaCy pipeline {name!r} cannot be loaded: {error}") from error
    if "parser" not in nlp.pipe_names:
        raise NoParserError(f"spaCy pipeline {name!r} has no dependency parser (it has {', '.join(nlp.pipe_names)})")
    parser: Any = nlp.get_pipe("parser")
    strange = unknown(parser.labels)
    if strange:
        raise NoParserError(
            f"the parser of spaCy pipeline {name!r} has labels that dualpair does not know: {', '.join(strange)}; "
            "add them to dualpair/syntax/labels.py"
        )
    return nlp
