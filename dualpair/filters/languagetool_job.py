"""Sentences through a LanguageTool server that may die, hang or refuse: bounded restarts, errors kept to their rows."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

from dualpair.errors import PrerequisiteError
from dualpair.filters import languagetool_server
from dualpair.filters.grammar_settings import LOCAL
from dualpair.filters.languagetool import Checker, Counted, FailureError, Finding, UnavailableError

log = logging.getLogger(__name__)

SENTENCES = 64  # of one request
_CHARACTERS = 8000  # of one request, at most (one long sentence apart)
_IN_A_ROW = 4  # requests without an answer, one after the other, after which the server is given up
_IN_ALL = 20  # requests without an answer in a job
_REFUSED = 64  # requests refused one after the other: the server does not work at all


class Answer(NamedTuple):
    """What LanguageTool said of a sentence: its findings, or what went wrong with it."""

    findings: list[Finding]
    error: str = ""


class Job:
    """A server and its failures.

    Args:
        checker: the connection.
        server: a server of ours, which is started anew when it fails; None: somebody else's, which is waited for.
        pause: seconds before a remote server is asked again, doubled at each failure in a row.
    """

    def __init__(self, checker: Checker, server: languagetool_server.Server | None, pause: float = 2.0) -> None:
        self.checker, self.server, self.pause = checker, server, pause
        self.restarts = 0
        self._in_a_row = 0
        self._in_all = 0
        self._refused = 0

    def check(self, texts: Sequence[str], counted: Counted) -> list[Answer]:
        """The answer to each sentence, in order.

        A request that fails is sent again sentence by sentence; a sentence that then fails is an error of its own.

        Raises:
            PrerequisiteError: the server failed too often.
            InputError: it is of another version, or does not know the language.
        """
        answers: list[Answer] = []
        for batch in batches(texts):
            found = self._try(batch, counted)
            if isinstance(found, str):
                found = [self._one(text, counted) for text in batch] if len(batch) > 1 else [Answer([], found)]
            answers += found
        return answers

    def _one(self, text: str, counted: Counted) -> Answer:
        found = self._try([text], counted)
        return Answer([], found) if isinstance(found, str) else found[0]

    def _try(self, batch: Sequence[str], counted: Counted) -> list[Answer] | str:
        """Answers, or why there are none."""
        try:
            found = self.checker.check(batch, counted.code, counted.never)
        except FailureError as error:
            log.warning("LanguageTool failed on %d sentences (%s): %s", len(batch), counted.code, error)
            self._failed(error)
            return error.reason
        self._in_a_row = self._refused = 0
        return [Answer(findings) for findings in found]

    def _failed(self, error: FailureError) -> None:
        if not isinstance(error, UnavailableError):
            self._in_a_row = 0
            self._refused += 1
            if self._refused >= _REFUSED:
                self._give_up(f"refused {self._refused} requests in a row", error)
            return
        self._in_a_row += 1
        self._in_all += 1
        if self._in_a_row >= _IN_A_ROW or self._in_all >= _IN_ALL:
            self._give_up(f"failed {self._in_a_row} times in a row, {self._in_all} times in all", error)
        if self.server is None:
            time.sleep(self.pause * 2 ** (self._in_a_row - 1))
        else:
            self.restarts += 1
            self.server.restart()
            self.checker.moved(self.server.url)

    def _give_up(self, what: str, error: FailureError) -> NoReturn:
        knobs = "`memory_mb` or `timeout_s`" if self.server is not None else "`timeout_s`"
        raise PrerequisiteError(
            f"LanguageTool at {self.checker.url} {what}; last: {error}. What was finished is kept: see the log, check "
            f"the server, raise {knobs} of `filters.grammar.languagetool`, and run snakemake again"
        ) from error


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Sentences in requests of bounded size, in order."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) >= SENTENCES or characters + len(text) > _CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


@contextlib.contextmanager
def opened(
    server: str, version: str, picky: bool, memory_mb: int = 1500, timeout_s: float = 120.0, offline: bool = True
) -> Iterator[Job]:
    """A job on a server: ours, which ends with it, or a remote one.

    Args:
        server: local, or a URL.
        version: what the server must be.
        picky: also rules that LanguageTool counts as picky.
        memory_mb: most memory of our server's heap.
        timeout_s: seconds that a request may take.
        offline: never download a copy.

    Raises:
        InputError: no copy of LanguageTool.
        PrerequisiteError: no Java, or a server that does not start.
    """
    if server != LOCAL:
        yield Job(Checker(server, version, picky, timeout_s, own=False), None)
        return
    jar, java = languagetool_server.find_copy(version, offline), languagetool_server.find_java()
    with languagetool_server.Server(java, jar, memory_mb) as own:
        yield Job(Checker(own.url, version, picky, timeout_s, own=True), own)
