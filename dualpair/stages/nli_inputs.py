"""Inputs that the NLI stage's two commands share: identity, calibration, admitted candidates, sources."""

from __future__ import annotations

import argparse
import json
from typing import Any, NamedTuple

import pandas as pd

from dualpair import artifacts
from dualpair.filters import grammar, selection
from dualpair.filters.judge import judge_prompt
from dualpair.filters.nli import calibration_of
from dualpair.models.registry import Calibration, ModelEntry
from dualpair.stages import identity as identities
from dualpair.stages.nli import CONTRACT, KIND


class Inputs(NamedTuple):
    """What the stage works on; ``originals`` are the sets where v0 is judged beside each alternate's own variant."""

    identity: dict[str, Any]
    calibration: Calibration | None
    admitted: pd.DataFrame
    sources: pd.DataFrame
    originals: pd.DataFrame | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that the plan and the model command share."""
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--similarity", help="judgements; given where a similarity threshold comes first")
    parser.add_argument("--threshold", type=float, help="that threshold")
    parser.add_argument("--grammar", required=True, help="judgements of the grammar engines")
    parser.add_argument("--originals", help="sets; given where an alternate is judged against v0 too, for the record")
    parser.add_argument("--grammar-rules", required=True, type=json.loads, help="engines and threshold, as JSON")


def identity(entry: ModelEntry, device: str) -> dict[str, Any]:
    """The judge's identity; for an instruct model as judge with its prompt and the arguments of its chat template."""
    contract: dict[str, Any] = {"contract": f"{KIND}/{CONTRACT}"}
    if entry.kind == "causal":
        contract["prompt"] = judge_prompt().id
        if entry.chat:
            contract["chat"] = entry.chat
    else:
        contract["labels"] = entry.labels
    return identities.identity(entry, device, contract)


def read(args: argparse.Namespace) -> Inputs:
    """Everything that the stage works on.

    Raises:
        InputError: a judge without a calibration for its dtype and prompt.
    """
    model = identity(args.entry, args.device)
    calibration = calibration_of(args.entry, model["dtype"])
    candidates, sources = artifacts.read(args.candidates, "candidates"), artifacts.read(args.sources, "sources")
    similarity = artifacts.read(args.similarity, "judgements") if args.similarity else None
    judged = artifacts.read(args.grammar, "judgements")
    rules = grammar.from_json(args.grammar_rules)
    admitted = selection.admitted_to_nli(candidates, similarity, args.threshold, judged, rules)
    originals = artifacts.read(args.originals, "sets") if args.originals else None
    return Inputs(model, calibration, admitted, sources, originals)
