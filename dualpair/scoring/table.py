"""Scores as a frame with the columns of the `scores` table."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dualpair import schemas
from dualpair.scoring.context import NO_CONTEXT, Context
from dualpair.scoring.engine import Failure, Label
from dualpair.scoring.rows import ScoredRow, rows_of, score_columns
from dualpair.scoring.tokenisation import encode_each, encode_pairs
from dualpair.sentences import sentence_id

if TYPE_CHECKING:
    import pandas as pd

    from dualpair.models.registry import ModelEntry
    from dualpair.scoring.engine import Engine

log = logging.getLogger(__name__)

SCORING_FAILED = "scoring_failed"
SCORING_KINDS = ("causal", "masked")


def builtin_entry(name: str) -> ModelEntry:
    """A model of the built-in registry that can score.

    Raises:
        ValueError: no such model, or one of another kind.
    """
    from dualpair.models.registry import ModelEntry, builtin_models

    models = {key: ModelEntry.model_validate(entry) for key, entry in builtin_models().items()}
    return scoring_entry(models, name, "resources/models.yaml")


def scoring_entry(models: Mapping[str, ModelEntry], name: str, origin: str) -> ModelEntry:
    """A model of a registry that can score.

    Raises:
        ValueError: no such model, or one of another kind; `origin` is where the registry was read.
    """
    usable = sorted(key for key, entry in models.items() if entry.kind in SCORING_KINDS)
    if name not in usable:
        raise ValueError(
            f"model {name!r} is no causal model and no masked model of {origin} (allowed: {', '.join(usable)})"
        )
    return models[name]


@contextmanager
def opened(
    entry: ModelEntry, name: str, token_budget: int = 4096, device: str = "auto", offline: bool = True
) -> Iterator[Engine]:
    """A loaded engine of the entry's dtype, closed at the end.

    Args:
        entry: the model's registry entry.
        name: its name.
        token_budget: most tokens of a forward pass.
        device: auto, cpu, cuda or mps.
        offline: never contact a model hub.
    """
    from dualpair.scoring.engines import open_engine

    engine: Engine = open_engine(entry, name, entry.dtype, device, token_budget, offline)
    try:
        yield engine
    finally:
        engine.close()


def scores_frame(
    engine: Engine,
    pairs: Sequence[tuple[str, str]],
    context: Context = NO_CONTEXT,
    tokens: bool = False,
    revision: str = "",
) -> pd.DataFrame:
    """Score pairs and lay them out as the `scores` table, in input order.

    Args:
        engine: a loaded engine.
        pairs: (prefix, continuation), verbatim.
        context: what stands in front of every text.
        tokens: whether to fill the token columns.
        revision: fingerprint of the weights, for the column of that name.

    Returns:
        A frame; a pair that the engine could not score has `kept` false, and its reason is logged.

    Raises:
        ValueError: a pair that cannot be encoded, named by its row number (from 0).
        InputError: a chat template is asked for and the model has none.
    """
    scored = rows_of(engine, encode_pairs(engine.tokenizer, pairs, engine.bos, context))
    for number, row in enumerate(scored):
        if isinstance(row, Failure):
            log.warning("%s: row %d was not scored: %s", engine.label.name, number, row.reason)
    return frame_of(engine.label, pairs, scored, tokens, revision)


def score_each(
    engine: Engine, pairs: Sequence[tuple[str, str]], context: Context = NO_CONTEXT
) -> list[ScoredRow | Failure]:
    """Score pairs; one that cannot be encoded or scored is a `Failure` in its place.

    Raises:
        InputError: a chat template is asked for and the model has none.
    """
    return rows_of(engine, encode_each(engine.tokenizer, pairs, engine.bos, context, engine.label.name))


def frame_of(
    label: Label,
    pairs: Sequence[tuple[str, str]],
    scored: Sequence[ScoredRow | Failure],
    tokens: bool = False,
    revision: str = "",
) -> pd.DataFrame:
    """Scored pairs as the `scores` table, in their order."""
    import pandas as pd

    rows = [table_row(label, pair, row, tokens, revision) for pair, row in zip(pairs, scored, strict=True)]
    return pd.DataFrame(rows, columns=schemas.table("scores").names)


def table_row(
    label: Label, pair: tuple[str, str], row: ScoredRow | Failure, tokens: bool = False, revision: str = ""
) -> dict[str, object]:
    """One row of the `scores` table."""
    prefix, continuation = pair
    scored = None if isinstance(row, Failure) else row
    return {
        "sentence_id": sentence_id(prefix, continuation),
        "prefix": prefix,
        "continuation": continuation,
        "model": label.name,
        **score_columns(scored, prefix, continuation, tokens),
        "model_revision": revision,
        "dtype": label.dtype,
        "quantisation": label.quantisation,
        "engine": label.engine,
        "kept": scored is not None,
        "reason": "" if scored else SCORING_FAILED,
    }
