"""Times dualpair's causal engine side by side with what others use, and says how exact each is.

    make bench                          everything; writes docs/performance.md and benchmarks/results/scoring.json
    make bench BENCH='--large'          also 100,000 sentences (half an hour more)
    make bench BENCH='--quick'          a smoke run; only prints

All methods run in one process per dtype, one after another on the same sentences, in two passes; the second counts.
CPU time is taken beside wall time, and OpenMP's threads sleep while they wait, so that a busy machine does not decide.
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

from benchmarks import machine, report, vllm_run, workers, workloads
from dualpair import artifacts, paths
from dualpair.models import device, embedded

DTYPES = ("float32", "bfloat16")
NO_BF16 = (
    "this CPU has neither AVX512-BF16 nor AMX-BF16: bfloat16 would be emulated, many times slower than float32, "
    "and says nothing about the methods"
)


def main() -> int:
    """Measure, print, write."""
    options = _options()
    if options.worker:
        import torch

        torch.set_num_threads(options.threads)
        workers.write(options.result, workers.WORKERS[options.worker](options))
        return 0
    found = json.loads(options.redo.read_text(encoding="utf-8")) if options.redo else measure(options)
    text = report.measured(found)
    print("\n" + text)
    if options.json:
        artifacts.write_atomically(options.json, (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
        print(f"written: {options.json}")
    if options.docs:
        artifacts.write_atomically(options.docs, report.put_into(options.docs, text).encode())
        print(f"written: {options.docs}")
    return 0


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run every worker and put their results together."""
    embedded.ensure(workers.MODEL)
    found: dict[str, Any] = {"model": workers.MODEL, "machine": machine.description(options.threads), "dtypes": {}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options.reference = folder / "reference.json"
        exact = _worker(options, "reference", "float32", options.reference)
        found["workloads"] = {name: {k: v[k] for k in ("origin", "counts")} for name, v in exact.items()}
        for dtype in DTYPES:
            if reason := _not_measured(dtype, options):
                print(f"{dtype} is not measured: {reason}", flush=True)
                found["dtypes"][dtype] = {"skipped": reason}
                continue
            compared = _worker(options, "compare", dtype, folder / "compare.json")
            grown = _worker(options, "scaling", dtype, folder / "scaling.json")
            beside = vllm_run.run(dtype, exact, folder, _environment(options.threads))
            found["dtypes"][dtype] = {**compared, "scaling": grown, "vllm": beside}
    found["machine"]["load_after"] = machine.load()
    return found


def _not_measured(dtype: str, options: argparse.Namespace) -> str:
    if dtype not in options.dtypes:
        return "it was not asked for"
    if dtype == "bfloat16" and device.resolve_dtype("auto", "cpu") != dtype:
        return NO_BF16
    return ""


def _worker(options: argparse.Namespace, name: str, dtype: str, result: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.scoring", "--worker", name, "--dtype", dtype, "--result", str(result)]
    command += ["--reference", str(options.reference), "--threads", str(options.threads), "--exact", str(options.exact)]
    command += ["--sentences", str(options.sentences), "--little", str(options.little)]
    command += ["--sizes", *map(str, options.sizes), *(["--quick"] if options.quick else [])]
    done = subprocess.run(command, check=False, env=_environment(options.threads), cwd=paths.home())
    if done.returncode:
        raise SystemExit(f"the benchmark's {name} in {dtype} ended with status {done.returncode}: see above")
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return found


def _environment(threads: int) -> dict[str, str]:
    fixed = {"OMP_WAIT_POLICY": "PASSIVE", "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    quiet = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    return {**os.environ, **fixed, **quiet}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, help="of the dual pairs that all methods score (default 1000)")
    parser.add_argument("--exact", type=int, help="sentences of each workload compared with the reference (default 80)")
    parser.add_argument("--sizes", type=int, nargs="+", help="sizes of the growing workload (default 1000 3000 10000)")
    parser.add_argument("--large", action="store_true", help="also 100000 sentences")
    parser.add_argument("--quick", action="store_true", help="a smoke run on a few sentences")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=list(DTYPES))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where the raw numbers go (default benchmarks/results/scoring.json)")
    parser.add_argument("--docs", type=Path, help="page whose measured part is replaced (default docs/performance.md)")
    parser.add_argument("--redo", type=Path, help="write the page anew from this file of raw numbers, measure nothing")
    parser.add_argument("--little", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--worker", choices=sorted(workers.WORKERS), help=argparse.SUPPRESS)
    parser.add_argument("--dtype", help=argparse.SUPPRESS)
    parser.add_argument("--reference", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.sentences = options.sentences or (60 if options.quick else 1000)
    options.little = options.little or (40 if options.quick else workloads.LITTLE_SHARING_SIZE)
    options.exact = options.exact or (10 if options.quick else 80)
    options.sizes = options.sizes or ([60, 200] if options.quick else [1000, 3000, 10000])
    if options.large:
        options.sizes.append(100000)
    whole = not (options.quick or options.worker) and set(options.dtypes) == set(DTYPES)
    if whole and not options.redo:
        options.json = options.json or paths.home() / "benchmarks" / "results" / "scoring.json"
    if whole:
        options.docs = options.docs or paths.home() / "docs" / "performance.md"
    return options


if __name__ == "__main__":
    sys.exit(main())
