"""Parity of the engines on one set of sentences: `python -m benchmarks.parity [sentences.parquet]`.

transformers (float32 and bfloat16, this environment), vLLM (its own environment, `make vllm`) and vLLM's server on
loopback behind the server engine score the same sentences with gemma-3-270m through `dualpair score`. Prints and writes
(docs/parity.md) the differences of a sentence's sum, prefix and continuation together, in nats.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from dualpair.models import embedded
from dualpair.models.device import cpu_name

ROOT = Path(__file__).resolve().parent.parent
MODEL = "gemma-3-270m"
ENGINES = ("transformers", "vllm", "server")
DTYPES = ("float32", "bfloat16")
HERE, THERE = ROOT / ".venv" / "bin" / "python", ROOT / ".venv-vllm" / "bin" / "python"
START_SECONDS = 600


def entries(port: int, dtype: str) -> dict[str, dict[str, object]]:
    """Registry entries of the three engines in one dtype."""
    common = {"kind": "causal", "source": f"embedded:{MODEL}", "dtype": dtype, "quantisation": "q4_k_m-dequantised"}
    return {
        "transformers": {**common, "engine": "transformers"},
        "vllm": {**common, "engine": "vllm"},
        "server": {**common, "engine": "server", "endpoint": f"http://127.0.0.1:{port}/v1", "served_as": "parity"},
    }


def scores(folder: Path, engine: str, dtype: str, port: int) -> pd.DataFrame:
    """Score `pairs.csv` of a folder with one engine, as a user would."""
    config = yaml.safe_load((ROOT / "config" / "test.yaml").read_text(encoding="utf-8"))
    models = {f"{name}-parity": entry for name, entry in entries(port, dtype).items()}
    config["models"] = {**(config.get("models") or {}), **models}
    path, out = folder / f"{engine}.yaml", folder / f"{engine}-{dtype}.parquet"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    python = THERE if engine == "vllm" else HERE
    command = [python, "-m", "dualpair.cli", "score", "--model", f"{engine}-parity", "--config", path]
    subprocess.run([*map(str, command), "--in", folder / "pairs.csv", "--out", out], check=True, cwd=ROOT)
    return pd.read_parquet(out).sort_values("row", ignore_index=True)


@contextlib.contextmanager
def server(dtype: str, port: int) -> Iterator[None]:
    """Run vLLM's own server on loopback for the length of the block."""
    command = [THERE, "-m", "vllm.entrypoints.openai.api_server", "--model", embedded.ensure(MODEL), "--port", port]
    command += ["--served-model-name", "parity", "--host", "127.0.0.1", "--dtype", dtype, "--max-model-len", "512"]
    command += ["--enforce-eager", "--no-enable-prefix-caching"]
    quiet = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
    process = subprocess.Popen(
        list(map(str, command)),
        env={**os.environ, **quiet},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(process, port)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(START_SECONDS):
        if process.poll() is not None:
            raise SystemExit(f"vLLM's server ended with status {process.returncode}")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
            return
        time.sleep(1)
    raise SystemExit(f"vLLM's server was not ready after {START_SECONDS} s")


def differences(found: dict[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    """One row per pair of runs: largest and mean |difference| of a sentence's sum, and whether all tokens agree."""
    sums = {key: (frame.logprob_sum + frame.prefix_logprob_sum).to_numpy() for key, frame in found.items()}
    pairs = [((engine, dtype), ("transformers", dtype)) for dtype in DTYPES for engine in ENGINES[1:]]
    pairs += [((engine, "bfloat16"), ("transformers", "float32")) for engine in ENGINES]
    rows = []
    for a, b in pairs:
        gap = np.abs(sums[a] - sums[b])
        same = bool((found[a].n_tokens == found[b].n_tokens).all())
        rows.append((" ".join(a), " ".join(b), len(gap), gap.max(), gap.mean(), "yes" if same else "NO"))
    return pd.DataFrame(rows, columns=["run", "against", "sentences", "max", "mean", "same tokens"])


def main() -> None:
    """Score, compare, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentences", nargs="?", type=Path, default=ROOT / "results" / "demo" / "sentences.parquet")
    args = parser.parse_args()
    if not THERE.exists():
        raise SystemExit("vLLM's environment is not there: make vllm")
    if not args.sentences.exists():
        raise SystemExit(f"{args.sentences} is not there: make demo, or name a sentences.parquet")
    pairs = pd.read_parquet(args.sentences, columns=["prefix", "continuation"]).drop_duplicates(ignore_index=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs.to_csv(folder / "pairs.csv", index=False)
        for dtype in DTYPES:
            for engine in ENGINES:
                with server(dtype, port) if engine == "server" else contextlib.nullcontext():
                    found[engine, dtype] = scores(folder, engine, dtype, port)
    table = differences(found)
    text = _page(table)
    (ROOT / "docs" / "parity.md").write_text(text, encoding="utf-8")
    print(text)


_HEAD = """# Parity of the engines

Written by `python -m benchmarks.parity`: the distinct sentences of the demo's own tables under gemma-3-270m, scored
with `dualpair score` by three engines. vLLM is its CPU build; the server is vLLM's own, on loopback. Differences of a
sentence's sum (prefix and continuation), in nats.
"""
_TAIL = """
What to expect: in float32 at most 1e-3 nats (vLLM's normaliser is float32: about 2e-4 of one sign); in bfloat16 up to
2 nats a sentence and 0.2 on average, which is what bfloat16 itself costs. Use one engine and one dtype per table of
results: every row names both.
"""


def _page(table: pd.DataFrame) -> str:
    lines = ["| run | against | sentences | max | mean | same tokens |", "|---|---|---|---|---|---|"]
    lines += [f"| {r[0]} | {r[1]} | {r[2]} | {r[3]:.1e} | {r[4]:.1e} | {r[5]} |" for r in table.itertuples(index=False)]
    return f"{_HEAD}\n{cpu_name()}.\n\n" + "\n".join(lines) + "\n" + _TAIL


if __name__ == "__main__":
    main()
