"""The starter set: shape, alignment across languages, and the rules that its sentences obey."""

from __future__ import annotations

import csv
from collections import defaultdict

import pytest

from dualpair import languages
from dualpair.paths import resource

LANGS = ("en", "es", "ru", "zh")
HEADER = ["set_id", "cluster_id", "bias_type", "role", "sentence", "group", "attribute"]


def rows(lang: str) -> list[dict[str, str]]:
    with resource("stereotypes", f"{lang}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def by_set(lang: str) -> dict[str, list[dict[str, str]]]:
    sets: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows(lang):
        sets[row["set_id"]].append(row)
    return sets


@pytest.mark.parametrize("lang", LANGS)
def test_file_form(lang: str) -> None:
    data = resource("stereotypes", f"{lang}.csv").read_bytes()
    assert not data.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in data
    assert data.decode("utf-8").splitlines()[0].split(",") == HEADER
    assert data.endswith(b"\n")


@pytest.mark.parametrize("lang", LANGS)
def test_sentence_is_group_joiner_attribute_mark(lang: str) -> None:
    for row in rows(lang):
        built = languages.join(row["group"], row["attribute"], lang) + languages.get(lang).final_mark
        assert row["sentence"] == built
        for key in ("sentence", "group", "attribute"):
            assert languages.normalise(row[key]) == row[key]
        assert languages.split_final_mark(row["attribute"], lang)[1] == ""


@pytest.mark.parametrize("lang", LANGS)
def test_sets(lang: str) -> None:
    sets = by_set(lang)
    assert len(sets) == 10
    assert sum(len(members) >= 3 for members in sets.values()) >= 3
    for set_id, members in sets.items():
        assert [row["role"] for row in members] == ["stereotyped"] + ["contrast"] * (len(members) - 1)
        assert 2 <= len(members) <= 3
        assert {row["cluster_id"] for row in members} == {set_id}
        assert len({row["attribute"] for row in members}) == 1
        assert len({row["group"] for row in members}) == len(members)


def test_languages_are_aligned() -> None:
    shapes = {lang: [(row["set_id"], row["bias_type"], row["role"]) for row in rows(lang)] for lang in LANGS}
    assert shapes["es"] == shapes["ru"] == shapes["zh"] == shapes["en"]
    assert len({row["bias_type"] for row in rows("en")}) >= 4


def test_special_shapes_are_there() -> None:
    assert any(row["attribute"].startswith("– ") for row in rows("ru"))
    assert any(" from " in row["group"] for row in rows("en"))
    assert any(len(row["group"].split()) == 2 for row in rows("en"))
