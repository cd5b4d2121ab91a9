"""The one place of cluster resampling: partition, seeds, draws, intervals."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.analysis import resampling
from dualpair.analysis.resampling import cluster_draws, generator, partition, percentile_interval, sign_flip_test

ROOT = Path(__file__).resolve().parents[2]


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=30))
def test_a_partition_has_every_row_once(ids: list[str]) -> None:
    part = partition(ids)
    assert part.names.tolist() == sorted(set(ids))
    assert [part.names[i] for i in part.index] == ids
    assert part.sums(np.ones(len(ids))).tolist() == [ids.count(name) for name in part.names]
    columns = np.arange(2.0 * len(ids)).reshape(-1, 2)
    assert part.sums(columns).sum(axis=0) == pytest.approx(columns.sum(axis=0))


@pytest.mark.parametrize("bad", [None, "", float("nan")])
def test_a_row_without_a_cluster_is_refused(bad: object) -> None:
    with pytest.raises(ValueError, match="1 of 2 rows have no cluster_id"):
        partition(["a", bad])
    with pytest.raises(ValueError, match="one row per row"):
        partition(["a", "b"]).sums([1.0])


def test_a_generator_belongs_to_its_names_alone() -> None:
    one = generator(1, "headline", "m", "en").random(4)
    assert one.tolist() == generator(1, "headline", "m", "en").random(4).tolist()
    others = (generator(2, "headline", "m", "en"), generator(1, "headline", "m", "es"), generator(1, "headlinem", "en"))
    assert all(other.random() != one[0] for other in others)


def test_draws_are_counts_with_replacement() -> None:
    draws = cluster_draws(5, 20_000, np.random.default_rng(0))
    assert (draws.sum(axis=1) == 5).all()
    # Multinomial: mean 1, variance 1 - 1/5, covariance -1/5.
    covariance = np.cov(draws.T)
    assert draws.mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)
    assert covariance == pytest.approx(np.eye(5) - 0.2, abs=0.03)


def test_blocks_of_draws_are_of_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    # 40 draws a block: the first block of many is what a single block draws; later ones go on, and no row is lost.
    monkeypatch.setattr(resampling, "_BLOCK", 40)
    many = cluster_draws(4, 35, np.random.default_rng(3))
    assert many[:10].tolist() == cluster_draws(4, 10, np.random.default_rng(3)).tolist()
    assert (many.sum(axis=1) == 4).all()
    assert len(np.unique(many, axis=0)) > 10


def all_at_once(values: resampling.Floats, rng: np.random.Generator, n_resamples: int) -> list[float]:
    """P-values of rows that are a cluster each, in the order of their names, from one matrix of all sign patterns."""
    n_clusters = len(values)
    exact = 2**n_clusters <= n_resamples
    if exact:
        bits = (np.arange(2**n_clusters)[:, None] >> np.arange(n_clusters)) & 1
    else:
        bits = rng.integers(0, 2, (n_resamples, n_clusters), dtype=np.int8)
    sums = np.abs((2.0 * bits - 1.0) @ values)
    count = (sums >= np.abs(values.sum(axis=0)) - 1e-12 * np.abs(values).sum(axis=0)).sum(axis=0)
    p = count / len(bits) if exact else (count + 1) / (n_resamples + 1)
    return [float(one) for one in p]


@pytest.mark.parametrize("signs", [1, 50, 1000, 2**22])
@pytest.mark.parametrize(
    ("n_clusters", "n_resamples"),
    [(3, 7), (3, 8), (5, 33), (7, 100), (9, 512), (10, 999), (13, 501), (50, 1), (200, 997), (1100, 203)],
)
def test_blocks_of_signs_give_what_all_at_once_give(
    monkeypatch: pytest.MonkeyPatch, signs: int, n_clusters: int, n_resamples: int
) -> None:
    values = generator(0, "values").normal(0.1, 1.0, (n_clusters, 3))
    # A column of ties: whole numbers, whose sums many patterns reach.
    values[:, 2] = np.round(values[:, 2])
    monkeypatch.setattr(resampling, "_SIGNS", signs)
    ours, theirs = generator(1, "signs"), generator(1, "signs")
    # A generator that has given out half a random word goes on with the other half.
    assert ours.integers(0, 9, dtype=np.int32) == theirs.integers(0, 9, dtype=np.int32)
    names = [f"{place:04}" for place in range(n_clusters)]
    assert sign_flip_test(values, names, ours, n_resamples).tolist() == all_at_once(values, theirs, n_resamples)
    assert ours.random() == theirs.random()


@pytest.mark.parametrize(("n_clusters", "n_resamples"), [(40, 20_000), (14, 20_000)])
def test_the_signs_held_at_a_time_are_bounded(
    monkeypatch: pytest.MonkeyPatch, n_clusters: int, n_resamples: int
) -> None:
    monkeypatch.setattr(resampling, "_SIGNS", 4000)
    tracemalloc.start()
    try:
        sign_flip_test(np.ones((n_clusters, 1)), range(n_clusters), np.random.default_rng(0), n_resamples)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # All at once they are over 200,000 signs of 8 bytes; a block and what is made of it are five times its 32 kB.
    assert peak < 300_000


def test_percentiles_leave_out_missing_resamples() -> None:
    values = np.column_stack([np.arange(101.0), np.full(101, np.nan)])
    values[0, 0] = np.nan
    ends = percentile_interval(values, 0.9)
    assert (ends.low[0], ends.high[0]) == pytest.approx(tuple(np.quantile(np.arange(1.0, 101.0), [0.05, 0.95])))
    assert np.isnan(ends.low[1]) and np.isnan(ends.high[1])
    assert np.isnan(percentile_interval(np.full((3, 2), np.nan)).low).all()


def test_no_other_module_draws_clusters_or_derives_analysis_seeds_by_itself() -> None:
    own = re.compile(r"default_rng\(|rng\.choice\(|\.multinomial\(")
    files = sorted((ROOT / "dualpair" / "analysis").glob("*.py"))
    found = [path.name for path in files if own.search(path.read_text(encoding="utf-8"))]
    assert found == ["resampling.py"]
