"""Decoding a batch with transformers: prompts read as far as they differ, rows drawn one token at a time."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from dualpair import languages
from dualpair.generation import answers, constraints, encoding, sampling
from dualpair.generation.engines import Answer
from dualpair.generation.requests import GenerationRequest

if TYPE_CHECKING:
    import torch


class LoadedLM(Protocol):
    """What the engine needs of a loaded model (:mod:`dualpair.models.causal_lm`)."""

    @property
    def model(self) -> Any:
        """The transformers causal language model."""

    @property
    def tokenizer(self) -> Any:
        """Its tokenizer."""


@dataclass(slots=True)
class Row:
    """One answer in the making."""

    index: int
    request: GenerationRequest
    prompt_ids: tuple[int, ...]
    tokens: list[int] = field(default_factory=list)
    finish_reason: str = ""


class Head(NamedTuple):
    """Tokens that prompts begin with, and the cache after reading them; of: what they were made from."""

    ids: tuple[int, ...]
    cache: Any
    of: tuple[Any, ...] = ()

    def matches(self, prompts: Sequence[tuple[int, ...]]) -> bool:
        """Whether all prompts begin with it and go on."""
        size = len(self.ids)
        return all(len(prompt) > size and prompt[:size] == self.ids for prompt in prompts)


def read_head(lm: LoadedLM, ids: tuple[int, ...], of: tuple[Any, ...] = ()) -> Head:
    """Read tokens (none, too) that prompts begin with, once."""
    import torch
    from transformers import DynamicCache

    cache = DynamicCache(config=lm.model.config)
    if ids:
        device = lm.model.device
        head = torch.tensor([ids], device=device)
        _forward(lm, head, torch.ones_like(head), torch.ones((1, 0), dtype=torch.long, device=device), cache)
    return Head(ids, cache, of)


class _State(NamedTuple):
    """What the next step needs: (B, T) mask of the cached tokens, the cache, (B, V) last logits."""

    mask: torch.Tensor
    cache: Any
    logits: torch.Tensor


def decode(lm: LoadedLM, batch: list[Row], head: Head, whole_json: bool) -> list[Answer]:
    """Answer a batch of rows.

    Args:
        lm: model and tokenizer.
        batch: rows, whose tokens and finish_reason are filled in.
        head: what their prompts begin with; used where they all do.
        whole_json: whether a list ends with its JSON: a base model would go on with the next example.
    """
    import torch

    state = _prefill(lm, batch, head)
    ends = _end_tokens(lm)
    active = batch
    for step in range(max(int(row.request.sampling["max_new_tokens"]) for row in batch)):
        for row, token in zip(active, _draw_rows(lm.tokenizer, state.logits, active, step), strict=True):
            _append(lm.tokenizer, row, token, ends, whole_json)
        going = [position for position, row in enumerate(active) if not row.finish_reason]
        if not going:
            break
        if len(going) < len(active):
            keep = torch.tensor(going, device=state.mask.device)
            state.cache.batch_select_indices(keep)
            state = state._replace(mask=state.mask[keep])
            active = [active[position] for position in going]
        tokens = torch.tensor([[row.tokens[-1]] for row in active], device=state.mask.device)
        state = _forward(lm, tokens, torch.ones_like(tokens), state.mask, state.cache)
    return [Answer(_text(lm.tokenizer, row), row.finish_reason, len(row.prompt_ids), len(row.tokens)) for row in batch]


def _prefill(lm: LoadedLM, batch: list[Row], head: Head) -> _State:
    """Read the prompts: the tokens common to all once, the rest once per distinct prompt, then one row per sample."""
    import torch

    prompts = sorted({row.prompt_ids for row in batch})
    limit = getattr(lm.model.config, "max_position_embeddings", None)
    longest = max(map(len, prompts)) + max(int(row.request.sampling["max_new_tokens"]) for row in batch)
    if limit and longest > limit:
        raise ValueError(f"prompt and answer take {longest} tokens, the model reads {limit}")
    device = lm.model.device
    shared = min(common_length(prompts), min(map(len, prompts)) - 1)
    # A user message that merges with the tokens before it does not begin with the head.
    known = len(head.ids) if head.matches(prompts) else 0
    cache = copy.deepcopy(head.cache) if known else read_head(lm, ()).cache
    mask = torch.ones((1, known), dtype=torch.long, device=device)
    if shared > known:
        more = torch.tensor([prompts[0][known:shared]], device=device)
        mask = _forward(lm, more, torch.ones_like(more), mask, cache).mask
    if shared:
        cache.batch_repeat_interleave(len(prompts))
    mask = mask.repeat_interleave(len(prompts), dim=0)
    ids, own = _left_padded([prompt[shared:] for prompt in prompts], _pad_token(lm), device)
    state = _forward(lm, ids, own, mask, cache)
    where = {prompt: position for position, prompt in enumerate(prompts)}
    samples = torch.tensor([where[row.prompt_ids] for row in batch], device=device)
    state.cache.batch_select_indices(samples)
    return _State(state.mask[samples], state.cache, state.logits[samples])


def _forward(lm: LoadedLM, ids: torch.Tensor, own: torch.Tensor, before: torch.Tensor, cache: Any) -> _State:
    """One forward pass of (B, T) new tokens with their mask behind cached ones; returns the last token's logits."""
    import torch

    mask = torch.cat([before, own], dim=1)
    # Padding takes no position: a token's position is the number of real tokens before it.
    positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, before.shape[1] :]
    output = lm.model(
        input_ids=ids,
        attention_mask=mask,
        position_ids=positions,
        use_cache=True,
        logits_to_keep=1,
        **{_cache_argument(lm.model): cache},
    )
    # The cache is filled in place.
    return _State(mask, cache, output.logits[:, -1].float())


def _cache_argument(model: Any) -> str:
    """Name of the cache's argument: transformers 5.24 renamed ``past_key_values`` to ``cache`` in most families."""
    return "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"


def _draw_rows(tokenizer: Any, logits: torch.Tensor, rows: Sequence[Row], step: int) -> list[int]:
    """The next token of every row, from its (V,) float32 logits."""
    import torch

    wanted = [row.request.sampling for row in rows]
    vocabulary = logits.shape[1]
    # A few more candidates than asked for: some may be refused, and ties at the last place are settled by token id.
    width = max(vocabulary if s["temperature"] and not s["top_k"] else int(s["top_k"] or 1) + 8 for s in wanted)
    best = torch.topk(logits, min(width, vocabulary), dim=1)
    values, ids = best.values.cpu().numpy().astype(np.float32), best.indices.cpu().numpy().astype(np.int64)
    return [
        sampling.draw(
            values[position],
            ids[position],
            seed=row.request.seed,
            step=step,
            temperature=float(row.request.sampling["temperature"]),
            top_k=int(row.request.sampling["top_k"]),
            top_p=float(row.request.sampling["top_p"]),
            refused=functools.partial(_refused, tokenizer, row),
        )
        for position, row in enumerate(rows)
    ]


def _refused(tokenizer: Any, row: Row, token: int) -> bool:
    """Whether the token would write a word to avoid, or the last word of an attribute that is not to be repeated."""
    request = row.request
    if not request.avoid and not request.differ_from:
        return False
    text = _text(tokenizer, row, token)
    spaced = bool(languages.get(request.lang).joiner)
    return constraints.writes_avoided(text, request.avoid, spaced) or (
        spaced and constraints.repeats(text, request.differ_from)
    )


def _append(tokenizer: Any, row: Row, token: int, ends: frozenset[int], whole_json: bool) -> None:
    """Add a token to a row and say whether the row ends with it."""
    if token in ends:
        row.finish_reason = "stop"
        return
    row.tokens.append(token)
    if row.request.mode == "single":
        language = languages.get(row.request.lang)
        # A lone space before the mark or an empty line at the start ends the answer too: it is empty then.
        if answers.sentence_end(_text(tokenizer, row), language.final_marks, whole=False, language=language) >= 0:
            row.finish_reason = "stop"
            return
    elif (
        whole_json
        and set("]}") & set(tokenizer.decode([token]))
        and answers.json_strings(row.request.forced_prefix + _text(tokenizer, row))
    ):
        row.finish_reason = "stop"
        return
    if len(row.tokens) >= int(row.request.sampling["max_new_tokens"]):
        row.finish_reason = "length"


def _text(tokenizer: Any, row: Row, *more: int) -> str:
    return encoding.answer_text(tokenizer, row.prompt_ids, [*row.tokens, *more])


def _end_tokens(lm: LoadedLM) -> frozenset[int]:
    """Ids that end an answer: the generation config's and the tokenizer's."""
    configured = getattr(lm.model.generation_config, "eos_token_id", None)
    ids = configured if isinstance(configured, list) else [configured]
    return frozenset(int(token) for token in [*ids, lm.tokenizer.eos_token_id] if token is not None)


def _pad_token(lm: LoadedLM) -> int:
    # Padding is masked, so any id of the vocabulary will do.
    pad = lm.tokenizer.pad_token_id
    return int(pad) if pad is not None else 0


def common_length(prompts: Sequence[tuple[int, ...]] | Sequence[str]) -> int:
    """How many tokens (or characters) all begin with."""
    first, last = min(prompts), max(prompts)
    for position, (one, other) in enumerate(zip(first, last, strict=False)):
        if one != other:
            return position
    return min(len(first), len(last))


def _left_padded(
    sequences: Sequence[tuple[int, ...]], pad: int, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and mask, both (B, T), with padding on the left."""
    import torch

    width = max(map(len, sequences))
    ids = [[pad] * (width - len(sequence)) + list(sequence) for sequence in sequences]
    mask = [[0] * (width - len(sequence)) + [1] * len(sequence) for sequence in sequences]
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)
