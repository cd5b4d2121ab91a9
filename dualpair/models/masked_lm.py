"""Loading masked language models (BERT and its kin) through transformers."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import checkpoint, fingerprint, weights
from dualpair.models import quantisation as quantisations
from dualpair.models.causal_lm import (
    LoadedLM,
    check_device,
    check_vocabulary,
    checked_folder,
    load_arguments,
    load_tokenizer,
)
from dualpair.models.device import resolve_device, resolve_dtype
from dualpair.models.registry import ModelEntry

log = logging.getLogger(__name__)


def load_entry(entry: ModelEntry, name: str, dtype: str, device: str, offline: bool = True) -> LoadedLM:
    """Load a masked model as its registry entry says: weights, subfolder, tokenizer, quantisation, BOS.

    Args:
        entry: of kind masked.
        name: registry name.
        dtype: auto, bfloat16, float32 or float16; usually the one that the plan resolved.
        device: auto, cpu, cuda or mps.
        offline: never contact a hub.

    Raises:
        ValueError: an entry of another kind, or one that asks for several GPUs; else as `load`.
    """
    if entry.kind != "masked":
        raise ValueError(f"{name}: kind {entry.kind} is no masked model")
    if entry.gpus > 1:
        raise InputError(f"{name}: `gpus: {entry.gpus}`: a masked model runs on one device (allowed: 0 or 1)")
    return load(
        fingerprint.location(entry.source, entry.revision),
        entry.revision,
        dtype,
        device,
        offline,
        entry.bos,
        name,
        subfolder=entry.subfolder,
        tokenizer=fingerprint.location(entry.tokenizer, entry.tokenizer_revision) if entry.tokenizer else "",
        tokenizer_revision=entry.tokenizer_revision,
        quantisation=entry.quantisation,
    )


def load(
    source: Path | str,
    revision: str = "",
    dtype: str = "auto",
    device: str = "auto",
    offline: bool = True,
    bos: str = "auto",
    name: str = "",
    *,
    subfolder: str = "",
    tokenizer: Path | str = "",
    tokenizer_revision: str = "",
    quantisation: str = "auto",
) -> LoadedLM:
    """Load a masked model and its tokenizer. What can be checked before torch is imported is checked first.

    Args:
        source: a local folder or a hub id (`ORG/NAME`).
        revision: commit of a hub id; ignored for a folder.
        dtype: auto, bfloat16, float32 or float16.
        device: auto, cpu, cuda or mps.
        offline: never contact a hub; a hub id must then be in the local hub cache.
        bos: policy of the scoring contract: auto (what the tokenizer adds, [CLS] or <s>), none or a token.
        name: what messages call the model; by default the source.
        subfolder: folder inside the source that holds weights, config and, unless another is given, tokenizer.
        tokenizer: folder or hub id of another tokenizer than the one beside the weights.
        tokenizer_revision: its commit, for a hub id.
        quantisation: auto, or the label that the weights must have (`quantisation.agreed`).

    Raises:
        ValueError: a hub id without revision, an unknown dtype or device, a subfolder that is not there, a quantisation
            that is not the checkpoint's, an encoder-decoder, or float16 that overflows.
        PrerequisiteError: torch cannot use the device, the weights are not there as safetensors or lack the head that
            predicts masked tokens, or there is no fast tokenizer with a mask token.
    """
    where = load_arguments(source, revision, offline, subfolder)
    device = resolve_device(device)
    dtype = resolve_dtype(dtype, device)
    label = name or str(source)
    folder = checked_folder(where, tokenizer=not tokenizer)
    if checkpoint.config(folder).get("is_encoder_decoder"):
        raise InputError(
            f"{label}: an encoder-decoder has no masked scores of a text: `kind: masked` is for encoders such as BERT, "
            "RoBERTa, DeBERTa or ModernBERT"
        )
    quantised = quantisations.of_folder(folder, quantisation, str(source))
    check_device(device)
    if not sys.stderr.isatty():
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    tokens = load_tokenizer(load_arguments(tokenizer, tokenizer_revision, offline) if tokenizer else where)
    check_mask_token(tokens, label)
    model, quantised = _weights(where, dtype, device, quantised, label)
    check_vocabulary(tokens, model, str(tokenizer) or str(folder), label)
    if dtype == "float16":
        weights.check_float16(model, device, label)
    attention = getattr(model.config, "_attn_implementation", "unknown")
    log.info("%s: masked, %s on %s, quantisation %s, attention %s", label, dtype, device, quantised, attention)
    return LoadedLM(label, model, tokens, device, dtype, bos, quantised)


def check_mask_token(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer that cannot mask.

    Raises:
        PrerequisiteError: it has no mask token.
    """
    if tokenizer.mask_token_id is None:
        raise PrerequisiteError(
            f"{name}: its tokenizer has no mask token, so it is no masked language model; use `kind: causal`, or set "
            "`tokenizer:` of the model's entry to a tokenizer with a mask token"
        )


def _weights(where: dict[str, Any], dtype: str, device: str, quantised: str, label: str) -> tuple[Any, str]:
    """The model on its device, and its quantisation as run.

    Published DeBERTa checkpoints keep their head under the names of the original code (`legacy: false`), which their
    config does not say.
    """
    from transformers import AutoConfig, AutoModelForMaskedLM

    config = AutoConfig.from_pretrained(**where)
    arguments = {**where, "config": config}
    try:
        return weights.load(AutoModelForMaskedLM, arguments, dtype, device, 0, quantised, label)
    except PrerequisiteError as error:
        saved_as = config.architectures or []
        if not getattr(config, "legacy", False):
            if not saved_as or any("MaskedLM" in str(name) for name in saved_as):
                raise
            raise PrerequisiteError(
                f"{error}. It was saved as {', '.join(saved_as)}; a masked model needs the head that predicts masked "
                "tokens (of ELECTRA it is in the generator)"
            ) from error
    config.legacy = False
    loaded = weights.load(AutoModelForMaskedLM, arguments, dtype, device, 0, quantised, label)
    log.info("%s: head read under the names of the original DeBERTa code", label)
    return loaded
