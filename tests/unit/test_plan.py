"""Plans: fixed units of whole sets; a kill loses at most one unit and changes no byte of the result."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualpair import plan
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
