"""The choice of the library for float32 products: by the processor's maker, and never a wrong number."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from dualpair.scoring import linear
from dualpair.scoring.causal import CausalEngine
from dualpair.scoring.tokenisation import encode_pairs
from tests.unit import tiny_models
from tests.unit.test_causal import PAIRS


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    seen: list[int] = []
    plain = linear._product
    monkeypatch.setattr(linear, "_product", lambda *args: (seen.append(1), plain(*args))[1])
    monkeypatch.setattr(linear, "cpu_vendor", lambda: "AuthenticAMD")
    linear._works.cache_clear()
    return seen


@pytest.mark.parametrize(
    ("device", "dtype", "vendor"),
    [("cpu", "float32", "GenuineIntel"), ("cpu", "bfloat16", "AuthenticAMD"), ("cuda", "float32", "AuthenticAMD")],
)
def test_elsewhere_nothing_changes(device: str, dtype: str, vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "cpu_vendor", lambda: vendor)
    assert isinstance(linear.products(device, dtype), nullcontext)


def test_products_agree_and_only_plain_float32_is_taken_over(counted: list[int]) -> None:
    import torch

    rows, weight, bias = torch.randn(2, 7, 16), torch.randn(9, 16), torch.randn(9)
    want = [torch.nn.functional.linear(rows, weight, b) for b in (bias, None)]
    with linear.products("cpu", "float32"):
        counted.clear()
        for b, expected in zip((bias, None), want, strict=True):
            torch.testing.assert_close(torch.nn.functional.linear(rows, weight, b), expected, atol=1e-5, rtol=1e-5)
        assert len(counted) == 2
        half = torch.nn.functional.linear(rows.bfloat16(), weight.bfloat16())
        assert half.dtype == torch.bfloat16 and len(counted) == 2
    torch.nn.functional.linear(rows, weight)
    assert len(counted) == 2  # over with the block


def test_the_engine_uses_it_and_gives_the_same(counted: list[int]) -> None:
    lm = tiny_models.loaded("gemma3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear, "cpu_vendor", lambda: "GenuineIntel")
        plain = CausalEngine(lm)
        rows = encode_pairs(lm.tokenizer, PAIRS, plain.bos)
        expected: list[Any] = plain.score(rows)
    counted.clear()
    for found, want in zip(CausalEngine(lm).score(rows), expected, strict=True):
        assert found == pytest.approx(want, abs=1e-5)
    assert counted


def test_a_torch_without_the_product_is_left_alone(counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*args: Any) -> Any:
        raise AttributeError("no such operator")

    monkeypatch.setattr(linear, "_product", missing)
    assert isinstance(linear.products("cpu", "float32"), nullcontext)
    linear._works.cache_clear()
    monkeypatch.setattr(linear, "_product", lambda rows, weight, bias=None: rows @ weight.T)
    assert isinstance(linear.products("cpu", "float32"), nullcontext)  # forgets the bias: noticed
    linear._works.cache_clear()
