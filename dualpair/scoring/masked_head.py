"""Predictions of a masked language model at chosen positions, without a table of positions x vocabulary.

Every family has a head of its own between the body and the vocabulary. It is not taken apart: the model's own forward
pass runs, a hook on the body leaves only the states at the chosen positions, and the vocabulary is then gone through in
chunks. Where this does not give what the plain model gives, the next plainer way is taken; the last is the model's own
logits, text lengths unmixed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import Any, NamedTuple

log = logging.getLogger(__name__)

VOCABULARY_CHUNK = 8192
LOGITS_BLOCK = 2**26  # most entries of a table of logits that the model itself makes: 256 MiB in float32
# Largest gap (nats) to the plain model at load, absolute and relative to its largest logit: in half precision the
# plain model rounds its logits, and padding changes the order of sums.
_AGREEMENT = {"float32": (1e-3, 1e-5), "bfloat16": (0.25, 2.0**-7), "float16": (0.05, 2.0**-10)}
_LEAK = 1e-4  # largest change (nats) by other tokens in the place of padding; where it is masked there is none


class Masked(NamedTuple):
    """A text with some tokens masked, the tokenizer's closing tokens included, and the position that is predicted."""

    ids: tuple[int, ...]
    position: int


class UnfitError(ValueError):
    """A way of reading predictions does not fit the model."""


class _ReachedError(Exception):
    """Ends a forward pass in front of the vocabulary layer."""


_FAULTS = (ValueError, AttributeError, TypeError, IndexError, KeyError, RuntimeError)

Chunks = Iterator[tuple[int, Any]]
Reader = Callable[[Any, dict[str, Any], Any], Chunks]


class Predictions:
    """Log-probabilities of tokens at masked positions, the fastest way that is right for this model.

    Args:
        model: a masked language model of transformers in evaluation mode.
        dtype: dtype of its weights.
        samples: texts with masked positions and the tokens behind the masks, of differing lengths: each way is
            compared on them with the plain model run on one text at a time.
        pad: token id for padding.

    Raises:
        ValueError: the plain model gives no numbers, or no way gives what it gives.
    """

    def __init__(self, model: Any, dtype: str, samples: Sequence[tuple[Masked, int]], pad: int) -> None:
        self.model = model
        self._pad = pad
        self._device = model.get_input_embeddings().weight.device
        self._vocabulary = int(model.get_input_embeddings().weight.shape[0])
        self.way = self._choose(dtype, samples)

    def _choose(self, dtype: str, samples: Sequence[tuple[Masked, int]]) -> str:
        """Take the first way that agrees with the plain model; say in the log why the ones before it do not."""
        plain = [self._plain(masked, target) for masked, target in samples]
        if not all(math.isfinite(value) for value, _ in plain):
            hint = "; set `dtype: bfloat16` or float32" if dtype == "float16" else ""
            raise ValueError(f"{type(self.model).__name__}: its predictions in {dtype} are not numbers{hint}")
        absolute, relative = _AGREEMENT[dtype]
        allowed = max(absolute, relative * max((largest for _, largest in plain), default=0.0))
        name, reason = type(self.model).__name__, ""
        for padding in (True, False):
            self._padding = padding
            if padding and (reason := self._leak(samples)):
                log.warning("%s: only texts of equal length run together: %s", name, reason)
                continue
            for way, reader in _READERS.items():
                self._reader = reader
                reason = self._reason_against([value for value, _ in plain], samples, allowed)
                if not reason:
                    return way if padding else f"{way}, no padding"
                log.warning("%s: not by way of %s: %s", name, way, reason)
        raise ValueError(f"{name}: its predictions differ from run to run: {reason}")

    def _leak(self, samples: Sequence[tuple[Masked, int]]) -> str:
        """Why texts cannot be padded, or nothing: what stands in the place of padding must not matter."""
        self._reader = _model_logits
        texts, targets = [masked for masked, _ in samples], [[target] for _, target in samples]
        pad = self._pad
        try:
            first = self.logprobs(texts, targets)
            self._pad = (pad + 1) % self._vocabulary
            second = self.logprobs(texts, targets)
        except _FAULTS as error:
            return f"{type(error).__name__}: {error}"
        finally:
            self._pad = pad
        gap = max((abs(one[0] - other[0]) for one, other in zip(first, second, strict=True)), default=0.0)
        return "" if gap <= _LEAK else f"padding reaches the other tokens ({gap:.3g} nats)"

    def _reason_against(self, plain: list[float], samples: Sequence[tuple[Masked, int]], allowed: float) -> str:
        try:
            mine = self.logprobs([masked for masked, _ in samples], [[target] for _, target in samples])
        except _FAULTS as error:
            return f"{type(error).__name__}: {error}"
        gaps = [abs(got[0] - want) for got, want in zip(mine, plain, strict=True)]
        wrong = [gap for gap in gaps if not gap <= allowed]  # NaN is wrong
        return f"log-probabilities differ by {max(wrong):.3g} nats from the plain model's" if wrong else ""

    def _plain(self, masked: Masked, target: int) -> tuple[float, float]:
        """The plain model's log-probability (nats) on one text without padding, and its largest absolute logit."""
        import torch

        ids = torch.tensor([masked.ids], device=self._device)
        with torch.inference_mode():
            logits = self.model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0, masked.position]
        logits = _exact(logits.float())
        return float(logits[target] - torch.logsumexp(logits, 0)), float(logits.abs().max())

    def logprobs(self, texts: Sequence[Masked], targets: Sequence[Sequence[int]]) -> list[list[float]]:
        """Natural log-probability of each of `targets[i]` at the predicted position of `texts[i]`, in nats.

        Args:
            texts: one batch; it is cut further where the model's own logits would be too large a table.
            targets: for each text one or more token ids.
        """
        found: list[list[float]] = [[] for _ in texts]
        for part in self._parts(texts):
            values = iter(self._part([texts[i] for i in part], [targets[i] for i in part]))
            for i in part:
                found[i] = [next(values) for _ in targets[i]]
        return found

    def _parts(self, texts: Sequence[Masked]) -> Iterator[list[int]]:
        """Numbers of texts that run together."""
        sizes: dict[Any, int] = {_vocabulary_in_chunks: VOCABULARY_CHUNK, _head_at_positions: self._vocabulary}
        size = sizes.get(self._reader)
        rows = max(1, LOGITS_BLOCK // (size or self._vocabulary * max(len(text.ids) for text in texts)))
        groups: dict[int, list[int]] = {}
        for i, text in enumerate(texts):
            groups.setdefault(0 if self._padding else len(text.ids), []).append(i)
        for group in groups.values():
            yield from (group[start : start + rows] for start in range(0, len(group), rows))

    def _part(self, texts: Sequence[Masked], targets: Sequence[Sequence[int]]) -> list[float]:
        import torch

        width = max(len(text.ids) for text in texts)
        ids = [list(text.ids) + [self._pad] * (width - len(text.ids)) for text in texts]
        mask = [[1] * len(text.ids) + [0] * (width - len(text.ids)) for text in texts]
        inputs = {"input_ids": self._tensor(ids), "attention_mask": self._tensor(mask)}
        owners = self._tensor([row for row, wanted in enumerate(targets) for _ in wanted])
        flat = self._tensor([target for wanted in targets for target in wanted])
        positions = self._tensor([text.position for text in texts])
        with torch.inference_mode():
            return _reduce(self._reader(self.model, inputs, positions), owners, flat)

    def _tensor(self, values: Any) -> Any:
        import torch

        return torch.tensor(values, dtype=torch.long, device=self._device)


def _reduce(chunks: Chunks, owners: Any, targets: Any) -> list[float]:
    """Log-probability of `targets[i]` in row `owners[i]` from float32 logits (rows, chunk): normaliser in float64."""
    import torch

    total: Any = None
    chosen = torch.zeros(len(targets), dtype=torch.float64)
    for start, logits in chunks:
        part = torch.logsumexp(_exact(logits), dim=1)
        total = part if total is None else torch.logaddexp(total, part)
        owners, targets = owners.to(logits.device), targets.to(logits.device)
        inside = (targets >= start) & (targets < start + logits.shape[1])
        chosen[inside.cpu()] = logits[owners[inside], targets[inside] - start].cpu().double()
    return list((chosen - total.cpu()[owners.cpu()]).tolist())


def _vocabulary_in_chunks(model: Any, inputs: dict[str, Any], positions: Any) -> Chunks:
    """The model up to its vocabulary layer at the chosen positions, then that layer in float32, chunk by chunk."""
    import torch

    layer = model.get_output_embeddings()
    if layer is None or layer.weight.shape[0] < model.get_input_embeddings().weight.shape[0]:
        raise UnfitError("its output layer is not the vocabulary matrix")
    caught: list[Any] = []

    def stop(_module: Any, arguments: tuple[Any, ...]) -> None:
        caught.append(arguments[0])
        raise _ReachedError

    with ExitStack() as hooks:
        hooks.enter_context(_only_states_at(model, positions))
        hooks.enter_context(layer.register_forward_pre_hook(stop))
        with suppress(_ReachedError):
            model(**inputs)
    if not caught:
        raise UnfitError("its forward pass does not use its output layer")
    states = caught[0][:, 0].float()
    bias = getattr(layer, "bias", None)
    for start in range(0, layer.weight.shape[0], VOCABULARY_CHUNK):
        piece = slice(start, start + VOCABULARY_CHUNK)
        shift = None if bias is None else bias[piece].float()
        yield start, torch.nn.functional.linear(states, layer.weight[piece].float(), shift)


def _head_at_positions(model: Any, inputs: dict[str, Any], positions: Any) -> Chunks:
    """The model's own logits, its head run at the chosen positions only."""
    with _only_states_at(model, positions):
        logits = model(**inputs).logits
    if tuple(logits.shape[:2]) != (len(positions), 1):
        raise UnfitError(f"its head gives logits of shape {tuple(logits.shape)} for {len(positions)} positions")
    yield from _pieces(logits[:, 0])


def _model_logits(model: Any, inputs: dict[str, Any], positions: Any) -> Chunks:
    """The model's own logits at all positions."""
    import torch

    logits = model(**inputs).logits
    rows = torch.arange(len(positions), device=logits.device)
    yield from _pieces(logits[rows, positions.to(logits.device)])


def _pieces(logits: Any) -> Chunks:
    for start in range(0, logits.shape[1], VOCABULARY_CHUNK):
        yield start, logits[:, start : start + VOCABULARY_CHUNK].float()


_READERS: dict[str, Reader] = {
    "vocabulary in chunks": _vocabulary_in_chunks,
    "head at the masked positions": _head_at_positions,
    "all logits": _model_logits,
}


def _only_states_at(model: Any, positions: Any) -> Any:
    """A hook that leaves of the body's last states (rows, width, d) those at `positions`: (rows, 1, d)."""
    import torch

    body = model.base_model
    if body is model:
        raise UnfitError("it has no body apart from its head")

    def pick(_module: Any, _arguments: Any, output: Any) -> Any:
        rows = torch.arange(len(positions), device=output[0].device)
        states = output[0][rows, positions.to(output[0].device)].unsqueeze(1)
        if isinstance(output, tuple):
            return (states, *output[1:])
        output["last_hidden_state"] = states
        return output

    return body.register_forward_hook(pick)


def _exact(values: Any) -> Any:
    """The values in float64; on the CPU where the device has none (Apple GPUs)."""
    return values.cpu().double() if values.device.type == "mps" else values.double()
