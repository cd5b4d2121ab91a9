"""Config sections of the source formats: which files, how they are read, which column holds what.

Keys that most files do not need have a neutral default here: an absent `reading` section means UTF-8 text, separated as
the file's ending says.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from dualpair.sections import Section

SENTENCE_SLOT = "{sentence}"
LANG_SLOT = "{lang}"
PRESPLIT = "presplit"

Text = Annotated[str, StringConstraints(min_length=1)]
MaxSets = Annotated[int, Field(ge=1)] | None
Files = dict[str, str]


def _known_encoding(name: str) -> str:
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        raise ValueError(
            "no such encoding; allowed are Python's names, e.g. utf-8, utf-16, cp1252, cp1251, gb18030"
        ) from None
    if not getattr(codec, "_is_text_encoding", True):
        raise ValueError("no encoding of text; allowed are e.g. utf-8, utf-16, cp1252, cp1251, gb18030")
    return name


class Reading(Section):
    """How a file is read. All keys may be left out."""

    encoding: Annotated[str, AfterValidator(_known_encoding)] = Field(
        default="utf-8", description="Encoding of a text file, by Python's name; never guessed."
    )
    delimiter: Literal["auto", "comma", "semicolon", "tab", "pipe"] = Field(
        default="auto", description="auto: comma in .csv, tab in .tsv and .tab."
    )
    quotes: Literal["double", "none"] = Field(
        default="double", description='double: a cell may be put in "..."; none: a quote mark is text (many TSV files).'
    )
    sheet: str | dict[str, str] | None = Field(
        default=None, description="Sheet of a workbook, one name or one per language; null: the only one."
    )


class TableColumns(Section):
    """Which column of the user's table holds what. `{lang}` in a name stands for the language's code."""

    set_id: str = Field(description="Id of the stereotype, equal across languages and for all groups of a set.")
    cluster_id: str | None = Field(description="What resampling draws; null: the set.")
    bias_type: str | None = Field(description="Kind of bias; null: all rows get 'unspecified'.")
    role: str | None = Field(
        description="'stereotyped' for the first group's sentence, 'contrast' for the others; null with `groups`."
    )
    sentence: str | None = Field(description="The whole sentence; null: group and attribute make it.")
    group: str | None = Field(description="Group phrase; needed by the presplit parse engine, else null.")
    attribute: str | None = Field(description="Attribute; needed by the presplit parse engine, else null.")
    groups: str | None = Field(
        default=None, description="All groups of the set in one cell, the stereotyped one first: one row a set."
    )
    lang: str | None = Field(
        default=None, description="Language code of the row; rows of other languages are left out."
    )

    def names(self, lang: str) -> dict[str, str | None]:
        """Key to column name, `{lang}` filled in."""
        return {key: None if name is None else name.replace(LANG_SLOT, lang) for key, name in self.model_dump().items()}


class TableSource(Section):
    """A table per language: CSV, TSV, JSON, JSON lines, Parquet or XLSX."""

    kind: Literal["table"]
    dataset: Text = Field(description="Name of the data set.")
    files: Files = Field(description="One file per language; relative to this config's home folder.")
    columns: TableColumns
    separator: Text = Field(
        default="|", description="Between the groups of one cell, unless it is a list such as [..]."
    )
    max_sets: MaxSets = Field(description="Keep the first n set ids (sorted) of each language; null: all.")
    reading: Reading = Reading()


class HfDatasetSource(Section):
    """A data set that Hugging Face's `datasets` saved with `save_to_disk`."""

    kind: Literal["hf_dataset"]
    dataset: Text
    files: Files = Field(description="One folder per language; several languages may name the same.")
    split: str | None = Field(default=None, description="Split to take; null: the only one.")
    columns: TableColumns
    separator: Text = "|"
    max_sets: MaxSets


class BiasShadesSource(Section):
    """BiasShades: `by_language/<lang>.csv`, or `all/all.csv` for every language."""

    kind: Literal["biasshades"]
    dataset: Text = Field(description="Name of the data set.")
    files: Files = Field(description="One file per language.")
    types: list[str] = Field(description="Values of the column 'type' to keep; the paper keeps declaration.")
    max_sets: MaxSets = Field(description="Keep the first n set ids (sorted) of each language; null: all.")
    reading: Reading = Reading()


class CrowsPairsSource(Section):
    """CrowS-Pairs: the original, its revisions and translations."""

    kind: Literal["crows_pairs"]
    dataset: Text
    files: Files
    stereotyped: Literal["sent_more", "by_direction"] = Field(
        default="sent_more",
        description="sent_more: the more stereotypical sentence comes first in every row; by_direction: the sentence "
        "about the disadvantaged group (sent_less in antistereo rows).",
    )
    max_sets: MaxSets
    reading: Reading = Reading()


class StereoSetSource(Section):
    """StereoSet: the original JSON, or CSV with the lists as NumPy prints them."""

    kind: Literal["stereoset"]
    dataset: Text
    files: Files
    max_sets: MaxSets
    reading: Reading = Reading()


class Scaffolds(Section):
    """The two frames of a sentence without a group, e.g. `The women said: "{sentence}"`."""

    female: str
    male: str


class GestSource(Section):
    """GEST: first-person sentences and the number of their stereotype."""

    kind: Literal["gest"]
    dataset: Text
    files: Files
    scaffolds: dict[str, Scaffolds] = Field(description="Per language; they differ only in front of {sentence}.")
    max_sets: MaxSets
    reading: Reading = Reading()


class EuroGestColumns(Section):
    """Columns of a EuroGEST table."""

    id: str = "GEST_ID"
    stereotype: str = "Stereotype_ID"
    neutral: str = "Neutral"
    masculine: str | None = "Masculine"
    feminine: str | None = "Feminine"


class EuroGestSource(Section):
    """EuroGEST: GEST in other languages, in two forms where the language marks the speaker's gender."""

    kind: Literal["eurogest"]
    dataset: Text
    files: Files
    scaffolds: dict[str, Scaffolds] = Field(description="Per language; they differ only in front of {sentence}.")
    columns: EuroGestColumns = EuroGestColumns()
    max_sets: MaxSets
    reading: Reading = Reading()


class AugmentedColumns(Section):
    """Columns of a table of dual pairs: one row a variant, the original first."""

    set_id: str
    groups: str = Field(description="All groups in one cell, the stereotyped one first.")
    attribute: str
    alternate: str
    variant_id: str | None = Field(default=None, description="null: a set's first row is its original.")
    cluster_id: str | None = None
    bias_type: str | None = None
    lang: str | None = None

    def names(self, lang: str) -> dict[str, str | None]:
        """Key to column name, `{lang}` filled in."""
        return {key: None if name is None else name.replace(LANG_SLOT, lang) for key, name in self.model_dump().items()}


class AugmentedSource(Section):
    """Dual pairs that are ready: a run's augmented.parquet, the released JSON layout, or a table. Starts at scoring."""

    kind: Literal["augmented"]
    dataset: Text | None = Field(description="Name of the data set; null: as augmented.parquet says.")
    files: Files
    columns: AugmentedColumns | None = Field(default=None, description="Of a table; null for the two other layouts.")
    separator: Text = "|"
    max_sets: MaxSets
    reading: Reading = Reading()


AnySource = (
    TableSource
    | HfDatasetSource
    | BiasShadesSource
    | CrowsPairsSource
    | StereoSetSource
    | GestSource
    | EuroGestSource
    | AugmentedSource
)
Source = Annotated[AnySource, Field(discriminator="kind")]
CLASSES: dict[str, type[Section]] = {
    "table": TableSource,
    "biasshades": BiasShadesSource,
    "crows_pairs": CrowsPairsSource,
    "stereoset": StereoSetSource,
    "gest": GestSource,
    "eurogest": EuroGestSource,
    "hf_dataset": HfDatasetSource,
    "augmented": AugmentedSource,
}
KINDS = tuple(CLASSES)


def problems(source: AnySource, languages: Sequence[str], engines: Mapping[str, str]) -> list[str]:
    """What the sections cannot say alone: keys that depend on one another, on the languages or on the parse engines."""
    found = [
        f"key `source.files.{lang}`: value {name!r}: braces in a path stand for something else in a workflow; rename "
        f"the file or folder"
        for lang, name in source.files.items()
        if "{" in name or "}" in name
    ]
    if isinstance(source, TableSource | HfDatasetSource):
        wrong = _column_problems(source.columns)
        found += wrong or _engine_problems(source, languages, engines)
    elif isinstance(source, GestSource | EuroGestSource):
        found += _scaffold_problems(source.scaffolds, languages)
        found += [
            f"key `parse.engine.{lang}`: value {engines[lang]!r}: the scaffold says where the sentence begins; "
            f"use {PRESPLIT}"
            for lang in languages
            if engines.get(lang, PRESPLIT) != PRESPLIT
        ]
    elif source.kind in _TITLES:
        found += [
            f"key `parse.engine.{lang}`: value {PRESPLIT!r}: {_TITLES[source.kind]} gives whole sentences; use stanza"
            for lang in languages
            if engines.get(lang) == PRESPLIT
        ]
    return found


_TITLES = {"biasshades": "BiasShades", "crows_pairs": "CrowS-Pairs", "stereoset": "StereoSet"}


def _column_problems(columns: TableColumns) -> list[str]:
    if columns.role is None and columns.groups is None:
        return [
            "key `source.columns.role`: value None: name the column of roles (one row a sentence), or in "
            "`source.columns.groups` the column that lists a set's groups (one row a set)"
        ]
    if columns.role is not None and columns.groups is not None:
        return [
            f"key `source.columns.groups`: value {columns.groups!r}: a table has one row a sentence (`role`) or one "
            f"row a set (`groups`), not both; set one of them to null"
        ]
    if columns.groups is not None and columns.group is not None:
        return [f"key `source.columns.group`: value {columns.group!r}: `groups` lists them all; set it to null"]
    if columns.sentence is None and (columns.attribute is None or (columns.group is None and columns.groups is None)):
        missing = "attribute" if columns.attribute is None else "group"
        return [
            f"key `source.columns.sentence`: value None needs `source.columns.{missing}`; name one of these columns"
        ]
    return []


def _engine_problems(
    source: TableSource | HfDatasetSource, languages: Sequence[str], engines: Mapping[str, str]
) -> list[str]:
    columns = source.columns
    missing = [name for name in ("group", "attribute") if getattr(columns, name) is None]
    if columns.groups is not None or not missing:
        return []
    return [
        f"key `parse.engine.{lang}`: value {PRESPLIT!r} needs `source.columns.{missing[0]}`; name that column"
        for lang in languages
        if engines.get(lang) == PRESPLIT
    ]


def _scaffold_problems(scaffolds: Mapping[str, Scaffolds], languages: Sequence[str]) -> list[str]:
    found = [
        f"key `source.scaffolds.{lang}` is missing: language {lang!r} is listed in `languages`; add its two frames"
        for lang in languages
        if lang not in scaffolds
    ]
    for lang in languages:
        pair = scaffolds.get(lang)
        if pair is None:
            continue
        for key, value in (("female", pair.female), ("male", pair.male)):
            if value.count(SENTENCE_SLOT) != 1 or not value.partition(SENTENCE_SLOT)[0].strip():
                found.append(
                    f"key `source.scaffolds.{lang}.{key}`: value {value!r}: needs {SENTENCE_SLOT} once, with the group "
                    f'in front of it, e.g. The women said: "{SENTENCE_SLOT}"'
                )
        if not found and pair.female.partition(SENTENCE_SLOT)[2] != pair.male.partition(SENTENCE_SLOT)[2]:
            found.append(
                f"key `source.scaffolds.{lang}`: the frames {pair.female!r} and {pair.male!r} differ after "
                f"{SENTENCE_SLOT}; the attribute must be identical: let them differ in front of it only"
            )
    return found
