"""A warm start: the weights of a trained model in a new one that knows other words, or has another layer."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

# Which axis of a weight counts the entries of which vocabulary, and how many first entries have no weight there.
_ENTRIES = MappingProxyType(
    {
        "word_emb.weight": (0, "word", 0),
        "lemma_emb.weight": (0, "lemma", 0),
        "charmodel.char_emb.weight": (0, "char", 0),
        "upos_emb.weight": (0, "upos", 0),
        "xpos_emb.weight": (0, "xpos", 0),
        "upos_clf.weight": (0, "upos", 0),
        "upos_clf.bias": (0, "upos", 0),
        "tag_clf.xpos.W_bilin.weight": (0, "xpos", 0),
        "tag_clf.xpos.W_bilin.bias": (0, "xpos", 0),
        "deprel.scorer.W_bilin.weight": (2, "deprel", 4),
        "deprel.scorer.W_bilin.bias": (0, "deprel", 4),
    }
)


def warm_start(model: Any, vocab: Any, base: Path) -> int:
    """Copy the weights of a saved tagger or parser into a model, entry by entry where they belong to a vocabulary.

    Weights that the saved model lacks, or that have another shape in it, stay as they are.

    Args:
        model: stanza's tagger or parser model, changed in place.
        vocab: its vocabularies.
        base: file of the saved model.

    Returns:
        How many weights (tensors) were copied, in whole or in part.
    """
    import torch
    from stanza.models.pos.vocab import MultiVocab

    checkpoint = torch.load(base, map_location="cpu", weights_only=True)
    before, known = checkpoint["model"], MultiVocab.load_state_dict(checkpoint["vocab"])
    copied = 0
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name not in before:
                continue
            old = before[name].float()
            if name in _ENTRIES:
                axis, kind, skipped = _ENTRIES[name]
                pairs = _shared(known[kind], vocab[kind], skipped)
                new, places = (torch.tensor(ids) for ids in zip(*pairs, strict=True))
                weight.index_copy_(axis, new, old.index_select(axis, places))
            elif old.shape == weight.shape:
                weight.copy_(old)
            else:
                continue
            copied += 1
    return copied


def _shared(old: Any, new: Any, skipped: int) -> list[tuple[int, int]]:
    """(place in the new, place in the old) of the entries that both vocabularies have."""
    places = {unit: i for i, unit in enumerate(old._id2unit)}
    return [
        (i - skipped, places[unit] - skipped)
        for i, unit in enumerate(new._id2unit)
        if i >= skipped and places.get(unit, -1) >= skipped
    ]
