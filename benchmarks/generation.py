"""Times the generation stage side by side with plain `generate` of transformers and plain `LLM.generate` of vLLM.

    python -m benchmarks.generation              writes benchmarks/results/generation.json and prints the tables
    python -m benchmarks.generation --quick      a smoke run; only prints

The same prompts, in the same batches, with the same sampling, one method after the other in one process per engine, in
two rounds of which the second counts. `whole answers` stop at the model's end token or the limit, so that all methods
write alike and tokens per second compare; `sentences` stop where the sentence ends, which plain `generate` does with
stop strings. A third table compares the model calls that the stage makes with those that it needs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import generation_workers, machine
from benchmarks.report import table
from dualpair import artifacts, paths
from dualpair.models import embedded

MODEL = "smollm2-135m-instruct"
_SCRIPT = Path(__file__).with_name("generation_workers.py")


def main() -> int:
    """Measure, print, write."""
    options = _options()
    embedded.ensure(MODEL)
    host = machine.description(options.threads, ("dualpair", "torch", "transformers", "tokenizers"))
    found: dict[str, Any] = {"model": MODEL, "machine": host, "engines": {}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = generation_workers.rows(options.sources, options.samples)
        (folder / "rows.json").write_text(json.dumps([row._asdict() for row in rows]), encoding="utf-8")
        for engine in options.engines:
            found["engines"][engine] = _worker(engine, folder, options)
    found["calls"] = generation_workers.calls(options.sources, options.samples)
    found["machine"]["load_after"] = machine.load()
    text = report(found)
    print("\n" + text)
    if not options.quick:
        out = paths.home() / "benchmarks" / "results" / "generation.json"
        artifacts.write_atomically(out, (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
        print(f"written: {out}")
    return 0


def report(found: dict[str, Any]) -> str:
    """The tables as Markdown: rates by CPU time and by wall time, of the second round."""
    host = found["machine"]
    parts = [
        f"{found['model']}, float32, {host['threads']} threads of {host['cpu']}; load average {host['load_before']} "
        f"before and {host['load_after']} after."
    ]
    for engine, entry in found["engines"].items():
        if "skipped" in entry:
            parts.append(f"{engine} was not measured: {entry['skipped']}.")
            continue
        rows = []
        for workload, methods in entry["timings"].items():
            ours = methods["dualpair"]
            for method, one in methods.items():
                rates = [f"{one['answers'] / one[clock]:.2f}" for clock in ("cpu", "wall")]
                rates += [f"{one['tokens'] / one[clock]:.1f}" for clock in ("cpu", "wall")]
                ratios = [_ratio(ours, one, "answers"), _ratio(ours, one, "tokens")]
                rows.append((workload, method, str(one["tokens"]), *rates, *ratios))
        head = ("workload", "method", "tokens written", "answers/s CPU", "wall", "tokens/s CPU", "wall")
        parts.append(f"Engine {engine}:\n\n" + table((*head, "dualpair's answers/s", "tokens/s"), rows))
    calls = found["calls"]
    lines = [(name, str(one["needed"]), str(one["made"]), str(one["again"])) for name, one in calls.items()]
    parts.append(table(("stage", "model calls needed", "made", "made by a second run"), lines))
    return "\n\n".join(parts) + "\n"


def _ratio(ours: dict[str, float], other: dict[str, float], what: str) -> str:
    """Our rate over the other's, by CPU time and by wall time."""
    found = [(ours[what] / ours[clock]) / (other[what] / other[clock]) for clock in ("cpu", "wall")]
    return f"x {found[0]:.2f} / {found[1]:.2f}"


def _worker(engine: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    python = Path(sys.executable) if engine == "transformers" else paths.home() / ".venv-vllm" / "bin" / "python"
    if not python.exists():
        return {"skipped": "there is no environment .venv-vllm"}
    out = folder / f"{engine}.json"
    fixed = {"OMP_WAIT_POLICY": "PASSIVE", "OMP_NUM_THREADS": str(options.threads), "HF_HUB_OFFLINE": "1"}
    fixed |= {"TOKENIZERS_PARALLELISM": "false", "VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
    fixed |= {"VLLM_CPU_OMP_THREADS_BIND": "nobind", "PYTHONPATH": str(paths.home())}
    command = [str(python), str(_SCRIPT), engine, str(embedded.ensure(MODEL)), str(folder / "rows.json"), str(out)]
    done = subprocess.run([*command, str(options.threads)], check=False, env={**os.environ, **fixed})
    if done.returncode:
        raise SystemExit(f"the benchmark of {engine} ended with status {done.returncode}: see above")
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=int, help="sentences that are paraphrased (default 24)")
    parser.add_argument("--samples", type=int, default=8, help="answers per sentence")
    parser.add_argument("--engines", nargs="+", choices=("transformers", "vllm"), default=["transformers", "vllm"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="a smoke run on a few sentences")
    options = parser.parse_args()
    options.sources = options.sources or (3 if options.quick else 24)
    return options


if __name__ == "__main__":
    sys.exit(main())
