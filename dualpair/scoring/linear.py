"""Float32 matrix products through oneDNN on AMD processors.

torch's own float32 products come from MKL, which on AMD processors does not use the widest instructions: 198 against
440 GFLOP/s on two cores of a Zen 5. Half precision goes through oneDNN anyway. The choice depends on the processor's
maker alone, never on a measurement, so that a host gives the same numbers every time.
"""

from __future__ import annotations

import functools
import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from dualpair.models.device import cpu_vendor

log = logging.getLogger(__name__)

_AMD = "AuthenticAMD"
_AGREEMENT = 1e-4


def products(device: str, dtype: str) -> AbstractContextManager[Any]:
    """A block in which `torch.nn.functional.linear` takes the faster library, if there is one for this case.

    Args:
        device: cpu, cuda or mps.
        dtype: of the model's body.
    """
    if device == "cpu" and dtype == "float32" and cpu_vendor() == _AMD and _works():
        return _mode()
    return nullcontext()


@functools.cache
def _works() -> bool:
    """Whether this torch has the product and it gives what the ordinary one gives."""
    import torch

    rows, weight, bias = torch.linspace(-1, 1, 12).view(3, 4), torch.linspace(1, -2, 20).view(5, 4), torch.ones(5)
    try:
        found = _product(rows, weight, bias)
        good = torch.allclose(found, torch.nn.functional.linear(rows, weight, bias), atol=_AGREEMENT)
    except (AttributeError, RuntimeError, TypeError) as error:
        log.info("float32 products of oneDNN are not to be had (%s): MKL's are used", error)
        return False
    if not good:
        log.info("float32 products of oneDNN differ from MKL's: MKL's are used")
    return good


def _product(rows: Any, weight: Any, bias: Any = None) -> Any:
    import torch

    return torch.ops.mkldnn._linear_pointwise(rows, weight, bias, "none", [], "")


def _mode() -> AbstractContextManager[Any]:
    import torch
    from torch.overrides import TorchFunctionMode

    class OneDnn(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is torch.nn.functional.linear and not kwargs and _plain(*args):
                return _product(*args)
            return func(*args, **(kwargs or {}))

    def _plain(rows: Any, weight: Any, bias: Any = None) -> bool:
        both = rows.dtype == weight.dtype == torch.float32 and weight.dim() == 2 and rows.numel() > 0
        return both and type(weight) in (torch.Tensor, torch.nn.Parameter)

    return OneDnn()
