"""Two layers of stanza's models computed faster, to the same values up to rounding, while training.

PyTorch's bilinear layer builds its products element by element, and stanza reads each word's characters anew each time
that the word occurs in a batch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def quick_layers() -> Iterator[None]:
    """Inside this context bilinear layers are one matrix product, and a batch's distinct words are read once."""
    import torch
    from stanza.models.common.char_model import CharacterModel

    product: Any = torch.nn.Bilinear
    reader: Any = CharacterModel
    bilinear, characters = product.forward, reader.forward

    def read(self: Any, chars: Any, mask: Any, order: Any, sentences: Any, lengths: Any) -> Any:
        if self.pad or not self.attn:
            return characters(self, chars, mask, order, sentences, lengths)
        return _read_once(self, chars, order, sentences)

    product.forward, reader.forward = _bilinear, read
    try:
        yield
    finally:
        product.forward, reader.forward = bilinear, characters


def _bilinear(self: Any, left: Any, right: Any) -> Any:
    from torch.nn.functional import linear

    return linear((left.unsqueeze(-1) * right.unsqueeze(-2)).flatten(-2), self.weight.flatten(1), self.bias)


def _read_once(self: Any, chars: Any, order: Any, sentences: Any) -> Any:
    """As ``CharacterModel.forward``; the dropout of a word is the same wherever it occurs in the batch."""
    import torch
    from stanza.models.common.utils import tensor_unsort
    from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pack_sequence, pad_packed_sequence

    words, place = torch.unique(chars, dim=0, return_inverse=True)
    lengths, by_length = (words != 0).sum(1).sort(descending=True)
    words = words[by_length]
    layers = self.num_dir * self.args["char_num_layers"]
    shape = (layers, len(words), self.args["char_hidden_dim"])
    start = tuple(one.expand(shape).contiguous() for one in (self.charlstm_h_init, self.charlstm_c_init))
    packed = pack_padded_sequence(self.dropout(self.char_emb(words)), lengths, batch_first=True)
    states, _ = self.charlstm(packed, lengths, hx=start)
    weights = torch.sigmoid(self.char_attn(self.dropout(states.data)))
    weighted = PackedSequence(states.data * weights, states.batch_sizes)
    sums = pad_packed_sequence(weighted, batch_first=True)[0].sum(1)
    found = sums[by_length.argsort()[place]]
    return pack_sequence(tensor_unsort(found, order).split(sentences))
