"""An engine of vLLM that is started anew: for longer texts, and with fewer tokens a step when memory runs out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

from dualpair.errors import PrerequisiteError
from dualpair.models.device import out_of_memory

log = logging.getLogger(__name__)

_RESTARTS = 3  # after an engine's death without a known cause
_DEAD = "EngineDeadError"
_LOUDER = "set the environment variable VLLM_LOGGING_LEVEL=INFO to see more"


class Startable(Protocol):
    """A started engine that is ready for ``max_tokens`` tokens of context."""

    max_tokens: int

    def stop(self) -> None:
        """Give its memory back."""
        ...


B = TypeVar("B", bound=Startable)
R = TypeVar("R")


class Use(NamedTuple):
    """What an engine is used for, as far as restarting it depends on it.

    Attributes:
        verb: for messages: vLLM failed while it <verb>.
        longest: for messages: what the longest context is that of.
        advice: for messages: what to change when memory runs out all the same.
        room: from the longest context needed and the tokens of one step to the context to be ready for.
        least: from the longest context needed to the fewest tokens of one step that can work.
    """

    verb: str
    longest: str
    advice: str
    room: Callable[[int, int], int]
    least: Callable[[int], int]


class Restarting(Generic[B]):
    """Starts an engine when it is needed, and again when it must be another one.

    Args:
        name: registry name, for messages.
        start: from tokens of one step and the longest context to a started engine.
        budget: most tokens of one step; halved, with a new start, when memory runs out.
        use: what it is for.
    """

    def __init__(self, name: str, start: Callable[[int, int], B], budget: int, use: Use) -> None:
        self.name, self._start, self._budget, self._use = name, start, budget, use
        self._backend: B | None = None
        self._deaths = 0

    def run(self, longest: int, call: Callable[[B], R]) -> R:
        """What ``call`` makes of an engine that is ready for ``longest`` tokens of context.

        Raises:
            PrerequisiteError: memory runs out however few tokens are run together, vLLM dies again and again, or it
                fails for another reason.
        """
        while True:
            backend = self._ready(longest)
            try:
                return call(backend)
            except Exception as error:
                problem = self._cause(error)
                if not problem and isinstance(error, RuntimeError):
                    raise PrerequisiteError(
                        f"{self.name}: vLLM failed while it {self._use.verb}: {' '.join(str(error).split())}; "
                        f"{_LOUDER}, or use engine transformers"
                    ) from error
                if not problem:
                    raise
            del backend  # and outside the except clause: nothing may hold on to the engine's tensors
            self._shrink(longest, problem)

    def close(self) -> None:
        """Free the weights; calling it twice is harmless."""
        backend, self._backend = self._backend, None
        if backend is not None:
            backend.stop()

    def _ready(self, longest: int) -> B:
        """An engine that can take ``longest`` tokens, started anew if the present one was made for less."""
        if self._backend is not None and self._backend.max_tokens < longest:
            self.close()
        if self._backend is None:
            self._backend = self._start(self._budget, self._use.room(longest, self._budget))
        return self._backend

    def _cause(self, error: BaseException) -> str:
        """Why a run failed, if fewer tokens at a time may help; else empty."""
        if out_of_memory(error):
            return "vLLM ran out of memory"
        if type(error).__name__ == _DEAD:  # an engine in a process of its own does not tell what it died of
            self._deaths += 1
            return "vLLM's engine died, perhaps for want of memory"
        return ""

    def _shrink(self, longest: int, problem: str) -> None:
        try:
            self.close()
        except Exception as error:  # a dead engine may not answer; its process is gone all the same
            log.warning("%s: vLLM did not stop cleanly: %s", self.name, error)
        least = self._use.least(longest)
        if self._budget <= least or self._deaths > _RESTARTS:
            raise PrerequisiteError(
                f"{self.name}: {problem} with {self._budget} tokens a step and {self._use.longest} of {longest} "
                f"tokens; {self._use.advice}, or {_LOUDER}"
            )
        self._budget = max(least, self._budget // 2)
        log.warning("%s: %s: starting it again with %d tokens a step", self.name, problem, self._budget)
