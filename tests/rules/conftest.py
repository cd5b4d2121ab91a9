"""A folder with tiny tables and tiny random models, and a way to run a rule's real command in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dualpair import artifacts, schemas

ROOT = Path(__file__).resolve().parents[2]
NO_GRAMMAR = {"engines": {}, "threshold": None}
THRESHOLDS = {"similarity": -1.0, "nli_paraphrase": 1.0, "nli_alternate": 0.0, "grammar": NO_GRAMMAR}


class Folder:
    """Where the commands run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, script: str, *arguments: Any, status: int = 0) -> str:
        """Run scripts/<script>.py with the arguments; returns what it printed."""
        words = [
            json.dumps(a) if isinstance(a, dict) else str(a)
            for argument in arguments
            for a in (argument if isinstance(argument, list) else [argument])
        ]
        command = [sys.executable, str(ROOT / "scripts" / f"{script}.py"), *words, "--log", f"logs/{script}.log"]
        environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(command, cwd=self.path, env=environment, text=True, capture_output=True, check=False)
        assert done.returncode == status, done.stderr[-3000:]
        assert (self.path / "logs" / f"{script}.log").read_text(encoding="utf-8")
        return done.stderr

    def write(self, name: str, table: str, rows: list[dict[str, Any]]) -> str:
        """Write a table of a few rows."""
        artifacts.write(pd.DataFrame(rows, columns=schemas.table(table).names), self.path / name, table)
        return name

    def read(self, name: str, table: str) -> pd.DataFrame:
        return artifacts.read(self.path / name, table)

    def model(self, stage: str, model: str, entry: dict[str, Any]) -> list[Any]:
        """Arguments that name a stage's model."""
        return ["--stage", stage, "--model", model, "--entry", entry, "--store", "store"]

    def running(self, plan: str, out: str) -> list[Any]:
        """Further arguments of a model rule."""
        return [
            "--plan",
            plan,
            "--threads",
            1,
            "--token-budget",
            512,
            "--max-failed-share",
            0.5,
            "--hub",
            "off",
            "--out",
            out,
        ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    made = Folder(tmp_path_factory.mktemp("rules"))
    key = {"set_id": "s1", "cluster_id": "c1", "lang": "en", "bias_type": "other"}
    groups = {"groups": ["Cats", "Dogs"], "final_mark": "."}
    judged = {"similarity": 0.9, "contradiction_forward": 0.1, "contradiction_backward": 0.1,
              "entailment_forward": 0.8, "entailment_backward": 0.8}  # fmt: skip
    made.write("sets.parquet", "sets", [
        {**key, **groups, "dataset": "d", "attribute": "sleep a lot", "original": "Cats sleep a lot.", "parse": "presplit",
         "kept": True, "reason": ""},
    ])  # fmt: skip
    made.write("sources.parquet", "sources", [{**key, **groups, "variant_id": "v0", "attribute": "sleep a lot"}])
    candidate = {
        **key,
        "variant_id": "v0",
        "task": "paraphrase",
        "generators": ["m"],
        "n_answers": 1,
        "adds_negation": False,
    }
    made.write("candidates.parquet", "candidates", [
        {**candidate, "candidate_id": "a", "attribute": "nap a lot", "kept": True, "reason": ""},
        {**candidate, "candidate_id": "b", "attribute": "sleep all day", "kept": True, "reason": ""},
        {**candidate, "candidate_id": "c", "attribute": "", "kept": False, "reason": "empty"},
    ])  # fmt: skip
    made.write("variants.parquet", "variants", [
        {**key, **judged, "variant_id": "v0", "candidate_id": "v0", "attribute": "sleep a lot", "is_original": True,
         "generators": [], "n_answers": 0, "grammar_finding_ids": "", "kept": True, "reason": ""},
    ])  # fmt: skip
    alternates = [
        {**candidate, "task": "alternate-1", "candidate_id": i, "attribute": text, "kept": True, "reason": ""}
        for i, text in (("x", "stay awake"), ("y", "sleep little"))
    ]
    made.write("alternate.parquet", "candidates", alternates)
    return made
