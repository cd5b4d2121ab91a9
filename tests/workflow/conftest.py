"""A checkout of its own to run the whole workflow in, and what a run did."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

from dualpair.models import registry

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = (
    "Snakefile", "config.yaml", "config", "dualpair", "envs", "profiles", "report", "resources", "rules", "scripts",
)  # fmt: skip
LANGUAGES = ["en", "es"]
GENERATOR = "qwen2.5-coder-1.5b-instruct"
ENCODER = "use-multilingual-v3"
SIMILARITY = 0.9  # high enough that some candidates of the few sets fall below it


@dataclass(frozen=True)
class Run:
    """A finished `snakemake` call."""

    status: int
    output: str

    def jobs(self) -> list[str]:
        """Rules that ran, with the task or model of each: ``generate task=paraphrase, model=m``."""
        found = re.findall(r"^(?:local)?rule (\w+):\n((?:    .*\n)*)", self.output, flags=re.MULTILINE)
        lines = []
        for rule, body in found:
            wildcards = re.search(r"    wildcards: (.*)", body)
            lines.append(f"{rule} {wildcards.group(1) if wildcards else ''}".strip())
        return sorted(lines)

    def loaded(self) -> list[str]:
        """Models that were loaded."""
        return re.findall(r"INFO loading (\S+)", self.output)

    def calls(self) -> dict[str, int]:
        """Model calls made by each stage."""
        made = re.findall(r"INFO (\S+) for (\S+): (\d+) model calls made", self.output)
        return {f"{stage} {model}": int(count) for stage, model, count in made}


def builtin_with(thresholds: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Built-in registry entries with some thresholds changed."""
    entries = registry.builtin_models()
    return {
        name: {**entries[name], "thresholds": {**entries[name]["thresholds"], **t}} for name, t in thresholds.items()
    }


class Checkout:
    """A copy of the workflow in a folder of its own, with its results."""

    def __init__(self, folder: Path, store: Path) -> None:
        self.folder, self.store = folder, store

    @classmethod
    def new(cls, folder: Path, store: Path) -> Checkout:
        for name in WORKFLOW:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            copy(source, folder / name)
        shutil.rmtree(folder / "dualpair" / "__pycache__", ignore_errors=True)
        return cls(folder, store)

    def clone(self, folder: Path) -> Checkout:
        """The same with its results and snakemake's records, elsewhere."""
        shutil.copytree(self.folder, folder)
        return Checkout(folder, self.store)

    @property
    def results(self) -> Path:
        return self.folder / "results" / "wf"

    def write_config(self, thresholds: Mapping[str, Mapping[str, float]] | None = None, **changes: Any) -> Path:
        """The test's config: config.yaml with two sets in two languages, small units, and the given sections.

        thresholds: per model, laid over those of its built-in entry.
        """
        data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
        data |= {"run": "wf", "languages": LANGUAGES, "store": str(self.store)}
        data["source"]["max_sets"] = 2
        data["norms"] = None  # run by the quick demo; here they would only load each model once more
        data["generation"]["paraphrase"] |= {"samples": 4, "min_answers": 1}
        data["filters"]["acceptance"] = None  # so that enough of the few sets' candidates pass
        data["execution"]["unit_tokens"] = {"generation": 500, "similarity": 200, "nli": 150, "score": 100}
        given = thresholds or {}
        usual: dict[str, Mapping[str, Any]] = {ENCODER: {"similarity": SIMILARITY}}
        data["models"] = builtin_with(
            {name: {**usual.get(name, {}), **given.get(name, {})} for name in {*usual, *given}}
        )
        data |= changes
        if "presplit" in data["parse"]["engine"].values():
            data["filters"]["grammar"]["engines"] = "none"  # engine agreement needs a parser
        path = self.folder / "wf.yaml"
        path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
        return path

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "snakemake", "--configfile", "wf.yaml", "--cores", "2", *arguments]

    def environment(self) -> Mapping[str, str]:
        return {**os.environ, "PYTHONPATH": str(self.folder), "HF_HUB_OFFLINE": "1"}

    def snakemake(self, *arguments: str) -> Run:
        done = subprocess.run(
            self.command(*arguments), cwd=self.folder, env=self.environment(), text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return Run(done.returncode, done.stdout)

    def artifacts(self) -> dict[str, bytes]:
        """Every artifact but logs and timings, by its path below the run's folder."""
        return {
            path.relative_to(self.results).as_posix(): path.read_bytes()
            for path in sorted(self.results.rglob("*"))
            if path.is_file() and path.relative_to(self.results).parts[0] not in ("logs", "benchmarks")
        }


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which the whole workflow has run once, from an empty store. Tests clone it, and leave it alone.

    Workers that run tests at the same time share one: the first to come makes it, the others wait.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "finished"
    with FileLock(shared / "finished.lock"):
        if not (folder / "made").exists():
            checkout = Checkout.new(folder / "checkout", folder / "store")
            checkout.write_config()
            run = checkout.snakemake()
            assert run.status == 0, run.output[-4000:]
            (folder / "made").touch()
    return Checkout(folder / "checkout", folder / "store")
