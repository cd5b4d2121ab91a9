"""The server engine against stub servers that speak HTTP and misbehave in known ways."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import server as http
from dualpair.models.registry import ModelEntry
from dualpair.models.server import Backoff, Client, RejectedError, ServerError, UnavailableError
from dualpair.scoring.engine import Failure, Label
from dualpair.scoring.server import ServerEngine, open_server
from dualpair.scoring.server_answers import Mode, TokenNames, choices_of, most_probability, read
from dualpair.scoring.server_probe import PROBE
from dualpair.scoring.tokenisation import Encoded, encode_pairs
from tests.unit import tiny_models

KEY = "sk-very-secret-0123456789"
KEY_VARIABLE = "TEST_SCORING_KEY"
PAIRS = [
    ("Women", " talk a lot."),
    ("睡着的孩子", "最可爱。"),
    ("Boys", " are good at maths."),
    ("Women", " talk."),
    ("Las mujeres que trabajan", " hablan mucho."),
]
PROBE_TEXTS = [a + b for a, b in PROBE]


def logprob(ids: list[int], place: int) -> float:
    """The stub's language model: depends on the token and on all before it."""
    return -float((sum(ids[:place]) * 7 + ids[place] * 31 + place) % 97 + 3) / 8.0


def expected(ids: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(logprob(list(ids), place) for place in range(1, len(ids)))


class HangupError(Exception):
    """Close the connection without an answer."""


Reply = tuple[int, dict[str, str], Any]


@dataclass
class Stub:
    """Behaves like vLLM's server. A test replaces the methods that it wants to be different."""

    tokenizer: Any
    mode: str = "prompt_logprobs"  # or echo, none
    served: tuple[str, ...] = ("tiny",)
    lists: bool = True
    zero_tokens: bool = True  # echo: max_tokens 0 is allowed
    named: bool = True  # tokens have names
    before: Callable[[Stub, dict[str, Any]], Reply | None] = lambda stub, payload: None
    change: Callable[[list[int], list[Any]], list[Any]] = lambda ids, values: values
    pause: float = 0.0
    seen: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    flying: int = 0
    most_flying: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, path: str) -> Reply:
        if path != "/v1/models":
            return 404, {}, {"detail": "Not Found"}
        return 200, {}, {"object": "list", "data": [{"id": name, "root": "somewhere"} for name in self.served]}

    def post(self, path: str, payload: dict[str, Any]) -> Reply:
        if path != "/v1/completions":
            return 404, {}, {"detail": "Not Found"}
        with self.lock:
            self.seen.append(payload)
            self.flying += 1
            self.most_flying = max(self.most_flying, self.flying)
        try:
            time.sleep(self.pause)
            reply = self.before(self, payload)
            return reply if reply is not None else self.answer(payload)
        finally:
            with self.lock:
                self.flying -= 1

    def answer(self, payload: dict[str, Any]) -> Reply:
        prompts = payload["prompt"]
        if isinstance(prompts[0], int):
            prompts = [prompts]
        elif not self.lists:
            return 400, {}, {"error": {"message": "prompt must be one list of ids"}}
        if payload.get("echo") and payload["max_tokens"] == 0 and not self.zero_tokens:
            return 400, {}, {"error": {"message": "max_tokens must be at least 1"}}
        choices = [{"index": i, "text": "", **self.choice(ids, payload)} for i, ids in enumerate(prompts)]
        usage = {"prompt_tokens": sum(map(len, prompts))}
        return 200, {}, {"choices": choices[::-1], "usage": usage}

    def choice(self, ids: list[int], payload: dict[str, Any]) -> dict[str, Any]:
        values = self.change(ids, [None, *(logprob(ids, place) for place in range(1, len(ids)))])
        if self.mode == "prompt_logprobs" and "prompt_logprobs" in payload:
            return {"prompt_logprobs": [self.position(i, v, payload) for i, v in zip(ids, values, strict=False)]}
        if self.mode == "echo" and payload.get("echo"):
            made = payload["max_tokens"]
            found = {"token_logprobs": values + [-0.5] * made}
            if self.named:
                found["tokens"] = [self.tokenizer.decode([i]) for i in ids] + ["x"] * made
            return {"logprobs": found}
        return {"logprobs": {"token_logprobs": [-0.5], "tokens": ["x"]}}

    def position(self, token: int, value: Any, payload: dict[str, Any]) -> Any:
        if value is None:
            return None
        found = {str(token): {"logprob": value, "rank": 4, "decoded_token": self.tokenizer.decode([token])}}
        if payload["prompt_logprobs"] > 0:
            rest = math.log1p(-math.exp(value))  # one other token holds what is left
            found["-1"] = {"logprob": rest, "rank": 1, "decoded_token": "x"}
        return found


@dataclass
class Running:
    endpoint: str
    server: ThreadingHTTPServer

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def serve(stub: Stub) -> Running:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(lambda: stub.get(self.path))

        def do_POST(self) -> None:
            payload = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stub.keys.append(self.headers.get("authorization"))
            self.reply(lambda: stub.post(self.path, payload))

        def reply(self, make: Callable[[], Reply]) -> None:
            try:
                status, headers, body = make()
            except HangupError:
                self.close_connection = True
                return
            data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            try:
                self.send_response(status)
                for name, value in {"content-length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except BrokenPipeError:
                pass

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return Running(f"http://127.0.0.1:{server.server_address[1]}/v1", server)


@pytest.fixture
def start() -> Iterator[Callable[[Stub], Running]]:
    running: list[Running] = []

    def begin(stub: Stub) -> Running:
        running.append(serve(stub))
        return running[-1]

    yield begin
    for each in running:
        each.stop()


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str | None]]:
    """No test waits: the back-off's delays are noted instead."""
    noted: list[tuple[int, str | None]] = []

    def delay(self: Backoff, failures: int, retry_after: str | None = None) -> float:
        noted.append((failures, retry_after))
        return 0.0

    monkeypatch.setattr(Backoff, "delay", delay)
    return noted


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return tiny_models.byte_level()


@pytest.fixture(scope="module")
def folder(tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("tokenizer")
    tokenizer.save_pretrained(made)
    return made


@pytest.fixture
def opened(folder: Path, start: Callable[[Stub], Running]) -> Iterator[Callable[..., ServerEngine]]:
    engines: list[ServerEngine] = []

    def begin(stub: Stub, token_budget: int = 4096, **more: Any) -> ServerEngine:
        entry = entry_of(start(stub).endpoint, folder, **more)
        engines.append(open_server(entry, "tiny-served", "float32", token_budget, True, "none"))
        stub.seen.clear()
        return engines[-1]

    yield begin
    for each in engines:
        each.close()


def entry_of(endpoint: str, folder: Path, **more: Any) -> ModelEntry:
    return ModelEntry.model_validate(
        {
            "kind": "causal",
            "source": f"path:{folder}",
            "engine": "server",
            "dtype": "float32",
            "endpoint": endpoint,
            "served_as": "tiny",
            "api_key_env": KEY_VARIABLE,
            **more,
        }
    )


def encoded(engine: ServerEngine, pairs: list[tuple[str, str]] = PAIRS) -> list[Encoded]:
    return encode_pairs(engine.tokenizer, pairs, engine.bos)


# ---- scoring


@pytest.mark.parametrize(
    ("more", "mode"),
    [
        ({}, Mode("prompt_logprobs", 1, True)),
        ({"named": False}, Mode("prompt_logprobs", 1, True)),
        ({"lists": False}, Mode("prompt_logprobs", 1, False)),
        ({"mode": "echo"}, Mode("echo", 0, True)),
        ({"mode": "echo", "lists": False}, Mode("echo", 0, False)),
        ({"mode": "echo", "zero_tokens": False}, Mode("echo", 1, True)),
        ({"mode": "echo", "zero_tokens": False, "named": False}, Mode("echo", 1, True)),
    ],
)
def test_scores_come_back_in_input_order(
    more: dict[str, Any], mode: Mode, tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    stub = Stub(tokenizer, **more)
    engine = opened(stub)
    rows = encoded(engine)
    assert engine.mode == mode
    assert engine.label == Label("tiny-served", "server", "float32", "none")
    assert engine.score([*rows, rows[0]]) == [expected(row.ids) for row in [*rows, rows[0]]]
    sent = [ids for payload in stub.seen for ids in (payload["prompt"] if mode.lists else [payload["prompt"]])]
    assert sorted(map(tuple, sent)) == sorted({row.ids for row in rows})  # each once, verbatim
    assert all(ids.count(tokenizer.eos_token_id) == 1 == ids.index(tokenizer.eos_token_id) + 1 for ids in sent)
    assert {(p["model"], p["max_tokens"], p["temperature"]) for p in stub.seen} == {("tiny", mode.max_tokens, 1)}


def test_a_text_of_one_token_needs_no_request(tokenizer: Any, opened: Callable[..., ServerEngine]) -> None:
    stub = Stub(tokenizer)
    engine = opened(stub, bos="none")
    one = next(row for row in encode_pairs(tokenizer, [("", "a")], "auto"))
    alone = Encoded(**{**one.__dict__, "ids": one.ids[1:]})
    assert engine.score([alone]) == [()]
    assert engine.score([]) == []
    assert stub.seen == []


def test_requests_respect_the_token_budget_and_the_bound_on_connections(
    tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    stub = Stub(tokenizer, pause=0.02)
    engine = opened(stub, token_budget=40, concurrency=3)
    rows = encoded(engine, [(f"Women {i}", " talk a lot.") for i in range(30)])
    assert engine.score(rows) == [expected(row.ids) for row in rows]
    for payload in stub.seen:
        assert len(payload["prompt"]) == 1 or sum(map(len, payload["prompt"])) <= 40
    assert len(stub.seen) < 30
    assert stub.most_flying <= 3


@pytest.mark.parametrize("mode", ["prompt_logprobs", "echo"])
def test_a_row_that_the_server_rejects_does_not_take_the_others_with_it(
    mode: str, tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    def limit(stub: Stub, payload: dict[str, Any]) -> Reply | None:
        prompts = payload["prompt"] if isinstance(payload["prompt"][0], list) else [payload["prompt"]]
        if max(map(len, prompts)) > 30:
            return 400, {}, {"error": {"message": "maximum context length is 30 tokens", "code": 400}}
        return None

    stub = Stub(tokenizer, mode=mode)
    engine = opened(stub, concurrency=1)
    stub.before = limit
    rows = encoded(engine, [*PAIRS[2:4], ("Women" * 40, " talk."), *PAIRS[2:3], ("Boys", " talk a lot.")])
    assert [len(row.ids) > 30 for row in rows] == [False, False, True, False, False]
    assert engine.mode.lists
    found = engine.score(rows)
    assert isinstance(found[2], Failure)
    assert "maximum context length is 30 tokens" in found[2].reason
    assert "127.0.0.1" not in found[2].reason  # reasons go into tables
    assert [found[i] for i in (0, 1, 3, 4)] == [expected(rows[i].ids) for i in (0, 1, 3, 4)]


@pytest.mark.parametrize("crash", [500, 504, None])
def test_a_row_that_makes_the_server_fail_is_isolated_while_the_server_lives(
    crash: int | None, tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    bad = tokenizer(" maths").input_ids[0]

    def fail(stub: Stub, payload: dict[str, Any]) -> Reply | None:
        if bad in [i for ids in payload["prompt"] for i in (ids if isinstance(ids, list) else [ids])]:
            if crash is None:
                raise HangupError
            return crash, {}, {"error": {"message": "out of memory"}}
        return None

    stub = Stub(tokenizer)
    engine = opened(stub, concurrency=2)
    stub.before = fail
    rows = encoded(engine)
    found = engine.score(rows)
    assert [isinstance(each, Failure) for each in found] == [bad in row.ids for row in rows]
    assert sum(isinstance(each, Failure) for each in found) == 1
    assert [f for f in found if not isinstance(f, Failure)] == [expected(r.ids) for r in rows if bad not in r.ids]


BAD_VALUES = {
    "nan": (math.nan, "not finite"),
    "infinite": (-math.inf, "not finite"),
    "the mark for minus infinity": (-9999.0, "not finite"),
    "missing": (None, "no log-probability"),
    "text": ("-1.0", "no log-probability"),
    "positive": (0.5, "never positive"),
}


@pytest.mark.parametrize("mode", ["prompt_logprobs", "echo"])
@pytest.mark.parametrize("kind", BAD_VALUES)
def test_a_value_that_is_no_log_probability_fails_its_row_only(
    kind: str, mode: str, tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    value, reason = BAD_VALUES[kind]
    bad = tokenizer(" maths").input_ids[0]

    def spoil(ids: list[int], values: list[Any]) -> list[Any]:
        return [value if token == bad else v for token, v in zip(ids, values, strict=True)]

    engine = opened(Stub(tokenizer, mode=mode, change=spoil))
    rows = encoded(engine)
    found = engine.score(rows)
    assert isinstance(found[2], Failure)
    assert reason in found[2].reason
    assert f"token {bad}" in found[2].reason
    assert [found[i] for i in (0, 1, 3, 4)] == [expected(rows[i].ids) for i in (0, 1, 3, 4)]


def test_values_that_rounding_makes_positive_are_zero(tokenizer: Any) -> None:
    names = TokenNames(tokenizer)
    choice = {"prompt_logprobs": [None, {"5": {"logprob": 5e-7}}, {"6": {"logprob": -2}}]}
    assert read(choice, (4, 5, 6), Mode("prompt_logprobs", 1), names).scored == (0.0, -2.0)


def test_our_own_token_is_looked_up_whatever_stands_beside_it(tokenizer: Any) -> None:
    names = TokenNames(tokenizer)
    best_first = {"9": {"logprob": -0.1, "rank": 1}, "5": {"logprob": -3.0, "rank": 7}}
    mode = Mode("prompt_logprobs", 1)
    assert read({"prompt_logprobs": [None, best_first]}, (4, 5), mode, names).scored == (-3.0,)
    assert isinstance(read({"prompt_logprobs": [None, best_first]}, (4, 6), mode, names).scored, Failure)


@pytest.mark.parametrize("found", [4, 6])
@pytest.mark.parametrize("mode", ["prompt_logprobs", "echo"])
def test_another_number_of_positions_is_refused(mode: Any, found: int, tokenizer: Any) -> None:
    values = [None] + [-1.0] * (found - 1)
    choice = {
        "prompt_logprobs": [None, *({"7": {"logprob": -1.0}} for _ in values[1:])],
        "logprobs": {"token_logprobs": values},
    }
    scored = read(choice, (7,) * 5, Mode(mode, 1 if mode == "prompt_logprobs" else 0), TokenNames(tokenizer)).scored
    assert isinstance(scored, Failure)
    assert f"{found} positions for 5 tokens" in scored.reason


@pytest.mark.parametrize("garbage", [{}, {"choices": None}, {"choices": []}, {"choices": [{"index": 1}]}])
def test_an_answer_that_is_not_one_choice_a_prompt_fails_its_rows(
    garbage: dict[str, Any], tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    stub = Stub(tokenizer)
    engine = opened(stub)
    stub.before = lambda stub, payload: (200, {}, garbage)
    found = engine.score(encoded(engine)[:2])
    assert all(isinstance(each, Failure) and "choices" in each.reason for each in found)


@given(order=st.permutations(range(6)))
def test_choices_follow_their_index(order: list[int]) -> None:
    assert [c["index"] for c in choices_of({"choices": [{"index": i} for i in order]}, 6)] == list(range(6))


# ---- retries


def failing_first(times: int, reply: Callable[[], Reply]) -> Callable[[Stub, dict[str, Any]], Reply | None]:
    left = [times]

    def before(stub: Stub, payload: dict[str, Any]) -> Reply | None:
        if left[0] > 0:
            left[0] -= 1
            return reply()
        return None

    return before


def hang_up() -> Reply:
    raise HangupError


TRANSIENT: dict[str, Callable[[], Reply]] = {
    "429": lambda: (429, {"retry-after": "7"}, {"error": "slow down"}),
    "500": lambda: (500, {}, "Internal Server Error"),
    "503": lambda: (503, {}, {"message": "loading"}),
    "529": lambda: (529, {}, {"message": "overloaded"}),
    "hang-up": hang_up,
    "no JSON": lambda: (200, {}, "<html>please log in</html>"),
    "half an answer": lambda: (200, {"content-length": "999"}, '{"choices": ['),
}


@pytest.mark.parametrize("kind", TRANSIENT)
def test_a_passing_trouble_is_waited_for(
    kind: str, tokenizer: Any, opened: Callable[..., ServerEngine], waits: list[tuple[int, str | None]]
) -> None:
    stub = Stub(tokenizer)
    engine = opened(stub, concurrency=1)
    stub.before = failing_first(3, TRANSIENT[kind])
    waits.clear()
    rows = encoded(engine)[:1]
    assert engine.score(rows) == [expected(rows[0].ids)]
    assert waits == [(n, "7" if kind == "429" else None) for n in (1, 2, 3)]


def test_a_slow_server_counts_as_no_answer(tokenizer: Any, start: Callable[[Stub], Running]) -> None:
    client = Client(start(Stub(tokenizer, pause=0.6)).endpoint, "tiny", timeout=0.05)
    with pytest.raises(UnavailableError, match="no answer in time") as caught:
        client.completions({"prompt": [1, 2], "max_tokens": 1}, attempts=2)
    assert caught.value.status is None
    client.close()


def test_a_server_that_dies_half_way_is_an_error_and_no_row_is_blamed(
    tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    stub = Stub(tokenizer)
    running = start(stub)
    engine = open_server(entry_of(running.endpoint, folder), "tiny", "float32", 4096, True, "none")
    rows = encoded(engine)
    assert engine.score(rows[:2]) == [expected(row.ids) for row in rows[:2]]

    def die(stub: Stub, payload: dict[str, Any]) -> Reply | None:
        threading.Thread(target=running.server.server_close, daemon=True).start()
        raise HangupError

    stub.before = die
    with pytest.raises(UnavailableError, match="after 8 attempts"):
        engine.score(rows)
    engine.close()


@pytest.mark.parametrize("status", [429, 503, 401, 404])
def test_an_overloaded_or_changed_server_is_an_error_and_no_row_is_blamed(
    status: int, tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    stub = Stub(tokenizer)
    engine = opened(stub, concurrency=2)
    rows = encoded(engine)
    stub.before = lambda stub, payload: (status, {}, {"error": {"message": "not now"}})
    with pytest.raises(ServerError) as caught:
        engine.score(rows)
    assert caught.value.status == status
    stub.before = lambda stub, payload: None
    assert engine.score(rows) == [expected(row.ids) for row in rows]  # usable again


def test_the_first_error_stops_what_has_not_begun(tokenizer: Any, start: Callable[[Stub], Running]) -> None:
    client = Client(start(Stub(tokenizer)).endpoint, "tiny", concurrency=2)
    begun = []

    def work(item: int) -> int:
        begun.append(item)
        if item == 0:
            raise ServerError("broken")
        time.sleep(0.05)
        return item

    with pytest.raises(ServerError, match="broken"):
        client.each(work, range(100))
    assert len(begun) < 100
    assert client.each(lambda item: item * 2, [3, 1, 2]) == [6, 2, 4]
    client.close()
    client.close()


def test_closing_twice_is_harmless(tokenizer: Any, opened: Callable[..., ServerEngine]) -> None:
    engine = opened(Stub(tokenizer))
    engine.close()
    engine.close()


# ---- opening


def refusal(stub: Stub, folder: Path, start: Callable[[Stub], Running]) -> str:
    entry = entry_of(start(stub).endpoint, folder)
    with pytest.raises(ServerError) as caught:
        open_server(entry, "tiny", "float32", 4096, True, "none")
    return str(caught.value)


@pytest.mark.parametrize(
    "reply",
    [
        (404, {}, {"detail": "Not Found"}),
        (404, {}, {"error": {"message": "This is a chat model and not supported in the v1/completions endpoint."}}),
        (400, {}, {"error": {"message": "Use /v1/chat/completions for this model"}}),
        (405, {}, ""),
    ],
)
def test_a_chat_only_server_is_refused(
    reply: Reply, tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    stub = Stub(tokenizer, before=lambda stub, payload: reply)
    assert "chat only" in refusal(stub, folder, start)
    assert len(stub.seen) == 1


def test_a_server_without_log_probabilities_of_the_prompt_is_refused(
    tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    message = refusal(Stub(tokenizer, mode="none"), folder, start)
    assert "no log-probabilities of the prompt" in message
    assert "prompt_logprobs" in message
    assert "echo" in message


def test_refused_parameters_are_named(tokenizer: Any, folder: Path, start: Callable[[Stub], Running]) -> None:
    stub = Stub(tokenizer, before=lambda stub, payload: (400, {}, {"error": {"message": "echo is switched off"}}))
    assert "echo is switched off" in refusal(stub, folder, start)


def test_an_unknown_name_lists_what_is_served(tokenizer: Any, folder: Path, start: Callable[[Stub], Running]) -> None:
    message = refusal(Stub(tokenizer, served=("gemma", "llama")), folder, start)
    assert "'tiny'" in message
    assert "gemma, llama" in message
    assert "served_as" in message


def test_the_name_is_the_source_unless_given(tokenizer: Any, folder: Path, opened: Callable[..., ServerEngine]) -> None:
    engine = opened(Stub(tokenizer, served=(str(folder),)), served_as=None)
    assert engine.client.served_as == str(folder)


def test_a_server_without_a_list_of_models_is_used(tokenizer: Any, opened: Callable[..., ServerEngine]) -> None:
    stub = Stub(tokenizer)
    stub.get = lambda path: (404, {}, "")  # type: ignore[method-assign]
    engine = opened(stub)
    rows = encoded(engine)[:1]
    assert engine.score(rows) == [expected(rows[0].ids)]


def test_no_server_is_told_with_the_address(
    tokenizer: Any, folder: Path, start: Callable[[Stub], Running], waits: list[tuple[int, str | None]]
) -> None:
    running = start(Stub(tokenizer))
    running.server.server_close()
    with pytest.raises(PrerequisiteError, match="is the server running") as caught:
        open_server(entry_of(running.endpoint, folder), "tiny", "float32", 4096, True, "none")
    assert running.endpoint in str(caught.value)
    assert len(waits) == 2  # not the patience of a long run


def test_a_web_page_instead_of_a_server(tokenizer: Any, folder: Path, start: Callable[[Stub], Running]) -> None:
    stub = Stub(tokenizer)
    stub.get = lambda path: (200, {"content-type": "text/html"}, "<html></html>")  # type: ignore[method-assign]
    assert "no JSON object (text/html)" in refusal(stub, folder, start)


def test_a_redirect_is_told_not_followed(tokenizer: Any, folder: Path, start: Callable[[Stub], Running]) -> None:
    stub = Stub(tokenizer)
    stub.get = lambda path: (308, {"location": "https://other.example/v1/models"}, "")  # type: ignore[method-assign]
    assert "https://other.example/v1/models" in refusal(stub, folder, start)


@pytest.mark.parametrize("zero_tokens", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_a_server_that_adds_a_bos_of_its_own_is_refused(
    named: bool, zero_tokens: bool, tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    class Doubling(Stub):
        def answer(self, payload: dict[str, Any]) -> Reply:
            doubled = [tokenizer.eos_token_id, *payload["prompt"]]
            return super().answer({**payload, "prompt": doubled})

    message = refusal(Doubling(tokenizer, mode="echo", named=named, zero_tokens=zero_tokens), folder, start)
    assert "BOS" in message


def test_a_hidden_bos_shows_in_the_first_position(
    tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    stub = Stub(tokenizer, mode="echo", change=lambda ids, values: [-4.0, *values[1:]])
    assert "adds a BOS of its own" in refusal(stub, folder, start)


@pytest.mark.parametrize("mode", ["prompt_logprobs", "echo"])
def test_a_server_of_another_vocabulary_is_refused(mode: str, folder: Path, start: Callable[[Stub], Running]) -> None:
    message = refusal(Stub(tiny_models.sentencepiece(), mode=mode), folder, start)
    assert "tokenizer" in message
    assert "not what it serves" in message


def test_logits_are_not_taken_for_log_probabilities(
    tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    class Logits(Stub):
        def position(self, token: int, value: Any, payload: dict[str, Any]) -> Any:
            found = super().position(token, value, payload)
            if found and "-1" in found:
                found["-1"]["logprob"] = 12.5
            return found

    assert "no log-probabilities" in refusal(Logits(tokenizer), folder, start)


def test_sum_of_probabilities_by_hand() -> None:
    table = {"1": {"logprob": math.log(0.25)}, "2": {"logprob": math.log(0.5)}}
    assert most_probability({"prompt_logprobs": [None, table]}, Mode("prompt_logprobs", 1)) == pytest.approx(0.75)
    tops = [None, {"a": math.log(0.5), "b": math.log(0.75)}]
    assert most_probability({"logprobs": {"top_logprobs": tops}}, Mode("echo", 0)) == pytest.approx(1.25)
    assert most_probability({"logprobs": {}}, Mode("echo", 0)) == 0.0


def test_a_server_that_does_not_repeat_itself_is_refused(
    tokenizer: Any, folder: Path, start: Callable[[Stub], Running]
) -> None:
    calls = []

    def drift(ids: list[int], values: list[Any]) -> list[Any]:
        calls.append(1)
        return [None, *(v - 0.5 * len(calls) for v in values[1:])]

    assert "prefix cache" in refusal(Stub(tokenizer, change=drift), folder, start)


def test_a_server_that_spoils_lists_is_sent_one_prompt_a_request(
    tokenizer: Any, opened: Callable[..., ServerEngine]
) -> None:
    class Padding(Stub):
        def answer(self, payload: dict[str, Any]) -> Reply:
            if isinstance(payload["prompt"][0], list):
                self.change = lambda ids, values: [None, *(v - 1.0 for v in values[1:])]
            else:
                self.change = lambda ids, values: values
            return super().answer(payload)

    engine = opened(Padding(tokenizer))
    rows = encoded(engine)
    assert not engine.mode.lists
    assert engine.score(rows) == [expected(row.ids) for row in rows]


def test_a_missing_tokenizer_says_what_to_set(tokenizer: Any, tmp_path: Path, start: Callable[[Stub], Running]) -> None:
    entry = entry_of(start(Stub(tokenizer)).endpoint, tmp_path)
    with pytest.raises(PrerequisiteError, match="tokenizer:"):
        open_server(entry, "tiny", "float32", 4096, True, "none")


def test_another_tokenizer_than_the_sources(
    tokenizer: Any, folder: Path, tmp_path: Path, opened: Callable[..., ServerEngine]
) -> None:
    engine = opened(Stub(tokenizer), source=f"path:{tmp_path}", tokenizer=f"path:{folder}")
    rows = encoded(engine)[:1]
    assert engine.score(rows) == [expected(rows[0].ids)]


def test_a_tokenizer_in_a_subfolder(tokenizer: Any, tmp_path: Path, opened: Callable[..., ServerEngine]) -> None:
    tokenizer.save_pretrained(tmp_path / "inner")
    engine = opened(Stub(tokenizer), source=f"path:{tmp_path}", subfolder="inner")
    assert len(engine.tokenizer) == len(tokenizer)


def test_a_token_budget_below_one_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="token budget"):
        open_server(entry_of("http://127.0.0.1:9/v1", folder), "tiny", "float32", 0, True, "none")


# ---- names of tokens


@pytest.mark.parametrize("make", [tiny_models.byte_level, tiny_models.sentencepiece])
def test_names_as_servers_write_them(make: Callable[[], Any]) -> None:
    tokenizer = make()
    names = TokenNames(tokenizer)
    for text in PROBE_TEXTS + [a + b for a, b in PAIRS]:
        for token in tokenizer(text).input_ids:
            for name in (tokenizer.decode([token]), tokenizer.convert_ids_to_tokens(token), f"token_id:{token}", None):
                assert names.same(token, name)
            assert not names.same(token, f"token_id:{token + 1}")
    talk = tokenizer(" talk").input_ids[-1]
    assert names.same(talk, tokenizer.decode([talk]).strip())
    assert not names.same(talk, " walk")


# ---- key and address


def test_the_key_is_sent_and_never_shown(
    tokenizer: Any,
    opened: Callable[..., ServerEngine],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, f" {KEY}\n")
    caplog.set_level(logging.DEBUG)
    for noisy in ("httpx", "httpcore"):
        caplog.set_level(logging.DEBUG, noisy)
    stub = Stub(tokenizer)
    engine = opened(stub, concurrency=1)
    assert set(stub.keys) == {f"Bearer {KEY}"}
    rows = encoded(engine)[:1]
    said = []
    for status in (400, 401, 403, 404, 500):
        stub.before = lambda stub, payload, status=status: (status, {}, {"error": f"bad key {KEY}"})  # type: ignore[misc]
        try:
            said.append(str(engine.score(rows)))
        except ServerError as error:
            said += [str(error), repr(error), error.problem]
    said += [repr(engine.client), str(engine.client), repr(vars(engine.client)), caplog.text]
    assert any("[key]" in text for text in said)
    assert all(KEY not in text and KEY[3:] not in text for text in said)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("key", ["", KEY])
def test_a_refused_key_names_the_variable(
    key: str,
    status: int,
    tokenizer: Any,
    folder: Path,
    start: Callable[[Stub], Running],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    stub = Stub(tokenizer)
    stub.get = lambda path: (status, {}, {"error": {"message": f"Incorrect API key: {KEY[:5]}***"}})  # type: ignore[method-assign]
    message = refusal(stub, folder, start)
    assert KEY_VARIABLE in message
    assert ("refuses the key" if key else "set the environment variable") in message
    assert KEY[:5] not in message


@pytest.mark.parametrize("bad", [f"{KEY}\nX: y", f"{KEY} two", f"{KEY}é"])
def test_a_key_that_no_header_can_hold_is_refused_unseen(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, bad)
    with pytest.raises(InputError, match=KEY_VARIABLE) as caught:
        Client("http://127.0.0.1:9/v1", "tiny", KEY_VARIABLE)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("endpoint", "reason"),
    [
        ("http://user:pa55word@host/v1", "does not belong"),
        ("https://host/v1?key=pa55word", "does not belong"),
        ("ftp://host/v1", "expected a base URL"),
        ("http:///v1", "expected a base URL"),
        ("http://host:port/v1", "expected a base URL"),
        ("http://host/v1/completions", "without what comes after /v1"),
    ],
)
def test_a_bad_address_is_refused_and_shows_no_secret(endpoint: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        Client(endpoint, "tiny")
    assert "pa55word" not in str(caught.value)


def test_no_proxy_stands_before_this_machine(
    tokenizer: Any, opened: Callable[..., ServerEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    engine = opened(Stub(tokenizer))
    rows = encoded(engine)[:1]
    assert engine.score(rows) == [expected(rows[0].ids)]


# ---- back-off


REAL_DELAY = Backoff.delay  # before any fixture replaces it


@settings(max_examples=50)
@given(failures=st.integers(1, 40), asked=st.floats(0, 1e6))
def test_waits_grow_are_bounded_and_obey_retry_after(failures: int, asked: float) -> None:
    backoff = Backoff(first=2.0, most=30.0)
    whole = min(30.0, 2.0 * 2.0 ** (failures - 1))
    assert whole / 2 <= REAL_DELAY(backoff, failures) <= whole
    wait = REAL_DELAY(backoff, failures, str(asked))
    assert min(asked, 300.0) <= wait <= max(whole, min(asked, 300.0))


@pytest.mark.parametrize("header", ["", "soon", "-5", "nan", "inf", "Wed, 21 Oct 2015 07:28:00 GMT", None])
def test_a_retry_after_that_asks_for_nothing_is_ignored(header: str | None) -> None:
    assert REAL_DELAY(Backoff(first=2.0), 1, header) <= 2.0


def test_a_date_in_retry_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http.time, "time", lambda: 1445412480.0 - 42.0)
    assert REAL_DELAY(Backoff(), 1, "Wed, 21 Oct 2015 07:28:00 GMT") == pytest.approx(42.0)


def test_a_list_of_models_that_is_none(tokenizer: Any, start: Callable[[Stub], Running]) -> None:
    stub = Stub(tokenizer)
    stub.get = lambda path: (200, {}, {"models": []})  # type: ignore[method-assign]
    client = Client(start(stub).endpoint, "tiny")
    with pytest.raises(RejectedError, match="no list of models"):
        client.models()
    client.close()
