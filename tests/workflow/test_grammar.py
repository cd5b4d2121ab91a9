"""The grammar engines in the workflow: which rules there are, by language, and what they read."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import yaml

from tests.workflow.conftest import ROOT

pytestmark = pytest.mark.workflow


def dry_run(tmp_path, *arguments: str, **grammar) -> str:
    data = yaml.safe_load((ROOT / "config" / "test.yaml").read_text(encoding="utf-8"))
    data["filters"]["grammar"] |= grammar
    data["run"] = "dry"
    data["store"] = str(tmp_path / "store")
    (tmp_path / "dry.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(ROOT / "Snakefile"),
        "-n",
        *arguments,
        "--configfile",
        "dry.yaml",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def count(output: str, rule: str) -> int:
    found = re.search(rf"^{rule} +(\d+)$", output, flags=re.MULTILINE)
    return int(found.group(1)) if found else 0


def commands(output: str, script: str) -> list[str]:
    return [line.strip() for line in output.splitlines() if f"scripts/{script}.py" in line]


def test_without_engines_the_table_is_made_and_no_engine_runs(tmp_path):
    output = dry_run(tmp_path, "--printshellcmds", engines="none")
    assert count(output, "judge_grammar") == 3  # paraphrases and two rounds of alternates
    assert not count(output, "judge_languagetool") and not count(output, "fetch_languagetool")
    assert all("--engines '{}'" in command for command in commands(output, "judge_grammar"))


def test_languagetool_looks_at_its_languages_only_and_is_made_ready_once(tmp_path):
    engines = {"en": ["languagetool"], "es": "none", "ru": "none", "zh": ["languagetool"]}
    output = dry_run(tmp_path, "--printshellcmds", engines=engines)
    assert count(output, "fetch_languagetool") == 1
    assert count(output, "judge_languagetool") == count(output, "judge_grammar") == 3
    for command in commands(output, "judge_languagetool"):
        assert "--languages en zh " in command
        assert '"server":"local"' in command and "--hub off" in command
    for script in ("select_variants", "plan_nli", "judge_nli"):
        assert commands(output, script)
        for command in commands(output, script):
            assert '"engines":{"en":["languagetool"],"zh":["languagetool"]}' in command
    ready = dry_run(tmp_path, "models", engines=engines)
    assert count(ready, "fetch_languagetool") == 1
