"""One place for versions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from dualpair import pins

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("family", pins.FAMILIES)
def test_conda_environments_come_from_the_pins(family):
    written = (ROOT / "envs" / f"{family}.yaml").read_text(encoding="utf-8")
    assert written == pins.environment(family), "run `python -m dualpair.pins`"
    listed = yaml.safe_load(written)["dependencies"][-1]["pip"]
    assert all(re.fullmatch(r"[a-z0-9-]+==[^ ]+", line) for line in listed)


def test_the_conda_script_and_the_pip_file_agree_on_spacy_stanza():
    (line,) = [
        text for text in (ROOT / "requirements" / "parse.txt").read_text().splitlines() if not text.startswith("#")
    ]
    assert line in (ROOT / "envs" / "parse.post-deploy.sh").read_text()


def test_every_direct_dependency_is_pinned_and_torch_takes_any_build():
    versions = pins.pins()
    assert set(pins.direct()) <= set(versions)
    assert "+" not in versions["torch"]


def test_vllms_environment_differs_from_the_main_one_only_where_vllm_asks_for_it():
    main, vllm = pins.pins(), pins.pins(file="vllm.txt")
    differing = {name for name in set(main) & set(vllm) if main[name] != vllm[name]}
    assert differing == {"numpy", "transformers"}
    needed = {"filelock", "pandas", "psutil", "pyarrow", "pydantic", "pyyaml", "tokenizers", "torch", "tqdm"}
    assert needed <= set(vllm) and "+" not in vllm["torch"]


def test_the_conda_script_installs_the_pinned_vllm():
    script = (ROOT / "envs" / "vllm.post-deploy.sh").read_text(encoding="utf-8")
    assert f"version={pins.pins(file='vllm.txt')[pins.VLLM]}\n" in script
    assert pins.VLLM not in yaml.safe_load(pins.environment("vllm"))["dependencies"][-1]["pip"]


def test_a_line_that_is_no_pin_is_refused(tmp_path):
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "pins.txt").write_text("pandas>=3\n")
    with pytest.raises(ValueError, match="'pandas>=3' is no exact pin"):
        pins.pins(tmp_path)
