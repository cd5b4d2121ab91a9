"""Pseudo-log-likelihood: words, masked copies, exactness on every architecture, faults, loading."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import masked_lm
from dualpair.models.causal_lm import LoadedLM
from dualpair.models.registry import ModelEntry
from dualpair.scoring import masked, masked_head, masked_words
from dualpair.scoring.engine import Engine, Failure, Label
from dualpair.scoring.masked import MaskedEngine, closing, longest, masked_copies
from dualpair.scoring.masked_head import Masked
from dualpair.scoring.masked_words import word_numbers
from dualpair.scoring.tokenisation import Encoded, encode_pairs
from tests.unit import tiny_masked, tiny_models

PAIRS = [
    ("Women", " talk a lot."),
    ("Las mujeres que trabajan", " hablan mucho."),
    ("睡着的孩子", "最可爱。"),
    ("Спящие дети", " – прекрасны."),
    ("Boys", " are good at maths."),
    ("Boys who sleep in the old house", " aren't good at maths 👩, or at chess."),
    ("Boys", " talk a lot."),
]
TEXTS = ["".join(pair) for pair in PAIRS]
VARIANTS = ["within_word_l2r", "original"]
# What is not read in the fastest way, and why: no separate vocabulary matrix; padding reaches the other tokens.
HEAD_OF_ITS_OWN = {"deberta", "mobilebert"}
PADDING_SHOWS = {"convbert", "fnet", "mobilebert"}


@pytest.fixture(scope="module")
def models() -> Any:
    """The models by architecture, each built once."""
    made: dict[str, LoadedLM] = {}

    def get(architecture: str) -> LoadedLM:
        if architecture not in made:
            made[architecture] = tiny_masked.loaded(architecture)
        return made[architecture]

    return get


def encoded(engine: MaskedEngine, pairs: list[tuple[str, str]] = PAIRS) -> list[Encoded]:
    return encode_pairs(engine.tokenizer, pairs, engine.bos)


def numbers(scored: Any) -> list[float]:
    assert not isinstance(scored, Failure), scored
    return list(scored)


def reference(lm: LoadedLM, text: str, variant: str) -> list[float]:
    """Independent and slow: the tokenizer's own encoding and words, one copy at a time, full logits, float64."""
    import torch

    whole = lm.tokenizer(text)
    words = whole.word_ids()
    found = []
    for position, word in enumerate(words):
        if word is None:
            continue
        ids = list(whole.input_ids)
        for other in range(position, len(ids)):
            if other == position or (variant == "within_word_l2r" and words[other] == word):
                ids[other] = lm.tokenizer.mask_token_id
        with torch.inference_mode():
            logits = lm.model(input_ids=torch.tensor([ids])).logits[0, position].double()
        found.append(float(logits.log_softmax(0)[whole.input_ids[position]]))
    return found


# ---- words


@pytest.mark.parametrize("kind", tiny_masked.TOKENIZERS)
def test_words_are_the_tokenizers_own(kind: str) -> None:
    tokenizer = tiny_masked.TOKENIZERS[kind]()
    for text in TEXTS:
        assert same_words(tokenizer, text), text


@pytest.mark.parametrize("kind", tiny_masked.TOKENIZERS)
@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="Women talk 女人话. ,'-é👩9\n ", min_size=1, max_size=24))
def test_words_of_any_text(kind: str, text: str) -> None:
    if kind == "sentencepiece, marks apart" and "👩" in text:
        return  # an unknown piece hides the mark that it stands for: see the next test
    tokenizer = tokenizer_of(kind)
    assert same_words(tokenizer, text)


@pytest.mark.parametrize("kind", ["wordpiece", "sentencepiece"])
def test_marks_in_the_tokens_give_the_same_words(kind: str) -> None:
    """The rule for texts that decoding does not give back."""
    tokenizer = tokenizer_of(kind)
    for text in TEXTS:
        whole = tokenizer(text, add_special_tokens=False)
        found = masked_words._by_marks(tokenizer, whole.input_ids)
        assert masked_words._consecutive(found) == masked_words._consecutive(whole.word_ids()), text


def test_marks_of_byte_level_tokens() -> None:
    """Without the decoded text a word is what begins with a space."""
    tokenizer = tokenizer_of("byte-level")
    ids = tokenizer("Boys are good.", add_special_tokens=False).input_ids
    words = masked_words._by_marks(tokenizer, ids)
    texts: dict[Any, str] = {}
    for word, token in zip(words, tokenizer.convert_ids_to_tokens(ids), strict=True):
        texts[word] = texts.get(word, "") + token
    assert list(texts.values()) == ["Boys", "Ġare", "Ġgood."]


def test_special_tokens_are_words_of_their_own() -> None:
    tokenizer = tokenizer_of("byte-level")
    talk = tokenizer(" talk", add_special_tokens=False).input_ids
    assert len(talk) >= 1
    mask = tokenizer.mask_token_id
    assert word_numbers(tokenizer, [[0, 0, *talk, mask, mask]]) == [[0, 1, *([2] * len(talk)), 3, 4]]
    assert word_numbers(tokenizer, []) == []
    assert word_numbers(tokenizer, [[0], [0, *talk]]) == [[0], [0, *([1] * len(talk))]]


def test_chinese_characters_are_words_of_wordpiece_and_clauses_of_sentencepiece() -> None:
    for kind, expected in (("wordpiece", 9), ("sentencepiece", 1)):
        tokenizer = tokenizer_of(kind)
        ids = tokenizer("睡着的孩子最可爱。", add_special_tokens=False).input_ids
        assert len(ids) > 1
        assert len(set(word_numbers(tokenizer, [ids])[0])) == expected


_TOKENIZERS: dict[str, Any] = {}


def tokenizer_of(kind: str) -> Any:
    if kind not in _TOKENIZERS:
        _TOKENIZERS[kind] = tiny_masked.TOKENIZERS[kind]()
    return _TOKENIZERS[kind]


def same_words(tokenizer: Any, text: str) -> bool:
    """Whether the ids alone, with the token in front, lead to the words of the text."""
    whole = tokenizer(text)
    kept = [i for i, word in enumerate(whole.word_ids()) if word is not None]
    words = [whole.word_ids()[i] for i in kept]
    ids = [whole.input_ids[i] for i in kept]
    expected = [0, *(1 + n for n in masked_words._consecutive(words))]
    return word_numbers(tokenizer, [[tokenizer.cls_token_id, *ids]]) == [expected]


# ---- masked copies


def test_masked_copies_by_hand() -> None:
    """[CLS] play ##ing ##s well . [SEP]: to the right within the word, nothing beyond it, never the closing token."""
    text, mask, sep = (2, 50, 51, 52, 60, 61), 4, 3
    words = [0, 1, 1, 1, 2, 3]
    assert masked_copies(text, words, mask, (sep,)) == [
        Masked((2, 4, 4, 4, 60, 61, 3), 1),
        Masked((2, 50, 4, 4, 60, 61, 3), 2),
        Masked((2, 50, 51, 4, 60, 61, 3), 3),
        Masked((2, 50, 51, 52, 4, 61, 3), 4),
        Masked((2, 50, 51, 52, 60, 4, 3), 5),
    ]


def test_masked_copies_original_by_hand() -> None:
    assert masked_copies((2, 50, 51, 60), range(4), 4, (3,)) == [
        Masked((2, 4, 51, 60, 3), 1),
        Masked((2, 50, 4, 60, 3), 2),
        Masked((2, 50, 51, 4, 3), 3),
    ]


@given(
    words=st.lists(st.integers(0, 3), min_size=1, max_size=8).map(sorted),
    closers=st.sampled_from([(), (3,), (3, 5)]),
)
def test_masked_copies_mask_a_word_from_the_position_on(words: list[int], closers: tuple[int, ...]) -> None:
    text = tuple(range(100, 100 + len(words)))
    copies = masked_copies(text, words, 4, closers)
    assert [copy.position for copy in copies] == list(range(1, len(text)))
    for copy in copies:
        assert copy.ids[len(text) :] == closers
        for i, token in enumerate(text):
            hidden = i >= copy.position and words[i] == words[copy.position]
            assert copy.ids[i] == (4 if hidden else token)


# ---- exactness


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("architecture", tiny_masked.ARCHITECTURES)
def test_scores_equal_the_reference_in_any_batch(models: Any, architecture: str, variant: str) -> None:
    lm = models(architecture)
    engine = MaskedEngine(lm, pll=variant)
    rows = encoded(engine)
    together = [numbers(row) for row in engine.score(rows)]
    assert max(abs(value) for row in together for value in row) > 4.0  # the weights make a difference
    small = MaskedEngine(lm, token_budget=20, pll=variant)
    for row, text, values in zip(rows, TEXTS, together, strict=True):
        assert len(values) == len(row.ids) - 1
        assert values == pytest.approx(reference(lm, text, variant), abs=1e-4)
        assert values == pytest.approx(numbers(small.score([row])[0]), abs=1e-4)


@pytest.mark.parametrize("architecture", tiny_masked.ARCHITECTURES)
def test_the_way_a_model_is_read(models: Any, architecture: str, caplog: pytest.LogCaptureFixture) -> None:
    way = MaskedEngine(models(architecture))._predictions.way  # type: ignore[union-attr]
    head = "head at the masked positions" if architecture in HEAD_OF_ITS_OWN else "vocabulary in chunks"
    assert way == (f"{head}, no padding" if architecture in PADDING_SHOWS else head)
    assert ("padding reaches the other tokens" in caplog.text) == (architecture in PADDING_SHOWS)
    assert ("output layer" in caplog.text) == (architecture in HEAD_OF_ITS_OWN)


def test_padding_that_shows_is_noticed_in_half_precision() -> None:
    """In bfloat16 the effect is smaller than what is allowed for rounding."""
    import torch

    lm = tiny_masked.loaded("convbert")
    half = LoadedLM("tiny", lm.model.to(torch.bfloat16), lm.tokenizer, "cpu", "bfloat16")
    engine = MaskedEngine(half)
    assert engine._predictions.way.endswith("no padding")  # type: ignore[union-attr]
    rows = encoded(engine)
    together = engine.score(rows)
    for row, values in zip(rows, together, strict=True):
        assert numbers(values) == pytest.approx(numbers(engine.score([row])[0]), abs=0.05)


@pytest.mark.parametrize("architecture", ["bert", "xlm-roberta", "modernbert", "deberta-v2"])
def test_half_precision_stays_near_single_precision(architecture: str) -> None:
    import torch

    lm = tiny_masked.loaded(architecture)
    with torch.no_grad():
        for weight in lm.model.parameters():
            if weight.dim() > 1:
                weight.mul_(0.4)
    single = MaskedEngine(lm)
    expected = single.score(encoded(single))
    engine = MaskedEngine(LoadedLM("tiny", lm.model.to(torch.bfloat16), lm.tokenizer, "cpu", "bfloat16"))
    for found, want in zip(engine.score(encoded(engine)), expected, strict=True):
        assert numbers(found) == pytest.approx(numbers(want), abs=0.1)


def test_the_variants_differ_where_a_word_has_several_tokens(models: Any) -> None:
    lm = models("bert")
    within, original = (MaskedEngine(lm, pll=variant) for variant in VARIANTS)
    row = encoded(within)[5:6]
    words = word_numbers(lm.tokenizer, [row[0].ids])[0]
    a, b = numbers(within.score(row)[0]), numbers(original.score(row)[0])
    followed = [words[i] == words[i + 1] for i in range(1, len(words) - 1)] + [False]
    assert any(followed) and not all(followed)
    for first, second, more in zip(a, b, followed, strict=True):
        assert (abs(first - second) > 1e-3) == more


def test_logits_changed_behind_the_vocabulary_layer_are_noticed(models: Any, caplog: pytest.LogCaptureFixture) -> None:
    lm = tiny_masked.loaded("bert")
    plain = lm.model.forward

    def doubled(*arguments: Any, **more: Any) -> Any:
        out = plain(*arguments, **more)
        out.logits = out.logits * 2.0
        return out

    lm.model.forward = doubled
    engine = MaskedEngine(lm)
    assert engine._predictions.way == "head at the masked positions"  # type: ignore[union-attr]
    assert "differ" in caplog.text
    for row, text in zip(engine.score(encoded(engine)), TEXTS, strict=True):
        assert numbers(row) == pytest.approx(reference(lm, text, "within_word_l2r"), abs=1e-4)


def test_a_model_without_a_separate_body_is_scored_by_its_logits(monkeypatch: pytest.MonkeyPatch) -> None:
    lm = tiny_masked.loaded("bert")
    monkeypatch.setattr(type(lm.model), "get_input_embeddings", lambda self: self.bert.embeddings.word_embeddings)
    monkeypatch.setattr(type(lm.model), "base_model", property(lambda self: self))
    monkeypatch.setattr(masked_head, "LOGITS_BLOCK", 5000)  # a batch is cut to a few rows
    engine = MaskedEngine(lm)
    assert engine._predictions.way == "all logits"  # type: ignore[union-attr]
    for row, text in zip(engine.score(encoded(engine)), TEXTS, strict=True):
        assert numbers(row) == pytest.approx(reference(lm, text, "within_word_l2r"), abs=1e-4)


@pytest.mark.parametrize("architecture", ["roberta", "deberta"])
def test_small_blocks_equal_large_ones(models: Any, architecture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MaskedEngine(models(architecture))
    rows = encoded(engine)
    whole = engine.score(rows)
    monkeypatch.setattr(masked_head, "VOCABULARY_CHUNK", 7)
    monkeypatch.setattr(masked_head, "LOGITS_BLOCK", 1000)
    monkeypatch.setattr(masked, "WINDOW", 1)
    for one, other in zip(whole, engine.score(rows), strict=True):
        assert numbers(one) == pytest.approx(numbers(other), abs=1e-5)


def test_no_table_of_positions_and_vocabulary_beyond_a_block(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MaskedEngine(models("deberta"))
    vocabulary = len(engine.tokenizer)
    sizes: list[int] = []
    plain = engine._predictions.model.forward  # type: ignore[union-attr]

    def measured(*arguments: Any, **more: Any) -> Any:
        out = plain(*arguments, **more)
        sizes.append(out.logits.numel())
        return out

    monkeypatch.setattr(engine._predictions.model, "forward", measured)  # type: ignore[union-attr]
    monkeypatch.setattr(masked_head, "LOGITS_BLOCK", 4 * vocabulary)
    engine.score(encoded(engine))
    assert max(sizes) == 4 * vocabulary


# ---- the engine


def test_label_and_protocol(models: Any) -> None:
    engine: Engine = MaskedEngine(models("bert"))
    assert engine.label == Label("tiny-bert", "transformers", "float32", "none")
    assert MaskedEngine(models("bert"), quantisation="int8").label.quantisation == "int8"
    assert engine.bos.policy == "[CLS]"
    assert engine.score([]) == []


def test_equal_copies_run_once(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MaskedEngine(models("roberta"), pll="original")
    rows = encoded(engine, [("Women", " talk a lot."), ("Women", " talk a lot!"), ("Women", " talk a lot.")])
    assert rows[0].ids[:-1] == rows[1].ids[:-1] and rows[0].ids != rows[1].ids  # only the mark differs
    run: list[Masked] = []
    plain = masked_head.Predictions.logprobs

    def counted(self: Any, texts: Any, targets: Any) -> Any:
        run.extend(texts)
        return plain(self, texts, targets)

    monkeypatch.setattr(masked_head.Predictions, "logprobs", counted)
    first, second, third = (numbers(row) for row in engine.score(rows))
    assert len(run) == len(set(run)) == 2 * len(first) - 1
    assert first == third
    assert first != pytest.approx(second, abs=1e-3)
    assert second == pytest.approx(reference(models("roberta"), "Women talk a lot!", "original"), abs=1e-4)


@pytest.mark.parametrize(
    ("architecture", "limit"),
    [("bert", 96), ("roberta", 94), ("mpnet", 94), ("modernbert", 96), ("deberta-v2", 96)],
)
def test_a_text_longer_than_the_model_fails_alone(models: Any, architecture: str, limit: int) -> None:
    lm = models(architecture)
    engine = MaskedEngine(lm)
    assert engine.longest == limit
    word = lm.tokenizer("a", add_special_tokens=False).input_ids
    row = encoded(engine)[0]

    def of_length(n: int) -> Encoded:
        return replace(row, ids=(*engine.bos.ids, *(word * n))[: n - len(engine.closing)])

    just, beyond, normal = engine.score([of_length(limit), of_length(limit + 1), row])
    assert len(numbers(just)) == limit - 1 - len(engine.closing)
    assert numbers(normal) == pytest.approx(numbers(engine.score([row])[0]), abs=1e-4)
    assert isinstance(beyond, Failure)
    assert f"{limit + 1} tokens" in beyond.reason and f"than the {limit}" in beyond.reason


def test_the_tokenizers_own_limit_counts(models: Any) -> None:
    lm = tiny_masked.loaded("bert")
    lm.tokenizer.model_max_length = 9
    assert longest(lm.model, lm.tokenizer) == 9


def test_out_of_memory_of_one_text_leaves_the_others(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MaskedEngine(models("bert"))
    rows = encoded(engine)
    expected = engine.score(rows)
    limit = max(len(row.ids) for row in rows) + len(engine.closing)
    plain = masked_head.Predictions.logprobs

    def narrow(self: Any, texts: Any, targets: Any) -> Any:
        if len(texts) > 3 or any(len(text.ids) >= limit for text in texts):
            raise RuntimeError("CUDA out of memory. Tried to allocate")
        return plain(self, texts, targets)

    monkeypatch.setattr(masked_head.Predictions, "logprobs", narrow)
    found = engine.score(rows)
    failed = [isinstance(row, Failure) for row in found]
    assert failed == [len(row.ids) + len(engine.closing) == limit for row in rows]
    assert sum(failed) == 1
    for row, want in zip(found, expected, strict=True):
        if isinstance(row, Failure):
            assert "out of memory" in row.reason
        else:
            assert list(row) == pytest.approx(numbers(want), abs=1e-4)


def test_an_error_of_one_text_leaves_the_others(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MaskedEngine(models("bert"))
    rows = encoded(engine)
    expected = engine.score(rows)
    plain = masked_head.Predictions.logprobs

    def broken(self: Any, texts: Any, targets: Any) -> Any:
        if any(text.ids[: len(rows[1].ids)] == (*rows[1].ids[:-1], engine.tokenizer.mask_token_id) for text in texts):
            raise RuntimeError("shapes do not match\nand more")
        return plain(self, texts, targets)

    monkeypatch.setattr(masked_head.Predictions, "logprobs", broken)
    found = engine.score(rows)
    assert found[1] == Failure(f"{len(rows[1].ids) + 1} tokens: shapes do not match")
    for i in (0, *range(2, len(rows))):
        assert numbers(found[i]) == pytest.approx(numbers(expected[i]), abs=1e-4)


def test_a_lost_device_stops_everything(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MaskedEngine(models("bert"))

    def lost(*_: Any) -> Any:
        raise RuntimeError("CUDA error: device-side assert triggered")

    monkeypatch.setattr(masked_head.Predictions, "logprobs", lost)
    with pytest.raises(RuntimeError, match="CUDA error"):
        engine.score(encoded(engine))


def test_ids_of_another_tokenizer_are_a_failure(models: Any) -> None:
    engine = MaskedEngine(models("bert"))
    row = encoded(engine)[0]
    strange = replace(row, ids=(*row.ids, len(engine.tokenizer)))
    bad, good = engine.score([strange, row])
    assert isinstance(bad, Failure) and "outside the model's vocabulary" in bad.reason
    assert len(numbers(good)) == len(row.ids) - 1


def test_a_model_that_gives_no_numbers_is_refused() -> None:
    import torch

    lm = tiny_masked.loaded("bert")
    with torch.no_grad():
        lm.model.get_output_embeddings().bias.fill_(math.nan)
    with pytest.raises(ValueError, match="are not numbers"):
        MaskedEngine(lm)


def test_bad_arguments(models: Any) -> None:
    with pytest.raises(ValueError, match="allowed: within_word_l2r, original"):
        MaskedEngine(models("bert"), pll="l2r")
    with pytest.raises(ValueError, match="at least 1"):
        MaskedEngine(models("bert"), token_budget=0)


def test_closed_engine_scores_no_more(models: Any) -> None:
    engine = MaskedEngine(models("bert"))
    rows = encoded(engine)
    engine.close()
    engine.close()
    with pytest.raises(RuntimeError, match="closed"):
        engine.score(rows)


def test_bos_none_scores_from_the_second_token_and_still_closes(models: Any) -> None:
    lm = LoadedLM("tiny", models("bert").model, models("bert").tokenizer, "cpu", "float32", "none")
    engine = MaskedEngine(lm)
    row = encoded(engine)[0]
    assert row.n_bos == 0 and engine.closing == (lm.tokenizer.sep_token_id,)
    assert len(numbers(engine.score([row])[0])) == len(row.ids) - 1


@pytest.mark.parametrize(("kind", "end"), [("wordpiece", "[SEP]"), ("byte-level", "</s>"), ("sentencepiece", "</s>")])
def test_closing_tokens(kind: str, end: str) -> None:
    tokenizer = tokenizer_of(kind)
    assert tokenizer.convert_ids_to_tokens(list(closing(tokenizer))) == [end]


def test_no_closing_tokens() -> None:
    assert closing(tiny_models.sentencepiece()) == ()


# ---- loading


def saved(folder: Path, lm: LoadedLM) -> Path:
    lm.model.save_pretrained(folder)
    lm.tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.parametrize("architecture", ["bert", "deberta", "modernbert"])
def test_a_saved_model_scores_the_same_when_loaded(models: Any, architecture: str, tmp_path: Path) -> None:
    folder = saved(tmp_path, models(architecture))
    found = masked_lm.load(folder, dtype="float32", device="cpu", name="tiny")
    assert (found.name, found.dtype, found.bos) == ("tiny", "float32", "auto")
    engine, before = MaskedEngine(found), MaskedEngine(models(architecture))
    for one, other in zip(engine.score(encoded(engine)), before.score(encoded(before)), strict=True):
        assert numbers(one) == pytest.approx(numbers(other), abs=1e-5)


def test_deberta_head_under_its_original_names(models: Any, tmp_path: Path) -> None:
    """The published checkpoints' config does not say `legacy: false`; transformers would make up a random head."""
    folder = saved(tmp_path, models("deberta"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config.pop("legacy") is False
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    engine = MaskedEngine(masked_lm.load(folder, dtype="float32", device="cpu"))
    row = encoded(engine)[0]
    expected = reference(models("deberta"), TEXTS[0], "within_word_l2r")
    assert numbers(engine.score([row])[0]) == pytest.approx(expected, abs=1e-4)


def test_a_checkpoint_without_its_head_is_refused(models: Any, tmp_path: Path) -> None:
    lm = models("bert")
    lm.model.bert.save_pretrained(tmp_path)
    lm.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(PrerequisiteError, match=r"not in the checkpoint.*saved as BertModel"):
        masked_lm.load(tmp_path, dtype="float32", device="cpu")


def test_a_discriminator_is_refused(tmp_path: Path) -> None:
    import transformers as tf

    lm = tiny_masked.loaded("electra")
    tf.ElectraForPreTraining(lm.model.config).save_pretrained(tmp_path)
    lm.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(PrerequisiteError, match=r"saved as ElectraForPreTraining.*in the generator"):
        masked_lm.load(tmp_path, dtype="float32", device="cpu")


def test_a_tokenizer_without_mask_token_is_refused(models: Any, tmp_path: Path) -> None:
    lm = LoadedLM("tiny", models("bert").model, tiny_models.sentencepiece(), "cpu", "float32")
    folder = saved(tmp_path, lm)
    with pytest.raises(PrerequisiteError, match="no mask token"):
        masked_lm.load(folder, dtype="float32", device="cpu")
    with pytest.raises(PrerequisiteError, match="no mask token"):
        MaskedEngine(lm)


def test_an_encoder_decoder_is_refused(models: Any, tmp_path: Path) -> None:
    import transformers as tf

    saved(tmp_path, models("bert"))
    tf.BartConfig(d_model=16, encoder_layers=1, decoder_layers=1).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="encoder-decoder"):
        masked_lm.load(tmp_path, dtype="float32", device="cpu")


def test_what_is_missing_is_named(models: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(PrerequisiteError, match="empty"):
        masked_lm.load(tmp_path / "empty", dtype="float32", device="cpu")
    with pytest.raises(ValueError, match="revision"):
        masked_lm.load("org/name", dtype="float32", device="cpu")
    with pytest.raises(InputError, match="quantisation"):
        masked_lm.load(saved(tmp_path, models("bert")), dtype="float32", device="cpu", quantisation="w8a8")


def test_an_entry_with_subfolder_and_another_tokenizer(models: Any, tmp_path: Path) -> None:
    lm = models("bert")
    lm.model.save_pretrained(tmp_path / "model" / "inner")
    lm.tokenizer.save_pretrained(tmp_path / "tokenizer")
    entry = {"kind": "masked", "engine": "transformers", "source": f"path:{tmp_path}/model", "subfolder": "inner"}
    made = ModelEntry.model_validate({**entry, "tokenizer": f"path:{tmp_path}/tokenizer", "bos": "none"})
    found = masked_lm.load_entry(made, "tiny", "float32", "cpu")
    assert (found.name, found.bos, found.quantisation) == ("tiny", "none", "none")
    engine = MaskedEngine(found)
    assert len(numbers(engine.score(encoded(engine))[0])) == len(encoded(engine)[0].ids) - 1
    with pytest.raises(InputError, match="one device"):
        masked_lm.load_entry(made.model_copy(update={"gpus": 2}), "tiny", "float32", "cpu")
    with pytest.raises(ValueError, match="kind causal"):
        masked_lm.load_entry(made.model_copy(update={"kind": "causal"}), "tiny", "float32", "cpu")
