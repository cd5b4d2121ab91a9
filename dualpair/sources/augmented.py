"""Dual pairs that someone has made: sets with their variants and alternates, ready to be scored. Three layouts.

- `augmented.parquet` of another run (its export). Texts are taken as they are, ids too, so that its measures come out
  identical.
- JSON (a list, or one record a line) of the first paper's released layout: `{index, bias_type, groups, stereotype,
  v0: {a1, a2}, v1: {a1, a2}, ...}`, a1 an attribute and a2 its alternate. v0 counts as the original only if it is what
  `stereotype` says (there, a paraphrase becomes v0 when the original has no usable alternate).
- a table with `columns` named in the config: one row a variant, the original first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair import artifacts, languages
from dualpair.errors import InputError
from dualpair.sources import cleaning, common, encodings, lists, reading, records, table
from dualpair.sources.settings import LANG_SLOT, AugmentedColumns, AugmentedSource

_VARIANT_KEY = re.compile(r"v(0|[1-9][0-9]*)")
_LIKE_A_VARIANT = re.compile(r"[vV]_?[0-9]+")
_VARIANT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_INDEX = re.compile(r"([0-9]+)\.[0-9]+")
_TABLE_FACTS = ("groups", "cluster_id", "bias_type")
_FACTS = ("cluster_id", "dataset", "bias_type", "final_mark")


class Variant(NamedTuple):
    """One attribute with its alternate, both without final mark.

    ``variant_id`` is empty where the source gives none; ``reason`` says why the attribute cannot be used, and
    ``alternate_reason`` why the alternate cannot.
    """

    attribute: str
    alternate: str
    is_original: bool
    variant_id: str = ""
    reason: str = ""
    alternate_reason: str = ""


class Entry(NamedTuple):
    """One set of one language; ``line`` is its place in the file, ``reason`` why it is rejected."""

    set_id: str
    cluster_id: str
    dataset: str
    bias_type: str
    groups: tuple[str, ...]
    original: str
    final_mark: str
    variants: tuple[Variant, ...]
    line: int
    reason: str = ""


class Contents(NamedTuple):
    """The sets of one language, and what the artifact calls their file."""

    name: str
    entries: list[Entry]


def read(path: Path, lang: str, source: AugmentedSource) -> Contents:
    """The sets of one language, in file order.

    A set is rejected when its groups or all its attributes cannot be used, and beyond ``max_sets``.

    Raises:
        InputError: none of the three layouts, no set of this language, or rows of one set that disagree.
    """
    if source.columns is not None:
        contents = _from_table(path, lang, source, source.columns)
    elif path.suffix.casefold() == ".parquet":
        contents = _from_run(path, lang, source)
    elif path.suffix.casefold() in (".json", ".jsonl", ".ndjson"):
        contents = _from_json(path, lang, source)
    else:
        raise InputError(
            f"{path}: without `source.columns`, an augmented source is a run's augmented.parquet or a .json file; name "
            f"the columns of a table there"
        )
    for entry in contents.entries:
        common.check_ids(entry, f"{path}: place {entry.line}")
    encoding = "" if path.suffix.casefold() in (".parquet", ".xlsx") else source.reading.encoding
    common.check_script((entry.original for entry in contents.entries), lang, path, encoding)
    entries = [_checked(entry) for entry in contents.entries]
    usable = [entry.set_id for entry in entries if not entry.reason]
    chosen = set(sorted(usable, key=common.natural_key)[: source.max_sets])
    return Contents(
        contents.name,
        [e if e.reason or e.set_id in chosen else e._replace(reason=common.NOT_SELECTED) for e in entries],
    )


def _checked(entry: Entry) -> Entry:
    """The entry with its variants' faults, and with the reason why it is rejected."""
    flaw = next((flaw for flaw in map(cleaning.flaw, entry.groups) if flaw), "")
    reason = entry.reason or table.group_problem(list(entry.groups)) or flaw
    variants: list[Variant] = []
    seen: set[str] = set()
    for variant in entry.variants:
        fault = cleaning.flaw(variant.attribute) or ("" if variant.attribute else common.EMPTY_ATTRIBUTE)
        fault = fault or (common.DUPLICATE if variant.attribute in seen else "")
        seen.add(variant.attribute)
        other = cleaning.flaw(variant.alternate) or ("" if variant.alternate else common.EMPTY_ALTERNATE)
        other = other or (common.SAME_TEXT if variant.alternate == variant.attribute else "")
        variants.append(variant._replace(reason=fault, alternate_reason=other))
    if not reason and all(variant.reason for variant in variants):
        reason = variants[0].reason if variants else common.EMPTY_ATTRIBUTE
    return entry._replace(variants=tuple(variants), reason=reason)


def _from_run(path: Path, lang: str, source: AugmentedSource) -> Contents:
    try:
        frame = artifacts.read(path, "augmented")
    except (ValueError, OSError) as error:
        raise InputError(
            f"{path}: no augmented.parquet that this version reads ({error}); or, if it is a table of your own, name "
            f"its columns in `source.columns`"
        ) from None
    by_set: dict[str, list[tuple[int, Mapping[Any, Any]]]] = {}
    for number, row in enumerate(frame.to_dict("records"), start=1):
        if row["lang"] == lang:
            by_set.setdefault(str(row["set_id"]), []).append((number, row))
    _some(by_set, path, lang, sorted(set(frame["lang"])))
    return Contents(path.name, [_run_entry(rows, path, lang, source) for rows in by_set.values()])


def _run_entry(rows: Sequence[tuple[int, Mapping[Any, Any]]], path: Path, lang: str, source: AugmentedSource) -> Entry:
    line, first = rows[0]
    for number, row in rows:
        _agree(first, row, (*_FACTS, "groups"), f"{path}: records {line} and {number}")
    variants = [
        Variant(row["attribute"], row["alternate"], row["variant_id"] == "v0", str(row["variant_id"]))
        for _, row in rows
    ]
    original = next((variant for variant in variants if variant.is_original), variants[0])
    groups = tuple(first["groups"])
    sentence = languages.join(groups[0] if groups else "", original.attribute, lang) + first["final_mark"]
    facts = {key: str(first[key]) for key in ("set_id", "cluster_id", "bias_type", "final_mark")}
    dataset = source.dataset or str(first["dataset"])
    return Entry(**facts, dataset=dataset, groups=groups, original=sentence, variants=tuple(variants), line=line)


def _from_json(path: Path, lang: str, source: AugmentedSource) -> Contents:
    text = encodings.decode(reading.read_bytes(path), path, source.reading.encoding, lang)
    found: list[tuple[int, str, Any]] = []
    if path.suffix.casefold() == ".json":
        data = records.load(text, str(path))
        if not isinstance(data, list):
            raise InputError(f"{path}: holds {type(data).__name__}, expected a list of records, one a stereotype")
        found = [(number, f"{path}: record {number}", item) for number, item in enumerate(data, start=1)]
    else:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                where = f"{path}: line {number}"
                found.append((number, where, records.load(line, where)))
    if not found:
        raise InputError(f"{path}: no record; expected a list of records, one a stereotype")
    if source.dataset is None:
        raise InputError(f"{path}: this layout does not name its data set; set `source.dataset`")
    entries: list[Entry] = []
    seen: dict[str, str] = {}
    for number, where, item in found:
        entry = _json_entry(item, number, where, lang, source.dataset)
        if entry.set_id in seen:
            raise InputError(
                f"{where}: index {entry.set_id!r} occurs twice (before: {seen[entry.set_id]}); give it its own"
            )
        seen[entry.set_id] = where
        entries.append(entry)
    return Contents(path.name, entries)


def _json_entry(item: Any, number: int, where: str, lang: str, dataset: str) -> Entry:
    if not isinstance(item, dict):
        raise InputError(f"{where}: {cleaning.shown(item)} is no object; expected index, bias_type, groups, v0, ...")
    set_id = _text(item, "index", where)
    groups = item.get("groups")
    if not isinstance(groups, list) or not all(isinstance(group, str) for group in groups):
        raise InputError(f"{where}: key 'groups': value {cleaning.shown(groups)}; expected a list of texts")
    named = sorted((int(key[1:]), key) for key in item if _VARIANT_KEY.fullmatch(key))
    odd = next((key for key in item if _LIKE_A_VARIANT.fullmatch(key) and not _VARIANT_KEY.fullmatch(key)), None)
    if odd is not None:
        raise InputError(f"{where}: key {odd!r} is unknown; variants are v0, v1, v2, ...: rename it")
    if not named:
        raise InputError(f"{where}: has no variant; expected v0: {{a1: ..., a2: ...}}")
    pairs = [_pair(item[key], f"{where}: key {key!r}", lang) for _, key in named]
    stereotype = _text(item, "stereotype", where, empty=True) if item.get("stereotype") is not None else ""
    clean = [cleaning.clean(group, lang) for group in groups]
    first = pairs[0]
    body, mark = languages.split_final_mark(cleaning.clean(stereotype, lang), lang)
    own = languages.join(clean[0] if clean else "", first.attribute, lang)
    original = named[0][1] == "v0" and (not body or body in (own, first.attribute))
    final_mark = mark if body else first.mark
    damaged = next((flaw for flaw in map(cleaning.flaw, (*groups, stereotype)) if flaw), "")
    begins = body.casefold().startswith(f"{clean[0] if clean else ''}{languages.get(lang).joiner}".casefold())
    other = bool(body) and not begins and body not in {pair.attribute for pair in pairs}
    return Entry(
        set_id=set_id,
        cluster_id=_cluster(set_id),
        dataset=dataset,
        bias_type=_bias_type(item.get("bias_type"), where),
        groups=tuple(clean),
        original=body + final_mark if body and body != first.attribute else own + final_mark,
        final_mark=final_mark,
        variants=tuple(
            Variant(pair.attribute, pair.alternate, original and place == 0) for place, pair in enumerate(pairs)
        ),
        line=number,
        reason=damaged or (common.OTHER_BEGINNING if other and clean and all(clean) else ""),
    )


class _Pair(NamedTuple):
    attribute: str
    alternate: str
    mark: str


def _pair(value: Any, where: str, lang: str) -> _Pair:
    if not isinstance(value, dict):
        raise InputError(f"{where}: value {cleaning.shown(value)}; expected {{a1: attribute, a2: alternate}}")
    return _cut(_text(value, "a1", where, empty=True), _text(value, "a2", where, empty=True), lang)


def _cut(attribute: str, alternate: str, lang: str) -> _Pair:
    """Both texts without their final marks, and the attribute's mark; a damaged text stays as it is, to be found."""
    texts = [text if cleaning.flaw(text) else cleaning.clean(text, lang) for text in (attribute, alternate)]
    (body, mark), (other, _) = (languages.split_final_mark(text, lang) for text in texts)
    return _Pair(body, other, mark)


def _from_table(path: Path, lang: str, source: AugmentedSource, columns: AugmentedColumns) -> Contents:
    if source.dataset is None:
        raise InputError(f"{path}: a table does not name its data set; set `source.dataset`")
    names = columns.names(lang)
    needed = [name for name in names.values() if name is not None]
    read = reading.read_table(path, needed, source.reading, lang, lists=[columns.groups.replace(LANG_SLOT, lang)])
    by_set: dict[str, list[reading.Row]] = {}
    for row in common.rows_of(read, names["lang"], lang):
        set_id = languages.normalise(row.cells[str(names["set_id"])])
        if not set_id:
            raise InputError(f"{read.where(row, names['set_id'])} is empty; every row needs a value: fill it in")
        by_set.setdefault(set_id, []).append(row)
    found = {row.cells[names["lang"]].strip() for row in read.rows} if names["lang"] is not None else set()
    _some(by_set, path, lang, sorted(found))
    cut = [_table_entry(set_id, rows, read, names, lang, source) for set_id, rows in by_set.items()]
    return Contents(read.name, cut)


def _table_entry(
    set_id: str,
    rows: Sequence[reading.Row],
    read: reading.Table,
    names: Mapping[str, str | None],
    lang: str,
    source: AugmentedSource,
) -> Entry:
    def cell(row: reading.Row, key: str) -> str:
        name = names[key]
        return "" if name is None else row.cells[name]

    first = rows[0]
    for row in rows:
        before, facts = ({key: cell(r, key).strip() for key in _TABLE_FACTS} for r in (first, row))
        _agree(before, facts, _TABLE_FACTS, f"{read.path}: {read.unit}s {first.line} and {row.line}: set {set_id!r}")
    try:
        groups = lists.parse(cell(first, "groups"), source.separator) if cell(first, "groups").strip() else []
    except ValueError as error:
        raise InputError(f"{read.where(first, names['groups'])}: {error}; give a list of the groups") from None
    pairs = [_cut(cell(row, "attribute"), cell(row, "alternate"), lang) for row in rows]
    ids = _variant_ids(rows, read, names["variant_id"], lambda row: cell(row, "variant_id"))
    clean = tuple(cleaning.clean(group, lang) for group in groups)
    mark = pairs[0].mark
    return Entry(
        set_id=set_id,
        cluster_id=languages.normalise(cell(first, "cluster_id")) or set_id,
        dataset=str(source.dataset),
        bias_type=languages.normalise(cell(first, "bias_type")) or common.UNSPECIFIED,
        groups=clean,
        original=languages.join(clean[0] if clean else "", pairs[0].attribute, lang) + mark,
        final_mark=mark,
        variants=tuple(
            Variant(pair.attribute, pair.alternate, name == "v0", name) for name, pair in zip(ids, pairs, strict=True)
        ),
        line=first.line,
        reason=cleaning.flaw(cell(first, "groups")),
    )


def _variant_ids(
    rows: Sequence[reading.Row], read: reading.Table, column: str | None, cell: Callable[[reading.Row], str]
) -> list[str]:
    """Ids of a set's variants; without a column the first is the original and the others are named by their content."""
    if column is None:
        return ["v0"] + [""] * (len(rows) - 1)
    ids: list[str] = []
    for row in rows:
        name = cell(row).strip()
        if not _VARIANT_ID.fullmatch(name) or name in ids:
            what = "occurs twice in its set" if name in ids else "is no id such as v0"
            raise InputError(
                f"{read.where(row, column)}: value {cleaning.shown(name)} {what}; give each variant its own"
            )
        ids.append(name)
    return ids


def _some(by_set: Mapping[str, object], path: Path, lang: str, found: Sequence[str]) -> None:
    if not by_set:
        raise InputError(
            f"{path}: no row is in language {lang!r} (found: {', '.join(found) or 'none'}); correct the file, or take "
            f"the language out of `languages`"
        )


def _agree(before: Mapping[str, Any], row: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    for key in keys:
        if before[key] != row[key]:
            raise InputError(
                f"{where}: two values of {key} in one set ({cleaning.shown(before[key])} and "
                f"{cleaning.shown(row[key])}); give all rows of a set the same"
            )


def _text(item: Mapping[str, Any], key: str, where: str, empty: bool = False) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not (empty or value.strip()):
        raise InputError(f"{where}: key {key!r}: value {cleaning.shown(value)}; expected a text")
    return str(value) if empty else languages.normalise(str(value))


def _bias_type(value: Any, where: str) -> str:
    """The kind of bias: a text, or the first of a list."""
    if isinstance(value, list) and value:
        value = value[0]
    if value is None or value == []:
        return common.UNSPECIFIED
    if not isinstance(value, str):
        raise InputError(f"{where}: key 'bias_type': value {cleaning.shown(value)}; expected a text or a list of texts")
    return languages.normalise(value) or common.UNSPECIFIED


def _cluster(index: str) -> str:
    """The whole part of an index such as 12.3, which wordings of one stereotype share."""
    found = _INDEX.fullmatch(index)
    return found.group(1) if found else index
