"""Generation with transformers: shared prompts read once, one seed per row, sentences stopped where they end."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from dualpair import languages
from dualpair.generation import answers, constraints, sampling
from dualpair.generation.requests import GenerationRequest

if TYPE_CHECKING:
    import torch

_LOG = logging.getLogger(__name__)
# Tokens of the prompt's end that are decoded together with the answer, so that its first token keeps its space.
_TAIL = 8


class LoadedLM(Protocol):
    """What the engine needs of a loaded model (:mod:`dualpair.models.causal_lm`)."""

    @property
    def model(self) -> Any:
        """The transformers causal language model."""

    @property
    def tokenizer(self) -> Any:
        """Its tokenizer."""


class Answer(NamedTuple):
    """One answer: the text after the forced prefix, verbatim and with its final mark.

    finish_reason is ``stop`` (end of the sentence or of the answer), ``length`` (the limit came first) or ``error``.
    """

    text: str
    finish_reason: str
    prompt_tokens: int
    answer_tokens: int
    error: str = ""


@dataclass(slots=True)
class _Row:
    """One answer in the making."""

    index: int
    request: GenerationRequest
    prompt_ids: tuple[int, ...]
    tokens: list[int] = field(default_factory=list)
    finish_reason: str = ""


def generate(lm: LoadedLM, requests: Sequence[GenerationRequest], max_rows: int = 64) -> list[Answer]:
    """Answer every request, in input order.

    Rows are drawn from float32 logits with their own seeds (:func:`dualpair.generation.sampling.draw`), so a row's text
    does not depend on its neighbours but through rounding of the model's arithmetic. The tokens that all prompts of a
    batch share (instruction, examples) are read once, the prompt of a source once for all its samples.

    Args:
        lm: model and tokenizer; the tokenizer's chat template is used where there is one, else the examples are written
            as plain text (a prompt without examples is then refused).
        requests: any number; they are answered in batches of requests with the same prompt file.
        max_rows: rows decoded together; halved for a batch that does not fit in memory.

    Returns:
        One answer per request. A row that makes the model fail gets ``finish_reason`` ``error`` and the message.

    Raises:
        ValueError: if max_rows is under 1, or a prompt cannot be written for this tokenizer.
    """
    if max_rows < 1:
        raise ValueError(f"max_rows is {max_rows}, must be at least 1")
    rows = [_Row(index, request, tuple(encode_prompt(lm.tokenizer, request))) for index, request in enumerate(requests)]
    # Neighbours share as much of their prompt as possible; the index keeps the order total.
    rows.sort(key=lambda row: (row.request.prompt_id, row.request.task, row.prompt_ids, row.index))
    found: dict[int, Answer] = {}
    for batch in _batches(rows, max_rows):
        for row, answer in zip(batch, _answer_batch(lm, batch), strict=True):
            found[row.index] = answer
    return [found[index] for index in range(len(rows))]


def encode_prompt(tokenizer: Any, request: GenerationRequest) -> list[int]:
    """Token ids of the whole prompt, ending with the forced prefix.

    Text and prefix are encoded together, as the prefix would stand in a whole answer. The template writes the model's
    own special tokens; none is added to them (two BOS tokens are a known fault).

    Raises:
        ValueError: if the tokenizer has no chat template and the prompt has no examples, or its template refuses the
            messages.
    """
    messages = [{"role": role, "content": content} for role, content in request.context]
    messages.append({"role": "user", "content": request.prompt})
    if not getattr(tokenizer, "chat_template", None):
        ids = tokenizer(plain_prompt(request))["input_ids"]
    else:
        # enable_thinking is read by the templates of models that think before they answer, and ignored by others.
        text = tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
        ids = tokenizer(text + request.forced_prefix, add_special_tokens=False)["input_ids"]
    bos = tokenizer.bos_token_id
    if bos is not None and list(ids[:2]) == [bos, bos]:
        raise ValueError("the prompt begins with two BOS tokens: the chat template and the tokenizer both add one")
    return list(ids)


def plain_prompt(request: GenerationRequest) -> str:
    """The prompt as plain text for a base model: instruction, then each example as a message and its answer.

    Raises:
        ValueError: if there is no example, which alone tells a base model what to do.
    """
    roles = [role for role, _ in request.context]
    if "assistant" not in roles:
        raise ValueError(
            f"the model has no chat template and prompt {request.prompt_id} no examples; use an instruct model or a "
            "prompt with few_shot"
        )
    parts = [content + ("\n" if role == "user" else "\n\n") for role, content in request.context]
    return "".join([*parts, request.prompt, "\n", request.forced_prefix])


def _batches(rows: Sequence[_Row], max_rows: int) -> Iterator[list[_Row]]:
    """Consecutive rows of one prompt file, at most max_rows."""
    batch: list[_Row] = []
    for row in rows:
        if batch and (len(batch) == max_rows or batch[0].request.prompt_id != row.request.prompt_id):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _answer_batch(lm: LoadedLM, batch: list[_Row]) -> list[Answer]:
    """Answer a batch; one that fails is halved until the row at fault stands alone."""
    import torch

    try:
        with torch.inference_mode():
            _decode(lm, batch)
    except (RuntimeError, ValueError, IndexError) as error:
        message = f"{type(error).__name__}: {error}"
        for row in batch:
            row.tokens, row.finish_reason = [], ""
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
    else:
        return [_answer(lm.tokenizer, row) for row in batch]
    if len(batch) == 1:
        return [Answer("", "error", len(batch[0].prompt_ids), 0, " ".join(message.split()))]
    _LOG.warning("%d rows failed together (%s); halving them", len(batch), message)
    half = len(batch) // 2
    return _answer_batch(lm, batch[:half]) + _answer_batch(lm, batch[half:])


def _answer(tokenizer: Any, row: _Row) -> Answer:
    return Answer(_text(tokenizer, row), row.finish_reason, len(row.prompt_ids), len(row.tokens))


class _State(NamedTuple):
    """What the next step needs: (B, T) mask of the cached tokens, the cache, (B, V) last logits."""

    mask: torch.Tensor
    cache: Any
    logits: torch.Tensor


def _decode(lm: LoadedLM, batch: list[_Row]) -> None:
    """Fill in tokens and finish_reason of every row."""
    import torch

    state = _prefill(lm, batch)
    ends = _end_tokens(lm)
    active = batch
    for step in range(max(int(row.request.sampling["max_new_tokens"]) for row in batch)):
        for row, token in zip(active, _draw_rows(lm.tokenizer, state.logits, active, step), strict=True):
            _append(lm.tokenizer, row, token, ends)
        going = [position for position, row in enumerate(active) if not row.finish_reason]
        if not going:
            return
        if len(going) < len(active):
            keep = torch.tensor(going, device=state.mask.device)
            state.cache.batch_select_indices(keep)
            state = state._replace(mask=state.mask[keep])
            active = [active[position] for position in going]
        tokens = torch.tensor([[row.tokens[-1]] for row in active], device=state.mask.device)
        state = _forward(lm, tokens, torch.ones_like(tokens), state.mask, state.cache)


def _prefill(lm: LoadedLM, batch: list[_Row]) -> _State:
    """Read the prompts: the tokens common to all once, the rest once per distinct prompt, then one row per sample."""
    import torch
    from transformers import DynamicCache

    prompts = sorted({row.prompt_ids for row in batch})
    limit = getattr(lm.model.config, "max_position_embeddings", None)
    longest = max(map(len, prompts)) + max(int(row.request.sampling["max_new_tokens"]) for row in batch)
    if limit and longest > limit:
        raise ValueError(f"prompt and answer take {longest} tokens, the model reads {limit}")
    device = lm.model.device
    cache = DynamicCache(config=lm.model.config)
    mask = torch.ones((1, 0), dtype=torch.long, device=device)
    shared = min(_common_length(prompts), min(map(len, prompts)) - 1)
    if shared:
        head = torch.tensor([prompts[0][:shared]], device=device)
        mask = _forward(lm, head, torch.ones_like(head), mask, cache).mask
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


def _draw_rows(tokenizer: Any, logits: torch.Tensor, rows: Sequence[_Row], step: int) -> list[int]:
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


def _refused(tokenizer: Any, row: _Row, token: int) -> bool:
    """Whether the token would write a word to avoid, or the last word of an attribute that is not to be repeated."""
    request = row.request
    if not request.avoid and not request.differ_from:
        return False
    text = _text(tokenizer, row, token)
    spaced = bool(languages.get(request.lang).joiner)
    return constraints.writes_avoided(text, request.avoid, spaced) or (
        spaced and constraints.repeats(text, request.differ_from)
    )


def _append(tokenizer: Any, row: _Row, token: int, ends: frozenset[int]) -> None:
    """Add a token to a row and say whether the row ends with it."""
    if token in ends:
        row.finish_reason = "stop"
        return
    row.tokens.append(token)
    if row.request.mode == "single":
        marks = languages.get(row.request.lang).final_marks
        # A lone space before the mark or an empty line at the start ends the answer too: it is empty then.
        if answers.sentence_end(_text(tokenizer, row), marks, whole=False) >= 0:
            row.finish_reason = "stop"
            return
    if len(row.tokens) >= int(row.request.sampling["max_new_tokens"]):
        row.finish_reason = "length"


def _text(tokenizer: Any, row: _Row, *more: int) -> str:
    """The answer's text after the prompt; decoded with the prompt's end, since a first token alone loses its space."""
    tail = list(row.prompt_ids[-_TAIL:])
    before = tokenizer.decode(tail, clean_up_tokenization_spaces=False)
    whole = tokenizer.decode([*tail, *row.tokens, *more], clean_up_tokenization_spaces=False)
    return str(whole[len(before) :])


def _end_tokens(lm: LoadedLM) -> frozenset[int]:
    """Ids that end an answer: the generation config's and the tokenizer's."""
    configured = getattr(lm.model.generation_config, "eos_token_id", None)
    ids = configured if isinstance(configured, list) else [configured]
    return frozenset(int(token) for token in [*ids, lm.tokenizer.eos_token_id] if token is not None)


def _pad_token(lm: LoadedLM) -> int:
    # Padding is masked, so any id of the vocabulary will do.
    pad = lm.tokenizer.pad_token_id
    return int(pad) if pad is not None else 0


def _common_length(prompts: Sequence[tuple[int, ...]]) -> int:
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
