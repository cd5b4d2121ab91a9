"""Time and memory of `snakemake analyse report` on a synthetic run of full size: 9 models x 4 languages x 170 sets.

`python -m benchmarks.analyse` copies the workflow into a temporary folder, writes a run whose pairs come from an
`augmented` source and whose scores and measures are drawn at random (`tests/unit/measure_world.py`), checks that
nothing before the analyses is asked for, and runs the targets `analyse` and `report` on two cores. No model is called.
It prints a JSON object; `--keep FOLDER` leaves the run there, with its report.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
import yaml

from dualpair import artifacts, plan, schemas
from tests.unit.measure_world import FULL, Frames, World, make
from tests.workflow.conftest import ROOT, Checkout

RUN = "synthetic"
TARGETS = ("analyse", "report")
AIMS = {"seconds": 300, "gib": 4.0}
GIB = 2**30
_WORDS = {
    "en": "walk read sing cook paint plant mend carry count build weave draw often slowly well early late there again",
    "es": "caminan leen cantan cocinan pintan plantan cuentan tejen dibujan siempre despacio bien pronto tarde aquí",
    "ru": "ходят читают поют готовят рисуют сажают чинят носят считают строят часто медленно хорошо рано поздно там",
    "zh": "走路 读书 唱歌 做饭 画画 种花 修理 搬运 数数 建造 经常 慢慢 好好 很早 很晚 这里 那里 现在",
}
_GROUPS = {
    "en": ("Bakers", "Potters", "Weavers", "Sailors", "Miners"),
    "es": ("Los panaderos", "Los alfareros", "Los tejedores", "Los marineros", "Los mineros"),
    "ru": ("Пекари", "Гончары", "Ткачи", "Моряки", "Шахтёры"),
    "zh": ("面包师", "陶工", "织工", "水手", "矿工"),
}
_MARKS = {"zh": "。"}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--sets", type=int, default=FULL.n_sets)
    parser.add_argument("--models", type=int, default=len(FULL.models))
    parser.add_argument("--keep", type=Path, help="leave the run in this folder, which must not exist")
    parser.add_argument("--targets", nargs="+", default=list(TARGETS))
    parser.add_argument("--dry", action="store_true", help="write the run, list what would be run, and stop")
    args = parser.parse_args()
    world = dataclasses.replace(FULL, n_sets=args.sets, models=FULL.models[: args.models])
    with tempfile.TemporaryDirectory() as folder:
        checkout = Checkout.new(args.keep or Path(folder) / "checkout", Path(folder) / "store")
        prepare(checkout, world)
        ahead = jobs_ahead(checkout, args.targets)
        found = {"jobs": ahead} if args.dry else {"world": size(world), **measured(checkout, args.cores, args.targets)}
        print(json.dumps(found, indent=1, ensure_ascii=False))


def prepare(checkout: Checkout, world: World) -> None:
    """Write the run up to its measures, in the order of the stages."""
    frames = make(world)
    augmented = with_texts(frames.augmented)
    source = checkout.folder / "source.parquet"
    artifacts.write(augmented, source, "augmented")
    write_config(checkout, world, source)
    done = checkout.snakemake("augment")
    if done.status:
        raise RuntimeError(f"the pairs could not be imported:\n{done.output[-3000:]}")
    results = checkout.folder / "results" / RUN
    kept = artifacts.read(results / "augmented.parquet", "augmented")
    if len(kept) != len(augmented):
        raise RuntimeError(f"the import kept {len(kept)} of {len(augmented)} pairs; the measures would not fit them")
    write_scores(results, world, frames)


def with_texts(augmented: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """The pairs with groups and attributes that look like sentences, as different as paraphrases are."""
    rng = np.random.default_rng(seed)
    rows = augmented.to_dict("records")
    stems: dict[tuple[str, str], list[str]] = {}
    for number, row in enumerate(rows):
        lang = row["lang"]
        words, joiner = _WORDS[lang].split(), "" if lang == "zh" else " "
        stem = stems.setdefault((lang, row["set_id"]), list(rng.choice(words, 4)))
        changed = [str(rng.choice(words)) if rng.random() < 0.4 else word for word in stem]
        row["attribute"] = joiner.join([*changed, str(number)])
        row["alternate"] = joiner.join([*reversed(changed), f"{number}b"])  # never equal, as a palindrome would be
        row["groups"] = list(_GROUPS[lang][: len(row["groups"])])
        row["final_mark"] = _MARKS.get(lang, ".")
    return pd.DataFrame(rows, columns=augmented.columns)


def write_config(checkout: Checkout, world: World, source: Path) -> None:
    """A config whose source holds the pairs, with three families of models."""
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    models = {
        name: {
            "kind": "causal", "source": f"path:{checkout.folder / 'weights'}", "engine": "transformers",
            "dtype": "float32", "family": f"family-{index // 3 + 1}", "size": 1e9 * 3 ** (index % 3 // 2),
            "tuning": ("base", "instruct", "base")[index % 3],
        }
        for index, name in enumerate(world.models)
    }  # fmt: skip
    roles = {"paraphrase": [], "alternate": [], "similarity": None, "nli": None, "score": list(world.models)}
    files = dict.fromkeys(world.langs, str(source))
    checkout.write_config(
        run=RUN, languages=list(world.langs), models=models, roles=roles, parse=data["parse"] | {"engine": {}},
        source={"kind": "augmented", "dataset": "synthetic", "files": files, "max_sets": None}, norms=None,
    )  # fmt: skip


def write_scores(results: Path, world: World, frames: Frames) -> None:
    """Models made ready, plans without work, scores and measures: each file later than what it is made from."""
    sentences = artifacts.read(results / "sentences.parquet", "sentences")
    for model in world.models:
        (results / "models").mkdir(exist_ok=True)
        (results / "models" / f"{model}.json").write_text("{}", encoding="utf-8")
        (results / "plans" / "score").mkdir(parents=True, exist_ok=True)
        nothing = plan.Plan("score", model, "score", {}, len(sentences), 0, 0, ())
        plan.write(nothing, results / "plans" / "score" / f"{model}.json")
        measures = frames.measures.loc[frames.measures["model"] == model]
        artifacts.write(scores(sentences, measures, model), results / "scores" / f"{model}.parquet", "scores")
        artifacts.write(measures, results / "measures" / f"{model}.parquet", "measures")
        own = frames.set_measures.loc[frames.set_measures["model"] == model]
        artifacts.write(own, results / "set_measures" / f"{model}.parquet", "set_measures")


def scores(sentences: pd.DataFrame, measures: pd.DataFrame, model: str) -> pd.DataFrame:
    """Scores that give the measures: x and y times six tokens."""
    values = {
        (row["lang"], row["set_id"], row["variant_id"], index, side): value
        for row in measures.to_dict("records")
        for side, name in (("attribute", "x"), ("alternate", "y"))
        for index, value in enumerate(row[name])
    }
    place = ["lang", "set_id", "variant_id", "group_index", "side"]
    keys = sentences[place].itertuples(index=False, name=None)
    rows = sentences.assign(value=[values[key] for key in keys]).drop_duplicates("sentence_id")
    rows = rows.assign(
        model=model, n_tokens=6, logprob_sum=6 * rows["value"], prefix_logprob_sum=-10.0, prefix_n_tokens=2,
        n_chars=rows["continuation"].str.len(), n_bytes=rows["continuation"].str.len(), prefix_n_chars=6,
        prefix_n_bytes=6, boundary_merge=False, model_revision="synthetic", dtype="float32", quantisation="none",
        engine="transformers", bos_policy="none", n_bos=0, n_context=0, kept=True, reason="",
    )  # fmt: skip
    for name in ("token_ids", "token_logprobs", "token_ends"):
        rows[name] = [[]] * len(rows)
    return rows[schemas.table("scores").names]


def jobs_ahead(checkout: Checkout, targets: Sequence[str]) -> list[str]:
    """What would be run; nothing before the analyses may be among it.

    Raises:
        RuntimeError: if a stage before the analyses is asked for.
    """
    done = checkout.snakemake("--dry-run", *targets)
    jobs = done.jobs()
    if done.status:
        raise RuntimeError(done.output[-3000:])
    early = [job for job in jobs if re.match(r"(fetch|augment|plan|score|measure)", job)]
    if early:
        raise RuntimeError(f"the synthetic run is not taken as up to date: {early}\n{done.output[-3000:]}")
    return jobs


def measured(checkout: Checkout, cores: int, targets: Sequence[str]) -> dict[str, Any]:
    """Run the targets; wall time, peak memory of all processes together, seconds of each rule, size of the report."""
    command = [word if word != "2" else str(cores) for word in checkout.command(*targets)]
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=checkout.folder, env=dict(checkout.environment()), text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    peak = Peak(process.pid)
    output = process.communicate()[0]
    seconds = time.perf_counter() - begun
    peak.stop()
    if process.returncode:
        raise RuntimeError(output[-6000:])
    report = checkout.folder / "results" / RUN / "report.html"
    return {
        "cores": cores,
        "seconds": round(seconds, 1),
        "peak_gib": round(peak.together / GIB, 2),
        "peak_one_process_gib": round(peak.one / GIB, 2),
        "load_average": os.getloadavg()[0],
        "rules_seconds": rules_seconds(output),
        "report_mb": round(report.stat().st_size / 1e6, 2) if report.exists() else None,
        "within_aims": seconds <= AIMS["seconds"] and peak.together / GIB <= AIMS["gib"],
    }


class Peak:
    """Most memory (proportional set size) that a process and its children hold, sampled four times a second."""

    def __init__(self, pid: int) -> None:
        self.together = self.one = 0
        self._root, self._ended = psutil.Process(pid), threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the sampling."""
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.25):
            sizes = []
            try:
                processes = [self._root, *self._root.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            for process in processes:
                try:
                    sizes.append(process.memory_full_info().pss)
                except (psutil.NoSuchProcess, psutil.AccessDenied):
                    continue
            self.together = max(self.together, sum(sizes))
            self.one = max([self.one, *sizes])


def rules_seconds(output: str) -> dict[str, float]:
    """Seconds from the start of each rule's job to its end, by Snakemake's own lines (whole seconds)."""
    starts: dict[str, datetime] = {}
    found: dict[str, float] = {}
    clock: datetime | None = None
    for line in output.splitlines():
        if stamp := re.match(r"\[(\w{3} \w{3} +\d+ [\d:]{8} \d{4})\]", line):
            clock = datetime.strptime(stamp.group(1), "%a %b %d %H:%M:%S %Y")
        elif clock and (rule := re.match(r"(?:local)?rule (\w+):", line)):
            starts[rule.group(1)] = clock
        elif clock and (end := re.search(r"Finished jobid: \d+ \(Rule: (\w+)\)", line)) and end.group(1) in starts:
            found[end.group(1)] = (clock - starts[end.group(1)]).total_seconds()
    return found


def size(world: World) -> Mapping[str, int]:
    """The world in numbers."""
    return {"models": len(world.models), "languages": len(world.langs), "sets": world.n_sets, "variants": 10}


if __name__ == "__main__":
    main()
