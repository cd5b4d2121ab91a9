"""The store: append-only, whole units, order does not matter."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair import cli, store_tools
from dualpair.errors import InputError
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
    assert store_tools.verify(Store(tmp_path)).problems == []


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


def test_verify_reports_damage_and_notes_disagreement(tmp_path):
    space = Store(tmp_path).space("score", "m", IDENTITY)
    space.put({"k": {"v": 1}})
    space.put({"k": {"v": 2}})
    found = store_tools.verify(Store(tmp_path))
    assert found.problems == []
    assert "1 keys have two different answers" in found.notes[0]
    (space.folder / "bad.parquet").write_bytes(b"junk")
    elsewhere = tmp_path / "score" / "n-0123456789ab"
    elsewhere.mkdir()
    (elsewhere / "identity.json").write_bytes((space.folder / "identity.json").read_bytes())
    problems = store_tools.verify(Store(tmp_path)).problems
    assert "bad.parquet: cannot be read" in problems[0]
    assert f"its identity.json belongs to score/{space.folder.name}" in problems[1]


def test_verify_finds_one_changed_bit(tmp_path):
    space = Store(tmp_path).space("score", "m", IDENTITY)
    space.put({f"k{i}": {"v": i} for i in range(50)})
    (path,) = space.segments()
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    data = bytearray(path.read_bytes())
    data[chunk.data_page_offset + chunk.total_compressed_size - 2] ^= 1
    path.write_bytes(data)
    (problem,) = store_tools.verify(Store(tmp_path)).problems
    assert f"{path}: cannot be read" in problem
    assert "its calls are made again" in problem


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


def key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def text_of(answers) -> dict[str, dict]:
    return {k: dict(v) for k, v in answers.items()}


def smallest(rows: list[tuple[int, int]]) -> dict[str, dict]:
    """What must be answered: of all payloads of a key the one whose text has the smallest SHA-256."""
    found: dict[str, dict] = {}
    for number, value in rows:
        held = found.get(key(number))
        texts = [json.dumps({"v": v}, separators=(",", ":")) for v in ({value} | ({held["v"]} if held else set()))]
        found[key(number)] = json.loads(min(texts, key=lambda text: hashlib.sha256(text.encode()).digest()))
    return found


ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=12)


@settings(deadline=None, max_examples=30)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_smallest_hash_wins_whatever_was_written_merged_or_imported_when(tmp_path_factory, rows, random):
    folder = tmp_path_factory.mktemp("merge")
    stores = [Store(folder / "a"), Store(folder / "b")]
    writers = [[store.space("score", "m", IDENTITY) for _ in range(2)] for store in stores]
    for number, value in random.sample(rows, len(rows)):
        random.choice(random.choice(writers)).put({key(number): {"v": value}})
        if random.random() < 0.3:
            random.choice(random.choice(writers)).compact()
    if not stores[1].spaces():
        writers[1][0].put({key(rows[0][0]): {"v": rows[0][1]}})
    for store in stores:
        if random.random() < 0.5:
            age(store, 7200)
            store_tools.collect(store)
    store_tools.export(stores[1], folder / "b.parquet")
    store_tools.import_file(stores[0], folder / "b.parquet")
    assert text_of(Store(folder / "a").space("score", "m", IDENTITY).everything()) == smallest(rows)


@settings(deadline=None, max_examples=30)
@given(ROWS, st.randoms(use_true_random=False))
def test_equal_stores_give_equal_exports_and_an_import_is_whole(tmp_path_factory, rows, random):
    folder = tmp_path_factory.mktemp("export")
    files = []
    for name in "ab":
        store = Store(folder / name)
        for number, value in random.sample(rows, len(rows)):
            store.space("score", f"m{number % 2}", IDENTITY).put({key(number): {"v": value}})
        store_tools.export(store, folder / f"{name}.parquet")
        files.append((folder / f"{name}.parquet").read_bytes())
    assert files[0] == files[1]
    copy = Store(folder / "copy")
    done = store_tools.import_file(copy, folder / "a.parquet")
    assert sum(space.added for space in done) == len({number for number, _ in rows})
    again = store_tools.import_file(copy, folder / "a.parquet")
    assert [(space.added, space.differing) for space in again] == [(0, 0)] * len(done)
    assert [space.present for space in again] == [space.added for space in done]
    store_tools.export(copy, folder / "copy.parquet")
    assert (folder / "copy.parquet").read_bytes() == files[0]
    assert store_tools.verify(copy).problems == []


def age(store: Store, seconds: float) -> None:
    """Make everything in the store so much older."""
    for path in store.root.rglob("*"):
        if path.is_file():
            os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def two_models(root: Path) -> Store:
    store = Store(root)
    store.space("score", "small", IDENTITY).put({key(1): {"v": 1}})
    store.space("score", "large", IDENTITY).put({key(2): {"v": 2}})
    store.space("nli", "small", IDENTITY).put({key(3): {"v": 3}})
    return store


def folders(store: Store) -> list[str]:
    return [f"{space.folder.parent.name}/{store_tools.model_of(space)}" for space in store.spaces()]


def test_a_space_says_whose_answers_it_holds(tmp_path):
    store = Store(tmp_path)
    space = store.space("score", "m", IDENTITY)
    space.mark_used()
    assert store.spaces() == []
    space.put({key(1): {"v": 1}})
    assert store.spaces()[0].label() == ("score", "m", IDENTITY)
    # A space of an earlier version has no label: the next run that uses it writes it.
    (space.folder / "identity.json").unlink()
    assert store.spaces()[0].label() is None
    assert "has no identity.json yet" in store_tools.verify(store).notes[0]
    with pytest.raises(InputError, match=r"has no identity\.json, so its answers could not be used elsewhere"):
        store_tools.export(store, tmp_path / "x.parquet")
    store.space("score", "m", IDENTITY).mark_used()
    assert store_tools.export(store, tmp_path / "x.parquet") == 1


def test_export_chooses_by_kind_and_model(tmp_path):
    store = two_models(tmp_path / "store")

    def exported(**choice):
        store_tools.export(store, tmp_path / "x.parquet", **choice)
        table = pq.read_table(tmp_path / "x.parquet").to_pylist()
        return [(row["kind"], row["model"], json.loads(row["payload"])["v"]) for row in table]

    assert exported() == [("nli", "small", 3), ("score", "large", 2), ("score", "small", 1)]
    assert exported(kind="score") == [("score", "large", 2), ("score", "small", 1)]
    assert exported(models=["small"]) == [("nli", "small", 3), ("score", "small", 1)]
    assert json.loads(pq.read_table(tmp_path / "x.parquet")["identity"][0].as_py()) == IDENTITY
    with pytest.raises(InputError, match=r"model tiny \(models there: large, small\); check --model"):
        exported(models=["tiny"])
    with pytest.raises(InputError, match="holds no answer of kind generation"):
        exported(kind="generation")


def rewrite(path: Path, rows: list[dict], /, **meta) -> None:
    """An export with its rows (and what its metadata say) changed, and the hash made to fit."""
    names = ["kind", "model", "identity", "key", "payload"]
    digest = hashlib.sha256("".join("\0".join(row[n] for n in names) + "\n" for row in rows).encode()).hexdigest()
    said = {"version": 1, "rows": len(rows), "sha256": digest} | meta
    table = pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in names]))
    pq.write_table(table.replace_schema_metadata({"dualpair_store": json.dumps(said)}), path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "../score"}, "row 1: kind '../score'; allowed:"),
        ({"model": "../../m"}, "row 1: model '../../m'; allowed:"),
        ({"key": "k"}, "row 1: key 'k'; allowed:"),
        ({"identity": "{ }"}, "row 1: identity '{ }' is no JSON object as the store writes it"),
        ({"payload": "[1]"}, r"row 1: payload '\[1\]' is no JSON object"),
        ({"payload": "{"}, "row 1: payload '{' is no JSON object"),
        ({"payload": '{"v":NaN}'}, "is no JSON object as the store writes it"),
    ],
)
def test_a_row_that_is_not_well_formed_is_refused_before_anything_is_written(change, message, tmp_path):
    path = tmp_path / "x.parquet"
    store_tools.export(two_models(tmp_path / "store"), path)
    rows = pq.read_table(path).to_pylist()
    rewrite(path, rows)
    assert len(store_tools.import_file(Store(tmp_path / "sound"), path)) == 3
    rewrite(path, [rows[0] | change, *rows[1:]])
    with pytest.raises(InputError, match=message):
        store_tools.import_file(Store(tmp_path / "copy"), path)
    assert not (tmp_path / "copy").exists()


def test_a_damaged_edited_or_foreign_file_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    store_tools.export(two_models(tmp_path / "store"), path)
    rows, whole = pq.read_table(path).to_pylist(), path.read_bytes()
    copy = Store(tmp_path / "copy")

    def refused(message):
        with pytest.raises(InputError, match=message):
            store_tools.import_file(copy, path)
        assert not copy.root.exists()

    said = json.loads(pq.read_metadata(path).metadata[b"dualpair_store"])
    rewrite(path, [{**rows[0], "payload": '{"v":4}'}, *rows[1:]], sha256=said["sha256"])
    refused("3 rows with SHA-256 .* damaged or edited")
    rewrite(path, rows[:2], rows=3)
    refused("2 rows with SHA-256 .* say 3 rows")
    rewrite(path, [rows[1], rows[0], rows[2]])
    refused("row 2: not sorted, or its key repeats")
    rewrite(path, [rows[0], rows[0]])
    refused("row 2: not sorted, or its key repeats")
    rewrite(path, rows, version=2)
    refused("export of version 2, this program reads 1")
    path.write_bytes(whole[:-20])
    refused("cannot be read")
    pq.write_table(pa.table({"a": [1]}), path)
    refused(r"columns \['a'\]: not a file that `dualpair store export` wrote")
    path.unlink()
    refused("no such file")


def test_an_import_that_differs_keeps_the_smaller_hash_and_counts_it(tmp_path):
    ours, theirs = Store(tmp_path / "ours"), Store(tmp_path / "theirs")
    for store, values in ((ours, (1, 2, 3)), (theirs, (1, 5, 9))):
        store.space("score", "m", IDENTITY).put({key(i): {"v": value} for i, value in enumerate(values)})
    store_tools.export(theirs, tmp_path / "x.parquet")
    won = sum(smallest([(i, a), (i, b)])[key(i)]["v"] == b for i, a, b in ((1, 2, 5), (2, 3, 9)))
    (space,) = store_tools.import_file(ours, tmp_path / "x.parquet")
    assert (space.added, space.present, space.differing) == (won, 3 - won, 2)
    assert store_tools.import_file(ours, tmp_path / "x.parquet")[0].added == 0


def test_gc_without_a_choice_removes_no_answer_and_merges_old_segments_only(tmp_path):
    store = Store(tmp_path)
    space = store.space("score", "m", IDENTITY)
    for number in range(4):
        space.put({key(number): {"v": number}})
    (space.folder / ".abc.parquet.xyz.tmp").write_bytes(b"PAR1 cut")
    before, answers = space.segments(), text_of(space.everything())
    assert store_tools.collect(store) == []
    assert space.segments() == before

    age(store, 7200)
    newest = max(path.stat().st_mtime for path in before)
    space.put({key(4): {"v": 4}})
    young = set(space.segments()) - set(before)
    planned = store_tools.collect(store, dry_run=True)
    assert [done.action for done in planned] == ["1 files of killed writers deleted", "4 segments merged into one"]
    assert set(space.segments()) == {*before, *young}
    assert store_tools.collect(store) == planned
    (merged,) = set(space.segments()) - young
    assert merged not in before
    assert merged.stat().st_mtime == newest
    assert text_of(space.everything()) == {**answers, key(4): {"v": 4}}
    assert list(space.folder.glob(".*")) == []
    # The writer, still at work, compacts what is left of its own.
    space.compact()
    assert text_of(Store(tmp_path).spaces()[0].everything()) == {**answers, key(4): {"v": 4}}


def test_gc_says_what_it_cannot_merge_and_goes_on(tmp_path):
    store = two_models(tmp_path)
    for space in store.spaces():
        space.put({key(9): {"v": 9}})
    bad = store.spaces()[0].segments()[0]
    bad.write_bytes(b"junk")
    (tmp_path / ".removed-0" / "m-0123456789ab").mkdir(parents=True)
    age(store, 7200)
    done = store_tools.collect(store)
    assert f"2 segments not merged: {bad}: cannot be read" in done[0].action
    assert [what.action for what in done[1:]] == ["2 segments merged into one"] * 2
    assert not (tmp_path / ".removed-0").exists()


def test_gc_removes_what_is_named_or_long_unused_and_nothing_in_use(tmp_path):
    store = two_models(tmp_path)
    all_three = ["nli/small", "score/large", "score/small"]
    done = store_tools.collect(store, keep_days=0, models=["small"])
    assert {(what.folder.name[:5], what.action) for what in done} == {("small", "kept: used within the last hour")}
    assert folders(store) == all_three

    age(store, 10 * 86400)
    assert store_tools.collect(store, keep_days=11) == []
    store.space("nli", "small", IDENTITY).mark_used()
    done = store_tools.collect(store, keep_days=9, dry_run=True)
    assert [f"{what.folder.parent.name} {what.action}" for what in done] == ["score removed", "score removed"]
    assert folders(store) == all_three
    store_tools.collect(store, keep_days=9, models=["small"])
    assert folders(store) == ["nli/small", "score/large"]
    with pytest.raises(InputError, match=r"model tiny \(models there: large, small\)"):
        store_tools.collect(store, models=["tiny"])
    store_tools.collect(store, models=["large"])
    assert folders(store) == ["nli/small"]
    assert list(tmp_path.glob(".*")) == []


def test_the_command_carries_a_store_over_and_tidies_it(tmp_path, capsys):
    store = two_models(tmp_path / "store")
    root, copy, out = str(store.root), str(tmp_path / "copy"), str(tmp_path / "x.parquet")
    cli.main(["store", "export", out, "--kind", "score", "--model", "large", "--model", "small", "--store", root])
    assert f"{out}: 2 answers" in capsys.readouterr().out
    cli.main(["store", "import", out, "--store", copy])
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2
    assert all(line.endswith("1 added, 0 there already, 0 differed") for line in printed)
    cli.main(["store", "verify", "--store", copy])
    assert "2 spaces, 0 problems" in capsys.readouterr().out
    age(Store(copy), 7200)
    cli.main(["store", "gc", "--model", "large", "--dry-run", "--store", copy])
    assert "removed" in (printed := capsys.readouterr().out)
    assert "nothing was changed" in printed
    cli.main(["store", "gc", "--model", "large", "--store", copy])
    assert folders(Store(copy)) == ["score/small"]
    capsys.readouterr()
    cli.main(["store", "gc", "--store", copy])
    assert "nothing to do" in capsys.readouterr().out
    for wrong in (["gc", "--keep-days", "-1"], ["import", root], ["export", out, "--model", "tiny"]):
        with pytest.raises(SystemExit) as error:
            cli.main(["store", *wrong, "--store", copy])
        assert error.value.code == 2


def test_answers_are_found_again_after_an_interrupted_run_of_gc(tmp_path, monkeypatch):
    store = Store(tmp_path)
    space = store.space("score", "m", IDENTITY)
    space.put({key(1): {"v": 1}})
    space.put({key(2): {"v": 2}})
    age(store, 7200)

    def killed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(KeyboardInterrupt):
        store_tools.collect(store)
    monkeypatch.undo()
    assert len(space.segments()) == 3
    assert text_of(space.everything()) == {key(1): {"v": 1}, key(2): {"v": 2}}
    assert time.time() - space.last_used() > 3600
    store_tools.collect(store)
    assert len(space.segments()) == 1


@pytest.mark.parametrize("words", [["verify"], ["gc"], ["export", "out.parquet"]])
def test_a_store_that_is_not_there_is_said_to_be_missing(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as error:
        cli.main(["store", *words, "--store", str(tmp_path / "nowhere")])
    assert error.value.code == 2
    assert f"{tmp_path / 'nowhere'}: there is no store" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("out", "message"),
    [("a.csv", "unknown kind of file '.csv'"), ("f.parquet", "is a folder"), ("no/a.parquet", "there is no folder no")],
)
def test_an_export_that_cannot_be_written_is_refused(out, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.parquet").mkdir()
    with pytest.raises(InputError, match=message):
        store_tools.export(two_models(tmp_path / "s"), Path(out))
