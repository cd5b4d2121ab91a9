"""What a run knows already of how similar two of its sentences are: its similarity filter's vectors, from the store.

No model is loaded. The filter has embedded the sentences of every accepted pair, so the cosine of any two is at hand.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from dualpair import store
from dualpair.models.registry import ModelEntry
from dualpair.stages import identity, similarity
from dualpair.validation.mismatch import Similarity, Vectors


def of_store(root: Path | str, model: str, entry: ModelEntry, device: str, threshold: float) -> Similarity:
    """The filter of a run, by the answers that the store holds.

    Args:
        root: folder of the store.
        model: registry name of the encoder.
        entry: its registry entry.
        device: as given to the run.
        threshold: cosine from which on the filter lets a paraphrase pass.
    """

    def vectors(texts: Collection[str]) -> Vectors:
        who = identity.identity(entry, device, similarity.contract())
        keys = {text: store.request_key(who, {"text": text}) for text in sorted(texts)}
        found = store.Store(root).space(similarity.KIND, model, who).get(keys.values())
        held = set(found)
        return {text: store.decode_vector(found[key]["vector"]) for text, key in keys.items() if key in held}

    return Similarity(vectors, threshold)
