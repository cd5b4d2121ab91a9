"""The code hash of a rule follows its imports, however deep, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dualpair import codehash

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))


def modules(script: str) -> set[str]:
    return {path.relative_to(ROOT / "dualpair").as_posix() for path in codehash.modules_of(ROOT / "scripts" / script)}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_the_list_holds_every_module_that_the_script_loads(script):
    program = (
        "import runpy, sys, pathlib, dualpair\n"
        f"runpy.run_path({str(script)!r})\n"
        "root = pathlib.Path(dualpair.__file__).parent\n"
        "files = [getattr(m, '__file__', None) for m in list(sys.modules.values())]\n"
        "print('\\n'.join(f for f in files if f and pathlib.Path(f).is_relative_to(root)))\n"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    # The loader above imports the package itself; a script of the trainer may not.
    assert {Path(line) for line in loaded.split()} - {ROOT / "dualpair" / "__init__.py"} <= set(
        codehash.modules_of(script)
    )


def test_rules_that_score_and_rules_that_generate_are_apart():
    scoring = {name for name in modules("score_model.py") if name.startswith("scoring/")}
    assert "scoring/causal.py" in scoring
    assert "scoring/causal.py" in modules("judge_nli.py")
    for script in (
        "plan_generate.py",
        "generate.py",
        "collect_candidates.py",
        "list_sources.py",
        "parse.py",
        "stereotypes.py",
    ):
        assert not any(name.startswith("scoring/") for name in modules(script)), script


def test_report_code_is_no_part_of_a_model_stage():
    for script in ("generate.py", "judge_similarity.py", "judge_nli.py", "score_model.py", "measure_model.py"):
        assert not any(name.startswith(("report/", "analysis/", "validation/")) for name in modules(script)), script


def test_an_edit_changes_the_hash_of_what_uses_it(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "dualpair", tmp_path / "dualpair", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    program = (
        "from dualpair import codehash; from pathlib import Path\n"
        "print(codehash.code_hash(Path('scripts/score_model.py')), codehash.code_hash(Path('scripts/generate.py')))"
    )

    def hashes() -> list[str]:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
        return done.stdout.split()

    before = hashes()
    with open(tmp_path / "dualpair" / "scoring" / "causal.py", "a") as file:
        file.write("# edited\n")
    after = hashes()
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_a_relative_import_is_refused(tmp_path):
    script = tmp_path / "s.py"
    script.write_text("from . import x\n")
    with pytest.raises(ValueError, match="line 1: relative import"):
        codehash.modules_of(script)
