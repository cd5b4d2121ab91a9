"""stanza through spacy-stanza, as in the dual-pair paper, loaded from a local folder and run in batches.

A parser folder holds ``resources.json`` and ``<stanza code>/<processor>/<package>.pt``, as stanza downloads them. The
shipped one is ``resources/parsers``. Nothing is ever downloaded here.
"""

from __future__ import annotations

import functools
import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dualpair import languages
from dualpair.paths import resource
from dualpair.syntax.splitting import Word

INSTALL = "pip install --no-deps -r requirements/parse.txt"
_NEEDED = ("tokenize", "pos", "lemma", "depparse")
# Published models of some languages expand contractions ("del") with one more processor.
_OPTIONAL = ("mwt",)
_BATCH = 200


class ParserNotInstalledError(ImportError):
    """stanza or spacy-stanza cannot be imported; the message holds the install line."""


class NoParserError(ValueError):
    """The parser folder has no usable parser for the language; the message says what is missing."""


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
    folder = (parser_dir or resource("parsers")).resolve()
    nlp = _load(lang, folder)
    unique = sorted(set(sentences), key=lambda text: (len(text), text))
    words: dict[str, list[Word] | str] = {}
    for start in range(0, len(unique), _BATCH):
        words.update(_parse_batch(nlp, unique[start : start + _BATCH]))
    return [words[text] for text in sentences]


def fingerprint(lang: str, parser_dir: Path | None = None) -> str:
    """SHA-256 over the language's model files (name and content), as provenance of a split.

    Raises:
        NoParserError: if the folder has no parser for the language.
    """
    digest = hashlib.sha256()
    for name, path, _ in _model_files(lang, (parser_dir or resource("parsers")).resolve()):
        digest.update(f"{name}/{path.name}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _parse_batch(nlp: Any, texts: Sequence[str]) -> dict[str, list[Word] | str]:
    """Analyse texts in one stanza call and turn each into a spaCy document; singly if the batch fails."""
    # spacy-stanza runs stanza once per text; the analyses are made in bulk and handed to it instead.
    tokenizer = nlp.tokenizer
    pipeline = tokenizer.snlp
    try:
        analyses = dict(zip(texts, pipeline.bulk_process(list(texts)), strict=True))
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
        )
        for token in document
    ]


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
        processors=",".join(name for name, _, _ in files),
        download_method=None,
        tokenize_no_ssplit=True,
        use_gpu=False,
        logging_level="ERROR",
    )


def _model_files(lang: str, folder: Path) -> list[tuple[str, Path, str]]:
    """(processor, file, md5 or empty) of the language's default models, in the order in which they run."""
    code = languages.get(lang).stanza
    index = folder / "resources.json"
    if not index.is_file():
        raise NoParserError(f"{folder} is no parser folder: it has no resources.json")
    entries = json.loads(index.read_text(encoding="utf-8"))
    if code not in entries:
        held = ", ".join(sorted(name for name, entry in entries.items() if "packages" in entry))
        raise NoParserError(
            f"no parser for language {lang!r} (stanza code {code!r}) in {folder}, which has {held}: name another "
            "parser folder, train one with scripts/train_parsers.py, or give the columns group and attribute "
            "(engine presplit)"
        )
    entry = entries[code]
    packages = entry["packages"]["default"]
    files = []
    for name in ("tokenize", "mwt", "pos", "lemma", "depparse"):
        path = folder / code / name / f"{packages.get(name, '')}.pt"
        if path.is_file():
            files.append((name, path, str(entry.get(name, {}).get(packages[name], {}).get("md5", ""))))
        elif name in _NEEDED or (name in _OPTIONAL and name in packages):
            raise NoParserError(f"the {name} model of language {lang!r} is missing: looked for {path}")
    return files
