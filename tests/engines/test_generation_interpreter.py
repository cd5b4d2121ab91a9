"""Which interpreter the rules give to a generating model, and what they hand to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

pytestmark = pytest.mark.workflow


def test_a_vllm_model_generates_under_its_own_interpreter_and_the_others_do_not(tmp_path: Path) -> None:
    config = yaml.safe_load((ROOT / "config" / "test.yaml").read_text(encoding="utf-8"))
    hub = {"kind": "causal", "source": "hf:org/tiny", "revision": "0" * 40}
    config["models"] = {
        "tiny": {**hub, "engine": "vllm"},
        "far": {**hub, "engine": "server", "dtype": "bfloat16", "endpoint": "http://127.0.0.1:1/v1", "concurrency": 5},
    }
    config["roles"]["paraphrase"] = ["tiny", "far", "gemma-3-270m"]
    config["execution"]["vllm_python"] = "/opt/vllm/bin/python"
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "augment", "--snakefile", ROOT / "Snakefile", "--cores", "1"]
    command += ["--configfile", tmp_path / "c.yaml", "--dry-run", "--printshellcmds", "--quiet", "progress"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = (done.stdout + done.stderr).splitlines()

    def of(script: str, model: str) -> str:
        return next(line for line in lines if f"scripts/{script}.py" in line and f"--model {model} " in line)

    assert "[ -x /opt/vllm/bin/python ] && echo /opt/vllm/bin/python || echo" in of("generate", "tiny")
    for script, model in (("plan_generate", "tiny"), ("generate", "far"), ("generate", "gemma-3-270m")):
        assert "vllm/bin" not in of(script, model) and sys.executable in of(script, model)
    assert "--concurrency 5" in of("generate", "far")
    assert '"concurrency"' not in of("generate", "far")  # it decides no answer, so that changing it re-runs nothing
