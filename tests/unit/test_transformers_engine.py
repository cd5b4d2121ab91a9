"""Decoding: tiny random models, greedy against transformers itself, batches, seeds, stops, draws, constraints."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.generation import constraints, decoding, encoding, sampling
from dualpair.generation import transformers_engine as engine
from dualpair.generation.requests import GenerationRequest

CORPUS = [
    "Old cars make noise. Cats sleep all day! Do rivers flow? The cars are loud, often very loud.",
    "user system assistant: Say it in other words. Старые машины шумят. 旧汽车很吵。猫整天睡觉。",
]
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant]{% endif %}"
)
GREEDY = {"temperature": 0.0, "top_p": 1.0, "top_k": 0, "max_new_tokens": 9}
SAMPLED = {"temperature": 1.0, "top_p": 0.95, "top_k": 40, "max_new_tokens": 12}


def tiny_tokenizer(template: str | None = TEMPLATE) -> Any:
    """A byte-level BPE tokenizer that adds BOS, as Llama's does."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<s>", "</s>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    fast: Any = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )
    fast.chat_template = template
    return fast


@pytest.fixture(scope="module", params=["llama", "qwen2"])
def lm(request: pytest.FixtureRequest) -> Any:
    """A random model of two layers in float32."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

    tokenizer = tiny_tokenizer()
    config_class, model_class = {"llama": (LlamaConfig, LlamaForCausalLM), "qwen2": (Qwen2Config, Qwen2ForCausalLM)}[
        request.param
    ]
    config = config_class(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=160,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
        initializer_range=0.3,
    )
    torch.manual_seed(5)
    return SimpleNamespace(model=model_class(config).eval(), tokenizer=tokenizer)


def ask(
    prompt: str, seed: int = 0, group: str = "Cats", given: dict[str, float] | None = None, **changes: Any
) -> GenerationRequest:
    base = GenerationRequest(
        set_id="s",
        lang="en",
        variant_id="v0",
        task="paraphrase",
        sample_index=seed,
        seed=seed,
        prompt_id="p",
        prompt=prompt,
        forced_prefix=group,
        sampling=dict(given or SAMPLED),
        context=(("system", "Say it."), ("user", "Old cars are loud."), ("assistant", "Old cars make noise.")),
    )
    return base._replace(**changes)


def mixed() -> list[GenerationRequest]:
    prompts = ["Cats sleep.", "Cats sleep all day, often.", "Rivers flow!", "Do the old cars make noise?"]
    rows = [ask(prompt, seed, prompt.split()[0]) for prompt in prompts for seed in range(5)]
    zh = [ask("旧汽车很吵。", seed, "旧汽车", lang="zh", prompt_id="q", context=()) for seed in range(3)]
    return [*rows, *zh]


def test_the_batch_does_not_matter(lm: Any) -> None:
    rows = mixed()
    together = engine.generate(lm, rows)
    assert together == [engine.generate(lm, [row])[0] for row in rows]
    assert together == engine.generate(lm, rows, max_rows=3)
    assert together[::-1] == engine.generate(lm, rows[::-1])
    assert len({answer.text for answer in together}) > 10


def test_seeds_matter(lm: Any) -> None:
    texts = {engine.generate(lm, [ask("Cats sleep.", seed)])[0].text for seed in range(8)}
    assert len(texts) > 4


def test_greedy_is_what_transformers_generates(lm: Any) -> None:
    import torch

    rows = [row._replace(sampling=dict(GREEDY), mode="list") for row in mixed()[::4]]
    for row, answer in zip(rows, engine.generate(lm, rows), strict=True):
        ids = encoding.encode_prompt(lm.tokenizer, row, {})
        with torch.inference_mode():
            found = lm.model.generate(
                torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)), do_sample=False, max_new_tokens=9
            )[0].tolist()
        tail = [token for token in found[len(ids) :] if token != 1]
        whole, before = lm.tokenizer.decode(ids + tail), lm.tokenizer.decode(ids)
        assert before + answer.text == whole
        assert answer.answer_tokens == len(tail)
        assert answer.prompt_tokens == len(ids)
        assert answer.finish_reason == ("length" if len(tail) == 9 else "stop")


def test_a_row_stops_with_its_sentence(lm: Any) -> None:
    answers = engine.generate(lm, [ask("Cats sleep.", seed) for seed in range(60)])
    ended = [a for a in answers if a.finish_reason == "stop" and any(mark in a.text for mark in ".!?\n")]
    cut = [a for a in answers if a.finish_reason == "length"]
    assert ended
    assert cut
    assert all(not any(mark in a.text for mark in ".!?…\n\r") for a in cut if not a.text[-2:-1].isdigit())
    assert all(a.answer_tokens == SAMPLED["max_new_tokens"] for a in cut)
    # Nothing but the token that holds the mark comes after it: tokens are at most a few characters long here.
    assert all(min(a.text.find(mark) % 999 for mark in ".!?\n") >= len(a.text) - 6 for a in ended)


def test_list_mode_does_not_stop_at_a_mark(lm: Any) -> None:
    answers = engine.generate(lm, [ask("Cats sleep.", seed, mode="list") for seed in range(60)])
    assert any(any(mark in a.text[:-6] for mark in ".!?\n") for a in answers)


def test_prompt_has_one_bos_and_ends_with_the_prefix(lm: Any) -> None:
    row = ask("Cats sleep.", group="Old cars")
    ids = encoding.encode_prompt(lm.tokenizer, row, {})
    assert ids.count(0) == 1
    assert lm.tokenizer.decode(ids).endswith("[user]Cats sleep.\n[assistant]Old cars")


def test_a_doubled_bos_is_refused() -> None:
    with pytest.raises(ValueError, match="two BOS"):
        encoding.encode_prompt(tiny_tokenizer("{{ bos_token }}" + TEMPLATE), ask("Cats sleep."), {})


def test_base_models_get_plain_examples() -> None:
    row = ask("Cats sleep.")
    assert encoding.plain_prompt(row) == ("Say it.\n\nOld cars are loud.\nOld cars make noise.\n\nCats sleep.\nCats")
    ids = encoding.encode_prompt(tiny_tokenizer(None), row)
    assert ids.count(0) == 1
    with pytest.raises(ValueError, match="has no examples"):
        encoding.encode_prompt(tiny_tokenizer(None), ask("Cats sleep.", context=()))


def test_a_row_that_fails_does_not_take_others_with_it(lm: Any) -> None:
    rows = [ask("Cats sleep.", seed) for seed in range(3)]
    broken = ask("Cats " * 200)
    found = engine.generate(lm, [rows[0], broken, *rows[1:]])
    assert found[1].finish_reason == "error"
    assert "the model reads 160" in found[1].error
    assert [found[0], *found[2:]] == engine.generate(lm, rows)


def test_avoided_words_and_repeats_are_not_written(lm: Any) -> None:
    rows = [ask("Cats sleep.", seed, mode="list") for seed in range(40)]
    free = engine.generate(lm, rows)
    said = [word for answer in free for word in answer.text.casefold().split() if word.isalpha() and len(word) > 2]
    word = max(sorted(set(said)), key=said.count)
    kept = engine.generate(lm, [row._replace(avoid=(word,)) for row in rows])
    assert said.count(word) > 0
    assert not [answer.text for answer in kept if word in answer.text.casefold().split()[:-1]]


def test_bad_max_rows(lm: Any) -> None:
    with pytest.raises(ValueError, match="max_rows"):
        engine.generate(lm, [], max_rows=0)
    assert engine.generate(lm, []) == []


# --- the draw -------------------------------------------------------------------------------------------------------

LOGITS = np.log(np.array([0.5, 0.3, 0.15, 0.05], dtype=np.float64)).astype(np.float32)
IDS = np.array([7, 3, 9, 1], dtype=np.int64)


def draws(n: int = 4000, **changes: Any) -> dict[int, float]:
    settings = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, **changes}
    found = [sampling.draw(LOGITS, IDS, seed=seed, step=2, **settings) for seed in range(n)]
    return {int(token): found.count(token) / n for token in sorted(set(found))}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, {7: 0.5, 3: 0.3, 9: 0.15, 1: 0.05}),
        ({"top_k": 2}, {7: 0.625, 3: 0.375}),
        ({"top_p": 0.5}, {7: 1.0}),
        ({"top_p": 0.79}, {7: 0.625, 3: 0.375}),
        ({"top_p": 0.81}, {7: 0.5 / 0.95, 3: 0.3 / 0.95, 9: 0.15 / 0.95}),
        # 0.5 ** 2 : 0.3 ** 2 = 0.25 : 0.09
        ({"temperature": 0.5, "top_k": 2}, {7: 0.25 / 0.34, 3: 0.09 / 0.34}),
        # after top-k 2 the best token holds 0.625 of the rest
        ({"top_k": 2, "top_p": 0.6}, {7: 1.0}),
        ({"temperature": 0.0}, {7: 1.0}),
    ],
)
def test_draw_has_the_right_distribution(settings: dict[str, Any], expected: dict[int, float]) -> None:
    found = draws(**settings)
    assert set(found) == set(expected)
    # five standard errors of 4000 draws are at most 0.04
    assert all(abs(found[token] - share) < 0.04 for token, share in expected.items())


def test_refused_tokens_leave_the_rest_in_proportion() -> None:
    found = draws(refused=lambda token: token == 7)
    assert set(found) == {3, 9, 1}
    assert found[3] == pytest.approx(0.6, abs=0.04)
    assert found[9] == pytest.approx(0.3, abs=0.04)
    assert draws(50, top_p=0.5, refused=lambda token: token == 7) == {3: 1.0}
    assert draws(50, temperature=0.0, refused=lambda token: token in (7, 3)) == {9: 1.0}
    assert draws(50, refused=lambda token: True) == {7: 1.0}


@given(st.permutations(range(4)), st.integers(0, 2**63 - 1), st.integers(0, 30))
def test_draw_does_not_depend_on_the_order_of_candidates(order: list[int], seed: int, step: int) -> None:
    settings: dict[str, Any] = {"seed": seed, "step": step, "temperature": 0.7, "top_k": 3, "top_p": 0.9}
    tied = np.array([1.0, 1.0, 1.0, 0.0], dtype=np.float32)
    assert sampling.draw(tied[order], IDS[order], **settings) == sampling.draw(tied, IDS, **settings)


def test_uniform_depends_on_seed_step_and_attempt() -> None:
    values = [
        sampling.uniform(seed, step, attempt) for seed in (0, 1, 2**63 - 1) for step in (0, 1) for attempt in (0, 1)
    ]
    assert len(set(values)) == len(values)
    assert all(0 <= value < 1 for value in values)
    assert sampling.uniform(3, 4) == sampling.uniform(3, 4)


def test_logits_that_are_not_finite_are_an_error() -> None:
    with pytest.raises(ValueError, match="finite"):
        sampling.draw(np.full(4, np.nan, dtype=np.float32), IDS, seed=1, step=0, temperature=1.0, top_k=2, top_p=1.0)


# --- constraints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "avoid", "spaced", "expected"),
    [
        (" make often", ["often"], True, True),
        (" make Often ", ["often"], True, True),
        (" soften", ["often"], True, False),
        (" oft", ["often"], True, True),
        (" of", ["often"], True, False),
        (" often loud", ["often"], True, False),
        (" gener", ["generally"], True, False),
        (" a menudo", ["a menudo"], True, True),
        ("经常", ["经常"], False, True),
        ("他经常", ["经常"], False, True),
        ("", ["often"], True, False),
    ],
)
def test_writes_avoided(text: str, avoid: list[str], spaced: bool, expected: bool) -> None:
    assert constraints.writes_avoided(text, avoid, spaced) is expected


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        (" are noisy", "are noisy", True),
        (" are noi", "are noisy", True),
        (" are", "are noisy", False),
        (" are loud", "are noisy", False),
        (" are noisy machines", "are noisy", False),
        (" machines", "– machines", True),
        (" know a lot about physics", "know a lot about physics", False),
        ("", "are noisy", False),
        (" x", "", False),
    ],
)
def test_repeats(text: str, source: str, expected: bool) -> None:
    assert constraints.repeats(text, source) is expected


@pytest.mark.model
@pytest.mark.parametrize("dtype", ["float32"])
def test_embedded_model_writes_usable_paraphrases(dtype: str) -> None:
    import pandas as pd

    from dualpair.generation import hygiene
    from dualpair.generation.answers import parse
    from dualpair.generation.requests import GenerationSettings, requests
    from dualpair.models import causal_lm, embedded

    name = "qwen2.5-coder-1.5b-instruct"
    if not embedded.installed(name):
        pytest.skip(f"{name} is not installed (make models)")
    sources = pd.DataFrame(
        [("s", "en", "v0", ["Old bridges"], "are dangerous", ".")],
        columns=["set_id", "lang", "variant_id", "groups", "attribute", "final_mark"],
    )
    rows = requests("paraphrase", sources, GenerationSettings(samples=3, temperature=0.7), 1)
    lm: Any = causal_lm.load(embedded.ensure(name), dtype=dtype, device="cpu")
    answers = engine.generate(lm, rows)
    parsed = [parse(a.text, "single", "Old bridges", "Old bridges", "en", a.finish_reason)[0] for a in answers]
    found = [
        item.reason or hygiene.check(item.text, "are dangerous", ["Old bridges"], "en", "paraphrase") for item in parsed
    ]
    assert found.count("") >= 2
    assert all(a.answer_tokens < 24 for a in answers)


# --- what is read once ----------------------------------------------------------------------------------------------


def counted(lm: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Notes the real tokens (rows x columns) of every forward pass."""
    found: list[int] = []
    forward = lm.model.forward

    def noted(*args: Any, input_ids: Any, **kwargs: Any) -> Any:
        found.append(input_ids.numel())
        return forward(*args, input_ids=input_ids, **kwargs)

    argument = decoding._cache_argument(lm.model)
    monkeypatch.setattr(decoding, "_cache_argument", lambda model: argument)
    monkeypatch.setattr(lm.model, "forward", noted)
    return found


def test_what_all_prompts_of_a_file_begin_with_is_read_once_a_job(lm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [ask(f"{name} sleep all day.", seed, name) for name in ("Cats", "Dogs", "Owls") for seed in range(2)]
    units = [rows[:2], rows[2:4], rows[4:]]
    wanted = [answer for unit in units for answer in engine.generate(lm, unit)]
    job = engine.TransformersGenerator(lm, rows, {})
    noted = counted(lm, monkeypatch)
    found = [answer for unit in units for answer in job.generate(unit)]
    assert found == wanted
    lengths = [len(encoding.encode_prompt(lm.tokenizer, row, {})) for row in rows[::2]]
    head = noted[0]
    assert head > min(lengths) // 2  # instruction and examples
    assert noted.count(head) == 1
    written = sum(answer.answer_tokens for answer in found)
    # The head once and every prompt's own end once, not once for each of its samples; decoding beside.
    assert sum(noted) <= head + sum(length - head for length in lengths) + written + len(rows)


def test_a_resumed_job_reads_the_same_in_advance(lm: Any) -> None:
    rows = [ask(f"Cats {verb} all day.", seed) for verb in ("sleep", "doze", "nap") for seed in range(2)]
    whole, resumed = (engine.TransformersGenerator(lm, rows, {}) for _ in range(2))
    first = whole.generate(rows[:2])
    assert first + whole.generate(rows[2:]) == [*first, *resumed.generate(rows[2:])]
    assert whole._head is not None and resumed._head is not None
    assert whole._head.ids == resumed._head.ids


def test_prompts_that_do_not_begin_with_what_was_read_are_read_whole(lm: Any) -> None:
    rows = [ask("Cats sleep."), ask("Dogs bark.", 1, "Dogs")]
    job = engine.TransformersGenerator(lm, [rows[0]], {})  # its head is all of the first prompt
    assert job.generate(rows) == engine.generate(lm, rows)


def test_a_base_models_list_ends_with_its_json() -> None:
    tokenizer = tiny_tokenizer(None)
    row = ask("Cats sleep.", mode="list", forced_prefix='["Cats', given={**SAMPLED, "max_new_tokens": 99})
    made = decoding.Row(0, row, tuple(encoding.encode_prompt(tokenizer, row)))
    ids = tokenizer(' doze.", "Cats [nap]."]\n\nDogs bark', add_special_tokens=False)["input_ids"]
    for token in ids:
        decoding._append(tokenizer, made, token, frozenset(), True)
        if made.finish_reason:
            break
    assert made.finish_reason == "stop"
    assert decoding._text(tokenizer, made).startswith(' doze.", "Cats [nap]."]')
    assert "Dogs" not in decoding._text(tokenizer, made)
