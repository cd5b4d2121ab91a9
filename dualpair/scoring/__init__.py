"""Scoring: how likely a language model finds a text. This is the contract that every engine obeys.

1. Text. What is scored is `prefix + continuation`, verbatim. The word-boundary space belongs to the continuation
   (" talk a lot."); Chinese has none. The text is tokenised once, whole, together with its context; the continuation
   begins at the first token whose end lies beyond the prefix, by character offsets. A token that straddles the boundary
   counts as continuation and sets `boundary_merge`. A character is never split. An empty continuation is an error.
2. Final mark. It is part of the continuation.
3. BOS stands in front exactly once, also where the text or the chat template writes it. Policy of the model: `auto`
   (what the tokenizer adds; if nothing, the document separator, else its BOS or EOS token), `none`, or a given token.
   The token used is recorded in every row. The [CLS] or <s> of a masked model counts as BOS; its final [SEP] or </s> is
   no part of the row's `ids`: the engine adds it.
4. Score of a token: a causal model's natural log-probability given all tokens before it; a masked model's given the
   others (pseudo-log-likelihood; which tokens are masked with the scored one is `pll` of the model). Both stand in the
   same place of the row. Float32 logits, normaliser accumulated in float64. Every token after the first is scored.
5. Context. Raw text for base and instruct models alike, unless a context is asked for: a text, put in front verbatim
   (without a space of our own), or a chat (`chat_template`), whose user says a given message and whose assistant begins
   with the text; a template that prints today's date is given 1 January 2025. A token that straddles context and prefix
   counts as prefix. The context is conditioned on and enters no sum. It is part of the row's key; no context is none.
6. Row. ids = BOS (`n_bos`), context (`n_context`), prefix and continuation (`n_prefix` stand before the latter);
   `logprobs`, in nats, one for each of ids[1:]; `ends`, for each token of prefix and continuation the character at
   which it ends. Every switch below is computed from the stored row without scoring again (`dualpair.measures.spans`).
7. Scope, what a score sums over. `attribute`: the continuation (arXiv 2610.08747). `sentence`: all scored tokens of
   prefix and continuation, as CrowS-Pairs does. `divergent`: from the first token, by id, at which the sentences of all
   groups of one (set, variant, side) differ, as SHADES and EuroGEST do; a sentence that ends before it has no such
   score and its variant is dropped with the reason `no_divergent_token`. With nothing before the prefix (no BOS and no
   context) its first token has no log-probability and is left out of the latter two.
8. Normalisation, what the sum is divided by. `mean`: scored tokens, so that x of arXiv 2610.08747 is logprob_sum /
   n_tokens; `sum`: 1; `char`: code points of the scored text; `byte`: its UTF-8 bytes. The text of `attribute` is the
   continuation, also where a token straddles the boundary; that of the others begins where the token before the first
   scored one ends, and a character that several tokens share counts when one of them is scored.
9. Batches. A sentence's score does not depend on its batch: in float32 within 1e-3 nats of scoring it alone.
10. Engines (`dualpair.scoring.engine`) are given encoded texts and give back log-probabilities; tokenisation, rows,
   sums and tables are the same for all. dtype, engine and quantisation as run are recorded in every row. vLLM and
   servers are sent token ids, and the tokens that they answer for are compared with those sent.
11. Failures. A text that cannot be encoded or scored, or has a log-probability that is not finite, is a row with its
   reason and takes no other with it. So is a text that spells out a special token, but for BOS at its beginning and the
   unknown token, or that holds half a character. A context that the model cannot be given stops everything before any
   scoring.

`CONTRACT_VERSION` is part of the key of every stored score: it is raised when any of points 1 to 6 changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from dualpair.scoring.context import Context
    from dualpair.scoring.engine import Engine

CONTRACT_VERSION = 2


def score(
    model: Engine | str,
    pairs: Sequence[tuple[str, str]],
    context: Context | None = None,
    tokens: bool = False,
    token_budget: int = 4096,
) -> pd.DataFrame:
    """Score (prefix, continuation) pairs; needs the engine's libraries (torch for built-in models).

    Args:
        model: a loaded engine, or a name of the built-in registry (`resources/models.yaml`), loaded and closed here.
        pairs: texts, verbatim; the space between words begins the continuation.
        context: what stands in front of every text (`dualpair.scoring.context`); None for nothing.
        tokens: fill the columns token_ids, token_logprobs and token_ends.
        token_budget: most tokens of a forward pass, for a model that is loaded here.

    Returns:
        A frame in input order with the columns of the `scores` table (log-probabilities in nats). A pair that the model
        could not score has `kept` false; the log says why.

    Raises:
        ValueError: an unknown model name, one that cannot score, or a continuation that cannot be scored.
    """
    from dualpair.scoring.context import NO_CONTEXT
    from dualpair.scoring.table import builtin_entry, opened, scores_frame

    chosen = NO_CONTEXT if context is None else context
    if not isinstance(model, str):
        return scores_frame(model, pairs, chosen, tokens)
    with opened(builtin_entry(model), model, token_budget) as engine:
        return scores_frame(engine, pairs, chosen, tokens)
