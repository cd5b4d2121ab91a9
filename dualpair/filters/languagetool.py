"""LanguageTool: many sentences a request, and which of its findings count as grammar.

A server, local or remote, is asked through language_tool_python. Which findings count is data
(`resources/grammar/<lang>.yaml`): spelling, casing, style and typography do not, so that names of people and groups are
no errors. Rules that look at several sentences never run; else a sentence's findings would depend on its neighbours.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.filters.grammar_settings import categories_file

_BREAK = "\n\n"  # a blank line ends a paragraph, and no rule of a single sentence looks beyond it
_FIELDS = ("code", "categories", "rules", "without", "never")


class FailureError(RuntimeError):
    """No findings; ``reason`` says why in words that are the same wherever the server runs."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason} ({detail})" if detail else reason)
        self.reason = reason


class UnavailableError(FailureError):
    """The server did not answer: it is not there, is gone, or took too long."""


class RefusedError(FailureError):
    """The server answered, but gave no findings."""


class Finding(NamedTuple):
    """One finding of LanguageTool: rule and category id; start and length in the sentence, in characters."""

    rule: str
    category: str
    start: int
    length: int


class Counted(NamedTuple):
    """Which of LanguageTool's findings count in a language.

    Attributes:
        code: LanguageTool's code of the language, such as en-US.
        categories: category ids that count.
        rules: rule ids that count though their category does not.
        without: rule ids that do not count though their category does.
        never: rule ids that are switched off in the server: spellers, and rules that look at several sentences.
    """

    code: str
    categories: frozenset[str]
    rules: frozenset[str]
    without: frozenset[str]
    never: tuple[str, ...]

    def ids(self, findings: Iterable[Sequence[Any]]) -> list[str]:
        """Rule ids of the findings (as :class:`Finding`, or a list of the same) that count, sorted, repeats kept."""
        return sorted(rule for rule, category, *_ in findings if self.counts(rule, category))

    def counts(self, rule: str, category: str) -> bool:
        """Whether findings of a rule of this category count."""
        return rule in self.rules or (category in self.categories and rule not in self.without)


@cache
def counted(lang: str) -> Counted:
    """What `resources/grammar/<lang>.yaml` says.

    Raises:
        InputError: no such file, or one with other fields.
    """
    return read_counted(categories_file(lang))


def read_counted(path: Path) -> Counted:
    """Read and check a file of categories.

    Raises:
        InputError: the file is not there, lacks a field, has an unknown one, or a value of another kind.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; it says which of LanguageTool's findings count (docs/grammar.md)")
    data = yaml_files.document(path)
    if not isinstance(data, dict) or set(data) != set(_FIELDS):
        found = sorted(map(str, data)) if isinstance(data, dict) else data
        raise InputError(f"{path}: fields {found}, expected exactly {', '.join(_FIELDS)}")
    if not isinstance(data["code"], str) or not data["code"]:
        raise InputError(f"{path}, code: {data['code']!r}, expected LanguageTool's code of the language, such as en-US")
    for name in _FIELDS[1:]:
        if not isinstance(data[name], list) or not all(isinstance(item, str) and item for item in data[name]):
            raise InputError(f"{path}, {name}: {data[name]!r}, expected a list of ids in LanguageTool's spelling")
    if not data["categories"] and not data["rules"]:
        raise InputError(f"{path}: names no category and no rule, so that nothing could ever be found; name some")
    never = tuple(sorted(set(data["never"])))
    categories, rules, without = (frozenset(data[name]) for name in _FIELDS[1:4])
    return Counted(data["code"], categories, rules, without, never)


class Checker:
    """A LanguageTool server's answers; one connection per language.

    Args:
        url: the server's address, such as http://127.0.0.1:8081.
        version: what the server must be.
        picky: also rules that LanguageTool counts as picky.
        timeout: seconds that a request may take.
        own: the server is one of ours on this machine: no proxy stands between.
    """

    def __init__(self, url: str, version: str, picky: bool, timeout: float, own: bool) -> None:
        self.url, self.version, self.picky, self.timeout, self.own = url, version, picky, timeout, own
        self.software: dict[str, Any] = {}
        self._tools: dict[str, Any] = {}

    def check(self, texts: Sequence[str], code: str, never: Sequence[str]) -> list[list[Finding]]:
        """Findings of each sentence, all of them in one request.

        Args:
            texts: sentences without line breaks.
            code: LanguageTool's code of their language.
            never: rule ids that are switched off.

        Raises:
            UnavailableError: no answer.
            RefusedError: an answer without findings: an error, something else than LanguageTool, or part of it only.
            InputError: another version, or a language that the server does not know.
        """
        if not texts:
            return []
        tool = self._tool(code)
        tool.disabled_rules = set(never)
        whole = _BREAK.join(texts)
        matches = self._ask(lambda: tool.check(whole))
        starts = list(itertools.accumulate((len(text) + len(_BREAK) for text in texts[:-1]), initial=0))
        found: list[list[Finding]] = [[] for _ in texts]
        for match in matches:
            row = bisect.bisect_right(starts, match.offset) - 1
            found[row].append(
                Finding(match.rule_id, match.category, match.offset - starts[row], int(match.error_length))
            )
        return [sorted(row) for row in found]

    def moved(self, url: str) -> None:
        """Ask a server at another address from now on."""
        self.url = url
        self._tools.clear()

    def _tool(self, code: str) -> Any:
        if code not in self._tools:
            try:
                tool = self._ask(lambda: _connection()(self, code))
            except RefusedError as error:
                raise UnavailableError("no LanguageTool answers there", str(error)) from error
            except ValueError as error:  # what the library says of an unknown language
                raise InputError(
                    f"the LanguageTool server {self.url} does not know language {code!r} ({error}); correct `code` in "
                    f"resources/grammar, or take another server"
                ) from error
            tool.picky = self.picky
            self._tools[code] = tool
        return self._tools[code]

    def _ask(self, call: Any) -> Any:
        """Run a call of the library and name its failures."""
        import requests
        from language_tool_python import exceptions

        try:
            return call()
        except exceptions.RateLimitError as error:
            raise UnavailableError("LanguageTool's limit of requests is reached", _short(str(error))) from error
        except exceptions.LanguageToolError as error:
            if isinstance(error.__cause__, ValueError):  # an answer that is no JSON: LanguageTool's own message
                raise RefusedError(f"LanguageTool refused: {_short(str(error))}") from error
            raise UnavailableError(self._silence(), _short(str(error))) from error
        except requests.RequestException as error:
            raise UnavailableError(self._silence(), _short(str(error))) from error
        except (KeyError, TypeError, AttributeError) as error:
            raise RefusedError("not an answer of LanguageTool", f"{type(error).__name__}: {error}") from error

    def _silence(self) -> str:
        return f"LanguageTool stopped, or took longer than {self.timeout:g} s"

    def take(self, response: Any) -> None:
        """Look at an answer as a whole: the library hands on its findings only.

        Raises:
            InputError: another version.
            RefusedError: the server gave up before the end.
        """
        if not isinstance(response, dict) or "software" not in response:
            return
        self.software = dict(response["software"])
        have = str(self.software.get("version"))
        if have != self.version:
            raise InputError(
                f"the server {self.url} is LanguageTool {have}, but `filters.grammar.languagetool.version` is "
                f"{self.version!r}; run that version, or set the key to {have!r} (findings differ between versions)"
            )
        if (response.get("warnings") or {}).get("incompleteResults"):
            raise RefusedError("LanguageTool gave up before the end (its own time limit)")


@cache
def _connection() -> Any:
    """The library's client with our time limit, a look at the whole answer, and one attempt a request.

    Failures are dealt with by the caller.
    """
    from language_tool_python import LanguageTool

    class Connection(LanguageTool):
        def __init__(self, checker: Checker, code: str) -> None:
            self._checker = checker
            self._TIMEOUT = checker.timeout  # type: ignore[assignment]
            proxies = {"http": "", "https": ""} if checker.own else None
            super().__init__(code, remote_server=checker.url, proxies=proxies)

        def _query_server(self, url: str, params: Any = None, num_tries: int = 1, method: Any = "get") -> Any:
            response = super()._query_server(url, params, num_tries=1, method=method)
            self._checker.take(response)
            return response

    return Connection


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 300 else plain[:299] + "…"
