"""Plans: fixed units of whole sets; a kill loses at most one unit and changes no byte of the result."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualpair import plan, shards
from dualpair.errors import InputError
from dualpair.shards import Shard
from dualpair.store import Space

IDENTITY = {"weights": "w"}


def requests(sets: int, per_set: int, tokens: int = 10) -> list[plan.Request]:
    return [
        plan.make_request(IDENTITY, "en", f"s{i:03}", {"text": f"{i}-{j}"}, tokens)
        for i in range(sets)
        for j in range(per_set)
    ]


def answer(batch: list[plan.Request]) -> list[dict[str, object]]:
    # The answer depends on the whole unit, as a model's rounding does.
    size = sum(len(request.content["text"]) for request in batch)
    return [{"text": request.content["text"], "unit": size} for request in batch]


@given(st.integers(1, 12), st.integers(1, 5), st.integers(5, 120))
def test_units_hold_whole_sets_and_every_request_once(sets, per_set, budget):
    asked = requests(sets, per_set)
    units = plan.cut_units(reversed(asked), budget)
    keys = [key for unit in units for key in unit.keys]
    assert sorted(keys) == sorted(request.key for request in asked)
    where = {key: number for number, unit in enumerate(units) for key in unit.keys}
    by_set: dict[str, set[int]] = {}
    for request in asked:
        by_set.setdefault(request.set_id, set()).add(where[request.key])
    assert all(len(numbers) == 1 for numbers in by_set.values())
    assert all(unit.tokens <= max(budget, per_set * 10) for unit in units)


def test_equal_requests_of_two_sets_run_once():
    twice = [plan.make_request(IDENTITY, "en", s, {"text": "same"}, 3) for s in ("b", "a")]
    (unit,) = plan.cut_units(twice, 100)
    assert unit.keys == (twice[0].key,)
    assert unit.tokens == 3


def test_a_plan_round_trips_and_only_lists_what_is_missing(tmp_path):
    asked, space = requests(4, 2), Space(tmp_path / "store")
    space.put({asked[0].key: {"v": 1}, asked[1].key: {"v": 1}})
    made = plan.build("score", "m", "score", IDENTITY, asked, space, 40)
    assert (made.n_requests, made.n_missing, made.tokens_missing, len(made.units)) == (8, 6, 60, 2)
    plan.write(made, tmp_path / "plan.json")
    assert plan.read(tmp_path / "plan.json") == made
    (tmp_path / "old.json").write_text('{"version": 0}')
    with pytest.raises(ValueError, match="not a plan of version 1; delete it"):
        plan.read(tmp_path / "old.json")


class Killed(BaseException):
    """Stands for a SIGKILL."""


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_killed_run_goes_on_and_gives_the_same_answers(lost, tmp_path):
    asked = requests(6, 2)
    undisturbed, disturbed = Space(tmp_path / "a"), Space(tmp_path / "b")
    made = plan.build("score", "m", "score", IDENTITY, asked, undisturbed, 40)
    assert plan.run(made, asked, undisturbed, answer).made == 12
    calls = []

    def killed(batch):
        if len(calls) == lost:
            raise Killed
        calls.append(batch)
        return answer(batch)

    with pytest.raises(Killed):
        plan.run(made, asked, disturbed, killed)
    assert len(disturbed.keys()) == 4 * lost
    assert plan.run(made, asked, Space(tmp_path / "b"), answer).made == 12 - 4 * lost
    keys = [request.key for request in asked]
    assert Space(tmp_path / "b").get(keys) == undisturbed.get(keys)


def test_an_empty_plan_calls_nothing(tmp_path):
    asked, space = requests(1, 2), Space(tmp_path)
    space.put({request.key: {"v": 1} for request in asked})
    made = plan.build("score", "m", "score", IDENTITY, asked, space, 40)

    def never(batch):
        raise AssertionError("the model was called")

    assert plan.run(made, asked, space, never) == (0, {})
    assert len(plan.answers(asked, space, "score")) == 2


def test_a_stale_plan_and_an_emptied_store_are_refused(tmp_path):
    asked, space = requests(2, 1), Space(tmp_path)
    made = plan.build("score", "m", "score", IDENTITY, asked, space, 40)
    with pytest.raises(ValueError, match="the plan is older than the inputs"):
        plan.run(made, asked[:1], space, answer)
    with pytest.raises(ValueError, match="2 of 2 answers are not in the store"):
        plan.answers(asked, space, "score")
    with pytest.raises(ValueError, match="answered 0 of 2 requests"):
        plan.run(made, asked, space, lambda batch: [])


def test_an_error_is_answered_but_not_stored_and_tried_again(tmp_path):
    asked, space = requests(1, 2), Space(tmp_path)
    made = plan.build("score", "m", "score", IDENTITY, asked, space, 40)
    first = plan.run(made, asked, space, lambda batch: [{"v": 1}, {"error": "out of memory"}])
    assert first == (2, {asked[1].key: {"error": "out of memory"}})
    assert plan.answers(asked, space, "score", first.errors)[asked[1].key] == {"error": "out of memory"}
    assert plan.build("score", "m", "score", IDENTITY, asked, space, 40).n_missing == 1
    assert plan.run(made, asked, space, lambda batch: [{"v": 1}, {"v": 2}]) == (2, {})
    assert plan.answers(asked, space, "score")[asked[1].key] == {"v": 2}


def test_a_unit_has_one_language():
    asked = [plan.make_request(IDENTITY, lang, "s1", {"text": lang}, 1) for lang in ("es", "en", "es", "zh")]
    units = plan.cut_units(asked, 100)
    assert [len(unit.keys) for unit in units] == [1, 1, 1]


@pytest.mark.parametrize(
    ("size", "tokens"),
    [(None, 12000), (1e9, 12000), (270e6, 44444), (100e6, 96000), (1e6, 96000), (8e9, 1500), (70e9, 1500)],
)
def test_units_shrink_as_models_grow_within_a_factor_of_eight(size, tokens):
    assert plan.unit_tokens(12000, size) == tokens


@given(st.integers(1, 9), st.integers(1, 12))
def test_every_unit_is_in_one_shard(sets, total):
    planned = plan.build("score", "m", "score", IDENTITY, requests(sets, 1), Space(Path("absent")), 10)
    parts = [shards.units(planned, Shard(number, total)) for number in range(1, total + 1)]
    assert sorted(unit for part in parts for unit in part) == sorted(planned.units)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@settings(deadline=None, max_examples=24)
@given(st.permutations([1, 2, 3]), st.integers(0, 3))
def test_shards_in_any_order_and_after_a_kill_fill_the_store_as_one_job_does(tmp_path_factory, order, lost):
    asked, folder = requests(7, 2), tmp_path_factory.mktemp("shards")
    alone = Space(folder / "alone")
    planned = plan.build("score", "m", "score", IDENTITY, asked, alone, 40)
    plan.run(planned, asked, alone, answer)
    calls = []

    def killed(batch):
        if len(calls) == lost:
            raise Killed
        calls.append(batch)
        return answer(batch)

    try:
        plan.run(planned, asked, Space(folder / "shared"), killed, units=shards.units(planned, Shard(order[0], 3)))
    except Killed:
        assert len(Space(folder / "shared").keys()) == 4 * lost
    made = 0
    for number in order:
        units = shards.units(planned, Shard(number, 3))
        made += plan.run(planned, asked, Space(folder / "shared"), answer, units=units).made
    assert made == 14 - sum(len(batch) for batch in calls)
    keys = [request.key for request in asked]
    assert Space(folder / "shared").get(keys) == alone.get(keys)


def test_a_run_holds_the_answers_of_one_unit_only(tmp_path):
    import gc
    import weakref

    class Row(dict):
        """An answer that can be watched."""

    asked, alive = requests(6, 1), []

    def watched(batch):
        gc.collect()
        assert [ref for ref in alive if ref() is not None] == []
        rows = [Row(text=request.content["text"]) for request in batch]
        alive.extend(weakref.ref(row) for row in rows)
        return rows

    planned = plan.build("score", "m", "score", IDENTITY, asked, Space(tmp_path), 10)
    assert len(planned.units) == 6
    assert plan.run(planned, asked, Space(tmp_path), watched).made == 6


@pytest.mark.parametrize("text", ["", "1", "0-of-2", "3-of-2", "1-of-0", "a-of-b", "1-of-2 ", "-1-of-2"])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(InputError, match=r"give i-of-n with 1 <= i <= n, such as 2-of-4"):
        Shard.parse(text)


def test_notes_carry_the_failed_rows_of_all_shards_of_one_plan(tmp_path):
    planned = plan.build("score", "m", "score", IDENTITY, requests(5, 1), Space(tmp_path), 10)
    plan.write(planned, tmp_path / "plan.json")
    digest = shards.digest(tmp_path / "plan.json")
    failed = [{}, {planned.units[1].keys[0]: {"error": "too long"}}]
    notes = [tmp_path / f"{Shard(number, 2)}.json" for number in (1, 2)]
    for number, note in enumerate(notes, start=1):
        shards.write_note(note, digest, planned, Shard.parse(f"{number}-of-2"), failed[number - 1])
    assert shards.read_notes(notes, digest) == dict(zip(notes, failed, strict=True))

    with pytest.raises(InputError, match=r"shards 2-of-2: all of one count are needed"):
        shards.read_notes(notes[1:], digest)
    third = tmp_path / "third.json"
    shards.write_note(third, digest, planned, Shard(3, 3), {})
    with pytest.raises(InputError, match=r"shards 1-of-2, 2-of-2, 3-of-3: all of one count"):
        shards.read_notes([*notes, third], digest)
    with pytest.raises(InputError, match=r"1-of-2\.json: .*the shard carried out an older plan; delete the note"):
        shards.read_notes(notes, "0" * 64)
    third.write_text("[]")
    with pytest.raises(InputError, match=r"third\.json: not the note of a shard"):
        shards.read_notes([third], digest)
