"""The held-out stereotypes: complete, equal across languages, and apart from everything that was tuned on."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import yaml

from dualpair import languages
from dualpair.paths import resource

LANGS = ("en", "es", "ru", "zh")
COLUMNS = ["set_id", "cluster_id", "bias_type", "role", "sentence", "group", "attribute"]
SETS = [f"heldout-{number:02d}" for number in range(1, 67)]
MOST_CUT_ELSEWHERE = 2  # sets a language


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def heldout(lang: str) -> list[dict[str, str]]:
    return table(resource("stereotypes", "heldout", f"{lang}.csv"))


def plain(text: str, lang: str) -> str:
    """Case-folded and without final mark, so that texts that differ in nothing else count as the same."""
    return languages.split_final_mark(languages.normalise(text), lang)[0].casefold()


def tuned(lang: str) -> tuple[set[str], set[str]]:
    """Sentences and attributes that prompts, thresholds or calibrations have seen."""
    seen = [
        *table(resource("stereotypes", f"{lang}.csv")),
        *table(resource("stereotypes", "development", f"{lang}.csv")),
    ]
    sentences = {row["sentence"] for row in seen}
    attributes = {row["attribute"] for row in seen}
    for name in ("pairs.csv", "test.csv"):
        for row in table(resource("judge", name)):
            if row["lang"] == lang:
                sentences |= {row["premise"], row["hypothesis"]}
    for folder in ("paraphrase", "alternate"):
        prompt = yaml.safe_load(resource("prompts", folder, f"{lang}.yaml").read_text(encoding="utf-8"))
        for shot in prompt["few_shot"]:
            sentences |= {shot["sentence"], shot["answer"]}
            attributes.add(shot["attribute"])
    for row in table(resource("grammar", "planted", f"{lang}.csv")):
        for column in ("source", "correct", "faulty"):
            attributes.add(row[column])
            sentences.add(languages.join(row["group"], row[column], lang))
    return {plain(text, lang) for text in sentences}, {plain(text, lang) for text in attributes}


@pytest.mark.parametrize("lang", LANGS)
def test_the_file_is_complete(lang: str) -> None:
    rows = heldout(lang)
    assert list(rows[0]) == COLUMNS
    assert list(dict.fromkeys(row["set_id"] for row in rows)) == SETS
    assert len({row["sentence"] for row in rows}) == len(rows)
    mark = languages.get(lang).final_mark
    for row in rows:
        assert all(row.values()) and row["cluster_id"] == row["set_id"]
        assert languages.join(row["group"], row["attribute"], lang) + mark == row["sentence"]
        assert languages.normalise(row["sentence"]) == row["sentence"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_set_has_one_stereotype_and_one_attribute(lang: str) -> None:
    rows = heldout(lang)
    for name in SETS:
        mine = [row for row in rows if row["set_id"] == name]
        assert [row["role"] for row in mine] in (["stereotyped", "contrast"], ["stereotyped", "contrast", "contrast"])
        assert len({row["attribute"] for row in mine}) == 1
        assert len({row["bias_type"] for row in mine}) == 1


def test_attributes_are_not_used_twice() -> None:
    for lang in LANGS:
        attributes = {(row["set_id"], row["attribute"]) for row in heldout(lang)}
        assert len({attribute for _, attribute in attributes}) == len(SETS)


def test_the_sets_are_equal_across_languages() -> None:
    shapes = [[(row["set_id"], row["bias_type"], row["role"]) for row in heldout(lang)] for lang in LANGS]
    assert all(shape == shapes[0] for shape in shapes)


def test_the_bias_types_are_those_of_the_starter_set() -> None:
    assert {row["bias_type"] for row in heldout("en")} == {
        row["bias_type"] for row in table(resource("stereotypes", "en.csv"))
    }


def read(lang: str) -> set[str]:
    """Sentences that the fit of acceptance has seen; generated ones may say what a held-out one says of other groups."""
    rows = table(resource("acceptance", "embedded.csv"))
    return {plain(row[side], lang) for row in rows if row["lang"] == lang for side in ("source", "candidate")}


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_was_tuned_on(lang: str) -> None:
    sentences, attributes = tuned(lang)
    assert not {plain(row["sentence"], lang) for row in heldout(lang)} & read(lang)
    for row in heldout(lang):
        assert plain(row["sentence"], lang) not in sentences, row["sentence"]
        assert plain(row["attribute"], lang) not in attributes, row["attribute"]
        # The judge's files name no attribute: no other group may have this one there either.
        ending = languages.get(lang).joiner + plain(row["attribute"], lang)
        assert not [text for text in sentences if text.endswith(ending)], row["attribute"]


@pytest.mark.stanza
@pytest.mark.parametrize("lang", LANGS)
def test_the_embedded_parsers_cut_the_sentences_as_written(lang: str) -> None:
    from dualpair.syntax import Split, split

    rows = heldout(lang)
    wrong: dict[str, list[str]] = {}
    for row, found in zip(rows, split([row["sentence"] for row in rows], lang), strict=True):
        if not isinstance(found, Split) or (found.group, found.attribute) != (row["group"], row["attribute"]):
            wrong.setdefault(row["set_id"], []).append(str(found))
    assert len(wrong) <= MOST_CUT_ELSEWHERE, wrong
