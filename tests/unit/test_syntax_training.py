"""Training the small parsers: the faster layers, and the warm start from an older model."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dualpair.syntax.treebank.lexicon import Lexicon
from dualpair.syntax.treebank.quick import quick_layers
from dualpair.syntax.treebank.warm import warm_start

# Whether half of the invented words keep their ending: 200 draws, a deviation of five standard errors.
DRAWS, TOLERANCE = 200, 0.18


def test_half_of_the_invented_words_without_nuclei_keep_their_last_letter() -> None:
    lists = {"open": ["people"], "people": ["船工"], "onsets": ["山", "水"], "nuclei": []}
    lex = Lexicon(lists, random.Random(3), invented=1.0)
    words = [lex.draw("people")[0] for _ in range(DRAWS)]
    kept = sum(word.endswith("工") for word in words) / DRAWS
    assert abs(kept - 0.5) < TOLERANCE
    assert all(set(word[:-1]) <= {"山", "水"} for word in words)


@pytest.mark.stanza
def test_a_bilinear_layer_gives_the_same_as_one_product() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    layer = torch.nn.Bilinear(5, 3, 4)
    left, right = torch.randn(7, 5), torch.randn(7, 3)
    slow = layer(left, right)
    with quick_layers():
        quick = layer(left, right)
    assert torch.allclose(slow, quick, atol=1e-6)
    assert layer.forward.__func__ is torch.nn.Bilinear.forward


@pytest.mark.stanza
def test_distinct_words_read_once_give_the_same_as_all_words() -> None:
    torch = pytest.importorskip("torch")
    from stanza.models.common.char_model import CharacterModel

    torch.manual_seed(2)
    args = {"char_emb_dim": 4, "char_hidden_dim": 3, "char_num_layers": 1, "char_rec_dropout": 0, "dropout": 0.3}
    model = CharacterModel(args, {"char": range(9)}).eval()
    torch.nn.init.normal_(model.char_attn.weight)
    # Words of a batch, longest first; the first and the third are the same word, and order is that of the sentences.
    chars = torch.tensor([[4, 5, 6], [7, 8, 4], [4, 5, 6], [5, 4, 0], [8, 0, 0]])
    order, sentences, lengths = [3, 0, 4, 1, 2], [3, 2], [3, 3, 3, 2, 1]
    slow = model(chars, chars == 0, order, sentences, lengths)
    with quick_layers():
        quick = model(chars, chars == 0, order, sentences, lengths)
    assert torch.equal(slow.batch_sizes, quick.batch_sizes)
    assert torch.allclose(slow.data, quick.data, atol=1e-6)


@pytest.mark.stanza
def test_a_warm_start_moves_weights_with_their_words(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from stanza.models.pos.vocab import MultiVocab, WordVocab

    def vocab(*words: str) -> MultiVocab:
        return MultiVocab({"word": WordVocab([[[word] for word in words]], "en", cutoff=0)})

    def model(words: int, width: int) -> torch.nn.ModuleDict:
        return torch.nn.ModuleDict({
            "word_emb": torch.nn.Embedding(words, 2), "same": torch.nn.Linear(2, 2), "other": torch.nn.Linear(2, width),
        })  # fmt: skip

    before, after = vocab("men", "boys", "dogs"), vocab("dogs", "cats", "men")
    old, new = model(len(before["word"]), 3), model(len(after["word"]), 4)
    untouched = new["other"].weight.clone()
    cats = new["word_emb"].weight[after["word"].unit2id("cats")].clone()
    torch.save({"model": old.state_dict(), "vocab": before.state_dict()}, tmp_path / "old.pt")
    # word_emb, and weight and bias of the layer that has the same shape.
    assert warm_start(new, after, tmp_path / "old.pt") == 3
    for word in ("dogs", "men", "<UNK>"):
        row = old["word_emb"].weight[before["word"].unit2id(word)]
        assert torch.equal(new["word_emb"].weight[after["word"].unit2id(word)], row)
    assert torch.equal(new["word_emb"].weight[after["word"].unit2id("cats")], cats)
    assert torch.equal(new["same"].weight, old["same"].weight)
    assert torch.equal(new["other"].weight, untouched)
