"""What answers must not say, the schema of lists, and how requests are fitted to an engine."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.errors import InputError
from dualpair.generation import constraints
from dualpair.generation.engines import Answer
from dualpair.generation.requests import GenerationRequest
from dualpair.stages import generation

SCHEMA = '{"additionalProperties": false, "properties": {"opposite": {"type": "string"}}, "type": "object"}'


def ask(**changes: Any) -> GenerationRequest:
    base = GenerationRequest(
        set_id="s", lang="en", variant_id="v0", task="alternate-1", sample_index=3, seed=11, prompt_id="p",
        prompt="Cats sleep.", forced_prefix="Cats", sampling={"temperature": 0.5, "top_p": 1.0, "top_k": 0, "max_new_tokens": 9},
        group="Cats",
    )  # fmt: skip
    return base._replace(**changes)


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        (" are often loud.", "en", True),
        (" are Often loud.", "en", True),
        (" soften things.", "en", False),
        (" a lot. They often bark", "en", False),  # after the sentence
        (" sleep a menudo.", "en", True),
        (" sleep menudo a.", "en", False),
        (" are noisy.", "en", True),  # repeats the source
        (" are noisy machines.", "en", False),
        (" 经常睡觉。", "zh", True),
        (" 睡觉。", "zh", False),
    ],
)
def test_broken(text: str, lang: str, expected: bool) -> None:
    row = ask(lang=lang, avoid=("often", "a menudo", "经常"), differ_from="are noisy")
    assert constraints.broken(text, row) is expected
    assert not constraints.broken(text, row._replace(mode="list"))


@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=0x4FF), min_size=1, max_size=12),
    st.sampled_from(["en", "zh"]),
)
def test_the_schema_lets_strings_begin_with_the_group_only(group: str, lang: str) -> None:
    row = constraints.fitted(ask(mode="list", group=group, lang=lang, schema=SCHEMA), "vllm")
    part = json.loads(row.schema)["properties"]["opposite"]
    if set(group) & set('"\\'):
        assert part == {"type": "string"}
        return
    joiner = " " if lang == "en" else ""
    assert re.search(part["pattern"], f"{group}{joiner}bark.")
    assert not re.search(part["pattern"], f"x{group}{joiner}bark.")
    assert not re.search(part["pattern"], f"{group}{joiner}bark.\nMore")
    assert not re.search(part["pattern"], f"{group}{joiner}")


def test_a_request_says_what_its_engine_does_and_nothing_else() -> None:
    row = ask(avoid=("not",), differ_from="sleep", schema=SCHEMA)
    for engine in ("transformers", "vllm", "server"):
        assert constraints.fitted(row, engine) == row._replace(schema="")
    listed = row._replace(mode="list", forced_prefix='{"opposite": "Cats')
    assert constraints.fitted(listed, "transformers") == listed._replace(schema="")
    fitted = constraints.fitted(listed, "vllm")
    assert (fitted.forced_prefix, fitted.avoid, fitted.differ_from) == ("", (), "")
    with pytest.raises(InputError, match="has no `schema:`, which engine server needs"):
        constraints.fitted(listed._replace(schema=""), "server")


def test_until_kept_asks_again_for_what_broke_only() -> None:
    rows = [ask(seed=seed, avoid=("not",)) for seed in range(3)]
    rounds: list[list[int]] = []

    def answer(asked: Any) -> list[Answer]:
        rounds.append([row.seed for row in asked])
        bad = len(rounds) < 3
        return [Answer(" do not bark." if bad and row.seed != 1 else " bark.", "stop", 1, 1) for row in asked]

    found = constraints.until_kept(answer, rows)
    assert [(a.text, a.rejected) for a in found] == [(" bark.", 2), (" bark.", 0), (" bark.", 2)]
    assert [len(one) for one in rounds] == [3, 2, 2]
    assert len({seed for one in rounds for seed in one}) == 7


def test_an_error_while_asking_again_leaves_the_answer() -> None:
    calls: list[int] = []

    def answer(asked: Any) -> list[Answer]:
        calls.append(len(asked))
        return [Answer(" do not.", "stop", 1, 1) if len(calls) == 1 else Answer("", "error", 1, 0, "x") for _ in asked]

    (found,) = constraints.until_kept(answer, [ask(avoid=("not",))])
    assert (found.text, found.rejected, found.error) == (" do not.", 0, "")
    assert calls == [1] * constraints.MOST_ANSWERS


def _keys(engine: str, temperature: float, samples: int = 3) -> list[str]:
    import pandas as pd

    from dualpair.generation.requests import GenerationSettings

    sources = pd.DataFrame(
        [("s", "en", "v0", ["Cats"], "sleep all day", ".")],
        columns=["set_id", "lang", "variant_id", "groups", "attribute", "final_mark"],
    )
    settings = GenerationSettings(samples=samples, temperature=temperature)
    asks = generation.ask("paraphrase", sources, settings, 1, {"engine": engine, "weights": "w"})
    return [one.request.key for one in asks]


def test_greedy_samples_are_one_call_and_engines_have_keys_of_their_own() -> None:
    assert len(set(_keys("transformers", 0.7))) == 3
    assert len(set(_keys("transformers", 0.0))) == 1
    assert not set(_keys("transformers", 0.7)) & set(_keys("vllm", 0.7))
