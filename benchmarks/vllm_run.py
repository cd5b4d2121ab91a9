"""vLLM on the CPU, where its own environment is there: a process under that environment's interpreter."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from benchmarks import methods, workers
from dualpair import paths
from dualpair.models import embedded

NAME = "vLLM"
MISSING = "there is no environment .venv-vllm"
_SCRIPT = Path(__file__).with_name("vllm_scoring.py")


def run(dtype: str, reference: dict[str, Any], folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Timings and deviations as `workers.compare` gives them, or {"skipped": the reason}.

    Args:
        dtype: of the weights.
        reference: what `workers.reference` returned.
        folder: for temporary files.
        environment: variables of the process.
    """
    python = paths.home() / ".venv-vllm" / "bin" / "python"
    if not python.exists():
        return _skipped(MISSING)
    rows, out = folder / "rows.json", folder / "vllm.json"
    ids = {name: [ids for ids, _ in entry["split"]] for name, entry in reference.items()}
    rows.write_text(json.dumps(ids), encoding="utf-8")
    command = [str(python), "-P", str(_SCRIPT), "--model", str(embedded.ensure(workers.MODEL)), "--dtype", dtype]
    done = _call([*command, "--rows", str(rows), "--out", str(out)], environment)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return _skipped(f"it ended with status {done.returncode}: {last}")
    return entries(json.loads(out.read_text(encoding="utf-8")), reference)


def entries(found: dict[str, Any], reference: dict[str, Any]) -> dict[str, Any]:
    """Bring what `vllm_scoring.py` wrote into the form of the other methods."""
    result: dict[str, Any] = {"version": found["version"], "timings": [], "deviations": []}
    for name, entry in reference.items():
        encoded = [workers.Split(tuple(ids), n_prefix) for ids, n_prefix in entry["split"]]
        values = workers.part(methods.values_of(encoded, found[name]["rows"]), entry["rows"])
        wanted = methods.Values(**entry["exact"])
        same = [True] * len(entry["rows"])
        result["deviations"].append(workers.deviation_entry(name, NAME, "reference", values, wanted, same))
        for number, seconds in enumerate(found[name]["passes"], start=1):
            result["timings"].append(
                {"workload": name, "method": NAME, "pass": number, "sentences": len(encoded), **seconds}
            )
    return result


def _call(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)


def _skipped(reason: str) -> dict[str, Any]:
    print(f"{NAME} is not measured: {reason}", flush=True)
    return {"skipped": reason}
