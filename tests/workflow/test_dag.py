"""The whole DAG on the embedded models: tables, partial re-runs, kills."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from dualpair import artifacts
from dualpair import config as configs
from dualpair.analysis import funnel
from dualpair.filters import grammar
from tests.workflow.conftest import ENCODER, GENERATOR, LANGUAGES, Checkout

pytestmark = [pytest.mark.workflow, pytest.mark.model, pytest.mark.stanza]


# Two sets a language, and three models of three families, are too few for these.
TOO_FEW = {
    f"analysis/{name}.parquet"
    for name in ("anova", "anova_mixed", "anova_variances", "comparison_detectable", "trends", "tuning")
}


def table_of(path: str) -> str:
    """Table name of an artifact's path."""
    first = path.split("/")[0]
    if path.startswith("sheets/"):
        return "sheet_key"
    return Path(path).stem if first == "analysis" or "/" not in path else first


def test_every_table_obeys_its_schema_and_the_funnel_adds_up(finished):
    paths = [path for path in finished.artifacts() if path.endswith(".parquet")]
    assert len(paths) > 25
    for path in paths:
        rows = artifacts.read(finished.results / path, table_of(path))
        # An engine that only some languages have may have nothing to do in the last round.
        assert len(rows) > 0 or "/grammar/" in path or path in TOO_FEW, path
    frame = artifacts.read(finished.results / "analysis" / "funnel.parquet", "funnel")
    funnel.check(frame)
    assert pd.read_csv(finished.results / "funnel.csv", keep_default_na=False)["n"].sum() == frame["n"].sum()
    for stage, path, name in [("sets", "sets.parquet", "sets"), ("stereotypes", "stereotypes.parquet", "stereotypes")]:
        assert frame.loc[frame["stage"] == stage, "n"].sum() == len(artifacts.read(finished.results / path, name))


def test_every_answer_is_a_candidate_and_every_pair_is_scored(finished):
    def read(path: str, name: str) -> pd.DataFrame:
        return artifacts.read(finished.results / path, name)

    answers = read(f"generations/paraphrase/{GENERATOR}.parquet", "generations")
    assert len(answers) == 4 * 2 * len(LANGUAGES)
    assert read("candidates/paraphrase.parquet", "candidates")["n_answers"].sum() == len(answers)
    augmented, sentences = read("augmented.parquet", "augmented"), read("sentences.parquet", "sentences")
    assert len(sentences) == 2 * augmented["groups"].map(len).sum()
    for model in configs.load_file(finished.folder / "wf.yaml").roles.score:
        scores = read(f"scores/{model}.parquet", "scores")
        assert set(scores["sentence_id"]) == set(sentences["sentence_id"])
        assert (scores["logprob_sum"] < 0).all()
        assert len(read(f"measures/{model}.parquet", "measures")) == len(augmented)


def test_a_second_run_has_nothing_to_do(finished, tmp_path):
    run = finished.clone(tmp_path / "checkout").snakemake()
    assert run.status == 0
    assert "Nothing to be done" in run.output
    assert run.jobs() == []


def test_the_report_stands_alone(finished):
    page = (finished.results / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
    assert "@import" not in page
    assert "url(http" not in page
    for model in configs.load_file(finished.folder / "wf.yaml").roles.score:
        assert model in page


def test_a_tighter_threshold_runs_selection_again_and_loads_no_model(finished, tmp_path):
    checkout = finished.clone(tmp_path / "checkout")
    variants = artifacts.read(checkout.results / "variants.parquet", "variants")
    worst = variants.loc[variants["kept"], ["contradiction_forward", "contradiction_backward"]].max(axis=1).max()
    checkout.write_config({GENERATOR: {"nli_paraphrase": float(worst) - 1e-6}})
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    assert run.loaded() == []
    assert set(run.calls().values()) <= {0}
    assert not any(job.startswith(("stereotypes", "parse", "plan_generate task=paraphrase")) for job in run.jobs())
    assert not any(job.startswith("generate task=paraphrase") for job in run.jobs())
    assert not any("judge" in job and "paraphrase" in job for job in run.jobs())
    assert "select_variants" in run.jobs()
    fewer = artifacts.read(checkout.results / "variants.parquet", "variants")
    assert fewer["kept"].sum() < variants["kept"].sum()


def test_a_looser_threshold_calls_models_for_the_admitted_rows_only(finished, tmp_path):
    checkout = finished.clone(tmp_path / "checkout")
    judged = artifacts.read(checkout.results / "judgements/paraphrase/similarity.parquet", "judgements")
    before = artifacts.read(checkout.results / "judgements/paraphrase/nli.parquet", "judgements")
    checkout.write_config({ENCODER: {"similarity": -1.0}})
    run = checkout.snakemake("results/wf/variants.parquet")
    assert run.status == 0, run.output[-4000:]
    after = artifacts.read(checkout.results / "judgements/paraphrase/nli.parquet", "judgements")
    admitted = len(after) - len(before)
    assert admitted > 0, "the test's sets have no candidate below the similarity threshold: choose others"
    assert run.calls() == {f"nli-paraphrase {GENERATOR}": 2 * admitted}
    assert run.loaded() == [GENERATOR]
    variants = artifacts.read(checkout.results / "variants.parquet", "variants")
    assert len(after) == len(judged) - variants["reason"].isin(grammar.REASONS).sum()


def test_an_edited_scoring_module_runs_what_scores_again_and_generates_nothing(finished, tmp_path):
    checkout = finished.clone(tmp_path / "checkout")
    with open(checkout.folder / "dualpair" / "scoring" / "causal.py", "a", encoding="utf-8") as file:
        file.write("\n# edited\n")
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    rules = {job.split()[0] for job in run.jobs()}
    assert {"score_model", "judge_nli"} <= rules
    assert not any(job.startswith(("generate", "plan_generate")) and "paraphrase" in job for job in run.jobs())
    assert not rules & {"stereotypes", "parse", "list_paraphrase_sources", "fetch_model"}
    assert not any(job.startswith("judge_similarity") and "paraphrase" in job for job in run.jobs())
    assert run.loaded() == []


def kill_when(checkout: Checkout, kind: str) -> None:
    """Start the workflow and kill everything in it with SIGKILL once a segment of ``kind`` has appeared."""
    before = set(checkout.store.glob(f"{kind}/*/*.parquet"))
    process = subprocess.Popen(
        checkout.command(), cwd=checkout.folder, env=checkout.environment(), start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    deadline = time.monotonic() + 600
    while not set(checkout.store.glob(f"{kind}/*/*.parquet")) - before:
        assert process.poll() is None, f"the workflow ended before {kind}: {process.stdout.read().decode()[-3000:]}"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_run_killed_three_times_ends_with_the_same_bytes(finished, tmp_path):
    checkout = Checkout.new(tmp_path / "checkout", tmp_path / "store")
    checkout.write_config()
    for kind in ("generation", "nli", "score"):
        kill_when(checkout, kind)
        unlock = [sys.executable, "-m", "dualpair.cli", "unlock"]
        done = subprocess.run(unlock, cwd=checkout.folder, env=checkout.environment(), text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert "removed the lock" in done.stdout
    run = checkout.snakemake()
    assert run.status == 0, run.output[-4000:]
    undisturbed, disturbed = finished.artifacts(), checkout.artifacts()
    assert undisturbed.keys() == disturbed.keys()
    differing = [path for path in undisturbed if undisturbed[path] != disturbed[path]]
    assert differing == []
