"""The settings of a run as one file."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml

from dualpair import __version__, run_config
from dualpair import config as configs

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted([ROOT / "config.yaml", *(ROOT / "config").glob("*.yaml")])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_with_the_keys_that_are_left_out_it_is_the_same_config(path, tmp_path):
    config = configs.load_file(path)
    (tmp_path / "config.yaml").write_text(run_config.text(config.model_dump(mode="json")), encoding="utf-8")
    written = run_config.read(tmp_path)
    given = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(given) - set(written) == set(run_config.LEFT_OUT)
    assert configs.load(written | {key: given[key] for key in run_config.LEFT_OUT}) == config


def test_the_file_is_sorted_says_its_version_and_keeps_letters_and_paths():
    settings = {
        "run": "x",
        "execution": {"threads": 1},
        "store": "/s",
        "languages": ["zh"],
        "a": {"c": "~/д.csv", "b": None},
    }
    text = run_config.text(settings)
    assert text.splitlines()[0] == f"# dualpair {__version__}"
    assert [line for line in text.splitlines() if not line.startswith("#")] == [
        "a:", "  b: null", "  c: ~/д.csv", "languages:", "- zh", "run: x",
    ]  # fmt: skip
    assert run_config.text(dict(reversed(settings.items()))) == text


def test_a_run_without_the_file(tmp_path):
    assert run_config.read(tmp_path) is None


def test_flat_settings():
    nested = {"a": {"b": [1, 2], "c": {}}, "d": None}
    assert run_config.flat(nested) == {"a.b": "[1, 2]", "a.c": "{}", "d": "null"}


def test_names_and_execution_are_not_compared_and_two_compared_models_share_a_name():
    first = {"run": "a", "seed": 1, "models": {"m": {"x": 1}, "n": {"x": 2}, "both": {"x": 3}, "mine": {"x": 4}}}
    second = copy.deepcopy(first) | {"run": "b", "execution": {"threads": 9}, "store": "/s", "offline": False}
    del second["models"]["mine"]
    one, other = run_config.comparable(first, second, ({"m": "m / n"}, {"n": "m / n"}))
    assert one == {"seed": "1", "models.m / n.x": "1", "models.both.x": "3", "models.mine": '"there"'}
    assert other == {"seed": "1", "models.m / n.x": "2", "models.both.x": "3"}
