"""Grammar engine agreement: which sentences are parsed, and the `judgements` table."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from dualpair import languages
from dualpair.filters import agreement, grammar
from dualpair.filters.grammar_engines import AGREEMENT, judge_name
from dualpair.stages import grammar as stage
from dualpair.syntax import engines, pipeline, spacy_pipeline
from dualpair.syntax.splitting import Word

log = logging.getLogger("dualpair")


class Sentence(NamedTuple):
    """A group's sentence, normalised; the group is its beginning."""

    group: str
    text: str


class Parsers(NamedTuple):
    """The parsers of the languages.

    Attributes:
        engines: parsing engine of each language.
        folder: folder of stanza models; nothing for the embedded ones.
    """

    engines: Mapping[str, str]
    folder: Path | None = None

    def name(self, lang: str) -> str:
        """The parser's name: stanza-embedded, stanza (of another folder) or the spaCy pipeline's name."""
        spacy = engines.spacy_pipeline(self.engines[lang])
        if spacy:
            return f"{engines.SPACY}{Path(spacy).name}"
        return engines.STANZA if self.folder else f"{engines.STANZA}-embedded"

    def stream(self, texts: Sequence[str], lang: str) -> Iterator[tuple[str, list[Word] | str]]:
        """Each distinct text with its words, or why the parser failed on it."""
        spacy = engines.spacy_pipeline(self.engines[lang])
        return spacy_pipeline.stream(texts, spacy) if spacy else pipeline.stream(texts, lang, self.folder)


def judge(candidates: pd.DataFrame, sources: pd.DataFrame, langs: Sequence[str], parsers: Parsers) -> pd.DataFrame:
    """The `judgements` frame: each candidate's disagreements with each group that the group's source has not.

    Candidates' sentences are parsed, those of one language in bulk and each once; a source's sentence only where the
    candidate's has a finding.

    Args:
        candidates: the task's candidates.
        sources: what they were made from.
        langs: languages that the engine looks at.
        parsers: their parsers.

    Returns:
        One row per kept candidate of these languages and group; of a sentence that the parser failed on, the row has no
        findings and says why.
    """
    pairs = stage.group_pairs(candidates, sources, langs)
    tables = []
    for lang in langs:
        rows = pairs[pairs["lang"] == lang]
        found, errors = _language(rows, lang, parsers)
        out = rows.assign(
            findings=pd.array(
                [None if why else len(ids) for ids, why in zip(found, errors, strict=True)], dtype="Int64"
            ),
            finding_ids=[" ".join(ids) for ids in found],
            error=errors,
        )
        log.info("%s: %d sentences, %d disagree, by %s", lang, len(out), sum(map(bool, found)), parsers.name(lang))
        for why, count in Counter(filter(None, errors)).most_common(3):
            log.warning("%s: parser failed on %d sentences: %s", lang, count, why)
        tables.append(stage.table(out, judge_name(AGREEMENT, parsers.name(lang))))
    return pd.concat(tables, ignore_index=True)


def disagreements(sentences: Sequence[Sentence], lang: str, parsers: Parsers) -> dict[Sentence, list[str] | str]:
    """Findings of each distinct sentence, or why the parser failed on it."""
    by_text: dict[str, list[Sentence]] = {}
    for sentence in dict.fromkeys(sentences):
        by_text.setdefault(sentence.text, []).append(sentence)
    found: dict[Sentence, list[str] | str] = {}
    if by_text:
        for text, words in parsers.stream(list(by_text), lang):
            found |= {sentence: _findings(words, sentence.group, lang) for sentence in by_text[text]}
    return found


def _findings(words: list[Word] | str, group: str, lang: str) -> list[str] | str:
    return words if isinstance(words, str) else agreement.findings(words, group, lang)


def _language(rows: pd.DataFrame, lang: str, parsers: Parsers) -> tuple[list[list[str]], list[str]]:
    """Per row, the findings that count and what went wrong."""
    groups = [languages.normalise(own[index]) for own, index in zip(rows["groups"], rows["group_index"], strict=True)]
    ours, theirs = (
        [Sentence(group, languages.normalise(text)) for group, text in zip(groups, rows[column], strict=True)]
        for column in ("candidate_text", "source_text")
    )
    wanted = [one for one, text in zip(ours, rows["attribute"], strict=True) if agreement.can_have(str(text), lang)]
    candidates = disagreements(wanted, lang, parsers)
    suspects = [source for own, source in zip(ours, theirs, strict=True) if candidates.get(own)]
    known = disagreements(suspects, lang, parsers)
    found, errors = [], []
    for own, source in zip(ours, theirs, strict=True):
        here, there = candidates.get(own, []), known.get(source, [])
        why = here if isinstance(here, str) else there if isinstance(there, str) else ""
        errors.append(why)
        found.append([] if isinstance(here, str) or isinstance(there, str) else grammar.added(here, there))
    return found, errors
