"""Client of an OpenAI-compatible HTTP server: retries with back-off, bounded concurrency, a key that nobody sees.

The key comes from an environment variable only. It is sent in the Authorization header and appears in no message,
exception, representation or log line; a server's answer that repeats it is redacted.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import SecretStr

from dualpair.errors import InputError, PrerequisiteError

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")

_RETRIED = frozenset({408, 409, 425, 429, *range(500, 600)}) - {501, 505}
_LONGEST_WAIT = 300.0  # seconds that a Retry-After may ask for
OPENING_ATTEMPTS = 3  # a wrong address should be told at once, not after all back-offs
NO_SUCH_PATH = (404, 405, 501)
_EXCERPT = 300  # characters of a server's message that are shown


class ServerError(PrerequisiteError):
    """The server did not do what was asked.

    status: the HTTP status, None when there was no answer. problem: the message without the server's address.
    """

    def __init__(self, message: str, status: int | None = None, problem: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.problem = problem or message


class RejectedError(ServerError):
    """The server answered and refuses: sending the same again would not help."""


class UnavailableError(ServerError):
    """No usable answer after all attempts."""


@dataclass(frozen=True)
class Backoff:
    """When to try again: exponential, with jitter so that the requests of many jobs do not return together.

    attempts: tries in all. first: upper bound of the first wait in seconds; it doubles up to `most`. The defaults sit
    out about a minute and a half.
    """

    attempts: int = 8
    first: float = 1.0
    most: float = 60.0

    def delay(self, failures: int, retry_after: str | None = None) -> float:
        """Seconds to wait after so many failures (1, 2, ...); a Retry-After header is a lower bound, up to 300 s."""
        grown = min(self.most, self.first * 2.0 ** (failures - 1))
        jittered = grown * random.uniform(0.5, 1.0)
        return max(jittered, min(_seconds(retry_after), _LONGEST_WAIT))


class Client:
    """One server and one model there. May be shared by threads; every request is bounded by `concurrency`.

    Args:
        endpoint: base URL such as ``http://host:8000/v1``.
        served_as: the model's name at the server; put into every payload that names none.
        api_key_env: environment variable that holds the key; unset or empty means that no key is sent.
        concurrency: most requests in flight.
        timeout: seconds without a byte after which an attempt counts as failed.
        backoff: how often and when to try again.

    Raises:
        InputError: the endpoint is no base URL, holds credentials, or the key cannot be sent in a header.
    """

    def __init__(
        self,
        endpoint: str,
        served_as: str,
        api_key_env: str = "DUALPAIR_API_KEY",
        concurrency: int = 8,
        timeout: float = 600.0,
        backoff: Backoff | None = None,
    ) -> None:
        self.endpoint = _base_url(endpoint)
        self.served_as = served_as
        self.api_key_env = api_key_env
        self.concurrency = concurrency
        self.backoff = backoff or Backoff()
        self._key = _key_from(api_key_env)
        self._http = _transport(self.endpoint, self._key, concurrency, timeout)
        self._stopped = threading.Event()

    def __repr__(self) -> str:
        return f"Client({self.endpoint!r}, {self.served_as!r}, key from {self.api_key_env})"

    def models(self, attempts: int | None = None) -> list[dict[str, Any]]:
        """What the server says it serves: one mapping per model, each with its name under `id`.

        Raises:
            RejectedError: the server has no list of models (404), or refuses the key (401, 403).
            UnavailableError: no usable answer.
        """
        log.info("asking %s for its models", self.endpoint)
        answer = self._send("GET", "/models", None, attempts)
        listed = answer.get("data")
        if not isinstance(listed, list):
            raise RejectedError(
                f"{self.endpoint}/models: the answer holds no list of models; is this an OpenAI-style API?"
            )
        return [model for model in listed if isinstance(model, dict) and isinstance(model.get("id"), str)]

    def completions(self, payload: dict[str, Any], attempts: int | None = None) -> dict[str, Any]:
        """Answer of POST /completions; see `post`."""
        return self.post("/completions", payload, attempts)

    def post(self, path: str, payload: dict[str, Any], attempts: int | None = None) -> dict[str, Any]:
        """Send a payload and give back the answer's JSON object.

        Args:
            path: below the endpoint, such as ``/completions``.
            payload: JSON-ready; `model` is added where missing.
            attempts: tries in all; by default the back-off's.

        Raises:
            RejectedError: a status that another try would not change (400, 401, 403, 404, 413, 422, ...).
            UnavailableError: 429, 5xx, a broken connection, a timeout or no JSON, after all attempts.
        """
        return self._send("POST", path, {"model": self.served_as, **payload}, attempts)

    def each(self, call: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """`call(item)` for every item, at most `concurrency` at a time; results in the order of the items.

        The first exception ends the waiting of the others, drops what has not begun, and is raised.
        """
        with ThreadPoolExecutor(self.concurrency, thread_name_prefix="server") as pool:
            futures = [pool.submit(call, item) for item in items]
            try:
                done, _ = wait(futures, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                return [future.result() for future in futures]
            except BaseException:
                self._stopped.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
            finally:
                self._stopped.clear()

    def close(self) -> None:
        """Close the connections; harmless when called again."""
        self._http.close()

    def _send(self, method: str, path: str, payload: dict[str, Any] | None, attempts: int | None) -> dict[str, Any]:
        import httpx

        attempts = self.backoff.attempts if attempts is None else attempts
        problem, status = "", None
        for attempt in range(1, attempts + 1):
            if self._stopped.is_set():
                raise UnavailableError(f"{self.endpoint}: not sent, because another request failed")
            after = None
            try:
                response = self._http.request(method, self.endpoint + path, json=payload)
            except httpx.TimeoutException as error:
                problem, status = f"no answer in time ({type(error).__name__})", None
            except httpx.RequestError as error:
                problem, status = f"{type(error).__name__}: {error}", None
            else:
                status, after = response.status_code, response.headers.get("retry-after")
                answer = _json_object(response) if status == 200 else None
                if answer is not None:
                    return answer
                problem = self._problem(response)
                if status != 200 and status not in _RETRIED:
                    raise RejectedError(f"{self.endpoint}{path}: {problem}", status, problem)
            if attempt < attempts:
                delay = self.backoff.delay(attempt, after)
                log.warning("%s%s: %s; attempt %d of %d failed", self.endpoint, path, problem, attempt, attempts)
                self._stopped.wait(delay)
        raise UnavailableError(f"{self.endpoint}{path}: {problem} (after {attempts} attempts)", status, problem)

    def _problem(self, response: httpx.Response) -> str:
        """What went wrong in one line: status and the server's own words, without the key."""
        status = response.status_code
        if status == 200:
            return f"the answer is no JSON object ({response.headers.get('content-type', 'no content type')})"
        if status in (401, 403):
            # the body is left out: some servers repeat a part of the key there
            refused = "refuses the key in" if self._key else "wants a key; set"
            return f"HTTP {status}: the server {refused} the environment variable {self.api_key_env}"
        if 300 <= status < 400:
            return f"HTTP {status}: redirected to {response.headers.get('location', '?')}; set `endpoint:` to that"
        words = _server_message(response)
        if self._key is not None:
            words = words.replace(self._key.get_secret_value(), "[key]")
        return f"HTTP {status}: {words[:_EXCERPT]}"


def check_served(client: Client) -> None:
    """The model's name must be in the server's own list, where it has one.

    Raises:
        ServerError: there is no server, it refuses the key, or it lists other models only.
    """
    try:
        served = client.models(OPENING_ATTEMPTS)
    except RejectedError as error:
        if error.status not in NO_SUCH_PATH:
            raise
        log.info("%s has no list of models: the name %r is not checked", client.endpoint, client.served_as)
        return
    except UnavailableError as error:
        raise UnavailableError(
            f"{error}: is the server running, and is `endpoint:` its base URL (http://host:8000/v1)?", error.status
        ) from error
    names = [str(model["id"]) for model in served]
    if client.served_as not in names:
        there = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
        raise RejectedError(
            f"{client.endpoint} serves no model {client.served_as!r} (there: {there or 'none'}); set `served_as:`"
        )
    root = served[names.index(client.served_as)].get("root")
    if isinstance(root, str) and root != client.served_as:
        log.info("%s: %r is %s, says the server", client.endpoint, client.served_as, root)


def _transport(endpoint: str, key: SecretStr | None, concurrency: int, timeout: float) -> httpx.Client:
    """HTTP connections to one server; no proxy stands before an address of this machine, no redirect is followed."""
    import httpx

    if logging.getLogger("httpx").level == logging.NOTSET:
        logging.getLogger("httpx").setLevel(logging.WARNING)  # one line a request otherwise
    return httpx.Client(
        headers={} if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"},
        timeout=httpx.Timeout(timeout, connect=min(10.0, timeout), pool=None),
        limits=httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency),
        trust_env=not _is_loopback(httpx.URL(endpoint).host),
        follow_redirects=False,
    )


def _key_from(variable: str) -> SecretStr | None:
    """The key, or None when the variable is unset or blank.

    Raises:
        InputError: characters that no header may hold (checked here: the HTTP library would show the value).
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        return None
    if not all("!" <= letter <= "~" for letter in key):
        raise InputError(f"the environment variable {variable} holds characters that a key cannot have; set it again")
    return SecretStr(key)


def _base_url(endpoint: str) -> str:
    import httpx

    shape = "expected a base URL such as http://host:8000/v1"
    try:
        url = httpx.URL(endpoint.strip())
    except httpx.InvalidURL as error:
        raise InputError(f"endpoint: {error}; {shape}") from None
    if url.userinfo or url.query or url.fragment:
        # not shown: it may hold a secret
        raise InputError(
            f"endpoint at host {url.host!r}: a user, password, query or fragment does not belong into it; {shape}, "
            "with the key in the environment variable that `api_key_env:` names"
        )
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(f"endpoint {endpoint!r}: {shape}")
    text = str(url).rstrip("/")
    if text.endswith("/completions"):
        raise InputError(f"endpoint {endpoint!r}: {shape}, without what comes after /v1")
    return text


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _json_object(response: httpx.Response) -> dict[str, Any] | None:
    try:
        answer = response.json()
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _server_message(response: httpx.Response) -> str:
    """The words of an error answer, on one line: the usual places of a JSON body, else its text."""
    found: Any = _json_object(response)
    for key in ("error", "message", "detail"):
        if isinstance(found, dict) and found.get(key):
            found = found[key]
    if found is None:
        found = response.text
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return " ".join(text.split()) or "no message"


def _seconds(retry_after: str | None) -> float:
    """Seconds that a Retry-After header asks for (a number or a date); 0 when there is none that can be read."""
    if retry_after is None:
        return 0.0
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(retry_after).timestamp() - time.time()
        except ValueError:
            return 0.0
    return seconds if 0.0 < seconds < float("inf") else 0.0
