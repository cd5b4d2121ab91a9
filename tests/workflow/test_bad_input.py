"""Bad input stops the workflow with one message, before any model is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.workflow.conftest import ROOT, Checkout

pytestmark = pytest.mark.workflow

HEADER = "set_id,cluster_id,bias_type,role,sentence,group,attribute\n"
GOOD = HEADER + "a,a,other,stereotyped,Cats nap.,Cats,nap\na,a,other,contrast,Dogs nap.,Dogs,nap\n"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Checkout:
    folder = tmp_path_factory.mktemp("bad")
    return Checkout.new(folder / "checkout", folder / "store")


def source(checkout: Checkout, text: str, engine: str = "presplit") -> dict:
    (checkout.folder / "mine.csv").write_text(text, encoding="utf-8")
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    table = {**data["source"], "files": {"en": "mine.csv"}, "max_sets": None}
    return {
        "languages": ["en"],
        "source": table,
        "parse": {"engine": {"en": engine}, "models": "embedded", "repair": "none"},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("sentence", "sentense"), "mine.csv: column 'sentence' is not there"),
        (GOOD.replace("Cats nap.,Cats,nap", "Cats nap.,,nap"), "en: 1 rejected: empty_group (first: mine.csv, row 2)"),
        (
            GOOD.replace("a,a,other,contrast", "a,a,other,stereotyped"),
            "set_id 'a' has two different stereotyped sentences",
        ),
    ],
)
def test_a_mistake_in_the_file_stops_the_first_rule(checkout, text, message):
    checkout.write_config(**source(checkout, text))
    run = checkout.snakemake()
    assert run.status != 0
    assert message in run.output
    assert run.loaded() == []
    assert run.output.count("Traceback") == 0
    assert not list(checkout.results.glob("sets.parquet"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"langauges": ["en"]}, "wf.yaml: 1 problem\n  - key `langauges` is unknown; did you mean 'languages'?"),
        ({"languages": ["en", "tlh"]}, "key `languages`: value 'tlh' (allowed: ar, bn, de, en"),
    ],
)
def test_a_mistake_in_the_config_stops_before_any_rule(checkout, changes, message):
    checkout.write_config(**changes)
    run = checkout.snakemake()
    assert run.status != 0
    assert message in run.output
    assert run.jobs() == []
    assert run.output.count("Traceback") == 0


def test_a_missing_file_stops_before_any_rule(checkout):
    changes = source(checkout, GOOD)
    changes["source"]["files"] = {"en": "absent.csv"}
    checkout.write_config(**changes)
    run = checkout.snakemake()
    assert run.status != 0
    assert "key `source.files.en`: file 'absent.csv' does not exist" in run.output
    assert run.jobs() == []


def test_presplit_input_goes_through_parsing_without_a_parser(checkout):
    checkout.write_config(**source(checkout, GOOD))
    run = checkout.snakemake("results/wf/sets.parquet")
    assert run.status == 0, run.output[-3000:]
    assert run.jobs() == ["parse", "stereotypes"]


SHADES = """index,subset,en_templates,{lang}_biased_sentences,bias_type,type
900.0,_original,OCCUPATION-PL like tea.,Bakers like tea.,['occupation'],declaration
900.0,a,OCCUPATION-PL like tea.,Drivers like tea.,[],
"""


def test_the_papers_config_dry_runs_on_a_file_of_its_shape(tmp_path):
    data = yaml.safe_load((ROOT / "config" / "paper.yaml").read_text(encoding="utf-8"))
    for lang in data["languages"]:
        path = tmp_path / f"{lang}.csv"
        path.write_text(SHADES.format(lang=lang), encoding="utf-8")
        data["source"]["files"][lang] = str(path)
    norms = tmp_path / "norms.txt"
    norms.write_text("Concept\tFeature\nball\tis_round\n", encoding="utf-8")
    data["norms"]["file"] = str(norms)
    (tmp_path / "paper.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(ROOT / "Snakefile"),
        "-n",
        "--configfile",
        "paper.yaml",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    for rule, count in (("generate", 4), ("score_model", 9), ("judge_nli", 3), ("report", 1)):
        assert f"\n{rule} " in done.stdout
        line = next(
            text for text in done.stdout.splitlines() if text.split()[:1] == [rule] and text.split()[-1].isdigit()
        )
        assert int(line.split()[-1]) == count
    assert not Path(tmp_path / "results").exists()
