"""Families of models: base against instruct, and the series of sizes or checkpoints in which a trend can be looked for.

What belongs together is said by the registry's `family`, `size` and `tuning`, and by nothing else but training steps in
a name (``pythia-160m-step1000``).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from dualpair import schemas
from dualpair.analysis.comparison import Resampling, paired, wide

MIN_POSITIONS = 3
# Sizes are quoted rounded, so that 8.0e9 and 8.03e9 may be the same model.
SIZE_TOLERANCE = 0.05
_STEP = re.compile(r"(?:^|[-._])(?:step|checkpoint|ckpt)[-._]?([0-9]+)(?=$|[-._])")

Models = Mapping[str, Mapping[str, Any]]


class Counterparts(NamedTuple):
    """A base model and an instruct model of one family and size (parameters of the base model)."""

    family: str
    size: float
    base: str
    instruct: str


class Series(NamedTuple):
    """Models of one family in an order.

    Attributes:
        name: family, tuning where it is given and, of checkpoints, the size.
        kind: ``size`` or ``checkpoint``.
        models: registry names, by position.
        positions: parameters, or training steps; strictly increasing, above 0.
    """

    name: str
    kind: str
    models: tuple[str, ...]
    positions: tuple[float, ...]


def base_and_instruct(models: Models) -> list[Counterparts]:
    """Every base model with every instruct model of the same family and size (within 5 %), sorted.

    Args:
        models: registry name to ``family``, ``size`` and ``tuning``, each may be None; one without all three has no
            counterpart.
    """
    known = {name: one for name, one in models.items() if one.get("family") and one.get("size") and one.get("tuning")}
    found = [
        Counterparts(str(known[base]["family"]), float(known[base]["size"]), base, instruct)
        for base, instruct in itertools.permutations(sorted(known), 2)
        if (known[base]["tuning"], known[instruct]["tuning"]) == ("base", "instruct")
        and known[base]["family"] == known[instruct]["family"]
        and math.isclose(known[base]["size"], known[instruct]["size"], rel_tol=SIZE_TOLERANCE)
    ]
    return sorted(found)


def step(model: str) -> int | None:
    """Training steps in a name: ``...-step1000``, ``...-checkpoint-500``, ``...-ckpt500``; None without."""
    found = _STEP.search(model)
    return int(found.group(1)) if found else None


def series(models: Models) -> list[Series]:
    """Series of at least three sizes, or of three checkpoints of one size, of one family and tuning; sorted by name.

    Of several models of one size the one with the most training steps counts, or else the first by name. Step 0 has no
    place on the logarithmic scale of a trend and is left out.
    """
    sizes: dict[tuple[str, str], dict[float, str]] = {}
    steps: dict[tuple[str, str, float], dict[float, str]] = {}
    for name in sorted(models, key=lambda name: (-(step(name) or 0), name)):
        one = models[name]
        if not one.get("family") or not one.get("size"):
            continue
        group, size, steps_done = (str(one["family"]), str(one.get("tuning") or "")), float(one["size"]), step(name)
        sizes.setdefault(group, {}).setdefault(size, name)
        if steps_done:
            steps.setdefault((*group, size), {}).setdefault(float(steps_done), name)
    made = [_series(" ".join(filter(None, group)), "size", members) for group, members in sizes.items()]
    made += [
        _series(" ".join(filter(None, (family, tuning, f"{size:.3g}"))), "checkpoint", members)
        for (family, tuning, size), members in steps.items()
    ]
    return sorted(one for one in made if len(one.models) >= MIN_POSITIONS)


def tuning(set_measures: pd.DataFrame, models: Models, resampling: Resampling) -> pd.DataFrame:
    """Instruct minus base of every pair of counterparts: the ``tuning`` table.

    Args:
        set_measures: the ``set_measures`` table of all models.
        models: registry name to ``family``, ``size`` and ``tuning``.
        resampling: seed and numbers of resamples.

    Returns:
        The table, sorted by its key; empty without counterparts. Holm's correction is over these comparisons alone.
    """
    data = wide(set_measures)
    found = [one for one in base_and_instruct(models) if {one.base, one.instruct} <= set(data.models)]
    frame = paired(data, [(one.instruct, one.base) for one in found], resampling)
    about = pd.DataFrame(found, columns=list(Counterparts._fields))
    merged = frame.rename(columns={"model_a": "instruct", "model_b": "base"}).merge(
        about, on=["instruct", "base"], how="left", validate="many_to_one"
    )
    declared = schemas.table("tuning")
    return merged[declared.names].sort_values(list(declared.key), ignore_index=True)


def _series(name: str, kind: str, members: Mapping[float, str]) -> Series:
    ordered = sorted(members.items())
    return Series(name, kind, tuple(model for _, model in ordered), tuple(position for position, _ in ordered))
