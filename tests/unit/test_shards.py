"""A stage's commands: one job or several shards give the same answers, and failed rows reach the merge."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from dualpair import plan
from dualpair.errors import InputError
from dualpair.stages import commands

IDENTITY = {"weights": "w", "dtype": "float32"}
ENTRY = {
    "kind": "causal",
    "source": "path:m",
    "engine": "server",
    "endpoint": "http://localhost:1/v1",
    "dtype": "float32",
}
BAD = {"s02", "s05"}  # sets whose rows fail


class Job:
    """A stage in a folder of its own, with a model that answers from the request alone."""

    def __init__(self, folder: Path, sets: int = 8) -> None:
        self.folder = folder
        self.asked = [
            plan.make_request(IDENTITY, "en", f"s{i:02}", {"text": f"{i}-{j}"}, 10) for i in range(sets) for j in (0, 1)
        ]
        self.loads = 0
        self.failing = BAD

    def arguments(self, *words: str, shard: bool = False) -> argparse.Namespace:
        parser = argparse.ArgumentParser()
        (commands.shard_arguments if shard else commands.run_arguments)(parser)
        fixed = [
            "--stage",
            "score",
            "--model",
            "m",
            "--entry",
            json.dumps(ENTRY),
            "--store",
            str(self.folder / "store"),
        ]
        given = ["--plan", str(self.folder / "plan.json"), "--threads", "1", "--token-budget", "9", "--hub", "off"]
        return parser.parse_args([*fixed, *given, "--max-failed-share", "0.3", *words])

    def stage(self, args: argparse.Namespace) -> commands.Stage:
        return commands.open_stage(args, "score", IDENTITY, self.asked)

    def load(self) -> commands.Caller:
        self.loads += 1

        def call(batch: list[plan.Request]) -> list[dict[str, object]]:
            failed = {"error": "cannot be scored"}
            return [failed if r.set_id in self.failing else {"text": r.content["text"]} for r in batch]

        return call

    def plan(self) -> None:
        given = {"stage": "score", "model": "m", "store": self.folder / "store"}
        args = argparse.Namespace(**given, unit_tokens=20, out=self.folder / "plan.json")
        commands.write_plan(args, self.stage(args))

    def shard(self, name: str) -> Path:
        note = self.folder / f"{name}.json"
        args = self.arguments("--shard", name, "--out", str(note), shard=True)
        commands.run_shard(args, self.stage(args), self.load)
        return note

    def merge(self, *notes: Path, **changed: object) -> dict[str, object]:
        args = self.arguments("--shards", *map(str, notes), "--out", "unused")
        vars(args).update(changed)
        return dict(commands.run_stage(args, self.stage(args), self.load))


def test_three_shards_give_what_one_job_gives_and_the_merge_loads_no_model(tmp_path):
    alone, shared = Job(tmp_path / "alone"), Job(tmp_path / "shared")
    for job in (alone, shared):
        job.plan()
    assert (tmp_path / "alone" / "plan.json").read_bytes() == (tmp_path / "shared" / "plan.json").read_bytes()
    notes = [shared.shard(f"{number}-of-3") for number in (3, 1, 2)]
    assert shared.loads == 3
    merged = shared.merge(*notes)
    assert shared.loads == 3
    assert merged == alone.merge()
    failed = {r.key for r in alone.asked if r.set_id in BAD}
    assert {key for key, answer in merged.items() if "error" in answer} == failed
    assert failed == {key for note in notes for key in json.loads(note.read_text(encoding="utf-8"))["errors"]}


def test_a_shard_with_nothing_to_do_loads_no_model_says_so_and_leaves_its_note(tmp_path, caplog):
    job = Job(tmp_path, sets=2)
    job.plan()
    note = json.loads(job.shard("3-of-3").read_text(encoding="utf-8"))
    assert "shard 3-of-3 has nothing to do, since the plan has 2 units only; lower `shards`" in caplog.text
    assert (job.loads, note["units"], note["errors"], note["shard"]) == (0, [], {}, "3-of-3")


def test_a_shard_that_is_run_again_leaves_the_same_note_and_asks_nothing_that_is_stored(tmp_path):
    job = Job(tmp_path)
    job.plan()
    first = job.shard("1-of-3").read_bytes()  # sets 0, 3, 6: none of them fails
    assert job.shard("1-of-3").read_bytes() == first
    assert job.loads == 1
    job.shard("3-of-3")  # sets 2, 5: both fail, so both are tried again
    job.shard("3-of-3")
    assert job.loads == 3


def test_too_many_failed_rows_fail_the_merge_and_their_shards_are_tried_again(tmp_path):
    job = Job(tmp_path)
    job.plan()
    notes = [job.shard(f"{number}-of-3") for number in (1, 2, 3)]
    assert len(job.merge(*notes, max_failed_share=0.25)) == 16
    with pytest.raises(
        InputError, match=r"4 of 16 rows failed, more than `execution.max_failed_share` = 0.24; first"
    ) as error:
        job.merge(*notes, max_failed_share=0.24)
    assert "first: set s02 (en): cannot be scored. Shorten or leave out" in str(error.value)
    assert "or raise `execution.max_failed_share`" in str(error.value)
    # The workflow runs the shards whose notes are gone; nothing else is repeated.
    assert [note.exists() for note in notes] == [True, True, False]
    job.failing = set()
    job.shard("3-of-3")
    assert not any("error" in answer for answer in job.merge(*notes, max_failed_share=0.0).values())


def test_shards_of_an_older_plan_and_an_incomplete_set_of_them_are_refused(tmp_path):
    job = Job(tmp_path)
    job.plan()
    notes = [job.shard(f"{number}-of-2") for number in (1, 2)]
    with pytest.raises(InputError, match="all of one count are needed"):
        job.merge(notes[0])
    job.plan()  # now only the failed rows are missing: another plan
    with pytest.raises(InputError, match="the shard carried out an older plan"):
        job.merge(*notes)


def test_a_shard_refuses_the_plan_of_another_model(tmp_path):
    job = Job(tmp_path)
    job.plan()
    args = job.arguments("--shard", "1-of-2", "--out", "unused", shard=True)
    stage = job.stage(args)._replace(identity={**IDENTITY, "dtype": "bfloat16"})
    with pytest.raises(InputError, match="name the dtype and device in the config"):
        commands.run_shard(args, stage, job.load)


def test_an_opened_space_is_marked_as_used(tmp_path):
    job = Job(tmp_path)
    job.plan()
    job.shard("1-of-1")
    (label,) = (tmp_path / "store").glob("score/*/identity.json")
    assert json.loads(label.read_text(encoding="utf-8")) == {"kind": "score", "model": "m", "identity": IDENTITY}
    label.unlink()
    job.merge(job.folder / "1-of-1.json")
    assert label.exists()


def test_concurrency_is_laid_over_the_entry_and_never_silently_lost(tmp_path, capsys):
    job = Job(tmp_path)
    assert job.arguments("--out", "x").entry.concurrency == 8
    assert job.arguments("--out", "x", "--concurrency", "3").entry.concurrency == 3
    parser = argparse.ArgumentParser()
    commands.run_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--concurrency", "3", "--entry", json.dumps(ENTRY)])
    assert "--concurrency: give --entry before it" in capsys.readouterr().err
