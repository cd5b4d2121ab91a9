"""BERTScore of each usable paraphrase against its original (Zhang et al. 2020, arXiv 1904.09675).

Every token of one text is matched with the nearest token of the other, by the cosine of their contextual vectors;
precision and recall are the means over the paraphrase's and the original's tokens. No idf weights, no rescaling with a
baseline: neither changes much in texts of a few words, and tau-b sees only ranks within a language.

The vectors are those of a layer at three quarters of the depth, about where the authors' tuned layers lie (9 of 12 for
bert-base and bert-base-multilingual, 18 of 24 for bert-large), or the tuned one for models where that differs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from dualpair import languages, schemas
from dualpair.errors import InputError
from dualpair.measures.tables import ORIGINAL
from dualpair.models.registry import ModelEntry

if TYPE_CHECKING:
    import torch

    from dualpair.models.causal_lm import LoadedLM

CONTRACT = "bertscore/1"
BATCH = 64
# Layers that the authors tuned on judgements of people, where three quarters of the depth is another one.
TUNED = {"roberta-base": 10, "roberta-large": 17, "xlm-roberta-large": 17}
_SET = ["lang", "set_id"]
_PAIR = [*_SET, "variant_id"]


def entry_of(name: str, models: Mapping[str, ModelEntry]) -> ModelEntry:
    """The registry entry of a name, or one for a local folder.

    Args:
        name: what `analysis: wording: bertscore:` says.
        models: the registry, name to entry.

    Raises:
        InputError: neither a name of the registry nor a folder, or a model of another kind than masked.
    """
    key = "key `analysis.wording.bertscore`"
    if name in models:
        if models[name].kind != "masked":
            raise InputError(f"{key}: {name} is of kind {models[name].kind}; BERTScore needs a model of kind masked")
        return models[name]
    if Path(name).expanduser().is_dir():
        return ModelEntry(kind="masked", source=f"path:{name}", engine="transformers", dtype="float32")
    masked = sorted(other for other, entry in models.items() if entry.kind == "masked")
    raise InputError(
        f"{key}: {name!r} is neither a model of the registry nor a folder (masked models of the registry: "
        f"{', '.join(masked) or 'there are none yet'}); add a model of kind masked under `models`, name a folder, or "
        "give null, which computes no BERTScore"
    )


def files(folder: str) -> list[Path]:
    """Every file of a local model, sorted: what its scores depend on."""
    return sorted(path for path in Path(folder).expanduser().rglob("*") if path.is_file())


def layer(source: str, n_layers: int) -> int:
    """Layer whose output is compared, 1 to ``n_layers``.

    Args:
        source: the entry's source; its last part names the model.
        n_layers: layers of the model.
    """
    tuned = TUNED.get(source.rpartition(":")[2].rstrip("/").rpartition("/")[2].lower())
    return tuned if tuned is not None and tuned <= n_layers else max(1, math.floor(0.75 * n_layers + 0.5))


def pairs(augmented: pd.DataFrame) -> pd.DataFrame:
    """Every usable paraphrase with its set's original: columns lang, set_id, variant_id, source, attribute, sorted."""
    original = augmented.loc[augmented["variant_id"] == ORIGINAL, [*_SET, "attribute"]]
    others = augmented.loc[augmented["variant_id"] != ORIGINAL, [*_PAIR, "attribute"]]
    found = others.merge(original.rename(columns={"attribute": "source"}), on=_SET, validate="many_to_one")
    return found.sort_values(_PAIR, kind="stable").reset_index(drop=True)


def table(augmented: pd.DataFrame, lm: LoadedLM, at: int) -> pd.DataFrame:
    """The ``bertscores`` table.

    Args:
        augmented: the ``augmented`` table.
        lm: a masked model.
        at: layer, 1 to the number of layers.
    """
    found = pairs(augmented)
    prefix = [languages.get(str(lang)).joiner for lang in found["lang"]]
    texts = [
        [p + text.strip() for p, text in zip(prefix, found[name], strict=True)] for name in ("source", "attribute")
    ]
    found["bertscore"] = f1(lm, texts[0], texts[1], at)
    return found[schemas.table("bertscores").names]


def f1(lm: LoadedLM, references: Sequence[str], candidates: Sequence[str], at: int) -> list[float]:
    """BERTScore F1 of each candidate against its reference, at most 1; NaN where a text has no token.

    A score does not depend on the other pairs but for rounding: padding is masked.

    Args:
        lm: a masked model.
        references: n texts.
        candidates: n texts.
        at: layer, 1 to the number of layers.

    Raises:
        InputError: a text is longer than the model takes.
    """
    texts = sorted({*references, *candidates}, key=lambda text: (len(text), text))
    vectors = dict(_vectors(lm, texts, at))
    return [_match(vectors[one], vectors[other]) for one, other in zip(references, candidates, strict=True)]


def _match(reference: tuple[torch.Tensor, torch.Tensor], candidate: tuple[torch.Tensor, torch.Tensor]) -> float:
    """F1 of two texts, each its unit vectors (n, d) and which of its tokens count (n,).

    As in the authors' implementation the special tokens may be matched, but no token's mean counts them.
    """
    if not reference[1].any() or not candidate[1].any():
        return float("nan")
    cosines = candidate[0] @ reference[0].T
    precision = float(cosines.max(dim=1).values[candidate[1]].mean())
    recall = float(cosines.max(dim=0).values[reference[1]].mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _vectors(lm: LoadedLM, texts: Sequence[str], at: int) -> Iterator[tuple[str, tuple[torch.Tensor, torch.Tensor]]]:
    """Unit vectors of each text's tokens and which of them are no special tokens, on the CPU, in float32."""
    import torch

    body = lm.model.base_model
    limit = int(getattr(lm.model.config, "max_position_embeddings", 0) or 0)
    for start in range(0, len(texts), BATCH):
        batch = list(texts[start : start + BATCH])
        encoded = lm.tokenizer(batch, padding=True, return_tensors="pt", return_special_tokens_mask=True)
        special = encoded.pop("special_tokens_mask").bool()
        there = encoded["attention_mask"].bool()
        if limit and there.shape[1] > limit:
            raise InputError(f"{lm.name}: a wording has {there.shape[1]} tokens, the model takes {limit}")
        with torch.inference_mode():
            states = body(**encoded.to(lm.device), output_hidden_states=True).hidden_states[at]
        units = torch.nn.functional.normalize(states.float(), dim=-1).cpu()
        for text, vectors, used, extra in zip(batch, units, there, special, strict=True):
            yield text, (vectors[used].clone(), ~extra[used])
