"""The benchmark's tables as Markdown, from the raw numbers."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.methods import LM_EVAL, LOOP, MINICONS, OURS, PADDED, PEERS
from benchmarks.vllm_run import NAME as VLLM

MARK = "<!-- measured: everything below is written by `make bench` -->"
METHODS = (OURS, MINICONS, LM_EVAL, PADDED, VLLM, LOOP)
AIMS = {"dual_pairs": 4.0, "demo": 2.5, "little_sharing": 1.3}
PEAK_AIMS = {"float32": 0.75, "bfloat16": 0.65}
GIB = 2**30


def measured(found: dict[str, Any]) -> str:
    """The whole measured part of the page."""
    run = {dtype: entry for dtype, entry in found["dtypes"].items() if "skipped" not in entry}
    threads = found["machine"]["threads"]
    parts = [_machine(found, run), _workloads(found["workloads"]), _ratios(found, run, threads)]
    parts += [_speed(dtype, entry, threads) for dtype, entry in run.items()]
    parts += [_exactness(dtype, entry) for dtype, entry in run.items()]
    parts += [_scaling(dtype, entry, threads) for dtype, entry in run.items()]
    return "\n\n".join(parts) + "\n"


def put_into(page: Path, text: str) -> str:
    """The page with its measured part replaced; what people wrote above the mark stays.

    Raises:
        ValueError: the page has no mark, or more than one.
    """
    before, *rest = page.read_text(encoding="utf-8").split(MARK)
    if len(rest) != 1:
        raise ValueError(f"{page}: expected the line {MARK!r} exactly once, found {len(rest)}")
    return f"{before}{MARK}\n\n{text}"


def rates(timings: Iterable[dict[str, Any]], threads: int) -> dict[tuple[str, str], tuple[float, float]]:
    """Sentences per second of each (workload, method) in its last pass: by wall time, and by CPU time of all threads.

    The second is what a machine with nothing else to do would reach if all threads were always busy.
    """
    last = {(t["workload"], t["method"]): t for t in sorted(timings, key=lambda t: t["pass"])}
    return {key: (t["sentences"] / t["wall"], t["sentences"] * threads / t["cpu"]) for key, t in last.items()}


def ratio(of: dict[tuple[str, str], tuple[float, float]], workload: str) -> tuple[float, float]:
    """Our speed over the better of minicons and lm-eval: (by wall time, by CPU time)."""
    ours = of[workload, OURS]
    wall, cpu = (ours[k] / max(of[workload, peer][k] for peer in PEERS) for k in (0, 1))
    return wall, cpu


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _machine(found: dict[str, Any], run: dict[str, Any]) -> str:
    host = found["machine"]
    versions = dict(host["packages"])
    for entry in run.values():
        versions |= {"vllm": entry["vllm"]["version"]} if "version" in entry["vllm"] else {}
    native = "native bfloat16" if host["native_bf16"] else "no native bfloat16"
    lines = [
        f"Model {found['model']} on {host['cpu']}: {host['cores']} cores, {host['threads']} threads, {native}.",
        f"Load average {host['load_before']} before and {host['load_after']} after.",
        f"Python {host['python']}, " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".",
    ]
    lines += [f"{d} was not measured: {e['skipped']}." for d, e in found["dtypes"].items() if "skipped" in e]
    lines += [
        f"vLLM in {d} was not measured: {e['vllm']['skipped']}." for d, e in run.items() if "skipped" in e["vllm"]
    ]
    lines += [f"Way of dualpair's engine in {d}: {e['way']}." for d, e in run.items()]
    return "\n".join(f"- {line}" for line in lines)


def _workloads(found: dict[str, Any]) -> str:
    head = (
        "workload",
        "sentences",
        "tokens with BOS",
        "distinct prefixes",
        "positions to run",
        "tokens / positions",
        "from",
    )
    rows = []
    for name, entry in found.items():
        c = entry["counts"]
        numbers = (c["sentences"], c["tokens"], c["nodes"], c["internal"])
        share = f"{c['tokens'] / c['internal']:.2f}"
        rows.append((name, *(f"{n:,}" for n in numbers), share, entry["origin"]))
    return "### Workloads\n\n" + table(head, rows)


def _ratios(found: dict[str, Any], run: dict[str, Any], threads: int) -> str:
    rows = []
    for dtype, entry in run.items():
        of = rates(entry["timings"], threads)
        for name in found["workloads"]:
            wall, cpu = ratio(of, name)
            aim = AIMS[name]
            verdict = "reached" if min(wall, cpu) >= aim else "missed"
            sentences = found["workloads"][name]["counts"]["sentences"]
            rows.append((name, f"{sentences:,}", dtype, f"{cpu:.2f}", f"{wall:.2f}", f"{aim:g}", verdict))
    head = ("workload", "sentences", "dtype", "by CPU time", "by wall time", "aim", "")
    title = "### Sentences per second against the better of minicons and lm-eval"
    return f"{title}\n\n" + table(head, rows)


def _speed(dtype: str, entry: dict[str, Any], threads: int) -> str:
    of = rates([*entry["timings"], *entry["vllm"].get("timings", [])], threads)
    names = list(dict.fromkeys(workload for workload, _ in of))
    rows = []
    for method in METHODS:
        if all((name, method) in of for name in names):
            rows.append((method, *(f"{of[name, method][1]:.1f} / {of[name, method][0]:.1f}" for name in names)))
    title = f"### Speed in {dtype}\n\nSentences per second, by CPU time of {threads} threads / by wall time."
    return f"{title}\n\n" + table(("method", *names), rows)


def _exactness(dtype: str, entry: dict[str, Any]) -> str:
    every = [*entry["deviations"], *entry["vllm"].get("deviations", [])]
    names = list(dict.fromkeys(d["workload"] for d in every))
    kinds = [(method, "reference") for method in METHODS] + [(OURS, LOOP)]
    rows = []
    for method, to in kinds:
        mine = {d["workload"]: d for d in every if (d["method"], d["to"]) == (method, to)}
        for part in ("sentence", "continuation"):
            if any(d[part] for d in mine.values()):
                other = sum(d["other_tokens"] for d in mine.values())
                rows.append((method, to, part, *(_gap(mine[name][part]) for name in names), str(other)))
    head = ("method", "compared with", "of the", *names, "split otherwise")
    number = max(d["sentence"]["n"] for d in every if d["sentence"])
    title = (
        f"### Exactness in {dtype}\n\nLargest / mean absolute difference of a log-probability in nats, ± standard "
        f"error of the mean, over {number} texts of each workload. The reference is a float32 body with a float64 "
        "head, one text at a time; lm-eval gives the sum over the continuation only. Texts that a method tokenises or "
        "splits otherwise are left out and counted in the last column."
    )
    return f"{title}\n\n" + table(head, rows) + "\n\n" + _summary(dtype, entry["deviations"])


def _gap(d: dict[str, Any] | None) -> str:
    return "" if d is None else f"{d['largest']:.2g} / {d['mean']:.2g} ± {d['error']:.1g}"


def _summary(dtype: str, deviations: list[dict[str, Any]]) -> str:
    """What was aimed at: 1e-4 and 1e-3 nats in float32, in bfloat16 no worse on average than the loop."""

    def over(method: str, to: str, key: str) -> list[float]:
        return [d["sentence"][key] for d in deviations if (d["method"], d["to"]) == (method, to)]

    if dtype == "float32":
        reference, loop = max(over(OURS, "reference", "largest")), max(over(OURS, LOOP, "largest"))
        verdict = "reached" if reference <= 1e-4 and loop <= 1e-3 else "missed"
        gaps = f"{reference:.2g} from the reference (aim 1e-4), {loop:.2g} from the loop (aim 1e-3)"
        return f"{OURS}: at most {gaps}: {verdict}."
    ours, plain = (statistics.fmean(over(method, "reference", "mean")) for method in (OURS, LOOP))
    verdict = "reached" if ours <= plain else "missed"
    return f"Mean over the workloads: {OURS} {ours:.3f}, {LOOP} {plain:.3f} (aim: no worse): {verdict}."


def _scaling(dtype: str, entry: dict[str, Any], threads: int) -> str:
    grown = entry["scaling"]
    peak = grown["peak_per_thread"]
    rows = []
    for p in grown["points"]:
        sentences, positions = p["counts"]["sentences"], p["counts"]["internal"]
        rows.append(
            (
                f"{sentences:,}",
                f"{positions:,}",
                f"{sentences * threads / p['cpu']:.0f} / {sentences / p['wall']:.0f}",
                f"{p['cpu'] / positions * 1e3:.2f}",
                f"{p['products'] / 1e12:.2f} + {p['attention'] / 1e12:.2f}",
                f"{p['products'] / p['cpu'] / peak:.0%} / {p['products'] / p['wall'] / peak / threads:.0%}",
                f"{p['tokenising'] / p['cpu']:.1%} + {p['tree'] / p['cpu']:.1%}",
                f"{(p['peak_memory'] - grown['weights']) / GIB:.2f}",
            )
        )
    head = (
        "sentences",
        "positions",
        "sentences/s CPU / wall",
        "CPU ms per position",
        "TFLOP: products + attention",
        "share of peak CPU / wall",
        "tokenising + tree",
        "GiB above the weights",
    )
    text = (
        f"### Growth in {dtype}\n\ndualpair on ever more sets of the dual pairs. Matrix-product peak: "
        f"{peak * threads / 1e9:.0f} GFLOP/s of {threads} threads (4,096 squared, best of ten, CPU time); aim "
        f"{PEAK_AIMS[dtype]:.0%} of it. Weights {grown['weights'] / GIB:.2f} GiB; memory is the highest resident size "
        f"of the process while it scores, libraries included (aim at most 1 GiB above the weights; {_loading(grown)})."
    )
    return f"{text}\n\n" + table(head, rows)


def _loading(grown: dict[str, Any]) -> str:
    return f"while the model was loaded it was {(grown['load_peak'] - grown['weights']) / GIB:.2f}"
