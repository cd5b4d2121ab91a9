"""Exactness of the transformers engines on every family of models: `python -m benchmarks.architectures`.

Tiny random models (two layers, float32) stand for the families, since their code is what differs. Each is compared with
the plain model, one text (or one masked copy) at a time, full logits, float64 softmax. Writes docs/architectures.md.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from dualpair.models.causal_lm import LoadedLM
from dualpair.scoring.causal import CausalEngine
from dualpair.scoring.engine import Failure
from dualpair.scoring.masked import MaskedEngine
from dualpair.scoring.tokenisation import encode_pairs
from tests.unit import tiny_causal, tiny_masked, tiny_models

OUT = Path(__file__).resolve().parent.parent / "docs" / "architectures.md"
GROUPS = ["Women", "Boys who sleep in the big old house", "睡着的孩子", "Las mujeres que trabajan", "Спящие дети"]
ATTRIBUTES = [" talk a lot.", " talk.", " are good at maths and talk a lot, they say.", " – прекрасны."]
PAIRS = [(group, attribute) for group in GROUPS for attribute in ATTRIBUTES]
_HEAD = """# Exactness by architecture

Written by `python -m benchmarks.architectures`: tiny random models of each family (two layers, float32, weights scaled
so that log-probabilities reach several nats), {n} texts that share beginnings, and the largest gap of a token's
log-probability to the plain model run one text at a time with a float64 softmax. The way is the one that the engine
chose at load (`dualpair/scoring/selfcheck.py`); it knows no family by name. Real checkpoints differ in weights, not in
this code. Of real causal models those of `resources/models.yaml` were run, of masked models none.
"""


class Row(NamedTuple):
    """One family: how it is run, the largest gap and the largest log-probability (nats, without sign)."""

    family: str
    way: str
    gap: float
    size: float


def causal() -> Iterator[Row]:
    """Every causal family of the tests."""
    tokenizer = tiny_models.byte_level()
    for family in tiny_causal.FAMILIES:
        model = tiny_causal.causal(family, len(tokenizer))
        engine = CausalEngine(LoadedLM(family, model, tokenizer, "cpu", "float32"))
        rows = encode_pairs(tokenizer, PAIRS, engine.bos)
        plain = [_causal_reference(model, row.ids) for row in rows]
        yield _row(family, engine.way.name if engine.way else "whole model", engine.score(rows), plain)


def masked() -> Iterator[Row]:
    """Every masked family of the tests, each token masked alone (`pll: original`)."""
    for family in tiny_masked.ARCHITECTURES:
        lm = tiny_masked.loaded(family)
        engine = MaskedEngine(lm, pll="original")
        rows = encode_pairs(lm.tokenizer, PAIRS[:6], engine.bos)
        plain = [_masked_reference(lm, row.ids) for row in rows]
        yield _row(family, "masked copies, batched", engine.score(rows), plain)


def table(rows: Sequence[Row]) -> str:
    """Rows as a Markdown table."""
    lines = ["| family | way | largest gap, nats a token | largest log-probability |", "|---|---|---|---|"]
    lines += [f"| {row.family} | {row.way} | {row.gap:.1e} | {row.size:.1f} |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, write, print."""
    logging.basicConfig(level=logging.ERROR)
    torch.set_num_threads(1)
    parts = [_HEAD.format(n=len(PAIRS)), f"transformers {_version('transformers')}, torch {torch.__version__}.\n"]
    parts += ["## Causal models\n", table(list(causal())), "## Masked models\n", table(list(masked()))]
    OUT.write_text("\n".join(parts), encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


def _row(family: str, way: str, found: Sequence[Any], plain: Sequence[Sequence[float]]) -> Row:
    gap = size = 0.0
    for scored, want in zip(found, plain, strict=True):
        if isinstance(scored, Failure):
            raise SystemExit(f"{family}: {scored.reason}")
        gap = max(gap, *(abs(a - b) for a, b in zip(scored, want, strict=True)))
        size = max(size, *map(abs, want))
    return Row(family, way, gap, size)


def _causal_reference(model: Any, ids: tuple[int, ...]) -> list[float]:
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(1)
    return [float(logits[i, ids[i + 1]]) for i in range(len(ids) - 1)]


def _masked_reference(lm: LoadedLM, ids: tuple[int, ...]) -> list[float]:
    closed = lm.tokenizer("a", add_special_tokens=True).input_ids
    plain = lm.tokenizer("a", add_special_tokens=False).input_ids
    start = next(i for i in range(len(closed)) if closed[i : i + len(plain)] == plain)
    whole = [*ids, *closed[start + len(plain) :]]
    values = []
    for place in range(1, len(ids)):
        copy = [*whole[:place], lm.tokenizer.mask_token_id, *whole[place + 1 :]]
        with torch.inference_mode():
            logits = lm.model(input_ids=torch.tensor([copy])).logits[0, place].double().log_softmax(0)
        values.append(float(logits[ids[place]]))
    return values


def _version(name: str) -> str:
    from importlib import metadata

    return metadata.version(name)


if __name__ == "__main__":
    main()
