"""Prompts and word lists in the workflow: what needs them, what a missing or changed one does."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dualpair.paths import resource
from tests.workflow.conftest import ROOT, Checkout

pytestmark = pytest.mark.workflow

HEADER = "set_id,cluster_id,bias_type,role,sentence,group,attribute\n"
ROMANIAN = HEADER + (
    "a,a,other,stereotyped,Pisicile dorm.,Pisicile,dorm\na,a,other,contrast,Câinii dorm.,Câinii,dorm\n"
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Checkout:
    folder = tmp_path_factory.mktemp("prompts")
    return Checkout.new(folder / "checkout", folder / "store")


def presplit(checkout: Checkout, langs: list[str], **generation: object) -> dict:
    """A config of one invented set in each language."""
    (checkout.folder / "ro.csv").write_text(ROMANIAN, encoding="utf-8")
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    table = {**data["source"], "files": dict.fromkeys(langs, "ro.csv"), "max_sets": None}
    parse = {"engine": dict.fromkeys(langs, "presplit"), "models": "embedded", "repair": "none"}
    generation = {**data["generation"], **generation}
    return {"languages": langs, "source": table, "parse": parse, "generation": generation}


def test_parsing_needs_no_prompt(checkout):
    checkout.write_config(**presplit(checkout, ["ro"]))
    run = checkout.snakemake("results/wf/sets.parquet", "-n")
    assert run.status == 0, run.output[-3000:]
    assert "rule parse:" in run.output


def test_generation_without_prompts_stops_before_any_rule_and_names_the_files(checkout):
    checkout.write_config(**presplit(checkout, ["en", "ro"]))
    run = checkout.snakemake()
    assert run.status != 0
    assert run.jobs() == []
    assert "generation cannot start: 3 problems" in run.output
    for name in ("write paraphrase/ro.yaml", "write alternate/ro.yaml", "write hygiene/ro.yaml", "`prompt: en`"):
        assert name in run.output


def test_a_folder_of_ones_own_adds_a_language_without_code(checkout):
    own = checkout.folder / "own"
    for part in ("paraphrase", "alternate", "hygiene"):
        shipped = resource("hygiene" if part == "hygiene" else f"prompts/{part}", "en.yaml")
        (own / part).mkdir(parents=True, exist_ok=True)
        (own / part / "ro.yaml").write_bytes(shipped.read_bytes())
    checkout.write_config(**presplit(checkout, ["en", "ro"], prompts="own"))
    assert checkout.snakemake("-n").status == 0
    (own / "alternate" / "ro.yaml").write_text("user: '{sentence}'\nforced_prefix: ''\nfewshot: []\n", encoding="utf-8")
    run = checkout.snakemake("-n")
    assert run.status != 0
    assert "own/alternate/ro.yaml: needs user and forced_prefix" in run.output


def test_the_shipped_languages_run_as_they_are(checkout):
    langs = sorted(path.stem for path in resource("hygiene").glob("*.yaml"))
    assert len(langs) == 12
    checkout.write_config(**presplit(checkout, langs))
    run = checkout.snakemake("-n")
    assert run.status == 0, run.output[-3000:]


def test_a_changed_prompt_or_word_list_re_runs_what_uses_it(finished: Checkout, tmp_path: Path):
    checkout = finished.clone(tmp_path / "checkout")
    prompt = checkout.folder / "resources" / "prompts" / "alternate" / "es.yaml"
    prompt.write_text(
        prompt.read_text(encoding="utf-8").replace("Dices lo contrario", "Afirmas lo contrario"), encoding="utf-8"
    )
    run = checkout.snakemake("-n")
    assert run.status == 0, run.output[-3000:]
    tasks = {job.split(",")[0] for job in run.jobs() if job.startswith(("generate ", "plan_generate "))}
    assert tasks == {f"{rule} task=alternate-{number}" for rule in ("generate", "plan_generate") for number in (1, 2)}
    # A damaged file stops a run whose tables are all there, too: old tables must not pass for new ones.
    prompt.write_text("user: no sentence\nforced_prefix: ''\n", encoding="utf-8")
    run = checkout.snakemake("-n")
    assert run.status != 0
    assert "es.yaml, user: the template does not name {sentence}" in run.output
    prompt.write_bytes((ROOT / "resources" / "prompts" / "alternate" / "es.yaml").read_bytes())
    words = checkout.folder / "resources" / "hygiene" / "es.yaml"
    shipped = words.read_text(encoding="utf-8")
    words.write_text("hedges: [zzz]\n", encoding="utf-8")
    run = checkout.snakemake("-n")
    assert run.status != 0
    assert "hygiene/es.yaml" in run.output
    words.write_text(shipped.replace("hedges: [", "hedges: [zzz, "), encoding="utf-8")
    run = checkout.snakemake("-n")
    names = {job.split(" ")[0] for job in run.jobs()}
    assert "collect_candidates" in names
    assert "parse" not in names
    assert not [job for job in run.jobs() if job.startswith("generate task=paraphrase")]
