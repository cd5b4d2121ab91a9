"""stanza through spacy-stanza, as in the dual-pair paper, loaded from a local folder and run in batches.

A parser folder holds ``resources.json`` and ``<stanza code>/<processor>/<package>.pt``, as stanza downloads them. The
shipped one is ``resources/parsers``. Nothing is ever downloaded here.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax.contractions import surface
from dualpair.syntax.errors import NoParserError, ParserNotInstalledError
from dualpair.syntax.spanning import quick_trees
from dualpair.syntax.splitting import Word

INSTALL = "pip install --no-deps -r requirements/parse.txt"
PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
# Expands contractions ("del"); few languages have it.
_OPTIONAL = ("mwt",)
# A lemma package without a file: the word is its own lemma.
_IDENTITY = "identity"
BATCH = 1000
"""Sentences in one stanza call: what bounds memory."""


def parse(sentences: Sequence[str], lang: str, parser_dir: Path | None = None) -> list[list[Word] | str]:
    """Parse normalised sentences, one sentence a text, in batches.

    Args:
        sentences: texts as :func:`dualpair.languages.normalise` leaves them, not empty.
        lang: BCP-47 code.
        parser_dir: parser folder; the shipped one by default.

    Returns:
        For each sentence, in order, its words, or a text that says why the parser failed on it.

    Raises:
        ParserNotInstalledError: if spacy-stanza or stanza is not installed.
        NoParserError: if the folder has no parser for the language, or a model file is damaged.
        ValueError: if the language is unknown.
    """
    words = dict(stream(sentences, lang, parser_dir))
    return [words[text] for text in sentences]


def stream(
    sentences: Sequence[str], lang: str, parser_dir: Path | None = None
) -> Iterator[tuple[str, list[Word] | str]]:
    """As :func:`parse`, but each distinct sentence once, the shortest first, holding one batch of parses at a time.

    Yields:
        (sentence, words or why the parser failed).

    Raises:
        As :func:`parse`.
    """
    nlp = _load(lang, (parser_dir or resource("parsers")).resolve())
    unique = sorted(set(sentences), key=lambda text: (len(text), text))
    for start in range(0, len(unique), BATCH):
        yield from _parse_batch(nlp, unique[start : start + BATCH]).items()


def fingerprint(lang: str, parser_dir: Path | None = None) -> str:
    """SHA-256 over the language's model files (name and content), as provenance of a split.

    Raises:
        NoParserError: if the folder has no parser for the language.
    """
    digest = hashlib.sha256()
    folder = (parser_dir or resource("parsers")).resolve()
    for name, path, _ in _model_files(lang, folder):
        digest.update(f"{name}/{path.name}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def missing(lang: str, parser_dir: Path | None = None) -> str:
    """Why a parser folder (the shipped one by default) cannot parse a language; empty if it can. Loads nothing."""
    try:
        _model_files(lang, (parser_dir or resource("parsers")).resolve())
    except NoParserError as error:
        return str(error)
    return ""


def _parse_batch(nlp: Any, texts: Sequence[str]) -> dict[str, list[Word] | str]:
    """Analyse texts in one stanza call and turn each into a spaCy document; singly if the batch fails."""
    # spacy-stanza runs stanza once per text; the analyses are made in bulk and handed to it instead.
    tokenizer = nlp.tokenizer
    pipeline = tokenizer.snlp
    try:
        with _one_thread(), quick_trees():
            documents = pipeline.bulk_process(list(texts))
        analyses = {text: surface(document) for text, document in zip(texts, documents, strict=True)}
    except Exception as error:  # any failure inside the parser
        if len(texts) == 1:
            return {texts[0]: f"{type(error).__name__}: {error}"}
        return {text: words for one in texts for text, words in _parse_batch(nlp, [one]).items()}
    tokenizer.snlp = analyses.__getitem__
    try:
        return {text: _words(nlp, text) for text in texts}
    finally:
        tokenizer.snlp = pipeline


def _words(nlp: Any, text: str) -> list[Word] | str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a misaligned text is found by the comparison below
        document = nlp(text)
    if document.text != text:
        return f"the parser changed the text to {document.text!r}"
    return [
        Word(
            token.text,
            token.idx,
            token.idx + len(token),
            token.pos_,
            -1 if token.head.i == token.i else token.head.i,
            token.dep_,
            str(token.morph),
        )
        for token in document
    ]


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Run torch on one thread: the matrices are so small that a second only waits."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@functools.cache
def _load(lang: str, folder: Path) -> Any:
    """The spaCy pipeline of one language, loaded once."""
    facts = languages.get(lang)
    files = _model_files(lang, folder)
    for name, path, md5 in files:
        if md5 and hashlib.md5(path.read_bytes()).hexdigest() != md5:
            raise NoParserError(f"{path} ({name}) does not match the checksum in {folder}/resources.json: restore it")
    try:
        import spacy_stanza
    except ImportError as error:
        raise ParserNotInstalledError(f"splitting with stanza needs stanza and spacy-stanza: {INSTALL}") from error
    return spacy_stanza.load_pipeline(
        facts.spacy,
        lang=facts.stanza,
        dir=str(folder),
        processors=",".join(_packages(lang, folder)),
        lemma_store_results=True,
        download_method=None,
        tokenize_no_ssplit=True,
        use_gpu=False,
        logging_level="ERROR",
    )


def _packages(lang: str, folder: Path) -> dict[str, str]:
    """Processor to default package, of the processors that the language has, in the order in which they run."""
    code = languages.get(lang).stanza
    if not code:
        raise NoParserError(
            f"stanza has no parser for language {lang!r}: give the columns group and attribute (engine presplit), or "
            "name a spaCy pipeline (engine spacy:NAME)"
        )
    index = folder / "resources.json"
    if not index.is_file():
        raise NoParserError(f"{folder} is no parser folder: it has no resources.json")
    entries = json.loads(index.read_text(encoding="utf-8"))
    if code not in entries:
        held = ", ".join(sorted(name for name, entry in entries.items() if "packages" in entry))
        raise NoParserError(
            f"no parser for language {lang!r} (stanza code {code!r}) in {folder}, which has {held}: name another "
            "parser folder (parse.models) or a spaCy pipeline (engine spacy:NAME), train a parser with "
            "scripts/train_parsers.py, or give the columns group and attribute (engine presplit)"
        )
    packages = entries[code].get("packages", {}).get("default", {})
    missing = [name for name in PROCESSORS if name not in packages and name not in _OPTIONAL]
    if missing:
        raise NoParserError(f"the {missing[0]} model of language {lang!r} is missing in {index} ({code}, default)")
    return {name: str(packages[name]) for name in PROCESSORS if name in packages}


def _model_files(lang: str, folder: Path) -> list[tuple[str, Path, str]]:
    """(processor, file, md5 or empty) of the language's models and of the embeddings they need, in running order."""
    code, packages = languages.get(lang).stanza, _packages(lang, folder)
    entry = json.loads((folder / "resources.json").read_text(encoding="utf-8"))[code]
    wanted: dict[tuple[str, str], None] = {}
    for name, package in packages.items():
        if (name, package) == ("lemma", _IDENTITY):
            continue
        wanted[name, package] = None
        for needed in entry.get(name, {}).get(package, {}).get("dependencies", []):
            wanted[needed["model"], needed["package"]] = None
    files = []
    for name, package in wanted:
        path = folder / code / name / f"{package}.pt"
        if not path.is_file():
            raise NoParserError(f"the {name} model of language {lang!r} is missing: looked for {path}")
        files.append((name, path, str(entry.get(name, {}).get(package, {}).get("md5", ""))))
    return files
