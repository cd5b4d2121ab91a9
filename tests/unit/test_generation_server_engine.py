"""The server engine of generation against a small server that can be deprived of abilities, or misbehaves."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from dualpair.errors import InputError
from dualpair.generation import answers, constraints
from dualpair.generation.requests import GenerationRequest
from dualpair.generation.server_engine import ServerGenerator, open_server, read
from dualpair.generation.server_probe import Abilities
from dualpair.models.registry import ModelEntry
from dualpair.models.server import Backoff, Client, RejectedError, UnavailableError
from tests.engines.generation_stub import PROBE, Stub, entry, serving, strings

SAMPLING = {"temperature": 0.6, "top_p": 0.9, "top_k": 32, "max_new_tokens": 24}
LIST_SCHEMA = '{"items": {"type": "string"}, "maxItems": 2, "minItems": 2, "type": "array"}'
KNOWN = Stub.knows


def ask(seed: int = 0, **changes: Any) -> GenerationRequest:
    base = GenerationRequest(
        set_id="s",
        lang="en",
        variant_id="v0",
        task="paraphrase",
        sample_index=seed,
        seed=seed,
        prompt_id="p",
        prompt="Old cars are noisy.",
        forced_prefix="Old cars",
        sampling=dict(SAMPLING),
        context=(("system", "Say it."), ("user", "Cats sleep."), ("assistant", "Cats doze.")),
        group="Old cars",
    )
    return constraints.fitted(base._replace(**changes), "server")


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Backoff, "delay", lambda self, failures, retry_after=None: 0.0)


@pytest.fixture
def opened() -> Iterator[Callable[..., ServerGenerator]]:
    with ExitStack() as stack:

        def begin(stub: Stub, requests: list[GenerationRequest], **more: Any) -> ServerGenerator:
            stack.enter_context(serving(stub))
            engine = open_server(ModelEntry.model_validate(entry(stub, **more)), "m", requests)
            stack.callback(engine.close)
            return engine

        yield begin


def test_a_chat_is_continued_after_the_forced_words(opened: Callable[..., ServerGenerator]) -> None:
    stub, rows = Stub(), [ask(), ask(7)]
    found = opened(stub, rows, concurrency=2).generate(rows)
    assert [(a.text, a.finish_reason, a.error, a.rejected) for a in found] == [(" are quiet.", "stop", "", 0)] * 2
    assert len(stub.asked) == 2  # as many calls as requests
    body = next(one for one in stub.asked if one["seed"] == 7)
    assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert body["messages"][-1]["content"] == "Old cars"
    assert (body["continue_final_message"], body["add_generation_prompt"]) == (True, False)
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert (body["max_tokens"], body["temperature"], body["top_p"], body["top_k"]) == (24, 0.6, 0.9, 32)
    assert body["stop"] == ["\n"] and body["model"] == "tiny"
    # what a request leaves open, servers take from the model's generation config
    assert (body["min_p"], body["repetition_penalty"]) == (0.0, 1.0)
    every = ask(sampling={**SAMPLING, "top_k": 0})
    assert opened(Stub(), [every]).payload(every)["top_k"] == -1
    strict = opened(Stub(knows=KNOWN - {"top_k"}, strict=True), [every]).payload(every)
    assert not {"top_k", "min_p", "repetition_penalty"} & set(strict)


def test_a_base_model_gets_the_examples_as_plain_text(opened: Callable[..., ServerGenerator]) -> None:
    stub, row = Stub(chat=False), ask()
    (found,) = opened(stub, [row], chat="none").generate([row])
    assert found.text == " are quiet."
    assert stub.asked[0]["prompt"] == "Say it.\n\nCats sleep.\nCats doze.\n\nOld cars are noisy.\nOld cars"
    assert "messages" not in stub.asked[0] and "chat_template_kwargs" not in stub.asked[0]


def test_a_list_is_written_under_a_schema_from_its_first_character(opened: Callable[..., ServerGenerator]) -> None:
    stub = Stub(answer=lambda payload: json.dumps(strings(payload, 2)))
    row = ask(mode="list", forced_prefix='["Old cars', schema=LIST_SCHEMA, avoid=("often",), differ_from="are noisy")
    (found,) = opened(stub, [row]).generate([row])
    body = stub.asked[0]
    assert body["messages"][-1]["role"] == "user" and "stop" not in body and "continue_final_message" not in body
    assert body["response_format"]["json_schema"]["schema"]["items"]["pattern"].startswith("^Old cars [^")
    parsed = answers.parse(found.text, "list", row.forced_prefix, "Old cars", "en", found.finish_reason)
    assert parsed == [answers.Parsed(" rest"), answers.Parsed(" doze")]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("ability", "row", "message"),
    [
        ("continue_final_message", ask(), "cannot be made to begin an answer with given words"),
        ("top_k", ask(forced_prefix=""), r"does not apply `top_k`.*generation\.paraphrase\.top_k"),
        ("response_format", ask(mode="list", schema=LIST_SCHEMA), "does not follow a JSON schema"),
    ],
)
def test_what_a_server_cannot_do_is_refused_before_anything_is_asked(
    opened: Callable[..., ServerGenerator], ability: str, row: GenerationRequest, message: str, strict: bool
) -> None:
    stub = Stub(knows=KNOWN - {ability}, strict=strict)
    with pytest.raises(InputError, match=message):
        opened(stub, [row])
    assert not stub.asked
    # and nothing is refused for an ability that is not needed
    plain = ask(forced_prefix="", sampling={**SAMPLING, "top_k": 0})
    assert opened(Stub(knows=KNOWN - {ability}, strict=strict), [plain]).generate([plain])[0].text == " are quiet."


def test_a_server_without_template_arguments(
    opened: Callable[..., ServerGenerator], caplog: pytest.LogCaptureFixture
) -> None:
    lacking = KNOWN - {"chat_template_kwargs"}
    stub = Stub(knows=lacking, strict=True)
    with caplog.at_level(logging.WARNING):
        opened(stub, [ask()]).generate([ask()])
    assert "cannot be told not to" in caplog.text
    assert "chat_template_kwargs" not in stub.asked[0]
    with pytest.raises(InputError, match="remove `chat:`"):
        opened(Stub(knows=lacking, strict=True), [ask()], chat={"enable_thinking": False})


@pytest.mark.parametrize(("chat", "more"), [(False, {}), (True, {"chat": "none"})])
def test_the_wrong_end_point_says_what_to_change(
    opened: Callable[..., ServerGenerator], chat: bool, more: dict[str, Any]
) -> None:
    def before(stub: Stub, payload: dict[str, Any]) -> Any:
        return (404, {"detail": "Not Found"}) if "prompt" in payload else ...

    with pytest.raises(RejectedError, match="`chat: none`"):
        opened(Stub(chat=chat, before=before), [ask()], **more)


def test_an_answer_that_breaks_a_constraint_is_asked_again_and_counted(opened: Callable[..., ServerGenerator]) -> None:
    said = {0: " are often loud.", 1: " are noisy.", 2: " roar."}
    order: list[int] = []

    def answer(payload: dict[str, Any]) -> str:
        order.append(payload["seed"])
        return said[min(len(order) - 1, 2)]

    row = ask(5, avoid=("often",), differ_from="are noisy")
    (found,) = opened(Stub(answer=answer), [row]).generate([row])
    assert (found.text, found.rejected) == (" roar.", 2)
    assert order[0] == 5 and len(set(order)) == 3 and all(0 <= seed < 2**63 for seed in order)


def test_a_stubborn_answer_is_kept_in_the_end(opened: Callable[..., ServerGenerator]) -> None:
    stub = Stub(answer=lambda payload: " are Often loud.")
    row = ask(avoid=("often",))
    (found,) = opened(stub, [row]).generate([row])
    assert (found.text, found.rejected) == (" are Often loud.", constraints.MOST_ANSWERS - 1)
    assert len(stub.asked) == constraints.MOST_ANSWERS
    greedy = ask(avoid=("often",), sampling={**SAMPLING, "temperature": 0.0})
    other = Stub(answer=stub.answer)
    assert opened(other, [greedy]).generate([greedy])[0].rejected == 0
    assert len(other.asked) == 1  # the same again would be said


def test_rows_at_fault_fail_alone(opened: Callable[..., ServerGenerator]) -> None:
    def before(stub: Stub, payload: dict[str, Any]) -> Any:
        return (
            {
                1: (400, {"error": {"message": "prompt too long"}}),
                2: (200, {"choices": []}),
                3: (200, {"choices": [{"finish_reason": "content_filter", "message": {"content": None}}]}),
                4: (500, "crash"),
                5: (
                    200,
                    {"choices": [{"finish_reason": "stop", "message": {"content": None, "refusal": "I cannot."}}]},
                ),
            }.get(payload.get("seed", 0), ...)
            if PROBE not in json.dumps(payload)
            else ...
        )

    rows = [ask(seed) for seed in range(6)]
    found = opened(Stub(before=before), rows).generate(rows)
    assert [a.finish_reason for a in found] == ["stop", "error", "error", "error", "error", "stop"]
    for answer, words in zip(found[1:5], ("prompt too long", "no choice", "content_filter", "HTTP 500"), strict=True):
        assert words in answer.error
    assert found[5].text == "I cannot."


@pytest.mark.parametrize("reply", [(200, "<html>maintenance</html>"), (503, "busy"), None])
def test_a_server_that_is_gone_ends_the_job(opened: Callable[..., ServerGenerator], reply: Any) -> None:
    dead: list[bool] = []
    stub = Stub(before=lambda stub, payload: reply if dead else ...)
    engine = opened(stub, [ask()])
    engine.client.backoff = Backoff(attempts=2)
    dead.append(True)
    with pytest.raises(UnavailableError, match="after 2 attempts"):
        engine.generate([ask()])


def test_a_row_that_times_out_fails_alone() -> None:
    stub = Stub()
    stub.before = lambda stub, payload: setattr(stub, "pause", 1.5 if payload.get("seed") == 1 else 0.0) or ...
    with serving(stub):
        client = Client(stub.endpoint, "tiny", concurrency=1, timeout=0.4, backoff=Backoff(attempts=2))
        found = ServerGenerator(client, {}, Abilities(True)).generate([ask(0), ask(1), ask(2)])
        client.close()
    assert [a.finish_reason for a in found] == ["stop", "error", "stop"]
    assert "no answer in time" in found[1].error


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"text": " are loud. Dogs bark", "finish_reason": "length"}, (" are loud. Dogs bark", "stop")),
        ({"text": " weigh 1.5", "finish_reason": "length"}, (" weigh 1.5", "length")),
        ({"message": {"content": None}, "finish_reason": "length"}, ("", "length")),
    ],
)
def test_where_a_sentence_ends(choice: dict[str, Any], expected: tuple[str, str]) -> None:
    answer = read({"choices": [choice]}, ask())
    assert (answer.text, answer.finish_reason) == expected
