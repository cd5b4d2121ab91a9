"""Inputs that the NLI stage's two commands share: identity, admitted candidates, sources."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from dualpair import artifacts
from dualpair.filters import nli as judges
from dualpair.filters import selection
from dualpair.models import device as devices
from dualpair.models.registry import ModelEntry
from dualpair.stages import identity as identities
from dualpair.stages.nli import CONTRACT, KIND


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that the plan and the model command share."""
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--similarity", help="judgements; given where a similarity threshold comes first")
    parser.add_argument("--threshold", type=float, help="that threshold")


def identity(entry: ModelEntry, device: str) -> dict[str, Any]:
    """The judge's identity; for an instruct model as judge with its prompt and calibration.

    Raises:
        ValueError: a judge without a calibration for the resolved dtype.
    """
    contract: dict[str, Any] = {"contract": f"{KIND}/{CONTRACT}"}
    if entry.kind == "causal":
        dtype = devices.resolve_dtype(entry.dtype, devices.resolve_device(device))
        contract["judge"] = judges.calibration_for(entry, dtype).model_dump()
    else:
        contract["labels"] = entry.labels
    return identities.identity(entry, device, contract)


def read(args: argparse.Namespace) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The admitted candidates and the sources."""
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    similarity = artifacts.read(args.similarity, "judgements") if args.similarity else None
    return selection.admitted_to_nli(candidates, similarity, args.threshold), sources
