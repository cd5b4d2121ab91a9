"""Plans of model stages: which requests are missing from the store, cut into fixed units of whole sets.

A plan is made without torch. The model rule runs its units in order, puts each finished unit into the store, and skips
a unit that the store already holds whole; so a killed run goes on with the same packing and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.artifacts import canonical_json, write_atomically
from dualpair.store import Answers, Payload, Space, request_key

PLAN_VERSION = 1


class Request(NamedTuple):
    """One call to a model: its key in the store, the set it belongs to, its content and its expected tokens."""

    key: str
    lang: str
    set_id: str
    content: dict[str, Any]
    tokens: int


class Unit(NamedTuple):
    """A fixed piece of a stage's work: the keys that run together."""

    unit_id: str
    keys: tuple[str, ...]
    tokens: int


class Outcome(NamedTuple):
    """What running a plan did: calls made, and the answers that are errors (not stored, so tried again next time)."""

    made: int
    errors: dict[str, Payload]


class Plan(NamedTuple):
    """What a model stage has to do."""

    stage: str
    model: str
    kind: str
    identity: dict[str, Any]
    n_requests: int
    n_missing: int
    tokens_missing: int
    units: tuple[Unit, ...]


def make_request(
    identity: Mapping[str, Any], lang: str, set_id: str, content: Mapping[str, Any], tokens: int
) -> Request:
    """A request keyed by the model's identity and the content (ids are no part of the key)."""
    return Request(request_key(identity, content), lang, set_id, dict(content), tokens)


def unit_tokens(budget: int, size: float | None) -> int:
    """Tokens of a unit of one model, so that a kill costs about the same time whatever the model's size.

    Args:
        budget: tokens of a unit of a model of 1e9 parameters.
        size: parameters of the model; unknown counts as 1e9. Units differ from ``budget`` by at most a factor of 8.
    """
    return max(1, round(budget * min(8.0, max(1 / 8, 1e9 / (size or 1e9)))))


def cut_units(requests: Iterable[Request], budget: int) -> tuple[Unit, ...]:
    """Cut requests into units: whole sets of one language, sorted, at most ``budget`` tokens (one set at least).

    A unit has one language, so that prompts which begin alike run together.

    A request that occurs in several sets (equal key) is run once, in the first of them.
    """
    groups: dict[tuple[str, str], list[Request]] = {}
    seen: set[str] = set()
    for request in sorted(requests, key=lambda r: (r.lang, r.set_id)):
        if request.key not in seen:
            seen.add(request.key)
            groups.setdefault((request.lang, request.set_id), []).append(request)
    units: list[Unit] = []
    keys: list[str] = []
    total = 0
    current = ""
    for (lang, _), group in groups.items():
        size = sum(request.tokens for request in group)
        if keys and (total + size > budget or lang != current):
            units.append(_unit(keys, total))
            keys, total = [], 0
        current = lang
        keys += [request.key for request in group]
        total += size
    if keys:
        units.append(_unit(keys, total))
    return tuple(units)


def build(
    stage: str,
    model: str,
    kind: str,
    identity: Mapping[str, Any],
    requests: Sequence[Request],
    space: Space,
    budget: int,
) -> Plan:
    """Compare the requests with the store and plan what is missing."""
    asked = {request.key for request in requests}
    have = space.keys(asked)
    missing = [request for request in requests if request.key not in have]
    units = cut_units(missing, budget)
    return Plan(
        stage,
        model,
        kind,
        dict(identity),
        len(asked),
        sum(len(unit.keys) for unit in units),
        sum(unit.tokens for unit in units),
        units,
    )


def write(plan: Plan, path: Path | str) -> None:
    """Write the plan as JSON, atomically."""
    data = {"version": PLAN_VERSION, **plan._asdict(), "units": [unit._asdict() for unit in plan.units]}
    write_atomically(Path(path), (json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode())


def read(path: Path | str) -> Plan:
    """Read a plan.

    Raises:
        ValueError: not a plan, or one of another version.
    """
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    if data.pop("version", None) != PLAN_VERSION:
        raise ValueError(f"{path}: not a plan of version {PLAN_VERSION}; delete it and run snakemake again")
    units = tuple(Unit(unit["unit_id"], tuple(unit["keys"]), unit["tokens"]) for unit in data.pop("units"))
    return Plan(units=units, **data)


def run(
    plan: Plan,
    requests: Sequence[Request],
    space: Space,
    call: Callable[[list[Request]], list[Payload]],
    report: Callable[[int, int, Unit], None] | None = None,
    units: Sequence[Unit] | None = None,
) -> Outcome:
    """Run the plan's units that the store does not hold yet; each finished unit is stored whole, and forgotten here.

    An answer with a non-empty ``error`` is not stored: the next run tries it again.

    Args:
        plan: the plan; may be empty, then ``call`` is never called.
        requests: all requests of the stage, computed again from its inputs.
        space: where answers go.
        call: answers a unit's requests, in order; it loads the model on its first use.
        report: called after each unit with (number done, number of units, unit).
        units: run these units of the plan only (a shard's).

    Raises:
        ValueError: the plan names a request that the inputs do not give (a stale plan), or ``call`` answers another
            number of requests than it was given.
    """
    units = plan.units if units is None else units
    by_key = {request.key: request for request in requests} if units else {}
    have = space.keys({key for unit in units for key in unit.keys}) if units else set()
    made = 0
    errors: dict[str, Payload] = {}
    for number, unit in enumerate(units, start=1):
        if not all(key in have for key in unit.keys):
            errors |= _run_unit(plan, unit, by_key, space, call)
            made += len(unit.keys)
        if report is not None:
            report(number, len(units), unit)
    space.compact()
    return Outcome(made, errors)


def answers(
    requests: Sequence[Request], space: Space, stage: str, errors: Mapping[str, Payload] | None = None
) -> Answers:
    """The stored answers of all requests, and the errors of this run for those that have none.

    Raises:
        ValueError: an answer is missing (the store was emptied between the plan and the model rule).
    """
    found = space.get(request.key for request in requests).texts
    for key, error in (errors or {}).items():
        found.setdefault(key, canonical_json(error))
    missing = {request.key for request in requests} - found.keys()
    if missing:
        raise ValueError(
            f"stage {stage}: {len(missing)} of {len(requests)} answers are not in the store {space.folder}; "
            f"the store was emptied after the plan was made: delete the stage's plan and run snakemake again"
        )
    return Answers(found)


def _run_unit(
    plan: Plan,
    unit: Unit,
    by_key: Mapping[str, Request],
    space: Space,
    call: Callable[[list[Request]], list[Payload]],
) -> dict[str, Payload]:
    """Store a unit's answers; returns those that are errors. A function of its own, so that the others are let go."""
    unknown = [key for key in unit.keys if key not in by_key]
    if unknown:
        raise ValueError(
            f"plan of {plan.stage} for {plan.model} names {len(unknown)} requests that its inputs do not give "
            f"(first {unknown[0][:12]}): the plan is older than the inputs; delete it and run snakemake again"
        )
    answers = call([by_key[key] for key in unit.keys])
    if len(answers) != len(unit.keys):
        raise ValueError(f"{plan.model} answered {len(answers)} of {len(unit.keys)} requests of unit {unit.unit_id}")
    found = dict(zip(unit.keys, answers, strict=True))
    errors = {key: answer for key, answer in found.items() if answer.get("error")}
    space.put({key: answer for key, answer in found.items() if key not in errors})
    return errors


def _unit(keys: Sequence[str], tokens: int) -> Unit:
    return Unit(hashlib.sha256(canonical_json(list(keys)).encode()).hexdigest()[:12], tuple(keys), tokens)
