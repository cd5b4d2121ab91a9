"""What is measured, each in a process of its own: the reference, the comparison of methods, the growth with size."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import cost, exactness, machine, methods, workloads
from dualpair import paths
from dualpair.models import embedded
from dualpair.scoring import trie, ways
from dualpair.scoring.tokenisation import Encoded, encode_pairs

if TYPE_CHECKING:
    from dualpair.models.causal_lm import LoadedLM

MODEL = "gemma-3-270m"
_WARM_UP = 8  # texts that the loop scores before the clock runs


def chosen(options: argparse.Namespace) -> list[workloads.Workload]:
    """The workloads of a run; a quick one takes the first sentences only."""
    found = [
        workloads.dual_pairs(options.sentences),
        workloads.demo(paths.home()),
        workloads.little_sharing(min(options.little, workloads.LITTLE_SHARING_SIZE)),
    ]
    if options.quick:
        found = [workload._replace(pairs=workload.pairs[: options.sentences]) for workload in found]
    return found


def reference(options: argparse.Namespace) -> dict[str, Any]:
    """Counts, token ids and exact values of a part of every workload."""
    lm = _load("float32")
    found = {}
    for workload in chosen(options):
        encoded = encode_pairs(lm.tokenizer, workload.pairs, lm.bos)
        rows = exactness.spread(options.exact, len(encoded))
        values = exactness.reference(lm.model, [encoded[i] for i in rows])
        found[workload.name] = {
            "origin": workload.origin,
            "counts": workloads.count(text.ids for text in encoded)._asdict(),
            "split": [(text.ids, text.n_prefix) for text in encoded],
            "rows": rows,
            "exact": values._asdict(),
        }
        print(f"reference  {workload.name}: {len(rows)} of {len(encoded)} sentences", flush=True)
    return found


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Every method on every workload, two passes, the methods in turn; the second pass counts."""
    exact = json.loads(options.reference.read_text(encoding="utf-8"))
    lm = _load(options.dtype)
    ours = methods.Ours(lm)
    others = methods.peers(embedded.ensure(MODEL), options.dtype)
    peak = machine.matrix_peak(options.dtype)
    timings: list[dict[str, Any]] = []
    deviations: list[dict[str, Any]] = []
    for workload in chosen(options):
        encoded = encode_pairs(lm.tokenizer, workload.pairs, lm.bos)
        comparison = _Comparison(workload, encoded, exact[workload.name], options.dtype)
        for number in (1, 2):
            for method in (ours, *others):
                if method.name != methods.LOOP or number == 2:
                    comparison.run(method, number)
        timings += comparison.timings
        deviations += comparison.deviations()
    peak = max(peak, machine.matrix_peak(options.dtype))
    way = ours.engine.way
    return {
        "way": way.name if way else "whole model",
        "peak_per_thread": peak,
        "timings": timings,
        "deviations": deviations,
    }


def scaling(options: argparse.Namespace) -> dict[str, Any]:
    """Our engine alone on growing workloads: time, its share of the peak, memory, and what is no model time."""
    lm = _load(options.dtype)
    load_peak = machine.peak_memory()
    weights = sum(p.numel() * p.element_size() for p in lm.model.parameters())
    per_position = cost.of(lm.model)
    ours = methods.Ours(lm)
    peak = machine.matrix_peak(options.dtype)
    ours.score(workloads.dual_pairs(options.sizes[0]).pairs)  # the first pass is not counted
    points = []
    for size in options.sizes:
        pairs = workloads.dual_pairs(size).pairs
        own_peak = machine.reset_peak_memory()
        with machine.timed() as whole:
            found = ours.score(pairs)
        memory = machine.peak_memory()
        prepared = _preparation(lm, pairs)
        methods.values_of(prepared["encoded"], found)  # refuses rows that could not be scored
        counts = workloads.count(text.ids for text in prepared["encoded"])
        products, attention = cost.operations(per_position, counts)
        points.append(
            {
                "counts": counts._asdict(),
                "products": products,
                "attention": attention,
                **whole.seconds._asdict(),
                "tokenising": prepared["tokenising"],
                "tree": prepared["tree"],
                "peak_memory": memory,
                "peak_is_of_scoring": own_peak,
            }
        )
        _progress(options.dtype, f"dual_pairs {counts.sentences}", methods.OURS, counts.sentences, whole.seconds)
    peak = max(peak, machine.matrix_peak(options.dtype))
    return {"weights": weights, "load_peak": load_peak, "peak_per_thread": peak, "points": points}


WORKERS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "reference": reference,
    "compare": compare,
    "scaling": scaling,
}


class _Comparison:
    """The passes over one workload in one dtype."""

    def __init__(self, workload: workloads.Workload, encoded: list[Encoded], exact: dict[str, Any], dtype: str) -> None:
        self.workload, self.encoded, self.exact, self.dtype = workload, encoded, exact, dtype
        self.timings: list[dict[str, Any]] = []
        self._values: dict[str, methods.Values] = {}  # on the rows of the reference
        self._same: dict[str, list[bool]] = {}

    def run(self, method: methods.Method, number: int) -> None:
        """Time one pass of one method; the loop takes the reference's rows only."""
        rows: list[int] = self.exact["rows"]
        everything = method.name != methods.LOOP
        pairs = self.workload.pairs if everything else tuple(self.workload.pairs[i] for i in rows)
        encoded = self.encoded if everything else [self.encoded[i] for i in rows]
        if not everything:
            method.score(pairs[:_WARM_UP])
        with machine.timed() as clock:
            found = method.score(pairs)
        values = methods.values_of(encoded, found)
        if method.name not in self._same:
            same = exactness.same_tokens(method, pairs, encoded)
            self._same[method.name] = [same[i] for i in rows] if everything else same
        self._values[method.name] = part(values, rows) if everything else values
        self.timings.append(
            {
                "workload": self.workload.name,
                "method": method.name,
                "pass": number,
                "sentences": len(pairs),
                **clock.seconds._asdict(),
            }
        )
        _progress(self.dtype, f"{self.workload.name} pass {number}", method.name, len(pairs), clock.seconds)

    def deviations(self) -> list[dict[str, Any]]:
        """Of every method's second pass to the reference, and of ours to the loop."""
        wanted = methods.Values(**self.exact["exact"])
        found = [self._deviation(name, "reference", values, wanted) for name, values in self._values.items()]
        loop = self._values[methods.LOOP]
        return [*found, self._deviation(methods.OURS, methods.LOOP, self._values[methods.OURS], loop)]

    def _deviation(self, name: str, to: str, found: methods.Values, wanted: methods.Values) -> dict[str, Any]:
        return deviation_entry(self.workload.name, name, to, found, wanted, self._same[name])


def deviation_entry(
    workload: str, method: str, to: str, found: methods.Values, wanted: methods.Values, same: list[bool]
) -> dict[str, Any]:
    """Deviations of one method on one workload, over the texts that it scores from the same tokens."""
    entry: dict[str, Any] = {"workload": workload, "method": method, "to": to, "other_tokens": same.count(False)}
    for part in ("continuation", "sentence"):
        ours, theirs = getattr(found, part), getattr(wanted, part)
        entry[part] = None
        if ours is not None and theirs is not None and any(same):
            kept = [i for i, ok in enumerate(same) if ok]
            entry[part] = exactness.deviation([ours[i] for i in kept], [theirs[i] for i in kept])._asdict()
    return entry


class Split(NamedTuple):
    """Token ids of a text and how many stand before its continuation: what other processes are told."""

    ids: tuple[int, ...]
    n_prefix: int


def part(values: methods.Values, rows: list[int]) -> methods.Values:
    """The values of some rows."""
    sentence = None if values.sentence is None else [values.sentence[i] for i in rows]
    return methods.Values([values.continuation[i] for i in rows], sentence)


def _preparation(lm: LoadedLM, pairs: tuple[workloads.Pair, ...]) -> dict[str, Any]:
    """CPU seconds of what comes before the model: tokenising, and building and cutting the tree."""
    with machine.timed() as tokenising:
        encoded = encode_pairs(lm.tokenizer, pairs, lm.bos)
    with machine.timed() as building:
        tree = trie.build(sorted({text.ids for text in encoded}))
        trie.cut(tree, tree.scored(), ways.row_size(lm.model))
    return {"encoded": encoded, "tokenising": tokenising.seconds.cpu, "tree": building.seconds.cpu}


def _load(dtype: str) -> LoadedLM:
    from dualpair.models import causal_lm

    return causal_lm.load(embedded.ensure(MODEL), dtype=dtype, device="cpu", name=MODEL)


def _progress(dtype: str, what: str, method: str, sentences: int, seconds: machine.Seconds) -> None:
    print(
        f"{dtype:9} {what:22} {method:14} {sentences / seconds.wall:8.1f} sentences/s   "
        f"{seconds.wall:7.1f} s wall {seconds.cpu:7.1f} s CPU",
        flush=True,
    )


def write(path: Path, result: dict[str, Any]) -> None:
    """Write a worker's result."""
    path.write_text(json.dumps(result), encoding="utf-8")
