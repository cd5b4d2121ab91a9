"""YAML files that cannot be used are named, with what was found; the config and the norms read them alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dualpair import config as configs
from dualpair import yaml_files
from dualpair.errors import InputError
from dualpair.norms import builtin, documents

UNUSABLE = [
    (b"- a", "holds list, expected a mapping of the keys "),
    (b"", "holds NoneType, expected a mapping of the keys "),
    (b"a: [", "cannot be read as YAML: while parsing"),
    (b"a: \xdf", "not UTF-8 (byte 0xdf at 3); save it as UTF-8"),
    (None, "cannot be read as YAML: [Errno 2] No such file"),
]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_mapping_is_read_with_and_without_a_byte_order_mark(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(mark + "a: [1, ñ]\n".encode())
    assert yaml_files.mapping(path, ["a"]) == {"a": [1, "ñ"]}


@pytest.mark.parametrize(("content", "message"), UNUSABLE)
def test_what_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "a.yaml"
    if content is not None:
        path.write_bytes(content)
    said = f"^{re.escape(f'{path}: {message}')}"
    with pytest.raises(InputError, match=said + ("one, two$" if message.endswith("keys ") else "")):
        yaml_files.mapping(path, ["one", "two"])
    with pytest.raises(configs.ConfigError, match=said):
        configs.load_file(path)
    with pytest.raises(InputError, match=said):
        documents.read(path, builtin.Facts)
