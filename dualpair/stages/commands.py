"""The commands of a model stage: plan (no torch), run (torch only where something is missing), and a shard of a run."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import plan, shards
from dualpair.errors import InputError
from dualpair.models import registry
from dualpair.runlog import Progress
from dualpair.store import Answers, Payload, Space, Store

log = logging.getLogger("dualpair")

_LONGEST_REASON = 300  # characters

Caller = Callable[[list[plan.Request]], list[Payload]]


class Stage(NamedTuple):
    """A model stage on its inputs: everything that plan and run need."""

    name: str
    kind: str
    model: str
    identity: dict[str, Any]
    requests: Sequence[plan.Request]
    space: Space


def model_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that name the model and the store."""
    parser.add_argument("--stage", required=True, help="name of the stage, as in plans/<stage>")
    parser.add_argument("--model", required=True, help="registry name of the model")
    parser.add_argument("--entry", required=True, type=registry.from_json, help="registry entry, as JSON")
    parser.add_argument("--store", required=True, help="folder of the store")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")


def plan_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of a plan command."""
    model_arguments(parser)
    parser.add_argument("--unit-tokens", type=int, required=True, help="tokens of one unit")
    parser.add_argument("--out", required=True, help="plan to write")


def run_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of a model command."""
    model_arguments(parser)
    parser.add_argument("--plan", required=True, help="plan to carry out")
    parser.add_argument("--threads", type=int, required=True, help="cores")
    parser.add_argument("--token-budget", type=int, required=True, help="tokens of one forward pass")
    parser.add_argument("--max-failed-share", type=float, required=True, help="fail when more rows failed")
    parser.add_argument("--hub", choices=["off", "on"], required=True, help="whether a model hub may be reached")
    parser.add_argument("--concurrency", type=int, action=_Concurrency, help="a server's requests in flight")
    parser.add_argument("--shards", nargs="*", default=[], help="notes of the shards that have carried the plan out")
    parser.add_argument("--out", required=True, help="artifact to write")


def shard_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of a command that carries out one shard of a plan; ``--out`` is its note."""
    run_arguments(parser)
    parser.add_argument("--shard", type=shards.Shard.parse, required=True, help="i-of-n, such as 2-of-4")


def open_stage(
    args: argparse.Namespace, kind: str, identity: dict[str, Any], requests: Sequence[plan.Request]
) -> Stage:
    """Bind requests to the store named by the arguments."""
    space = Store(args.store).space(kind, args.model, identity)
    space.mark_used()
    return Stage(args.stage, kind, args.model, identity, requests, space)


def write_plan(args: argparse.Namespace, stage: Stage) -> None:
    """Compare with the store, cut into units, write the plan, and say what it holds."""
    made = plan.build(
        stage.name, stage.model, stage.kind, stage.identity, stage.requests, stage.space, args.unit_tokens
    )
    plan.write(made, args.out)
    log.info(
        "%s for %s: %d requests, %d missing in %d units, about %d tokens",
        stage.name, stage.model, made.n_requests, made.n_missing, len(made.units), made.tokens_missing,
    )  # fmt: skip


def run_stage(args: argparse.Namespace, stage: Stage, load: Callable[[], Caller]) -> Answers:
    """Carry the plan out; ``load`` loads the model and is called only when a unit must be run.

    Where shards have carried the plan out already, nothing is run: their failed rows are taken from their notes.

    Returns:
        The answer of every request.

    Raises:
        InputError: the plan was made for another model identity (e.g. another machine's dtype), shards are missing or
            belong to another plan, or more than the configured share of rows failed.
    """
    planned = _plan_of(args, stage)
    notes: dict[Path, dict[str, Payload]] = {}
    if args.shards:
        notes = shards.read_notes(args.shards, shards.digest(args.plan))
        done = plan.Outcome(0, {key: error for errors in notes.values() for key, error in errors.items()})
    else:
        done = _carry_out(stage, planned, planned.units, load)
    log.info(
        "%s for %s: %d model calls made, %d answers in the table",
        stage.name,
        stage.model,
        done.made,
        len(stage.requests),
    )
    answers = plan.answers(stage.requests, stage.space, stage.name, done.errors)
    failed = {key: str(error) for key in done.errors if (error := answers[key].get("error"))}
    first = _first(stage.requests, failed)
    if _too_many(len(failed), first, stage, len(answers), args.max_failed_share):
        # A shard is run again when its note is gone; without this its failures would be read again and again.
        for path in (path for path, errors in notes.items() if errors):
            path.unlink()
        raise InputError(
            f"stage {stage.name}, model {stage.model}: {len(failed)} of {len(answers)} rows failed, more than "
            f"`execution.max_failed_share` = {args.max_failed_share}; first: {first}. Shorten or leave out what cannot "
            f"be run, or raise `execution.max_failed_share`; if the cause was passing, run snakemake again. The other "
            f"answers are kept"
        )
    return answers


def run_shard(args: argparse.Namespace, stage: Stage, load: Callable[[], Caller]) -> None:
    """Carry out one shard of the plan and note it; how many rows may fail is for the stage to decide, when it merges.

    Raises:
        InputError: the plan was made for another model identity.
    """
    planned = _plan_of(args, stage)
    mine = shards.units(planned, args.shard)
    if planned.units and not mine:
        log.warning(
            "%s for %s: shard %s has nothing to do, since the plan has %d units only; lower `shards`",
            stage.name, stage.model, args.shard, len(planned.units),
        )  # fmt: skip
    done = _carry_out(stage, planned, mine, load, f" shard {args.shard}")
    shards.write_note(args.out, shards.digest(args.plan), planned, args.shard, done.errors)
    log.info(
        "%s for %s: %d model calls made, shard %s: %d units of %d, %d rows failed",
        stage.name, stage.model, done.made, args.shard, len(mine), len(planned.units), len(done.errors),
    )  # fmt: skip


def use_threads(count: int) -> None:
    """Give torch ``count`` cores."""
    import torch

    torch.set_num_threads(count)


def _plan_of(args: argparse.Namespace, stage: Stage) -> plan.Plan:
    planned = plan.read(args.plan)
    if planned.identity != stage.identity:
        raise InputError(
            f"{args.plan}: made for {planned.identity}, but here the model is {stage.identity}; name the dtype and "
            f"device in the config instead of 'auto', or delete the plan and run snakemake again"
        )
    return planned


def _carry_out(
    stage: Stage, planned: plan.Plan, units: Sequence[plan.Unit], load: Callable[[], Caller], part: str = ""
) -> plan.Outcome:
    progress = Progress(len(units), f"{stage.name} {stage.model}{part}")
    caller: list[Caller] = []

    def call(batch: list[plan.Request]) -> list[Payload]:
        if not caller:
            log.info("loading %s", stage.model)
            caller.append(load())
        return caller[0](batch)

    return plan.run(planned, stage.requests, stage.space, call, lambda *_: progress.advance(), units)


def _first(requests: Sequence[plan.Request], failed: Mapping[str, str]) -> str:
    """Place and reason of the first request that failed; a long reason, which may repeat a text, is cut."""
    for request in requests:
        if request.key in failed:
            reason = " ".join(failed[request.key].split())
            shown = reason if len(reason) <= _LONGEST_REASON else f"{reason[: _LONGEST_REASON - 1]}…"
            return f"set {request.set_id} ({request.lang}): {shown}"
    return ""


def _too_many(failed: int, first: str, stage: Stage, total: int, allowed: float) -> bool:
    if failed:
        log.warning("%s for %s: %d of %d rows failed, first: %s", stage.name, stage.model, failed, total, first)
    return failed > allowed * total


class _Concurrency(argparse.Action):
    """Lays `concurrency` over the entry; it decides no answer, so the entry that a rule is tracked by leaves it out."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any) -> None:
        if getattr(namespace, "entry", None) is None:
            parser.error("--concurrency: give --entry before it")
        namespace.entry = namespace.entry.model_copy(update={"concurrency": values})
