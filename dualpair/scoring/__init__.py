"""Scoring: how likely a language model finds a text. This is the contract that every engine obeys.

1. The text is `prefix + continuation`, verbatim. The word-boundary space belongs to the continuation (" talk a lot.");
   Chinese has none. The text is tokenised once, whole; the continuation begins at the first token whose end lies beyond
   the prefix, by character offsets. A token that straddles the boundary counts as continuation and sets
   `boundary_merge`. An empty continuation is an error.
2. The final mark is part of the continuation.
3. BOS stands in front exactly once. Policy of the model: `auto` (what the tokenizer adds; if nothing, the document
   separator, else its BOS or EOS token), `none`, or a given token. The token used is recorded in every row.
4. The score of a token is its natural log-probability given all tokens before it: float32 logits, normaliser
   accumulated in float64. Every token after the first is scored and kept; sums, means, per character, per byte and
   whole sentence are computed from that row. x (arXiv 2610.08747) is logprob_sum / n_tokens of the continuation.
5. Raw text for base and instruct models alike.
6. A sentence's score does not depend on its batch: in float32 within 1e-3 nats of scoring it alone.

`CONTRACT_VERSION` is part of the key of every stored score: it is raised when any of this changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from dualpair.models.causal_lm import LoadedLM

CONTRACT_VERSION = 1


def score(model: LoadedLM | str, pairs: Sequence[tuple[str, str]], token_budget: int = 4096) -> pd.DataFrame:
    """Score (prefix, continuation) pairs; needs torch.

    Args:
        model: a loaded model, or a name of the built-in registry (`resources/models.yaml`).
        pairs: texts, verbatim; the space between words begins the continuation.
        token_budget: most tokens of a forward pass.

    Returns:
        A frame in input order with the columns of the `scores` table (log-probabilities in nats).

    Raises:
        ValueError: an unknown model name, one that is no causal model, or a continuation that cannot be scored.
    """
    from dualpair.scoring.table import load_named, scores_frame

    lm = load_named(model) if isinstance(model, str) else model
    return scores_frame(lm, pairs, token_budget)
