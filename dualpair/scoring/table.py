"""Scores as a frame with the columns of the `scores` table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dualpair import schemas
from dualpair.scoring.causal import ScoredRow, score_rows
from dualpair.scoring.tokenisation import encode_pairs, resolve_bos
from dualpair.sentences import sentence_id

if TYPE_CHECKING:
    import pandas as pd

    from dualpair.models.causal_lm import LoadedLM


def load_named(name: str) -> LoadedLM:
    """Load a causal model of the built-in registry by its name.

    Raises:
        ValueError: no such model, or one of another kind.
    """
    from dualpair.config import builtin_models
    from dualpair.models.causal_lm import load
    from dualpair.models.fingerprint import location
    from dualpair.models.registry import ModelEntry

    models = {key: ModelEntry.model_validate(entry) for key, entry in builtin_models().items()}
    causal = sorted(key for key, entry in models.items() if entry.kind == "causal")
    if name not in causal:
        raise ValueError(f"model {name!r} is no causal model of resources/models.yaml (allowed: {', '.join(causal)})")
    entry = models[name]
    return load(location(entry.source, entry.revision), entry.revision, entry.dtype, "auto", bos=entry.bos, name=name)


def scores_frame(lm: LoadedLM, pairs: Sequence[tuple[str, str]], token_budget: int = 4096) -> pd.DataFrame:
    """Score pairs and lay them out as the `scores` table, in input order (the revision column is left empty)."""
    import pandas as pd

    encoded = encode_pairs(lm.tokenizer, pairs, resolve_bos(lm.tokenizer, lm.bos))
    scored = score_rows(lm, encoded, token_budget)
    rows = [table_row(lm, pair, row) for pair, row in zip(pairs, scored, strict=True)]
    return pd.DataFrame(rows, columns=schemas.table("scores").names)


def table_row(lm: LoadedLM, pair: tuple[str, str], row: ScoredRow, revision: str = "") -> dict[str, object]:
    """One row of the `scores` table."""
    prefix, continuation = pair
    return {
        "sentence_id": sentence_id(prefix, continuation),
        "prefix": prefix,
        "continuation": continuation,
        "model": lm.name,
        **row.sums()._asdict(),
        "boundary_merge": row.boundary_merge,
        "model_revision": revision,
        "dtype": lm.dtype,
        "quantisation": "none",
        "engine": "transformers",
        "bos_policy": row.bos_policy,
        "kept": True,
        "reason": "",
    }
