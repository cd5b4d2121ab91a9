"""The words of a tokenised text: which subword tokens the tokenizer made from one word.

A word is what the tokenizer itself cuts off before it looks for subwords (`word_ids()` of a fast tokenizer):
WordPiece: a run of letters, one punctuation mark, one Chinese character; `##` continues a word. Byte-level BPE: a run
of letters with the space before it, digits, or punctuation. Sentencepiece: everything between two spaces, the final
mark included, so that a Chinese clause without spaces is one word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_OPENS_WORD = ("▁", "Ġ", "Ċ", "ĉ")  # sentencepiece's space; byte-level space, line feed, tab


def word_numbers(tokenizer: Any, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Number the words of each row; neighbouring tokens with equal numbers belong to one word.

    The row is decoded and tokenised again, which gives the tokenizer's own words. Where that does not lead back to the
    same ids (an unknown token hides what it stands for), the marks in the tokens decide. A special token is a word of
    its own.

    Args:
        tokenizer: a fast tokenizer of transformers.
        rows: token ids; special tokens in front are allowed.

    Returns:
        For each row one number per token, not decreasing.
    """
    special = set(tokenizer.all_special_ids)
    fronts = [next((i for i, token in enumerate(row) if token not in special), len(row)) for row in rows]
    cores = [list(row[front:]) for row, front in zip(rows, fronts, strict=True)]
    texts = [tokenizer.decode(core, skip_special_tokens=False, clean_up_tokenization_spaces=False) for core in cores]
    again: Any = tokenizer(texts, add_special_tokens=False, verbose=False) if texts else {"input_ids": []}
    found = []
    for number, (front, core) in enumerate(zip(fronts, cores, strict=True)):
        faithful = tokenizer.unk_token_id not in core and again["input_ids"][number] == core
        words = again.word_ids(number) if faithful else _by_marks(tokenizer, core)
        found.append([*range(front), *(front + n for n in _consecutive(words))])
    return found


def _consecutive(words: Sequence[int | None]) -> list[int]:
    """Numbers 0, 1, 2, ... that change where the word changes; a token without a word is one of its own."""
    numbers: list[int] = []
    for i, word in enumerate(words):
        new = i > 0 and (word is None or word != words[i - 1])
        numbers.append(numbers[-1] + new if numbers else 0)
    return numbers


def _by_marks(tokenizer: Any, ids: Sequence[int]) -> list[int | None]:
    """Word numbers from the marks that subword tokens carry; None for an added token."""
    model = tokenizer.backend_tokenizer.model
    added = set(tokenizer.get_added_vocab().values()) - {tokenizer.unk_token_id}
    joins = getattr(model, "continuing_subword_prefix", None) if type(model).__name__ == "WordPiece" else None
    closes = getattr(model, "end_of_word_suffix", None)
    tokens = tokenizer.convert_ids_to_tokens(list(ids))
    words: list[int | None] = []
    word = 0
    for i, (token_id, token) in enumerate(zip(ids, tokens, strict=True)):
        if joins:
            opens = not token.startswith(joins)
        elif closes:
            opens = i > 0 and tokens[i - 1].endswith(closes)
        else:
            opens = token.startswith(_OPENS_WORD)
        word += opens
        words.append(None if token_id in added else word)
    return words
