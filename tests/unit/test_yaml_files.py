"""YAML files that cannot be used are named, with what was found; the config and the norms read them alike."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from dualpair import config as configs
from dualpair import languages, yaml_files
from dualpair.errors import InputError
from dualpair.generation import hygiene_words, prompts
from dualpair.norms import builtin, documents
from dualpair.paths import resource
from dualpair.syntax.treebank import lexicon
from dualpair.validation import instructions, ratings_text, returned_words

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


TWICE = [
    ("a: 1\nb: 2\na: 3\n", ["line 3: key `a` is named in line 1 already; keep one of the two"]),
    ("a:\n  b: {en: 1, es: 2,\n    en: 1}\n", ["line 3: key `a.b.en` is named in line 2 already; keep one of the two"]),
    ("a:\n- b: 1\n- c: 1\n  c: 1\n", ["line 4: key `a.1.c` is named in line 3 already; keep one of the two"]),
    # One key in two spellings is one key.
    (
        "yes: 1\n'a': 2\na: 3\ntrue: 4\n",
        ["line 3: key `a` is named in line 2", "line 4: key `true` is named in line 1"],
    ),
    # An anchored mapping hangs in two places and is told once, though it is merged too.
    ("a: &x {k: 1, k: 2}\nb: *x\nc: {<<: *x}\n", ["line 1: key `a.k` is named in line 1 already; keep one of the two"]),
    ('{"a": 1,\n\t"a": 2}', ["line 2: key `a` is named in line 1 already; keep one of the two"]),
]


@pytest.mark.parametrize(("text", "said"), TWICE)
def test_a_key_that_is_named_twice_is_refused_with_file_line_and_key(
    tmp_path: Path, text: str, said: list[str]
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    for read in (yaml_files.document, lambda file: yaml_files.mapping(file, ["a"])):
        with pytest.raises(InputError) as error:
            read(path)
        found = str(error.value).splitlines()
        assert len(found) == len(said)
        assert all(line.startswith(f"{path}, {start}") for line, start in zip(found, said, strict=True))
    assert yaml_files.repeated_keys(path) == [line.removeprefix(f"{path}, ") for line in found]


MERGED = """
one: &one {a: 1, b: 2}
two: &two
  <<: *one
  b: 3
three:
  a: 0
  <<: [*one, {c: 5}]
four:
  <<: *one
  <<: {d: 6}
=: 7
1: x
'1': y
"""


def test_merges_and_anchors_are_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(MERGED, encoding="utf-8")
    found = yaml_files.document(path)
    assert found == yaml.safe_load(MERGED)
    assert found["two"] == {"a": 1, "b": 3}
    assert found["three"] == {"a": 0, "b": 2, "c": 5}
    assert found["four"] == {"a": 1, "b": 2, "d": 6}
    assert yaml_files.repeated_keys(path) == []


@pytest.mark.parametrize(("content", "data"), [("", None), ("- 1\n- a", [1, "a"]), ('{"a":\t"x\\ty"}', {"a": "x\ty"})])
def test_a_document_of_any_kind_is_read(tmp_path: Path, content: str, data: object) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(content, encoding="utf-8")
    assert yaml_files.document(path) == data


@pytest.mark.parametrize("text", ["a: b: c", "a: 2020-13-01", "? [1, 2]\n: a\n", "a: *x", "a: 1\n--- \nb: 2\n"])
def test_what_is_no_plain_yaml_is_one_message(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: cannot be read as YAML: "):
        yaml_files.document(path)


def test_a_ring_of_anchors_is_walked_once(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: &a {b: *a, b: 1}", encoding="utf-8")
    assert len(yaml_files.repeated_keys(path)) == 1


# What reads a kind of file, and a shipped one whose first key is put at its end again.
READERS = [
    (prompts.read, ("prompts", "paraphrase", "en.yaml")),
    (hygiene_words.read_word_lists, ("hygiene", "en.yaml")),
    (hygiene_words.read_function_words, ("hygiene", "shared", "function_words.yaml")),
    (languages.read_languages, ("languages.yaml",)),
    (instructions.read_instructions, ("sheets", "en.yaml")),
    (ratings_text.read, ("ratings", "en.yaml")),
    (lambda path: returned_words.read_answers([path]), ("answers", "en.yaml")),
    (lambda path: lexicon.read_lexicon(path, random.Random(0)), ("parsers", "lexicon", "en.yaml")),
]


@pytest.mark.parametrize(("read", "parts"), READERS, ids=["/".join(parts) for _, parts in READERS])
def test_every_reader_refuses_a_second_naming(
    tmp_path: Path, read: Callable[[Path], Any], parts: Sequence[str]
) -> None:
    text = resource(*parts).read_text(encoding="utf-8")
    path = tmp_path / parts[-1]
    path.write_text(text, encoding="utf-8")
    read(path)
    key = next(iter(yaml.safe_load(text)))
    path.write_text(f"{text.rstrip()}\n{key}: again\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=rf"^{re.escape(str(path))}, line \d+: key `{key}` is named in line \d+ already"
    ):
        read(path)
