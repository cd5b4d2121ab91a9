"""The language-model head outside the model: log-probabilities without a table of positions x vocabulary.

The log-probability of a token is `logit - logsumexp(logits)`: logits in float32 (in half precision the product itself
is rounded to it, as the model does), the normaliser accumulated over pieces of the vocabulary in float64. (torch's
float32 `log_softmax` over a large vocabulary is off by up to 3e-4 a sentence.)
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dualpair.models.device import out_of_memory
from dualpair.scoring import batches

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM

log = logging.getLogger(__name__)

# States that are collected before the head is applied; rows and vocabulary entries of one product. On a CPU the piece
# stays in the cache between product, exponential and sum: up to 1.6 times faster than 2,048 x 8,192. A GPU wants large
# kernels.
ROW_BLOCK = 2048
PIECE = {"cpu": (1024, 512), "cuda": (2048, 32768), "mps": (2048, 16384)}
_EDGES = 4096  # target rows of the head gathered at a time
_TINY = 1e-25  # a sum below it may have lost terms to underflow
# Largest gap (nats) to the model's own log-probabilities, absolute and relative to its largest logit: in half precision
# the model rounds its logits, this class does not.
_AGREEMENT = {"float32": (1e-3, 1e-5), "bfloat16": (0.25, 2.0**-7), "float16": (0.05, 2.0**-10)}


class Head:
    """The output layer of a causal model, with the scaling and capping that some families put after it.

    Raises:
        ValueError: the model has no separate output layer, or one whose logits this class does not reproduce.
    """

    def __init__(self, lm: LoadedLM) -> None:
        model = lm.model
        layer = model.get_output_embeddings()
        self.body = model.base_model
        if layer is None or self.body is model:
            raise ValueError(f"{type(model).__name__} has no separate output layer")
        config = model.config.get_text_config(decoder=True)
        self._parameters = inspect.signature(self.body.forward).parameters
        self.weight = layer.weight
        self.bias = getattr(layer, "bias", None)
        self.device = lm.device
        self.dtype = next(self.body.parameters()).dtype
        self.cap = getattr(config, "final_logit_softcapping", None)
        self.factor = float(getattr(config, "logit_scale", None) or 1.0)  # Cohere multiplies
        self.factor /= float(getattr(config, "logits_scaling", None) or 1.0)  # Granite divides
        self._rows = PIECE[layer.weight.device.type][0]
        self._check(model, lm.dtype)

    def _check(self, model: Any, dtype: str) -> None:
        """Compare with the model's own logits: a family that does something else to them must not pass unseen."""
        import torch

        size = self.weight.shape[0]
        ids = torch.arange(1, 9, device=self.device).mul(size // 16).unsqueeze(0)
        with torch.inference_mode():
            hidden = self.body(input_ids=ids, use_cache=False).last_hidden_state[0]
            targets = ids[0]
            mine = self.logprobs(hidden, torch.arange(len(targets)), targets)
            logits = _exact(model(input_ids=ids, use_cache=False).logits[0])
            theirs = logits.gather(1, targets[:, None].to(logits.device))[:, 0] - torch.logsumexp(logits, 1)
        gap = float((mine.cpu() - theirs.cpu()).abs().max())
        absolute, relative = _AGREEMENT[dtype]
        if not gap <= max(absolute, relative * float(logits.abs().max())):
            raise ValueError(f"{type(model).__name__}: log-probabilities differ by {gap:.3g} nats from the model's own")

    def states(self, ids: Any, mask: Any, positions: Any, **more: Any) -> Any:
        """Last hidden states (rows, width, d); families without position ids get none."""
        if "position_ids" in self._parameters:
            more["position_ids"] = positions
        return self.body(input_ids=ids, attention_mask=mask, **more).last_hidden_state

    def normaliser(self, hidden: Any) -> Any:
        """Log-sum-exp over the vocabulary for each row of `hidden` (n, d): float64 (n,), in nats.

        Raises:
            MemoryError, RuntimeError: memory does not suffice for a single row.
        """
        import torch

        parts = []
        start = 0
        while start < hidden.shape[0]:
            try:
                parts.append(self._normaliser(hidden[start : start + self._rows]))
            except (MemoryError, RuntimeError) as error:
                if not out_of_memory(error) or self._rows == 1:
                    raise
                self._rows = max(1, min(self._rows, hidden.shape[0]) // 2)
                log.warning("out of memory in the head: %d rows at a time from now on", self._rows)
                batches.release()
                continue
            start += self._rows
        return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.float64)

    def logprobs(self, hidden: Any, rows: Any, targets: Any) -> Any:
        """Natural log-probability of `targets[i]` (m,) at row `rows[i]` of `hidden` (n, d): float64 (m,)."""
        import torch

        hidden = hidden.to(self.weight.device)
        rows, targets = rows.to(hidden.device), targets.to(hidden.device)
        norm = self.normaliser(hidden)
        parts = []
        for start in range(0, len(targets), _EDGES):
            piece = slice(start, start + _EDGES)
            logits = (hidden[rows[piece]].float() * self.weight[targets[piece]].float()).sum(1)
            if self.bias is not None:
                logits = logits + self.bias[targets[piece]].float()
            parts.append(_exact(self._finish(logits)) - norm[rows[piece].to(norm.device)])
        return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.float64)

    def logprobs_of(self, hidden: Any, targets: Any) -> Any:
        """Natural log-probability of every one of `targets` (t,) at every row of `hidden` (n, d): float64 (n, t)."""
        hidden = hidden.to(self.weight.device)
        targets = targets.to(hidden.device)
        raw = hidden.float() @ self.weight[targets].float().T
        if self.bias is not None:
            raw = raw + self.bias[targets].float()
        return _exact(self._finish(raw)) - self.normaliser(hidden)[:, None]

    def _finish(self, logits: Any) -> Any:
        """Scale and cap raw logits (float32)."""
        if self.factor != 1.0:
            logits = logits * self.factor
        return self.cap * (logits / self.cap).tanh() if self.cap else logits

    def _normaliser(self, hidden: Any) -> Any:
        import torch

        total: Any = 0.0
        for logits in self._chunks(hidden):
            total = total + _exact(logits.exp_().sum(1))
        # Without subtracting the largest logit first it is a sixth faster, and exact while nothing over- or underflows.
        if bool(torch.isfinite(total).all()) and bool((total > _TINY).all()):
            return total.log()
        total = torch.full_like(total, -torch.inf)
        for logits in self._chunks(hidden):
            total = torch.logaddexp(total, _exact(torch.logsumexp(logits, dim=1)))
        return total

    def _chunks(self, hidden: Any) -> Iterator[Any]:
        """Float32 logits (n, chunk) over consecutive pieces of the vocabulary."""
        import torch

        size = PIECE[hidden.device.type][1]
        for start in range(0, self.weight.shape[0], size):
            piece = slice(start, start + size)
            bias = None if self.bias is None else self.bias[piece]
            yield self._finish(torch.nn.functional.linear(hidden, self.weight[piece], bias).float())


def _exact(values: Any) -> Any:
    """The values in float64; on the CPU where the device has none (Apple GPUs)."""
    return values.cpu().double() if values.device.type == "mps" else values.double()
