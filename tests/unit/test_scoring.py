"""The scoring contract: tokenisation, log-probabilities, batching."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dualpair import schemas, scoring
from dualpair.scoring import batches, causal
from dualpair.scoring.causal import BodyScorer, ScoredRow, WholeModelScorer, from_payload, score_encoded, score_rows
from dualpair.scoring.next_token import common_prefix, next_token_logprobs
from dualpair.scoring.tokenisation import Bos, encode, encode_pairs, resolve_bos
from tests.unit import tiny_models

PAIRS = [
    ("Women", " talk a lot."),
    ("Las mujeres que trabajan", " hablan mucho."),
    ("睡着的孩子", "最可爱。"),
    ("Спящие дети", " – прекрасны."),
    ("Boys", " are good at maths."),
    ("Women", " talk."),
]
FAMILIES = ["gpt2", "gptj", "llama", "qwen2", "gemma2", "gemma3", "cohere", "granite", "bloom", "opt"]


@pytest.fixture(scope="module")
def byte_level() -> Any:
    return tiny_models.byte_level()


def pieces(tokenizer: Any, ids: tuple[int, ...]) -> str:
    return tokenizer.decode(list(ids), clean_up_tokenization_spaces=False)


# ---- tokenisation


@pytest.mark.parametrize("trim", [False, True])
@pytest.mark.parametrize(("prefix", "continuation"), PAIRS)
def test_byte_level_boundary(trim: bool, prefix: str, continuation: str) -> None:
    tokenizer = tiny_models.byte_level(trim)
    found = encode(tokenizer, prefix, continuation)
    assert found.n_bos == 1
    assert pieces(tokenizer, found.ids[1 : found.n_prefix]) == prefix
    assert pieces(tokenizer, found.ids[found.n_prefix :]) == continuation
    assert not found.boundary_merge
    assert (found.n_chars, found.n_bytes) == (len(continuation), len(continuation.encode()))


@pytest.mark.parametrize("scheme", ["never", "first", "always"])
def test_sentencepiece_boundary_and_bos(scheme: str) -> None:
    tokenizer = tiny_models.sentencepiece(scheme)
    found = encode(tokenizer, "Women", " talk a lot.")
    assert found.ids[0] == tokenizer.bos_token_id
    assert found.ids.count(tokenizer.bos_token_id) == 1
    assert found.bos_policy == "<s>"
    rest = tokenizer.convert_ids_to_tokens(list(found.ids[found.n_prefix :]))
    assert "".join(rest) == "▁talk▁a▁lot."


def test_one_chinese_character_over_several_tokens_is_never_split(byte_level: Any) -> None:
    found = encode(byte_level, "孩", "子。")
    assert len(found.ids) == 1 + 3 + 6  # the tokenizer knows no Chinese: three bytes a character
    assert found.n_prefix == 1 + 3
    assert not found.boundary_merge


def test_straddling_token_counts_as_continuation(byte_level: Any) -> None:
    found = encode(byte_level, "Wome", "n talk a lot.")
    whole = byte_level("Women talk a lot.").input_ids
    assert list(found.ids[1:]) == whole
    assert found.boundary_merge
    assert found.n_prefix == 1  # BOS only


@pytest.mark.parametrize("trim", [False, True])
def test_space_left_in_the_prefix_is_a_merge(trim: bool) -> None:
    found = encode(tiny_models.byte_level(trim), "Women ", "talk a lot.")
    assert found.boundary_merge


def test_bos_policies(byte_level: Any) -> None:
    separator = byte_level.convert_tokens_to_ids("<|endoftext|>")
    assert resolve_bos(byte_level) == Bos("<|endoftext|>", (separator,))
    assert resolve_bos(byte_level, "none") == Bos("none", ())
    assert resolve_bos(tiny_models.byte_level(separator=False)) == Bos("none", ())
    spm = tiny_models.sentencepiece()
    assert resolve_bos(spm) == Bos("<s>", (1,))
    assert resolve_bos(spm, "</s>") == Bos("</s>", (2,))
    with pytest.raises(ValueError, match="no token of this vocabulary"):
        resolve_bos(spm, "<nonsense>")


def test_bos_written_out_in_the_text_is_not_added_again() -> None:
    spm = tiny_models.sentencepiece()
    found = encode(spm, "<s>Women", " talk.")
    assert found.ids.count(1) == 1
    assert found.ids[0] == 1


@pytest.mark.parametrize("continuation", ["", " ", "\n"])
def test_empty_continuation_is_refused(byte_level: Any, continuation: str) -> None:
    with pytest.raises(ValueError, match="nothing to score"):
        encode(byte_level, "Women", continuation)


def test_first_token_without_anything_before_it_is_refused(byte_level: Any) -> None:
    with pytest.raises(ValueError, match="nothing stands before"):
        encode(byte_level, "", "Women talk.", "none")
    assert encode(byte_level, "", "Women talk.").n_prefix == 1


def test_tokenizer_without_offsets_is_refused() -> None:
    with pytest.raises(ValueError, match="fast tokenizer"):
        resolve_bos(SimpleNamespace(is_fast=False))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    prefix=st.text(alphabet="Women 女人é👩‍🦰д-.", max_size=12),
    continuation=st.text(alphabet="talk 话ñ👶т.", min_size=1, max_size=12),
)
def test_boundary_covers_the_text(byte_level: Any, prefix: str, continuation: str) -> None:
    if not continuation.strip():
        return
    found = encode(byte_level, prefix, continuation)
    assert pieces(byte_level, found.ids[1:]) == prefix + continuation
    left = pieces(byte_level, found.ids[1 : found.n_prefix])
    assert prefix.startswith(left)  # never a part of the continuation, nor a part of a character
    assert (left != prefix) == found.boundary_merge


# ---- log-probabilities


def reference(lm: Any, ids: tuple[int, ...]) -> list[float]:
    """One text at a time, the model's own logits, float64 softmax: independent of everything under test."""
    import torch

    with torch.inference_mode():
        logits = lm.model(input_ids=torch.tensor([ids])).logits[0].double()
    return [float(logits[i].log_softmax(0)[ids[i + 1]]) for i in range(len(ids) - 1)]


@pytest.mark.parametrize("family", FAMILIES)
def test_scores_equal_the_reference_in_any_batch(family: str) -> None:
    lm = tiny_models.loaded(family)
    encoded = encode_pairs(lm.tokenizer, PAIRS)
    expected = [reference(lm, e.ids) for e in encoded]
    assert max(max(map(abs, row)) for row in expected) > 5.0  # the weights make a difference
    for budget in (1, 64, 4096):
        found = score_encoded(lm, encoded, budget)
        for row, want in zip(found, expected, strict=True):
            assert row == pytest.approx(want, abs=2e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_head_outside_the_model_is_used(family: str) -> None:
    """Soft caps, logit scales and head biases are reproduced, so no family here falls back to the slow way."""
    assert isinstance(causal.scorer_for(tiny_models.loaded(family)), BodyScorer)


def test_unknown_head_falls_back_and_stays_right(caplog: pytest.LogCaptureFixture) -> None:
    lm = tiny_models.loaded("llama")
    plain = lm.model.forward

    def doubled(*args: Any, **more: Any) -> Any:
        out = plain(*args, **more)
        out.logits = out.logits * 2.0  # something that no config key tells
        return out

    lm.model.forward = doubled
    assert isinstance(causal.scorer_for(lm), WholeModelScorer)
    assert "differ" in caplog.text
    encoded = encode_pairs(lm.tokenizer, PAIRS[:2])
    for row, e in zip(score_encoded(lm, encoded), encoded, strict=True):
        assert row == pytest.approx(reference(lm, e.ids), abs=2e-4)


def test_vocabulary_in_chunks_equals_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    lm = tiny_models.loaded("gptj")
    encoded = encode_pairs(lm.tokenizer, PAIRS)
    whole = score_encoded(lm, encoded)
    monkeypatch.setattr("dualpair.scoring.head.VOCABULARY_CHUNK", 7)
    monkeypatch.setattr("dualpair.scoring.head.ROW_BLOCK", 3)
    for a, b in zip(whole, score_encoded(lm, encoded), strict=True):
        assert a == pytest.approx(b, abs=1e-5)


@pytest.mark.parametrize("shift", [-300.0, 0.0, 300.0])
def test_normaliser_survives_extreme_logits(shift: float) -> None:
    import torch

    lm = tiny_models.loaded("gptj")
    plain = score_encoded(lm, encode_pairs(lm.tokenizer, PAIRS))
    with torch.no_grad():
        lm.model.lm_head.bias.add_(shift)  # the same for every token: log-probabilities stay
    for a, b in zip(plain, score_encoded(lm, encode_pairs(lm.tokenizer, PAIRS)), strict=True):
        assert a == pytest.approx(b, abs=2e-4)


def test_a_short_text_beside_a_long_one_equals_itself_alone() -> None:
    lm = tiny_models.loaded("gpt2")  # absolute positions: padding on the wrong side would show
    short, long = encode_pairs(
        lm.tokenizer, [("Women", " talk."), ("Boys who sleep in the big old house", " are good at maths.")]
    )
    assert score_encoded(lm, [short, long])[0] == pytest.approx(score_encoded(lm, [short])[0], abs=1e-5)


def test_out_of_memory_halves_the_budget_and_gives_the_same() -> None:
    sizes: list[int] = []

    def call(rows: list[int]) -> None:
        if len(rows) > 2:
            raise RuntimeError("CUDA out of memory. Tried to allocate")
        sizes.append(len(rows))
        seen.extend(rows)

    seen: list[int] = []
    batches.run([5] * 9, 100, call)
    assert sorted(seen) == list(range(9))
    assert max(sizes) == 2


def test_one_row_that_does_not_fit_is_an_error_and_other_errors_pass() -> None:
    def full(rows: list[int]) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        batches.run([5], 100, full)

    def broken(rows: list[int]) -> None:
        raise RuntimeError("shapes do not match")

    with pytest.raises(RuntimeError, match="shapes"):
        batches.run([5, 5], 100, broken)
    with pytest.raises(ValueError, match="budget"):
        batches.run([5], 0, broken)


@given(lengths=st.lists(st.integers(1, 40), max_size=40), budget=st.integers(1, 100))
def test_batches_hold_every_row_once_within_the_budget(lengths: list[int], budget: int) -> None:
    cut = batches.cut(lengths, budget)
    assert sorted(row for rows in cut for row in rows) == list(range(len(lengths)))
    for rows in cut:
        assert len(rows) == 1 or max(lengths[i] for i in rows) * len(rows) <= budget


def test_sums_by_hand() -> None:
    row = ScoredRow((9, 1, 2, 3, 4), 3, 1, (-1.0, -2.0, -4.0, -8.0), 5, 7, False, "<s>")
    assert row.sums() == (-12.0, 2, -3.0, 2, 5, 7)
    without_bos = ScoredRow((1, 2, 3, 4), 2, 0, (-2.0, -4.0, -8.0), 5, 7, False, "none")
    assert without_bos.sums() == (-12.0, 2, -2.0, 1, 5, 7)  # the first token has no probability
    two_bos = ScoredRow((8, 9, 1, 2), 3, 2, (-1.0, -2.0, -4.0), 5, 7, False, "[gMASK]<sop>")
    assert two_bos.sums() == (-4.0, 1, -2.0, 1, 5, 7)
    assert from_payload(row.payload()) == row


def test_score_gives_the_scores_table_in_input_order() -> None:
    lm = tiny_models.loaded("llama")
    frame = scoring.score(lm, PAIRS)
    assert list(frame.columns) == schemas.table("scores").names
    assert list(zip(frame.prefix, frame.continuation, strict=True)) == PAIRS
    rows = score_rows(lm, encode_pairs(lm.tokenizer, PAIRS))
    assert frame.logprob_sum.to_list() == pytest.approx([row.sums().logprob_sum for row in rows], abs=1e-4)
    assert frame.n_tokens.gt(0).all()
    assert set(frame.bos_policy) == {"<|endoftext|>"}


def test_score_of_an_unknown_model_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="gemma-3-270m"):
        scoring.score("no-such-model", PAIRS)


# ---- next token


def test_common_prefix() -> None:
    assert common_prefix([[1, 2, 3], [1, 2, 4], [1, 2, 3, 5]]) == 2
    assert common_prefix([[1, 2], [1, 2, 3]]) == 1  # each keeps a token of its own
    assert common_prefix([[1], [2]]) == 0


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("budget", [1, 100, 4096])
def test_next_token_equals_the_plain_computation(family: str, budget: int) -> None:
    import torch

    lm = tiny_models.loaded(family)
    instruction = "Women talk a lot. Boys are good at maths. "
    prompts = [
        lm.tokenizer(instruction + text).input_ids for text in ("Women talk", "睡着的孩子最可爱。", "x", "Women talk")
    ]
    targets = [3, 1, 200]
    found = next_token_logprobs(lm, prompts, targets, budget)
    assert found.shape == (4, 3)
    for prompt, row in zip(prompts, found, strict=True):
        with torch.inference_mode():
            want = lm.model(input_ids=torch.tensor([prompt])).logits[0, -1].double().log_softmax(0)[targets]
        np.testing.assert_allclose(row, want.numpy(), atol=2e-4)
    assert np.array_equal(found[0], found[3])


def test_shared_beginning_is_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lm = tiny_models.loaded("llama")
    seen: list[tuple[int, ...]] = []
    plain = lm.model.model.forward

    def counting(*args: Any, **more: Any) -> Any:
        seen.append(tuple(more["input_ids"].shape))
        return plain(*args, **more)

    counting.__signature__ = __import__("inspect").signature(plain)  # type: ignore[attr-defined]
    monkeypatch.setattr(lm.model.model, "forward", counting)
    head = list(range(10, 30))
    next_token_logprobs(lm, [[*head, 1, 2], [*head, 3], [*head, 4, 5]], [7])
    assert (1, 20) in seen
    assert (3, 2) in seen


def test_next_token_refuses_empty_input() -> None:
    lm = tiny_models.loaded("llama")
    assert next_token_logprobs(lm, [], [1]).shape == (0, 1)
    with pytest.raises(ValueError, match="at least one target"):
        next_token_logprobs(lm, [[1]], [])
    with pytest.raises(ValueError, match="no empty prompt"):
        next_token_logprobs(lm, [[]], [1])


# ---- a real model


@pytest.mark.model
def test_gemma_scores_equal_the_reference_and_add_bos_once() -> None:
    from dualpair.models import causal_lm, embedded

    lm = causal_lm.load(embedded.ensure("gemma-3-270m"), dtype="float32", device="cpu", name="gemma-3-270m")
    encoded = encode_pairs(lm.tokenizer, PAIRS)
    assert all(e.ids.count(lm.tokenizer.bos_token_id) == 1 and e.ids[0] == lm.tokenizer.bos_token_id for e in encoded)
    for row, e in zip(score_encoded(lm, encoded), encoded, strict=True):
        assert math.fsum(row) == pytest.approx(math.fsum(reference(lm, e.ids)), abs=1e-3)
