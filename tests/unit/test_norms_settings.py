"""The config's section `norms`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from dualpair import config as configs
from dualpair.errors import InputError
from dualpair.norms import settings
from dualpair.norms.settings import Norms

BUILTIN: dict[str, Any] = {"source": "builtin", "file": None, "pairs": None, "languages": None, "limit": None}


def load(root: Path, norms: Any, **more: Any) -> configs.Config:
    data = yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8"))
    return configs.load({**data, "norms": norms, **more})


def test_the_shipped_configs_have_the_section(root: Path) -> None:
    sources = {}
    for name in ("config.yaml", "config/test.yaml", "config/paper.yaml"):
        norms = configs.load_file(root / name).norms
        assert norms is not None
        sources[name] = norms.source
    assert sources == {"config.yaml": "builtin", "config/test.yaml": "builtin", "config/paper.yaml": "mcrae"}


def test_null_leaves_the_norms_out(root: Path) -> None:
    assert load(root, None).norms is None
    assert settings.problems(None, ["en"]) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "mcray"}, "key `norms.source`: value 'mcray'; did you mean 'mcrae'?"),
        ({"source": "mcrae"}, "source mcrae needs `file`, the path of your copy"),
        ({"pairs": "p.yaml"}, "`pairs` is used by source mcrae only"),
        ({"file": "n.txt"}, "`file` is used by source mcrae only"),
        ({"languages": ["de"]}, "key `norms.languages`: value 'de': source builtin has no sentences in it"),
        ({"languages": ["en", "en"]}, "names a language twice"),
        ({"languages": []}, "key `norms.languages`"),
        ({"limit": 0}, "key `norms.limit`: value 0"),
        ({"limit": True}, "key `norms.limit`"),
        ({"limits": 3}, "key `norms.limits` is unknown; did you mean 'limit'?"),
        (
            {"source": "mcrae", "file": "n.txt", "languages": ["es"]},
            "source mcrae has no sentences in it (allowed: en)",
        ),
    ],
)
def test_mistakes_are_explained(root: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(configs.ConfigError) as caught:
        load(root, {**BUILTIN, **change})
    assert message in str(caught.value)


def test_a_missing_key_is_an_error(root: Path) -> None:
    without = {key: value for key, value in BUILTIN.items() if key != "limit"}
    with pytest.raises(configs.ConfigError, match=r"key `norms\.limit` is missing"):
        load(root, without)


def test_a_language_outside_the_run_is_refused() -> None:
    (problem,) = settings.problems(Norms(**{**BUILTIN, "languages": ["zh"]}), ["en"])
    assert problem.startswith("key `norms.languages`: value 'zh' is not in `languages`")


@pytest.mark.parametrize(
    ("norms", "run", "expected"),
    [
        (BUILTIN, ["zh", "de", "en"], ["zh", "en"]),
        ({**BUILTIN, "languages": ["en"]}, ["zh", "en"], ["en"]),
        (BUILTIN, ["de"], []),
        ({**BUILTIN, "source": "mcrae", "file": "n.txt"}, ["es", "en"], ["en"]),
        ({**BUILTIN, "source": "mcrae", "file": "n.txt"}, ["es"], []),
    ],
)
def test_languages(norms: dict[str, Any], run: list[str], expected: list[str]) -> None:
    assert settings.languages_of(Norms(**norms), run) == expected


def test_files_of_our_own_concepts(root: Path) -> None:
    found = settings.files(Norms(**BUILTIN), ["en", "zh"])
    assert (found.norms, found.pairs) == (None, None)
    assert [path.name for path in found.resources] == ["facts.yaml", "en.yaml", "zh.yaml"]


def test_files_of_the_norms(tmp_path: Path) -> None:
    path = tmp_path / "CONCS_FEATS_concstats_brm.txt"
    path.write_text("Concept\tFeature\nice\tis_cold\n", encoding="utf-8")
    given = {**BUILTIN, "source": "mcrae", "file": str(tmp_path)}
    found = settings.files(Norms(**given), ["en"])
    assert found.norms == path
    assert found.pairs is not None
    assert found.pairs.name == "pairs.yaml"
    with pytest.raises(InputError, match=r"key `norms.file`: file or folder '.*nowhere' does not exist"):
        settings.files(Norms(**{**given, "file": str(tmp_path / "nowhere")}), ["en"])
    with pytest.raises(InputError, match=r"key `norms.pairs`: file 'no.yaml' does not exist"):
        settings.files(Norms(**{**given, "pairs": "no.yaml"}), ["en"])
    (tmp_path / "own.yaml").write_text("pairs: []\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"key `norms\.pairs`: .*own\.yaml"):
        settings.files(Norms(**{**given, "pairs": str(tmp_path / "own.yaml")}), ["en"])
