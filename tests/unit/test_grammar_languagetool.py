"""The LanguageTool engine's stage: every sentence once, raw findings kept, what is finished survives a dying server."""

from __future__ import annotations

import contextlib

import pandas as pd
import pytest

from dualpair import schemas
from dualpair.errors import InputError, PrerequisiteError
from dualpair.filters import languagetool
from dualpair.filters.languagetool import Checker, Counted
from dualpair.filters.languagetool_job import Job
from dualpair.stages import grammar
from dualpair.stages import grammar_languagetool as stage
from dualpair.store import Store
from tests.unit.languagetool_stub import Stub

IDENTITY = stage.identity("http://somewhere", "6.8", False)


@pytest.fixture
def stub():
    with Stub() as server:
        yield server


@pytest.fixture
def space(tmp_path):
    return Store(tmp_path).space(stage.KIND, IDENTITY["weights"], IDENTITY)


def pairs(
    texts: dict[str, str], sets: int = 1, groups: tuple[str, ...] = ("Cats", "Dogs"), source: str = "nap"
) -> pd.DataFrame:
    """Rows of `group_pairs` for the candidates (id: text) of each of some sets."""
    candidates, sources = [], []
    for number in range(sets):
        key = (f"s{number}", "c", "en", "age", "v0")
        sources.append((*key, list(groups), f"{source} {number}", "."))
        candidates += [
            (f"{number}-{i}", *key, "paraphrase", f"{text} {number}", ["m"], 1, False, True, "")
            for i, text in texts.items()
        ]
    frame = pd.DataFrame(candidates, columns=schemas.table("candidates").names)
    return grammar.group_pairs(frame, pd.DataFrame(sources, columns=schemas.table("sources").names), ["en"])


def run(frame: pd.DataFrame, space, stub: Stub | None, share: float = 0.5):
    """The stage's table; without a stub no server may be opened."""

    @contextlib.contextmanager
    def opened():
        assert stub is not None, "a server was opened"
        yield Job(Checker(stub.url, "6.8", False, 2.0, own=True), None, pause=0.001)

    asked = stage.requests(frame, IDENTITY)
    answers = stage.run(list(asked.values()), space, IDENTITY, opened, "grammar-languagetool", share)
    return stage.table(frame, asked, answers, "6.8")


def test_every_group_is_held_against_its_own_source(stub, space):
    frame = pairs({"a": "nap nap and and", "b": "sleep"}, groups=("Cats", "The the dogs"), source="nap nap")
    found = run(frame, space, stub).set_index(["candidate_id", "group_index"])
    # The doubled word of the group is in its source too; of the two in the attribute one is the source's.
    assert found["findings"].to_dict() == {("0-a", 0): 1, ("0-a", 1): 1, ("0-b", 0): 0, ("0-b", 1): 0}


def test_sentences_are_asked_for_once_and_units_are_sets_of_one_language(stub, space):
    frame = pairs({"a": "run", "b": "sleep"}, sets=200)
    run(frame, space, stub)
    texts = [text for asked in stub.asked for text in asked["text"].split("\n\n")]
    assert len(texts) == len(set(texts)) == 200 * 2 * 3
    before = len(stub.asked)
    again = run(frame, space, None)
    assert len(stub.asked) == before
    assert again["findings"].eq(0).all()
    run(pairs({"a": "run", "c": "jump"}, sets=200), space, stub)
    assert sum(asked["text"].count("\n\n") + 1 for asked in stub.asked[before:]) == 400


def test_another_list_of_categories_checks_nothing_anew(stub, space, monkeypatch):
    frame = pairs({"a": "nap nap"})
    assert run(frame, space, stub)["findings"].tolist() == [1, 1]
    given = languagetool.counted("en")
    monkeypatch.setattr(languagetool, "counted", lambda lang: given._replace(categories=frozenset({"GRAMMAR"})))
    assert run(frame, space, None)["findings"].tolist() == [0, 0]


def test_another_list_of_rules_that_never_run_checks_anew(stub, space, monkeypatch):
    frame = pairs({"a": "nap nap"})
    run(frame, space, stub)
    monkeypatch.setattr(
        languagetool, "counted", lambda lang: Counted("en-US", frozenset({"MISC"}), frozenset(), frozenset(), ("X",))
    )
    before = len(stub.asked)
    run(frame, space, stub)
    assert stub.asked[before]["disabledRules"] == "X"


def test_what_was_finished_before_the_server_went_away_is_kept(stub, space):
    frame = pairs({"a": "nap nap"}, sets=200)
    asked = list(stage.requests(frame, IDENTITY).values())

    @contextlib.contextmanager
    def opened():
        class Dying(Checker):
            def check(self, texts, code, never):
                if len(stub.asked) >= 6:
                    stub.unavailable = 10**6
                return super().check(texts, code, never)

        yield Job(Dying(stub.url, "6.8", False, 2.0, own=True), None, pause=0.001)

    with pytest.raises(PrerequisiteError, match="What was finished is kept"):
        stage.run(asked, space, IDENTITY, opened, "grammar-languagetool", 0.5)
    kept = len(space.keys())
    assert 0 < kept < len(asked)
    stub.unavailable = 0
    before = len(stub.asked)
    assert run(frame, space, stub)["findings"].eq(1).all()
    assert sum(one["text"].count("\n\n") + 1 for one in stub.asked[before:]) == len(asked) - kept


def test_a_sentence_that_fails_is_a_row_with_its_reason_and_is_tried_again(stub, space):
    frame = pairs({"a": "REFUSE", "b": "nap nap"})
    found = run(frame, space, stub).set_index("candidate_id")
    assert found.loc["0-a", "findings"].isna().all()
    assert found.loc["0-a", "error"].str.contains("cannot do that").all()
    assert found.loc["0-b", "findings"].tolist() == [1, 1]
    before = len(stub.asked)
    run(frame, space, stub)
    assert len(stub.asked) > before


def test_too_many_failures_end_the_stage(stub, space):
    frame = pairs({"a": "REFUSE", "b": "nap"})
    with pytest.raises(
        InputError, match=r"2 of 4 sentences failed, more than .*max_failed_share` = 0.1; first: set s0 \(en\)"
    ):
        run(frame, space, stub, share=0.1)


def test_a_remote_server_version_and_picky_are_parts_of_the_key():
    made = [
        stage.identity("local", "6.8", False), stage.identity("local", "6.7", False), stage.identity("local", "6.8", True),
        stage.identity("http://a", "6.8", False), stage.identity("http://b", "6.8", False),
    ]  # fmt: skip
    assert len({str(sorted(one.items())) for one in made}) == 5
    assert stage.identity("http://a/", "6.8", False) == made[3]
