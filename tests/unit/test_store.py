"""The store: append-only, whole units, order does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair.store import Space, Store, decode_vector, derive_seed, encode_vector, request_key

IDENTITY = {"weights": "w", "dtype": "float32", "engine": "e", "contract": "score/1"}


def test_a_key_depends_on_everything_that_determines_the_answer():
    base = request_key(IDENTITY, {"text": "a", "seed": 1, "sample": 0})
    assert base == request_key(dict(reversed(IDENTITY.items())), {"sample": 0, "seed": 1, "text": "a"})
    others = [request_key({**IDENTITY, name: "x"}, {"text": "a", "seed": 1, "sample": 0}) for name in IDENTITY]
    others += [request_key(IDENTITY, {"text": "a", "seed": 1, "sample": 0, name: 9}) for name in ("seed", "sample")]
    assert len({base, *others}) == 1 + len(others)


def test_units_appear_whole_and_are_found_by_another_reader(tmp_path):
    writer = Store(tmp_path).space("score", "m", IDENTITY)
    writer.put({"k1": {"v": 1}, "k2": {"v": 0.1}})
    writer.put({"k3": {"v": "ü 睡"}})
    reader = Store(tmp_path).space("score", "m", IDENTITY)
    assert reader.keys() == {"k1", "k2", "k3"}
    assert reader.get(["k2", "k3", "absent"]) == {"k2": {"v": 0.1}, "k3": {"v": "ü 睡"}}
    assert Store(tmp_path).space("score", "m", {**IDENTITY, "dtype": "bfloat16"}).keys() == set()


def test_a_half_written_segment_is_not_seen(tmp_path):
    space = Store(tmp_path).space("score", "m", IDENTITY)
    space.put({"k": {"v": 1}})
    (space.folder / ".abc.parquet.xyz.tmp").write_bytes(b"PAR1 cut")
    assert space.keys() == {"k"}
    assert Store(tmp_path).verify() == []


@given(st.permutations([{"v": 1}, {"v": 2}, {"v": 3}]))
def test_duplicates_resolve_alike_in_any_order(tmp_path_factory, payloads):
    folder = tmp_path_factory.mktemp("dup")
    for payload in payloads:
        Space(folder).put({"k": payload})
    once = Space(tmp_path_factory.mktemp("ref"))
    for payload in ({"v": 1}, {"v": 2}, {"v": 3}):
        once.put({"k": payload})
    assert Space(folder).get(["k"]) == once.get(["k"])


def test_compaction_touches_only_own_segments(tmp_path):
    theirs, ours = Space(tmp_path), Space(tmp_path)
    theirs.put({"a": {"v": 1}})
    (their_file,) = theirs.segments()
    ours.put({"b": {"v": 2}})
    ours.put({"c": {"v": 3}})
    ours.compact()
    assert len(ours.segments()) == 2
    assert their_file.exists()
    assert Space(tmp_path).get("abc") == {"a": {"v": 1}, "b": {"v": 2}, "c": {"v": 3}}


def test_a_segment_compacted_while_reading_is_found_in_its_successor(tmp_path, monkeypatch):
    space = Space(tmp_path)
    space.put({"a": {"v": 1}})
    space.put({"b": {"v": 2}})
    reader, listed = Space(tmp_path), []
    original = reader.segments

    def segments():
        files = original()
        if not listed:
            listed.extend(files)
            space.compact()  # the files just listed vanish
        return files

    monkeypatch.setattr(reader, "segments", segments)
    assert reader.get("ab") == {"a": {"v": 1}, "b": {"v": 2}}


def test_verify_reports_damage_and_disagreement(tmp_path):
    space = Store(tmp_path).space("score", "m", IDENTITY)
    space.put({"k": {"v": 1}})
    space.put({"k": {"v": 2}})
    (space.folder / "bad.parquet").write_bytes(b"junk")
    problems = "\n".join(Store(tmp_path).verify())
    assert "bad.parquet: cannot be read" in problems
    assert "two different answers" in problems


def test_an_answer_that_is_no_number_is_refused(tmp_path):
    with pytest.raises(ValueError, match="Out of range float values"):
        Space(tmp_path).put({"k": {"v": float("nan")}})
    assert Space(tmp_path).keys() == set()


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=8))
def test_vectors_are_exact(values):
    vector = np.array(values, dtype="f4")
    assert np.array_equal(decode_vector(encode_vector(vector)), vector)


def test_seeds_are_stable_and_distinct():
    assert derive_seed(1, "a", 0) == derive_seed(1, "a", "0")
    seeds = {derive_seed(run, lang, n) for run in range(3) for lang in ("en", "es") for n in range(50)}
    assert len(seeds) == 300
    assert all(0 <= seed < 2**63 for seed in seeds)
