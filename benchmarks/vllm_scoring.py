"""Scores token ids with vLLM on the CPU, under the interpreter of vLLM's own environment, and reports times and sums.

Reads a JSON object {name: rows of token ids with BOS}; writes {name: {"passes": [{wall, cpu}, ...], "rows": [...]}}: in
each row the log-probability in nats of every token after the first. Loading and a first short call are not timed.

    python benchmarks/vllm_scoring.py --model FOLDER --dtype bfloat16 --rows rows.json --out found.json
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_CPU_KVCACHE_SPACE": "2",
    "KMP_BLOCKTIME": "0",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",  # by itself it keeps a core free and takes one thread of two
}


def main() -> int:
    """Load once, then time every workload twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--dtype", required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    import vllm

    workloads = json.loads(options.rows.read_text(encoding="utf-8"))
    engine = vllm.LLM(
        model=options.model,
        dtype=options.dtype,
        max_model_len=512,
        enforce_eager=True,
        enable_prefix_caching=False,
        seed=0,
    )
    sampling = vllm.SamplingParams(max_tokens=1, temperature=0.0, prompt_logprobs=0, detokenize=False)

    def score(rows: list[list[int]]) -> list[list[float]]:
        answers = engine.generate([{"prompt_token_ids": row} for row in rows], sampling, use_tqdm=False)
        return [
            [found[token].logprob for found, token in zip(answer.prompt_logprobs[1:], row[1:], strict=True)]
            for answer, row in zip(answers, rows, strict=True)
        ]

    report: dict[str, object] = {"version": vllm.__version__}
    score(next(iter(workloads.values()))[:8])
    for name, rows in workloads.items():
        passes = []
        for _ in range(2):
            wall, cpu = time.perf_counter(), cpu_seconds()
            found = score(rows)
            passes.append({"wall": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu})
        report[name] = {"passes": passes, "rows": found}
    options.out.write_text(json.dumps(report), encoding="utf-8")
    return 0


def cpu_seconds() -> float:
    """CPU time so far of this process and its children."""
    import psutil

    me = psutil.Process()
    times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return float(sum(t.user + t.system for t in times))


if __name__ == "__main__":
    sys.exit(main())
