"""The causal engine: batches, memory, failures, and a head that is not what it seems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.scoring import batches, head
from dualpair.scoring.causal import CausalEngine
from dualpair.scoring.engine import Failure
from dualpair.scoring.tokenisation import Encoded, encode_pairs
from tests.unit import tiny_models
from tests.unit.test_architectures import reference

PAIRS = [
    ("Women", " talk a lot."),
    ("Las mujeres que trabajan", " hablan mucho."),
    ("睡着的孩子", "最可爱。"),
    ("Спящие дети", " – прекрасны."),
    ("Boys", " are good at maths."),
    ("Women", " talk."),
]


def engine_of(family: str = "llama", **more: Any) -> CausalEngine:
    return CausalEngine(tiny_models.loaded(family), **more)


def rows_of(engine: CausalEngine, pairs: list[tuple[str, str]] = PAIRS) -> list[Encoded]:
    return encode_pairs(engine.tokenizer, pairs, engine.bos)


def test_unknown_head_falls_back_and_stays_right(caplog: pytest.LogCaptureFixture) -> None:
    lm = tiny_models.loaded("llama")
    plain = lm.model.forward

    def doubled(*args: Any, **more: Any) -> Any:
        out = plain(*args, **more)
        out.logits = out.logits * 2.0  # something that no config key tells
        return out

    lm.model.forward = doubled
    engine = CausalEngine(lm)
    assert engine.head is None and engine.way is None
    assert "differ" in caplog.text
    rows = rows_of(engine)[:2]
    for row, scored in zip(rows, engine.score(rows), strict=True):
        assert scored == pytest.approx(reference(lm.model, row.ids), abs=2e-4)
    prompt = rows[0].ids[:-1]
    found = engine.next_token([prompt], [rows[0].ids[-1]])
    assert found[0, 0] == pytest.approx(reference(lm.model, rows[0].ids)[-1], abs=2e-4)
    with pytest.raises(ValueError, match="not separate"):
        list(engine.states([prompt]))


def test_vocabulary_and_rows_in_pieces_equal_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = engine_of("gptj").score(rows_of(engine_of("gptj")))
    monkeypatch.setitem(head.PIECE, "cpu", (2, 7))
    monkeypatch.setattr(head, "ROW_BLOCK", 3)
    monkeypatch.setattr(head, "_EDGES", 2)
    engine = engine_of("gptj", token_budget=8)
    for a, b in zip(whole, engine.score(rows_of(engine)), strict=True):
        assert a == pytest.approx(b, abs=1e-5)


@pytest.mark.parametrize("shift", [-300.0, 0.0, 300.0])
def test_normaliser_survives_extreme_logits(shift: float) -> None:
    import torch

    engine = engine_of("gptj")
    plain = engine.score(rows_of(engine))
    with torch.no_grad():
        engine.lm.model.lm_head.bias.add_(shift)  # the same for every token: log-probabilities stay
    for a, b in zip(plain, engine.score(rows_of(engine)), strict=True):
        assert a == pytest.approx(b, abs=2e-4)


def test_equal_texts_get_equal_scores_and_the_order_is_kept() -> None:
    engine = engine_of()
    rows = rows_of(engine, [*PAIRS, *PAIRS[::-1]])
    found = engine.score(rows)
    assert found[: len(PAIRS)] == found[len(PAIRS) :][::-1]
    assert engine.score([]) == []


def test_a_score_does_not_depend_on_its_company() -> None:
    engine = engine_of("gpt2")
    rows = rows_of(engine, [*PAIRS, ("Boys who sleep in the big old house", " are good at maths.")])
    together = engine.score(rows)
    for row, scored in zip(rows, together, strict=True):
        assert engine.score([row])[0] == pytest.approx(scored, abs=1e-5)


def test_a_text_that_the_model_cannot_take_fails_alone() -> None:
    engine = engine_of("gpt2")  # 256 positions
    long = rows_of(engine, [("Women", " talk a lot" * 100 + ".")])[0]
    alien = Encoded((1, 10_000, 2), 1, False, "none", 0, 1, 1, n_context=0, ends=())
    good = rows_of(engine)
    found = engine.score([long, good[0], alien, good[1]])
    assert isinstance(found[0], Failure) and "longer than the 256 positions" in found[0].reason
    assert isinstance(found[2], Failure) and "10000 is outside the model's vocabulary" in found[2].reason
    assert found[1] == pytest.approx(reference(engine.lm.model, good[0].ids), abs=2e-4)
    assert found[3] == pytest.approx(reference(engine.lm.model, good[1].ids), abs=2e-4)


def test_a_text_that_makes_the_model_fail_is_found_by_halving(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_of()
    rows = rows_of(engine)
    bad = rows[3].ids
    plain = engine._logprobs

    def broken(texts: Any) -> Any:
        if bad in texts:
            raise RuntimeError("shapes do not match")
        return plain(texts)

    monkeypatch.setattr(engine, "_logprobs", broken)
    found = engine.score(rows)
    assert found[3] == Failure("shapes do not match")
    assert sum(isinstance(scored, Failure) for scored in found) == 1


def test_not_a_number_is_a_failure() -> None:
    import torch

    engine = engine_of()
    rows = rows_of(engine)
    with torch.no_grad():
        engine.lm.model.model.embed_tokens.weight[rows[4].ids[2]] = math.nan
    found = engine.score(rows)
    broken = [isinstance(scored, Failure) for scored in found]
    assert broken == [rows[4].ids[2] in row.ids[:-1] for row in rows]
    assert broken[4] and "not finite" in found[4].reason  # type: ignore[union-attr]


def test_next_token_refuses_what_it_cannot_look_up() -> None:
    engine = engine_of("gpt2")
    assert engine.next_token([], [1]).shape == (0, 1)
    with pytest.raises(ValueError, match="at least one target"):
        engine.next_token([[1]], [])
    with pytest.raises(ValueError, match="prompt 1: it is empty"):
        engine.next_token([[1], []], [1])
    with pytest.raises(ValueError, match=r"prompt 0: .* longer than"):
        engine.next_token([[1] * 257], [1])
    assert np.isfinite(engine.next_token([[1] * 256], [1])).all()


def test_a_shared_beginning_is_run_once() -> None:
    engine = engine_of()
    seen: list[int] = []
    assert engine.head is not None
    states = engine.head.states

    def counting(ids: Any, *rest: Any, **more: Any) -> Any:
        seen.append(ids.numel())
        return states(ids, *rest, **more)

    engine.head.states = counting  # type: ignore[method-assign]
    common = list(range(10, 30))
    engine.next_token([[*common, 1, 2], [*common, 3], [*common, 4, 5]], [7])
    assert sum(seen) == 20 + 5


# ---- memory


def test_out_of_memory_halves_the_budget_and_gives_the_same(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    engine = engine_of(token_budget=4096)
    rows = rows_of(engine)
    expected = engine.score(rows)
    assert engine.head is not None
    states = engine.head.states

    def small(ids: Any, *rest: Any, **more: Any) -> Any:
        if ids.numel() > 50:
            raise RuntimeError("CUDA out of memory. Tried to allocate")
        return states(ids, *rest, **more)

    monkeypatch.setattr(engine.head, "states", small)
    monkeypatch.setattr(engine.way, "size", 16)
    for a, b in zip(expected, engine.score(rows), strict=True):
        assert a == pytest.approx(b, abs=1e-5)
    assert "out of memory" in caplog.text


def test_out_of_memory_in_the_head_halves_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_of()
    rows = rows_of(engine)
    expected = engine.score(rows)
    assert engine.head is not None
    plain = engine.head._normaliser

    def small(hidden: Any) -> Any:
        if len(hidden) > 5:
            raise MemoryError
        return plain(hidden)

    monkeypatch.setattr(engine.head, "_normaliser", small)
    for a, b in zip(expected, engine.score(rows), strict=True):
        assert a == pytest.approx(b, abs=1e-5)


def test_batches_go_on_with_half_the_budget() -> None:
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
    with pytest.raises(ValueError, match="budget"):
        engine_of(token_budget=0)


@given(lengths=st.lists(st.integers(1, 40), max_size=40), budget=st.integers(1, 100))
def test_batches_hold_every_row_once_within_the_budget(lengths: list[int], budget: int) -> None:
    cut = batches.cut(lengths, budget)
    assert sorted(row for rows in cut for row in rows) == list(range(len(lengths)))
    for rows in cut:
        assert len(rows) == 1 or max(lengths[i] for i in rows) * len(rows) <= budget


# ---- a real model


@pytest.mark.model
def test_gemma_scores_equal_the_reference_and_add_bos_once() -> None:
    from dualpair.models import causal_lm, embedded

    lm = causal_lm.load(embedded.ensure("gemma-3-270m"), dtype="float32", device="cpu", name="gemma-3-270m")
    engine = CausalEngine(lm)
    assert engine.way is not None and engine.way.name == "flat tree"
    rows = rows_of(engine)
    assert all(
        row.ids.count(lm.tokenizer.bos_token_id) == 1 and row.ids[0] == lm.tokenizer.bos_token_id for row in rows
    )
    for row, scored in zip(rows, engine.score(rows), strict=True):
        assert isinstance(scored, tuple)
        assert math.fsum(scored) == pytest.approx(math.fsum(reference(lm.model, row.ids)), abs=1e-3)
