"""The `dualpair` command."""

from __future__ import annotations

import subprocess
import sys
import time

import pandas as pd
import pytest

from dualpair import artifacts, cli
from dualpair.cli import runs
from dualpair.store import Store


def test_unlock_removes_a_stale_lock_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cli.main(["unlock"])
    assert capsys.readouterr().out == ""
    locks = tmp_path / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.input.lock").write_text("results/x")
    cli.main(["unlock"])
    assert "removed the lock" in capsys.readouterr().out
    assert list(locks.iterdir()) == []


def test_unlock_leaves_a_running_workflow_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lock = tmp_path / ".snakemake" / "locks" / "0.input.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text("results/x")
    program = tmp_path / "snakemake"
    program.write_text("import time; time.sleep(60)")
    running = subprocess.Popen([sys.executable, str(program)], cwd=tmp_path)
    try:
        deadline = time.monotonic() + 20
        while not runs.processes_here("snakemake") and time.monotonic() < deadline:
            time.sleep(0.05)
        with pytest.raises(SystemExit) as error:
            cli.main(["unlock"])
    finally:
        running.kill()
        running.wait()
    assert error.value.code == 2
    assert f"process {running.pid}" in capsys.readouterr().err
    assert lock.exists()


def test_unlock_ends_a_job_that_a_killed_workflow_left(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "generate.py"
    program.write_text("import time; time.sleep(60)")
    orphan = subprocess.Popen([sys.executable, str(program)], cwd=tmp_path)
    try:
        deadline = time.monotonic() + 20
        while not runs.processes_here("generate.py") and time.monotonic() < deadline:
            time.sleep(0.05)
        cli.main(["unlock"])
        assert orphan.wait(timeout=20) != 0
    finally:
        orphan.kill()
    assert f"process {orphan.pid}" in capsys.readouterr().out


def test_store_verify_reports_damage(tmp_path, capsys):
    space = Store(tmp_path).space("score", "m", {"weights": "w"})
    space.put({"k": {"v": 1}})
    cli.main(["store", "verify", "--store", str(tmp_path)])
    assert "1 spaces, 0 problems" in capsys.readouterr().out
    (space.folder / "bad.parquet").write_bytes(b"junk")
    with pytest.raises(SystemExit) as error:
        cli.main(["store", "verify", "--store", str(tmp_path)])
    assert error.value.code == 1
    assert "bad.parquet: cannot be read" in capsys.readouterr().out


def test_doctor_says_where_things_are(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cli.main(["doctor"])
    out = capsys.readouterr().out
    assert str(tmp_path / "dualpair" / "store") in out
    assert "model gemma-3-270m: not assembled yet" in out


def test_summary_of_no_run_is_one_message(tmp_path, capsys):
    with pytest.raises(SystemExit) as error:
        cli.main(["summary", str(tmp_path)])
    assert error.value.code == 2
    assert "no such artifact" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--groups", "Cats", "--lang", "en"], "names one group"),
        (["--groups", "Cats", "Dogs", "--lang", "eng"], "did you mean 'en'?"),
        (["--groups", "Cats", "Dogs", "--lang", "en", "--model", "gpt"], "model 'gpt' is no causal model"),
    ],
)
def test_probe_refuses_bad_input_before_loading(arguments, message, capsys):
    given = ["--model", "gemma-3-270m", "--attribute", "nap", "--alternate", "wake", *arguments]
    with pytest.raises(SystemExit) as error:
        cli.main(["probe", *given])
    assert error.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.model
def test_probe_and_score_agree(tmp_path, capsys):
    cli.main(
        ["probe", "--model", "smollm2-135m-instruct", "--groups", "Cats", "Dogs", "--attribute", "sleep a lot",
         "--alternate", "hardly sleep", "--lang", "en", "--mark", "."]
    )  # fmt: skip
    out = capsys.readouterr().out
    assert "I_GxA = " in out
    assert "leans to the attribute" in out
    table = tmp_path / "pairs.csv"
    table.write_text("prefix,continuation,lang\nCats,sleep a lot.,en\nDogs,sleep a lot.,en\n", encoding="utf-8")
    arguments = ["score", "--model", "smollm2-135m-instruct", "--in", str(table), "--out", str(tmp_path / "s.parquet")]
    cli.main([*arguments, "--join"])
    scores = artifacts.read(tmp_path / "s.parquet", "scored_pairs").set_index("prefix")
    mean = scores.loc["Cats", "logprob_sum"] / scores.loc["Cats", "n_tokens"]
    assert f"Cats: x = {mean:.4f}" in out
    assert pd.read_parquet(tmp_path / "s.parquet")["continuation"].unique().tolist() == [" sleep a lot."]
