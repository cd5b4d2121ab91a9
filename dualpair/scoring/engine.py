"""What a scoring engine is: the protocol that transformers (causal and masked), vLLM and the server engine obey.

An engine is given texts that are tokenised already (`tokenisation.encode_pairs` with the engine's own tokenizer and
resolved BOS) and gives back one log-probability per token after the first, in nats. Everything else - sums, means,
scopes, tables, the store - is built on these rows and is the same for all engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from dualpair.scoring.tokenisation import Bos, Encoded


class Label(NamedTuple):
    """What is recorded of an engine in every row: registry name, engine, resolved dtype, quantisation as run."""

    name: str
    engine: str
    dtype: str
    quantisation: str


class Failure(NamedTuple):
    """A row that the model could not score, with the reason in one sentence; it does not take the others with it."""

    reason: str


Scored = tuple[float, ...] | Failure


class Engine(Protocol):
    """A loaded model that scores texts."""

    label: Label
    tokenizer: Any
    bos: Bos

    def score(self, rows: Sequence[Encoded]) -> list[Scored]:
        """Log-probability (nats) of every token after the first, given what the kind of model conditions on.

        Args:
            rows: encoded with this engine's tokenizer and `bos`; equal ids are run once.

        Returns:
            For each row, in input order, a tuple of ``len(ids) - 1`` values, or a `Failure`.
        """
        ...

    def close(self) -> None:
        """Free what the engine holds (processes, connections); calling it twice is harmless."""
        ...


class PrefixEngine(Engine, Protocol):
    """An engine that can also look at the end of a prefix: RPAM, SeT and the judges use this."""

    def next_token(self, prompts: Sequence[Sequence[int]], targets: Sequence[int]) -> npt.NDArray[np.float64]:
        """Natural log P(target | prompt) over the whole vocabulary, nats: float64 (prompts, targets), in input order.

        Raises:
            ValueError: an empty prompt, or no target.
        """
        ...

    def states(self, prompts: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], npt.NDArray[np.float32]]]:
        """Hidden state before the vocabulary matrix at the last token of each prompt, block by block.

        Yields:
            (row numbers, float32 array (rows, d)); every row number occurs exactly once, in no promised order.

        Raises:
            ValueError: an empty prompt.
        """
        ...
