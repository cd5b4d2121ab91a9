"""The two commands of a model stage: plan (no torch) and run (torch only when something is missing)."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dualpair import plan
from dualpair.errors import InputError
from dualpair.models import registry
from dualpair.runlog import Progress
from dualpair.store import Payload, Space, Store

log = logging.getLogger("dualpair")

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
    parser.add_argument("--out", required=True, help="artifact to write")


def open_stage(
    args: argparse.Namespace, kind: str, identity: dict[str, Any], requests: Sequence[plan.Request]
) -> Stage:
    """Bind requests to the store named by the arguments."""
    space = Store(args.store).space(kind, args.model, identity)
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


def run_stage(args: argparse.Namespace, stage: Stage, load: Callable[[], Caller]) -> dict[str, Payload]:
    """Carry the plan out; ``load`` loads the model and is called only when a unit must be run.

    Returns:
        The stored answer of every request.

    Raises:
        InputError: the plan was made for another model identity (e.g. another machine's dtype), or more than the
            configured share of rows failed.
    """
    planned = plan.read(args.plan)
    if planned.identity != stage.identity:
        raise InputError(
            f"{args.plan}: made for {planned.identity}, but here the model is {stage.identity}; name the dtype and "
            f"device in the config instead of 'auto', or delete the plan and run snakemake again"
        )
    progress = Progress(len(planned.units), f"{stage.name} {stage.model}")
    caller: list[Caller] = []

    def call(batch: list[plan.Request]) -> list[Payload]:
        if not caller:
            log.info("loading %s", stage.model)
            caller.append(load())
        return caller[0](batch)

    done = plan.run(planned, stage.requests, stage.space, call, lambda *_: progress.advance())
    log.info(
        "%s for %s: %d model calls made, %d answers in the table",
        stage.name,
        stage.model,
        done.made,
        len(stage.requests),
    )
    answers = plan.answers(stage.requests, stage.space, stage.name, done.errors)
    _check_failures(answers, stage, args.max_failed_share)
    return answers


def use_threads(count: int) -> None:
    """Give torch ``count`` cores."""
    import torch

    torch.set_num_threads(count)


def _check_failures(answers: dict[str, Payload], stage: Stage, allowed: float) -> None:
    errors = sorted(str(answer["error"]) for answer in answers.values() if answer.get("error"))
    if not errors:
        return
    log.warning(
        "%s for %s: %d of %d rows failed, first: %s", stage.name, stage.model, len(errors), len(answers), errors[0]
    )
    if len(errors) > allowed * len(answers):
        raise InputError(
            f"stage {stage.name}, model {stage.model}: {len(errors)} of {len(answers)} rows failed, more than "
            f"`execution.max_failed_share` = {allowed}; first error: {errors[0]}. "
            f"The other answers are kept; run snakemake again to try these once more"
        )
