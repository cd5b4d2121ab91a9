"""Every family of models gives the plain model's log-probabilities, in the fastest way that is right for it."""

from __future__ import annotations

import functools
import logging
from typing import Any

import numpy as np
import pytest

from dualpair.models.causal_lm import LoadedLM
from dualpair.scoring import selfcheck, ways
from dualpair.scoring.causal import CausalEngine
from dualpair.scoring.tokenisation import encode_pairs
from tests.unit import tiny_causal, tiny_models

GROUPS = ["Women", "Boys who sleep in the big old house", "睡着的孩子", "Women who work"]
ATTRIBUTES = [" talk a lot.", " talk.", " are good at maths and talk a lot, they say.", " – прекрасны."]
# What does not take the flat tree, and why: own attention code (xglm, falcon), a bias or window by the place in the row
# (gpt-neo, mpt, bloom, falcon with ALiBi), a state that runs along the row (mamba, lfm2).
SLOWER = {
    "xglm": ways.PaddedTree.name,
    "falcon": ways.PaddedTree.name,
    "falcon-alibi": ways.SortedBatches.name,
    "gpt-neo": ways.SortedBatches.name,
    "bloom": ways.SortedBatches.name,
    "mpt": ways.SortedBatches.name,
    "mamba": ways.SortedBatches.name,
    "mamba2": ways.SortedBatches.name,
    "lfm2": ways.SortedBatches.name,
}


@functools.cache
def tokenizer() -> Any:
    return tiny_models.byte_level()


def loaded(family: str, **overrides: Any) -> LoadedLM:
    return LoadedLM(family, tiny_causal.causal(family, len(tokenizer()), **overrides), tokenizer(), "cpu", "float32")


def reference(model: Any, ids: tuple[int, ...]) -> list[float]:
    """One text at a time, the model's own logits, float64 softmax: independent of everything under test."""
    import torch

    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([ids])).logits[0].double()
    return [float(logits[i].log_softmax(0)[ids[i + 1]]) for i in range(len(ids) - 1)]


def test_at_least_25_architectures() -> None:
    assert len({family.split("-window")[0].split("-alibi")[0] for family in tiny_causal.FAMILIES}) >= 25


@pytest.mark.parametrize("family", tiny_causal.FAMILIES)
def test_scores_equal_the_plain_model(family: str) -> None:
    engine = CausalEngine(loaded(family))
    assert engine.head is not None  # soft-caps, scales and biases are reproduced: no family needs the whole model
    assert engine.way is not None and engine.way.name == SLOWER.get(family, ways.FlatTree.name)
    rows = encode_pairs(tokenizer(), [(g, a) for g in GROUPS for a in ATTRIBUTES], engine.bos)
    assert max(len(row.ids) for row in rows) > 3 * tiny_causal.WINDOW
    expected = [reference(engine.lm.model, row.ids) for row in rows]
    assert max(max(map(abs, row)) for row in expected) > 5.0  # the weights make a difference
    for budget in (4096, 70):
        engine.budget = budget
        for row, want in zip(engine.score(rows), expected, strict=True):
            assert row == pytest.approx(want, abs=2e-4)


@pytest.mark.parametrize("family", ["llama", "gemma3", "gpt2", "gpt-oss", "mamba", "xglm"])
def test_next_token_and_states_equal_the_plain_model(family: str) -> None:
    import torch

    engine = CausalEngine(loaded(family))
    start = "Women talk a lot. Boys are good at maths. "
    prompts = [
        tuple(tokenizer()(start + text).input_ids) for text in ("Women talk", "睡着的孩子最可爱。", "x", "Women talk")
    ]
    prompts.append(prompts[0][:-1])  # ends inside another
    targets = [3, 1, 200]
    found = engine.next_token(prompts, targets)
    assert found.shape == (5, 3)
    np.testing.assert_allclose(found[0], found[3], rtol=0, atol=1e-5)  # equal bits on some hosts only
    states = np.empty((5, 32), dtype=np.float32)
    seen: list[int] = []
    for numbers, block in engine.states(prompts):
        states[numbers] = block
        seen += numbers
    assert sorted(seen) == list(range(5))
    for number, prompt in enumerate(prompts):
        with torch.inference_mode():
            out = engine.lm.model.base_model(input_ids=torch.tensor([prompt])).last_hidden_state[0, -1]
            logits = engine.lm.model(input_ids=torch.tensor([prompt])).logits[0, -1].double()
        np.testing.assert_allclose(states[number], out.numpy(), atol=1e-4)
        np.testing.assert_allclose(found[number], logits.log_softmax(0)[targets].numpy(), atol=2e-4)


@pytest.mark.parametrize("family", ["mistral", "gemma3", "cohere2", "gpt-oss", "olmo3", "qwen2-window"])
def test_a_mask_that_forgets_the_window_is_caught(family: str, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """The check must see what a tree without sliding windows would do, else it checks nothing."""
    caplog.set_level(logging.INFO)
    plain_mask = ways.TreeBatch.mask
    monkeypatch.setattr(ways.TreeBatch, "mask", lambda self, window, repeat=1: plain_mask(self, None, repeat))
    engine = CausalEngine(loaded(family))
    assert engine.way is not None and engine.way.name == ways.SortedBatches.name
    assert "differs from the plain model" in caplog.text


@pytest.mark.parametrize("family", ["llama", "gpt2", "gemma3"])
def test_positions_by_place_in_the_row_are_caught(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    plain_init = ways.TreeBatch.__init__

    def by_place(self: Any, *args: Any) -> None:
        plain_init(self, *args)
        self.positions = torch.arange(len(self.ids))

    monkeypatch.setattr(ways.TreeBatch, "__init__", by_place)
    engine = CausalEngine(loaded(family))
    assert engine.way is not None and engine.way.name == ways.SortedBatches.name


def test_texts_beyond_an_unchecked_window_are_run_the_plain_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "LONGEST_WINDOW", tiny_causal.WINDOW - 1)
    engine = CausalEngine(loaded("gemma3"))
    assert engine.way is not None and engine.way.name == ways.FlatTree.name  # checked without a text beyond the window
    used: list[int] = []
    plain_run = ways.SortedBatches.run
    monkeypatch.setattr(
        ways.SortedBatches,
        "run",
        lambda self, tree, *rest: (used.append(len(tree.paths)), plain_run(self, tree, *rest))[1],
    )
    rows = encode_pairs(tokenizer(), [("Women", " talk."), *((g, ATTRIBUTES[2]) for g in GROUPS)], engine.bos)
    for row, scored in zip(rows, engine.score(rows), strict=True):
        assert scored == pytest.approx(reference(engine.lm.model, row.ids), abs=2e-4)
    assert sum(used) == sum(len(row.ids) > tiny_causal.WINDOW for row in rows) > 0


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("family", ["llama", "gemma3", "gpt2"])
def test_half_precision_takes_the_tree_and_stays_near_float32(family: str, dtype: str) -> None:
    import torch

    exact = loaded(family)
    half = LoadedLM(
        family, tiny_causal.causal(family, len(tokenizer())).to(getattr(torch, dtype)), tokenizer(), "cpu", dtype
    )
    engine = CausalEngine(half)
    assert engine.way is not None and engine.way.name == ways.FlatTree.name
    rows = encode_pairs(tokenizer(), [(g, a) for g in GROUPS for a in ATTRIBUTES], engine.bos)
    gaps = []
    loop = []
    for row, scored in zip(rows, engine.score(rows), strict=True):
        want = reference(exact.model, row.ids)
        gaps.append(np.abs(np.subtract(scored, want)).mean())
        loop.append(np.abs(np.subtract(reference(half.model, row.ids), want)).mean())
    assert np.mean(gaps) <= 1.5 * np.mean(loop)  # no worse than the plain loop in the same precision
